package worldstate

import (
	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// environmentsSection tells where commands run (WLD-45 to WLD-57). It has no matchers: a stored
// snapshot is trusted even if its text is gone from history, and an unknown previous state counts
// as an empty one (WLD-47).
func environmentsSection(c jsonvalue.Cursor) (Section, error) {
	now, err := fragment.DecodeEnvironments(c.Member("current"))
	if err != nil {
		return Section{}, err
	}
	for _, e := range now.Environments {
		if e.Status == fragment.Unavailable {
			return Section{}, c.Member("current").Member("environments").Member(e.ID).Member("status").
				Fail("an environment that is gone is left out: want available or starting")
		}
	}
	return Section{
		Snapshot: environmentsSnapshot(now),
		Decodes:  decodesEnvironments,
		Render: func(previous Previous) (fragment.Fragment, bool, error) {
			update, say := environmentsUpdate(environmentsFromSnapshot(previous.Snapshot), now)
			return update.Fragment(), say, nil
		},
	}, nil
}

// environmentsUpdate returns what an update shows: the environments that changed, a tombstone for
// each that vanished, and every other value as it is now (WLD-49, WLD-50). Say reports whether
// anything triggers an update; a change of the sub-agents alone does not (WLD-48).
func environmentsUpdate(before, now fragment.Environments) (update fragment.Environments, say bool) {
	severalBefore, severalNow := len(before.Environments) > 1, len(now.Environments) > 1
	update = now
	update.Environments = nil
	update.Several = severalBefore || severalNow // WLD-52
	update.Only = len(now.Environments) == 1     // WLD-53
	old, current := byID(before.Environments), byID(now.Environments)
	for _, e := range now.Environments {
		was, existed := old[e.ID]
		if !existed || severalBefore != severalNow || environmentChanged(was, e, severalNow) {
			update.Environments = append(update.Environments, e)
		}
	}
	for _, e := range before.Environments {
		if _, exists := current[e.ID]; !exists {
			update.Environments = append(update.Environments, fragment.Environment{ID: e.ID, Status: fragment.Unavailable})
		}
	}
	say = len(update.Environments) > 0 || before.Date != now.Date || before.Timezone != now.Timezone ||
		before.Network != now.Network || before.Filesystem != now.Filesystem
	return update, say
}

// environmentChanged compares one environment with what it was. A shell counts only where it is
// known on both sides; the primary flag as it is recorded, which is only while there are several
// (WLD-45, WLD-48).
func environmentChanged(before, now fragment.Environment, several bool) bool {
	return before.CWD != now.CWD || before.Status != now.Status ||
		before.Primary != (now.Primary && several) ||
		(before.Shell.Present && now.Shell.Present && before.Shell != now.Shell)
}

func byID(environments []fragment.Environment) map[string]fragment.Environment {
	index := make(map[string]fragment.Environment, len(environments))
	for _, e := range environments {
		index[e.ID] = e
	}
	return index
}

// environmentsSnapshot keeps what an update compares. The primary flag is kept only when it is set
// and there is more than one environment (WLD-45).
func environmentsSnapshot(now fragment.Environments) jsonvalue.Value {
	entries := []jsonvalue.Member{}
	for _, e := range now.Environments {
		entry := object(named("cwd", e.CWD), named("status", string(e.Status)), namedText{"shell", e.Shell})
		if e.Primary && len(now.Environments) > 1 {
			entry = entry.With("is_primary", jsonvalue.OfBool(true))
		}
		entries = append(entries, jsonvalue.Field(e.ID, entry))
	}
	rest := object(namedText{"current_date", now.Date}, namedText{"timezone", now.Timezone},
		namedText{"network", fragment.NonEmpty(now.Network)}, namedText{"filesystem", fragment.NonEmpty(now.Filesystem)},
		namedText{"subagents", fragment.NonEmpty(now.Subagents)})
	return jsonvalue.OfObject(append(rest.Members(), jsonvalue.Field("environments", sorted(entries)))...)
}

// environmentsFromSnapshot reads a snapshot back; null is an empty state.
func environmentsFromSnapshot(snapshot jsonvalue.Value) fragment.Environments {
	state := fragment.Environments{
		Date: optionalOf(snapshot, "current_date"), Timezone: optionalOf(snapshot, "timezone"), Network: textOf(snapshot, "network"),
		Filesystem: textOf(snapshot, "filesystem"), Subagents: textOf(snapshot, "subagents"),
	}
	for _, m := range memberOf(snapshot, "environments").Members() {
		primary, _ := memberOf(m.Value, "is_primary").Bool()
		state.Environments = append(state.Environments, fragment.Environment{
			ID: m.Name, CWD: textOf(m.Value, "cwd"), Shell: optionalOf(m.Value, "shell"),
			Status: fragment.Status(textOf(m.Value, "status")), Primary: primary,
		})
	}
	return state
}

// decodesEnvironments reports whether a stored snapshot has the form of environmentsSnapshot.
func decodesEnvironments(snapshot jsonvalue.Value) bool {
	environments, _ := snapshot.Get("environments")
	if environments.Kind() != jsonvalue.Object {
		return false
	}
	for _, m := range environments.Members() {
		status, _ := m.Value.GetText("status")
		if !hasText(m.Value, "cwd") || !optionalText(m.Value, "shell") || !optional(m.Value, "is_primary", jsonvalue.Bool) ||
			(status != string(fragment.Available) && status != string(fragment.Starting)) {
			return false
		}
	}
	for _, name := range []string{"current_date", "timezone", "network", "filesystem", "subagents"} {
		if !optionalText(snapshot, name) {
			return false
		}
	}
	return true
}
