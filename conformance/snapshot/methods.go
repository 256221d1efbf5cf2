package snapshot

import (
	"fmt"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// methods say for each method how a call and its result are laid out. Params are in the order of
// the case file; the members of a result are in order of their names.
//
// Each layout takes out of the result what it shows at a place of its own and shows the rest too.
var methods = map[string]func(params, result jsonvalue.Value) []string{
	protocol.FragmentRender:  renderedFragment,
	protocol.MessageMerge:    emittedMessages,
	protocol.ContextInitial:  emittedMessages,
	protocol.AdditionalMerge: additionalContext,
	protocol.HistoryRollback: rollback,
	protocol.WorldStateDiff:  worldStateUpdate,
	protocol.TurnStateBuild:  turnState,
}

// renderedFragment: the fields, then role, kind and boundary in one line, then the text.
func renderedFragment(params, result jsonvalue.Value) []string {
	given, _ := take(params, "fragment", jsonvalue.Object)
	role, result := take(result, "role", jsonvalue.String)
	kind, result := take(result, "content_kind", jsonvalue.String)
	separate, result := take(result, "separate", jsonvalue.Bool)
	text, result := take(result, "text", jsonvalue.String)
	boundary := either(separate, "a message of its own", "may share a message")
	body := memberLines(result)
	if text, ok := text.Text(); ok {
		body = append(body, textLines(text)...)
	}
	lines := section("given", memberLines(given))
	return append(lines, section("rendered  "+scalarWord(role)+", "+scalarWord(kind)+", "+boundary, body)...)
}

// emittedMessages: what was given, then the messages that came of it.
func emittedMessages(params, result jsonvalue.Value) []string {
	items, result := take(result, "items", jsonvalue.Array)
	lines := section("given", memberLines(params))
	lines = append(lines, sent(items)...)
	return append(lines, further(result)...)
}

// additionalContext: for each call the entries, then the messages that it sent.
func additionalContext(params, result jsonvalue.Value) []string {
	given, _ := take(params, "calls", jsonvalue.Array)
	answers, result := take(result, "calls", jsonvalue.Array)
	lines := []string{}
	for i := range max(len(given.Elements()), len(answers.Elements())) {
		call := []string{}
		if i < len(given.Elements()) {
			call = append(call, section("given", entryLines(given.Elements()[i]))...)
		}
		switch {
		case i >= len(answers.Elements()):
			call = append(call, "no answer")
		case answers.Elements()[i].Kind() != jsonvalue.Array:
			call = append(call, "answer "+inline(answers.Elements()[i]))
		default:
			call = append(call, sent(answers.Elements()[i])...)
		}
		lines = append(lines, section(fmt.Sprintf("call %d", i+1), call)...)
	}
	if len(answers.Elements()) == 0 {
		lines = append(lines, section("answers: "+nothing(answers), nil)...)
	}
	return append(lines, further(result)...)
}

// entryLines is a table of the entries of a call: key, kind, value.
func entryLines(call jsonvalue.Value) []string {
	if len(call.Members()) == 0 {
		return []string{inline(call)}
	}
	rows := make([][]string, len(call.Members()))
	for i, entry := range call.Members() {
		kind, rest := take(entry.Value, "kind", jsonvalue.String)
		value, rest := take(rest, "value", jsonvalue.String)
		rows[i] = []string{word(entry.Name), scalarWord(kind), inline(value)}
		if len(rest.Members()) > 0 {
			rows[i] = append(rows[i], inline(rest))
		}
	}
	return table(rows)
}

// sent is a section of items, a blank line between them.
func sent(items jsonvalue.Value) []string {
	if len(items.Elements()) == 0 {
		return section("sent "+nothing(items), nil)
	}
	lines := []string{}
	for i, item := range items.Elements() {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, itemLayout(i+1, item)...)
	}
	return section("sent", lines)
}

// nothing stands for a list without elements: the empty one, or null where there is no list.
func nothing(list jsonvalue.Value) string {
	if list.Kind() == jsonvalue.Array {
		return "nothing"
	}
	return "null"
}

// further is a section of the members of a result that have no place of their own.
func further(result jsonvalue.Value) []string {
	if len(result.Members()) == 0 {
		return nil
	}
	return section("further", memberLines(result))
}

// take returns the member of an object and the object without it. A member that is absent or of
// another kind stays where it is, so that it is laid out with what is left over; null stands for it.
func take(object jsonvalue.Value, name string, kind jsonvalue.Kind) (member, rest jsonvalue.Value) {
	if member, _ := object.Get(name); member.Kind() == kind {
		return member, object.Without(name)
	}
	return jsonvalue.Value{}, object
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
