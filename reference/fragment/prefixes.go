package fragment

import "github.com/contextfragments/conform/reference/item"

// developerPrefixes lists what counts as context in a developer message: a text that begins so,
// whether or not it is closed, goes when the turn below it is rolled back (DET-71, DET-73). Kinds
// without a row stay: among them image resize notices, hook context and plain instructions (DET-75).
var developerPrefixes = []struct{ prefix, kind string }{
	{"<permissions instructions>", "permissions"},
	{PrefixSavedNotice, "approved_command_prefix_saved"},
	{"<model_switch>", "model_switch"},
	{"<managed_developer_instructions>", "managed_developer_instructions"},
	{"<apps_instructions>", "apps"},
	{"<collaboration_mode>", "collaboration_mode"},
	{"<multi_agent_role>", "multi_agent_role"},
	{"<multi_agent_mode>", "multi_agent_mode"},
	{"<environments_instructions>", "environments_instructions"},
	{"<git_attribution>", "git_attribution"},
	{"<plugins_instructions>", "plugins"},
	{"<realtime_conversation>", "realtime_start"}, // the end has the same tag (DET-121)
	{"<skills_instructions>", "skills"},
	{"<tools>", "tools"},
	{"<personality_spec>", "personality"},
	{"<token_budget>", "token_budget"}, // old histories only (DET-74)
	{"<context_window>", "context_window"},
	{"<context_window_guidance>", "context_window_guidance"},
	{"<rollout_budget>", "rollout_budget"},
}

// ContextualDeveloper reports whether an input_text of a developer message is context, and of which
// kind: its left-trimmed text begins with one of the prefixes, in any ASCII case (DET-70).
func ContextualDeveloper(text string) (kind string, ok bool) {
	for _, row := range developerPrefixes {
		if MatchPrefix(row.prefix, text) {
			return row.kind, true
		}
	}
	return "", false
}

// ContextualDeveloperMessage reports whether any content item is contextual developer text
// (DET-77). The role is not looked at.
func ContextualDeveloperMessage(it item.Item) bool {
	return anyContent(it, contextualDeveloperContent)
}

// MixedDeveloperMessage reports whether a message holds contextual developer text and something else
// as well; images and output text are something else (DET-77).
func MixedDeveloperMessage(it item.Item) bool {
	return ContextualDeveloperMessage(it) && anyContent(it, func(content item.Content) bool {
		return !contextualDeveloperContent(content)
	})
}

func contextualDeveloperContent(content item.Content) bool {
	text, ok := content.InputText()
	if ok {
		_, ok = ContextualDeveloper(text)
	}
	return ok
}
