package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// cutLine stands in the list before, above everything that is gone.
const cutLine = "---- cut: nothing below is left ----"

// rollback: what was asked and what became of the reference, then the list before, with what went
// marked "-", what lost a part marked "~" and a line where the history was cut, then the list after.
func rollback(params, result jsonvalue.Value) []string {
	before, _ := take(params, "items", jsonvalue.Array)
	turns, _ := params.Get("turns")
	referenceBefore, _ := take(params, "reference", jsonvalue.Bool)
	after, result := take(result, "items", jsonvalue.Array)
	referenceAfter, result := take(result, "reference", jsonvalue.Bool)
	rewritten, result := take(result, "rewritten", jsonvalue.Bool)
	lines := table([][]string{
		{"turns to drop", inline(turns)},
		{"reference item", either(referenceBefore, "set", "none") + " before, " + either(referenceAfter, "set", "none") + " after"},
		{"history", either(rewritten, "rewritten", "not touched")},
	})
	marks, cut := marksOf(before.Elements(), after.Elements())
	listed := itemList(inNameOrder(before), marks)
	if cut < len(before.Elements()) {
		listed = slices.Insert(listed, cut, cutLine)
	}
	lines = append(append(lines, ""), section("before", listed)...)
	lines = append(lines, section("after", itemList(after, nil))...)
	return append(lines, further(result)...)
}

// either is one word or the other, or null where there is no boolean.
func either(v jsonvalue.Value, yes, no string) string {
	switch is, ok := v.Bool(); {
	case !ok:
		return "null"
	case is:
		return yes
	default:
		return no
	}
}

// itemList is a list of items, one a line, numbered from 1; marks may be nil.
func itemList(items jsonvalue.Value, marks []string) []string {
	if len(items.Elements()) == 0 {
		return []string{nothing(items)}
	}
	rows := make([][]string, len(items.Elements()))
	digits := len(strconv.Itoa(len(rows)))
	for i, item := range items.Elements() {
		mark := " "
		if marks != nil {
			mark = marks[i]
		}
		title, holds := itemLine(item)
		number := strconv.Itoa(i + 1)
		rows[i] = []string{mark + strings.Repeat(" ", 1+digits-len(number)) + number, title, holds}
	}
	return table(rows)
}

// marksOf finds the items of after, in order, among those of before. It returns a mark for each
// item of before, and the index behind the last one that stayed: there the history was cut.
func marksOf(before, after []jsonvalue.Value) (marks []string, cut int) {
	marks = make([]string, len(before))
	left := after
	for i, item := range before {
		marks[i] = "-"
		switch {
		case len(left) == 0:
			continue
		case jsonvalue.Equal(inNameOrder(item), left[0]):
			marks[i] = " "
		case isPartOf(left[0], item):
			marks[i] = "~"
		default:
			continue
		}
		left, cut = left[1:], i+1
	}
	return marks, cut
}

// isPartOf reports whether part is the item with some of its content taken out.
func isPartOf(part, item jsonvalue.Value) bool {
	partTitle, partContents, _, _ := takeApart(part)
	title, contents, _, _ := takeApart(inNameOrder(item))
	if partTitle != title || len(partContents) == 0 || len(partContents) >= len(contents) {
		return false
	}
	for _, content := range contents {
		if len(partContents) > 0 && jsonvalue.Equal(content, partContents[0]) {
			partContents = partContents[1:]
		}
	}
	return len(partContents) == 0
}
