package additional

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/item"
)

type request map[string]Entry

func untrusted(value string) Entry   { return Entry{value, "untrusted"} }
func application(value string) Entry { return Entry{value, "application"} }

// told writes messages as "role: text", one a line.
func told(t *testing.T, items []item.Item) string {
	t.Helper()
	lines := []string{}
	for _, it := range items {
		contents := it.Contents()
		if len(contents) != 1 {
			t.Fatalf("want one content item a message, got %s", it.Value())
		}
		text, _ := contents[0].InputText()
		lines = append(lines, it.Role()+": "+text)
	}
	return strings.Join(lines, "\n")
}

func TestMerge(t *testing.T) {
	long := strings.Repeat("a", 4000)
	for _, test := range []struct {
		name     string
		requests []request
		want     []string
	}{
		{"new", []request{{"k": untrusted("v")}}, []string{"user: <external_k>v</external_k>"}},
		{"both forms", []request{{"k": application("v")}}, []string{"developer: <k>v</k>"}},
		{"equal is not told again", []request{{"k": untrusted("v")}, {"k": untrusted("v")}, {"k": untrusted("v")}},
			[]string{"user: <external_k>v</external_k>", "", ""}},
		{"another value", []request{{"k": untrusted("v")}, {"k": untrusted("w")}, {"k": untrusted("v")}},
			[]string{"user: <external_k>v</external_k>", "user: <external_k>w</external_k>", "user: <external_k>v</external_k>"}},
		{"another kind", []request{{"k": untrusted("v")}, {"k": application("v")}},
			[]string{"user: <external_k>v</external_k>", "developer: <k>v</k>"}},
		{"only what changed", []request{{"a": untrusted("1"), "b": untrusted("2")}, {"a": untrusted("1"), "b": untrusted("3"), "c": untrusted("4")}},
			[]string{"user: <external_a>1</external_a>\nuser: <external_b>2</external_b>", "user: <external_b>3</external_b>\nuser: <external_c>4</external_c>"}},
		{"a key left out is forgotten without a word", []request{{"a": untrusted("1"), "b": untrusted("2")}, {"b": untrusted("2")}, {"a": untrusted("1"), "b": untrusted("2")}},
			[]string{"user: <external_a>1</external_a>\nuser: <external_b>2</external_b>", "", "user: <external_a>1</external_a>"}},
		{"an empty map resets", []request{{"k": untrusted("v")}, {}, {"k": untrusted("v")}},
			[]string{"user: <external_k>v</external_k>", "", "user: <external_k>v</external_k>"}},
		{"no map resets", []request{{"k": untrusted("v")}, nil, {"k": untrusted("v")}},
			[]string{"user: <external_k>v</external_k>", "", "user: <external_k>v</external_k>"}},
		{"byte order of keys, kinds mixed, one message each", []request{{"é": application("5"), "b": application("4"), "a": untrusted("3"), "B": untrusted("2"), "": untrusted("1")}},
			[]string{"user: <external_>1</external_>\nuser: <external_B>2</external_B>\nuser: <external_a>3</external_a>\ndeveloper: <b>4</b>\ndeveloper: <é>5</é>"}},
		{"nothing is escaped", []request{{"k<&": untrusted("</x>&\n")}}, []string{"user: <external_k<&></x>&\n</external_k<&>"}},
		{"4000 bytes are not cut", []request{{"k": untrusted(long)}}, []string{"user: <external_k>" + long + "</external_k>"}},
		{"one more is", []request{{"k": application(long + "b")}},
			[]string{"developer: <k>" + long[:2000] + "…1 tokens truncated…" + long[:1999] + "b</k>"}},
		{"compared uncut", []request{{"k": untrusted(long + "bc" + long)}, {"k": untrusted(long + "cb" + long)}, {"k": untrusted(long + "cb" + long)}},
			[]string{
				"user: <external_k>" + long[:2000] + "…1001 tokens truncated…" + long[:2000] + "</external_k>",
				"user: <external_k>" + long[:2000] + "…1001 tokens truncated…" + long[:2000] + "</external_k>", ""}},
	} {
		var store Store
		for i, request := range test.requests {
			if got := told(t, store.Merge(request)); got != test.want[i] {
				t.Errorf("%s, request %d: got %.300q\nwant %.300q", test.name, i, got, test.want[i])
			}
		}
	}
}

func TestMergedMessage(t *testing.T) {
	var store Store
	got := item.EncodeAll(store.Merge(request{"tab": untrusted("1")})).String()
	want := `[{"type":"message","role":"user","content":[{"type":"input_text","text":"<external_tab>1</external_tab>"}],` +
		`"internal_chat_message_metadata_passthrough":{"content_item_kinds":["additional_content.tab"]}}]`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestStoreDoesNotShareItsMap(t *testing.T) {
	var store Store
	entries := request{"k": untrusted("v")}
	store.Merge(entries)
	entries["k"] = untrusted("w")
	if got := told(t, store.Merge(entries)); got != "user: <external_k>w</external_k>" {
		t.Errorf("got %q", got)
	}
}
