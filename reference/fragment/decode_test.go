package fragment

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func decodeText(document string) (Fragment, bool, error) {
	return Decode(jsonvalue.At(jsonvalue.MustParse(document)))
}

func TestDecodeAndRender(t *testing.T) {
	const together, alone = false, true
	for _, c := range []struct {
		rule, fields     string
		role, text, kind string
		separate         bool
	}{
		{"DET-22", `{"type":"agents_md","directory":"/a<b","text":"x & y"}`,
			"user", "# AGENTS.md instructions for /a<b\n\n<INSTRUCTIONS>\nx & y\n</INSTRUCTIONS>", "agents_md.instructions", together},
		{"DET-22: no directory", `{"type":"agents_md","directory":null,"text":""}`,
			"user", "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n\n</INSTRUCTIONS>", "agents_md.instructions", together},
		{"DET-22: an empty directory is there", `{"type":"agents_md","directory":"","text":"x"}`,
			"user", "# AGENTS.md instructions for \n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "agents_md.instructions", together},
		{"DET-111", `{"type":"additional_context","key":"a<b","value":"x & <y>","kind":"untrusted"}`,
			"user", "<external_a<b>x & <y></external_a<b>", "additional_content.a<b", together},
		{"DET-111: application", `{"type":"additional_context","key":"ci","value":"","kind":"application"}`,
			"developer", "<ci></ci>", "additional_content.ci", together},
		{"DET-111: empty key", `{"type":"additional_context","key":"","value":"x","kind":"untrusted"}`,
			"user", "<external_>x</external_>", "additional_content.", together},
		{"DET-26", `{"type":"skill","name":"n&m","path":"/p","contents":"c\n"}`,
			"user", "<skill>\n<name>n&m</name>\n<path>/p</path>\nc\n\n</skill>", "skills.selected_skill_instructions", together},
		{"DET-26: resource access", `{"type":"skill","name":"n","path":"/p","contents":"c","resource_access": { "b" : [1, "<\u2028"], "a":null }}`,
			"user", "<skill>\n<name>n</name>\n<path>/p</path>\n<resource_access>{\"b\":[1,\"<\u2028\"],\"a\":null}</resource_access>\nc\n</skill>", "skills.selected_skill_instructions", together},
		{"DET-27", `{"type":"user_shell_command","command":"ls <x>","exit_code":-1,"duration_seconds":1.25,"output":"a\n"}`,
			"user", "<user_shell_command>\n<command>\nls <x>\n</command>\n<result>\nExit code: -1\nDuration: 1.2500 seconds\nOutput:\na\n\n</result>\n</user_shell_command>", "shell.user_command", together},
		{"DET-27: rounding", `{"type":"user_shell_command","command":"","exit_code":0,"duration_seconds":0.00005,"output":""}`,
			"user", "<user_shell_command>\n<command>\n\n</command>\n<result>\nExit code: 0\nDuration: 0.0001 seconds\nOutput:\n\n</result>\n</user_shell_command>", "shell.user_command", together},
		{"DET-28", `{"type":"turn_aborted","guidance":"stopped"}`,
			"user", "<turn_aborted>\nstopped\n</turn_aborted>", "generic.turn_aborted", together},
		{"DET-29", `{"type":"subagent_notification","agent_path":"any <path> \"&\u2028","status":"running"}`,
			"user", "<subagent_notification>\n{\"agent_path\":\"any <path> \\\"&\u2028\",\"status\":\"running\"}\n</subagent_notification>", "multi_agent.subagent_notification", together},
		{"DET-29: completed", `{"type":"subagent_notification","agent_path":"/root/a","status": {"completed": null}}`,
			"user", "<subagent_notification>\n{\"agent_path\":\"/root/a\",\"status\":{\"completed\":null}}\n</subagent_notification>", "multi_agent.subagent_notification", together},
		{"DET-29: completed with text", `{"type":"subagent_notification","agent_path":"/root/a","status": {"completed": "ok\n"}}`,
			"user", "<subagent_notification>\n{\"agent_path\":\"/root/a\",\"status\":{\"completed\":\"ok\\n\"}}\n</subagent_notification>", "multi_agent.subagent_notification", together},
		{"DET-29: errored", `{"type":"subagent_notification","agent_path":"/root/a","status": {"errored": "no"}}`,
			"user", "<subagent_notification>\n{\"agent_path\":\"/root/a\",\"status\":{\"errored\":\"no\"}}\n</subagent_notification>", "multi_agent.subagent_notification", together},
		{"DET-30", `{"type":"internal_model_context","source":"a1_","body":"x"}`,
			"user", "<codex_internal_context source=\"a1_\">\nx\n</codex_internal_context>", "a1_.internal_context", together},
		{"DET-35", `{"type":"recommended_plugins","intro":"Some:","plugins":[{"name":"B","id":"b@x"},{"name":"<A>","id":"a"}]}`,
			"user", "<recommended_plugins>\nSome:\n\n- B (b@x)\n- <A> (a)\n</recommended_plugins>", "plugins.recommendations", together},
		{"DET-55", `{"type":"hook_prompt","text":"a < b","hook_run_id":"\""}`,
			"user", `<hook_prompt hook_run_id="&quot;">a &lt; b</hook_prompt>`, "unknown", together},
		{"DET-37", `{"type":"realtime_delegation","input":"a<b>&\"'"}`,
			"user", "<realtime_delegation>\n  <input>a&lt;b&gt;&amp;\"'</input>\n</realtime_delegation>", "realtime_conversation.delegation", together},
		{"DET-37: all fields", `{"type":"realtime_delegation","input":"a","transcript_delta":"<d>","source":"transcript_tail_flush"}`,
			"user", "<realtime_delegation>\n  <source>transcript_tail_flush</source>\n  <input>a</input>\n  <transcript_delta>&lt;d&gt;</transcript_delta>\n</realtime_delegation>", "realtime_conversation.delegation", together},
		{"DET-37: empty delta", `{"type":"realtime_delegation","input":"","transcript_delta":""}`,
			"user", "<realtime_delegation>\n  <input></input>\n</realtime_delegation>", "realtime_conversation.delegation", together},

		{"DEV-1", `{"type":"permissions","sections":["one","","two\n"," three"]}`,
			"developer", "<permissions instructions>\none\ntwo\n three\n</permissions instructions>", "permissions.instructions", together},
		{"DEV-1: no sections", `{"type":"permissions","sections":[]}`,
			"developer", "<permissions instructions>\n</permissions instructions>", "permissions.instructions", together},
		{"DEV-1: a section that starts on a new line of its own", `{"type":"permissions","sections":["\none\n"]}`,
			"developer", "<permissions instructions>\n\none\n</permissions instructions>", "permissions.instructions", together},
		{"DEV-2", `{"type":"approved_command_prefix_saved","prefixes":"- [\"git\", \"log\"]"}`,
			"developer", "Approved command prefix saved:\n- [\"git\", \"log\"]", "permissions.approved_command_prefix_saved", together},
		{"DEV-4", `{"type":"model_switch","lead":"L","instructions":"I"}`,
			"developer", "<model_switch>\nL\n\nI\n</model_switch>", "model_switch.instructions", alone},
		{"DEV-5", `{"type":"personality","lead":"L:","instructions":"I"}`,
			"developer", "<personality_spec> L: \nI </personality_spec>", "personality.spec_instructions", alone},
		{"DEV-6", `{"type":"collaboration_mode","instructions":""}`,
			"developer", "<collaboration_mode></collaboration_mode>", "collaboration_mode.instructions", together},
		{"DEV-7", `{"type":"multi_agent_mode","custom":" x "}`,
			"developer", "<multi_agent_mode> x </multi_agent_mode>", "multi_agent.mode_instructions", together},
		{"DEV-8", `{"type":"multi_agent_role","text":"R","marked":true}`,
			"developer", "<multi_agent_role>R</multi_agent_role>", "multi_agent.role_instructions", alone},
		{"DEV-8: unmarked", `{"type":"multi_agent_role","text":"R","marked":false}`,
			"developer", "R", "multi_agent.role_instructions", alone},
		{"DEV-9", `{"type":"multi_agent_usage_hint","text":"H"}`, "developer", "H", "multi_agent.usage_hint", alone},
		{"DEV-10", `{"type":"realtime_start","instructions":" S "}`,
			"developer", "<realtime_conversation>\n S \n</realtime_conversation>", "realtime_conversation.start_instructions", together},
		{"DEV-10: end", `{"type":"realtime_end","instructions":"E"}`,
			"developer", "<realtime_conversation>\nE\n</realtime_conversation>", "realtime_conversation.end_instructions", together},
		{"DEV-11", `{"type":"apps","text":"## A"}`, "developer", "<apps_instructions>\n## A\n</apps_instructions>", "apps.instructions", together},
		{"DEV-12", `{"type":"plugins","text":"## P"}`, "developer", "<plugins_instructions>\n## P\n</plugins_instructions>", "plugins.usage_instructions", together},
		{"DEV-14", `{"type":"skills","text":"## Skills"}`, "developer", "<skills_instructions>\n## Skills\n</skills_instructions>", "skills.catalog", together},
		{"DEV-15", `{"type":"tools","previous":null,"current":{"b":"<B>","a":""}}`,
			"developer", "<tools>\nDeferred tool namespaces:\n- a\n- b: &lt;B&gt;\n</tools>", "tools.deferred_namespaces", together},
		{"DEV-16", `{"type":"environments_instructions","text":"## E"}`,
			"developer", "<environments_instructions>\n## E\n</environments_instructions>", "environments.instructions", together},
		{"DEV-17", `{"type":"git_attribution","text":"G"}`, "developer", "<git_attribution>\nG\n</git_attribution>", "git_attribution.instructions", together},
		{"DEV-18", `{"type":"context_window","agent_path":"/root","first":"1","current":"3","previous":"2","hint":"H"}`,
			"developer", "<context_window>\nAgent name: /root\nFirst context window id: 1\nCurrent context window id: 3\nPrevious context window id: 2\nH\n</context_window>", "token_budget.context_window", alone},
		{"DEV-18: without options", `{"type":"context_window","agent_path":"/root","first":"1","current":"1"}`,
			"developer", "<context_window>\nAgent name: /root\nFirst context window id: 1\nCurrent context window id: 1\n</context_window>", "token_budget.context_window", alone},
		{"DEV-18: empty options are there", `{"type":"context_window","agent_path":"","first":"","current":"","previous":"","hint":""}`,
			"developer", "<context_window>\nAgent name: \nFirst context window id: \nCurrent context window id: \nPrevious context window id: \n\n</context_window>", "token_budget.context_window", alone},
		{"DEV-19", `{"type":"context_window_guidance","message":"M"}`,
			"developer", "<context_window_guidance>\nM\n</context_window_guidance>", "token_budget.context_window_guidance", together},
		{"DEV-20", `{"type":"token_budget","text":"9 left"}`, "developer", "9 left", "token_budget.remaining_tokens", together},
		{"DEV-22", `{"type":"rollout_budget","text":"9 left"}`,
			"developer", "<rollout_budget>\n9 left\n</rollout_budget>", "rollout_budget.remaining_tokens", together},
		{"DEV-23", `{"type":"image_resize_notice","text":"1x1"}`,
			"developer", "<image_resize_notice>\n1x1\n</image_resize_notice>", "images.resize_notice", alone},
		{"DEV-25", `{"type":"managed_developer_instructions","instructions":"I","notice":"N"}`,
			"developer", "<managed_developer_instructions>\nN\n\nI\n</managed_developer_instructions>", "managed_config.developer_instructions", alone},
		{"DEV-25: no notice", `{"type":"managed_developer_instructions","instructions":"I"}`,
			"developer", "<managed_developer_instructions>\nI\n</managed_developer_instructions>", "managed_config.developer_instructions", alone},
		{"DEV-25: an empty notice is there", `{"type":"managed_developer_instructions","instructions":"I","notice":""}`,
			"developer", "<managed_developer_instructions>\n\n\nI\n</managed_developer_instructions>", "managed_config.developer_instructions", alone},
		{"DEV-27", `{"type":"hook_additional_context","text":" H\n"}`, "developer", " H\n", "hooks.additional_context", together},
		{"DEV-28", `{"type":"developer_instructions","text":"D"}`, "developer", "D", "generic.developer_instructions", together},

		{"DET-11: generic", `{"type":"generic","role":"assistant","start":"<a>","end":"</a>","body":" x ","content_kind":"a.b","separate":true}`,
			"assistant", "<a> x </a>", "a.b", alone},
		{"DET-11: one marker", `{"type":"generic","role":"robot","start":"","end":"</a>","body":"x"}`, "robot", "x</a>", "unknown", together},
		{"DET-11: no marker", `{"type":"generic","role":"user","start":"","end":"","body":"x","content_kind":null,"separate":null}`, "user", "x", "unknown", together},
		{"PRO-5: unknown members", `{"type":"apps","text":"A","colour":"red","instructions":1}`,
			"developer", "<apps_instructions>\nA\n</apps_instructions>", "apps.instructions", together},
	} {
		t.Run(c.rule, func(t *testing.T) {
			f, ok, err := decodeText(c.fields)
			if err != nil || !ok {
				t.Fatalf("%s gives ok %v, error %v", c.fields, ok, err)
			}
			if got := f.Render(); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
			if f.Role != c.role || f.ContentKind != c.kind || f.Separate != c.separate {
				t.Errorf("role %q, kind %q, separate %v; want %q, %q, %v", f.Role, f.ContentKind, f.Separate, c.role, c.kind, c.separate)
			}
			if want := jsonvalue.MustParse(c.fields); f.Type != kindOf(want) {
				t.Errorf("type %q, want %q", f.Type, kindOf(want))
			}
		})
	}
}

func kindOf(fields jsonvalue.Value) string {
	kind, _ := fields.GetText("type")
	return kind
}

// Every kind of the table can be built from fields, and every row of the other tables names a kind.
func TestTablesAgree(t *testing.T) {
	for kind := range shapes {
		_, isPlain := plain[kind]
		_, isDecoded := decoders[kind]
		if isPlain == isDecoded {
			t.Errorf("%s: plain %v, decoded %v; want exactly one", kind, isPlain, isDecoded)
		}
	}
	for kind := range decoders {
		if _, ok := shapes[kind]; !ok && kind != "generic" {
			t.Errorf("a decoder for %s, which has no shape", kind)
		}
	}
	for kind := range plain {
		if _, ok := shapes[kind]; !ok {
			t.Errorf("a field for %s, which has no shape", kind)
		}
	}
	for _, row := range developerPrefixes {
		if s, ok := shapes[row.kind]; !ok || s.role != developer {
			t.Errorf("the prefix %q names %s, which is no developer kind", row.prefix, row.kind)
		}
	}
	for _, m := range userRegistry {
		if _, ok := shapes[m.kind]; ok == strings.HasPrefix(m.kind, "legacy_") {
			t.Errorf("PRO-20: %s in the registry: has a shape %v", m.kind, ok)
		}
	}
}

// What is rendered as a user fragment of the registry is recognised as that kind again.
func TestRenderedIsRecognised(t *testing.T) {
	for _, fields := range []string{
		`{"type":"agents_md","text":"x"}`,
		`{"type":"environment_context","environments":{}}`,
		`{"type":"additional_context","key":"k","value":"v","kind":"untrusted"}`,
		`{"type":"skill","name":"n","path":"p","contents":""}`,
		`{"type":"user_shell_command","command":"ls","exit_code":0,"duration_seconds":0,"output":""}`,
		`{"type":"turn_aborted","guidance":""}`,
		`{"type":"subagent_notification","agent_path":"","status":"shutdown"}`,
		`{"type":"internal_model_context","source":"s","body":""}`,
		`{"type":"recommended_plugins","intro":"","plugins":[{"name":"","id":""}]}`,
		`{"type":"hook_prompt","text":"x","hook_run_id":"1"}`,
	} {
		f, _, err := decodeText(fields)
		if err != nil {
			t.Fatal(err)
		}
		if kind, _ := ContextualUser(f.Render()); kind != f.Type {
			t.Errorf("%q is recognised as %q, want %q", f.Render(), kind, f.Type)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	environment := func(members string) string {
		return `{"type":"environment_context","environments":{},` + members + `}`
	}
	filesystem := func(members string) string { return environment(`"filesystem":{` + members + `}`) }
	access := func(members string) string {
		return filesystem(`"permission_profile":{"type":"managed","file_system":{` + members + `}}`)
	}
	for _, c := range []struct{ fields, path string }{
		{`null`, ""}, {`[]`, ""}, {`"agents_md"`, ""},
		{`{}`, "/type"}, {`{"type":null}`, "/type"}, {`{"type":1}`, "/type"}, {`{"type":"colour"}`, "/type"}, {`{"type":"Agents_md","text":""}`, "/type"},
		{`{"type":"legacy_unified_exec_process_limit_warning"}`, "/type"},
		{`{"type":"legacy_apply_patch_exec_command_warning"}`, "/type"},
		{`{"type":"legacy_model_mismatch_warning"}`, "/type"},
		{`{"type":"agents_md"}`, "/text"}, {`{"type":"agents_md","text":"","directory":1}`, "/directory"},
		{`{"type":"additional_context","key":"k","value":"v","kind":"trusted"}`, "/kind"}, {`{"type":"additional_context","key":"k","value":"v"}`, "/kind"},
		{`{"type":"additional_context","value":"v","kind":"untrusted"}`, "/key"}, {`{"type":"additional_context","key":"k","value":null,"kind":"untrusted"}`, "/value"},
		{`{"type":"skill","name":"n","path":"p"}`, "/contents"},
		{`{"type":"user_shell_command","command":"c","exit_code":0.5,"duration_seconds":1,"output":""}`, "/exit_code"},
		{`{"type":"user_shell_command","command":"c","exit_code":0,"duration_seconds":"1","output":""}`, "/duration_seconds"},
		{`{"type":"user_shell_command","command":"c","exit_code":0,"duration_seconds":1e999,"output":""}`, "/duration_seconds"},
		{`{"type":"user_shell_command","command":"c","exit_code":0,"output":""}`, "/duration_seconds"},
		{`{"type":"turn_aborted","text":"x"}`, "/guidance"},
		{`{"type":"subagent_notification","agent_path":"a","status":"busy"}`, "/status"}, {`{"type":"subagent_notification","agent_path":"a"}`, "/status"},
		{`{"type":"subagent_notification","agent_path":"a","status":{}}`, "/status"}, {`{"type":"subagent_notification","agent_path":"a","status":{"completed":"x","errored":"y"}}`, "/status"},
		{`{"type":"subagent_notification","agent_path":"a","status":{"running":null}}`, "/status"}, {`{"type":"subagent_notification","agent_path":"a","status":1}`, "/status"},
		{`{"type":"subagent_notification","agent_path":"a","status":{"completed":1}}`, "/status/completed"}, {`{"type":"subagent_notification","agent_path":"a","status":{"errored":null}}`, "/status/errored"},
		{`{"type":"internal_model_context","source":"Goal","body":""}`, "/source"}, {`{"type":"internal_model_context","source":"","body":""}`, "/source"}, {`{"type":"internal_model_context","source":"a"}`, "/body"},
		{`{"type":"recommended_plugins","intro":"","plugins":{}}`, "/plugins"}, {`{"type":"recommended_plugins","intro":"","plugins":[{"name":"n"}]}`, "/plugins/0/id"}, {`{"type":"recommended_plugins","intro":"","plugins":[{"name":"n","id":"i"},"x"]}`, "/plugins/1"},
		{`{"type":"hook_prompt","text":"x"}`, "/hook_run_id"}, {`{"type":"hook_prompt","hook_run_id":"x"}`, "/text"}, {`{"type":"hook_prompt","hook_run_id":" "}`, "/text"},
		{`{"type":"realtime_delegation"}`, "/input"}, {`{"type":"realtime_delegation","input":"x","source":"handoff"}`, "/source"}, {`{"type":"realtime_delegation","input":"x","source":1}`, "/source"},
		{`{"type":"permissions"}`, "/sections"}, {`{"type":"permissions","sections":["a",null]}`, "/sections/1"},
		{`{"type":"approved_command_prefix_saved","prefixes":[]}`, "/prefixes"},
		{`{"type":"model_switch","instructions":""}`, "/lead"}, {`{"type":"personality","lead":""}`, "/instructions"},
		{`{"type":"collaboration_mode"}`, "/instructions"}, {`{"type":"multi_agent_mode"}`, "/custom"},
		{`{"type":"multi_agent_role","text":""}`, "/marked"}, {`{"type":"multi_agent_role","text":"","marked":"true"}`, "/marked"},
		{`{"type":"tools","current":{"a":1}}`, "/current/a"}, {`{"type":"tools","previous":{"a/b":1},"current":{}}`, "/previous/a~1b"}, {`{"type":"tools","previous":{}}`, "/current"}, {`{"type":"tools","previous":[],"current":{"a":""}}`, "/previous"},
		{`{"type":"context_window","agent_path":"a","first":"1"}`, "/current"}, {`{"type":"context_window","agent_path":"a","first":"1","current":"1","hint":1}`, "/hint"},
		{`{"type":"context_window_guidance"}`, "/message"},
		{fmt.Sprintf(`{"type":"managed_developer_instructions","instructions":%q}`, long), "/instructions"},
		{`{"type":"generic","role":"user","start":"","end":""}`, "/body"}, {`{"type":"generic","start":"","end":"","body":""}`, "/role"},
		{`{"type":"generic","role":"user","start":"","end":"","body":"","separate":"no"}`, "/separate"}, {`{"type":"generic","role":"user","start":"","end":"","body":"","content_kind":1}`, "/content_kind"},

		{`{"type":"environment_context"}`, "/environments"}, {`{"type":"environment_context","environments":[]}`, "/environments"},
		{`{"type":"environment_context","environments":{"a":{}}}`, "/environments/a/cwd"}, {`{"type":"environment_context","environments":{"a":null}}`, "/environments/a"},
		{`{"type":"environment_context","environments":{"a":{"cwd":"/","status":"gone"}}}`, "/environments/a/status"}, {`{"type":"environment_context","environments":{"a":{"cwd":"/","primary":1}}}`, "/environments/a/primary"},
		{environment(`"network":[]`), "/network"}, {environment(`"network":{"allowed":"x"}`), "/network/allowed"}, {environment(`"timezone":1`), "/timezone"},
		{environment(`"filesystem":1`), "/filesystem"}, {filesystem(``), "/filesystem/permission_profile"}, {filesystem(`"permission_profile":{}`), "/filesystem/permission_profile/type"},
		{filesystem(`"permission_profile":{"type":"open"}`), "/filesystem/permission_profile/type"}, {filesystem(`"permission_profile":{"type":"disabled"},"workspace_roots":[1]`), "/filesystem/workspace_roots/0"},
		{access(`"type":"none"`), "/filesystem/permission_profile/file_system/type"}, {access(`"type":"restricted","glob_scan_max_depth":0`), "/filesystem/permission_profile/file_system/glob_scan_max_depth"},
		{access(`"type":"restricted","entries":[{"access":"read"}]`), "/filesystem/permission_profile/file_system/entries/0"},
		{access(`"type":"restricted","entries":[{"access":"read","path":"/","glob":"*"}]`), "/filesystem/permission_profile/file_system/entries/0/glob"},
		{access(`"type":"restricted","entries":[{"path":"/"}]`), "/filesystem/permission_profile/file_system/entries/0/access"},
	} {
		_, ok, err := decodeText(c.fields)
		var path *jsonvalue.PathError
		if ok || !errors.As(err, &path) || path.Path != c.path {
			t.Errorf("%.200s gives ok %v, error %v; want an error at %q", c.fields, ok, err, c.path)
		}
	}
}

func TestDecodeNothingToSay(t *testing.T) {
	for fields, path := range map[string]string{
		`{"type":"recommended_plugins","intro":"x","plugins":[]}`:    "/plugins",
		`{"type":"multi_agent_mode","custom":""}`:                    "/custom",
		`{"type":"hook_prompt","text":"x","hook_run_id":" \u00a0"}`:  "/hook_run_id",
		`{"type":"hook_prompt","text":"x","hook_run_id":""}`:         "/hook_run_id",
		`{"type":"tools","current":{}}`:                              "/current",
		`{"type":"tools","previous":null,"current":{}}`:              "/current",
		`{"type":"tools","previous":{"a":"x"},"current":{"a":"x "}}`: "/current",
		`{"type":"tools","previous":{},"current":{}}`:                "/current",
	} {
		if _, ok, err := decodeText(fields); ok || err != nil {
			t.Errorf("PRO-21: %s gives ok %v, error %v; want neither", fields, ok, err)
		}
		_, err := DecodeOne(jsonvalue.At(jsonvalue.MustParse(fields)))
		var at *jsonvalue.PathError
		if !errors.As(err, &at) || at.Path != path {
			t.Errorf("PRO-21: %s must be rendered: error %v, want one at %s", fields, err, path)
		}
	}
}
