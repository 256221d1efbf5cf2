package assemble

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/fragment"
	"github.com/contextfragments/conform/reference/item"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// parse reads a list of fragments: one a field, the role's first letter and the text, in capitals
// when the fragment demands a message of its own. "ux Dy" is a user fragment x and a separate
// developer fragment y.
func parse(list string) []fragment.Fragment {
	roles := map[string]string{"u": "user", "d": "developer", "a": "assistant"}
	fragments := []fragment.Fragment{}
	for field := range strings.FieldsSeq(list) {
		role := strings.ToLower(field[:1])
		fragments = append(fragments, fragment.Fragment{
			Role: roles[role], Start: "<", Body: field[1:], End: ">", ContentKind: "kind." + field[1:], Separate: field[:1] != role,
		})
	}
	return fragments
}

// layout writes messages as "u[x y] d[z]".
func layout(t *testing.T, items []item.Item) string {
	t.Helper()
	messages := []string{}
	for _, it := range items {
		texts := []string{}
		for _, content := range it.Contents() {
			text, ok := content.InputText()
			if !ok {
				t.Fatalf("content is no input text: %s", content.Value())
			}
			texts = append(texts, strings.Trim(text, "<>"))
		}
		messages = append(messages, it.Role()[:1]+"["+strings.Join(texts, " ")+"]")
	}
	return strings.Join(messages, " ")
}

func TestMergeBoundaries(t *testing.T) {
	for _, test := range []struct{ name, fragments, want string }{
		{"nothing", "", ""},
		{"one", "ux", "u[x]"},
		{"equal roles join", "ux uy uz", "u[x y z]"},
		{"roles do not join", "ux dy", "u[x] d[y]"},
		{"no reordering: roles alternate", "ux dy uz dw", "u[x] d[y] u[z] d[w]"},
		{"assistants join too", "ax ay", "a[x y]"},
		{"a separate one alone", "Ux", "u[x]"},
		{"a separate one takes no followers", "Ux uy", "u[x] u[y]"},
		{"a separate one closes the message before it", "ux Uy", "u[x] u[y]"},
		{"two separate ones", "Ux Uy", "u[x] u[y]"},
		{"a separate one between mergeable ones", "da Db dc dd", "d[a] d[b] d[c d]"},
		{"a separate one of another role also parts", "da Ub dc", "d[a] u[b] d[c]"},
		{"runs on both sides", "da db Dc dd de uf ug", "d[a b] d[c] d[d e] u[f g]"},
	} {
		if got := layout(t, Merge(parse(test.fragments))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestMergedMessages(t *testing.T) {
	fragments := []fragment.Fragment{
		{Role: "user", Start: "<a>", Body: "1\n", End: "</a>", ContentKind: "a.one"},
		{Role: "user", Body: "", ContentKind: "unknown"},
		{Role: "user", Body: "2\n\n", ContentKind: "b.two"},
	}
	want := jsonvalue.MustParse(`[{"type":"message","role":"user","content":[
		{"type":"input_text","text":"<a>1\n</a>"},{"type":"input_text","text":""},{"type":"input_text","text":"2\n\n"}],
		"internal_chat_message_metadata_passthrough":{"content_item_kinds":["a.one","unknown","b.two"]}}]`)
	if got := item.EncodeAll(Merge(fragments)); !jsonvalue.Equal(got, want) {
		t.Errorf("got %s\nwant %s", got.Indented(), want.Indented())
	}
}

func TestMergeOfNothingIsAnEmptyList(t *testing.T) {
	if got := item.EncodeAll(Merge(nil)).String(); got != "[]" {
		t.Errorf("got %s", got)
	}
}
