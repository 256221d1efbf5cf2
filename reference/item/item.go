// Package item holds Responses API items as they stand in a request or a rollout.
//
// An item is kept as the JSON object it came as: members and item types nobody here has heard of
// survive unchanged (docs/protocol.md, shared shapes). What the rules look at is read through
// accessors, and a rule that changes an item changes only the members it names.
package item

import "github.com/contextfragments/conform/reference/jsonvalue"

// The item types and content types that a rule looks at.
const (
	TypeMessage      = "message"
	TypeAgentMessage = "agent_message"

	InputText  = "input_text"
	OutputText = "output_text"
	InputImage = "input_image"
	InputAudio = "input_audio"

	RoleUser      = "user"
	RoleDeveloper = "developer"
	RoleAssistant = "assistant"
)

const (
	metadataMember = "internal_chat_message_metadata_passthrough"
	kindsMember    = "content_item_kinds"
	turnIDMember   = "turn_id"
)

// UnknownKind stands for a content item whose kind was never recorded (DET-131).
const UnknownKind = "unknown"

// Item is one Responses API item. The zero Item is not valid.
type Item struct{ object jsonvalue.Value }

// Content is one content item of a message.
type Content struct{ object jsonvalue.Value }

// Decode reads an item: an object with a string "type". A message must also have a string "role"
// and an array of objects with a string "type" as its content, each text content a string "text".
// Everything else is kept unread.
func Decode(c jsonvalue.Cursor) (Item, error) {
	if _, err := c.Object(); err != nil {
		return Item{}, err
	}
	kind, err := c.Member("type").Text()
	if err != nil {
		return Item{}, err
	}
	if kind == TypeMessage {
		if _, err := c.Member("role").Text(); err != nil {
			return Item{}, err
		}
		contents, err := c.Member("content").Elements()
		if err != nil {
			return Item{}, err
		}
		for _, content := range contents {
			if err := checkContent(content); err != nil {
				return Item{}, err
			}
		}
	}
	return Item{c.Value}, nil
}

func checkContent(c jsonvalue.Cursor) error {
	if _, err := c.Object(); err != nil {
		return err
	}
	kind, err := c.Member("type").Text()
	if err == nil && (kind == InputText || kind == OutputText) {
		_, err = c.Member("text").Text()
	}
	return err
}

// DecodeAll reads an array of items.
func DecodeAll(c jsonvalue.Cursor) ([]Item, error) {
	elements, err := c.Elements()
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(elements))
	for i, element := range elements {
		if items[i], err = Decode(element); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// EncodeAll returns the items as a JSON array.
func EncodeAll(items []Item) jsonvalue.Value {
	values := make([]jsonvalue.Value, len(items))
	for i, it := range items {
		values[i] = it.object
	}
	return jsonvalue.OfArray(values...)
}

// FromValue wraps an object that is known to be an item, such as one that this package made.
func FromValue(object jsonvalue.Value) Item { return Item{object} }

// Message returns a message item with neither id nor phase. Kinds, one a content item, are
// recorded as its content_item_kinds; nil records no metadata at all (MRG-14, MRG-17, DET-130).
func Message(role string, contents []Content, kinds []string) Item {
	values := make([]jsonvalue.Value, len(contents))
	for i, content := range contents {
		values[i] = content.object
	}
	message := Item{jsonvalue.OfObject(
		jsonvalue.Field("type", jsonvalue.OfString(TypeMessage)),
		jsonvalue.Field("role", jsonvalue.OfString(role)),
		jsonvalue.Field("content", jsonvalue.OfArray(values...)),
	)}
	if kinds != nil {
		message = message.withKinds(kinds)
	}
	return message
}

// Text returns an input_text content item.
func Text(text string) Content {
	return Content{jsonvalue.OfObject(
		jsonvalue.Field("type", jsonvalue.OfString(InputText)),
		jsonvalue.Field("text", jsonvalue.OfString(text)),
	)}
}

// Value returns the item as JSON.
func (i Item) Value() jsonvalue.Value { return i.object }

// Type returns the item's type.
func (i Item) Type() string {
	kind, _ := i.object.GetText("type")
	return kind
}

// IsMessage reports whether the item is a message of exactly that role; roles are case-sensitive
// (DET-80).
func (i Item) IsMessage(role string) bool { return i.Type() == TypeMessage && i.Role() == role }

// Role returns a message's role, "" where there is none.
func (i Item) Role() string {
	role, _ := i.object.GetText("role")
	return role
}

// Get returns a member of the item.
func (i Item) Get(name string) (jsonvalue.Value, bool) { return i.object.Get(name) }

// GetText returns a string member of the item; false if it is absent or no string.
func (i Item) GetText(name string) (string, bool) { return i.object.GetText(name) }

// With returns the item with one member set.
func (i Item) With(name string, value jsonvalue.Value) Item { return Item{i.object.With(name, value)} }

// Contents returns the content items of a message, nil for every other item.
func (i Item) Contents() []Content {
	if i.Type() != TypeMessage {
		return nil
	}
	content, _ := i.object.Get("content")
	contents := make([]Content, len(content.Elements()))
	for n, element := range content.Elements() {
		contents[n] = Content{element}
	}
	return contents
}

// Kinds returns the content kinds of a message, one a content item: a missing list, a missing
// entry and an entry that is no string read as UnknownKind, surplus entries are dropped (DET-131).
func (i Item) Kinds() []string {
	recorded := i.recordedKinds()
	kinds := make([]string, len(i.Contents()))
	for n := range kinds {
		kinds[n] = UnknownKind
		if n < len(recorded) {
			if kind, ok := recorded[n].Text(); ok {
				kinds[n] = kind
			}
		}
	}
	return kinds
}

func (i Item) recordedKinds() []jsonvalue.Value {
	metadata, _ := i.object.Get(metadataMember)
	kinds, _ := metadata.Get(kindsMember)
	return kinds.Elements()
}

// TurnID returns the id of the turn that the item was recorded in, and whether it has one.
func (i Item) TurnID() (string, bool) {
	metadata, _ := i.object.Get(metadataMember)
	return metadata.GetText(turnIDMember)
}

// WithTurnID returns the item with the turn id recorded in its metadata, unless it has one that is
// not empty (INI-13).
func (i Item) WithTurnID(id string) Item {
	if old, _ := i.TurnID(); old != "" {
		return i
	}
	return i.withMetadata(turnIDMember, jsonvalue.OfString(id))
}

func (i Item) withKinds(kinds []string) Item {
	return i.withMetadata(kindsMember, jsonvalue.OfStrings(kinds))
}

func (i Item) withMetadata(name string, value jsonvalue.Value) Item {
	metadata, _ := i.object.Get(metadataMember)
	if metadata.Kind() != jsonvalue.Object {
		metadata = jsonvalue.OfObject()
	}
	return Item{i.object.With(metadataMember, metadata.With(name, value))}
}

// KeepContents returns the message with only the content items that keep answers true for. The
// recorded kinds stay aligned with what is left (MRG-17).
func (i Item) KeepContents(keep func(Content) bool) Item {
	recorded := i.recordedKinds()
	contents, kinds := []jsonvalue.Value{}, []jsonvalue.Value{}
	for n, content := range i.Contents() {
		if !keep(content) {
			continue
		}
		contents = append(contents, content.object)
		if n < len(recorded) {
			kinds = append(kinds, recorded[n])
		}
	}
	kept := Item{i.object.With("content", jsonvalue.OfArray(contents...))}
	if recorded != nil {
		kept = kept.withMetadata(kindsMember, jsonvalue.OfArray(kinds...))
	}
	return kept
}

// ReplaceContents returns the message with content items replaced. Replace returns the new item
// and its kind, and false where the item stays; a kind is recorded only where the message already
// records one for that item (DET-131).
func (i Item) ReplaceContents(replace func(Content) (Content, string, bool)) Item {
	recorded := i.recordedKinds()
	kinds := append([]jsonvalue.Value(nil), recorded...)
	contents := []jsonvalue.Value{}
	changed := false
	for n, content := range i.Contents() {
		replacement, kind, ok := replace(content)
		if !ok {
			contents = append(contents, content.object)
			continue
		}
		changed = true
		contents = append(contents, replacement.object)
		if n < len(kinds) {
			kinds[n] = jsonvalue.OfString(kind)
		}
	}
	if !changed {
		return i
	}
	replaced := Item{i.object.With("content", jsonvalue.OfArray(contents...))}
	if recorded != nil {
		replaced = replaced.withMetadata(kindsMember, jsonvalue.OfArray(kinds...))
	}
	return replaced
}

// Type returns the content item's type.
func (c Content) Type() string {
	kind, _ := c.object.GetText("type")
	return kind
}

// InputText returns the text of an input_text item; false for every other type (DET-14).
func (c Content) InputText() (string, bool) {
	if c.Type() != InputText {
		return "", false
	}
	return c.object.GetText("text")
}

// Value returns the content item as JSON.
func (c Content) Value() jsonvalue.Value { return c.object }
