package recordings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/worldstate"
)

// The scenarios that change settings between turns.
var settingsScenarios = []string{
	"first_and_second_turn", "settings_model_only", "settings_personality", "settings_permissions", "settings_cwd_with_agents",
	"settings_collaboration_mode", "settings_many_at_once", "settings_effort_only", "effort_ultra_multi_agent_v2",
}

// Each turn's state is rebuilt from what the scenario set and what the file says of the turn, and
// rendered: in full first, then as the difference at the turn boundary. The messages must be the
// recorded ones, role by role and kind by kind, and the patch must touch the recorded sections
// (INI-1, MRG-9, WLD-8, WLD-11). The prose of the program is not in the recordings, so stand-ins
// take its place.
func TestSettings(t *testing.T) {
	turns := 0
	each(t, CheckUpdates, func(r Recording, differs func(input, detail string)) {
		if !slices.Contains(settingsScenarios, r.Name) {
			return
		}
		recorded := recordedTurns(r)
		starts := slices.DeleteFunc(slices.Clone(r.Steps), func(s Step) bool { return s.Method != "turn/start" })
		if len(recorded) != len(starts) || len(recorded) < 2 {
			t.Fatalf("%s: %d turns started, %d recorded", r.Name, len(starts), len(recorded))
		}
		var baseline jsonvalue.Value
		var history []item.Item
		state := sessionState{scenario: r.Name}
		for n, turn := range recorded {
			turns++
			state.apply(starts[n].Params, turn.context)
			sections, err := worldstate.Decode(jsonvalue.At(state.sections()))
			if err != nil {
				t.Fatalf("%s, turn %d: %v", r.Name, n+1, err)
			}
			mode := worldstate.Boundary
			if n == 0 {
				mode = worldstate.Full
			}
			transition, err := worldstate.Diff(sections, baseline, history, mode)
			if err != nil {
				t.Fatalf("%s, turn %d: %v", r.Name, n+1, err)
			}
			messages := assemble.Merge(transition.Fragments)
			if n == 0 {
				messages = assemble.Initial{DeveloperInstructions: "DEV-INSTR", WorldState: transition.Fragments}.Items()
			}
			where := fmt.Sprintf("turn %d", n+1)
			if got, want := outline(messages), turn.messages; !slices.Equal(got, want) {
				differs(where, fmt.Sprintf("got %q, recorded %q", got, want))
			}
			if got, want := patched(transition.Patch), turn.patched; n > 0 && !slices.Equal(got, want) {
				differs(where+" patch", fmt.Sprintf("got %q, recorded %q", got, want))
			}
			history = append(append(history, messages...), item.Message(item.RoleUser, []item.Content{item.Text("typed")}, nil))
			baseline = transition.Snapshot
			state.previous = turn.context
		}
	})
	if turns < 50 {
		t.Errorf("only %d turns were compared", turns)
	}
}

// recordedTurn is what the file holds of one turn.
type recordedTurn struct {
	context  jsonvalue.Value // its turn_context
	messages []string        // the context messages before the typed one, as outline gives them
	patched  []string        // the sections of its world_state patch
}

func recordedTurns(r Recording) []recordedTurn {
	var turns []recordedTurn
	next := recordedTurn{}
	for _, line := range r.Rollout {
		switch kind, _ := line.GetText("rollout"); kind {
		case "world_state":
			if full, _ := line.Get("full"); full.String() == "false" {
				names, _ := line.Get("sections")
				for _, name := range names.Elements() {
					text, _ := name.Text()
					next.patched = append(next.patched, text)
				}
			}
		case "turn_context":
			next.context = line
			turns = append(turns, next)
			next = recordedTurn{}
		case "response_item":
			// Additional context and what was typed are the turn's input. In the newer version the
			// untrusted part of it is no message.
			if it := item.FromValue(line); it.Type() != item.TypeMessage {
				continue
			}
			if message := outline([]item.Item{item.FromValue(line)}); !strings.HasPrefix(message[0], "assistant") &&
				!strings.Contains(message[0], "user.text") && !strings.Contains(message[0], "additional_content.") {
				next.messages = append(next.messages, message...)
			}
		}
	}
	return turns
}

// outline gives each message as its role and kinds.
func outline(items []item.Item) []string {
	lines := []string(nil)
	for _, it := range items {
		line := it.Role()
		for n, content := range it.Contents() {
			kind, recorded := content.Value().GetText("kind")
			if !recorded {
				kind = it.Kinds()[n]
			}
			line += " " + kind
		}
		lines = append(lines, line)
	}
	return lines
}

func patched(patch jsonvalue.Value) []string {
	var names []string
	for _, m := range patch.Members() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// sessionState is what the world state of a turn is made of.
type sessionState struct {
	scenario          string
	context, previous jsonvalue.Value // turn contexts
	mode              string          // of collaboration: the JSON of its instructions
	effort            string
}

// apply takes over what a turn was started with.
func (s *sessionState) apply(params, context jsonvalue.Value) {
	s.context = context
	if s.mode == "" {
		s.mode = "null"
	}
	if mode, ok := params.Get("collaborationMode"); ok {
		settings, _ := mode.Get("settings")
		instructions, _ := settings.Get("developer_instructions")
		s.mode = instructions.String()
		if instructions.IsNull() {
			s.mode = `"the mode's own text"`
		}
	}
	if effort, ok := context.GetText("effort"); ok {
		s.effort = effort
	}
}

func (s *sessionState) sections() jsonvalue.Value {
	get := func(v jsonvalue.Value, name string) string {
		text, _ := v.GetText(name)
		return jsonvalue.OfString(text).String()
	}
	model, style, cwd := get(s.context, "model"), get(s.context, "personality"), get(s.context, "cwd")
	permissions := jsonvalue.OfString(get(s.context, "approval_policy") + get(s.context, "sandbox")).String()
	previousModel, previous := "null", "null"
	if !s.previous.IsNull() {
		previousModel = get(s.previous, "model")
		previous = fmt.Sprintf(`{"model":%s,"personality":%s}`, previousModel, get(s.previous, "personality"))
	}
	agents := fmt.Sprintf(`{"directory":%s,"text":"rules"}`, cwd)
	if s.scenario == "settings_many_at_once" && strings.Contains(cwd, "work2") {
		agents = `{}` // that scenario's second folder has no instructions
	}
	hint := ""
	multiAgent := `{"mode":null,"texts":{"explicitRequestOnly":"on request"}}`
	if model == `"oracle-v2"` {
		hint = `{"id":"multi_agent_usage_hint","current":{"text":"hint"}},`
		multiAgent = fmt.Sprintf(`{"derive":{"multi_agent_version":2,"effort":%q},"texts":{"explicitRequestOnly":"on request","proactive":"proactive"}}`, s.effort)
	}
	return jsonvalue.MustParse(fmt.Sprintf(`[
		{"id":"model","current":{"model":%s,"previous_model":%s,"instructions":"instructions","lead":"lead"}},
		{"id":"personality","current":{"model":%s,"personality":%s,"text":"style","lead":"lead","baked":true,"previous":%s}},
		{"id":"realtime","current":{"active":false}},
		{"id":"agents_md","current":%s,"notices":{"replace":"replaced","remove":"removed"}},
		{"id":"host_skills","fragment":{"type":"generic","role":"developer","start":"<skills_instructions>","end":"</skills_instructions>","body":"x","content_kind":"host_skills.instructions"},"snapshot":true},
		{"id":"permissions","current":{"text":%s,"approved_command_prefixes":[]}},
		{"id":"collaboration_mode","current":{"mode":%s,"model":%s,"instructions":%s}},
		{"id":"environments","current":{"environments":{"local":{"cwd":%s,"shell":"bash"}},"current_date":"2026-01-01","timezone":"Etc/UTC","filesystem":%s}},
		{"id":"environments_instructions","current":{"active":false}},
		{"id":"apps_instructions","current":{"active":false}},
		{"id":"plugins_instructions","current":{"active":false}},
		%s
		{"id":"multi_agent_mode","current":%s},
		{"id":"managed_developer_instructions","current":{}}
	]`, model, previousModel, model, style, previous, agents, permissions, get(s.context, "collaboration_mode"), model, s.mode, cwd,
		get(s.context, "sandbox"), hint, multiAgent))
}
