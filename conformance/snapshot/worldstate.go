package snapshot

import (
	"slices"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// worldStateUpdate: the history and the sections as they are now, how each previous state was
// seen, the snapshot before and after side by side with the patch, then the messages.
func worldStateUpdate(params, result jsonvalue.Value) []string {
	mode, _ := params.Get("mode")
	history, _ := params.Get("history")
	sections, _ := params.Get("sections")
	previous, _ := params.Get("previous")
	states, _ := result.Get("states")
	snapshot, _ := result.Get("snapshot")
	patch, _ := result.Get("patch")
	items, _ := result.Get("items")

	given := []string{"mode  " + scalarWord(mode)}
	if len(history.Elements()) > 0 {
		given = append(given, section("history", itemList(history.Elements(), nil))...)
	}
	given = append(given, section("sections", valueLines(sections))...)
	lines := section("given", given)
	lines = append(lines, section("previous state", stateLines(states))...)
	lines = append(lines, section("snapshot", sideBySide([]column{
		{"before", inNameOrder(previous)}, {"after", snapshot}, {"patch", patch},
	}))...)
	lines = append(lines, sent(items.Elements())...)
	return append(lines, further(result, "states", "snapshot", "patch", "items")...)
}

// stateLines is a line a section: its id and how its previous state was seen.
func stateLines(states jsonvalue.Value) []string {
	if len(states.Elements()) == 0 {
		return []string{inline(states)}
	}
	rows := make([][]string, len(states.Elements()))
	for i, state := range states.Elements() {
		id, _ := state.Get("id")
		previous, _ := state.Get("previous")
		rows[i] = []string{scalarWord(id), scalarWord(previous)}
		if rest := state.Without("id").Without("previous"); len(rest.Members()) > 0 {
			rows[i] = append(rows[i], inline(rest))
		}
	}
	return table(rows)
}

// column is a document of a comparison with its heading.
type column struct {
	heading string
	value   jsonvalue.Value
}

// sideBySide is a table of the leaves of several documents: a row a JSON pointer, a column a
// document, "-" where a document has nothing there.
func sideBySide(columns []column) []string {
	headings := []string{""}
	pointers := []string{}
	leaves := make([]map[string]string, len(columns))
	for i, c := range columns {
		leaves[i] = map[string]string{}
		if len(c.value.Members()) == 0 {
			headings = append(headings, c.heading+" "+inline(c.value))
			continue
		}
		headings = append(headings, c.heading)
		eachLeaf("", c.value, func(pointer, value string) {
			leaves[i][pointer] = value
			pointers = append(pointers, pointer)
		})
	}
	slices.Sort(pointers)
	rows := [][]string{headings}
	for _, pointer := range slices.Compact(pointers) {
		row := []string{escape(pointer)}
		for i := range columns {
			value, ok := leaves[i][pointer]
			if !ok {
				value = "-"
			}
			row = append(row, value)
		}
		rows = append(rows, row)
	}
	return table(rows)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// eachLeaf visits what is no object with members: arrays count as one value, as in a merge patch
// (WLD-18).
func eachLeaf(pointer string, v jsonvalue.Value, visit func(pointer, value string)) {
	if len(v.Members()) == 0 {
		visit(pointer, inline(v))
		return
	}
	for _, m := range v.Members() {
		eachLeaf(pointer+"/"+pointerEscapes.Replace(m.Name), m.Value, visit)
	}
}
