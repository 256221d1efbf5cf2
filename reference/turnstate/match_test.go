package turnstate

import (
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// decodable has a fragment of each type, as fields.
var decodable = []string{
	`{"type":"model_switch","lead":"L","instructions":"I"}`,
	`{"type":"permissions","sections":["P"]}`,
	`{"type":"developer_instructions","text":"D"}`,
	`{"type":"collaboration_mode","instructions":"C"}`,
	`{"type":"realtime_start","instructions":"S"}`,
	`{"type":"realtime_end","instructions":"E"}`,
	`{"type":"personality","lead":"L","instructions":"I"}`,
	`{"type":"subagent_roster","subagents":"a\nb"}`,
	`{"type":"subagent_notification","agent_id":"a","status":"running"}`,
	`{"type":"user_instructions","text":"U"}`,
	`{"type":"agents_md","directory":"/w","text":"A"}`,
	`{"type":"js_repl_instructions","text":"J"}`,
	`{"type":"skills_section","text":"S"}`,
	`{"type":"child_agents_instructions","text":"C"}`,
	`{"type":"environment_context","cwd":"/w","network":{}}`,
	`{"type":"ephemeral_context","title":"T","content":"X"}`,
	`{"type":"skill","name":"n","path":"p","contents":"c"}`,
	`{"type":"plugin_instructions","text":"P"}`,
	`{"type":"user_shell_command","command":"ls","exit_code":1,"duration_seconds":0.1,"output":"o"}`,
	`{"type":"turn_aborted","guidance":"g"}`,
}

// Whatever is written is recognised: by the user's list, by the developer's, or on purpose by none.
func TestWhatIsRenderedIsRecognised(t *testing.T) {
	seen := map[string]bool{}
	for _, fields := range decodable {
		f, err := DecodeOne(jsonvalue.At(jsonvalue.MustParse(fields)))
		if err != nil {
			t.Errorf("%s: %v", fields, err)
			continue
		}
		seen[f.Type] = true
		want := f.Type
		if want == "realtime_end" {
			want = "realtime_start" // DET-121
		}
		var row Entry
		for _, e := range Registry {
			for _, form := range e.Forms {
				if form.Type == f.Type {
					row = e
				}
			}
		}
		asUser, isUser := ContextualUser(f.Render())
		asDeveloper, isDeveloper := ContextualDeveloper(f.Render())
		switch {
		case f.Role == item.RoleUser && (asUser != want || isDeveloper):
			t.Errorf("%q: as user %q, as developer %q", f.Render(), asUser, asDeveloper)
		case f.Role == item.RoleDeveloper && isDeveloper != row.Trimmed, isDeveloper && asDeveloper != want:
			t.Errorf("%q: as developer %q", f.Render(), asDeveloper)
		case f.Role == item.RoleDeveloper && isUser != (f.Type == "subagent_notification"): // the shim
			t.Errorf("%q: as user %q", f.Render(), asUser)
		case f.ContentKind != item.UnknownKind || f.Separate != row.Standalone:
			t.Errorf("%s: kind %q, separate %v", f.Type, f.ContentKind, f.Separate)
		}
	}
	for _, e := range Registry {
		for _, form := range e.Forms {
			if !seen[form.Type] {
				t.Errorf("%s is not tested", form.Type)
			}
		}
	}
}

func TestMatchAgentsMD(t *testing.T) {
	for text, want := range map[string]bool{
		"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>":                  true,
		"\u2003# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>\n":          true,
		"# AGENTS.md instructions for </INSTRUCTIONS>":                                           true,
		"# AGENTS.md instructions\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>":                         false,
		"# AGENTS.md Instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>":                  false,
		"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</Instructions>":                  false,
		"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS> and my question":  false,
		"what are # AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>":         false,
		"\ufeff# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>":            false,
		"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>\n</INSTRUCTIONS>": true,
	} {
		if got := matchAgentsMD(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTyped(t *testing.T) {
	const (
		note    = `{"type":"input_text","text":"<additional_context_for_this_turn>x</additional_context_for_this_turn>\n\n"}`
		context = `{"type":"input_text","text":"<plugins>x</plugins>"}`
		prompt  = `{"type":"input_text","text":"p"}`
		image   = `{"type":"input_image","image_url":"data:,"}`
	)
	for _, test := range []struct{ contents, want string }{ // want "": it is context
		{``, `[]`},
		{prompt, `[` + prompt + `]`},
		{note, ``},
		{note + `,` + note, ``},
		{note + `,` + prompt, `[` + prompt + `]`},
		{note + `,` + note + `,` + image + `,` + prompt, `[` + image + `,` + prompt + `]`},
		{prompt + `,` + note, ``},
		{note + `,` + prompt + `,` + note, ``},
		{note + `,` + context, ``},
		{context + `,` + prompt, ``},
	} {
		message := item.FromValue(jsonvalue.MustParse(`{"type":"message","role":"user","id":"m","content":[` + test.contents + `]}`))
		typed, ok := Typed(message)
		if ok != (test.want != "") || ContextualUserMessage(message) == ok {
			t.Errorf("[%s]: typed %v", test.contents, ok)
			continue
		}
		if content, _ := typed.Get("content"); ok && content.String() != test.want {
			t.Errorf("[%s]: got %s, want %s", test.contents, content, test.want)
		}
	}
}

func TestDeveloperMessages(t *testing.T) {
	const (
		permissions = `{"type":"input_text","text":"<permissions instructions>x"}`
		apps        = `{"type":"input_text","text":"<apps_instructions>x</apps_instructions>"}`
		image       = `{"type":"input_image","image_url":"data:,"}`
	)
	for _, test := range []struct {
		contents          string
		contextual, mixed bool
	}{
		{``, false, false},
		{permissions, true, false},
		{permissions + `,` + permissions, true, false},
		{apps, false, false},
		{apps + `,` + permissions, true, true},
		{permissions + `,` + image, true, true},
	} {
		message := item.FromValue(jsonvalue.MustParse(`{"type":"message","role":"developer","content":[` + test.contents + `]}`))
		if got := ContextualDeveloperMessage(message); got != test.contextual {
			t.Errorf("[%s]: contextual %v", test.contents, got)
		}
		if got := MixedDeveloperMessage(message); got != test.mixed {
			t.Errorf("[%s]: mixed %v", test.contents, got)
		}
	}
}

func TestFieldsThatGiveNoFragment(t *testing.T) {
	noAgents := jsonvalue.At(jsonvalue.MustParse(`{"type":"subagent_roster","subagents":""}`))
	if _, ok, err := Decode(noAgents); ok || err != nil {
		t.Errorf("a roster without agents: %v, %v", ok, err)
	}
	if _, err := DecodeOne(noAgents); err == nil || err.Error() != "/subagents: leaves nothing to say" {
		t.Errorf("a roster without agents: %v", err)
	}
	if _, ok, err := Decode(jsonvalue.At(jsonvalue.MustParse(`{"type":"subagent_roster"}`))); ok || err == nil {
		t.Errorf("a roster without the field: %v, %v", ok, err)
	}
	if f, ok, err := Decode(jsonvalue.At(jsonvalue.MustParse(`{"type":"subagent_roster","subagents":"a"}`))); !ok || err != nil || f.Body != "\n  a\n" {
		t.Errorf("a roster: %q, %v, %v", f.Body, ok, err)
	}
}
