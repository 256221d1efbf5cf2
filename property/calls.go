package property

import (
	"fmt"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// classify returns the kind that a text of a user message is recognised as, "" for none.
func classify(c caller, text string) (string, error) {
	result, err := c.call(protocol.FragmentClassify,
		jsonvalue.Field("role", jsonvalue.OfString("user")), jsonvalue.Field("text", jsonvalue.OfString(text)))
	if err != nil {
		return "", err
	}
	contextual, _ := result.Get("contextual")
	if yes, ok := contextual.Bool(); !ok || !yes {
		return "", nil
	}
	kind, _ := result.GetText("kind")
	return kind, nil
}

// expectClassified checks that a text of a user message is recognised as that kind; "" means a person's words.
func expectClassified(c caller, text, want string) error {
	got, err := classify(c, text)
	if err != nil || got == want {
		return err
	}
	return fmt.Errorf("text %q: recognised as %q, want %q", text, got, want)
}

func expectMember(result jsonvalue.Value, name string, want jsonvalue.Value) error {
	got, ok := result.Get(name)
	if !ok {
		return fmt.Errorf("the result has no member %q: %s", name, result)
	}
	if !jsonvalue.Equal(got, want) {
		return fmt.Errorf("%s: got %s, want %s", name, got, want)
	}
	return nil
}

func userMessage(texts ...string) jsonvalue.Value {
	contents := make([]jsonvalue.Value, len(texts))
	for i, text := range texts {
		contents[i] = jsonvalue.OfObject(jsonvalue.Field("type", jsonvalue.OfString("input_text")), jsonvalue.Field("text", jsonvalue.OfString(text)))
	}
	return jsonvalue.OfObject(
		jsonvalue.Field("type", jsonvalue.OfString("message")),
		jsonvalue.Field("role", jsonvalue.OfString("user")),
		jsonvalue.Field("content", jsonvalue.OfArray(contents...)))
}

// message is what the merge laws look at.
type message struct {
	role         string
	texts, kinds []string
}

func readMessage(item jsonvalue.Value) message {
	m := message{}
	m.role, _ = item.GetText("role")
	content, _ := item.Get("content")
	for _, element := range content.Elements() {
		text, _ := element.GetText("text")
		m.texts = append(m.texts, text)
	}
	metadata, _ := item.Get("internal_chat_message_metadata_passthrough")
	kinds, _ := metadata.Get("content_item_kinds")
	for _, element := range kinds.Elements() {
		kind, _ := element.Text()
		m.kinds = append(m.kinds, kind)
	}
	return m
}

func merge(c caller, pieces []piece) ([]message, error) {
	result, err := c.call(protocol.MessageMerge, jsonvalue.Field("fragments", fragments(pieces)))
	if err != nil {
		return nil, err
	}
	items, _ := result.Get("items")
	var messages []message
	for _, item := range items.Elements() {
		messages = append(messages, readMessage(item))
	}
	return messages, nil
}

func turns(c caller, items jsonvalue.Value) ([]int, error) {
	result, err := c.call(protocol.HistoryTurns, jsonvalue.Field("items", items))
	if err != nil {
		return nil, err
	}
	list, err := jsonvalue.At(result).Member("boundaries").Elements()
	if err != nil {
		return nil, err
	}
	found := []int{}
	for _, element := range list {
		index, err := element.Int()
		if err != nil {
			return nil, err
		}
		found = append(found, index)
	}
	return found, nil
}

// rollback returns the items that are left and whether the reference was kept.
func rollback(c caller, items jsonvalue.Value, count int) (left jsonvalue.Value, reference bool, err error) {
	result, err := c.call(protocol.HistoryRollback,
		jsonvalue.Field("items", items), jsonvalue.Field("turns", jsonvalue.OfInt(count)), jsonvalue.Field("reference", jsonvalue.OfBool(true)))
	if err != nil {
		return left, false, err
	}
	left, _ = result.Get("items")
	reference, err = jsonvalue.At(result).Member("reference").Bool()
	return left, reference, err
}
