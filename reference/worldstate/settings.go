package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// modelSection announces a change of model (WLD-24). A switch must still stand in history for the
// stored model to count: once the first turn is over none does, and the decision falls to the
// previous turn's model (WLD-25).
func modelSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	model := current.Text("model")
	before := current.Optional("previous_model")
	instructions := current.Optional("instructions").Text
	current.Optional("lead") // needed only where there is something to say
	return Section{
		Snapshot: jsonvalue.OfString(model),
		Legacy:   markedKind("model_switch"),
		Retained: markedKind("model_switch"),
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			changed := before.Present && before.Text != model
			if previous.State == Known {
				told, _ := previous.Snapshot.Text()
				changed = told != model
			}
			if !changed || instructions == "" {
				return fragment.Fragment{}, false, nil
			}
			lead, err := current.Cursor.Member("lead").Text()
			return fragment.ModelSwitch(lead, instructions), true, err
		},
	}, *err
}

// personalitySection tells a change of style within one model (WLD-26). What the base instructions
// already hold is not told again, and giving a style up has no text.
func personalitySection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	now := readPersonality(current)
	text, lead := current.Optional("text"), current.Optional("lead")
	baked := current.OptionalBool("baked")
	var before *personality // of the previous turn, nil where there was none
	if current.Has("previous") {
		previous := readPersonality(current.Object("previous"))
		before = &previous
	}
	changed := func(old personality) bool { return old.model == now.model && old.style != now.style }
	return Section{
		Snapshot: object(named("model", now.model), namedText{"personality", now.style}),
		Legacy:   markedKind("personality"),
		Decodes: func(v jsonvalue.Value) bool {
			return hasText(v, "model") && isOptionalTexts(v, "personality")
		},
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			var say bool
			switch previous.State {
			case Known:
				say = changed(personality{textOf(previous.Snapshot, "model"), optionalOf(previous.Snapshot, "personality")})
			case Unknown:
				say = before != nil && changed(*before)
			default:
				say = !baked && (before == nil || before.model == now.model)
			}
			f := fragment.Personality(lead.Text, text.Text)
			if !lead.Present {
				f.Body = " " + text.Text + " "
			}
			return f, say && text.Present && now.style.Present, nil
		},
	}, *err
}

type personality struct {
	model string
	style jsonvalue.Optional
}

func readPersonality(r jsonvalue.Reader) personality {
	return personality{r.Text("model"), r.Optional("personality")}
}

// contextWindowSection tells an agent that its place among the agents changed. The first telling
// is not its own: the initial context holds the whole block (WLD-27, INI-11).
func contextWindowSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	path := current.Text("agent_path")
	return Section{
		Snapshot: jsonvalue.OfString(path),
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			told, _ := previous.Snapshot.Text()
			if previous.State != Known || told == path {
				return fragment.Fragment{}, false, nil
			}
			block := current.Cursor
			block.Value = block.Value.With("type", jsonvalue.OfString("context_window"))
			f, err := fragment.DecodeOne(block)
			return f, err == nil, err
		},
	}, *err
}

// contextWindowGuidanceSection tells a text whenever it is not known to have been told; that it is
// gone is not told (WLD-27).
func contextWindowGuidanceSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	text := current.Text("text")
	return Section{
		Snapshot: jsonvalue.OfString(text),
		Legacy:   markedKind("context_window_guidance"),
		Retained: markedKind("context_window_guidance"),
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			told, _ := previous.Snapshot.Text()
			same := previous.State == Known && told == text
			return fragment.Plain("context_window_guidance", text), !same, nil
		},
	}, *err
}

// realtimeSection tells that a voice conversation starts and ends. Both share their markers, so
// the end of one also counts as retained; if neither is left in history, no end is ever told
// (WLD-28).
func realtimeSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	active := current.Bool("active")
	current.Optional("start") // each is needed only where it is told
	current.Optional("end")
	return Section{
		Snapshot: jsonvalue.OfObject(jsonvalue.Field("active", jsonvalue.OfBool(active))),
		Legacy:   markedKind("realtime_start"),
		Retained: markedKind("realtime_start"),
		Decodes:  func(v jsonvalue.Value) bool { return hasBool(v, "active") },
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			was := false // absent and unknown: only a start is told
			if previous.State == Known {
				told, _ := previous.Snapshot.Get("active")
				was, _ = told.Bool()
			}
			if was == active {
				return fragment.Fragment{}, false, nil
			}
			kind, field := "realtime_end", "end"
			if active {
				kind, field = "realtime_start", "start"
			}
			text, err := current.Cursor.Member(field).Text()
			return fragment.Plain(kind, text), true, err
		},
	}, *err
}

// switchedSection tells a text when a feature is on that was not known to be; unknown counts as
// told already. Turning it off is silent, the snapshot alone changes (WLD-36).
func switchedSection(kind string) func(c jsonvalue.Cursor) (Section, error) {
	return func(c jsonvalue.Cursor) (Section, error) {
		current, err := read(c)
		active := current.Bool("active")
		current.Optional("text") // needed only where it is told
		return Section{
			Snapshot: jsonvalue.OfBool(active),
			Legacy:   markedKind(kind),
			Retained: markedKind(kind),
			Decodes:  isBool,
			Render: func(previous Previous) (fragment.Fragment, bool, error) {
				told, _ := previous.Snapshot.Bool()
				if !active || told || previous.State == Unknown {
					return fragment.Fragment{}, false, nil
				}
				text, err := current.Cursor.Member("text").Text()
				return fragment.Plain(kind, text), true, err
			},
		}, *err
	}
}

// toolsSection tells which tools can be loaded (WLD-38). It has no matchers; without namespaces it
// leaves no snapshot.
func toolsSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	namespaces := current.Object("namespaces")
	now := map[string]string{}
	kept := []jsonvalue.Member{}
	names, descriptions, _ := namespaces.Cursor.Fields() // that it is an object has been checked
	for i, name := range names {
		description, failure := descriptions[i].Text()
		namespaces.Fail(failure)
		now[name] = fragment.ToolDescription(description)
		kept = append(kept, jsonvalue.Field(name, jsonvalue.OfString(now[name])))
	}
	return Section{
		Snapshot:  sorted(kept),
		Transient: len(now) == 0,
		Decodes:   isTextMap,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			before := map[string]string{}
			for _, m := range previous.Snapshot.Members() {
				before[m.Name], _ = m.Value.Text()
			}
			f, say := fragment.Tools(before, previous.State == Known, now)
			return f, say, nil
		},
	}, *err
}
