package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

// wantResult and wantError are cases that expect one answer.
func wantResult(method, params, result string) *Case {
	return &Case{ID: "display/x", Method: method, Params: jsontext.Value(params), Result: jsontext.Value(result)}
}

func wantError(code int, path ...string) *Case {
	c := &Case{ID: "display/x", Method: protocol.FragmentRender, Params: jsontext.Value(`{}`), Error: &ExpectedError{Code: code}}
	if len(path) > 0 {
		c.Error.Path = &path[0]
	}
	return c
}

func result(text string) adapter.Outcome { return adapter.Outcome{Result: jsontext.Value(text)} }

func failure(code int, message, data string) adapter.Outcome {
	return adapter.Outcome{Err: &protocol.Error{Code: code, Message: message, Data: jsontext.Value(data)}}
}

func TestJudge(t *testing.T) {
	match := wantResult(protocol.MarkerMatch, `{}`, `{"matches":true}`)
	tests := []struct {
		name    string
		c       *Case
		outcome adapter.Outcome
		verdict Verdict
		text    string // what a person reads
	}{
		{"right result", match, result(`{"matches":true,"x-note":"y"}`), Passed, ``},
		{"wrong result", match, result(`{"matches":false}`), Failed, `/matches: want true got false`},
		{"no object", match, result(`true`), Failed, `the result: want {"matches":true} got true`},
		{"a result that is not JSON", match, result(`{"matches":true,"matches":true}`), Errored, `the result is not valid JSON: jsontext: duplicate object member name "matches"`},
		{"crash", match, adapter.Outcome{Failure: &adapter.Failure{Kind: "crash", Detail: "exit status 2\x1b[2J"}}, Errored, `exit status 2\u001b[2J`},
		{"the run ended before", match, adapter.Outcome{Failure: &adapter.Failure{Kind: adapter.NotRun, Detail: "x"}}, NotRun, ``},
		{"error instead of a result", match, failure(protocol.InvalidParams, "no", `{"path":"/text","reason":"r"}`), Failed, `want a result, got error -32602 at /text ("no")`},
		{"unknown method although declared", match, failure(protocol.UnknownMethod, "what?\n", ``), Failed, `want a result, got error -32601 ("what?\n")`},
		{"unsupported", match, failure(protocol.Unsupported, "later", `{"feature":"images"}`), Skipped, `feature unsupported: images`},
		{"unsupported without a feature", match, failure(protocol.Unsupported, "later", ``), Skipped, `feature unsupported`},

		{"right code", wantError(-32602), failure(-32602, "m", ``), Passed, ``},
		{"right code, path not asked for", wantError(-32602), failure(-32602, "m", `{"path":"/a"}`), Passed, ``},
		{"right code and path", wantError(-32602, "/a"), failure(-32602, "m", `{"path":"/a","reason":"r"}`), Passed, ``},
		{"wrong code", wantError(-32602, "/a"), failure(-32603, "m", `{"path":"/a"}`), Failed, `want error -32602 at /a, got error -32603 at /a ("m")`},
		{"wrong path", wantError(-32602, "/a"), failure(-32602, "m", `{"path":"/b"}`), Failed, `want error -32602 at /a, got error -32602 at /b ("m")`},
		{"path missing", wantError(-32602, "/a"), failure(-32602, "m", `{}`), Failed, `want error -32602 at /a, got error -32602 ("m")`},
		{"path of params themselves", wantError(-32602, ""), failure(-32602, "m", `{"path":""}`), Passed, ``},
		{"absent path is not the path of params", wantError(-32602, ""), failure(-32602, "m", `{}`), Failed, `want error -32602 at params, got error -32602 ("m")`},
		{"path is no string", wantError(-32602, "/1"), failure(-32602, "m", `{"path":1}`), Failed, `want error -32602 at /1, got error -32602 ("m")`},
		{"result instead of an error", wantError(-32602), result(`{"role":"user"}`), Failed, `want error -32602, got the result {"role":"user"}`},
		{"unsupported instead of another error", wantError(-32602), failure(protocol.Unsupported, "m", `{"feature":"f"}`), Skipped, `feature unsupported: f`},
		{"unsupported is expected", wantError(protocol.Unsupported), failure(protocol.Unsupported, "m", ``), Passed, ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			judgement := Judge(test.c, test.outcome)
			if judgement.Verdict != test.verdict {
				t.Errorf("got %s, want %s", judgement.Verdict, test.verdict)
			}
			if text := judgement.String(); text != test.text && (test.verdict != Errored || !strings.HasPrefix(text, test.text)) {
				t.Errorf("got %s, want %s", text, test.text)
			}
		})
	}
}

// An implementation that cannot show an observation answers null for it: that is left out and
// said, and a run in which nothing is left is no pass.
func TestJudgeLeavesOutWhatIsNotShown(t *testing.T) {
	c := wantResult(protocol.SessionRun, `{}`, `{"steps":[{"requests":[1],"turn_items":[2],"reference":null},{"requests":[3]}]}`)
	tests := []struct {
		name, got string
		verdict   Verdict
		leftOut   []string
	}{
		{"all shown", `{"steps":[{"requests":[1],"turn_items":[2],"reference":null},{"requests":[3]}]}`, Passed, nil},
		{"one not shown", `{"steps":[{"requests":null,"turn_items":[2],"reference":null},{"requests":[3]}]}`, Passed, []string{"/steps/0/requests"}},
		{"one not shown, another wrong", `{"steps":[{"requests":[1],"turn_items":[2],"reference":{}},{"requests":null}]}`, Failed, []string{"/steps/1/requests"}},
		{"absent is not null", `{"steps":[{"requests":[1],"reference":null},{"requests":[3]}]}`, Failed, nil},
		{"a step too few", `{"steps":[{"requests":null,"turn_items":[2],"reference":null}]}`, Failed, []string{"/steps/0/requests"}},
		{"expected null is compared", `{"steps":[{"requests":[1],"turn_items":[2],"reference":1},{"requests":[3]}]}`, Failed, nil},
		{"no steps", `null`, Failed, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			judgement := Judge(c, result(test.got))
			if judgement.Verdict != test.verdict || !slices.Equal(judgement.LeftOut, test.leftOut) {
				t.Errorf("got %s, left out %v; want %s, %v", judgement.Verdict, judgement.LeftOut, test.verdict, test.leftOut)
			}
		})
	}
	nothing := Judge(wantResult(protocol.SessionRun, `{}`, `{"steps":[{"requests":[1]}]}`), result(`{"steps":[{"requests":null}]}`))
	if nothing.Verdict != Skipped || nothing.Skip.Reason != NothingObserved {
		t.Errorf("nothing shown: got %s, %v", nothing.Verdict, nothing.Skip)
	}
	elsewhere := Judge(wantResult(protocol.HistoryTurns, `{}`, `{"steps":[{"requests":[1]}]}`), result(`{"steps":[{"requests":null}]}`))
	if elsewhere.Verdict != Failed {
		t.Errorf("another method: got %s", elsewhere.Verdict)
	}
}

func TestReading(t *testing.T) {
	classify := func(role string) *Case {
		return wantResult(protocol.FragmentClassify, `{"role":"`+role+`","text":""}`, `{"contextual":true,"kind":"skill"}`)
	}
	project := func(item, result string) *Case {
		return wantResult(protocol.MessageProject, `{"item":`+item+`}`, result)
	}
	const (
		contextual = `{"contextual":true,"kind":"other"}`
		typed      = `{"contextual":false,"kind":null}`
		user       = `{"type":"message","role":"user","content":[]}`
		shown      = `{"turn_item":{"type":"user_message","content":[]}}`
		hidden     = `{"turn_item":null}`
		hook       = `{"turn_item":{"type":"hook_prompt","fragments":[]}}`
	)
	tests := []struct {
		name string
		c    *Case
		got  string
		want string // "", or the sides and what is wrong
	}{
		{"classify context, right", classify("user"), contextual, "context context"},
		{"classify context, wrong", classify("user"), typed, "context typed leak"},
		{"classify for developers is not about display", classify("developer"), typed, ""},
		{"classify typed text, wrong", wantResult(protocol.FragmentClassify, `{"role":"user"}`, typed), contextual, "typed context over-hide"},
		{"classify without an answer", classify("user"), `{}`, ""},
		{"project a message, right", project(user, shown), shown, "typed typed"},
		{"project a message, hidden", project(user, shown), hidden, "typed context over-hide"},
		{"project a message, as a hook prompt", project(user, shown), hook, "typed context over-hide"},
		{"project context, shown", project(user, hidden), shown, "context typed leak"},
		{"project a hook prompt, as typed", project(user, hook), shown, "context typed leak"},
		{"project developer context, shown", project(`{"type":"message","role":"developer","content":[]}`, hidden), shown, "context typed leak"},
		{"project an assistant's message", project(`{"type":"message","role":"assistant","content":[]}`, hidden), shown, ""},
		{"project a tool call", project(`{"type":"function_call"}`, hidden), shown, ""},
		{"another method", wantResult(protocol.MarkerMatch, `{"role":"user"}`, contextual), typed, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reading := Judge(test.c, result(test.got)).Reading
			got := ""
			if reading != nil {
				got = string(reading.Want) + " " + string(reading.Got)
				if reading.Leak() {
					got += " leak"
				}
				if reading.OverHide() {
					got += " over-hide"
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
