package snapshot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// update is a call of worldstate/diff and its result, taken apart.
type update struct {
	mode, history, sections   jsonvalue.Value
	states, items             jsonvalue.Value
	previous, snapshot, patch column
	rest                      jsonvalue.Value // of the result
}

func takeUpdate(params, result jsonvalue.Value) update {
	u := update{
		previous: columnOf("before", params, "previous"),
		snapshot: columnOf("after", result, "snapshot"),
		patch:    columnOf("patch", result, "patch"),
		rest:     result.Without("snapshot").Without("patch"),
	}
	u.patch.isPatch = true
	u.mode, _ = params.Get("mode")
	u.history, _ = take(params, "history", jsonvalue.Array)
	u.sections, _ = take(params, "sections", jsonvalue.Array)
	u.states, u.rest = take(u.rest, "states", jsonvalue.Array)
	u.items, u.rest = take(u.rest, "items", jsonvalue.Array)
	return u
}

// worldStateUpdate: the history and the sections as they are now, how each previous state was
// seen, the snapshot before and after side by side with the patch, then the messages.
func worldStateUpdate(params, result jsonvalue.Value) []string {
	u := takeUpdate(params, result)
	given := []string{"mode  " + scalarWord(u.mode), ""}
	if len(u.history.Elements()) > 0 {
		given = append(given, section("history", itemList(inNameOrder(u.history), nil))...)
	}
	lines := section("given", append(given, section("sections", eachElement(u.sections))...))
	lines = append(lines, section("previous state", stateLines(u.states))...)
	lines = append(lines, section("snapshot", sideBySide([]column{u.previous, u.snapshot, u.patch}))...)
	lines = append(lines, sent(u.items)...)
	return append(lines, further(u.rest)...)
}

// turnState: what was given, the reference before and after side by side, then the messages.
func turnState(params, result jsonvalue.Value) []string {
	documents := []column{columnOf("before", params, "reference"), columnOf("after", result, "reference")}
	items, result := take(result, "items", jsonvalue.Array)
	lines := section("given", memberLines(params.Without("reference")))
	lines = append(lines, section("reference", sideBySide(documents))...)
	lines = append(lines, sent(items)...)
	return append(lines, further(result.Without("reference"))...)
}

// stateLines is a line a section: its id and how its previous state was seen.
func stateLines(states jsonvalue.Value) []string {
	if len(states.Elements()) == 0 {
		return []string{nothing(states)}
	}
	rows := make([][]string, len(states.Elements()))
	for i, state := range states.Elements() {
		id, seen := stateCells(state)
		rows[i] = []string{id, seen}
	}
	return table(rows)
}

// stateCells returns the id of a section and how its previous state was seen.
func stateCells(state jsonvalue.Value) (id, seen string) {
	if isNoObject(state) {
		return inline(state), ""
	}
	name, rest := take(state, "id", jsonvalue.String)
	previous, rest := take(rest, "previous", jsonvalue.String)
	seen = scalarWord(previous)
	if len(rest.Members()) > 0 {
		seen += " " + inline(rest)
	}
	return scalarWord(name), seen
}

// column is a document of a comparison with its heading.
type column struct {
	heading  string
	document jsonvalue.Value
	isPatch  bool
}

// columnOf is the member of an object. The heading says what there is where no rows will.
func columnOf(heading string, object jsonvalue.Value, name string) column {
	document, ok := object.Get(name)
	switch {
	case !ok:
		heading += " absent"
	case len(document.Members()) == 0:
		heading += " " + inline(document)
	}
	return column{heading: heading, document: inNameOrder(document)}
}

// sideBySide is a table of the leaves of several documents: a row a JSON pointer, a column a
// document. "-" stands where a document has nothing there, "same" where it has what the one before
// it has. A row of long values becomes a list.
func sideBySide(columns []column) []string {
	headings := []string{""}
	pointers := []string{}
	leaves := make([]map[string]string, len(columns))
	for i, c := range columns {
		headings = append(headings, c.heading)
		leaves[i] = map[string]string{}
		for _, m := range c.document.Members() {
			eachLeaf("/"+pointerEscapes.Replace(m.Name), m.Value, func(pointer, value string) {
				leaves[i][pointer] = value
				pointers = append(pointers, pointer)
			})
		}
	}
	slices.Sort(pointers)
	pointers = slices.Compact(pointers)
	short := [][]string{headings}
	long := map[string][]string{}
	for _, pointer := range pointers {
		values := make([]string, len(columns)) // of this row; "": nothing
		for i := range columns {
			values[i] = leaves[i][pointer]
		}
		isLong := slices.ContainsFunc(values, func(value string) bool { return utf8.RuneCountInString(value) > width/2 })
		row := append([]string{escape(pointer)}, cells(columns, values, isLong)...)
		if isLong {
			long[pointer] = asList(headings, row)
		} else {
			short = append(short, row)
		}
	}
	rows := table(short)
	lines := rows[:1:1]
	for _, pointer := range pointers {
		if list, ok := long[pointer]; ok {
			lines = append(lines, list...)
		} else {
			lines, rows = append(lines, rows[1]), rows[1:]
		}
	}
	return lines
}

// cells is what a row shows of its values. A patch is written out, unless it is long.
func cells(columns []column, values []string, isLong bool) []string {
	shown := make([]string, len(values))
	for i, value := range values {
		switch {
		case value == "":
			shown[i] = "-"
		case i > 0 && value == values[i-1] && (isLong || !columns[i].isPatch):
			shown[i] = "same"
		default:
			shown[i] = value
		}
	}
	return shown
}

// asList is a row with its cells below one another.
func asList(headings, row []string) []string {
	lines := [][]string{}
	for i := 1; i < len(row); i++ {
		lines = append(lines, []string{headings[i], row[i]})
	}
	return append([]string{row[0]}, indent("  ", table(lines))...)
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
