// Package worldstate decides which parts of the agent's state are told to the model again: a
// section of the state is rendered when it differs from what the model was told before, and only
// then.
//
// A section names itself, gives a snapshot to remember, and renders the fragment for what changed
// since the previous state. The package finds that previous state (absent, unknown or known),
// cleans and compares snapshots, and expresses the step between two of them as a merge patch.
package worldstate

import (
	"fmt"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// State is what is known of a section's previously model-visible state (WLD-5).
type State string

// The three previous states.
const (
	Absent  State = "absent"  // neither a snapshot nor a trace in history
	Unknown State = "unknown" // the model was told something, but not what exactly
	Known   State = "known"   // the snapshot of what it was told is there
)

// Previous is a section's previous state. The snapshot is set when the state is Known.
type Previous struct {
	State    State
	Snapshot jsonvalue.Value
}

// A Matcher recognises a section's fragments in history by role and text.
type Matcher func(role, text string) bool

// Section is one section of the world state as it is now (WLD-1).
type Section struct {
	// ID is stable: snapshots are kept under it.
	ID string
	// Snapshot is what a later diff compares with. Null members are cleaned away before it is kept.
	Snapshot jsonvalue.Value
	// Transient sections are rendered but leave no snapshot: the "persist me" answer is no.
	Transient bool
	// Legacy recognises a fragment of this section in a history that has no snapshot; nil never does.
	Legacy Matcher
	// Retained, if not nil, must find a fragment in history for a stored snapshot to count.
	Retained Matcher
	// Decodes reports whether a stored snapshot has this section's type; nil takes any JSON.
	Decodes func(snapshot jsonvalue.Value) bool
	// Render returns the fragment to send given the previous state, false when there is nothing to
	// say, and an error where the state lacks a text that it would have to send.
	Render func(previous Previous) (f fragment.Fragment, say bool, err error)
}

// Mode says where a diff looks for the previous state of its sections.
type Mode string

// The modes.
const (
	// Full shows every section as if nothing had been told before (WLD-6).
	Full Mode = "full"
	// Step compares with the stored snapshot alone, inside a turn (WLD-7).
	Step Mode = "snapshot"
	// Boundary compares at a turn boundary, where history may have lost fragments (WLD-8).
	Boundary Mode = "history"
)

// Transition is one step of the world state.
type Transition struct {
	States    []Previous          // one a section, in the order of the sections
	Fragments []fragment.Fragment // in the order of the sections (WLD-3), not yet grouped
	Snapshot  jsonvalue.Value     // the object that becomes the baseline
	// Patch leads from the previous baseline to Snapshot. It is null when nothing differs, and
	// where the record is the full snapshot instead: without a baseline, and in mode Full
	// (WLD-11, WLD-12).
	Patch jsonvalue.Value
}

// DuplicateSection reports two sections with one id (WLD-2).
type DuplicateSection struct {
	ID    string
	Index int // of the second one
}

func (e *DuplicateSection) Error() string {
	return fmt.Sprintf("duplicate world-state section ID: %s", e.ID)
}

// Diff renders what the sections have to say, given the baseline (an object, or null where there
// is none) and the history.
func Diff(sections []Section, baseline jsonvalue.Value, history []item.Item, mode Mode) (Transition, error) {
	snapshot, err := Snapshot(sections)
	if err != nil {
		return Transition{}, err
	}
	t := Transition{Snapshot: snapshot}
	if mode != Full && !baseline.IsNull() {
		t.Patch, _ = CreatePatch(baseline, snapshot)
	}
	for _, section := range sections {
		previous := previousState(section, baseline, history, mode)
		f, say, err := section.Render(previous)
		if err != nil {
			return Transition{}, err
		}
		if say {
			t.Fragments = append(t.Fragments, f)
		}
		t.States = append(t.States, previous)
	}
	return t, nil
}

// Snapshot returns the object of all sections that are kept, by id, cleaned (WLD-3, WLD-4).
func Snapshot(sections []Section) (jsonvalue.Value, error) {
	seen := map[string]bool{}
	members := []jsonvalue.Member{}
	for i, section := range sections {
		if seen[section.ID] {
			return jsonvalue.Value{}, &DuplicateSection{section.ID, i}
		}
		seen[section.ID] = true
		if cleaned := Clean(section.Snapshot); !section.Transient && !cleaned.IsNull() {
			members = append(members, jsonvalue.Field(section.ID, cleaned))
		}
	}
	return sorted(members), nil
}

// Clean removes null members at every object depth that is reachable through objects. Arrays are
// not entered: their nulls, and the objects in them, stay as they are (WLD-4).
func Clean(v jsonvalue.Value) jsonvalue.Value {
	if v.Kind() != jsonvalue.Object {
		return v
	}
	members := []jsonvalue.Member{}
	for _, m := range v.Members() {
		if !m.Value.IsNull() {
			members = append(members, jsonvalue.Field(m.Name, Clean(m.Value)))
		}
	}
	return jsonvalue.OfObject(members...)
}

// previousState finds what is known of a section (WLD-6 to WLD-8). Whether a stored snapshot
// decodes is asked last, so a required fragment has been looked for by then (WLD-10).
func previousState(section Section, baseline jsonvalue.Value, history []item.Item, mode Mode) Previous {
	if mode == Full {
		return Previous{State: Absent}
	}
	stored, ok := baseline.Get(section.ID)
	switch {
	case !ok && mode == Boundary && inHistory(section.Legacy, history):
		return Previous{State: Unknown}
	case !ok:
		return Previous{State: Absent}
	case mode == Boundary && section.Retained != nil && !inHistory(section.Retained, history):
		return Previous{State: Absent}
	case section.Decodes != nil && !section.Decodes(stored):
		return Previous{State: Unknown}
	default:
		return Previous{State: Known, Snapshot: stored}
	}
}

// inHistory asks a matcher about every input text of every message, whatever its role (WLD-9).
func inHistory(matches Matcher, history []item.Item) bool {
	if matches == nil {
		return false
	}
	for _, it := range history {
		for _, content := range it.Contents() {
			if text, ok := content.InputText(); ok && matches(it.Role(), text) {
				return true
			}
		}
	}
	return false
}
