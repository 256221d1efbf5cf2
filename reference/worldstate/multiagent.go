package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// usageHintSection tells how to use other agents (WLD-39). What was told is recognised by its
// exact text; that the hint is gone is not told.
func usageHintSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	text := current.Text("text")
	f := fragment.Plain("multi_agent_usage_hint", text)
	if current.OptionalBool("marked") { // it comes from the model catalogue
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
	}, *err
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
	current, err := read(c)
	mode, hint := currentMode(current), current.Optional("usage_hint_hash")
	if current.Has("texts") {
		texts := current.Object("texts") // each is needed only where it is told
		texts.Optional(ExplicitRequestOnly)
		texts.Optional(Proactive)
	}
	snapshot := object(namedText{"usage_hint_hash", hint})
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
			} else if previous.State == Known && told == mode && optionalOf(previous.Snapshot, "usage_hint_hash") == hint {
				return fragment.Fragment{}, false, nil
			}
			text := show.custom
			if !show.isCustom {
				var err error
				if text, err = current.Cursor.Member("texts").Member(show.name).Text(); err != nil {
					return fragment.Fragment{}, false, err
				}
			}
			f, say := fragment.MultiAgentMode(text)
			return f, say, nil
		},
	}, *err
}

// currentMode reads the mode as it is given, or derives it (LIF-26).
func currentMode(current jsonvalue.Reader) multiAgentMode {
	if current.Has("derive") {
		return deriveMode(current.Object("derive"))
	}
	if !current.Has("mode") {
		return multiAgentMode{}
	}
	switch mode := current.Cursor.Member("mode").Value; mode.Kind() {
	case jsonvalue.Object:
		return custom(current.Object("mode").Text("custom"))
	case jsonvalue.String:
		return multiAgentMode{name: current.OneOf("mode", ExplicitRequestOnly, Proactive)}
	default:
		current.FailAt("mode", "want %s, %s or {custom}", ExplicitRequestOnly, Proactive)
		return multiAgentMode{}
	}
}

// custom cuts the text before it is kept (WLD-40).
func custom(text string) multiAgentMode {
	return multiAgentMode{custom: fragment.CustomModeText(text), isCustom: true}
}

// deriveMode finds the mode of a turn (LIF-26): version 2 only, and only for the root and for
// threads it spawned. A hint text comes first, an empty one included; then the effort, the model's
// own where none is chosen; then the catalogue's text.
func deriveMode(r jsonvalue.Reader) multiAgentMode {
	version, session := r.Int("multi_agent_version"), r.Optional("session")
	hint, catalogue := r.Optional("hint_text"), r.Optional("catalogue_text")
	effort, own := r.Optional("effort"), r.Optional("default_effort")
	if !effort.Present {
		effort = own
	}
	switch {
	case version != 2, session.Present && session.Text != "root" && session.Text != "spawned_thread":
		return multiAgentMode{}
	case hint.Present:
		return custom(hint.Text)
	case effort.Text == Ultra:
		return multiAgentMode{name: Proactive}
	case catalogue.Present:
		return custom(catalogue.Text)
	default:
		return multiAgentMode{name: ExplicitRequestOnly}
	}
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
