package worldstate

import (
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// namedText is a member to be of a snapshot, left out where its text is absent.
type namedText struct {
	name string
	text jsonvalue.Optional
}

func named(name, text string) namedText {
	return namedText{name, jsonvalue.Optional{Text: text, Present: true}}
}

// object makes a snapshot of texts.
func object(texts ...namedText) jsonvalue.Value {
	members := []jsonvalue.Member{}
	for _, t := range texts {
		if t.text.Present {
			members = append(members, jsonvalue.Field(t.name, jsonvalue.OfString(t.text.Text)))
		}
	}
	return jsonvalue.OfObject(members...)
}

// optionalOf returns the text of a member, absent where it is absent or no text.
func optionalOf(v jsonvalue.Value, name string) jsonvalue.Optional {
	text, ok := v.GetText(name)
	return jsonvalue.Optional{Text: text, Present: ok}
}

// sorted makes an object whose members are in the order of their names, by bytes (WLD-3).
func sorted(members []jsonvalue.Member) jsonvalue.Value {
	slices.SortFunc(members, func(a, b jsonvalue.Member) int { return strings.Compare(a.Name, b.Name) })
	return jsonvalue.OfObject(members...)
}

func textOf(v jsonvalue.Value, name string) string {
	text, _ := v.GetText(name)
	return text
}

// What follows answers whether a stored snapshot decodes (WLD-10).

func isText(v jsonvalue.Value) bool { return v.Kind() == jsonvalue.String }

func isBool(v jsonvalue.Value) bool { return v.Kind() == jsonvalue.Bool }

func hasText(v jsonvalue.Value, name string) bool {
	_, ok := v.GetText(name)
	return ok
}

func optionalText(v jsonvalue.Value, name string) bool {
	return optional(v, name, jsonvalue.String)
}

// optional reports whether a member is absent, null or of that type.
func optional(v jsonvalue.Value, name string, kind jsonvalue.Kind) bool {
	member, ok := v.Get(name)
	return !ok || member.IsNull() || member.Kind() == kind
}

// isOptionalTexts reports whether v is an object whose named members are texts or absent.
func isOptionalTexts(v jsonvalue.Value, names ...string) bool {
	for _, name := range names {
		if !optionalText(v, name) {
			return false
		}
	}
	return v.Kind() == jsonvalue.Object
}

// sameTexts reports whether two snapshots agree in the texts of those names. Members that a
// section does not know are not looked at: a later version may have written them.
func sameTexts(a, b jsonvalue.Value, names ...string) bool {
	for _, name := range names {
		textA, hasA := a.GetText(name)
		textB, hasB := b.GetText(name)
		if hasA != hasB || textA != textB {
			return false
		}
	}
	return true
}

// isTextMap reports whether v is an object of texts.
func isTextMap(v jsonvalue.Value) bool {
	for _, m := range v.Members() {
		if !isText(m.Value) {
			return false
		}
	}
	return v.Kind() == jsonvalue.Object
}

// isTextLists reports whether v is an array of arrays of texts.
func isTextLists(v jsonvalue.Value) bool {
	for _, list := range v.Elements() {
		for _, text := range list.Elements() {
			if !isText(text) {
				return false
			}
		}
		if list.Kind() != jsonvalue.Array {
			return false
		}
	}
	return v.Kind() == jsonvalue.Array
}

func hasBool(v jsonvalue.Value, name string) bool {
	_, ok := memberOf(v, name).Bool()
	return ok
}

// memberOf returns a member, null where there is none.
func memberOf(v jsonvalue.Value, name string) jsonvalue.Value {
	member, _ := v.Get(name)
	return member
}
