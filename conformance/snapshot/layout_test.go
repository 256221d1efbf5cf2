package snapshot

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json/jsontext"
)

// unindented takes the line break and the tabs away that a page has in this file.
func unindented(page string) string {
	return strings.ReplaceAll(strings.TrimPrefix(page, "\n"), "\t\t", "")
}

func TestItemLayout(t *testing.T) {
	for _, c := range []struct{ name, item, want string }{
		{"a message of context", `{
			"type": "message", "role": "developer",
			"content": [{"type": "input_text", "text": "<tools>\n- a\n</tools>"}, {"type": "input_text", "text": ""}],
			"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["tools.deferred_namespaces", "unknown"]}}`, `
		message 7  developer
		  1  tools.deferred_namespaces
		     | <tools>
		     | - a
		     | </tools>
		  2  unknown
		     |`},
		{"turn, further members and media", `{
			"type": "message", "role": "user", "id": "msg_1", "phase": null,
			"content": [{"type": "input_image", "image_url": "https://example.test/a.png", "detail": "high"}, {"type": "input_text", "text": "x", "note": 1}],
			"internal_chat_message_metadata_passthrough": {"turn_id": "t 1", "source": {"a": []}}}`, `
		message 7  user, turn "t 1"
		  id                                          "msg_1"
		  phase                                       null
		  internal_chat_message_metadata_passthrough  {"source": {"a": []}}
		  1  input_image
		     image_url  "https://example.test/a.png"
		     detail     "high"
		  2
		     note  1
		     | x`},
		{"too few kinds", `{
			"type": "message", "role": "user", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
			"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text"]}}`, `
		message 7  user
		  1  user.text
		     | a
		  2  no kind
		     | b`},
		{"too many kinds, and kinds that are no words", `{
			"type": "message", "role": "user", "content": [{"type": "output_text", "text": "a"}],
			"internal_chat_message_metadata_passthrough": {"content_item_kinds": ["no kind", null]}}`, `
		message 7  user
		  1  output_text, "no kind"
		     | a
		  kinds without content  [null]`},
		{"an answer", `{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}, {"type": "input_text", "text": "in"}]}`, `
		message 7  assistant
		  1
		     | ok
		  2  input_text
		     | in`},
		{"no content", `{"type": "message", "role": "user", "content": [], "internal_chat_message_metadata_passthrough": {"content_item_kinds": []}}`, `
		message 7  user
		  internal_chat_message_metadata_passthrough  {"content_item_kinds": []}`},
		{"content that is none", `{"type": "message", "content": ["x"]}`, `
		message 7  no role
		  content  ["x"]`},
		{"another item", `{"type": "function_call", "name": "shell", "call_id": "c1"}`, `
		item 7  function_call
		  name     "shell"
		  call_id  "c1"`},
		{"no object", `"x"`, `
		item 7  "x"`},
	} {
		got := strings.Join(itemLayout(7, jsonvalue.MustParse(c.item)), "\n")
		if want := unindented(c.want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

func TestItemList(t *testing.T) {
	items := jsonvalue.MustParse(`[
		{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one\ntwo"}, {"type": "input_image", "image_url": "u"}]},
		{"type": "message", "role": "assistant", "phase": "final", "content": [{"type": "output_text", "text": "ok"}]},
		{"type": "message", "role": "developer", "content": [{"type": "output_text", "text": "x"}],
			"internal_chat_message_metadata_passthrough": {"turn_id": "t1", "content_item_kinds": ["a.b"]}},
		{"type": "compaction", "id": "c"}
	]`)
	want := unindented(`
		    1  user                "one\ntwo" + input_image {"image_url": "u"}
		  - 2  assistant           "ok" {"phase": "final"}
		  ~ 3  developer, turn t1  output_text a.b "x"
		  - 4  compaction          {"id": "c"}`)
	if got := strings.Join(indent("  ", itemList(items, []string{" ", "-", "~", "-"})), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestValueLines(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{`{}`, `{}`},
		{`[]`, `[]`},
		{`"a\u200b\n"`, `"a\u200b\n"`},
		{`1.50`, `1.50`},
		{`{"b": [1, null, {"x": true}], "a": ""}`, `{"b": [1, null, {"x": true}], "a": ""}`},
		{`{"text": "a line that is too long to stay in one row of this page with all the other members of its object", "n": {"a b": 1}, "list": [["a long word that takes its place in a list", "another"], {"a": "and one more for the end of it, long too", "b": []}, 3]}`, `
		text  "a line that is too long to stay in one row of this page with all the other members of its object"
		n     {"a b": 1}
		list
		  1  ["a long word that takes its place in a list", "another"]
		  2  {"a": "and one more for the end of it, long too", "b": []}
		  3  3`},
		{`[{"status": {"completed": "a text that is longer than what fits into one line of a snapshot, all that there is and more"}}]`, `
		1  status
		     completed  "a text that is longer than what fits into one line of a snapshot, all that there is and more"`},
	} {
		if got, want := strings.Join(valueLines(jsonvalue.MustParse(c.value)), "\n"), unindented(c.want); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.value, got, want)
		}
	}
}

// pages are whole snapshots, one for each method.
var pages = []struct {
	method, params, result, want string
}{
	{protocol.FragmentRender,
		`{"fragment": {"type": "generic", "role": "user", "start": "<a>", "end": "</a>", "body": "\n x \n"}}`,
		`{"role": "user", "text": "<a>\n x \n</a>", "content_kind": "unknown", "separate": true}`, `
		given
		  type   "generic"
		  role   "user"
		  start  "<a>"
		  end    "</a>"
		  body   "\n x \n"

		rendered  user, unknown, a message of its own
		  | <a>
		  |  x ¶
		  | </a>
		`},
	{protocol.FragmentRender, `{"fragment": {"type": "x"}}`, `{"text": "", "separate": "no", "more": [1]}`, `
		given
		  type  "x"

		rendered  null, null, null
		  more      [1]
		  separate  "no"
		  |
		`},
	{protocol.MessageMerge,
		`{"fragments": [{"type": "skills", "text": "s"}, {"type": "turn_aborted", "guidance": "This one is so much longer than the other that it does need more lines."}]}`,
		`{"items": [
			{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "s"}]},
			{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "g"}]}]}`, `
		given
		  fragments
		    1  {"type": "skills", "text": "s"}
		    2  type      "turn_aborted"
		       guidance  "This one is so much longer than the other that it does need more lines."

		sent
		  message 1  developer
		    1
		       | s

		  message 2  user
		    1
		       | g
		`},
	{protocol.ContextInitial, `{"world_state": []}`, `{"items": [], "more": null}`, `
		given
		  world_state  []

		sent nothing

		further
		  more  null
		`},
	{protocol.AdditionalMerge,
		`{"calls": [{"k": {"value": "v\n", "kind": "untrusted"}, "long key": {"kind": "application", "value": "", "more": 1}}, {}, null]}`,
		`{"calls": [[{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "<external_k>v\n</external_k>"}]}], []]}`, `
		call 1
		  given
		    k           untrusted    "v\n"
		    "long key"  application  ""     {"more": 1}

		  sent
		    message 1  user
		      1
		         | <external_k>v
		         | </external_k>

		call 2
		  given
		    {}

		  sent nothing

		call 3
		  given
		    null

		  no answer
		`},
	{protocol.AdditionalMerge, `{"calls": []}`, `{"calls": []}`, `
		answers: nothing
		`},
	{protocol.HistoryRollback,
		`{"items": [
			{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]},
			{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "b"}]},
			{"role": "assistant", "type": "message", "content": [{"type": "output_text", "text": "c"}]},
			{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "d"}]}
		], "turns": 2, "reference": true}`,
		`{"items": [
			{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "a"}]},
			{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "c"}]}
		], "reference": false, "rewritten": true}`, `
		turns to drop   2
		reference item  set before, none after
		history         rewritten

		before
		  ~ 1  developer  "a" + "b"
		  - 2  developer  "b"
		    3  assistant  "c"
		  ---- cut: nothing below is left ----
		  - 4  user       "d"

		after
		    1  developer  "a"
		    2  assistant  "c"
		`},
	{protocol.HistoryRollback, `{"items": [{"type": "message", "role": "user", "content": []}], "turns": 0, "reference": false}`,
		`{"items": [{"type": "message", "role": "user", "content": []}], "reference": null, "rewritten": false}`, `
		turns to drop   0
		reference item  none before, null after
		history         not touched

		before
		    1  user

		after
		    1  user

		further
		  reference  null
		`},
	{protocol.WorldStateDiff,
		`{"mode": "history",
			"sections": [
				{"id": "personality", "current": {"model": "m", "personality": "friendly", "text": "Be kind.", "lead": "From now on:"}},
				{"id": "apps_instructions", "current": {"active": true}}],
			"previous": {"personality": {"model": "m"}, "old/one": [1]},
			"history": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}]}`,
		`{"states": [{"id": "personality", "previous": "known"}, {"id": "apps_instructions", "previous": "absent"}],
			"items": [{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "x"}]}],
			"snapshot": {"personality": {"personality": "friendly", "model": "m"}, "apps_instructions": true},
			"patch": {"personality": {"personality": "friendly"}, "apps_instructions": true, "old/one": null}}`, `
		given
		  mode  history

		  history
		      1  user  "hi"

		  sections
		    1  id       "personality"
		       current  {"model": "m", "personality": "friendly", "text": "Be kind.", "lead": "From now on:"}
		    2  {"id": "apps_instructions", "current": {"active": true}}

		previous state
		  personality        known
		  apps_instructions  absent

		snapshot
		                            before  after       patch
		  /apps_instructions        -       true        true
		  /old~1one                 [1]     -           null
		  /personality/model        "m"     same        -
		  /personality/personality  -       "friendly"  "friendly"

		sent
		  message 1  developer
		    1
		       | x
		`},
	{protocol.WorldStateDiff, `{"mode": "snapshot", "sections": [], "previous": {"a": "A value that is longer than half of a line, and stays.", "c": 1}}`,
		`{"states": [], "items": [], "snapshot": {"a": "A value that is longer than half of a line, and stays.", "b": "This one is new, and not shorter than the other one is.", "c": 2},
				"patch": {"b": "This one is new, and not shorter than the other one is.", "c": 2}}`, `
		given
		  mode  snapshot

		  sections

		previous state
		  nothing

		snapshot
		      before  after  patch
		  /a
		    before  "A value that is longer than half of a line, and stays."
		    after   same
		    patch   -
		  /b
		    before  -
		    after   "This one is new, and not shorter than the other one is."
		    patch   same
		  /c  1       2      2

		sent nothing
		`},
	{protocol.WorldStateDiff, `{"mode": "full", "sections": [{"id": "model", "current": {"model": "m"}}], "previous": null}`,
		`{"states": [{"id": "model", "previous": "absent", "more": 1}], "items": [], "snapshot": {"model": "m"}, "patch": null}`, `
		given
		  mode  full

		  sections
		    1  {"id": "model", "current": {"model": "m"}}

		previous state
		  model  absent {"more": 1}

		snapshot
		          before null  after  patch null
		  /model  -            "m"    -

		sent nothing
		`},
	{protocol.TurnStateBuild, `{"current": {"cwd": "/w"}, "reference": null, "params": {}}`,
		`{"items": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x\n\n"}]}], "reference": {"cwd": "/w", "model": null}, "more": 1}`, `
		given
		  current  {"cwd": "/w"}
		  params   {}

		reference
		          before null  after
		  /cwd    -            "/w"
		  /model  -            null

		sent
		  message 1  user
		    1
		       | x
		       |
		       |

		further
		  more  1
		`},
}

// pageClaims are the pages as cases that expect their results.
func pageClaims() []claim {
	found := make([]claim, len(pages))
	for i, page := range pages {
		found[i] = claim{{
			ID:           "display/one",
			Title:        "One holds",
			Requirements: []string{"DET-1", "DET-2"},
			Profiles:     []string{protocol.ContextFragments},
			Method:       page.method,
			Params:       jsontext.Value(page.params),
			Result:       jsontext.Value(page.result),
		}}
	}
	return found
}

func TestPages(t *testing.T) {
	for i, c := range pageClaims() {
		page := pages[i]
		got := c.expected(t)
		want := strings.ReplaceAll(unindented(`
		case          display/one
		title         One holds
		requirements  DET-1, DET-2
		method        METHOD
		profiles      context-fragments/2026-08

		`), "METHOD", page.method) + unindented(page.want)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", page.method, got, want)
		}
	}
}

func TestLayoutErrors(t *testing.T) {
	for _, c := range []struct{ method, params, result, want string }{
		{protocol.MarkerMatch, `{}`, `{}`, "display/one: no layout for the method marker/match"},
		{protocol.MessageMerge, `{`, `{}`, "params of display/one: "},
		{protocol.MessageMerge, `{}`, ``, "result of display/one: "},
	} {
		_, err := Layout([]suite.Case{{ID: "display/one", Method: c.method, Params: jsontext.Value(c.params)}}, [][]byte{[]byte(c.result)})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s with %q and %q: %v, want %s…", c.method, c.params, c.result, err, c.want)
		}
	}
}

// threadOfPage has three steps, the last of which names other sections than the first.
func threadOfPage() claim {
	step := func(slug, params, result string) suite.Case {
		return suite.Case{
			ID:           "snapshot-dedupe/" + slug,
			Title:        "Step " + slug,
			Requirements: []string{"WLD-11"},
			Method:       protocol.WorldStateDiff,
			Params:       jsontext.Value(params),
			Result:       jsontext.Value(result),
		}
	}
	return claim{
		step("one", `{"mode": "full", "previous": null, "sections": [{"id": "a", "current": 1}]}`,
			`{"states": [{"id": "a", "previous": "absent"}], "snapshot": {"a": 1}, "patch": null,
				"items": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one"}]}]}`),
		step("two", `{"mode": "history", "previous": {"a": 1}, "sections": [{"id": "a", "current": 1}]}`,
			`{"states": [{"id": "a", "previous": "known"}], "snapshot": {"a": 1}, "patch": null, "items": []}`),
		step("three", `{"mode": "history", "previous": {"a": 1}, "sections": [{"id": "b", "current": {}}, {"id": "a", "current": 1}]}`,
			`{"states": [{"id": "b", "previous": "absent"}, {"id": "a", "previous": "known"}], "snapshot": {"a": 1, "b": {"c": ""}},
				"patch": {"b": {"c": ""}}, "items": [], "more": 1}`),
	}
}

func TestThreadPage(t *testing.T) {
	c := threadOfPage()
	want := unindented(`
		case 1        snapshot-dedupe/one
		title         Step one
		requirements  WLD-11
		case 2        snapshot-dedupe/two
		title         Step two
		requirements  WLD-11
		case 3        snapshot-dedupe/three
		title         Step three
		requirements  WLD-11
		method        worldstate/diff

		previous state
		     step 1  step 2  step 3
		  a  absent  known   b absent
		  a  -       -       known

		snapshot
		        before null  step 1  step 2  step 3
		  /a    -            1       same    same
		  /b/c  -            -       -       ""

		step 1  mode full
		  sections given anew
		    1  {"id": "a", "current": 1}

		  patch null

		  sent
		    message 1  user
		      1
		         | one

		step 2  mode history
		  patch null

		  sent nothing

		step 3  mode history
		  sections given anew
		    1  {"id": "b", "current": {}}

		  patch
		    /b/c  ""

		  sent nothing

		  further
		    more  1
		`)
	if got := c.expected(t); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := c.name(); got != "snapshot-dedupe--one--to--three" {
		t.Errorf("the name is %s", got)
	}
}

func TestBrokenThread(t *testing.T) {
	c := threadOfPage()
	c[1].Params = jsontext.Value(`{"previous": {"a": 2}}`)
	if _, err := Layout(c, c.results()); err == nil || err.Error() != "snapshot-dedupe/two does not start from the record of snapshot-dedupe/one" {
		t.Error(err)
	}
	c[1].Method = protocol.MessageMerge
	if _, err := Layout(c, c.results()); err == nil || err.Error() != "snapshot-dedupe/two: no layout of a thread for the method message/merge" {
		t.Error(err)
	}
}
