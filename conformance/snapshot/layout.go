package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// width is the number of columns up to which a value stays on one line.
const width = 100

// Members of an item that have a place of their own in its layout.
const (
	metadata = "internal_chat_message_metadata_passthrough"
	kinds    = "content_item_kinds"
	turnID   = "turn_id"
)

// itemLayout lays an item out over several lines: what it is, its further members, then each
// content item with its kind and its text.
func itemLayout(number int, item jsonvalue.Value) []string {
	title, contents, contentKinds, rest := takeApart(item)
	lines := []string{fmt.Sprintf("%s %d  %s", noun(item), number, title)}
	lines = append(lines, indent("  ", memberLines(rest))...)
	for i, content := range contents {
		heading, body := contentLayout(item, content)
		if i < len(contentKinds) {
			heading = append(heading, scalarWord(contentKinds[i]))
		} else if contentKinds != nil {
			heading = append(heading, "no kind")
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %d  %s", i+1, strings.Join(heading, ", ")), " "))
		lines = append(lines, indent("     ", body)...)
	}
	if len(contentKinds) > len(contents) {
		lines = append(lines, "  kinds without content  "+inline(jsonvalue.OfArray(contentKinds[len(contents):]...)))
	}
	return lines
}

// itemLine lays an item out on one line: what it is and what it holds.
func itemLine(item jsonvalue.Value) (title, holds string) {
	title, contents, contentKinds, rest := takeApart(item)
	parts := make([]string, len(contents))
	for i, content := range contents {
		words := []string{}
		if kind := contentType(item, content); kind != "" {
			words = append(words, kind)
		}
		if i < len(contentKinds) {
			words = append(words, scalarWord(contentKinds[i]))
		} else if contentKinds != nil {
			words = append(words, "no kind")
		}
		text, ok := content.GetText("text")
		if ok {
			words = append(words, quote(text))
			content = content.Without("text")
		}
		if content = content.Without("type"); len(content.Members()) > 0 || !ok {
			words = append(words, inline(content))
		}
		parts[i] = strings.Join(words, " ")
	}
	holds = strings.Join(parts, " + ")
	if len(contentKinds) > len(contents) {
		holds += " kinds without content " + inline(jsonvalue.OfArray(contentKinds[len(contents):]...))
	}
	if len(rest.Members()) > 0 {
		holds += " " + inline(rest)
	}
	return title, strings.TrimLeft(holds, " ")
}

func isNoObject(v jsonvalue.Value) bool { return v.Kind() != jsonvalue.Object }

func noun(item jsonvalue.Value) string {
	if kind, _ := item.GetText("type"); kind == "message" {
		return "message"
	}
	return "item"
}

// takeApart returns what has a place of its own in the layout of an item, and the item without
// it. The kinds are nil where the item has no list of them.
func takeApart(item jsonvalue.Value) (title string, contents, contentKinds []jsonvalue.Value, rest jsonvalue.Value) {
	rest = item
	if isNoObject(item) {
		return inline(item), nil, nil, jsonvalue.Value{}
	}
	if noun(item) == "item" {
		if kind, ok := item.GetText("type"); ok {
			return word(kind), nil, nil, rest.Without("type")
		}
		return "no type", nil, nil, rest
	}
	title, rest = "no role", rest.Without("type")
	if role, ok := item.GetText("role"); ok {
		title, rest = word(role), rest.Without("role")
	}
	if content, _ := item.Get("content"); content.Kind() == jsonvalue.Array && !slices.ContainsFunc(content.Elements(), isNoObject) {
		contents, rest = content.Elements(), rest.Without("content")
	}
	data, ok := item.Get(metadata)
	if !ok || len(data.Members()) == 0 {
		return title, contents, nil, rest
	}
	if id, ok := data.GetText(turnID); ok {
		title, data = title+", turn "+word(id), data.Without(turnID)
	}
	if list, _ := data.Get(kinds); len(list.Elements()) > 0 {
		contentKinds, data = list.Elements(), data.Without(kinds)
	}
	rest = rest.Without(metadata)
	if len(data.Members()) > 0 {
		rest = rest.With(metadata, data)
	}
	return title, contents, contentKinds, rest
}

// contentType returns the type of a content item, "" for the one that a reader expects in a
// message of its role.
func contentType(item, content jsonvalue.Value) string {
	expected := "input_text"
	if role, _ := item.GetText("role"); role == "assistant" {
		expected = "output_text"
	}
	kind, ok := content.GetText("type")
	switch {
	case !ok:
		return "no type"
	case kind == expected:
		return ""
	default:
		return word(kind)
	}
}

func contentLayout(item, content jsonvalue.Value) (heading, body []string) {
	if kind := contentType(item, content); kind != "" {
		heading = append(heading, kind)
	}
	text, isText := content.GetText("text")
	if isText {
		content = content.Without("text")
	}
	body = memberLines(content.Without("type"))
	if isText {
		body = append(body, textLines(text)...)
	}
	return heading, body
}

// memberLines lays out the members of an object, a name and a value a line where the value fits,
// else the name and the value below it.
func memberLines(object jsonvalue.Value) []string {
	longest := 0
	for _, m := range object.Members() {
		if fits(m.Value) {
			longest = max(longest, utf8.RuneCountInString(word(m.Name)))
		}
	}
	lines := []string{}
	for _, m := range object.Members() {
		if fits(m.Value) {
			lines = append(lines, pad(word(m.Name), longest)+"  "+inline(m.Value))
		} else {
			lines = append(append(lines, word(m.Name)), indent("  ", valueLines(m.Value))...)
		}
	}
	return lines
}

// fits reports whether a value stays on one line: every scalar does, however long it is.
func fits(v jsonvalue.Value) bool {
	isContainer := len(v.Elements()) > 0 || len(v.Members()) > 0
	return !isContainer || utf8.RuneCountInString(inline(v)) <= width
}

// valueLines lays out any JSON value, on one line where it fits.
func valueLines(v jsonvalue.Value) []string {
	switch {
	case fits(v):
		return []string{inline(v)}
	case v.Kind() == jsonvalue.Object:
		return memberLines(v)
	default:
		return eachElement(v)
	}
}

// eachElement lays out the elements of an array, numbered from 1.
func eachElement(v jsonvalue.Value) []string {
	lines := []string{}
	digits := len(strconv.Itoa(len(v.Elements())))
	for i, element := range v.Elements() {
		inner := valueLines(element)
		lines = append(lines, fmt.Sprintf("%*d  %s", digits, i+1, inner[0]))
		lines = append(lines, indent(strings.Repeat(" ", digits+2), inner[1:])...)
	}
	return lines
}

// inline is the JSON of a value on one line with what is invisible escaped.
func inline(v jsonvalue.Value) string {
	parts := []string{}
	switch v.Kind() {
	case jsonvalue.String:
		text, _ := v.Text()
		return quote(text)
	case jsonvalue.Array:
		for _, element := range v.Elements() {
			parts = append(parts, inline(element))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case jsonvalue.Object:
		for _, m := range v.Members() {
			parts = append(parts, quote(m.Name)+": "+inline(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return v.String()
	}
}

// scalarWord is a string as a word, and anything else as JSON.
func scalarWord(v jsonvalue.Value) string {
	if text, ok := v.Text(); ok {
		return word(text)
	}
	return inline(v)
}

// inNameOrder returns the value with the members of each object in order of their names: the
// protocol does not look at their order, so a layout must not show it.
func inNameOrder(v jsonvalue.Value) jsonvalue.Value {
	switch v.Kind() {
	case jsonvalue.Array:
		elements := slices.Clone(v.Elements())
		for i := range elements {
			elements[i] = inNameOrder(elements[i])
		}
		return jsonvalue.OfArray(elements...)
	case jsonvalue.Object:
		members := slices.Clone(v.Members())
		for i := range members {
			members[i].Value = inNameOrder(members[i].Value)
		}
		slices.SortFunc(members, func(a, b jsonvalue.Member) int { return cmp.Compare(a.Name, b.Name) })
		return jsonvalue.OfObject(members...)
	default:
		return v
	}
}

func indent(by string, lines []string) []string {
	indented := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			indented[i] = by + line
		}
	}
	return indented
}

func pad(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-utf8.RuneCountInString(text)))
}

// table lays rows out in columns. A cell longer than half a line does not widen its column.
func table(rows [][]string) []string {
	widths := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			if n := utf8.RuneCountInString(cell); n <= width/2 {
				widths[i] = max(widths[i], n)
			}
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = pad(cell, widths[j])
		}
		lines[i] = strings.TrimRight(strings.Join(cells, "  "), " ")
	}
	return lines
}
