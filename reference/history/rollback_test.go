package history

import (
	"math"
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// keptOf selects items by index.
func keptOf(items []item.Item, indices ...int) []item.Item {
	kept := []item.Item{}
	for _, i := range indices {
		kept = append(kept, items[i])
	}
	return kept
}

func equalItems(a, b []item.Item) bool { return jsonvalue.Equal(item.EncodeAll(a), item.EncodeAll(b)) }

func TestRollbackCut(t *testing.T) {
	plain := []item.Item{
		developer("lasting"), user(environmentText),
		user("one"), assistant("1"),
		user("two"), assistant("2"),
		user("three"), assistant("3"),
	}
	agents := []item.Item{
		user("one"), assistant(communicationOf()), assistant("1"),
		decode(t, `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`), assistant("2"),
	}
	noTurns := []item.Item{developer(permissionsText, "lasting"), user(environmentText), assistant("hello")}
	for _, test := range []struct {
		name      string
		items     []item.Item
		turns     int
		kept      []int
		rewritten bool
	}{
		{"nothing (HIS-12)", plain, 0, []int{0, 1, 2, 3, 4, 5, 6, 7}, false},
		{"one turn", plain, 1, []int{0, 1, 2, 3, 4, 5}, true},
		{"two turns", plain, 2, []int{0, 1, 2, 3}, true},
		{"all turns keep what is above the first", plain, 3, []int{0, 1}, true},
		{"one more than there are (HIS-14)", plain, 4, []int{0, 1}, true},
		{"far more than there are", plain, math.MaxInt, []int{0, 1}, true},
		{"no boundary (HIS-13)", noTurns, 1, []int{0, 1, 2}, true},
		{"no boundary, nothing to drop", noTurns, 0, []int{0, 1, 2}, false},
		{"no items", nil, 3, nil, true},
		{"an agent message is a turn", agents, 1, []int{0, 1, 2}, true},
		{"an inter-agent communication is a turn", agents, 2, []int{0}, true},
		{"the first boundary is the first item", agents, 3, nil, true},
	} {
		kept, reference, rewritten := Rollback(test.items, test.turns, true)
		if want := keptOf(test.items, test.kept...); !equalItems(kept, want) {
			t.Errorf("%s: kept %s\nwant %s", test.name, show(kept), show(want))
		}
		if !reference || rewritten != test.rewritten {
			t.Errorf("%s: reference %v, rewritten %v; want true, %v", test.name, reference, rewritten, test.rewritten)
		}
	}
}

func TestRollbackTrimsContextAboveTheCut(t *testing.T) {
	image := decode(t, `{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>x"},{"type":"input_image","image_url":"data:,"}]}`)
	for _, test := range []struct {
		name      string
		above     []item.Item // between the first turn and the one that is dropped
		kept      int         // how many of them stay
		reference bool        // whether the reference survives
	}{
		{"nothing above", nil, 0, true},
		{"developer context", []item.Item{developer(permissionsText)}, 0, true},
		{"user context", []item.Item{user(environmentText)}, 0, true},
		{"both, alternating", []item.Item{user(environmentText), developer(permissionsText), user(environmentText), developer(permissionsText)}, 0, true},
		{"context in two items", []item.Item{developer(permissionsText, modelSwitchText)}, 0, true},
		{"an unclosed prefix is developer context", []item.Item{developer("<permissions instructions>")}, 0, true},
		{"user context beside a prompt", []item.Item{user(environmentText, "a prompt")}, 0, true},
		{"mixed developer message (HIS-16)", []item.Item{developer(permissionsText, "lasting")}, 0, false},
		{"mixed, context last", []item.Item{developer("lasting", permissionsText)}, 0, false},
		{"mixed with an image", []item.Item{image}, 0, false},
		{"mixed, and pure context below it", []item.Item{developer(permissionsText, "lasting"), user(environmentText)}, 0, false},
		{"mixed, and pure context above it", []item.Item{user(environmentText), developer(permissionsText, "lasting")}, 0, false},
		{"mixed, and pure developer context on both sides", []item.Item{developer(permissionsText), developer(permissionsText, "lasting"), developer(permissionsText)}, 0, false},
		{"plain developer text stops", []item.Item{developer(permissionsText), developer("plain"), user(environmentText)}, 2, true},
		{"an empty developer message stops", []item.Item{developer(permissionsText), developer()}, 2, true},
		{"an answer stops", []item.Item{user(environmentText), assistant("a"), user(environmentText)}, 2, true},
		{"a call stops", []item.Item{user(environmentText), decode(t, `{"type":"function_call","call_id":"c"}`)}, 2, true},
		{"an unknown item stops", []item.Item{user(environmentText), decode(t, `{"type":"x","role":"user","content":[]}`)}, 2, true},
		{"developer context as user text is a turn", []item.Item{user(permissionsText)}, 1, true},
		{"user context as developer text stops", []item.Item{developer(environmentText)}, 1, true},
		{"a mixed message out of reach (HIS-17)", []item.Item{developer(permissionsText, "lasting"), assistant("a")}, 2, true},
		{"a system message stops", []item.Item{texts("system", permissionsText)}, 1, true},
	} {
		items := append([]item.Item{user("one"), assistant("1")}, test.above...)
		want := items[:2+test.kept]
		items = append(items, user("dropped"), assistant("2"))
		kept, reference, _ := Rollback(items, 1, true)
		if !equalItems(kept, want) {
			t.Errorf("%s: kept %s\nwant %s", test.name, show(kept), show(want))
		}
		if reference != test.reference {
			t.Errorf("%s: reference %v, want %v", test.name, reference, test.reference)
		}
		if _, reference, _ := Rollback(items, 1, false); reference {
			t.Errorf("%s: a reference came from nowhere", test.name)
		}
	}
}

// A mixed message inside the dropped range is not above the cut (HIS-17).
func TestRollbackOfTwoTurnsLeavesWhatIsBetweenThem(t *testing.T) {
	items := []item.Item{user("one"), user("two"), developer(permissionsText, "lasting"), user("three")}
	kept, reference, _ := Rollback(items, 2, true)
	if !equalItems(kept, items[:1]) || !reference {
		t.Errorf("kept %s, reference %v", show(kept), reference)
	}
}

// Context above the first boundary survives, even though it is directly above the cut (HIS-15).
func TestRollbackNeverPassesTheFirstBoundary(t *testing.T) {
	items := []item.Item{developer(permissionsText, "lasting"), user(environmentText), user("one"), user(environmentText), user("two")}
	for turns, want := range map[int]int{1: 3, 2: 2, 3: 2} {
		kept, reference, _ := Rollback(items, turns, true)
		if !equalItems(kept, items[:want]) || !reference {
			t.Errorf("%d turns: kept %s, reference %v", turns, show(kept), reference)
		}
	}
}

func TestRollbackStripsModelSwitches(t *testing.T) {
	inTurn := func(id string, it item.Item) item.Item { return it.WithTurnID(id) }
	first := inTurn("t1", user("one"))
	outputText := decode(t, `{"type":"message","role":"developer","content":[{"type":"output_text","text":"<model_switch>x</model_switch>"}]}`)
	agent := decode(t, `{"type":"agent_message","content":[],"internal_chat_message_metadata_passthrough":{"turn_id":"t1"}}`)
	emptyID := func(it item.Item) item.Item {
		return it.With("internal_chat_message_metadata_passthrough", jsonvalue.MustParse(`{"turn_id":""}`))
	}
	for _, test := range []struct {
		name         string
		above, first item.Item
		want         []item.Item
	}{
		{"alone: the message vanishes", inTurn("t1", developer(modelSwitchText)), first, nil},
		{"among others: only it goes", inTurn("t1", developer(modelSwitchText, "lasting", permissionsText)), first, []item.Item{inTurn("t1", developer("lasting", permissionsText))}},
		{"several", inTurn("t1", developer("a", modelSwitchText, "b", modelSwitchText)), first, []item.Item{inTurn("t1", developer("a", "b"))}},
		{"in any spelling of the markers", inTurn("t1", developer("\n<MODEL_SWITCH></Model_Switch> ", "b")), first, []item.Item{inTurn("t1", developer("b"))}},
		{"an empty message of the turn vanishes too", inTurn("t1", developer()), first, nil},
		{"an agent message as the boundary", inTurn("t1", developer(modelSwitchText)), agent, nil},
		{"the open tag alone stays", inTurn("t1", developer("<model_switch>x")), first, []item.Item{inTurn("t1", developer("<model_switch>x"))}},
		{"output text stays", inTurn("t1", outputText), first, []item.Item{inTurn("t1", outputText)}},
		{"a user message stays", inTurn("t1", user(environmentText, modelSwitchText)), first, []item.Item{inTurn("t1", user(environmentText, modelSwitchText))}},
		{"another turn stays", inTurn("t0", developer(modelSwitchText)), first, []item.Item{inTurn("t0", developer(modelSwitchText))}},
		{"no turn id on the message", developer(modelSwitchText), first, []item.Item{developer(modelSwitchText)}},
		{"no turn id on the boundary", inTurn("t1", developer(modelSwitchText)), user("one"), []item.Item{inTurn("t1", developer(modelSwitchText))}},
		{"no turn id on either", developer(modelSwitchText), user("one"), []item.Item{developer(modelSwitchText)}},
		{"an empty turn id is none", emptyID(developer(modelSwitchText)), emptyID(user("one")), []item.Item{emptyID(developer(modelSwitchText))}},
		{"an empty message of another turn stays", inTurn("t0", developer()), first, []item.Item{inTurn("t0", developer())}},
		{"other context of the turn stays", inTurn("t1", developer(permissionsText, "<persistent_mode>x</persistent_mode>")), first, []item.Item{inTurn("t1", developer(permissionsText, "<persistent_mode>x</persistent_mode>"))}},
	} {
		items := []item.Item{test.above, test.first, assistant("1")}
		for _, turns := range []int{1, 5} {
			kept, reference, _ := Rollback(items, turns, true)
			if !equalItems(kept, test.want) || !reference {
				t.Errorf("%s, %d turns: kept %s\nwant %s; reference %v", test.name, turns, show(kept), show(test.want), reference)
			}
		}
		later := append(items, user("two"))
		if kept, _, _ := Rollback(later, 1, true); !equalItems(kept, items) {
			t.Errorf("%s: stripped although the first turn stays: %s", test.name, show(kept))
		}
	}
}

// A list of content kinds stays aligned when content items go (DET-131).
func TestRollbackKeepsKindsAligned(t *testing.T) {
	above := item.Message("developer",
		[]item.Content{item.Text(modelSwitchText), item.Text("lasting")},
		[]string{"model_switch.instructions", "generic.developer_instructions"},
	).WithTurnID("t1")
	want := item.Message("developer", []item.Content{item.Text("lasting")}, []string{"generic.developer_instructions"}).WithTurnID("t1")
	kept, _, _ := Rollback([]item.Item{above, user("one").WithTurnID("t1")}, 1, true)
	if !equalItems(kept, []item.Item{want}) {
		t.Errorf("kept %s\nwant %s", show(kept), show([]item.Item{want}))
	}
}

func TestRollbackLeavesItsInputAlone(t *testing.T) {
	items := []item.Item{developer(modelSwitchText, "lasting").WithTurnID("t1"), user("one").WithTurnID("t1"), developer(permissionsText), user("two")}
	before := show(items)
	for turns := range 4 {
		Rollback(items, turns, true)
	}
	if after := show(items); after != before {
		t.Errorf("changed to %s", after)
	}
}
