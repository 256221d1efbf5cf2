package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// planned is a run of a case that exists only here.
func planned(id string, level suite.Level) suite.Run {
	area, _, _ := strings.Cut(id, "/")
	return suite.Run{Profile: protocol.ContextFragments, Case: &suite.Case{
		ID: id, File: area + "/x.json", Title: "Title of " + id, Why: "Why " + id + " matters.", Level: level,
		Requirements: []string{"DET-1"}, Method: protocol.FragmentClassify,
	}}
}

func differing(path, want, got string) []suite.Difference {
	w, g := jsonvalue.MustParse(want), jsonvalue.MustParse(got)
	return []suite.Difference{{Path: path, Want: &w, Got: &g}}
}

// sample is a record with one run of each verdict and everything that can be said of one.
func sample() *Record {
	leak := suite.Reading{Want: suite.Context, Got: suite.Typed}
	overHide := suite.Reading{Want: suite.Typed, Got: suite.Context}
	rightly := suite.Reading{Want: suite.Typed, Got: suite.Typed}
	classify := suite.Skip{Reason: suite.MethodNotDeclared, Name: protocol.SessionRun}
	several := planned("display/in-two-profiles", suite.Edge)
	several.Named = true
	return New("1.0.0", []string{"python3", "my reader.py", "it's"}, suite.Options{
		Selection: suite.Selection{Areas: []string{"display", "history"}},
		Seed:      1,
	}, suite.Execution{
		Handshake: protocol.InitializeResult{
			Implementation: protocol.Identification{Name: "my-reader\x1b[2J", Version: "0.3", Language: "Python"},
			Profiles:       []string{protocol.ContextFragments},
			Methods:        []string{protocol.FragmentClassify},
		},
		Duration: 1234 * time.Millisecond,
		Findings: []suite.Finding{{Finding: adapter.Finding{Kind: adapter.StrayOutput, Detail: `"hello"`, Count: 2, Index: -1}}},
		Runs: []suite.Run{
			planned("display/right", suite.Core),
			several,
			planned("display/leaks", suite.Core),
			planned("history/crashes", suite.Edge),
			planned("history/skipped", suite.Edge),
			planned("history/skipped-too", suite.Edge),
			planned("history/unsupported", suite.Edge),
		},
		Judgements: []suite.Judgement{
			{Verdict: suite.Passed, Reading: &rightly, Duration: 20 * time.Microsecond},
			{Verdict: suite.Failed, Reading: &overHide, Differences: differing("/contextual", "false", "true")},
			{Verdict: suite.Failed, Reading: &leak, Differences: differing("/kind", `"a"`, `"\u001b[31mb"`)},
			{Verdict: suite.Errored, Reason: "the process ended", Failure: &adapter.Failure{Kind: adapter.Crash, ExitStatus: "exit status 2", Stderr: "one\ntwo\xff\x1b[31m\n"}},
			{Verdict: suite.Skipped, Skip: &classify},
			{Verdict: suite.Skipped, Skip: &classify},
			{Verdict: suite.Skipped, Skip: &suite.Skip{Reason: suite.FeatureUnsupported, Name: "images"}},
		},
	})
}

func TestCount(t *testing.T) {
	want := Totals{
		Runs: 7, Passed: 1, Failed: 2, Errors: 1, Skipped: 3,
		SkippedBy: []SkipCount{
			{suite.Skip{Reason: suite.MethodNotDeclared, Name: protocol.SessionRun}, 2},
			{suite.Skip{Reason: suite.FeatureUnsupported, Name: "images"}, 1},
		},
		Reader: &ReaderTotals{
			Leaks:     ByLevel{Core: Part{1, 1}},
			OverHides: ByLevel{Core: Part{0, 1}, Edge: Part{1, 1}},
		},
	}
	if got := sample().Totals; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v %+v\nwant %+v %+v", got, got.Reader, want, want.Reader)
	}
}

func TestStatus(t *testing.T) {
	tests := []struct {
		name   string
		record Record
		want   int
	}{
		{"all passed", Record{Totals: Totals{Passed: 3}}, 0},
		{"some skipped", Record{Totals: Totals{Passed: 1, Skipped: 5}}, 0},
		{"one failed", Record{Totals: Totals{Passed: 3, Failed: 1}}, 1},
		{"one crashed", Record{Totals: Totals{Passed: 3, Errors: 1}}, 1},
		{"all skipped", Record{Totals: Totals{Skipped: 5}}, 2},
		{"nothing at all", Record{}, 2},
		{"some not run", Record{Totals: Totals{Passed: 3, Failed: 1, NotRun: 1}}, 3},
		{"broken", Record{Broken: "x", Totals: Totals{Passed: 3}}, 3},
		{"interrupted", Record{Interrupted: true, Totals: Totals{Passed: 3, NotRun: 1}}, 130},
		{"failing as expected", Record{Totals: Totals{Passed: 1, ExpectedFailures: 5}}, 0},
		{"all failing as expected", Record{Totals: Totals{ExpectedFailures: 5}}, 0},
		{"passing unexpectedly", Record{Totals: Totals{Passed: 3, UnexpectedPasses: 1}}, 1},
		{"a wrong ledger", Record{Ledger: &Ledger{Problems: []LedgerProblem{{}}}, Totals: Totals{Passed: 3}}, 1},
		{"a right ledger", Record{Ledger: &Ledger{}, Totals: Totals{Passed: 3}}, 0},
		{"a required area skipped", Record{Require: []string{"display"}, Runs: []Run{{ID: "display/x", Verdict: suite.Skipped}}, Totals: Totals{Passed: 3, Skipped: 1}}, 1},
		{"another area skipped", Record{Require: []string{"display"}, Runs: []Run{{ID: "history/x", Verdict: suite.Skipped}}, Totals: Totals{Passed: 3, Skipped: 1}}, 0},
		{"note", Record{Findings: []Finding{{Kind: "x"}}, Totals: Totals{Passed: 3}}, 0},
		{"fault between the answers", Record{Findings: []Finding{{Kind: "x", Fault: true}}, Totals: Totals{Passed: 3}}, 3},
		{"fault beside a failure", Record{Findings: []Finding{{Kind: "x", Fault: true}}, Totals: Totals{Failed: 3}}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.record.Status(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestRecordSaysWhyItBroke(t *testing.T) {
	r := New("1.0.0", nil, suite.Options{}, suite.Execution{Broken: errors.New("gave up")})
	if r.Broken != "gave up" || r.Status() != StatusBroken {
		t.Errorf("got %q, status %d", r.Broken, r.Status())
	}
}

func TestJSON(t *testing.T) {
	data, err := sample().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Format  string
		Adapter struct{ Command []string }
		Runs    []struct {
			ID, Verdict string
			Differences []struct {
				Path      string
				Want, Got any
			}
			Failure *struct{ Kind, Stderr string }
		}
	}
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if read.Format != "conform-run/1" || len(read.Runs) != 7 || read.Adapter.Command[1] != "my reader.py" {
		t.Errorf("got %+v", read)
	}
	if d := read.Runs[1].Differences[0]; d.Path != "/contextual" || d.Want != false || d.Got != true {
		t.Errorf("difference: got %+v", d)
	}
	if f := read.Runs[3].Failure; f.Kind != "crash" || f.Stderr != "one\ntwo\ufffd\x1b[31m\n" {
		t.Errorf("failure: got %+v", f)
	}
}

func TestWriting(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "run.json")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	contents := func() string {
		data, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	only := func(want int) {
		t.Helper()
		if entries, _ := os.ReadDir(folder); len(entries) != want {
			t.Errorf("%d files in the folder, want %d: %v", len(entries), want, entries)
		}
	}

	pending, err := Create(target)
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(); got != "old" {
		t.Errorf("before Commit: got %q", got)
	}
	pending.Discard()
	only(1)
	if got := contents(); got != "old" {
		t.Errorf("after Discard: got %q", got)
	}

	if pending, err = Create(target); err != nil {
		t.Fatal(err)
	}
	if err := pending.Commit([]byte("new")); err != nil {
		t.Fatal(err)
	}
	only(1)
	if got := contents(); got != "new" {
		t.Errorf("after Commit: got %q", got)
	}

	link := filepath.Join(folder, "link.json")
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if pending, err = Create(link); err != nil {
		t.Fatal(err)
	}
	if err := pending.Commit([]byte("through the link")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the symbolic link was replaced by a file")
	}
	if got := contents(); got != "through the link" {
		t.Errorf("through the link: got %q", got)
	}
}

func TestWritingToADevice(t *testing.T) {
	pending, err := Create(os.DevNull)
	if err != nil {
		t.Skipf("no %s: %v", os.DevNull, err)
	}
	if err := pending.Commit([]byte("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced by a file", os.DevNull)
	}
}

func TestWritingNowhere(t *testing.T) {
	folder := t.TempDir()
	for _, target := range []string{folder, filepath.Join(folder, "missing", "run.json")} {
		if _, err := Create(target); err == nil {
			t.Errorf("%s: no error", target)
		} else if !strings.Contains(err.Error(), target) {
			t.Errorf("%s: the error does not name it: %v", target, err)
		}
	}
}

const wantText = `conform 1.0.0: my-reader\u001b[2J 0.3 (Python), context-fragments/2026-08

  display     1 passed     2 failed
  history                               1 error      3 skipped

FAILED display/leaks (core, leak)
  Title of display/leaks
  why: Why display/leaks matters.
  DET-1: The rule that runs over more than the sixty characters that a
    line has in this test.
    - An entry.
    /kind: want "a" got "\u001b[31mb"
  reproduce: conform replay display/leaks -- python3 'my reader.py' 'it'\''s'

FAILED display/in-two-profiles [context-fragments/2026-08] (edge, over-hide)
  Title of display/in-two-profiles
  why: Why display/in-two-profiles matters.
  DET-1: The rule that runs over more than the sixty characters that a
    line has in this test.
    - An entry.
    /contextual: want false got true
  reproduce: conform replay display/in-two-profiles --profile context-fragments/2026-08 -- python3 'my reader.py' 'it'\''s'

ERROR history/crashes (edge)
  Title of history/crashes
  why: Why history/crashes matters.
  DET-1: The rule that runs over more than the sixty characters that a
    line has in this test.
    - An entry.
    crash: the process ended
    stderr:
      one
      two\xff\u001b[31m
  reproduce: conform replay history/crashes -- python3 'my reader.py' 'it'\''s'

ADAPTER stray output: "hello" (2 times)

As a reader of conversations:
  leaks, context shown as typed:  core 1 of 1, edge 0 of 0
  over-hides, typed text hidden:  core 0 of 1, edge 1 of 1

1 passed, 2 failed, 1 error, 3 skipped, of 7 in 1.234s
      2 skipped: method not declared: session/run
      1 skipped: feature unsupported: images
`

func rule(string) (string, bool) {
	return "The rule that runs over more than the sixty characters that a line has in this test.\n- An entry.", true
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, sample(), TextOptions{Width: 72, Requirement: rule}); err != nil {
		t.Fatal(err)
	}
	if b.String() != wantText {
		t.Errorf("got\n%s\nwant\n%s", b.String(), wantText)
	}
}

// Colour adds escape sequences of ours, and takes nothing away.
func TestTextInColor(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, sample(), TextOptions{Width: 72, Requirement: rule, Color: true}); err != nil {
		t.Fatal(err)
	}
	plain := b.String()
	for _, code := range []string{bold, faint, red, green, yellow, "0"} {
		plain = strings.ReplaceAll(plain, "\x1b["+code+"m", "")
	}
	if plain != wantText {
		t.Errorf("without colour codes got\n%s", plain)
	}
	if b.String() == wantText {
		t.Error("there is no colour")
	}
}

func TestTextCutsManyFailures(t *testing.T) {
	execution := suite.Execution{}
	for i := range mostFailures + 7 {
		execution.Runs = append(execution.Runs, planned(fmt.Sprintf("display/case-%d", i), suite.Core))
		execution.Judgements = append(execution.Judgements, suite.Judgement{Verdict: suite.Failed, Reason: "wrong"})
	}
	r := New("1.0.0", nil, suite.Options{}, execution)
	render := func(all bool) string {
		var b strings.Builder
		if err := Text(&b, r, TextOptions{All: all}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	cut := render(false)
	if got := strings.Count(cut, "FAILED"); got != mostFailures {
		t.Errorf("%d failures shown, want %d", got, mostFailures)
	}
	if !strings.Contains(cut, "… and 7 more that failed: --all shows them") {
		t.Errorf("the rest is not told:\n%s", cut)
	}
	if got := strings.Count(render(true), "FAILED"); got != mostFailures+7 {
		t.Errorf("with all: %d failures shown", got)
	}
}

func TestTextSaysWhyARunIsNoPass(t *testing.T) {
	tests := []struct {
		execution suite.Execution
		want      string
	}{
		{suite.Execution{Broken: errors.New("the adapter crashed again\x1b[2J")}, `The run broke off: the adapter crashed again\u001b[2J`},
		{suite.Execution{Interrupted: true}, "The run was interrupted."},
		{suite.Execution{}, "so this is not a pass"},
	}
	for _, test := range tests {
		var b strings.Builder
		if err := Text(&b, New("1.0.0", nil, suite.Options{}, test.execution), TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), test.want) {
			t.Errorf("got\n%s\nwant %q in it", b.String(), test.want)
		}
	}
}

func TestReplayCommandOfTheReference(t *testing.T) {
	run := Run{ID: "display/x"}
	if got := ReplayCommand(&Record{}, &run); got != "conform replay display/x" {
		t.Errorf("got %q", got)
	}
}
