package serve

import (
	"errors"
	"fmt"

	"github.com/contextfragments/conform/reference/assemble"
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/worldstate"
)

// worldStateDiff answers worldstate/diff: `{sections, previous, history?, mode}` →
// `{states, items, snapshot, patch}`.
func worldStateDiff(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	sections, err := worldstate.Decode(params.Member("sections"))
	var unknown *worldstate.UnsupportedSection
	if errors.As(err, &unknown) {
		return jsonvalue.Value{}, unsupported("worldstate section " + unknown.ID)
	}
	if err != nil {
		return jsonvalue.Value{}, err
	}
	previous := params.Member("previous")
	if previous.Present {
		if _, err := previous.Object(); err != nil {
			return jsonvalue.Value{}, err
		}
	}
	history := []item.Item{}
	if params.Member("history").Present {
		if history, err = item.DecodeAll(params.Member("history")); err != nil {
			return jsonvalue.Value{}, err
		}
	}
	mode, err := params.Member("mode").Text()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	switch worldstate.Mode(mode) {
	case worldstate.Full, worldstate.Step, worldstate.Boundary:
	default:
		return jsonvalue.Value{}, params.Member("mode").Fail("want full, snapshot or history, got %q", mode)
	}
	transition, err := worldstate.Diff(sections, previous.Value, history, worldstate.Mode(mode))
	var duplicate *worldstate.DuplicateSection
	if errors.As(err, &duplicate) {
		return jsonvalue.Value{}, &jsonvalue.PathError{Path: fmt.Sprintf("/sections/%d/id", duplicate.Index), Reason: duplicate.Error()}
	}
	if err != nil {
		return jsonvalue.Value{}, err
	}
	states := make([]jsonvalue.Value, len(sections))
	for i, state := range transition.States {
		states[i] = jsonvalue.OfObject(
			jsonvalue.Field("id", jsonvalue.OfString(sections[i].ID)),
			jsonvalue.Field("previous", jsonvalue.OfString(string(state.State))))
	}
	return jsonvalue.OfObject(
		jsonvalue.Field("states", jsonvalue.OfArray(states...)),
		jsonvalue.Field("items", item.EncodeAll(assemble.Merge(transition.Fragments))),
		jsonvalue.Field("snapshot", transition.Snapshot),
		jsonvalue.Field("patch", transition.Patch)), nil
}

// contextInitial answers context/initial: what the initial context is made of → `{items}`.
func contextInitial(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	var err error
	r := jsonvalue.NewReader(params, &err)
	initial := assemble.Initial{
		DeveloperInstructions: r.Optional("developer_instructions").Text,
		GuardianSession:       r.OptionalBool("guardian_session"),
		RecommendedPlugins:    r.OptionalTexts("recommended_plugins"),
		ContextWindow:         r.Optional("context_window").Text,
		TurnID:                r.Optional("turn_id").Text,
	}
	if r.Has("contributions") {
		for _, c := range r.Objects("contributions") {
			initial.Contributions = append(initial.Contributions, contribution(c))
		}
	}
	if err != nil {
		return jsonvalue.Value{}, err
	}
	if initial.WorldState, err = fragments(params.Member("world_state"), fragment.Decode); err != nil {
		return jsonvalue.Value{}, err
	}
	return itemsResult(initial.Items()), nil
}

func contribution(r jsonvalue.Reader) assemble.Contribution {
	c := assemble.Contribution{
		Slot:        r.OneOf("slot", assemble.SlotDeveloper, assemble.SlotSeparateDeveloper, assemble.SlotContextualUser),
		Text:        r.Text("text"),
		ContentKind: item.UnknownKind,
	}
	if kind := r.Optional("content_kind"); kind.Present {
		c.ContentKind = kind.Text
	}
	return c
}

// fragments reads an array of fragments, without those whose fields give none.
func fragments(c jsonvalue.Cursor, decode decoder) ([]fragment.Fragment, error) {
	elements, err := c.Elements()
	if err != nil {
		return nil, err
	}
	list := []fragment.Fragment{}
	for _, element := range elements {
		f, ok, err := decode(element)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, f)
		}
	}
	return list, nil
}
