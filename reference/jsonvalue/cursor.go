package jsonvalue

import (
	"fmt"
	"strconv"
	"strings"
)

// PathError says what is wrong with a document and where.
type PathError struct {
	Path   string // RFC 6901 JSON pointer, "" for the document itself
	Reason string
}

func (e *PathError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// Cursor is a place in a document: a value that knows its path, so that whoever rejects it can
// say where. Present is false where an optional member was absent or null.
type Cursor struct {
	Value Value
	Path  string
	// Present is false for an absent or null member; "a missing optional field is absent or null".
	Present bool
}

// At returns a cursor on the whole document.
func At(v Value) Cursor { return Cursor{Value: v, Present: !v.IsNull()} }

// Fail returns a PathError at this place.
func (c Cursor) Fail(format string, args ...any) error {
	return &PathError{Path: c.Path, Reason: fmt.Sprintf(format, args...)}
}

func (c Cursor) want(kind Kind) error {
	if c.Value.kind == kind {
		return nil
	}
	if !c.Present && c.Value.kind == Null {
		return c.Fail("required: want %s", kind)
	}
	return c.Fail("want %s, got %s", kind, c.Value.kind)
}

// Member moves to a member of an object. It never fails: on anything but an object, and where the
// name is absent, the cursor is on a value that is not present.
func (c Cursor) Member(name string) Cursor {
	value, _ := c.Value.Get(name)
	return c.at(Member{name, value})
}

func (c Cursor) at(m Member) Cursor {
	return Cursor{Value: m.Value, Path: c.Path + "/" + escapePointer(m.Name), Present: !m.Value.IsNull()}
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(name string) string { return pointerEscapes.Replace(name) }

// Has reports whether the object has the member at all, null included.
func (c Cursor) Has(name string) bool {
	_, ok := c.Value.Get(name)
	return ok
}

// Object checks that the value is an object.
func (c Cursor) Object() (Cursor, error) { return c, c.want(Object) }

// Fields returns a cursor a member, in document order, and fails unless the value is an object.
func (c Cursor) Fields() ([]string, []Cursor, error) {
	if err := c.want(Object); err != nil {
		return nil, nil, err
	}
	names := make([]string, len(c.Value.members))
	cursors := make([]Cursor, len(c.Value.members))
	for i, m := range c.Value.members {
		names[i] = m.Name
		cursors[i] = c.at(m)
	}
	return names, cursors, nil
}

// Elements returns a cursor an element and fails unless the value is an array.
func (c Cursor) Elements() ([]Cursor, error) {
	if err := c.want(Array); err != nil {
		return nil, err
	}
	cursors := make([]Cursor, len(c.Value.elements))
	for i, element := range c.Value.elements {
		cursors[i] = Cursor{Value: element, Path: c.Path + "/" + strconv.Itoa(i), Present: !element.IsNull()}
	}
	return cursors, nil
}

// Text returns the string and fails unless the value is one.
func (c Cursor) Text() (string, error) { return c.Value.text, c.want(String) }

// OptionalText returns the string, or "" and false where it is absent or null.
func (c Cursor) OptionalText() (text string, present bool, err error) {
	if !c.Present {
		return "", false, nil
	}
	text, err = c.Text()
	return text, err == nil, err
}

// Texts returns an array of strings.
func (c Cursor) Texts() ([]string, error) {
	elements, err := c.Elements()
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(elements))
	for i, element := range elements {
		if texts[i], err = element.Text(); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// Bool returns the boolean and fails unless the value is one.
func (c Cursor) Bool() (bool, error) { return c.Value.truth, c.want(Bool) }

// OptionalBool returns the boolean, false where it is absent or null.
func (c Cursor) OptionalBool() (bool, error) {
	if !c.Present {
		return false, nil
	}
	return c.Bool()
}

// Int returns the integer and fails unless the value is a number without a fraction that fits an
// int. `2.0` and `2e0` are the integer 2: numbers go by value.
func (c Cursor) Int() (int, error) {
	if err := c.want(Number); err != nil {
		return 0, err
	}
	if n, err := strconv.Atoi(c.Value.text); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(c.Value.text, 64)
	n := int(f)
	if err != nil || f != float64(n) || !EqualNumbers(c.Value.text, strconv.Itoa(n)) {
		return 0, c.Fail("want an integer of at most 64 bits, got %s", c.Value.text)
	}
	return n, nil
}
