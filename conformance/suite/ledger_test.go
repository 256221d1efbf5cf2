package suite

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestReadLedger(t *testing.T) {
	ledger, err := ReadLedger("known.yaml", []byte(`# What we know.
failures:
  - case: history/rollback-*
    reason: Rollback over a compaction is not done.
    issue: https://issues.example/12
    message: |
      /items/3:
        want "a"
    adapter_version: ">=1.2 <2"
    profile: context-fragments/2026-08
    expires: 2027-03-01
  - {case: display/x, reason: 'Because.', adapter_version: 1.5}
flaky:
  -
    reason: "Two threads race."
    case: lifecycle/fork
`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range ledger.Entries {
		ledger.Entries[i].versions = nil
	}
	want := &Ledger{File: "known.yaml", Entries: []Entry{
		{Line: 3, Case: "history/rollback-*", Reason: "Rollback over a compaction is not done.", Issue: "https://issues.example/12", Message: "/items/3:\n  want \"a\"\n",
			AdapterVersion: ">=1.2 <2", Profile: protocol.ContextFragments, Expires: "2027-03-01"},
		{Line: 12, Case: "display/x", Reason: "Because.", AdapterVersion: "1.5"},
		{Line: 15, Case: "lifecycle/fork", Reason: "Two threads race.", Flaky: true},
	}}
	if !reflect.DeepEqual(ledger, want) {
		t.Errorf("got  %+v\nwant %+v", ledger, want)
	}
	for _, empty := range []string{"", "# nothing yet\n", "---\n", "failures:\nflaky: []\n"} {
		if ledger, err := ReadLedger("known.yaml", []byte(empty)); err != nil || len(ledger.Entries) > 0 {
			t.Errorf("%q: got %v, %v", empty, ledger, err)
		}
	}
}

// Every fault has its place, and says what to do.
func TestReadLedgerErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no YAML", "failures: [", "known.yaml:1:1: not valid YAML: did not find expected node content"},
		{"tab", "failures:\n\t- case: a\n", "known.yaml:2:1: not valid YAML: found character that cannot start any token"},
		{"binary", "a: \x00", "known.yaml: not valid YAML: control characters are not allowed"},
		{"list at the top", "- case: a\n", `known.yaml:1:1: the ledger: want a mapping of failures, flaky, got a list`},
		{"text at the top", "hello", `known.yaml:1:1: the ledger: want a mapping of failures, flaky, got text`},
		{"unknown list", "failure: []\n", `known.yaml:1:1: unknown member "failure" in the ledger (did you mean "failures"?); there are failures, flaky`},
		{"list twice", "failures: []\nflaky: []\nfailures: []\n", `known.yaml:3:1: duplicate member "failures" in the ledger, first in line 1: keep one`},
		{"no list", "failures: x\n", `known.yaml:1:11: failures: want a list of entries, got text`},
		{"entry is text", "failures:\n  - history/x\n", `known.yaml:2:5: an entry: want a mapping of case, reason, issue, message, adapter_version, profile, expires, got text`},
		{"unknown member", "failures:\n  - case: a/b\n    reasn: x\n    reason: y\n", `known.yaml:3:5: unknown member "reasn" in an entry (did you mean "reason"?); there are case, reason, issue, message, adapter_version, profile, expires`},
		{"flaky inside", "failures:\n  - case: a/b\n    reason: y\n    flaky: true\n", `known.yaml:4:5: unknown member "flaky" in an entry: entries of flaky cases stand in a list of their own, flaky: at the left margin`},
		{"member twice", "failures:\n  - case: a/b\n    reason: x\n    reason: y\n", `known.yaml:4:5: duplicate member "reason" in an entry, first in line 3: keep one`},
		{"no reason", "failures:\n  - case: a/b\n", `known.yaml:2:5: missing member "reason" in an entry: say why it fails`},
		{"no reason of a flaky one", "flaky:\n  - case: a/b\n", `known.yaml:2:5: missing member "reason" in an entry: say why it fails`},
		{"blank reason", "failures:\n  - case: a/b\n    reason: ' '\n", `known.yaml:3:13: reason: empty: give a value, or leave the member out`},
		{"null reason", "failures:\n  - case: a/b\n    reason:\n", `known.yaml:3:12: reason: nothing behind it: give a value, or leave the member out`},
		{"number as reason", "failures:\n  - case: a/b\n    reason: 12\n", `known.yaml:3:13: reason: want text, got a number: put it in quotes`},
		{"no case", "failures:\n  - reason: x\n", `known.yaml:2:5: missing member "case" in an entry: name a case, or a glob such as "history/rollback-*"`},
		{"case list", "failures:\n  - case: [a/b, c/d]\n    reason: x\n", `known.yaml:2:11: case: want text, got a list`},
		{"malformed glob", "failures:\n  - case: 'a/[b'\n    reason: x\n", `known.yaml:2:11: case: malformed pattern "a/[b": a bracket, brace or backslash is left open`},
		{"bad month", "failures:\n  - case: a/b\n    reason: x\n    expires: 2027-13-01\n", `known.yaml:4:14: expires: "2027-13-01" is no date: want YYYY-MM-DD, such as 2027-03-01`},
		{"bad day", "failures:\n  - case: a/b\n    reason: x\n    expires: 2027-02-29\n", `known.yaml:4:14: expires: "2027-02-29" is no date`},
		{"time of day", "failures:\n  - case: a/b\n    reason: x\n    expires: 2027-02-28T10:00:00Z\n", `known.yaml:4:14: expires: "2027-02-28T10:00:00Z" is no date`},
		{"words for a date", "failures:\n  - case: a/b\n    reason: x\n    expires: soon\n", `known.yaml:4:14: expires: "soon" is no date`},
		{"unknown profile", "failures:\n  - case: a/b\n    reason: x\n    profile: context-fragments/2026-09\n", `known.yaml:4:14: profile: unknown profile "context-fragments/2026-09" (did you mean "context-fragments/2026-08"?)`},
		{"bad range", "failures:\n  - case: a/b\n    reason: x\n    adapter_version: '~1'\n", `known.yaml:4:22: adapter_version: "~1" is no range of versions`},
		{"alias", "failures:\n  - &a {case: a/b, reason: x}\n  - *a\n", `known.yaml:3:5: an entry: want a mapping of case, reason, issue, message, adapter_version, profile, expires, got an alias, which is not read: write it out`},
		{"merge key", "failures:\n  - &a {case: a/b, reason: x}\n  - <<: *a\n    case: c/d\n    reason: x\n", `known.yaml:3:5: unknown member "<<" in an entry`},
		{"own tag", "failures:\n  - case: !secret a/b\n    reason: x\n", `known.yaml:2:11: case: want text, got a value of the type !secret`},
		{"two documents", "failures: []\n---\nfailures: []\n", `known.yaml:2:1: a second document: want one`},
		{"control characters", "failures:\n  - case: a/b\n    \"\\e[2J\": x\n    reason: x\n", `known.yaml:3:5: unknown member "\u001b[2J" in an entry`},
		{"two faults", "failures:\n  - case: a/b\n  - reason: x\n", "known.yaml:2:5: missing member \"reason\" in an entry: say why it fails\nknown.yaml:3:5: missing member \"case\""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ledger, err := ReadLedger("known.yaml", []byte(test.text))
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %+v, error\n%v\nwant\n%s…", ledger, err, test.want)
			}
		})
	}
}

// FuzzReadLedger: whatever the file says, it is read or refused, and never crashes.
func FuzzReadLedger(f *testing.F) {
	f.Add("failures:\n  - case: a/b\n    reason: x\n    message: |\n      y\n")
	f.Add("failures:\n  - &a {case: a/b, reason: x}\n  - *a\nflaky: [[]]\n")
	f.Add("? [a]\n: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		ledger, err := ReadLedger("known.yaml", []byte(text))
		if (ledger == nil) == (err == nil) {
			t.Fatalf("got %v, %v", ledger, err)
		}
		if err == nil {
			known := &Known{Ledger: ledger, Tree: someCases, Today: "2026-12-01"}
			repair, err := known.Fix([]byte(text), nil, protocol.InitializeResult{}, "")
			if err == nil && len(repair.Changes) == 0 && len(ledger.Entries) > 0 && !strings.Contains(text, "\r") && string(repair.Text) != strings.TrimSuffix(text, "\n")+"\n" {
				t.Fatalf("%q became %q", text, repair.Text)
			}
		}
	})
}

// ledgerOf reads a ledger that has no faults.
func ledgerOf(t *testing.T, text string) *Ledger {
	t.Helper()
	ledger, err := ReadLedger("known.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return ledger
}

func difference(path, want, got string) []Difference {
	w, g := jsonvalue.MustParse(want), jsonvalue.MustParse(got)
	return []Difference{{Path: path, Want: &w, Got: &g}}
}

func TestApplyLedger(t *testing.T) {
	declared := protocol.InitializeResult{
		Implementation: protocol.Identification{Name: "it", Version: "1.4"},
		Profiles:       []string{protocol.ContextFragments},
	}
	failed := Judgement{Verdict: Failed, Differences: difference("/items/0/text", `"a very long text that does not fit on one line with its partner"`, `"another very long text that does not fit on one line with its partner"`)}
	crashed := Judgement{Verdict: Errored, Reason: "the adapter ended (exit status 3)", Failure: &adapter.Failure{Kind: adapter.Crash}}
	passed := Judgement{Verdict: Passed}
	skipped := Judgement{Verdict: Skipped, Skip: &Skip{Reason: MethodNotDeclared}}
	const (
		list    = "failures:\n  - case: display/plain-text\n    reason: x\n"
		flaky   = "flaky:\n  - case: display/plain-text\n    reason: x\n"
		another = "  - case: display/*\n    reason: y\n"
	)
	tests := []struct {
		name, ledger string
		given        Judgement
		want         Verdict
		known        int // line of the entry, 0 for none
		also         int // number of others
	}{
		{"fails as known", list, failed, ExpectedFailure, 2, 0},
		{"crashes as known", list, crashed, ExpectedFailure, 2, 0},
		{"with its message", list + "    message: '/items/0/text: want \"a very'\n", failed, ExpectedFailure, 2, 0},
		{"with its message over lines", list + "    message: |\n      got  \"another very\n          long text\n", failed, ExpectedFailure, 2, 0},
		{"with the kind of its failure", list + "    message: 'crash'\n", crashed, ExpectedFailure, 2, 0},
		{"with another message", list + "    message: '/items/1'\n", failed, Failed, 2, 0},
		{"crashes instead of failing", list + "    message: '/items'\n", crashed, Errored, 2, 0},
		{"passes", list, passed, UnexpectedPass, 2, 0},
		{"is skipped", list, skipped, Skipped, 2, 0},
		{"is not run", list, Judgement{Verdict: NotRun}, NotRun, 0, 0},
		{"not in the ledger", "failures:\n  - case: display/hook-prompt\n    reason: x\n", failed, Failed, 0, 0},
		{"by a glob", "failures:\n  - case: 'display/{plain,other}-*'\n    reason: x\n", failed, ExpectedFailure, 2, 0},
		{"a star does not cross a slash", "failures:\n  - case: '*text'\n    reason: x\n", failed, Failed, 0, 0},
		{"in two entries", list + another, failed, ExpectedFailure, 2, 1},
		{"in two entries, passing", list + another, passed, UnexpectedPass, 2, 1},
		{"flaky and fails", flaky, failed, ExpectedFailure, 2, 0},
		{"flaky and passes", flaky, passed, Passed, 2, 0},
		{"flaky and fails otherwise", flaky + "    message: crash\n", failed, Failed, 2, 0},
		{"flaky and skipped", flaky, skipped, Skipped, 2, 0},
		{"in its profile", list + "    profile: context-fragments/2026-08\n", failed, ExpectedFailure, 2, 0},
		{"in another profile", list + "    profile: model-visible/2026-03\n", failed, Failed, 0, 0},
		{"in its version", list + "    adapter_version: '<2'\n", failed, ExpectedFailure, 2, 0},
		{"in another version", list + "    adapter_version: '<1.4'\n", failed, Failed, 0, 0},
		{"in another version, passing", list + "    adapter_version: '<1.4'\n", passed, Passed, 0, 0},
		{"on its last day", list + "    expires: 2026-12-01\n", failed, ExpectedFailure, 2, 0},
		{"expired", list + "    expires: 2026-11-30\n", failed, Failed, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			known := &Known{Ledger: ledgerOf(t, test.ledger), Tree: someCases, Today: "2026-12-01"}
			judgements := []Judgement{test.given}
			known.apply(known.standings(declared), []Run{{Case: &someCases[0], Profile: protocol.ContextFragments}}, judgements)
			got, line := judgements[0], 0
			if got.Known != nil {
				line = got.Known.Line
			}
			if got.Verdict != test.want || line != test.known || len(got.AlsoKnown) != test.also {
				t.Errorf("got %s by line %d and %d others; want %s by %d and %d", got.Verdict, line, len(got.AlsoKnown), test.want, test.known, test.also)
			}
		})
	}
}

func TestStandings(t *testing.T) {
	tests := []struct {
		entry, version string
		want           EntryState
		note           string
	}{
		{"case: display/plain-text", "1.4", Applies, ""},
		{"case: '**'", "1.4", Applies, ""},
		{"case: display/plain-txt", "1.4", Unmatched, `no such case (did you mean "display/plain-text"?): name another, or remove the entry`},
		{"case: 'nothing/*'", "1.4", Unmatched, "no such case: name another, or remove the entry"},
		{"case: display/plain-text\n    profile: model-visible/2026-03", "1.4", Unmatched, "no such case in profile model-visible/2026-03"},
		{"case: history/no-boundary\n    profile: model-visible/2026-03", "1.4", NotDeclared, "the adapter does not declare the profile model-visible/2026-03"},
		{"case: display/plain-text\n    expires: 2026-11-30", "1.4", Expired, "expired on 2026-11-30: mend what fails, or renew the date"},
		{"case: display/plain-text\n    expires: 2026-12-01", "1.4", Applies, ""},
		{"case: display/plain-text\n    expires: 2026-11-30\n    adapter_version: '<1'", "1.4", Expired, ""}, // also for other versions
		{"case: display/plain-text\n    adapter_version: '<1'", "1.4", OtherVersion, ""},
		{"case: display/plain-text\n    adapter_version: '<1'", "devel", NoOrder, `the adapter's version "devel" has no order, so it is unknown whether it is <1`},
		{"case: display/plain-text\n    adapter_version: devel", "devel", Applies, ""},
	}
	for _, test := range tests {
		known := &Known{Ledger: ledgerOf(t, "failures:\n  - "+test.entry+"\n    reason: x\n"), Tree: someCases, Today: "2026-12-01"}
		got := known.standings(protocol.InitializeResult{
			Implementation: protocol.Identification{Version: test.version},
			Profiles:       []string{protocol.ContextFragments},
		})[0]
		if got.State != test.want || !strings.HasPrefix(got.Note, test.note) || got.State.Wrong() != (got.Note != "") {
			t.Errorf("%s, version %s: got %+v, want %s %q", test.entry, test.version, got, test.want, test.note)
		}
	}
}

// The example of docs/running.md is a ledger.
func TestTheExampleOfTheManualIsALedger(t *testing.T) {
	page, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(page), "```yaml\n# known.yaml\n")
	example, _, closed := strings.Cut(example, "```\n")
	if !ok || !closed {
		t.Fatal("no example in docs/running.md")
	}
	ledger, err := ReadLedger("known.yaml", []byte(example))
	if err != nil || len(ledger.Entries) != 2 {
		t.Errorf("got %+v, %v", ledger, err)
	}
}
