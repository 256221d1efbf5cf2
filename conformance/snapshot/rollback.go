package snapshot

import (
	"strconv"
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// rollback: the list before, with what went marked "-", what lost a part marked "~" and a line
// where the history was cut, then the list after.
func rollback(params, result jsonvalue.Value) []string {
	before, _ := params.Get("items")
	after, _ := result.Get("items")
	turns, _ := params.Get("turns")
	referenceBefore, _ := params.Get("reference")
	referenceAfter, _ := result.Get("reference")
	rewritten, _ := result.Get("rewritten")
	lines := section("turns to drop   "+inline(turns)+"\nreference item  "+was(referenceBefore)+" before, "+was(referenceAfter)+" after\nhistory         "+rewriting(rewritten), nil)
	marks, cut := marksOf(before.Elements(), after.Elements())
	listed := itemList(before.Elements(), marks)
	if cut < len(listed) {
		line := "---- cut " + strings.Repeat("-", width/2)
		listed = append(listed[:cut:cut], append([]string{line}, listed[cut:]...)...)
	}
	lines = append(lines, section("before", listed)...)
	lines = append(lines, section("after", itemList(after.Elements(), nil))...)
	return append(lines, further(result, "items", "reference", "rewritten")...)
}

func was(reference jsonvalue.Value) string {
	switch set, ok := reference.Bool(); {
	case !ok:
		return inline(reference)
	case set:
		return "set"
	default:
		return "none"
	}
}

func rewriting(rewritten jsonvalue.Value) string {
	switch done, ok := rewritten.Bool(); {
	case !ok:
		return inline(rewritten)
	case done:
		return "rewritten"
	default:
		return "not touched"
	}
}

// itemList is a list of items, one a line, numbered from 1; marks may be nil.
func itemList(items []jsonvalue.Value, marks []string) []string {
	if len(items) == 0 {
		return []string{"nothing"}
	}
	rows := make([][]string, len(items))
	digits := len(strconv.Itoa(len(items)))
	for i, item := range items {
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
