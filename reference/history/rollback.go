package history

import (
	"slices"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
)

// The markers of the model switch, the only fragment that a rollback strips from what it keeps.
const (
	modelSwitchStart = "<model_switch>"
	modelSwitchEnd   = "</model_switch>"
)

// Rollback is Rules.Rollback of ContextFragments.
func Rollback(items []item.Item, turns int, hasReference bool) (kept []item.Item, reference, rewritten bool) {
	return ContextFragments.Rollback(items, turns, hasReference)
}

// Rollback drops the last turns (0 or more) of a history. hasReference says whether there is a reference
// context item, from which the next turn would be diffed; the result says whether there still is,
// and whether the history was rewritten at all, which clears the world-state baseline (HIS-3).
//
// No turns to drop: nothing happens (HIS-12). No turn boundary: the items stay, but they are
// rewritten (HIS-13). Otherwise everything from the cut is dropped, and context directly above it.
func (r Rules) Rollback(items []item.Item, turns int, hasReference bool) (kept []item.Item, reference, rewritten bool) {
	if turns == 0 {
		return items, hasReference, false
	}
	boundaries := r.Boundaries(items)
	if len(boundaries) == 0 {
		return items, hasReference, true
	}
	first := boundaries[0]
	cut := boundaries[max(0, len(boundaries)-turns)] // too many turns: all of them (HIS-14)
	cut, mixed := r.trimContext(items, first, cut)
	kept = slices.Clip(items[:cut])
	if cut == first && r.StripsModelSwitch {
		kept = stripModelSwitch(kept, items[first])
	}
	return kept, hasReference && !mixed, true
}

// trimContext moves the cut up over the context messages directly above it, to the first boundary
// at most (HIS-15). Mixed tells that one of them was a developer message with other text beside
// the context: the next turn cannot restore that by a diff, so the reference is void (HIS-16). What
// lies deeper in the dropped range is not looked at (HIS-17).
func (r Rules) trimContext(items []item.Item, first, cut int) (trimmed int, mixed bool) {
	for ; cut > first; cut-- {
		switch above := items[cut-1]; {
		case above.IsMessage(item.RoleDeveloper) && r.ContextualDeveloper(above):
			mixed = mixed || r.MixedDeveloper(above)
		case above.IsMessage(item.RoleUser) && r.ContextualUser(above):
		default:
			return cut, mixed
		}
	}
	return cut, mixed
}

// stripModelSwitch removes model switches, recognised by both markers, from the developer messages
// that belong to the same turn as the first boundary, and such messages altogether when nothing is
// left in them (HIS-18): no turn is left that used the model they announce. A boundary without a
// turn id, or with an empty one, strips nothing.
func stripModelSwitch(items []item.Item, boundary item.Item) []item.Item {
	turnID, _ := boundary.TurnID()
	if turnID == "" {
		return items
	}
	kept := []item.Item{}
	for _, it := range items {
		if id, _ := it.TurnID(); id != turnID || !it.IsMessage(item.RoleDeveloper) {
			kept = append(kept, it)
			continue
		}
		if slices.ContainsFunc(it.Contents(), isModelSwitch) {
			it = it.KeepContents(func(c item.Content) bool { return !isModelSwitch(c) })
		}
		if len(it.Contents()) > 0 {
			kept = append(kept, it)
		}
	}
	return kept
}

func isModelSwitch(c item.Content) bool {
	text, ok := c.InputText()
	return ok && fragment.MatchMarkers(modelSwitchStart, modelSwitchEnd, text)
}
