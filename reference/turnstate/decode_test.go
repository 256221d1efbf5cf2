package turnstate

import (
	"errors"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func decodeTurn(t *testing.T, params string) Turn {
	t.Helper()
	turn, err := DecodeTurn(jsonvalue.At(jsonvalue.MustParse(params)))
	if err != nil {
		t.Fatalf("%s: %v", params, err)
	}
	return turn
}

func TestDecodeTurnReadsEveryMember(t *testing.T) {
	turn := decodeTurn(t, `{
		"current": {"cwd": "/w", "shell": "s", "current_date": "d", "timezone": "z", "network": {"allowed": ["a"], "denied": ["b"]},
			"model": {"slug": "m", "instructions": "i"}, "permissions": {"sandbox_policy": {"n": 1}, "approval_policy": "never", "text": "p"},
			"developer_instructions": "di", "user_instructions": "ui", "collaboration_mode": {"mode": "plan", "name": "Plan", "text": "c"},
			"realtime": {"active": true, "start_text": "rs", "end_text": "re"}, "personality": {"value": "v", "text": "pt", "baked": true},
			"agents_md": {"text": "am"}, "js_repl": "js", "skills_section": "ss", "child_agents": "ca", "ephemeral": [{"title": "t", "content": "x"}]},
		"reference": null,
		"params": {"previous_turn_settings": {"model": "pm", "realtime_active": true}, "features": {"personality": true, "child_agents": true},
			"model_switch_lead": "ml", "personality_lead": "pl", "collaboration_reset": "cr",
			"additions": {"memory_prompt": "mp", "apps": "ap", "commit_attribution": "at", "plugins": "pi", "subagent_roster": "sr"}}
	}`)
	if got, want := turn.Context.Value(), jsonvalue.MustParse(`{"cwd": "/w", "current_date": "d", "timezone": "z",
		"network": {"allowed_domains": ["a"], "denied_domains": ["b"]}, "model": "m", "personality": "v", "sandbox_policy": {"n": 1}, "approval_policy": "never",
		"collaboration_mode": {"mode": "plan", "text": "c"}, "realtime_active": true, "developer_instructions": "di", "user_instructions": "ui",
		"project_doc_instructions": "am"}`); !jsonvalue.Equal(got, want) {
		t.Errorf("persisted is %s, want %s", got, want)
	}
	switch p := turn.Parameters; {
	case turn.Reference != nil:
		t.Error("a reference out of null")
	case turn.Shell != some("s"), turn.JSREPL != some("js"), turn.SkillsSection != some("ss"), turn.ChildAgents != some("ca"):
		t.Errorf("texts: %+v", turn)
	case turn.ModelInstructions != "i", turn.PermissionsText != "p", turn.ModeName != "Plan", turn.RealtimeStart != "rs", turn.RealtimeEnd != "re":
		t.Errorf("texts: %+v", turn)
	case turn.PersonalityText != "pt", !turn.PersonalityBaked, len(turn.Ephemeral) != 1, turn.Ephemeral[0] != Ephemeral{"t", "x"}:
		t.Errorf("personality, ephemeral: %+v", turn)
	case p.Previous == nil, *p.Previous != Settings{"pm", true}, !p.PersonalityFeature, !p.ChildAgentsFeature:
		t.Errorf("parameters: %+v", p)
	case p.ModelSwitchLead != "ml", p.PersonalityLead != "pl", p.CollaborationReset != "cr":
		t.Errorf("prose: %+v", p)
	case p.Additions != Additions{some("mp"), some("ap"), some("at"), some("pi"), "sr"}:
		t.Errorf("additions: %+v", p.Additions)
	}
}

func TestDecodeTurnOfTheLeast(t *testing.T) {
	turn := decodeTurn(t, `{"current": {"cwd": ""}, "reference": {"cwd": "/w"}, "params": {}}`)
	if turn.RealtimeActive == nil || *turn.RealtimeActive {
		t.Error("a turn without a voice does not say that there is none")
	}
	if r := turn.Reference; r == nil || r.RealtimeActive != nil || r.CollaborationMode != nil || r.Network != nil || !r.SandboxPolicy.IsNull() || r.Model.Present {
		t.Errorf("reference %+v", r)
	}
	if turn.Previous != nil || turn.CollaborationMode != nil || turn.Model.Present {
		t.Errorf("turn %+v", turn)
	}
}

func TestDecodeSaysWhere(t *testing.T) {
	for params, want := range map[string]string{
		`{"reference":null,"params":{}}`: "/current",
		`{"current":{"cwd":"/w","ephemeral":[{"title":"t","content":"x"},3]},"params":{}}`: "/current/ephemeral/1",
		`{"current":{"cwd":"/w","permissions":{"sandbox_policy":null}},"params":{}}`:       "/current/permissions/sandbox_policy",
		`{"current":{"cwd":"/w"},"reference":[],"params":{}}`:                              "/reference",
		`{"current":{"cwd":"/w"},"params":{"features":{"personality":1}}}`:                 "/params/features/personality",
		`{"current":{"cwd":1},"reference":{},"params":[]}`:                                 "/current/cwd", // the first of several
	} {
		_, err := DecodeTurn(jsonvalue.At(jsonvalue.MustParse(params)))
		var path *jsonvalue.PathError
		if !errors.As(err, &path) || path.Path != want {
			t.Errorf("%s: got %v, want an error at %s", params, err, want)
		}
	}
	for fields, want := range map[string]string{
		`3`:                                      "",
		`{}`:                                     "/type",
		`{"type":"tools"}`:                       "/type",
		`{"type":"skill","name":"n","path":"p"}`: "/contents",
		`{"type":"personality","lead":"l"}`:      "/instructions", // a decoder of the other profile
		`{"type":"generic","role":"tool","start":"","end":"","body":""}`:              "/role",
		`{"type":"subagent_notification","agent_id":"a","status":{"done":null}}`:      "/status",
		`{"type":"environment_context","network":{"denied":"a"}}`:                     "/network/denied",
		`{"type":"generic","role":"user","start":"","end":"","body":"","separate":0}`: "/separate",
	} {
		_, err := DecodeOne(jsonvalue.At(jsonvalue.MustParse(fields)))
		var path *jsonvalue.PathError
		if !errors.As(err, &path) || path.Path != want {
			t.Errorf("%s: got %v, want an error at %q", fields, err, want)
		}
	}
}

func TestGeneric(t *testing.T) {
	for fields, want := range map[string]string{
		`"role":"user","start":"<a>","end":"</a>","body":"x"`:               "<a>\nx\n</a>",
		`"role":"user","start":"<a>","end":"","body":"\n"`:                  "<a>\n\n\n",
		`"role":"developer","start":"","end":"","body":"x"`:                 "x",
		`"role":"developer","start":"","end":"-","body":"","separate":true`: "\n\n-",
	} {
		f, err := DecodeOne(jsonvalue.At(jsonvalue.MustParse(`{"type":"generic","content_kind":"a.b",` + fields + `}`)))
		if err != nil || f.Render() != want || f.ContentKind != "unknown" || f.Separate != (f.End == "-") {
			t.Errorf("%s: got %+v, %v, want %q", fields, f, err, want)
		}
	}
}

func TestEnvironmentBody(t *testing.T) {
	all := environment{some("/a&b"), some("sh"), some("d"), some("z"), &Network{[]string{"x", "y"}, []string{"-"}}}
	want := "\n  <cwd>/a&b</cwd>\n  <shell>sh</shell>\n  <current_date>d</current_date>\n  <timezone>z</timezone>\n" +
		"  <network enabled=\"true\">\n    <allowed>x</allowed>\n    <allowed>y</allowed>\n    <denied>-</denied>\n  </network>\n"
	if got := all.body(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (environment{shell: jsonvalue.Optional{Present: true}}).body(); got != "\n  <shell></shell>\n" {
		t.Errorf("got %q", got)
	}
}

// The additions stand in their envelopes, behind what was built (REG-31).
func TestAdditions(t *testing.T) {
	turn := decodeTurn(t, `{"current":{"cwd":"/w","developer_instructions":"d"},"params":{"additions":{"memory_prompt":"m","commit_attribution":"","plugins":"p","subagent_roster":"a"}}}`)
	want := jsonvalue.MustParse(`["d\n\n","m\n\n","\n\n","<subagents>\n  a\n</subagents>","<environment_context>\n  <cwd>/w</cwd>\n</environment_context>\n\n","<plugins>\np\n</plugins>"]`)
	texts := []string{}
	for _, message := range Build(turn) {
		for _, c := range message.Contents() {
			text, _ := c.InputText()
			texts = append(texts, text)
		}
	}
	if got := jsonvalue.OfStrings(texts); !jsonvalue.Equal(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	turn.Reference = &turn.Context
	if got := Build(turn); len(got) != 0 {
		t.Errorf("a difference of nothing has %d messages", len(got))
	}
}
