package report

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
)

// someRun is a run of 60 cases, or one shard of it, in which each verdict occurs.
func someRun(t *testing.T, shard suite.Shard, change func(*suite.Options, *suite.Execution)) *Record {
	t.Helper()
	options := suite.Options{Shard: shard, Seed: 1}
	for i := range 60 {
		options.Cases = append(options.Cases, suite.Case{ID: fmt.Sprintf("display/case-%d", i), Title: "T", Why: "W", Requirements: []string{"DET-1"},
			Level: suite.Core, Method: protocol.MarkerMatch, Profiles: []string{protocol.ContextFragments, protocol.ModelVisible}})
	}
	execution := suite.Execution{
		Handshake: protocol.InitializeResult{
			Implementation: protocol.Identification{Name: "it", Version: "1"},
			Profiles:       []string{protocol.ContextFragments, protocol.ModelVisible},
			Methods:        []string{protocol.MarkerMatch},
		},
		Duration: time.Duration(shard.Index) * time.Second,
		Findings: []suite.Finding{{Finding: adapter.Finding{Kind: adapter.IgnoredEnd, Detail: "still running", Index: -1, Count: 1}}},
	}
	if shard.IsWhole() {
		execution.Findings[0].Count = 3
	}
	execution.Runs = suite.Plan(shard.Take(options.Cases), suite.Selection{}, execution.Handshake)
	for i := range execution.Runs {
		judgement := suite.Judgement{Verdict: suite.Passed}
		switch id := execution.Runs[i].Case.ID; {
		case strings.HasSuffix(id, "3"):
			judgement = suite.Judgement{Verdict: suite.Failed, Differences: differing("/x", "1", `"`+id+`"`)}
		case strings.HasSuffix(id, "7"):
			judgement = suite.Judgement{Verdict: suite.Skipped, Skip: &suite.Skip{Reason: suite.FeatureUnsupported, Name: "images"}}
		case strings.HasSuffix(id, "9"):
			judgement = suite.Judgement{Verdict: suite.Errored, Reason: "gone", Failure: &adapter.Failure{Kind: adapter.Crash, ExitStatus: "exit status 1"}}
		}
		execution.Judgements = append(execution.Judgements, judgement)
	}
	if change != nil {
		change(&options, &execution)
	}
	data, err := New("1.0.0", []string{"x"}, options, execution).JSON()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shards(t *testing.T, total int) []Piece {
	t.Helper()
	pieces := []Piece{}
	for index := total; index >= 1; index-- {
		pieces = append(pieces, Piece{fmt.Sprintf("%d.json", index), someRun(t, suite.Shard{Index: index, Total: total}, nil)})
	}
	return pieces
}

func TestMerge(t *testing.T) {
	whole := someRun(t, suite.Shard{}, nil)
	joined, err := Merge(shards(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	if joined.DurationMS != 3000 {
		t.Errorf("the longest shard took 3 s, the record says %d ms", joined.DurationMS)
	}
	joined.DurationMS = whole.DurationMS
	if !reflect.DeepEqual(joined, whole) {
		t.Errorf("got\n%+v\nwant\n%+v", joined, whole)
	}
	if joined.Totals.Runs != 120 || joined.Totals.Failed != 12 || joined.Totals.Skipped != 12 || joined.Totals.Errors != 12 {
		t.Errorf("totals %+v", joined.Totals)
	}
	again, err := Merge(append(shards(t, 3), shards(t, 3)...))
	if err != nil {
		t.Fatal(err)
	}
	again.DurationMS = whole.DurationMS
	if !reflect.DeepEqual(again, whole) {
		t.Error("a shard that is there twice counts twice")
	}
}

func TestMergeRefuses(t *testing.T) {
	second := suite.Shard{Index: 2, Total: 2}
	tests := []struct {
		name   string
		change func(*suite.Options, *suite.Execution)
		edit   func(*Record)
		want   string
	}{
		{name: "nothing wrong"},
		{name: "implementation", change: func(_ *suite.Options, e *suite.Execution) { e.Handshake.Implementation.Version = "2" }, want: "implementation {it 1  } and {it 2  }"},
		{name: "profiles", change: func(_ *suite.Options, e *suite.Execution) { e.Handshake.Profiles = e.Handshake.Profiles[:1] }, want: "profiles [context-fragments/2026-08 model-visible/2026-03] and [context-fragments/2026-08]"},
		{name: "methods", change: func(_ *suite.Options, e *suite.Execution) { e.Handshake.Methods = []string{} }, want: "methods [marker/match] and []"},
		{name: "notes", change: func(_ *suite.Options, e *suite.Execution) { e.Handshake.Notes = "x" }, want: `notes "" and "x"`},
		{name: "seed", change: func(o *suite.Options, _ *suite.Execution) { o.Seed = 2 }, want: "seed 1 and 2"},
		{name: "selection", change: func(o *suite.Options, _ *suite.Execution) { o.Selection.Levels = []string{"core"} }, want: `selection "" and "--level core"`},
		{name: "cases", change: func(o *suite.Options, _ *suite.Execution) { o.Cases[59].Params = []byte(`{}`) }, want: "the selected cases are not the same"},
		{name: "conform", edit: func(r *Record) { r.Conform = "2" }, want: `version of conform "1.0.0" and "2"`},
		{name: "command", edit: func(r *Record) { r.Adapter.Command = []string{"y"} }, want: "command line of the adapter [x] and [y]"},
		{name: "fixtures", edit: func(r *Record) { r.Fixtures = "own" }, want: `fixtures "" and "own"`},
		{name: "require", edit: func(r *Record) { r.Require = []string{"display"} }, want: "required areas [] and [display]"},
		{name: "ledger", edit: func(r *Record) { r.Ledger = &Ledger{File: "x"} }, want: "they were held against different ledgers"},
		{name: "whole", edit: func(r *Record) { r.Shard = nil }, want: "number of shards 2 and 1"},
		{name: "shard missing", edit: func(r *Record) { *r = *someRun(t, suite.Shard{Index: 1, Total: 2}, nil) }, want: "shard 2/2 is missing"},
		{name: "cut short", edit: func(r *Record) { r.Runs, r.Shard.Positions = r.Runs[:4], r.Shard.Positions[:4] }, want: "of the 60 cases: a record is not complete"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			other := someRun(t, second, test.change)
			if test.edit != nil {
				test.edit(other)
			}
			_, err := Merge([]Piece{{"a.json", someRun(t, suite.Shard{Index: 1, Total: 2}, nil)}, {"b.json", other}})
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing was merged without an error")
	}
}

func TestMergeRefusesContradictions(t *testing.T) {
	pieces := shards(t, 2)
	other := someRun(t, suite.Shard{Index: 2, Total: 2}, func(_ *suite.Options, e *suite.Execution) {
		for i := range e.Judgements {
			e.Judgements[i] = suite.Judgement{Verdict: suite.NotRun}
		}
	})
	_, err := Merge(append(pieces, Piece{"again.json", other}))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 11 || !strings.Contains(lines[0], "in 2.json, and not-run in again.json") || !strings.Contains(lines[10], "more such cases") {
		t.Errorf("got\n%v", err)
	}
}

// What went wrong in one shard went wrong in the run.
func TestMergeKeepsWhatWentWrong(t *testing.T) {
	for want, change := range map[int]func(*Record){
		StatusInterrupted: func(r *Record) { r.Interrupted = true },
		StatusBroken:      func(r *Record) { r.Broken = "gave up" },
		StatusDeviates:    func(*Record) {},
	} {
		pieces := shards(t, 3)
		change(pieces[1].Record)
		if joined, err := Merge(pieces); err != nil || joined.Status() != want {
			t.Errorf("status %d, %v; want %d", joined.Status(), err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const good = `{"format":"conform-run/1","runs":[{"id":"a/b","profile":"p","verdict":"passed"}],"shard":{"index":1,"total":1,"cases":1,"positions":[0]},"added-since":1}`
	if r, err := Read([]byte(good)); err != nil || r.Totals.Passed != 1 {
		t.Fatalf("got %v", err)
	}
	for _, test := range []struct{ old, new, want string }{
		{`conform-run/1`, `conform-run/2`, `its format is "conform-run/2"`},
		{`"runs":[`, `"runs":[{"id":"a/b","profile":"p","verdict":"failed"},`, "a/b is there twice"},
		{`"passed"`, `"PASSED"`, `a/b has the unknown verdict "PASSED"`},
		{`"passed"`, `"skipped"`, "a/b is skipped without a reason"},
		{`"total":1`, `"total":0`, "makes no sense"},
		{`"index":1`, `"index":2`, "makes no sense"},
		{`[0]`, `[]`, "makes no sense"},
		{`[0]`, `[1]`, "a/b does not belong to shard 1/1"},
		{`[0]`, `[-1]`, "a/b does not belong to shard 1/1"},
		{`{"format"`, `["format"`, "not a record of a run"},
		{`"id":"a/b"`, `"id":7`, "not a record of a run"},
	} {
		_, err := Read([]byte(strings.Replace(good, test.old, test.new, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.new, err, test.want)
		}
	}
}

// A record that was read is the one that was written.
func TestReadIsTheOtherSideOfJSON(t *testing.T) {
	data, err := sample().JSON()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("got\n%s\nwant\n%s", again, data)
	}
}

func TestLedgerOfARecord(t *testing.T) {
	ledger, err := suite.ReadLedger("known.yaml", []byte("failures:\n  - {case: display/right, reason: r}\n  - {case: display/leaks, reason: l, issue: i}\n  - {case: 'history/*', reason: h}\n  - {case: no/such, reason: n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := func(i int) *suite.Entry { return &ledger.Entries[i] }
	applies := suite.Standing{State: suite.Applies}
	r := New("1.0.0", nil, suite.Options{Known: &suite.Known{Ledger: ledger}}, suite.Execution{
		Standings: []suite.Standing{applies, applies, applies, {State: suite.Unmatched, Note: "no such case"}},
		Runs:      []suite.Run{planned("display/right", suite.Core), planned("display/leaks", suite.Core), planned("history/a", suite.Core), planned("history/b", suite.Core), planned("history/c", suite.Core)},
		Judgements: []suite.Judgement{
			{Verdict: suite.UnexpectedPass, Known: e(0)},
			{Verdict: suite.ExpectedFailure, Known: e(1), Differences: differing("/x", "1", "2")},
			{Verdict: suite.Failed, Known: e(2), AlsoKnown: []*suite.Entry{e(3)}},
			{Verdict: suite.Skipped, Known: e(2), Skip: &suite.Skip{Reason: suite.NothingObserved}},
			{Verdict: suite.ExpectedFailure, Known: e(2), Failure: &adapter.Failure{Kind: adapter.Crash}, Reason: "gone"},
		},
	})
	var got []string
	for _, p := range r.Ledger.Problems {
		got = append(got, fmt.Sprintf("%d %s %s %v", p.Line, p.Case, p.Kind, p.Runs))
	}
	want := []string{
		"2 display/right passes [display/right]",
		"4 history/* fails differently [history/a]",
		"4 history/* is skipped [history/b]",
		"5 no/such not valid []",
		"5 no/such overlaps [history/a]",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	results := r.KnownResults()
	for i, want := range []suite.KnownResult{
		{Case: "display/right", Verdict: suite.Passed},
		{Case: "display/leaks", Verdict: suite.Failed, Detail: "/x: want 1 got 2"},
		{Case: "history/a", Verdict: suite.Failed},
		{Case: "history/b", Verdict: suite.Skipped},
		{Case: "history/c", Verdict: suite.Errored, Detail: "crash: gone"},
	} {
		if want.Profile = protocol.ContextFragments; results[i] != want {
			t.Errorf("result %d: got %+v, want %+v", i, results[i], want)
		}
	}
}
