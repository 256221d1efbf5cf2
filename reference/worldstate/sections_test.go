package worldstate

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// diff renders one section against a stored snapshot ("" for none) and a developer or user text in
// history ("" for none). It returns the previous state and the texts of the messages.
func diff(t *testing.T, section, stored, inHistory string, mode Mode) (State, string) {
	t.Helper()
	sections, err := Decode(jsonvalue.At(jsonvalue.MustParse("[" + section + "]")))
	if err != nil {
		t.Fatalf("%s: %v", section, err)
	}
	baseline := jsonvalue.OfObject()
	if stored != "" {
		baseline = baseline.With(sections[0].ID, jsonvalue.MustParse(stored))
	}
	var history []item.Item
	if inHistory != "" {
		role := item.RoleDeveloper
		if strings.HasPrefix(inHistory, "#") {
			role = item.RoleUser
		}
		history = append(history, item.Message(role, []item.Content{item.Text(inHistory)}, nil))
	}
	transition, err := Diff(sections, baseline, history, mode)
	if err != nil {
		t.Fatalf("%s: %v", section, err)
	}
	var texts []string
	for _, message := range assemble.Merge(transition.Fragments) {
		for _, content := range message.Contents() {
			text, _ := content.InputText()
			texts = append(texts, text)
		}
	}
	return transition.States[0].State, strings.Join(texts, "|")
}

func TestSections(t *testing.T) {
	const (
		model       = `{"id":"model","current":{"model":"b","previous_model":"a","instructions":"I","lead":"L"}}`
		modelText   = "<model_switch>\nL\n\nI\n</model_switch>"
		agents      = `{"id":"agents_md","current":{"directory":"/w","text":"T"},"notices":{"replace":"R","remove":"X"}}`
		agentsNone  = `{"id":"agents_md","current":{},"notices":{"replace":"R","remove":"X"}}`
		mode        = `{"id":"collaboration_mode","current":{"mode":"plan","model":"m","instructions":"P"}}`
		modeNone    = `{"id":"collaboration_mode","current":{"mode":"default","model":"m"}}`
		modeEmpty   = `{"id":"collaboration_mode","current":{"mode":"default","model":"m","instructions":""}}`
		emptyHash   = `"bc3b3a6e0b35a8ab1cb11e0d1df8ce0000000000"` // of something else: never equal
		on          = `{"id":"apps_instructions","current":{"active":true,"text":"A"}}`
		off         = `{"id":"apps_instructions","current":{"active":false}}`
		explicit    = `{"id":"multi_agent_mode","current":{"mode":"explicitRequestOnly","texts":{"explicitRequestOnly":"E","proactive":"P"}}}`
		noMode      = `{"id":"multi_agent_mode","current":{"mode":null,"texts":{"explicitRequestOnly":"E"}}}`
		realtimeOn  = `{"id":"realtime","current":{"active":true,"start":"S","end":"Z"}}`
		realtimeOff = `{"id":"realtime","current":{"active":false,"start":"S","end":"Z"}}`
		realtime    = "<realtime_conversation>\nS\n</realtime_conversation>"
	)
	tests := []struct {
		name, section, stored, history string
		mode                           Mode
		state                          State
		want                           string
	}{
		{"WLD-24 another model", model, `"a"`, modelText, Boundary, Known, modelText},
		{"WLD-24 the same model", model, `"b"`, modelText, Boundary, Known, ""},
		{"WLD-25 a switch is gone: the previous turn decides", model, `"b"`, "", Boundary, Absent, modelText},
		{"WLD-7 inside a turn the slug decides", model, `"b"`, "", Step, Known, ""},
		{"WLD-10 a snapshot of another type", model, `{"m":1}`, modelText, Boundary, Unknown, modelText},
		{"WLD-8 a fragment without snapshot", model, "", modelText, Boundary, Unknown, modelText},

		{"WLD-29 first", agents, "", "", Boundary, Absent, "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nT\n</INSTRUCTIONS>"},
		{"WLD-29 equal", agents, `{"directory":"/w","text":"T"}`, "", Boundary, Known, ""},
		{"WLD-29 another directory alone", agents, `{"directory":"/v","text":"T"}`, "", Boundary, Known, "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nR\n\nT\n</INSTRUCTIONS>"},
		{"WLD-29 known to have had none", agents, `{}`, "", Boundary, Known, "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nT\n</INSTRUCTIONS>"},
		{"WLD-29 gone", agentsNone, `{"directory":"/w","text":"T"}`, "", Boundary, Known, "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nX\n</INSTRUCTIONS>"},
		{"WLD-29 gone, unknown what there was", agentsNone, "", "# AGENTS.md instructions </INSTRUCTIONS>", Boundary, Unknown, "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nX\n</INSTRUCTIONS>"},
		{"WLD-29 none, none before", agentsNone, "", "", Boundary, Absent, ""},

		{"WLD-34 first", mode, "", "", Boundary, Absent, "<collaboration_mode>P</collaboration_mode>"},
		{"WLD-34 no text, nothing before", modeNone, "", "", Boundary, Absent, ""},
		{"WLD-34 an empty text of the catalogue", modeEmpty, "", "", Boundary, Absent, "<collaboration_mode></collaboration_mode>"},
		{"WLD-34 removed once", modeNone, `{"mode":"plan","model":"m","instructions":` + emptyHash + `}`, "<collaboration_mode>P</collaboration_mode>", Boundary, Known, "<collaboration_mode></collaboration_mode>"},
		{"WLD-34 a bare mode never equals", modeNone, `"default"`, "<collaboration_mode>P</collaboration_mode>", Boundary, Known, "<collaboration_mode></collaboration_mode>"},
		{"WLD-34 no other mode is known", modeNone, `"turbo"`, "<collaboration_mode>P</collaboration_mode>", Boundary, Unknown, "<collaboration_mode></collaboration_mode>"},

		{"WLD-36 on, absent", on, "", "", Boundary, Absent, "<apps_instructions>\nA\n</apps_instructions>"},
		{"WLD-36 on, was off", on, `false`, "<apps_instructions>\nA\n</apps_instructions>", Boundary, Known, "<apps_instructions>\nA\n</apps_instructions>"},
		{"WLD-36 on, was on", on, `true`, "<apps_instructions>\nA\n</apps_instructions>", Boundary, Known, ""},
		{"WLD-36 on, was on, its text is gone", on, `true`, "", Boundary, Absent, "<apps_instructions>\nA\n</apps_instructions>"},
		{"WLD-36 unknown counts as told", on, "", "<apps_instructions>\nold\n</apps_instructions>", Boundary, Unknown, ""},
		{"WLD-36 an unclosed text is not retained", on, `true`, "<apps_instructions>", Boundary, Absent, "<apps_instructions>\nA\n</apps_instructions>"},
		{"WLD-36 off is silent", off, `true`, "<apps_instructions>\nA\n</apps_instructions>", Boundary, Known, ""},

		{"WLD-40 equal", explicit, `{"mode":"explicitRequestOnly"}`, "<multi_agent_mode>E</multi_agent_mode>", Boundary, Known, ""},
		{"WLD-40 another", explicit, `{"mode":"proactive"}`, "<multi_agent_mode>P</multi_agent_mode>", Boundary, Known, "<multi_agent_mode>E</multi_agent_mode>"},
		{"WLD-40 another hint", explicit, `{"mode":"explicitRequestOnly","usage_hint_hash":"h"}`, "<multi_agent_mode>E</multi_agent_mode>", Boundary, Known, "<multi_agent_mode>E</multi_agent_mode>"},
		{"WLD-40 none after proactive", noMode, `{"mode":"proactive"}`, "<multi_agent_mode>P</multi_agent_mode>", Boundary, Known, "<multi_agent_mode>E</multi_agent_mode>"},
		{"WLD-40 none after explicit", noMode, `{"mode":"explicitRequestOnly"}`, "<multi_agent_mode>E</multi_agent_mode>", Boundary, Known, ""},
		{"WLD-40 the old none is a custom mode", noMode, `{"mode":"none"}`, "<multi_agent_mode>E</multi_agent_mode>", Boundary, Known, ""},

		{"WLD-28 start", realtimeOn, "", "", Boundary, Absent, realtime},
		{"WLD-28 end", realtimeOff, `{"active":true}`, realtime, Boundary, Known, "<realtime_conversation>\nZ\n</realtime_conversation>"},
		{"WLD-28 no end when the start is gone", realtimeOff, `{"active":true}`, "", Boundary, Absent, ""},
		{"WLD-28 an end counts as retained", realtimeOn, `{"active":true}`, "<realtime_conversation>\nZ\n</realtime_conversation>", Boundary, Known, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			state, got := diff(t, test.section, test.stored, test.history, test.mode)
			if state != test.state || got != test.want {
				t.Errorf("got %s and %q, want %s and %q", state, got, test.state, test.want)
			}
		})
	}
}

func TestPermissions(t *testing.T) {
	const told = "<permissions instructions>\nT\n</permissions instructions>"
	section := func(prefixes string) string {
		return `{"id":"permissions","current":{"instructions_hash":"h","text":"T","approved_command_prefixes":` + prefixes + `}}`
	}
	for name, test := range map[string]struct{ now, stored, want string }{
		"equal":             {`[["a"]]`, `{"instructions":"h","approved_command_prefixes":[["a"]]}`, ""},
		"order is nothing":  {`[["b"],["a"]]`, `{"instructions":"h","approved_command_prefixes":[["a"],["b"]]}`, ""},
		"added":             {`[["a"],["b","c"]]`, `{"instructions":"h","approved_command_prefixes":[["a"]]}`, "Approved command prefix saved:\n- [\"b\", \"c\"]"},
		"removed":           {`[]`, `{"instructions":"h","approved_command_prefixes":[["a"]]}`, told},
		"added and removed": {`[["b"]]`, `{"instructions":"h","approved_command_prefixes":[["a"]]}`, told},
		"another hash":      {`[["a"]]`, `{"instructions":"i","approved_command_prefixes":[["a"]]}`, told},
		"an old bare hash":  {`[["a"]]`, `"` + Fingerprint("developer", told) + `"`, ""},
		"another bare hash": {`[["a"]]`, `"h"`, told},
	} {
		if state, got := diff(t, section(test.now), test.stored, told, Boundary); state != Known || got != test.want {
			t.Errorf("%s: got %s and %q, want %q", name, state, got, test.want)
		}
	}
}

// The order and the limits of the list of saved prefixes (WLD-32).
func TestPrefixList(t *testing.T) {
	got := PrefixList([][]string{{"b", "b"}, {"zz"}, {"aaa"}, {"a\"", "b"}, {"ab"}})
	if want := "- [\"ab\"]\n- [\"zz\"]\n- [\"aaa\"]\n- [\"b\", \"b\"]\n- [\"a\\\"\", \"b\"]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	many := make([][]string, 101)
	for i := range many {
		many[i] = []string{"x"}
	}
	if got := PrefixList(many[:100]); strings.Contains(got, "truncated") || strings.Count(got, "\n") != 99 {
		t.Errorf("100 lines are not cut: %q", got[len(got)-40:])
	}
	if got := PrefixList(many); !strings.HasSuffix(got, "- [\"x\"]...\n[Some commands were truncated]") || strings.Count(got, "\n") != 100 {
		t.Errorf("101 lines are cut: %q", got[len(got)-60:])
	}
	long := PrefixList([][]string{{strings.Repeat("é", 6000)}})
	if want := "- [\"" + strings.Repeat("é", 4996) + "...\n[Some commands were truncated]"; long != want {
		t.Errorf("5000 characters, not bytes: got %d bytes, want %d", len(long), len(want))
	}
}

func TestFingerprint(t *testing.T) {
	sum := sha1.Sum([]byte("codex-world-state-fragment-v1\x00" + "\x00\x00\x00\x00\x00\x00\x00\x09developer" + "\x00\x00\x00\x00\x00\x00\x00\x04a\n\rb"))
	if got, want := Fingerprint("developer", "a\r\n\rb"), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// ultra is a setting of the session; the backend is sent max (LIF-25).
func TestRequestEffort(t *testing.T) {
	for effort, want := range map[string]string{"ultra": "max", "max": "max", "high": "high", "": ""} {
		if got := RequestEffort(effort); got != want {
			t.Errorf("%q: got %q, want %q", effort, got, want)
		}
	}
}

// The keys of snapshots are in the order of their bytes, whatever the order of the sections (WLD-3).
func TestSnapshotIsSorted(t *testing.T) {
	sections, err := Decode(jsonvalue.At(jsonvalue.MustParse(`[
		{"id":"realtime","current":{"active":false}},
		{"id":"environments","current":{"environments":{"b":{"cwd":"/"},"B":{"cwd":"/"}}}},
		{"id":"agents_md","current":{}}]`)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Snapshot(sections)
	want := `{"agents_md":{},"environments":{"environments":{"B":{"cwd":"/","status":"available"},"b":{"cwd":"/","status":"available"}}},"realtime":{"active":false}}`
	if err != nil || got.String() != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestClean(t *testing.T) {
	got := Clean(jsonvalue.MustParse(`{"a":null,"b":{"c":null,"d":{"e":null}},"f":[null,{"g":null}]}`)).String()
	if want := `{"b":{"d":{}},"f":[null,{"g":null}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBadSections(t *testing.T) {
	_, err := Decode(jsonvalue.At(jsonvalue.MustParse(`[{"id":"weather","current":{}}]`)))
	var unsupported *UnsupportedSection
	if !errors.As(err, &unsupported) || unsupported.ID != "weather" {
		t.Errorf("an unknown section: got %v", err)
	}
	for section, want := range map[string]string{
		`{"id":"model"}`:                       "/0/current: required: want object",
		`{"id":"model","current":{"model":1}}`: "/0/current/model: want string, got number",
		`{"id":"environments","current":{"environments":{"a":{"cwd":"/","status":"unavailable"}}}}`:                     "/0/current/environments/a/status: an environment that is gone is left out: want available or starting",
		`{"id":"multi_agent_mode","current":{"mode":"sometimes"}}`:                                                      `/0/current/mode: want one of explicitRequestOnly, proactive, got "sometimes"`,
		`{"id":"collaboration_mode","current":{"mode":"turbo","model":"m"}}`:                                            `/0/current/mode: want one of default, plan, got "turbo"`,
		`{"id":"model","current":{"model":"m","lead":5}}`:                                                               "/0/current/lead: want string, got number",
		`{"id":"agents_md","current":{},"notices":5}`:                                                                   "/0/notices: want object, got number",
		`{"id":"agents_md","current":{},"notices":{"remove":5}}`:                                                        "/0/notices/remove: want string, got number",
		`{"id":"permissions","current":{"approved_command_prefixes":[["a",1]]}}`:                                        "/0/current/approved_command_prefixes/0/1: want string, got number",
		`{"id":"x","fragment":{"type":"generic","role":"user","start":"","end":"","body":""},"legacy":{"role":"user"}}`: "/0/legacy/start: required: want string",
	} {
		if _, err := Decode(jsonvalue.At(jsonvalue.MustParse("[" + section + "]"))); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", section, err, want)
		}
	}
	sections, err := Decode(jsonvalue.At(jsonvalue.MustParse(`[{"id":"realtime","current":{"active":true}}]`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Diff(sections, jsonvalue.Value{}, nil, Full); err == nil || err.Error() != "/0/current/start: required: want string" {
		t.Errorf("a text that is needed and missing: got %v", err)
	}
	if _, err := Diff(append(sections, sections...), jsonvalue.Value{}, nil, Full); err == nil || err.Error() != "duplicate world-state section ID: realtime" {
		t.Errorf("a duplicate: got %v", err)
	}
}
