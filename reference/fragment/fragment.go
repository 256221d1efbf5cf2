// Package fragment holds the texts that an agent puts into a conversation besides what a person
// typed: how each is written, and how it is recognised later from its text alone.
//
//   - kinds.go is the table of all kinds: role, markers, content kind, own message or not.
//   - user.go, developer.go, environment.go and tools.go lay out the bodies; decode.go builds a
//     fragment from the fields of the adapter protocol.
//   - match.go compares markers; registry.go and prefixes.go list what counts as context in a user
//     and in a developer message; legacy.go knows the texts that are only recognised.
package fragment

import "github.com/contextfragments/conform/reference/jsonvalue"

// Fragment is one fragment, ready to render.
type Fragment struct {
	Type        string // id of the kind, "generic" for one that a caller describes
	Role        string
	Start, End  string // markers, both empty for an unmarked fragment (DET-10)
	Body        string // with all white space: rendering adds none
	ContentKind string // `feature.name` (DET-130)
	Separate    bool   // demands a message of its own (MRG-9, MRG-13)
}

// Render returns the text of the fragment: start, body and end with nothing in between (DET-11,
// MRG-15).
func (f Fragment) Render() string { return f.Start + f.Body + f.End }

// Optional is a text that may be absent; an empty text is there.
type Optional = jsonvalue.Optional

// NonEmpty returns a text that is absent where it is empty.
func NonEmpty(text string) Optional { return Optional{Text: text, Present: text != ""} }

// between returns the text with something before and after it, or nothing where it is absent.
func between(o Optional, before, after string) string {
	if !o.Present {
		return ""
	}
	return before + o.Text + after
}
