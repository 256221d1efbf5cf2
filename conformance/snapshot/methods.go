package snapshot

import (
	"fmt"
	"strings"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// methods say for each method how a call and its result are laid out. Params are in the order of
// the case file; the members of a result are in order of their names.
var methods = map[string]func(params, result jsonvalue.Value) []string{
	protocol.FragmentRender:  renderedFragment,
	protocol.MessageMerge:    emittedMessages,
	protocol.ContextInitial:  emittedMessages,
	protocol.AdditionalMerge: additionalContext,
	protocol.HistoryRollback: rollback,
	protocol.WorldStateDiff:  worldStateUpdate,
}

// renderedFragment: the fields, then role, kind and boundary in one line, then the text.
func renderedFragment(params, result jsonvalue.Value) []string {
	given, _ := params.Get("fragment")
	lines := section("given", memberLines(given))
	heading := []string{}
	for _, name := range []string{"role", "content_kind"} {
		value, ok := result.Get(name)
		if ok {
			heading = append(heading, scalarWord(value))
		} else {
			heading = append(heading, "no "+name)
		}
		result = result.Without(name)
	}
	if separate, _ := result.Get("separate"); separate.Kind() == jsonvalue.Bool {
		boundary := "joins its neighbours"
		if alone, _ := separate.Bool(); alone {
			boundary = "a message of its own"
		}
		heading, result = append(heading, boundary), result.Without("separate")
	}
	body := []string{}
	if text, ok := result.GetText("text"); ok {
		body, result = textLines(text), result.Without("text")
	}
	return append(lines, section("rendered  "+strings.Join(heading, ", "), append(memberLines(result), body...))...)
}

// emittedMessages: what was given, then the messages that came of it.
func emittedMessages(params, result jsonvalue.Value) []string {
	items, _ := result.Get("items")
	lines := section("given", memberLines(params))
	lines = append(lines, sent(items.Elements())...)
	return append(lines, further(result, "items")...)
}

// additionalContext: for each call the entries, then the messages that it sent.
func additionalContext(params, result jsonvalue.Value) []string {
	given, _ := params.Get("calls")
	answers, _ := result.Get("calls")
	lines := []string{}
	for i := range max(len(given.Elements()), len(answers.Elements())) {
		call := []string{}
		if i < len(given.Elements()) {
			call = append(call, section("given", entryLines(given.Elements()[i]))...)
		}
		if i < len(answers.Elements()) {
			call = append(call, sent(answers.Elements()[i].Elements())...)
		} else {
			call = append(call, "no answer")
		}
		lines = append(lines, section(fmt.Sprintf("call %d", i+1), call)...)
	}
	if len(lines) == 0 {
		lines = section("no calls", nil)
	}
	return append(lines, further(result, "calls")...)
}

// entryLines is a table of the entries of a call: key, kind, value.
func entryLines(call jsonvalue.Value) []string {
	if len(call.Members()) == 0 {
		return []string{inline(call)}
	}
	rows := make([][]string, len(call.Members()))
	for i, entry := range call.Members() {
		kind, _ := entry.Value.GetText("kind")
		value, _ := entry.Value.Get("value")
		rows[i] = []string{word(entry.Name), word(kind), inline(value)}
		if rest := entry.Value.Without("kind").Without("value"); len(rest.Members()) > 0 {
			rows[i] = append(rows[i], inline(rest))
		}
	}
	return table(rows)
}

// sent is a section of items, a blank line between them.
func sent(items []jsonvalue.Value) []string {
	if len(items) == 0 {
		return section("sent nothing", nil)
	}
	lines := []string{}
	for i, item := range items {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, itemLayout(i+1, item)...)
	}
	return section("sent", lines)
}

// further is a section of what a result holds besides the members that are laid out.
func further(result jsonvalue.Value, laidOut ...string) []string {
	for _, name := range laidOut {
		result = result.Without(name)
	}
	if len(result.Members()) == 0 {
		return nil
	}
	return section("further", memberLines(result))
}

// section is a heading with lines below it, and a blank line at the end.
func section(heading string, lines []string) []string {
	return append(append([]string{heading}, indent("  ", trimBlank(lines))...), "")
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
