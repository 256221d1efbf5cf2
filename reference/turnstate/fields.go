package turnstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// fields reads the members of one object. It keeps the first error of all that came from one, so
// that a row can read its fields in one expression and the error is looked at once.
type fields struct {
	cursor jsonvalue.Cursor
	err    *error
}

func (f fields) fail(err error) {
	if *f.err == nil {
		*f.err = err
	}
}

func (f fields) failAt(name, format string, args ...any) {
	f.fail(f.cursor.Member(name).Fail(format, args...))
}

// nothingToSay is the error at the field that leaves a fragment without content.
type nothingToSay struct{ err error }

func (n *nothingToSay) Error() string { return n.err.Error() }
func (n *nothingToSay) Unwrap() error { return n.err }

func (f fields) nothingToSay(name string) {
	f.fail(&nothingToSay{f.cursor.Member(name).Fail("leaves nothing to say")})
}

// has reports whether a member is there and not null.
func (f fields) has(name string) bool { return f.cursor.Member(name).Present }

func (f fields) text(name string) string {
	text, err := f.cursor.Member(name).Text()
	f.fail(err)
	return text
}

func (f fields) optional(name string) fragment.Optional {
	text, present, err := f.cursor.Member(name).OptionalText()
	f.fail(err)
	return fragment.Optional{Text: text, Present: present}
}

// optionalTexts returns nil for an absent list.
func (f fields) optionalTexts(name string) []string {
	if !f.has(name) {
		return nil
	}
	texts, err := f.cursor.Member(name).Texts()
	f.fail(err)
	return texts
}

func (f fields) truth(name string) bool {
	truth, err := f.cursor.Member(name).Bool()
	f.fail(err)
	return truth
}

// optionalTruth returns false for an absent boolean.
func (f fields) optionalTruth(name string) bool {
	truth, err := f.cursor.Member(name).OptionalBool()
	f.fail(err)
	return truth
}

// required returns a member of any type but null.
func (f fields) required(name string) jsonvalue.Value {
	if !f.has(name) {
		f.failAt(name, "required")
	}
	return f.cursor.Member(name).Value
}

// object returns the fields of a member that must be an object.
func (f fields) object(name string) fields {
	member := f.cursor.Member(name)
	_, err := member.Object()
	f.fail(err)
	return fields{member, f.err}
}

// objects returns the fields of the objects of an array.
func (f fields) objects(name string) []fields {
	elements, err := f.cursor.Member(name).Elements()
	f.fail(err)
	list := make([]fields, len(elements))
	for i, element := range elements {
		_, err := element.Object()
		f.fail(err)
		list[i] = fields{element, f.err}
	}
	return list
}
