package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// usageHintSection tells how to use other agents (WLD-39). What was told is recognised by its
// exact text; that the hint is gone is not told.
func usageHintSection(c jsonvalue.Cursor) (Section, error) {
	text, err := c.Member("current").Member("text").Text()
	if err != nil {
		return Section{}, err
	}
	marked, err := c.Member("current").Member("marked").OptionalBool()
	if err != nil {
		return Section{}, err
	}
	f := fragment.Plain("multi_agent_usage_hint", text)
	if marked { // it comes from the model catalogue
		f = fragment.MultiAgentRole(text, true)
	}
	hash := fingerprintOf(f)
	return Section{
		Snapshot: jsonvalue.OfString(hash),
		Legacy:   func(role, text string) bool { return role == f.Role && text == f.Render() },
		Decodes:  isText,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			told, _ := previous.Snapshot.Text()
			same := previous.State == Unknown || (previous.State == Known && told == hash)
			return f, !same, nil
		},
	}, nil
}

// The multi-agent modes that have a name; a third is a text of its own (WLD-40).
const (
	ExplicitRequestOnly = "explicitRequestOnly"
	Proactive           = "proactive"
)

// multiAgentMode says when the model may start other agents: one of the two names, or a custom text. The
// zero value is none at all.
type multiAgentMode struct {
	name     string
	custom   string
	isCustom bool
}

// multiAgentModeSection tells when other agents may be started (WLD-40). That a mode is gone is
// told only where the model may still be acting on the proactive one.
func multiAgentModeSection(c jsonvalue.Cursor) (Section, error) {
	current := c.Member("current")
	mode, err := currentMode(current)
	if err != nil {
		return Section{}, err
	}
	hint, _, err := current.Member("usage_hint_hash").OptionalText()
	if err != nil {
		return Section{}, err
	}
	snapshot := object("usage_hint_hash", hint)
	if mode != (multiAgentMode{}) {
		snapshot = snapshot.With("mode", mode.encode())
	}
	return Section{
		Snapshot: snapshot,
		Legacy:   markedKind("multi_agent_mode"),
		Retained: markedKind("multi_agent_mode"),
		Decodes: func(v jsonvalue.Value) bool {
			_, ok := modeFromSnapshot(memberOf(v, "mode"))
			return ok && isOptionalTexts(v, "usage_hint_hash")
		},
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			told, _ := modeFromSnapshot(memberOf(previous.Snapshot, "mode"))
			show := mode
			if mode == (multiAgentMode{}) {
				if told.name != Proactive && previous.State != Unknown {
					return fragment.Fragment{}, false, nil
				}
				show = multiAgentMode{name: ExplicitRequestOnly}
			} else if previous.State == Known && told == mode && textOf(previous.Snapshot, "usage_hint_hash") == hint {
				return fragment.Fragment{}, false, nil
			}
			text := show.custom
			if !show.isCustom {
				if text, err = current.Member("texts").Member(show.name).Text(); err != nil {
					return fragment.Fragment{}, false, err
				}
			}
			f, say := fragment.MultiAgentMode(text)
			return f, say, nil
		},
	}, nil
}

// currentMode reads the mode as it is given, or derives it (LIF-26).
func currentMode(current jsonvalue.Cursor) (multiAgentMode, error) {
	if c := current.Member("derive"); c.Present {
		return deriveMode(c)
	}
	c := current.Member("mode")
	if !c.Present {
		return multiAgentMode{}, nil
	}
	if name, ok := c.Value.Text(); ok {
		if name != ExplicitRequestOnly && name != Proactive {
			return multiAgentMode{}, c.Fail("want %q, %q or {custom}", ExplicitRequestOnly, Proactive)
		}
		return multiAgentMode{name: name}, nil
	}
	if c.Value.Kind() != jsonvalue.Object {
		return multiAgentMode{}, c.Fail("want %q, %q or {custom}", ExplicitRequestOnly, Proactive)
	}
	text, err := c.Member("custom").Text()
	return custom(text), err
}

// custom cuts the text before it is kept (WLD-40).
func custom(text string) multiAgentMode {
	return multiAgentMode{custom: fragment.CustomModeText(text), isCustom: true}
}

// deriveMode finds the mode of a turn (LIF-26): version 2 only, and only for the root and for
// threads it spawned. A hint text comes first, an empty one included; then the effort, the model's
// own where none is chosen; then the catalogue's text.
func deriveMode(c jsonvalue.Cursor) (multiAgentMode, error) {
	version, err := c.Member("multi_agent_version").Int()
	if err != nil {
		return multiAgentMode{}, err
	}
	texts := map[string]string{}
	for _, name := range []string{"session", "effort", "default_effort", "hint_text", "catalogue_text"} {
		text, given, err := c.Member(name).OptionalText()
		if err != nil {
			return multiAgentMode{}, err
		}
		if given {
			texts[name] = text
		}
	}
	session, given := texts["session"]
	if version != 2 || (given && session != "root" && session != "spawned_thread") {
		return multiAgentMode{}, nil
	}
	if hint, ok := texts["hint_text"]; ok {
		return custom(hint), nil
	}
	effort, chosen := texts["effort"]
	if !chosen {
		effort = texts["default_effort"]
	}
	if effort == Ultra {
		return multiAgentMode{name: Proactive}, nil
	}
	if text, ok := texts["catalogue_text"]; ok {
		return custom(text), nil
	}
	return multiAgentMode{name: ExplicitRequestOnly}, nil
}

func (m multiAgentMode) encode() jsonvalue.Value {
	if m.isCustom {
		return jsonvalue.OfObject(jsonvalue.Field("custom", jsonvalue.OfString(m.custom)))
	}
	return jsonvalue.OfString(m.name)
}

// modeFromSnapshot reads a stored mode back. Null is no mode; `none`, which was once written, is a
// custom mode with an empty text (WLD-40, DIS-11).
func modeFromSnapshot(v jsonvalue.Value) (mode multiAgentMode, ok bool) {
	if v.IsNull() {
		return multiAgentMode{}, true
	}
	if name, ok := v.Text(); ok {
		if name == "none" {
			return multiAgentMode{isCustom: true}, true
		}
		return multiAgentMode{name: name}, name == ExplicitRequestOnly || name == Proactive
	}
	text, ok := v.GetText("custom")
	return multiAgentMode{custom: text, isCustom: true}, ok
}

// The one reasoning effort that is a setting of ours and not of the backend, and what the backend
// is sent in its place.
const (
	Ultra = "ultra"
	Max   = "max"
)

// RequestEffort is the effort as a request to the model carries it; everywhere else ultra stays
// ultra (LIF-25).
func RequestEffort(effort string) string {
	if effort == Ultra {
		return Max
	}
	return effort
}
