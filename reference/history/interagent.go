package history

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json/jsontext"
)

// A field of a record, and what its value must be.
type field struct {
	name     string
	required bool
	accepts  func(jsontext.Value) bool
}

// communication lists the fields of an inter-agent communication, in the order of the positional
// form (DET-103).
var communication = []field{
	{"id", false, isTextOrNull},
	{"author", true, isAgentPath},
	{"recipient", true, isAgentPath},
	{"other_recipients", false, isAgentPaths}, // may be absent, but not null
	{"content", true, isText},
	{"encrypted_content", false, isTextOrNull},
	{"internal_chat_message_metadata_passthrough", false, isMetadataOrNull},
	{"trigger_turn", true, isBool}, // either value
}

// metadata lists the fields of the passthrough metadata. Malformed content kinds read as none
// (MRG-17), so any value will do.
var metadata = []field{
	{"turn_id", false, isTextOrNull},
	{"create_time", false, isNumberOrNull},
	{"content_item_kinds", false, func(jsontext.Value) bool { return true }},
}

// isInterAgentCommunication reports whether the whole text is the JSON of an inter-agent
// communication (DET-102, DET-103). JSON white space around it is fine, text after it is not.
func isInterAgentCommunication(text string) bool {
	d := lenientDecoder(strings.NewReader(text))
	value, err := d.ReadValue()
	if err != nil || !isRecord(value, communication) {
		return false
	}
	_, err = d.ReadToken()
	return errors.Is(err, io.EOF)
}

// isRecord reports whether the JSON is a record of these fields: an object of named members, or an
// array with the values in the order of the fields.
func isRecord(value jsontext.Value, fields []field) bool {
	switch value.Kind() {
	case '{':
		return isNamedRecord(value, fields)
	case '[':
		return isPositionalRecord(value, fields)
	default:
		return false
	}
}

// isNamedRecord checks an object: names are case-sensitive, a field may stand once, required ones
// must stand. Unknown members are skipped unread: they may be doubled and hold anything that is
// well-formed.
func isNamedRecord(object jsontext.Value, fields []field) bool {
	seen := make([]bool, len(fields))
	d := lenientDecoder(bytes.NewReader(object))
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() != '}' {
		rawName, err := d.ReadValue()
		if err != nil {
			return false
		}
		name, ok := textOf(rawName)
		if !ok {
			return false
		}
		value, err := d.ReadValue()
		if err != nil {
			return false
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		if i < 0 {
			continue
		}
		if seen[i] || !fields[i].accepts(value) {
			return false
		}
		seen[i] = true
	}
	for i, f := range fields {
		if f.required && !seen[i] {
			return false
		}
	}
	return true
}

// isPositionalRecord checks an array: no more values than fields, and only fields that are not
// required may be missing at the end.
func isPositionalRecord(array jsontext.Value, fields []field) bool {
	values, ok := elementsOf(array)
	if !ok || len(values) > len(fields) {
		return false
	}
	for i, f := range fields {
		if i < len(values) && !f.accepts(values[i]) {
			return false
		}
		if i >= len(values) && f.required {
			return false
		}
	}
	return true
}

func isBool(value jsontext.Value) bool { return value.Kind() == 't' || value.Kind() == 'f' }

func isText(value jsontext.Value) bool {
	_, ok := textOf(value)
	return ok
}

func isTextOrNull(value jsontext.Value) bool { return isNull(value) || isText(value) }

func isNumberOrNull(value jsontext.Value) bool { return isNull(value) || value.Kind() == '0' }

func isMetadataOrNull(value jsontext.Value) bool { return isNull(value) || isRecord(value, metadata) }

func isNull(value jsontext.Value) bool { return value.Kind() == 'n' }

func isAgentPaths(value jsontext.Value) bool {
	paths, ok := elementsOf(value)
	return ok && !slices.ContainsFunc(paths, func(path jsontext.Value) bool { return !isAgentPath(path) })
}

func isAgentPath(value jsontext.Value) bool {
	path, ok := textOf(value)
	return ok && validAgentPath(path)
}

// validAgentPath reports whether the path names an agent: `/morpheus`, `/root`, or `/root/` and
// names joined by `/`. A name is made of `a-z`, `0-9` and `_`, and is not `root` (DET-104).
func validAgentPath(path string) bool {
	if path == "/morpheus" || path == "/root" {
		return true
	}
	names, ok := strings.CutPrefix(path, "/root/")
	if !ok {
		return false
	}
	for name := range strings.SplitSeq(names, "/") {
		if name == "" || name == "root" || strings.ContainsFunc(name, notInAgentName) {
			return false
		}
	}
	return true
}

func notInAgentName(r rune) bool {
	return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_')
}

// lenientDecoder reads JSON as the real program does where it skips a value: names may be doubled
// and escapes may be unpaired surrogates. A text that is used is checked by textOf.
func lenientDecoder(document io.Reader) *jsontext.Decoder {
	return jsontext.NewDecoder(document, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// textOf decodes a JSON string, false for anything else and for an unpaired surrogate.
func textOf(value jsontext.Value) (string, bool) {
	decoded, err := jsonvalue.Parse(value)
	if err != nil {
		return "", false
	}
	return decoded.Text()
}

// elementsOf splits a JSON array, false for anything else.
func elementsOf(array jsontext.Value) ([]jsontext.Value, bool) {
	if array.Kind() != '[' {
		return nil, false
	}
	d := lenientDecoder(bytes.NewReader(array))
	if _, err := d.ReadToken(); err != nil {
		return nil, false
	}
	elements := []jsontext.Value{}
	for d.PeekKind() != ']' {
		element, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		elements = append(elements, element.Clone())
	}
	return elements, true
}
