package history

import (
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

const (
	environmentText = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"
	permissionsText = "<permissions instructions>\nread-only\n</permissions instructions>"
	modelSwitchText = "<model_switch>\nnew model\n</model_switch>"
)

// decode reads one item.
func decode(t *testing.T, document string) item.Item {
	t.Helper()
	it, err := item.Decode(jsonvalue.At(jsonvalue.MustParse(document)))
	if err != nil {
		t.Fatalf("Decode(%s): %v", document, err)
	}
	return it
}

func texts(role string, all ...string) item.Item {
	contents := make([]item.Content, len(all))
	for i, text := range all {
		contents[i] = item.Text(text)
	}
	return item.Message(role, contents, nil)
}

func user(all ...string) item.Item      { return texts("user", all...) }
func developer(all ...string) item.Item { return texts("developer", all...) }
func assistant(text string) item.Item   { return texts("assistant", text) }

func show(items []item.Item) string { return item.EncodeAll(items).Indented() }

func TestBoundaries(t *testing.T) {
	const image = `{"type":"input_image","image_url":"data:,"}`
	for _, test := range []struct {
		name     string
		item     item.Item
		boundary bool
	}{
		{"a prompt", user("hello"), true},
		{"an empty prompt", user(""), true},
		{"a user message without content", user(), true},
		{"a user message of an image", decode(t, `{"type":"message","role":"user","content":[`+image+`]}`), true},
		{"context in output text", decode(t, `{"type":"message","role":"user","content":[{"type":"output_text","text":"<environment_context></environment_context>"}]}`), true},
		{"context", user(environmentText), false},
		{"context beside a prompt", user("hello", environmentText), false},
		{"context beside an image", decode(t, `{"type":"message","role":"user","content":[`+image+`,{"type":"input_text","text":"<environment_context></environment_context>"}]}`), false},
		{"an unclosed context tag", user("<environment_context>"), true},
		{"another role's spelling", texts("User", "hello"), false},
		{"a developer message", developer("hello"), false},
		{"a system message", texts("system", "hello"), false},
		{"an answer", assistant("hello"), false},
		{"an agent message", decode(t, `{"type":"agent_message","author":"/root","recipient":"/root/a","content":[]}`), true},
		{"an agent message of unknown shape", decode(t, `{"type":"agent_message"}`), true},
		{"a call", decode(t, `{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}`), false},
		{"an unknown item", decode(t, `{"type":"from_the_future","role":"user","content":[]}`), false},
		{"an unknown item that talks of agents", decode(t, `{"type":"agent_messages"}`), false},
	} {
		if got := len(Boundaries([]item.Item{test.item})) == 1; got != test.boundary {
			t.Errorf("%s: boundary %v, want %v", test.name, got, test.boundary)
		}
	}
}

func TestBoundariesAreIndices(t *testing.T) {
	items := []item.Item{developer("d"), user(environmentText), user("one"), assistant("a"), user("two"), user("three")}
	if got := Boundaries(items); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("got %v", got)
	}
	if got := Boundaries(nil); got == nil || len(got) != 0 {
		t.Errorf("no items: got %#v, want an empty list", got)
	}
}

// communicationOf returns an inter-agent communication with further members.
func communicationOf(more ...string) string {
	members := append([]string{`"author":"/root"`, `"recipient":"/root/a"`, `"content":"x"`, `"trigger_turn":true`}, more...)
	return "{" + strings.Join(members, ",") + "}"
}

func TestInterAgentBoundaries(t *testing.T) {
	communication := communicationOf()
	outputText := func(text string) string {
		return `{"type":"output_text","text":` + jsonvalue.OfString(text).String() + `}`
	}
	message := func(role string, contents ...string) item.Item {
		return decode(t, `{"type":"message","role":"`+role+`","content":[`+strings.Join(contents, ",")+`]}`)
	}
	for _, test := range []struct {
		name     string
		item     item.Item
		boundary bool
	}{
		{"output text", message("assistant", outputText(communication)), true},
		{"input text", assistant(communication), true},
		{"text of another type", message("assistant", strings.Replace(outputText(communication), "output_text", "summary_text", 1)), false},
		{"no content", message("assistant"), false},
		{"two items", message("assistant", outputText(communication), outputText("")), false},
		{"from a developer", developer(communication), false},
		{"Assistant", texts("Assistant", communication), false},
		{"old plain text", assistant("author: /root\nrecipient: /root/a\nother_recipients: []\nContent: x"), false},
		{"typed envelope", assistant("Message Type: MESSAGE\nTask name: /root/a\nSender: /root\nPayload:\nx"), false},
	} {
		if got := len(Boundaries([]item.Item{test.item})) == 1; got != test.boundary {
			t.Errorf("%s: boundary %v, want %v", test.name, got, test.boundary)
		}
	}
}
