// Package hookprompt reads and writes hook prompts: the XML elements in which a hook's request to
// go on travels through the history as user-role text (DET-50…66).
//
// Reading is lenient and strict at once, because the rule is what a serializing XML library makes
// of a two-field structure. The element's name is never compared, an attribute is known by its
// local name, text after the element is not looked at; but a lone `&`, a duplicate attribute or a
// second run of text is the end of it, and the text is then the user's own words.
//
//   - scanner.go cuts the text into tokens and checks what XML syntax must hold.
//   - markup.go takes tags and attributes apart; doctype.go finds the end of a doctype.
//   - decode.go resolves references and normalizes line ends.
//   - parse.go finds the two fields in the tokens; build.go writes an element.
package hookprompt

// Prompt is one hook prompt: what a hook asked for, and which run of it asked.
type Prompt struct {
	Text      string // as decoded, not trimmed
	HookRunID string // as decoded, not trimmed, never blank
}
