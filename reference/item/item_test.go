package item

import (
	"slices"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func decode(t *testing.T, document string) Item {
	t.Helper()
	it, err := Decode(jsonvalue.At(jsonvalue.MustParse(document)))
	if err != nil {
		t.Fatalf("Decode(%s): %v", document, err)
	}
	return it
}

func TestDecodeKeepsWhatItDoesNotKnow(t *testing.T) {
	for _, document := range []string{
		`{"type":"from_the_future","payload":{"deep":[1e999,null]}}`,
		`{"x":1,"type":"message","role":"user","content":[{"type":"hologram","z":0},{"type":"input_text","text":"a","y":null}],"phase":null}`,
		`{"type":"message","role":"user","content":[],"internal_chat_message_metadata_passthrough":"malformed"}`,
	} {
		if got := decode(t, document).Value().String(); got != document {
			t.Errorf("came out as %s, went in as %s", got, document)
		}
	}
}

func TestDecodeNamesTheFault(t *testing.T) {
	for document, want := range map[string]string{
		`[]`:                               "want object, got array",
		`{}`:                               "/type: required: want string",
		`{"type":1}`:                       "/type: want string, got number",
		`{"type":"message","content":[]}`:  "/role: required: want string",
		`{"type":"message","role":"user"}`: "/content: required: want array",
		`{"type":"message","role":"user","content":[1]}`:                     "/content/0: want object, got number",
		`{"type":"message","role":"user","content":[{"type":"input_text"}]}`: "/content/0/text: required: want string",
	} {
		_, err := Decode(jsonvalue.At(jsonvalue.MustParse(document)))
		if err == nil || err.Error() != want {
			t.Errorf("Decode(%s): got %v, want %s", document, err, want)
		}
	}
}

func TestKindsReadBack(t *testing.T) {
	contents := `"content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]`
	for metadata, want := range map[string][]string{
		`{}`:                           {"unknown", "unknown"},
		`{"content_item_kinds":["k"]}`: {"k", "unknown"},
		`{"content_item_kinds":["k","l","surplus"]}`: {"k", "l"},
		`{"content_item_kinds":[null,"l"]}`:          {"unknown", "l"},
		`{"content_item_kinds":"malformed"}`:         {"unknown", "unknown"},
		`null`:                                       {"unknown", "unknown"},
	} {
		it := decode(t, `{"type":"message","role":"user",`+contents+`,"internal_chat_message_metadata_passthrough":`+metadata+`}`)
		if got := it.Kinds(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", metadata, got, want)
		}
	}
}

func TestKindsStayAligned(t *testing.T) {
	it := Message("developer", []Content{Text("a"), Text("b"), Text("c")}, []string{"ka", "kb", "kc"}).WithTurnID("t1")
	kept := it.KeepContents(func(c Content) bool { text, _ := c.InputText(); return text != "b" })
	if got := kept.Kinds(); !slices.Equal(got, []string{"ka", "kc"}) {
		t.Errorf("after a removal: %q", got)
	}
	if id, ok := kept.TurnID(); id != "t1" || !ok {
		t.Errorf("the turn id was lost: %q, %v", id, ok)
	}
	replaced := it.ReplaceContents(func(c Content) (Content, string, bool) {
		text, _ := c.InputText()
		return Text("new"), "kn", text == "c"
	})
	if got := replaced.Kinds(); !slices.Equal(got, []string{"ka", "kb", "kn"}) {
		t.Errorf("after a replacement: %q", got)
	}
	bare := Message("user", []Content{Text("a")}, nil)
	replaced = bare.ReplaceContents(func(Content) (Content, string, bool) { return Text("new"), "kn", true })
	if _, ok := replaced.Get("internal_chat_message_metadata_passthrough"); ok {
		t.Error("a message that records no kinds got metadata")
	}
	if again := it.WithTurnID("t2"); again.Value().String() != it.Value().String() {
		t.Error("a turn id was overwritten")
	}
}
