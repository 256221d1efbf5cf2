package serve

import (
	"github.com/contextfragments/conform/reference/additional"
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/history"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/worldstate"
)

// messageMerge answers message/merge: `{fragments}` → `{items}`. Fields that give no fragment are
// left out, as if they were not in the list.
func messageMerge(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	rules := rulesOf[profile]
	list, err := fragments(params.Member("fragments"), rules.decode)
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return itemsResult(rules.merge(list)), nil
}

// additionalMerge answers additional/merge: `{calls: [{KEY: {value, kind}} or null]}` →
// `{calls: [items]}`, one store seeing the calls in turn.
func additionalMerge(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	calls, err := params.Member("calls").Elements()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	var store additional.Store
	answers := make([]jsonvalue.Value, len(calls))
	for i, call := range calls {
		entries, err := additionalEntries(call)
		if err != nil {
			return jsonvalue.Value{}, err
		}
		answers[i] = item.EncodeAll(store.Merge(entries))
	}
	return jsonvalue.OfObject(jsonvalue.Field("calls", jsonvalue.OfArray(answers...))), nil
}

// additionalEntries reads the map of one call. Null is a call without a map (LIF-31); any key will
// do, the empty one included (DET-110).
func additionalEntries(call jsonvalue.Cursor) (map[string]additional.Entry, error) {
	if !call.Present {
		return nil, nil
	}
	keys, fields, err := call.Fields()
	if err != nil {
		return nil, err
	}
	entries := make(map[string]additional.Entry, len(keys))
	for i, key := range keys {
		if entries[key], err = additionalEntry(fields[i]); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func additionalEntry(c jsonvalue.Cursor) (additional.Entry, error) {
	if _, err := c.Object(); err != nil {
		return additional.Entry{}, err
	}
	value, err := c.Member("value").Text()
	if err != nil {
		return additional.Entry{}, err
	}
	kind, err := c.Member("kind").Text()
	if err != nil {
		return additional.Entry{}, err
	}
	if kind != fragment.Untrusted && kind != fragment.Application {
		return additional.Entry{}, c.Member("kind").Fail("want %q or %q, got %q", fragment.Untrusted, fragment.Application, kind)
	}
	return additional.Entry{Value: value, Kind: kind}, nil
}

// mergePatchCreate answers mergepatch/create: `{previous, current}` → `{patch}`, null when there is
// nothing to say. Both are snapshots, so objects: where there is no previous one there is no patch
// either, but a full record (WLD-11).
func mergePatchCreate(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	previous, err := params.Member("previous").Object()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	current, err := params.Member("current").Object()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	patch, _ := worldstate.CreatePatch(previous.Value, current.Value) // null unless ok
	return jsonvalue.OfObject(jsonvalue.Field("patch", patch)), nil
}

// mergePatchApply answers mergepatch/apply: `{target, patch}` → `{result}`. The target is a
// snapshot, or null where there is none yet; the patch is an object, and so is the result (WLD-19).
func mergePatchApply(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	target := params.Member("target")
	if target.Present {
		if _, err := target.Object(); err != nil {
			return jsonvalue.Value{}, err
		}
	}
	patch, err := params.Member("patch").Object()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	result := worldstate.ApplyPatch(target.Value, patch.Value)
	return jsonvalue.OfObject(jsonvalue.Field("result", result)), nil
}

// historyTurns answers history/turns: `{items}` → `{boundaries}`, indices into items.
func historyTurns(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	items, err := item.DecodeAll(params.Member("items"))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	boundaries := []jsonvalue.Value{}
	for _, index := range rulesOf[profile].history.Boundaries(items) {
		boundaries = append(boundaries, jsonvalue.OfInt(index))
	}
	return jsonvalue.OfObject(jsonvalue.Field("boundaries", jsonvalue.OfArray(boundaries...))), nil
}

// historyRollback answers history/rollback: `{items, turns, reference}` →
// `{items, reference, rewritten}`. The items are a history as it stands: none is filtered first.
func historyRollback(profile string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	items, err := item.DecodeAll(params.Member("items"))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	turns, err := params.Member("turns").Int()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	if turns < 0 {
		return jsonvalue.Value{}, params.Member("turns").Fail("want 0 or more, got %d", turns)
	}
	reference, err := params.Member("reference").Bool()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	kept, reference, rewritten := rulesOf[profile].history.Rollback(items, turns, reference)
	return jsonvalue.OfObject(
		jsonvalue.Field("items", item.EncodeAll(kept)),
		jsonvalue.Field("reference", jsonvalue.OfBool(reference)),
		jsonvalue.Field("rewritten", jsonvalue.OfBool(rewritten)),
	), nil
}

// historyNormalize answers history/normalize: `{items, modalities}` → `{items}`. Modalities are
// those the model reads; names that no rule is about are accepted.
func historyNormalize(_ string, params jsonvalue.Cursor) (jsonvalue.Value, error) {
	items, err := item.DecodeAll(params.Member("items"))
	if err != nil {
		return jsonvalue.Value{}, err
	}
	modalities, err := params.Member("modalities").Texts()
	if err != nil {
		return jsonvalue.Value{}, err
	}
	return itemsResult(history.Normalize(items, modalities)), nil
}

func itemsResult(items []item.Item) jsonvalue.Value {
	return jsonvalue.OfObject(jsonvalue.Field("items", item.EncodeAll(items)))
}
