// Package history holds the rules over a list of items: where a user turn starts, what a rollback
// removes, and how the list is put in order before it goes to the model.
package history

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// Rules are what the profiles differ in: which messages are context.
type Rules struct {
	// ContextualUser reports whether a user message is context and no person's.
	ContextualUser func(message item.Item) bool
	// ContextualDeveloper reports whether a developer message has context in it, MixedDeveloper
	// whether it also has something else.
	ContextualDeveloper, MixedDeveloper func(message item.Item) bool
	// StripsModelSwitch: no switch of the model is left above the first turn (HIS-18).
	StripsModelSwitch bool
}

// ContextFragments are the rules of the profile context-fragments/2026-08.
var ContextFragments = Rules{
	ContextualUser:      fragment.ContextualUserMessage,
	ContextualDeveloper: fragment.ContextualDeveloperMessage,
	MixedDeveloper:      fragment.MixedDeveloperMessage,
	StripsModelSwitch:   true,
}

// Boundaries is Rules.Boundaries of ContextFragments.
func Boundaries(items []item.Item) []int { return ContextFragments.Boundaries(items) }

// Boundaries returns the indices of the items at which a turn starts, in order.
func (r Rules) Boundaries(items []item.Item) []int {
	boundaries := []int{}
	for i, it := range items {
		if r.isBoundary(it) {
			boundaries = append(boundaries, i)
		}
	}
	return boundaries
}

// isBoundary reports whether a turn starts at the item (HIS-6): at a typed agent message, always
// (DET-100); at a user message that is not context, so also at an empty one or one of images
// (DET-101, HIS-7); at an assistant message that is one inter-agent communication (DET-102).
func (r Rules) isBoundary(it item.Item) bool {
	switch {
	case it.Type() == item.TypeAgentMessage:
		return true
	case it.IsMessage(item.RoleUser):
		return !r.ContextualUser(it)
	case it.IsMessage(item.RoleAssistant):
		text, ok := onlyText(it)
		return ok && isInterAgentCommunication(text)
	default:
		return false
	}
}

// onlyText returns the text of a message with exactly one content item, if that is a text of
// either direction.
func onlyText(it item.Item) (string, bool) {
	contents := it.Contents()
	if len(contents) != 1 {
		return "", false
	}
	content := contents[0]
	if content.Type() != item.InputText && content.Type() != item.OutputText {
		return "", false
	}
	return content.Value().GetText("text")
}
