package worldstate

import "github.com/contextfragments/conform/reference/jsonvalue"

// CreatePatch returns the merge patch (RFC 7386) that leads from one snapshot to the next, both
// objects by section id, and false when they are equal: then there is nothing to record, not even
// an empty object (WLD-15). Numbers are equal by value.
//
// A merge patch cannot say "set to null". Snapshots hold no null members (WLD-4), so applying the
// patch gives the new snapshot exactly (WLD-21); of other objects it gives them without their nulls.
func CreatePatch(previous, current jsonvalue.Value) (patch jsonvalue.Value, ok bool) {
	if jsonvalue.Equal(previous, current) {
		return jsonvalue.Value{}, false
	}
	return difference(previous, current), true
}

// difference returns the patch between two values that differ. Whatever is not an object on both
// sides is replaced whole: scalars, arrays, and an object that takes the place of something else,
// even an empty one (WLD-16, WLD-18).
func difference(previous, current jsonvalue.Value) jsonvalue.Value {
	if previous.Kind() != jsonvalue.Object || current.Kind() != jsonvalue.Object {
		return current
	}
	before, after := byName(previous), byName(current)
	patch := []jsonvalue.Member{}
	for _, m := range previous.Members() { // removals first (WLD-17)
		if _, kept := after[m.Name]; !kept {
			patch = append(patch, jsonvalue.Field(m.Name, jsonvalue.Value{}))
		}
	}
	for _, m := range current.Members() {
		old, existed := before[m.Name]
		switch {
		case !existed:
			patch = append(patch, m)
		case !jsonvalue.Equal(old, m.Value):
			patch = append(patch, jsonvalue.Field(m.Name, difference(old, m.Value)))
		}
	}
	return jsonvalue.OfObject(patch...)
}

// ApplyPatch returns the target with the merge patch applied. Null members of an object patch
// remove, others are applied in turn, on an empty object where the target is none; so nulls inside
// something new vanish, and removing the last member leaves an empty object. Any other patch takes
// the place of the target as it is: arrays are never looked into (WLD-19, WLD-20).
func ApplyPatch(target, patch jsonvalue.Value) jsonvalue.Value {
	if patch.Kind() != jsonvalue.Object {
		return patch
	}
	changes, existing := byName(patch), byName(target)
	merged := []jsonvalue.Member{}
	for _, m := range target.Members() {
		change, ok := changes[m.Name]
		switch {
		case !ok:
			merged = append(merged, m)
		case !change.IsNull():
			merged = append(merged, jsonvalue.Field(m.Name, ApplyPatch(m.Value, change)))
		}
	}
	for _, m := range patch.Members() {
		if _, ok := existing[m.Name]; !ok && !m.Value.IsNull() {
			merged = append(merged, jsonvalue.Field(m.Name, ApplyPatch(jsonvalue.Value{}, m.Value)))
		}
	}
	return jsonvalue.OfObject(merged...)
}

// byName indexes the members of an object; anything else has none.
func byName(v jsonvalue.Value) map[string]jsonvalue.Value {
	members := make(map[string]jsonvalue.Value, len(v.Members()))
	for _, m := range v.Members() {
		members[m.Name] = m.Value
	}
	return members
}
