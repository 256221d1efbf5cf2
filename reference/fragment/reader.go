package fragment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// reader reads the members of one object. It keeps the first error of all readers that came from
// one, so that a decoder can read its fields in one expression and look at the error at the end.
type reader struct {
	cursor jsonvalue.Cursor
	err    *error
}

// read returns a reader of an object; that it is one is checked.
func read(c jsonvalue.Cursor, err *error) reader {
	r := reader{c, err}
	_, failure := c.Object()
	r.fail(failure)
	return r
}

func (r reader) fail(err error) {
	if *r.err == nil {
		*r.err = err
	}
}

func (r reader) failAt(name, format string, args ...any) {
	r.fail(r.cursor.Member(name).Fail(format, args...))
}

// has reports whether a member is there and not null.
func (r reader) has(name string) bool { return r.cursor.Member(name).Present }

func (r reader) text(name string) string {
	text, err := r.cursor.Member(name).Text()
	r.fail(err)
	return text
}

func (r reader) optional(name string) Optional {
	text, present, err := r.cursor.Member(name).OptionalText()
	r.fail(err)
	return Optional{text, present}
}

// oneOf returns a text that must be among the choices.
func (r reader) oneOf(name string, choices ...string) string {
	text := r.text(name)
	if !slices.Contains(choices, text) {
		r.failAt(name, "want one of %s, got %q", strings.Join(choices, ", "), text)
	}
	return text
}

func (r reader) texts(name string) []string {
	texts, err := r.cursor.Member(name).Texts()
	r.fail(err)
	return texts
}

// optionalTexts returns nil for an absent list.
func (r reader) optionalTexts(name string) []string {
	if !r.has(name) {
		return nil
	}
	return r.texts(name)
}

func (r reader) truth(name string) bool {
	b, err := r.cursor.Member(name).Bool()
	r.fail(err)
	return b
}

// optionalBool returns false for an absent boolean.
func (r reader) optionalBool(name string) bool {
	b, err := r.cursor.Member(name).OptionalBool()
	r.fail(err)
	return b
}

func (r reader) integer(name string) int {
	n, err := r.cursor.Member(name).Int()
	r.fail(err)
	return n
}

func (r reader) number(name string) float64 {
	literal, _ := r.cursor.Member(name).Value.NumberLiteral()
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		r.failAt(name, "want a number within 64 bits, got %s", r.cursor.Member(name).Value)
	}
	return n
}

// object returns a reader of a member that must be an object.
func (r reader) object(name string) reader { return read(r.cursor.Member(name), r.err) }

// objects returns a reader an element of an array of objects.
func (r reader) objects(name string) []reader {
	elements, err := r.cursor.Member(name).Elements()
	r.fail(err)
	readers := make([]reader, len(elements))
	for i, element := range elements {
		readers[i] = read(element, r.err)
	}
	return readers
}

// some passes a fragment on that exists only if ok; the field is what makes it so.
func (r reader) some(f Fragment, ok bool, field string) Fragment {
	if !ok {
		r.fail(&nothingToSay{r.cursor.Member(field).Fail("leaves nothing to say")})
	}
	return f
}
