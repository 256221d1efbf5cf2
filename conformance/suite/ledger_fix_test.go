package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
)

// fixCases are the cases of the tests below: area display, with one letter as slug.
func fixCases() []Case {
	cases := []Case{}
	for _, slug := range strings.Split("abcdefgh", "") {
		cases = append(cases, Case{ID: "display/" + slug, Profiles: []string{protocol.ContextFragments}})
	}
	return append(cases, Case{ID: "display/both", Profiles: profiles})
}

const comments = `# Known failures of my-agent.
# Ask Ada before you add one.

failures:
  # Rollback.
  - case: display/a   # the first
    reason: Because of a.

  # Two of a kind.
  - case: display/b
    reason: |
      Because of b,
      # which is hard.
    message: "/x: want 1 got 2" # a number
    issue: https://issues.example/2

  - case: display/c
    message: >-
      /x: want 1
      got 2
    reason: Because of c.
# The rest is unsure.

flaky:
  # Races.
  - case: display/d
    reason: 'It''s a race.'
`

func TestFixLedger(t *testing.T) {
	failing := func(id, detail string) KnownResult {
		return KnownResult{Case: id, Profile: protocol.ContextFragments, Verdict: Failed, Detail: detail}
	}
	passing := func(id string) KnownResult {
		return KnownResult{Case: id, Profile: protocol.ContextFragments, Verdict: Passed}
	}
	known := "/x: want 1 got 2"
	asKnown := []KnownResult{failing("display/a", known), failing("display/b", known), failing("display/c", known), passing("display/d")}
	with := func(results ...KnownResult) []KnownResult {
		all := slices.Clone(asKnown)
		for _, r := range results {
			at := slices.IndexFunc(all, func(o KnownResult) bool { return o.Case == r.Case && o.Profile == r.Profile })
			if at < 0 {
				all = append(all, r)
			} else {
				all[at] = r
			}
		}
		return all
	}
	without := func(text string, lines ...string) string {
		for _, line := range lines {
			if !strings.Contains(text, line) {
				t.Fatalf("no %q", line)
			}
			text = strings.Replace(text, line, "", 1)
		}
		return text
	}
	tests := []struct {
		name, source string
		results      []KnownResult
		reason       string
		want         string
		changes      []string
		left         []string
	}{
		{name: "as known", source: comments, results: asKnown, want: comments},
		{name: "the first passes", source: comments, results: with(passing("display/a")),
			want:    without(comments, "  # Rollback.\n  - case: display/a   # the first\n    reason: Because of a.\n\n"),
			changes: []string{"known.yaml:6: display/a: passes, removed"}},
		{name: "one in the middle passes", source: comments, results: with(passing("display/b")),
			want:    without(comments, "  # Two of a kind.\n  - case: display/b\n    reason: |\n      Because of b,\n      # which is hard.\n    message: \"/x: want 1 got 2\" # a number\n    issue: https://issues.example/2\n\n"),
			changes: []string{"known.yaml:10: display/b: passes, removed"}},
		{name: "the last passes", source: comments, results: with(passing("display/c")),
			want:    without(comments, "  - case: display/c\n    message: >-\n      /x: want 1\n      got 2\n    reason: Because of c.\n"),
			changes: []string{"known.yaml:17: display/c: passes, removed"}},
		{name: "all pass", source: "failures:\n\n  - case: display/a\n    reason: x\n\n  - case: display/b\n    reason: x\n", results: []KnownResult{passing("display/a"), passing("display/b")},
			want:    "failures:\n",
			changes: []string{"known.yaml:3: display/a: passes, removed", "known.yaml:6: display/b: passes, removed"}},
		{name: "a comment on top of several stays", source: "failures:\n  # Both are hard.\n  - case: display/a\n    reason: x\n  - case: display/b\n    reason: x\n", results: []KnownResult{passing("display/a"), failing("display/b", known)},
			want:    "failures:\n  # Both are hard.\n  - case: display/b\n    reason: x\n",
			changes: []string{"known.yaml:3: display/a: passes, removed"}},
		{name: "messages change", source: comments, results: with(failing("display/b", "/y:\n  want \"a\"\n  got  \"b\"\n/z: want 1 got nothing"), failing("display/c", "error: 3")),
			want: strings.Replace(strings.Replace(comments, `message: "/x: want 1 got 2" # a number`, `message: '/y: want "a" got "b"' # a number`, 1),
				"message: >-\n      /x: want 1\n      got 2\n", "message: 'error: 3'\n", 1),
			changes: []string{`known.yaml:10: display/b: its message is now "/y: want \"a\" got \"b\""`, `known.yaml:17: display/c: its message is now "error: 3"`}},
		{name: "a crash is named by its kind", source: "failures:\n  - message: /x\n    case: display/a\n    reason: x\n",
			results: []KnownResult{{Case: "display/a", Verdict: Errored, Detail: "time-out: no answer within 10s"}},
			want:    "failures:\n  - message: time-out\n    case: display/a\n    reason: x\n",
			changes: []string{`known.yaml:2: display/a: its message is now "time-out"`}},
		{name: "new failures without a reason", source: comments, results: with(failing("display/e", known), failing("display/f", known)),
			want: comments, left: []string{"display/e fails, and is not in the ledger", "display/f fails, and is not in the ledger"}},
		{name: "new failures with a reason", source: comments, results: with(failing("display/e", known), failing("display/f", `- want: "\u200b"`)), reason: "Not done yet: #7",
			want: strings.Replace(comments, "    reason: Because of c.\n", "    reason: Because of c.\n"+
				"  - case: display/e\n    reason: 'Not done yet: #7'\n    message: '/x: want 1 got 2'\n"+
				"  - case: display/f\n    reason: 'Not done yet: #7'\n    message: '- want: "+`"\u200b"`+"'\n", 1),
			changes: []string{"display/e added", "display/f added"}},
		{name: "the last passes and another fails", source: "failures:\n  - case: display/a\n    reason: x\n# end\n", results: []KnownResult{passing("display/a"), failing("display/b", known)}, reason: "why",
			want:    "failures:\n  - case: display/b\n    reason: why\n    message: '/x: want 1 got 2'\n# end\n",
			changes: []string{"known.yaml:2: display/a: passes, removed", "display/b added"}},
		{name: "into nothing", source: "", results: []KnownResult{failing("display/a", known)}, reason: "x",
			want: "failures:\n  - case: display/a\n    reason: x\n    message: '/x: want 1 got 2'\n", changes: []string{"display/a added"}},
		{name: "into an empty list", source: "# top\nfailures: [] # none\n# bottom\n", results: []KnownResult{failing("display/a", known)}, reason: "x",
			want: "# top\nfailures: # none\n  - case: display/a\n    reason: x\n    message: '/x: want 1 got 2'\n# bottom\n", changes: []string{"display/a added"}},
		{name: "beside a list of flaky ones", source: "# top\n\n# races\nflaky:\n- case: display/d\n  reason: x\n", results: []KnownResult{failing("display/a", known)}, reason: "x",
			want: "# top\n\nfailures:\n  - case: display/a\n    reason: x\n    message: '/x: want 1 got 2'\n\n# races\nflaky:\n- case: display/d\n  reason: x\n", changes: []string{"display/a added"}},
		{name: "no margin, CRLF", source: "failures:\r\n- case: display/a\r\n  reason: x\r\n- case: display/b\r\n  reason: x\r\n", results: []KnownResult{passing("display/a"), failing("display/b", known), failing("display/c", known)}, reason: "why",
			want:    "failures:\r\n- case: display/b\r\n  reason: x\r\n- case: display/c\r\n  reason: why\r\n  message: '/x: want 1 got 2'\r\n",
			changes: []string{"known.yaml:2: display/a: passes, removed", "display/c added"}},
		{name: "a glob of which one passes", source: "failures:\n  # All of them.\n  - case: 'display/[abc]' # three\n    issue: y\n    reason: x\n", results: asKnown[1:3],
			want: "failures:\n  # All of them.\n  - case: 'display/[abc]' # three\n    issue: y\n    reason: x\n"},
		{name: "a glob of which one passes does not cover it any more", source: "failures:\n  # All of them.\n  - case: 'display/[abc]' # three\n    issue: y\n    reason: x\n  - case: display/e\n    reason: z\n",
			results: []KnownResult{failing("display/a", known), passing("display/b"), failing("display/c", known), failing("display/e", known)},
			want:    "failures:\n  # All of them.\n  - case: display/a # three\n    issue: y\n    reason: x\n  - case: display/c # three\n    issue: y\n    reason: x\n  - case: display/e\n    reason: z\n",
			changes: []string{"known.yaml:3: display/[abc]: became 2, one for each that fails"}},
		{name: "a glob that fails with one other message", source: "failures:\n  - case: display/*\n    reason: x\n    message: /y\n", results: []KnownResult{failing("display/a", known), failing("display/b", known+"\n/z: …")},
			want:    "failures:\n  - case: display/*\n    reason: x\n    message: '/x: want 1 got 2'\n",
			changes: []string{`known.yaml:2: display/*: its message is now "/x: want 1 got 2"`}},
		{name: "a glob that fails with several messages", source: "failures:\n  - case: display/*\n    reason: x\n    message: /y\n\nflaky:\n", results: []KnownResult{failing("display/a", known), failing("display/b", "/y: and so on")},
			want:    "failures:\n  - case: display/a\n    reason: x\n    message: '/x: want 1 got 2'\n\n  - case: display/b\n    reason: x\n    message: /y\n\nflaky:\n",
			changes: []string{"known.yaml:2: display/*: became 2, one for each that fails"}},
		{name: "one profile passes", source: "failures:\n  - case: display/both\n    reason: x\n",
			results: []KnownResult{passing("display/both"), {Case: "display/both", Profile: protocol.ModelVisible, Verdict: Failed, Detail: known}},
			want:    "failures:\n  - case: display/both\n    reason: x\n    profile: model-visible/2026-03\n",
			changes: []string{"known.yaml:2: display/both: became 1, one for each that fails"}},
		{name: "a new failure in one profile", source: "",
			results: []KnownResult{passing("display/both"), {Case: "display/both", Profile: protocol.ModelVisible, Verdict: Failed, Detail: known}}, reason: "x",
			want:    "failures:\n  - case: display/both\n    reason: x\n    message: '/x: want 1 got 2'\n    profile: model-visible/2026-03\n",
			changes: []string{"display/both [model-visible/2026-03] added"}},
		{name: "what only a person can decide", source: "failures:\n  - case: display/z\n    reason: x\n  - case: display/a\n    reason: x\n    expires: 2026-01-01\n  - case: display/b\n    reason: x\n  - case: display/[bc]\n    reason: x\n  - case: display/e\n    reason: x\n    adapter_version: '<1'\nflaky:\n  - case: display/[fg]\n    reason: x\n    message: /y\n",
			results: []KnownResult{failing("display/a", known), failing("display/b", known), {Case: "display/c", Verdict: Skipped}, passing("display/e"), failing("display/f", known), passing("display/g")},
			want:    "failures:\n  - case: display/z\n    reason: x\n  - case: display/a\n    reason: x\n    expires: 2026-01-01\n  - case: display/b\n    reason: x\n  - case: display/[bc]\n    reason: x\n  - case: display/e\n    reason: x\n    adapter_version: '<1'\nflaky:\n  - case: display/[fg]\n    reason: x\n    message: /y\n",
			left: []string{
				"known.yaml:2: display/z: no such case",
				"known.yaml:4: display/a: expired on 2026-01-01",
				"known.yaml:9: display/[bc]: another entry in front of it is about display/b too: keep one",
				"known.yaml:15: display/[fg]: fails with another message: /x: want 1 got 2",
			}},
		{name: "skipped", source: "failures:\n  - case: display/[cd]\n    reason: x\n", results: []KnownResult{{Case: "display/c", Verdict: Skipped}, passing("display/d")},
			want: "failures:\n  - case: display/[cd]\n    reason: x\n", left: []string{"known.yaml:2: display/[cd]: display/c is skipped"}},
		{name: "flaky with another message", source: "flaky:\n  - case: display/a\n    message: /y\n    reason: x\n", results: []KnownResult{failing("display/a", known)},
			want: "flaky:\n  - case: display/a\n    message: '/x: want 1 got 2'\n    reason: x\n", changes: []string{`known.yaml:2: display/a: its message is now "/x: want 1 got 2"`}},
		{name: "a hyphen of its own", source: "failures:\n  -\n    case: display/a\n    reason: x\n  -\n    # inside\n    case: display/b\n    reason: x\n", results: []KnownResult{passing("display/a"), failing("display/b", known)},
			want: "failures:\n  -\n    # inside\n    case: display/b\n    reason: x\n", changes: []string{"known.yaml:3: display/a: passes, removed"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			known := &Known{Ledger: ledgerOf(t, test.source), Tree: fixCases(), Today: "2026-12-01"}
			declared := protocol.InitializeResult{Implementation: protocol.Identification{Version: "1.4"}, Profiles: profiles}
			repair, err := known.Fix([]byte(test.source), test.results, declared, test.reason)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(repair.Text); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if !slices.Equal(repair.Changes, test.changes) {
				t.Errorf("changes: got %q, want %q", repair.Changes, test.changes)
			}
			if !slices.EqualFunc(repair.Left, test.left, strings.HasPrefix) {
				t.Errorf("left: got %q, want %q", repair.Left, test.left)
			}
			if len(test.left) > 0 {
				return
			}
			// What was put right needs nothing more.
			known.Ledger = ledgerOf(t, test.want)
			again, err := known.Fix(repair.Text, test.results, declared, "")
			if err != nil || len(again.Changes)+len(again.Left) > 0 || string(again.Text) != test.want {
				t.Errorf("once more: %v, %q, %q", err, again.Changes, again.Left)
			}
		})
	}
}

func TestFixLedgerRefuses(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"{failures: [{case: display/a, reason: x}]}\n", "known.yaml:1:1: cannot be changed by a program"},
		{"failures: [{case: display/a, reason: x}]\n", "known.yaml:1:11: cannot be changed by a program"},
		{"failures:\n  - {case: display/a, reason: x}\n", "known.yaml:2:5: cannot be changed by a program"},
		{"\"failures\":\n", "known.yaml cannot be changed by a program, so it is left as it was"},
	} {
		known := &Known{Ledger: ledgerOf(t, test.source), Tree: fixCases(), Today: "2026-12-01"}
		results := []KnownResult{{Case: "display/b", Verdict: Failed, Detail: "x"}}
		repair, err := known.Fix([]byte(test.source), results, protocol.InitializeResult{Profiles: profiles}, "y")
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got %q, %v; want %s…", test.source, repair.Text, err, test.want)
		}
	}
}
