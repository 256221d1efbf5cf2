package turnstate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

func some(text string) jsonvalue.Optional { return jsonvalue.Optional{Text: text, Present: true} }

func flag(on bool) *bool { return &on }

// One row each: what its builder says. The whole of a message is tested by the cases in
// fixtures/turn-state.
func TestBuilders(t *testing.T) {
	unknown := &Context{CWD: "/w"} // a reference that knows nothing but the directory
	readOnly, never := jsonvalue.OfString("read-only"), jsonvalue.OfString("never")
	plan := &CollaborationMode{Mode: "plan", Text: "Plan."}
	here := Context{CWD: "/w"}
	on := Context{CWD: "/w", RealtimeActive: flag(true)}
	off := Context{CWD: "/w", RealtimeActive: flag(false)}
	styled := Context{CWD: "/w", Model: some("a"), Personality: some("kind")}
	style := Parameters{PersonalityFeature: true, PersonalityLead: "As:"}
	for _, test := range []struct {
		name, kind string
		turn       Turn
		want       []string // nil: nothing
	}{
		{"model: no turn before", "model_switch", Turn{ModelInstructions: "I."}, nil},
		{"model: another one", "model_switch", Turn{ModelInstructions: "I.", Parameters: Parameters{Previous: &Settings{Model: "a"}, ModelSwitchLead: "L."}}, []string{"\nL.\n\nI.\n"}},
		{"model: no instructions", "model_switch", Turn{Parameters: Parameters{Previous: &Settings{Model: "a"}}}, nil},

		{"permissions: none", "permissions", Turn{Context: here}, nil},
		{"permissions: no reference", "permissions", Turn{Context: Context{SandboxPolicy: readOnly, ApprovalPolicy: never}, PermissionsText: "P."}, []string{"\nP.\n"}},
		{"permissions: equal", "permissions", Turn{Context: Context{SandboxPolicy: readOnly, ApprovalPolicy: never}, Reference: &Context{SandboxPolicy: readOnly, ApprovalPolicy: never}}, nil},
		{"permissions: swapped", "permissions", Turn{Context: Context{SandboxPolicy: never, ApprovalPolicy: readOnly}, Reference: &Context{SandboxPolicy: readOnly, ApprovalPolicy: never}, PermissionsText: "P."}, []string{"\nP.\n"}},

		{"developer: an empty text is one", "developer_instructions", Turn{Context: Context{DeveloperInstructions: some("")}, Reference: unknown}, []string{""}},
		{"developer: gone", "developer_instructions", Turn{Reference: &Context{DeveloperInstructions: some("x")}}, nil},

		{"mode: not known now", "collaboration_mode", Turn{Reference: &Context{CollaborationMode: plan}}, nil},
		{"mode: no reference", "collaboration_mode", Turn{Context: Context{CollaborationMode: plan}}, []string{"Plan."}},
		{"mode: reset", "collaboration_mode", Turn{Context: Context{CollaborationMode: &CollaborationMode{Mode: "default"}}, ModeName: "Default", Reference: &Context{CollaborationMode: plan}, Parameters: Parameters{CollaborationReset: "Off."}},
			[]string{"# Collaboration Mode: Default\n\nOff."}},

		{"realtime: the reference does not say, the previous turn does", "realtime_start", Turn{Context: off, Reference: unknown, RealtimeEnd: "E.", Parameters: Parameters{Previous: &Settings{RealtimeActive: true}}}, []string{"\nE.\n\nReason: inactive\n"}},
		{"realtime: the reference says off", "realtime_start", Turn{Context: off, Reference: &off, Parameters: Parameters{Previous: &Settings{RealtimeActive: true}}}, nil},
		{"realtime: on and on", "realtime_start", Turn{Context: on, Reference: &on}, nil},
		{"realtime: on", "realtime_start", Turn{Context: on, RealtimeStart: "S."}, []string{"\nS.\n"}},

		{"personality: none chosen", "personality", Turn{Context: here, Parameters: style, PersonalityText: "S."}, nil},
		{"personality: baked", "personality", Turn{Context: styled, Parameters: style, PersonalityText: "S.", PersonalityBaked: true}, nil},
		{"personality: changed", "personality", Turn{Context: styled, Parameters: style, PersonalityText: "S.", PersonalityBaked: true, Reference: &Context{Model: some("a")}}, []string{" As: \nS. "}},
		{"personality: changed with the model", "personality", Turn{Context: styled, Parameters: style, PersonalityText: "S.", Reference: &Context{Model: some("b")}}, nil},

		{"AGENTS.md: gone", "agents_md", Turn{Context: here, Reference: &Context{CWD: "/w", ProjectDoc: some("x")}}, []string{"/w\n\n<INSTRUCTIONS>\n\n"}},
		{"AGENTS.md: never there", "agents_md", Turn{Context: here, Reference: &Context{CWD: "/x"}}, nil},

		{"environment: nothing left to say", "environment_context", Turn{Context: here, Reference: &Context{CWD: "/w", Timezone: some("UTC")}}, []string{"\n\n"}},
		{"environment: the same", "environment_context", Turn{Context: here, Shell: some("zsh"), Reference: unknown}, nil},

		{"ephemeral: two", "ephemeral_context", Turn{Ephemeral: []Ephemeral{{"T", "X"}, {"", ""}}}, []string{
			"\n  <title>T</title>\n  <content>\nX\n  </content>\n", "\n  <title></title>\n  <content>\n\n  </content>\n"}},
		{"ephemeral: none", "ephemeral_context", Turn{}, nil},
		{"a row without a builder", "turn_aborted", Turn{Context: here}, nil},
	} {
		var got []string
		for _, f := range registered(test.kind).built(test.turn) {
			got = append(got, f.Body)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// What a build records is what the next one compares with: told once, nothing is told again but what
// counts for one turn.
func TestARecordedTurnIsNotToldAgain(t *testing.T) {
	turn := Turn{
		Context: Context{
			CWD: "/w", CurrentDate: some("2026-03-13"), Timezone: some("UTC"), Network: &Network{Allowed: []string{"a"}},
			Model: some("a"), Personality: some("kind"), SandboxPolicy: jsonvalue.MustParse(`{"type":"x","n":[1.50]}`), ApprovalPolicy: jsonvalue.OfString("never"),
			CollaborationMode: &CollaborationMode{"plan", "Plan."}, RealtimeActive: flag(true),
			DeveloperInstructions: some("D."), UserInstructions: some(""), ProjectDoc: some("P."),
		},
		Shell: some("bash"), ModelInstructions: "I.", PersonalityText: "S.", JSREPL: some("J."), SkillsSection: some("S."), ChildAgents: some("C."),
		Ephemeral:  []Ephemeral{{"T", "X"}},
		Parameters: Parameters{PersonalityFeature: true, ChildAgentsFeature: true, Additions: Additions{MemoryPrompt: some("M."), SubagentRoster: "a"}},
	}
	first := Build(turn)
	if len(first) != 2 || !first[0].IsMessage(item.RoleDeveloper) || !first[1].IsMessage(item.RoleUser) {
		t.Fatalf("the first build has %d messages: %s", len(first), item.EncodeAll(first))
	}

	var err error
	recorded := new(Context)
	read(jsonvalue.At(turn.Value()), &err).context(recorded)
	if err != nil {
		t.Fatalf("%s does not read back: %v", turn.Value(), err)
	}
	if got, want := recorded.Value(), turn.Value(); !jsonvalue.Equal(got, want) {
		t.Errorf("read back as %s, want %s", got, want)
	}
	turn.Reference = recorded
	turn.Previous = &Settings{Model: "a", RealtimeActive: true}
	second := Build(turn)
	if len(second) != 1 || len(second[0].Contents()) != 1 {
		t.Fatalf("the second build has %s, want the ephemeral context alone", item.EncodeAll(second))
	}
	if text, _ := second[0].Contents()[0].InputText(); !strings.Contains(text, "<title>T</title>") {
		t.Errorf("the second build tells %q", text)
	}
}

func TestMessages(t *testing.T) {
	of := func(role, text string, alone bool) fragment.Fragment {
		return fragment.Fragment{Role: role, Body: text, Separate: alone}
	}
	const d, u = item.RoleDeveloper, item.RoleUser
	for _, test := range []struct {
		name string
		in   []fragment.Fragment
		want string
	}{
		{"nothing", nil, ``},
		{"roles alternate", []fragment.Fragment{of(u, "1", false), of(d, "2", false), of(u, "3", false)}, `[developer "2"] [user "1\n\n" "3"]`},
		{"separators", []fragment.Fragment{of(d, "", false), of(d, "a\n", false), of(d, "b\n\n", false), of(d, "c\n\n\n", false), of(d, "d", false)},
			`[developer "\n\n" "a\n\n\n" "b\n\n" "c\n\n\n" "d"]`},
		{"alone", []fragment.Fragment{of(u, "1", true), of(d, "2", false), of(d, "3", true), of(d, "4", false)}, `[developer "2\n\n" "4"] [user "1"] [developer "3"]`},
	} {
		got := []string{}
		for _, message := range Messages(test.in) {
			texts := []string{}
			for _, c := range message.Contents() {
				text, _ := c.InputText()
				texts = append(texts, fmt.Sprintf("%q", text))
			}
			got = append(got, "["+message.Role()+" "+strings.Join(texts, " ")+"]")
			if _, has := message.Get("internal_chat_message_metadata_passthrough"); has {
				t.Errorf("%s: a message has metadata", test.name)
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}
