package fragment

import (
	"strings"

	"github.com/contextfragments/conform/reference/hookprompt"
	"github.com/contextfragments/conform/reference/item"
)

// A matcher recognises the texts of one kind.
type matcher struct {
	kind    string
	matches func(text string) bool
}

// userRegistry lists what counts as context in a user message, in order (DET-15). Kinds that are
// sent with role user and missing here, such as realtime_delegation, count as typed (DET-18).
var userRegistry = []matcher{
	byMarkers("agents_md"),
	byMarkers("environment_context"),
	{"additional_context", matchAdditionalContext},
	byMarkers("skill"),
	byMarkers("user_shell_command"),
	byMarkers("turn_aborted"),
	byMarkers("subagent_notification"),
	{"internal_model_context", matchInternalModelContext},
	byMarkers("recommended_plugins"),
	{"legacy_unified_exec_process_limit_warning", matchProcessLimitWarning},
	{"legacy_apply_patch_exec_command_warning", matchApplyPatchWarning},
	{"legacy_model_mismatch_warning", matchModelMismatchWarning},
}

func byMarkers(kind string) matcher {
	return matcher{kind, func(text string) bool {
		start, end := Markers(kind)
		return MatchMarkers(start, end, text)
	}}
}

// ContextualUser reports whether an input_text of a user message is context, and of which kind: a
// hook prompt, else the first of the registry that accepts it (DET-14, DET-15).
func ContextualUser(text string) (kind string, ok bool) {
	if _, ok := hookprompt.Parse(text); ok {
		return "hook_prompt", true
	}
	return ContextualUserRegistry(text)
}

// ContextualUserRegistry is ContextualUser without hook prompts, which a display shows (DET-84).
func ContextualUserRegistry(text string) (kind string, ok bool) {
	for _, m := range userRegistry {
		if m.matches(text) {
			return m.kind, true
		}
	}
	return "", false
}

// ContextualUserMessage reports whether any content item is contextual user text; one hides the
// whole message (DET-81). The role is not looked at (DET-14).
func ContextualUserMessage(it item.Item) bool {
	return anyContent(it, func(content item.Content) bool {
		text, ok := content.InputText()
		if ok {
			_, ok = ContextualUser(text)
		}
		return ok
	})
}

func anyContent(it item.Item, holds func(item.Content) bool) bool {
	for _, content := range it.Contents() {
		if holds(content) {
			return true
		}
	}
	return false
}

// matchAdditionalContext wants the key of the open tag, which reaches to the first `>`, in the
// close tag again, byte for byte (DET-113, DET-21).
func matchAdditionalContext(text string) bool {
	rest, ok := strings.CutPrefix(trim(text), "<external_")
	if !ok {
		return false
	}
	key, rest, ok := strings.Cut(rest, ">")
	return ok && strings.HasSuffix(rest, "</external_"+key+">")
}

// matchInternalModelContext wants exactly one attribute, a valid source in double quotes; or the
// wrapper from before there were sources (DET-31, DET-33).
func matchInternalModelContext(text string) bool {
	text = trim(text)
	if matchGoal(text) {
		return true
	}
	start, end := Markers("internal_model_context")
	rest, ok := strings.CutPrefix(text, start+` source="`)
	if !ok {
		return false
	}
	source, rest, ok := strings.Cut(rest, `">`)
	return ok && ValidSource(source) && strings.HasSuffix(rest, end)
}

// ValidSource reports whether a text may be the source of internal model context:
// `[a-z][a-z0-9_]*` (DET-32).
func ValidSource(source string) bool {
	for i := range len(source) {
		c := source[i]
		letter := 'a' <= c && c <= 'z'
		if !letter && (i == 0 || (c != '_' && (c < '0' || c > '9'))) {
			return false
		}
	}
	return source != ""
}
