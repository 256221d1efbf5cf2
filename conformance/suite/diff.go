package suite

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Difference is one place in which an answer is not what a case expects.
type Difference struct {
	Path string           `json:"path" jsonschema:"RFC 6901 pointer into the result; into the expected result where it has the place, else into the actual one"`
	Want *jsonvalue.Value `json:"want,omitzero" jsonschema:"the expected value; absent: nothing was expected here"`
	Got  *jsonvalue.Value `json:"got,omitzero" jsonschema:"the actual value; absent: there is nothing here"`
}

// Compare returns where got differs from want under the protocol's comparison: members whose name
// starts with "x-" are left out on both sides at any depth, numbers go by value, everything else
// is exact. No difference means that the two are equal.
func Compare(want, got jsonvalue.Value) []Difference {
	want, got = withoutExtensions(want), withoutExtensions(got)
	if jsonvalue.Equal(want, got) {
		return nil
	}
	return differences(nil, "", want, got)
}

// withoutExtensions returns the value without members whose name starts with "x-", at any depth.
// What holds none is returned as it is.
func withoutExtensions(v jsonvalue.Value) jsonvalue.Value {
	if !hasExtensions(v) {
		return v
	}
	switch v.Kind() {
	case jsonvalue.Array:
		elements := make([]jsonvalue.Value, len(v.Elements()))
		for i, element := range v.Elements() {
			elements[i] = withoutExtensions(element)
		}
		return jsonvalue.OfArray(elements...)
	default: // an object: nothing else has members
		members := []jsonvalue.Member{}
		for _, m := range v.Members() {
			if !strings.HasPrefix(m.Name, "x-") {
				members = append(members, jsonvalue.Field(m.Name, withoutExtensions(m.Value)))
			}
		}
		return jsonvalue.OfObject(members...)
	}
}

func hasExtensions(v jsonvalue.Value) bool {
	for _, element := range v.Elements() {
		if hasExtensions(element) {
			return true
		}
	}
	for _, m := range v.Members() {
		if strings.HasPrefix(m.Name, "x-") || hasExtensions(m.Value) {
			return true
		}
	}
	return false
}

// differences appends the smallest places at which two unequal values differ.
func differences(found []Difference, path string, want, got jsonvalue.Value) []Difference {
	switch {
	case jsonvalue.Equal(want, got):
		return found
	case want.Kind() == jsonvalue.Object && got.Kind() == jsonvalue.Object:
		return memberDifferences(found, path, want, got)
	case want.Kind() == jsonvalue.Array && got.Kind() == jsonvalue.Array:
		return elementDifferences(found, path, want.Elements(), got.Elements())
	default:
		return append(found, Difference{Path: path, Want: &want, Got: &got})
	}
}

func memberDifferences(found []Difference, path string, want, got jsonvalue.Value) []Difference {
	for _, m := range want.Members() {
		place := path + "/" + pointerToken(m.Name)
		if other, ok := got.Get(m.Name); ok {
			found = differences(found, place, m.Value, other)
		} else {
			found = append(found, Difference{Path: place, Want: &m.Value})
		}
	}
	for _, m := range got.Members() {
		if _, ok := want.Get(m.Name); !ok {
			found = append(found, Difference{Path: path + "/" + pointerToken(m.Name), Got: &m.Value})
		}
	}
	return found
}

// elementDifferences takes off what is equal at both ends first, so that one element too many or
// too few is one difference, and not one for each element behind it. Where what is left has two
// lengths, the surplus stands at its front or at its back, whichever leaves more in common.
func elementDifferences(found []Difference, path string, want, got []jsonvalue.Value) []Difference {
	front := 0
	for front < min(len(want), len(got)) && jsonvalue.Equal(want[front], got[front]) {
		front++
	}
	wantEnd, gotEnd := len(want), len(got)
	for min(wantEnd, gotEnd) > front && jsonvalue.Equal(want[wantEnd-1], got[gotEnd-1]) {
		wantEnd--
		gotEnd--
	}
	want, got = want[:wantEnd], got[:gotEnd]
	shift := 0
	if before := wantEnd - gotEnd; before != 0 && inCommon(want[front:], got[front:], before) > inCommon(want[front:], got[front:], 0) {
		shift = before
	}
	return pairs(found, path, front, want, got, shift)
}

// inCommon counts what is the same in the pairs want[i], got[i-shift]. It looks one level deep
// only: comparing whole differences instead would double the work with each level of nesting, and
// the nesting is up to the adapter.
func inCommon(want, got []jsonvalue.Value, shift int) int {
	count := 0
	for i := max(0, shift); i < min(len(want), len(got)+shift); i++ {
		a, b := want[i], got[i-shift]
		if a.Kind() != b.Kind() {
			continue
		}
		count++
		for j := range min(len(a.Elements()), len(b.Elements())) {
			if jsonvalue.Equal(a.Elements()[j], b.Elements()[j]) {
				count++
			}
		}
		for _, m := range a.Members() {
			if other, ok := b.Get(m.Name); ok && jsonvalue.Equal(m.Value, other) {
				count++
			}
		}
	}
	return count
}

// pairs compares want[i] with got[i-shift], from an index on; what has no partner is missing or
// too much.
func pairs(found []Difference, path string, front int, want, got []jsonvalue.Value, shift int) []Difference {
	for i := front; i < front-shift; i++ { // in front of the first pair
		found = append(found, Difference{Path: element(path, i), Got: &got[i]})
	}
	for i := front; i < len(want); i++ {
		if j := i - shift; j >= front && j < len(got) {
			found = differences(found, element(path, i), want[i], got[j])
		} else {
			found = append(found, Difference{Path: element(path, i), Want: &want[i]})
		}
	}
	for j := max(front, len(want)-shift); j < len(got); j++ { // behind the last pair
		found = append(found, Difference{Path: element(path, j), Got: &got[j]})
	}
	return found
}

func element(path string, index int) string { return path + "/" + strconv.Itoa(index) }

func pointerToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// The sizes beyond which a difference is not shown in full, in characters and lines.
const (
	widestText  = 72  // a string of several lines becomes a line diff
	widestValue = 160 // everything else is cut
	longestDiff = 40  // lines of a line diff
)

// String renders the difference for a person: one line, or a line diff where both sides are long
// text of several lines. Everything invisible is escaped.
func (d Difference) String() string {
	place := Printable(d.Path)
	switch tail := []rune(place); {
	case place == "":
		place = "the result"
	case len(tail) > widestValue:
		place = "…" + string(tail[len(tail)-widestValue:])
	}
	switch {
	case d.Got == nil:
		return sides(place, short(*d.Want), "nothing")
	case d.Want == nil:
		return sides(place, "nothing", short(*d.Got))
	}
	want, wantText := d.Want.Text()
	got, gotText := d.Got.Text()
	if !wantText || !gotText {
		return sides(place, short(*d.Want), short(*d.Got))
	}
	if isLong(want) || isLong(got) {
		return place + ":\n" + indent(lineDiff(want, got))
	}
	want, got = window(want, got)
	return sides(place, want, got)
}

// sides puts both sides on one line, or below each other where they are easier to compare so.
func sides(place, want, got string) string {
	const widestLine = 96
	if line := place + ": want " + want + " got " + got; utf8.RuneCountInString(line) <= widestLine {
		return line
	}
	return place + ":\n  want " + want + "\n  got  " + got
}

func isLong(text string) bool { return len(text) > widestText && strings.Contains(text, "\n") }

// short renders a value on one line, cut where it is too wide.
func short(v jsonvalue.Value) string {
	if text, ok := v.Text(); ok {
		return cut([]rune(text), 0)
	}
	line := []rune(printableJSON(v))
	if len(line) <= widestValue {
		return string(line)
	}
	return string(line[:widestValue]) + "…"
}

// printableJSON is the compact encoding of v with everything invisible escaped.
func printableJSON(v jsonvalue.Value) string { return Printable(v.String()) }

// cut quotes the part of a text that starts at a character; an ellipsis outside the quotes marks
// what is left out.
func cut(text []rune, start int) string {
	end := min(len(text), start+widestValue)
	quoted := Quote(string(text[start:end]))
	if start > 0 {
		quoted = "…" + quoted
	}
	if end < len(text) {
		quoted += "…"
	}
	return quoted
}

// window quotes two texts; where they are wide, from shortly before their first difference.
func window(want, got string) (string, string) {
	const before = 24 // characters of context
	a, b := []rune(want), []rune(got)
	if len(a) <= widestValue && len(b) <= widestValue {
		return Quote(want), Quote(got)
	}
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		first++
	}
	start := max(0, first-before)
	return cut(a, start), cut(b, start)
}

// lineDiff is a unified diff without file names. A blank at the end of a line is escaped, because
// otherwise nobody would see it.
func lineDiff(want, got string) string {
	if !strings.HasSuffix(want, "\n") && !strings.HasSuffix(got, "\n") {
		want, got = want+"\n", got+"\n" // not a difference, so not worth a line
	}
	diff := udiff.Unified("want", "got", want, got)
	lines := strings.Split(strings.TrimSuffix(diff, "\n"), "\n")
	if more := len(lines) - longestDiff; more > 0 {
		lines = append(lines[:longestDiff], fmt.Sprintf("@@ … and %d more lines @@", more))
	}
	for i, line := range lines {
		if line == "" || i < 2 || strings.HasPrefix(line, "@@") {
			continue
		}
		if line[0] == '\\' { // "no newline at end of file"
			lines[i] = `\ no line end here`
			continue
		}
		content := []rune(line[1:])
		ellipsis := ""
		if len(content) > widestValue {
			content, ellipsis = content[:widestValue], "…"
		}
		text := escape(string(content), `\`)
		if blanks := len(text) - len(strings.TrimRight(text, " ")); blanks > 0 {
			text = text[:len(text)-blanks] + strings.Repeat(`\u0020`, blanks)
		}
		lines[i] = line[:1] + text + ellipsis
	}
	return strings.Join(lines, "\n")
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
