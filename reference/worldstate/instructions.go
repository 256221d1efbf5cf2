package worldstate

import (
	"slices"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// replaceable says how a text that may come, change and go is told (WLD-29, WLD-41): mayHave is
// whether the model may have been told one before.
//
//	now a text, mayHave:   the text behind the notice that it replaces what was told
//	now a text, not:       the text
//	now none, mayHave:     the notice that what was told no longer applies
//	now none, not:         nothing
func replaceable(has, mayHave bool, notices jsonvalue.Cursor) (notice jsonvalue.Optional, say bool, err error) {
	if !mayHave {
		return jsonvalue.Optional{}, has, nil
	}
	name := "remove"
	if has {
		name = "replace"
	}
	text, err := notices.Member(name).Text()
	return jsonvalue.Optional{Text: text, Present: true}, true, err
}

// readNotices checks the types of the notices and returns that of a replacement. Each is needed
// only where it is told.
func readNotices(current jsonvalue.Reader, notices jsonvalue.Cursor) (replace jsonvalue.Optional) {
	if !notices.Present {
		return jsonvalue.Optional{}
	}
	r := current.On(notices)
	r.Optional("remove")
	return r.Optional("replace")
}

// agentsMDSection tells the project's instructions; another directory alone is a change (WLD-29,
// WLD-30). A removal names no directory (DET-23).
func agentsMDSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	directory, text := current.Optional("directory"), current.Optional("text")
	readNotices(current, c.Member("notices"))
	snapshot := jsonvalue.OfObject()
	if text.Present {
		snapshot = object(namedText{"directory", directory}, namedText{"text", text})
	}
	return Section{
		Snapshot: snapshot,
		Legacy:   markedKind("agents_md"),
		Decodes:  func(v jsonvalue.Value) bool { return isOptionalTexts(v, "directory", "text") },
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			if previous.State == Known && sameTexts(previous.Snapshot, snapshot, "directory", "text") {
				return fragment.Fragment{}, false, nil
			}
			mayHave := previous.State == Unknown || hasText(previous.Snapshot, "text")
			notice, say, err := replaceable(text.Present, mayHave, c.Member("notices"))
			switch {
			case !text.Present:
				return fragment.AgentsMD(jsonvalue.Optional{}, notice.Text), say, err
			case notice.Present:
				return fragment.AgentsMD(directory, notice.Text+"\n\n"+text.Text), say, err
			default:
				return fragment.AgentsMD(directory, text.Text), say, err
			}
		},
	}, *err
}

// managedSection tells what an administrator demands: the same four ways as agents_md, remembered
// by a hash. An empty text counts as none. One that would be too long behind the notice that it
// replaces another is refused even where it is told without (WLD-41).
func managedSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	text := current.Optional("text").Text
	has := text != ""
	replace := readNotices(current, c.Member("notices"))
	if _, fits := fragment.ManagedDeveloperInstructions(text, replace); has && !fits {
		current.FailAt("text", "more than 10,000 tokens with markers and notice")
	}
	snapshot := jsonvalue.OfObject()
	if has {
		plain, _ := fragment.ManagedDeveloperInstructions(text, jsonvalue.Optional{})
		snapshot = object(named("instructions", fingerprintOf(plain)))
	}
	return Section{
		Snapshot: snapshot,
		Legacy:   markedKind("managed_developer_instructions"),
		Retained: markedKind("managed_developer_instructions"),
		Decodes:  func(v jsonvalue.Value) bool { return isOptionalTexts(v, "instructions") },
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			if previous.State == Known && sameTexts(previous.Snapshot, snapshot, "instructions") {
				return fragment.Fragment{}, false, nil
			}
			mayHave := previous.State == Unknown || hasText(previous.Snapshot, "instructions")
			notice, say, err := replaceable(has, mayHave, c.Member("notices"))
			if err != nil || !say {
				return fragment.Fragment{}, false, err
			}
			if !has { // the notice is the whole text
				f, _ := fragment.ManagedDeveloperInstructions(notice.Text, jsonvalue.Optional{})
				return f, true, nil
			}
			f, _ := fragment.ManagedDeveloperInstructions(text, notice)
			return f, true, nil
		},
	}, *err
}

// collaborationModeSection tells how the model and the user work together (WLD-34). Whatever can
// have been told is taken back by an empty wrapper once. An absent text is none; an empty one is a
// catalogue's own, and is told.
func collaborationModeSection(c jsonvalue.Cursor) (Section, error) {
	current, err := read(c)
	mode, model, text := current.OneOf("mode", collaborationModes...), current.Text("model"), current.Optional("instructions")
	f := fragment.Plain("collaboration_mode", text.Text)
	hash := fingerprintOf(f) // of an empty wrapper where there is no text
	snapshot := jsonvalue.OfObject(jsonvalue.Field("mode", jsonvalue.OfString(mode)),
		jsonvalue.Field("model", jsonvalue.OfString(model)), jsonvalue.Field("instructions", jsonvalue.OfString(hash)))
	return Section{
		Snapshot: snapshot,
		Legacy:   markedKind("collaboration_mode"),
		Retained: markedKind("collaboration_mode"),
		Decodes: func(v jsonvalue.Value) bool {
			return isMode(v) || (hasText(v, "model") && isOptionalTexts(v, "instructions") && isMode(memberOf(v, "mode")))
		},
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			switch previous.State {
			case Unknown:
				return f, true, nil
			case Known:
				told, remembered := previous.Snapshot.GetText("instructions") // a bare mode remembers none
				same := sameTexts(previous.Snapshot, snapshot, "mode", "model", "instructions") || (!text.Present && remembered && told == hash)
				return f, !same, nil
			default:
				return f, text.Present, nil
			}
		},
	}, *err
}

// collaborationModes are the modes there are.
var collaborationModes = []string{"default", "plan"}

// isMode reports whether v names a collaboration mode.
func isMode(v jsonvalue.Value) bool {
	mode, ok := v.Text()
	return ok && slices.Contains(collaborationModes, mode)
}

// fingerprintOf is the hash of a fragment as it renders.
func fingerprintOf(f fragment.Fragment) string { return Fingerprint(f.Role, f.Render()) }
