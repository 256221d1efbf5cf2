// Package jsonvalue holds JSON documents as plain immutable values that lose nothing: member
// order, unknown members and the exact spelling of numbers survive a parse and an encode.
//
// It exists because the contract speaks of JSON values, not of Go types: an item with members
// nobody has heard of must come out as it went in, and numbers compare by value however they
// are spelled. Parsing is strict (RFC 8259, valid UTF-8, no duplicate names, nothing after the
// document), because a lenient reader hides the faults of its peer.
package jsonvalue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind says which of the six JSON types a Value has.
type Kind uint8

// The JSON types. The zero Value is null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the type as JSON Schema spells it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one JSON value. It is immutable: methods that change something return a new Value and
// share what did not change. The zero Value is null.
type Value struct {
	kind     Kind
	truth    bool
	text     string // String: the decoded text; Number: the literal as written
	elements []Value
	members  []Member
}

// Member is one name and its value in an object.
type Member struct {
	Name  string
	Value Value
}

// OfBool returns a JSON boolean.
func OfBool(b bool) Value { return Value{kind: Bool, truth: b} }

// OfString returns a JSON string.
func OfString(s string) Value { return Value{kind: String, text: s} }

// OfInt returns a JSON number.
func OfInt(n int) Value { return Value{kind: Number, text: strconv.Itoa(n)} }

// OfStrings returns an array of strings.
func OfStrings(texts []string) Value {
	elements := make([]Value, len(texts))
	for i, text := range texts {
		elements[i] = OfString(text)
	}
	return Value{kind: Array, elements: elements}
}

// OfArray returns a JSON array that holds the elements. The slice is not copied.
func OfArray(elements ...Value) Value { return Value{kind: Array, elements: elements} }

// OfObject returns a JSON object. The slice is not copied; names must be distinct.
func OfObject(members ...Member) Value { return Value{kind: Object, members: members} }

// Field is short for Member{name, value}.
func Field(name string, value Value) Member { return Member{Name: name, Value: value} }

// Kind returns the JSON type of v.
func (v Value) Kind() Kind { return v.kind }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.kind == Null }

// Bool returns the boolean and whether v is one.
func (v Value) Bool() (value, ok bool) { return v.truth, v.kind == Bool }

// Text returns the decoded string and whether v is a string.
func (v Value) Text() (text string, ok bool) {
	if v.kind != String {
		return "", false
	}
	return v.text, true
}

// NumberLiteral returns the number as it was written and whether v is a number.
func (v Value) NumberLiteral() (literal string, ok bool) {
	if v.kind != Number {
		return "", false
	}
	return v.text, true
}

// Elements returns the elements of an array, nil for anything else. It must not be modified.
func (v Value) Elements() []Value { return v.elements }

// Members returns the members of an object in order, nil for anything else. It must not be modified.
func (v Value) Members() []Member { return v.members }

// Get returns the member of that name and whether v is an object that has it.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// GetText returns the text of the string member of that name; false if it is absent or no string.
func (v Value) GetText(name string) (string, bool) {
	member, _ := v.Get(name)
	return member.Text()
}

// With returns the object with the member set: in place where the name exists, else at the end.
func (v Value) With(name string, value Value) Value {
	members := make([]Member, len(v.members), len(v.members)+1)
	copy(members, v.members)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return OfObject(members...)
		}
	}
	return OfObject(append(members, Member{Name: name, Value: value})...)
}

// Without returns the object without the member.
func (v Value) Without(name string) Value {
	members := make([]Member, 0, len(v.members))
	for _, m := range v.members {
		if m.Name != name {
			members = append(members, m)
		}
	}
	return OfObject(members...)
}

// ErrTrailingData reports that something stands after the document.
var ErrTrailingData = errors.New("data after the JSON value")

// Parse reads exactly one JSON document. Invalid UTF-8, unpaired surrogates, duplicate names and
// data after the document are errors that name the byte offset and the JSON pointer.
func Parse(data []byte) (Value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	v, err := Read(d)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return Value{}, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = fmt.Errorf("%w at byte %d", ErrTrailingData, d.InputOffset())
		}
		return Value{}, err
	}
	return v, nil
}

// MustParse is Parse for documents known to be right; it panics on an error.
func MustParse(document string) Value {
	v, err := Parse([]byte(document))
	if err != nil {
		panic(fmt.Sprintf("jsonvalue.MustParse(%q): %v", document, err))
	}
	return v
}

// Read reads the next value from a token stream.
func Read(d *jsontext.Decoder) (Value, error) {
	token, err := d.ReadToken()
	if err != nil {
		return Value{}, err
	}
	switch token.Kind() {
	case 'n':
		return Value{}, nil
	case 't', 'f':
		return OfBool(token.Bool()), nil
	case '"':
		return OfString(token.String()), nil
	case '0':
		return Value{kind: Number, text: token.String()}, nil
	case '[':
		elements := []Value{}
		for d.PeekKind() != ']' {
			element, err := Read(d)
			if err != nil {
				return Value{}, err
			}
			elements = append(elements, element)
		}
		_, err := d.ReadToken()
		return OfArray(elements...), err
	default: // '{': the decoder reports everything else as an error
		members := []Member{}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return Value{}, err
			}
			text := name.String() // the token is void after the next read
			member, err := Read(d)
			if err != nil {
				return Value{}, err
			}
			members = append(members, Member{Name: text, Value: member})
		}
		_, err := d.ReadToken()
		return OfObject(members...), err
	}
}

// Append appends the compact encoding of v to dst. Strings are escaped only where JSON demands it
// (`"`, `\`, control characters); `<`, `>`, `&` and U+2028 stay as they are, as serde writes them.
func (v Value) Append(dst []byte) []byte {
	switch v.kind {
	case Bool:
		return strconv.AppendBool(dst, v.truth)
	case Number:
		return append(dst, v.text...)
	case String:
		return appendString(dst, v.text)
	case Array:
		dst = append(dst, '[')
		for i, element := range v.elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = element.Append(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, m.Name), ':')
			dst = m.Value.Append(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

func appendString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(text) { // bytes: multi-byte characters pass through unchanged
		switch c := text[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// String returns the compact encoding of v.
func (v Value) String() string { return string(v.Append(nil)) }

// Indented returns the encoding of v over several lines, two blanks a level, for a person to read.
func (v Value) Indented() string {
	var b strings.Builder
	v.indent(&b, "\n")
	return b.String()
}

func (v Value) indent(b *strings.Builder, newline string) {
	switch {
	case v.kind == Array && len(v.elements) > 0:
		b.WriteString("[")
		for i, element := range v.elements {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(newline + "  ")
			element.indent(b, newline+"  ")
		}
		b.WriteString(newline + "]")
	case v.kind == Object && len(v.members) > 0:
		b.WriteString("{")
		for i, m := range v.members {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(newline + "  ")
			b.Write(append(appendString(nil, m.Name), ": "...))
			m.Value.indent(b, newline+"  ")
		}
		b.WriteString(newline + "}")
	default:
		b.WriteString(v.String())
	}
}

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) { return v.Append(nil), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (v *Value) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(data)
	if err == nil {
		*v = parsed
	}
	return err
}
