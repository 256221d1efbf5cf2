package jsonvalue

import (
	"slices"
	"strconv"
	"strings"
)

// Reader reads the members of one object. It keeps the first error of all readers that came from
// one, so that a decoder can read its fields in one expression and look at the error at the end.
// What it returns after an error is the zero value or what stands there.
type Reader struct {
	Cursor Cursor
	err    *error
}

// Optional is a text that may be absent, as the zero Optional is; an empty text is there.
type Optional struct {
	Text    string
	Present bool
}

// NewReader returns a reader that puts the first error into err. That the cursor is on an object
// is checked.
func NewReader(c Cursor, err *error) Reader {
	r := Reader{c, err}
	_, failure := c.Object()
	r.Fail(failure)
	return r
}

// On returns a reader of another object that shares the error.
func (r Reader) On(c Cursor) Reader { return NewReader(c, r.err) }

// Failed reports whether there has been an error.
func (r Reader) Failed() bool { return *r.err != nil }

// Fail keeps an error unless there is one already or it is nil.
func (r Reader) Fail(err error) {
	if *r.err == nil {
		*r.err = err
	}
}

// FailAt keeps an error at a member.
func (r Reader) FailAt(name, format string, args ...any) {
	r.Fail(r.Cursor.Member(name).Fail(format, args...))
}

// Has reports whether a member is there and not null.
func (r Reader) Has(name string) bool { return r.Cursor.Member(name).Present }

// Required returns a member of any type but null.
func (r Reader) Required(name string) Value {
	if !r.Has(name) {
		r.FailAt(name, "required")
	}
	return r.Cursor.Member(name).Value
}

// Text returns a string member.
func (r Reader) Text(name string) string {
	text, err := r.Cursor.Member(name).Text()
	r.Fail(err)
	return text
}

// Optional returns a string member that may be absent or null.
func (r Reader) Optional(name string) Optional {
	text, present, err := r.Cursor.Member(name).OptionalText()
	r.Fail(err)
	return Optional{text, present}
}

// OneOf returns a string member that must be among the choices.
func (r Reader) OneOf(name string, choices ...string) string {
	text := r.Text(name)
	if !slices.Contains(choices, text) {
		r.FailAt(name, "want one of %s, got %q", strings.Join(choices, ", "), text)
	}
	return text
}

// Texts returns a member that is an array of strings.
func (r Reader) Texts(name string) []string {
	texts, err := r.Cursor.Member(name).Texts()
	r.Fail(err)
	return texts
}

// OptionalTexts returns an array of strings, nil where it is absent or null.
func (r Reader) OptionalTexts(name string) []string {
	if !r.Has(name) {
		return nil
	}
	return r.Texts(name)
}

// Bool returns a boolean member.
func (r Reader) Bool(name string) bool {
	b, err := r.Cursor.Member(name).Bool()
	r.Fail(err)
	return b
}

// OptionalBool returns a boolean member, false where it is absent or null.
func (r Reader) OptionalBool(name string) bool {
	b, err := r.Cursor.Member(name).OptionalBool()
	r.Fail(err)
	return b
}

// Int returns an integer member.
func (r Reader) Int(name string) int {
	n, err := r.Cursor.Member(name).Int()
	r.Fail(err)
	return n
}

// Number returns a number member that fits 64 bits.
func (r Reader) Number(name string) float64 {
	literal, _ := r.Cursor.Member(name).Value.NumberLiteral()
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		r.FailAt(name, "want a number within 64 bits, got %s", r.Cursor.Member(name).Value)
	}
	return n
}

// Object returns a reader of a member that must be an object.
func (r Reader) Object(name string) Reader { return r.On(r.Cursor.Member(name)) }

// Objects returns a reader an element of a member that must be an array of objects.
func (r Reader) Objects(name string) []Reader {
	elements, err := r.Cursor.Member(name).Elements()
	r.Fail(err)
	readers := make([]Reader, len(elements))
	for i, element := range elements {
		readers[i] = r.On(element)
	}
	return readers
}
