package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// modelSection announces a change of model (WLD-24). A switch must still stand in history for the
// stored model to count: once the first turn is over none does, and the decision falls to the
// previous turn's model (WLD-25).
func modelSection(c jsonvalue.Cursor) (Section, error) {
	current := c.Member("current")
	model, err := current.Member("model").Text()
	if err != nil {
		return Section{}, err
	}
	before, beforeKnown, err := current.Member("previous_model").OptionalText()
	if err != nil {
		return Section{}, err
	}
	instructions, _, err := current.Member("instructions").OptionalText()
	if err != nil {
		return Section{}, err
	}
	return Section{
		Snapshot: jsonvalue.OfString(model),
		Legacy:   markedKind("model_switch"),
		Retained: markedKind("model_switch"),
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			changed := beforeKnown && before != model
			if previous.State == Known {
				told, _ := previous.Snapshot.Text()
				changed = told != model
			}
			if !changed || instructions == "" {
				return fragment.Fragment{}, false, nil
			}
			lead, err := current.Member("lead").Text()
			return fragment.ModelSwitch(lead, instructions), true, err
		},
	}, nil
}

// personalitySection tells a change of style within one model (WLD-26). What the base instructions
// already hold is not told again, and giving a style up has no text.
func personalitySection(c jsonvalue.Cursor) (Section, error) {
	current := c.Member("current")
	now, err := decodePersonality(current)
	if err != nil {
		return Section{}, err
	}
	text, available, err := current.Member("text").OptionalText()
	if err != nil {
		return Section{}, err
	}
	lead, hasLead, err := current.Member("lead").OptionalText()
	if err != nil {
		return Section{}, err
	}
	baked, err := current.Member("baked").OptionalBool()
	if err != nil {
		return Section{}, err
	}
	var before *personality // of the previous turn, nil where there was none
	if previous := current.Member("previous"); previous.Present {
		decoded, err := decodePersonality(previous)
		if err != nil {
			return Section{}, err
		}
		before = &decoded
	}
	changed := func(old personality) bool { return old.model == now.model && old.style != now.style }
	return Section{
		Snapshot: object("model", now.model, "personality", now.style),
		Legacy:   markedKind("personality"),
		Decodes: func(v jsonvalue.Value) bool {
			return hasText(v, "model") && isOptionalTexts(v, "personality")
		},
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			var say bool
			switch previous.State {
			case Known:
				say = changed(personality{textOf(previous.Snapshot, "model"), textOf(previous.Snapshot, "personality")})
			case Unknown:
				say = before != nil && changed(*before)
			default:
				say = !baked && (before == nil || before.model == now.model)
			}
			f := fragment.Personality(lead, text)
			if !hasLead {
				f.Body = " " + text + " "
			}
			return f, say && available && now.style != "", nil
		},
	}, nil
}

type personality struct{ model, style string }

func decodePersonality(c jsonvalue.Cursor) (personality, error) {
	model, err := c.Member("model").Text()
	if err != nil {
		return personality{}, err
	}
	style, _, err := c.Member("personality").OptionalText()
	return personality{model, style}, err
}

// contextWindowSection tells an agent that its place among the agents changed. The first telling
// is not its own: the initial context holds the whole block (WLD-27, INI-11).
func contextWindowSection(c jsonvalue.Cursor) (Section, error) {
	current := c.Member("current")
	path, err := current.Member("agent_path").Text()
	if err != nil {
		return Section{}, err
	}
	return Section{
		Snapshot: jsonvalue.OfString(path),
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			told, _ := previous.Snapshot.Text()
			if previous.State != Known || told == path {
				return fragment.Fragment{}, false, nil
			}
			block := current
			block.Value = current.Value.With("type", jsonvalue.OfString("context_window"))
			f, err := fragment.DecodeOne(block)
			return f, err == nil, err
		},
	}, nil
}

// contextWindowGuidanceSection tells a text whenever it is not known to have been told; that it is
// gone is not told (WLD-27).
func contextWindowGuidanceSection(c jsonvalue.Cursor) (Section, error) {
	text, err := c.Member("current").Member("text").Text()
	if err != nil {
		return Section{}, err
	}
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
	}, nil
}

// realtimeSection tells that a voice conversation starts and ends. Both share their markers, so
// the end of one also counts as retained; if neither is left in history, no end is ever told
// (WLD-28).
func realtimeSection(c jsonvalue.Cursor) (Section, error) {
	current := c.Member("current")
	active, err := current.Member("active").Bool()
	if err != nil {
		return Section{}, err
	}
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
			text, err := current.Member(field).Text()
			return fragment.Plain(kind, text), true, err
		},
	}, nil
}

// switchedSection tells a text when a feature is on that was not known to be; unknown counts as
// told already. Turning it off is silent, the snapshot alone changes (WLD-36).
func switchedSection(kind string) func(c jsonvalue.Cursor) (Section, error) {
	return func(c jsonvalue.Cursor) (Section, error) {
		current := c.Member("current")
		active, err := current.Member("active").Bool()
		if err != nil {
			return Section{}, err
		}
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
				text, err := current.Member("text").Text()
				return fragment.Plain(kind, text), true, err
			},
		}, nil
	}
}

// toolsSection tells which tools can be loaded (WLD-38). It has no matchers; without namespaces it
// leaves no snapshot.
func toolsSection(c jsonvalue.Cursor) (Section, error) {
	names, values, err := c.Member("current").Member("namespaces").Fields()
	if err != nil {
		return Section{}, err
	}
	now := map[string]string{}
	snapshot := jsonvalue.OfObject()
	for i, name := range names {
		description, err := values[i].Text()
		if err != nil {
			return Section{}, err
		}
		now[name] = fragment.ToolDescription(description)
		snapshot = snapshot.With(name, jsonvalue.OfString(now[name]))
	}
	return Section{
		Snapshot:  snapshot,
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
	}, nil
}
