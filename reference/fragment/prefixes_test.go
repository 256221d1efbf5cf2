package fragment

import "testing"

func TestContextualDeveloper(t *testing.T) {
	const kept = ""
	for _, c := range []struct{ rule, text, want string }{
		{"DET-71", "<permissions instructions>\nx\n</permissions instructions>", "permissions"},
		{"DET-71", "Approved command prefix saved:\n- [\"ls\"]", "approved_command_prefix_saved"},
		{"DET-71", "<model_switch>", "model_switch"},
		{"DET-71", "<apps_instructions>", "apps"},
		{"DET-71", "<collaboration_mode></collaboration_mode>", "collaboration_mode"},
		{"DET-71", "<multi_agent_mode>", "multi_agent_mode"},
		{"DET-71", "<environments_instructions>", "environments_instructions"},
		{"DET-71", "<git_attribution>", "git_attribution"},
		{"DET-71", "<plugins_instructions>", "plugins"},
		{"DET-71, DET-121", "<realtime_conversation>over", "realtime_start"},
		{"DET-71", "<skills_instructions>", "skills"},
		{"DET-71", "<tools>", "tools"},
		{"DET-71", "<personality_spec>", "personality"},
		{"DET-71, DET-74", "<token_budget>\nx\n</token_budget>", "token_budget"},
		{"DET-71", "<context_window>", "context_window"},
		{"DET-71", "<context_window_guidance>", "context_window_guidance"},
		{"DET-71", "<rollout_budget>", "rollout_budget"},
		{"DET-73", "<managed_developer_instructions>", "managed_developer_instructions"},
		{"DET-73", "<multi_agent_role>", "multi_agent_role"},

		{"DET-70: a prefix is enough", "<tools>x", "tools"},
		{"DET-70: left-trimmed", "\u3000\n<tools>", "tools"},
		{"DET-70: ASCII case", "<Tools>", "tools"},
		{"DET-70: case of the one that is no tag", "APPROVED COMMAND PREFIX SAVED:", "approved_command_prefix_saved"},
		{"DET-70: no Unicode folding", "<tool\u017f>", kept},
		{"DET-70: void cut", "<toolé>", kept},
		{"DET-70: BOM", "\ufeff<tools>", kept},
		{"DET-70: not at the start", "see <tools>", kept},
		{"DET-70: a shorter text", "<tools", kept},
		{"DET-70: attributes", `<tools id="1">`, kept},
		{"DET-70: without its colon", "Approved command prefix saved", kept},
		{"DET-70: nothing", "", kept},

		{"DET-75", "<image_resize_notice>\nx\n</image_resize_notice>", kept},
		{"DET-75", "<current_time_reminder>x</current_time_reminder>", kept},
		{"DET-75", "<turn_aborted>\nx\n</turn_aborted>", kept},
		{"DET-75", "<persistent_mode>\nx\n</persistent_mode>", kept},
		{"DET-75", "Answer in French.", kept},
		{"DET-75", "<automation>x</automation>", kept},
		{"DET-75: user fragments", "<environment_context></environment_context>", kept},
		{"DET-76: a reserved key", AdditionalContext("tools", "x", Application).Render(), "tools"},
		{"DET-117: any other", AdditionalContext("ci", "x", Application).Render(), kept},
	} {
		t.Run(c.rule, func(t *testing.T) {
			kind, ok := ContextualDeveloper(c.text)
			if kind != c.want || ok != (c.want != kept) {
				t.Errorf("ContextualDeveloper(%+q) is %q, %v; want %q", c.text, kind, ok, c.want)
			}
		})
	}
	if len(developerPrefixes) != 19 {
		t.Errorf("DET-71, DET-73: there are %d prefixes, want 19", len(developerPrefixes))
	}
}
