package fragment

import (
	"slices"
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestUserRegistryOrder(t *testing.T) {
	want := []string{
		"agents_md", "environment_context", "additional_context", "skill", "user_shell_command", "turn_aborted",
		"subagent_notification", "internal_model_context", "recommended_plugins",
		"legacy_unified_exec_process_limit_warning", "legacy_apply_patch_exec_command_warning", "legacy_model_mismatch_warning",
	}
	got := []string{}
	for _, m := range userRegistry {
		got = append(got, m.kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("DET-15: the registry is %q, want %q", got, want)
	}
}

func TestContextualUser(t *testing.T) {
	const typed = ""
	for _, c := range []struct{ rule, text, want string }{
		{"DET-14: a hook prompt", `<hook_prompt hook_run_id="1">x</hook_prompt>`, "hook_prompt"},
		{"DET-15: hook prompts come first", `<skill hook_run_id="1">x</skill>`, "hook_prompt"},
		{"DET-56: a hook prompt without text", `<hook_prompt hook_run_id="1"></hook_prompt>`, typed},

		{"DET-22: with a directory", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "agents_md"},
		{"DET-22: without", "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "agents_md"},
		{"DET-22: anything may follow the header", "# AGENTS.md instructionsé</INSTRUCTIONS>", "agents_md"},
		{"DET-21: any ASCII case", "# agents.MD Instructions </instructions>", "agents_md"},
		{"DET-22: unclosed", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx", typed},
		{"DET-22: another header", "# AGENTS.md notes\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", typed},
		{"DET-22: a smaller heading", "## AGENTS.md instructions</INSTRUCTIONS>", typed},

		{"DET-24", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>", "environment_context"},
		{"DET-38: old shapes", "<environment_context>cwd=/w</environment_context>", "environment_context"},
		{"DET-24: the tag has no attributes", `<environment_context id="1"></environment_context>`, typed},
		{"DET-24: a question about it", "what is <environment_context>?", typed},
		{"DET-26", "<skill>\n<name>n</name>\n</skill>", "skill"},
		{"DET-26: a longer tag", "<skills>x</skills>", typed},
		{"DET-27", "<user_shell_command>ls</USER_SHELL_COMMAND>", "user_shell_command"},
		{"DET-28", "<turn_aborted></turn_aborted>", "turn_aborted"},
		{"DET-29: with agent_id", `<subagent_notification>{"agent_id":"1"}</subagent_notification>`, "subagent_notification"},
		{"DET-35", "<recommended_plugins>\n</recommended_plugins>", "recommended_plugins"},

		{"DET-113", "<external_ci>red</external_ci>", "additional_context"},
		{"DET-113: trimmed", "\u00a0<external_ci>red</external_ci>\n", "additional_context"},
		{"DET-113: empty key and value", "<external_></external_>", "additional_context"},
		{"DET-113: odd keys", "<external_a b\n<é>v</external_a b\n<é>", "additional_context"},
		{"DET-113: several close tags", "<external_a>x</external_a>y</external_a>", "additional_context"},
		{"DET-113: a key with > renders to typed text", "<external_a>b>c</external_a>b>", typed},
		{"DET-113: another key", "<external_a>v</external_b>", typed},
		{"DET-113: case of the key", "<external_ci>v</external_CI>", typed},
		{"DET-113: case of the tag", "<External_ci>v</External_ci>", typed},
		{"DET-113: unclosed", "<external_api>", typed},
		{"DET-113: the close tag needs its own room", "<external_a></external_>", typed},
		{"DET-113: no underscore", "<external>v</external>", typed},
		{"DET-113: something after", "<external_a>v</external_a>.", typed},

		{"DET-31", "<codex_internal_context source=\"goal\">\nx\n</codex_internal_context>", "internal_model_context"},
		{"DET-31: trimmed, no body", " <codex_internal_context source=\"g1_\"></codex_internal_context>\n", "internal_model_context"},
		{"DET-31: the first quote and > end the source", `<codex_internal_context source="a">"></codex_internal_context>`, "internal_model_context"},
		{"DET-31: > alone does not", `<codex_internal_context source="a>b">x</codex_internal_context>`, typed},
		{"DET-31: upper-case tag", `<CODEX_INTERNAL_CONTEXT source="goal">x</CODEX_INTERNAL_CONTEXT>`, typed},
		{"DET-31: upper-case close tag", `<codex_internal_context source="goal">x</CODEX_internal_context>`, typed},
		{"DET-31: single quotes", `<codex_internal_context source='goal'>x</codex_internal_context>`, typed},
		{"DET-31: another attribute", `<codex_internal_context source="goal" id="1">x</codex_internal_context>`, typed},
		{"DET-31: two blanks", `<codex_internal_context  source="goal">x</codex_internal_context>`, typed},
		{"DET-31: a blank before >", `<codex_internal_context source="goal" >x</codex_internal_context>`, typed},
		{"DET-31: no source", `<codex_internal_context>x</codex_internal_context>`, typed},
		{"DET-31: unclosed", `<codex_internal_context source="goal">x`, typed},
		{"DET-31: the end before the source does not count", `<codex_internal_context source="</codex_internal_context>`, typed},
		{"DET-32: all that is allowed", `<codex_internal_context source="zaz_0189">x</codex_internal_context>`, "internal_model_context"},
		{"DET-32: empty", `<codex_internal_context source="">x</codex_internal_context>`, typed},
		{"DET-32: upper case", `<codex_internal_context source="Goal">x</codex_internal_context>`, typed},
		{"DET-32: a digit first", `<codex_internal_context source="1a">x</codex_internal_context>`, typed},
		{"DET-32: an underscore first", `<codex_internal_context source="_a">x</codex_internal_context>`, typed},
		{"DET-32: a hyphen", `<codex_internal_context source="a-b">x</codex_internal_context>`, typed},
		{"DET-32: not ASCII", `<codex_internal_context source="añ">x</codex_internal_context>`, typed},

		{"DET-33", "\n<goal_context>\nx\n</goal_context> ", "internal_model_context"},
		{"DET-33: case", "<goal_context>x</GOAL_context>", typed},
		{"DET-33: unclosed", "<goal_context>x", typed},
		{"DET-33: unopened", "x</goal_context>", typed},

		{"DET-36: process limit", " Warning: The maximum number of unified exec processes you can keep open is 60.", "legacy_unified_exec_process_limit_warning"},
		{"DET-36: process limit, no more", "Warning: The maximum number of unified exec processes you can keep open is", "legacy_unified_exec_process_limit_warning"},
		{"DET-36: process limit, case", "warning: The maximum number of unified exec processes you can keep open is 60.", typed},
		{"DET-36: process limit, cut", "Warning: The maximum number of unified exec processes you can keep open i", typed},
		{"DET-36: apply_patch", "Warning: apply_patch was requested via shell. Use the apply_patch tool instead of exec_command.\n", "legacy_apply_patch_exec_command_warning"},
		{"DET-36: apply_patch, touching", "Warning: apply_patch was requested via Use the apply_patch tool instead of exec_command.", "legacy_apply_patch_exec_command_warning"},
		{"DET-36: apply_patch, the blank belongs to it", "Warning: apply_patch was requested via\tUse the apply_patch tool instead of exec_command.", typed},
		{"DET-36: apply_patch, no end", "Warning: apply_patch was requested via shell.", typed},
		{"DET-36: apply_patch, no start", "Use the apply_patch tool instead of exec_command.", typed},
		{"DET-36: model mismatch", "Warning: Your account was flagged for potentially high-risk cyber activity and so on", "legacy_model_mismatch_warning"},
		{"DET-36: model mismatch, not at the start", "I got: Warning: Your account was flagged for potentially high-risk cyber activity", typed},

		{"DET-18: realtime delegation", "<realtime_delegation>\n  <input>x</input>\n</realtime_delegation>", typed},
		{"DET-19: user instructions", "<user_instructions>\nx\n</user_instructions>", typed},
		{"DET-20: tags nobody knows", "<project_context>x</project_context>", typed},
		{"DET-14: developer tags", "<tools>x</tools>", typed},
		{"DET-14: nothing", "", typed},
	} {
		t.Run(c.rule, func(t *testing.T) {
			kind, ok := ContextualUser(c.text)
			if kind != c.want || ok != (c.want != typed) {
				t.Errorf("ContextualUser(%+q) is %q, %v; want %q", c.text, kind, ok, c.want)
			}
		})
	}
}

func TestContextualUserRegistryLeavesOutHookPrompts(t *testing.T) {
	if kind, ok := ContextualUserRegistry(`<hook_prompt hook_run_id="1">x</hook_prompt>`); ok {
		t.Errorf("DET-84: the registry accepts a hook prompt as %q", kind)
	}
	if kind, _ := ContextualUserRegistry(`<skill>x</skill>`); kind != "skill" {
		t.Errorf("DET-84: the registry gives %q for a skill", kind)
	}
}

const (
	envText  = `{"type":"input_text","text":"<environment_context></environment_context>"}`
	hookText = `{"type":"input_text","text":"<p hook_run_id='1'>x</p>"}`
	permText = `{"type":"input_text","text":" <PERMISSIONS instructions>"}`
	typed    = `{"type":"input_text","text":"fix it"}`
	image    = `{"type":"input_image","image_url":"<environment_context></environment_context>"}`
	output   = `{"type":"output_text","text":"<environment_context></environment_context>"}`
	permOut  = `{"type":"output_text","text":"<permissions instructions>"}`
)

func message(contents string) item.Item {
	return item.FromValue(jsonvalue.MustParse(`{"type":"message","role":"other","content":[` + contents + `]}`))
}

func TestContextualUserMessage(t *testing.T) {
	for contents, want := range map[string]bool{
		"": false, typed: false, envText: true, hookText: true, permText: false, image: false, output: false,
		typed + "," + envText: true, envText + "," + image: true, output + "," + image: false,
	} {
		if got := ContextualUserMessage(message(contents)); got != want {
			t.Errorf("DET-81: %s is %v, want %v", contents, got, want)
		}
	}
	call := item.FromValue(jsonvalue.MustParse(`{"type":"function_call","content":[` + envText + `]}`))
	if ContextualUserMessage(call) {
		t.Error("DET-81: an item that is no message counts")
	}
}

func TestDeveloperMessages(t *testing.T) {
	for _, c := range []struct {
		contents          string
		contextual, mixed bool
	}{
		{"", false, false},
		{typed, false, false},
		{permText, true, false},
		{permOut, false, false},
		{permText + "," + permText, true, false},
		{permText + "," + typed, true, true},
		{typed + "," + permText, true, true},
		{permText + "," + image, true, true},
		{permText + "," + permOut, true, true},
		{typed + "," + image, false, false},
	} {
		it := message(c.contents)
		if got := ContextualDeveloperMessage(it); got != c.contextual {
			t.Errorf("DET-77: contextual is %v for %s", got, c.contents)
		}
		if got := MixedDeveloperMessage(it); got != c.mixed {
			t.Errorf("DET-77: mixed is %v for %s", got, c.contents)
		}
	}
}
