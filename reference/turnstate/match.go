package turnstate

import (
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// ContextualUser reports whether an input_text of a user message is context, and of which type: one
// of the registry's user entries, or the shim (REG-10, REG-11).
func ContextualUser(text string) (kind string, ok bool) {
	for _, e := range Registry {
		if e.Group.Role() == item.RoleUser && e.matches(text) {
			return e.Type(), true
		}
	}
	if legacyNotification(text) {
		return "subagent_notification", true
	}
	return "", false
}

// matches compares the markers (REG-6), unless the entry has a matcher of its own.
func (e Entry) matches(text string) bool {
	if e.Match != nil {
		return e.Match(text)
	}
	return fragment.MatchEnds(e.Start, e.End, text)
}

// matchAgentsMD is exact: people write about AGENTS.md, and the markers are no tags (REG-19).
func matchAgentsMD(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, agentsMDStart) && strings.HasSuffix(text, agentsMDEnd)
}

// legacyNotification knows the notifications that were once sent as the user. They are developer
// fragments now, so that no entry accepts them here, and none is made up for their sake (REG-11).
func legacyNotification(text string) bool {
	e := registered("subagent_notification")
	return fragment.MatchEnds(e.Start, e.End, text)
}

// ContextualDeveloper reports whether an input_text of a developer message is context, and of which
// type: it begins with the start marker of one of five entries, closed or not (HIS-9, HIS-10).
func ContextualDeveloper(text string) (kind string, ok bool) {
	for _, e := range Registry {
		if e.Trimmed && fragment.MatchPrefix(e.Start, text) {
			return e.Type(), true
		}
	}
	return "", false
}

// ContextualDeveloperMessage reports whether any content item is contextual developer text.
func ContextualDeveloperMessage(it item.Item) bool {
	return slices.ContainsFunc(it.Contents(), contextualDeveloperContent)
}

// MixedDeveloperMessage reports whether a message holds contextual developer text and something else
// as well.
func MixedDeveloperMessage(it item.Item) bool {
	return ContextualDeveloperMessage(it) && slices.ContainsFunc(it.Contents(), func(c item.Content) bool {
		return !contextualDeveloperContent(c)
	})
}

func contextualDeveloperContent(c item.Content) bool {
	text, ok := c.InputText()
	if ok {
		_, ok = ContextualDeveloper(text)
	}
	return ok
}

// Typed returns what a person typed of a user message: all of it but the ephemeral context in front.
// Ok is false where nothing but that is in it, and where any of the rest is context (REG-34, HIS-7).
func Typed(message item.Item) (typed item.Item, ok bool) {
	contents := message.Contents()
	leading := 0
	for leading < len(contents) && isEphemeral(contents[leading]) {
		leading++
	}
	if leading > 0 {
		if leading == len(contents) {
			return item.Item{}, false
		}
		at := -1
		message = message.KeepContents(func(item.Content) bool { at++; return at >= leading })
	}
	return message, !slices.ContainsFunc(contents[leading:], contextualUserContent)
}

func isEphemeral(c item.Content) bool {
	text, ok := c.InputText()
	return ok && registered("ephemeral_context").matches(text)
}

func contextualUserContent(c item.Content) bool {
	text, ok := c.InputText()
	if ok {
		_, ok = ContextualUser(text)
	}
	return ok
}

// ContextualUserMessage reports whether nothing of a user message is a person's (REG-34).
func ContextualUserMessage(message item.Item) bool {
	_, ok := Typed(message)
	return !ok
}
