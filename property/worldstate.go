package property

import (
	"fmt"
	"slices"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// sectionStates has a few states of each world-state section, the plainest first.
var sectionStates = [][]string{
	{`{"id":"model","current":{"model":"a","instructions":"I","lead":"L"}}`, `{"id":"model","current":{"model":"b","previous_model":"a","instructions":"I","lead":"L"}}`, `{"id":"model","current":{"model":"b","previous_model":"a","instructions":"","lead":"L"}}`},
	{`{"id":"personality","current":{"model":"a"}}`, `{"id":"personality","current":{"model":"a","personality":"p","text":"T","lead":"L"}}`, `{"id":"personality","current":{"model":"a","personality":"q","text":"U","lead":"L","baked":true}}`, `{"id":"personality","current":{"model":"","personality":"","text":"","lead":""}}`},
	{`{"id":"realtime","current":{"active":false,"start":"S","end":"E"}}`, `{"id":"realtime","current":{"active":true,"start":"S","end":"E"}}`},
	{`{"id":"agents_md","current":{},"notices":{"replace":"R","remove":"X"}}`, `{"id":"agents_md","current":{"text":"T"},"notices":{"replace":"R","remove":"X"}}`, `{"id":"agents_md","current":{"directory":"/w","text":"T"},"notices":{"replace":"R","remove":"X"}}`, `{"id":"agents_md","current":{"directory":"","text":""},"notices":{"replace":"","remove":""}}`},
	{`{"id":"permissions","current":{"text":"T","approved_command_prefixes":[]}}`, `{"id":"permissions","current":{"text":"T","approved_command_prefixes":[["b"],["a","c"]]}}`, `{"id":"permissions","current":{"text":"U","approved_command_prefixes":[["a","c"]]}}`},
	{`{"id":"collaboration_mode","current":{"mode":"default","model":"a"}}`, `{"id":"collaboration_mode","current":{"mode":"plan","model":"a","instructions":"P"}}`, `{"id":"collaboration_mode","current":{"mode":"default","model":"b","instructions":""}}`},
	{
		`{"id":"environments","current":{"environments":{"l":{"cwd":"/w"}}}}`, `{"id":"environments","current":{"environments":{"l":{"cwd":"/w","shell":"sh","primary":true},"r":{"cwd":"C:\\w","status":"starting"}},"current_date":"2026-01-01"}}`, `{"id":"environments","current":{"environments":{"":{"cwd":"","shell":""}},"current_date":"","timezone":""}}`,
		`{"id":"environments","current":{"environments":{},"timezone":"UTC","network":{"allowed":["a"],"denied":[]},"subagents":"x"}}`,
	},
	{`{"id":"apps_instructions","current":{"active":false}}`, `{"id":"apps_instructions","current":{"active":true,"text":"A"}}`},
	{`{"id":"tools","current":{"namespaces":{}}}`, `{"id":"tools","current":{"namespaces":{"n":"d","m":""}}}`, `{"id":"tools","current":{"namespaces":{"n":"e"}}}`},
	{`{"id":"multi_agent_usage_hint","current":{"text":"H"}}`, `{"id":"multi_agent_usage_hint","current":{"text":"H","marked":true}}`},
	{`{"id":"multi_agent_mode","current":{"mode":null,"texts":{"explicitRequestOnly":"E","proactive":"P"}}}`, `{"id":"multi_agent_mode","current":{"mode":"proactive","texts":{"proactive":"P"}}}`, `{"id":"multi_agent_mode","current":{"mode":{"custom":"C"},"texts":{},"usage_hint_hash":"h"}}`},
	{`{"id":"managed_developer_instructions","current":{},"notices":{"replace":"R","remove":"X"}}`, `{"id":"managed_developer_instructions","current":{"text":"M"},"notices":{"replace":"R","remove":"X"}}`},
}

// sectionState is one state of one section, by index.
type sectionState struct{ section, state int }

// worldStates draws a few sections, each once, each in one of its states.
func worldStates() domain[[]sectionState] {
	one := domain[sectionState]{
		draw: func(s source) sectionState {
			section := s.below(len(sectionStates))
			return sectionState{section, s.below(len(sectionStates[section]))}
		},
		shrink: func(v sectionState) []sectionState {
			var candidates []sectionState
			for state := range v.state {
				candidates = append(candidates, sectionState{v.section, state})
			}
			return candidates
		},
	}
	distinct := func(states []sectionState) []sectionState {
		var kept []sectionState
		for _, state := range states {
			if !slices.ContainsFunc(kept, func(other sectionState) bool { return other.section == state.section }) {
				kept = append(kept, state)
			}
		}
		return kept
	}
	all := list(one, 8)
	return domain[[]sectionState]{
		draw:   func(s source) []sectionState { return distinct(all.draw(s)) },
		shrink: all.shrink, // leaving out or changing a state keeps the sections distinct
	}
}

func sectionsOf(states []sectionState) jsonvalue.Value {
	sections := make([]jsonvalue.Value, len(states))
	for i, state := range states {
		sections[i] = jsonvalue.MustParse(sectionStates[state.section][state.state])
	}
	return jsonvalue.OfArray(sections...)
}

func worldStateDiff(c caller, states []sectionState, previous, history jsonvalue.Value, mode string) (jsonvalue.Value, error) {
	return c.call(protocol.WorldStateDiff,
		jsonvalue.Field("sections", sectionsOf(states)), jsonvalue.Field("previous", previous),
		jsonvalue.Field("history", history), jsonvalue.Field("mode", jsonvalue.OfString(mode)))
}

func worldStateLaws() []Law {
	return []Law{
		newLaw("LAW-20", "what did not change is not sent again",
			"After a full rendering, the same state compared with its own snapshot, with the rendered messages still in history, says nothing and leaves no patch.",
			[]string{"WLD-7", "WLD-8", "WLD-11"}, []string{protocol.WorldStateDiff},
			both(worldStates(), choice("history", "snapshot")), func(c caller, in pair[[]sectionState, string]) error {
				first, err := worldStateDiff(c, in.A, jsonvalue.Value{}, jsonvalue.OfArray(), "full")
				if err != nil {
					return err
				}
				snapshot, _ := first.Get("snapshot")
				history, _ := first.Get("items")
				again, err := worldStateDiff(c, in.A, snapshot, history, in.B)
				if err != nil {
					return err
				}
				if err := expectMember(again, "items", jsonvalue.OfArray()); err != nil {
					return err
				}
				return expectMember(again, "patch", jsonvalue.Value{})
			}),
		newLaw("LAW-21", "the recorded patches rebuild the state",
			"Applying the patch of a step to the snapshot before it gives the snapshot after it, whichever sections came, changed and went.",
			[]string{"WLD-11", "WLD-21", "LIF-24"}, []string{protocol.WorldStateDiff, protocol.MergePatchApply},
			both(worldStates(), worldStates()), func(c caller, in pair[[]sectionState, []sectionState]) error {
				first, err := worldStateDiff(c, in.A, jsonvalue.Value{}, jsonvalue.OfArray(), "full")
				if err != nil {
					return err
				}
				before, _ := first.Get("snapshot")
				second, err := worldStateDiff(c, in.B, before, jsonvalue.OfArray(), "snapshot")
				if err != nil {
					return err
				}
				after, _ := second.Get("snapshot")
				patch, _ := second.Get("patch")
				if patch.IsNull() {
					if !jsonvalue.Equal(before, after) {
						return fmt.Errorf("no patch from %s to %s", before, after)
					}
					return nil
				}
				applied, err := c.call(protocol.MergePatchApply, jsonvalue.Field("target", before), jsonvalue.Field("patch", patch))
				if err != nil {
					return err
				}
				return expectMember(applied, "result", after)
			}),
		newLaw("LAW-22", "the initial context says everything once",
			"Each world-state fragment, developer instruction and contribution is one content item of the initial context, in a message of its own role; all user text is in one message, and a model switch stands first.",
			[]string{"INI-1", "INI-3", "INI-9"}, []string{protocol.ContextInitial},
			both(initialKinds(), choice(false, true)), func(c caller, in pair[[]initialKind, bool]) error {
				return checkInitial(c, in.A, in.B)
			}),
	}
}

// initialKind is a kind of fragment in the world state of an initial context.
type initialKind struct{ role, start, end string }

// initialKinds draws fragments, each at most once where the last one would win (INI-4, INI-5).
func initialKinds() domain[[]initialKind] {
	kinds := list(choice(
		initialKind{"developer", "<permissions instructions>", "</permissions instructions>"},
		initialKind{"developer", "<personality_spec>", "</personality_spec>"},
		initialKind{"developer", "", ""},
		initialKind{"user", "<environment_context>", "</environment_context>"},
		initialKind{"developer", "<model_switch>", "</model_switch>"},
		initialKind{"developer", "<multi_agent_mode>", "</multi_agent_mode>"},
		initialKind{"developer", "<multi_agent_role>", "</multi_agent_role>"},
		initialKind{"developer", "<managed_developer_instructions>", "</managed_developer_instructions>"},
	), 8)
	once := func(all []initialKind) []initialKind {
		var kept []initialKind
		for _, kind := range all {
			if !slices.Contains(kept, kind) {
				kept = append(kept, kind)
			}
		}
		return kept
	}
	return domain[[]initialKind]{
		draw: func(s source) []initialKind { return once(kinds.draw(s)) },
		shrink: func(v []initialKind) [][]initialKind {
			return slices.DeleteFunc(kinds.shrink(v), func(candidate []initialKind) bool { return len(once(candidate)) != len(candidate) })
		},
	}
}

func checkInitial(c caller, kinds []initialKind, instructed bool) error {
	var state []jsonvalue.Value
	var want []string
	for i, kind := range kinds {
		body := fmt.Sprint(i)
		want = append(want, kind.role+" "+kind.start+body+kind.end)
		state = append(state, jsonvalue.OfObject(
			jsonvalue.Field("type", jsonvalue.OfString("generic")), jsonvalue.Field("role", jsonvalue.OfString(kind.role)),
			jsonvalue.Field("start", jsonvalue.OfString(kind.start)), jsonvalue.Field("end", jsonvalue.OfString(kind.end)),
			jsonvalue.Field("body", jsonvalue.OfString(body)), jsonvalue.Field("separate", jsonvalue.OfBool(kind.start != "<permissions instructions>"))))
	}
	params := []jsonvalue.Member{jsonvalue.Field("world_state", jsonvalue.OfArray(state...))}
	if instructed {
		want = append(want, "developer be brief")
		params = append(params, jsonvalue.Field("developer_instructions", jsonvalue.OfString("be brief")))
	}
	result, err := c.call(protocol.ContextInitial, params...)
	if err != nil {
		return err
	}
	items, _ := result.Get("items")
	var got []string
	users := 0
	for n, element := range items.Elements() {
		m := readMessage(element)
		if m.role == "user" {
			users++
		}
		for _, text := range m.texts {
			got = append(got, m.role+" "+text)
		}
		if switched := slices.Contains(kinds, initialKind{"developer", "<model_switch>", "</model_switch>"}); n == 0 && switched {
			if len(m.texts) == 0 || len(m.texts[0]) < len("<model_switch>") || m.texts[0][:len("<model_switch>")] != "<model_switch>" {
				return fmt.Errorf("the model switch is not first: %q", m.texts)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("texts: got %q, want %q", got, want)
	}
	if users > 1 {
		return fmt.Errorf("%d user messages, want at most one", users)
	}
	return nil
}
