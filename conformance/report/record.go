// Package report holds the record of one run of the suite and renders it. The record is the one
// source of every rendering; docs/schema/run-record.schema.json is its JSON Schema.
package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
)

// Format names the shape of a Record. The number goes up when a reader of an older one would err.
const Format = "conform-run/1"

// Record is one run of the suite against one implementation.
type Record struct {
	Format      string          `json:"format"`
	Conform     string          `json:"conform" jsonschema:"version of conform"`
	Adapter     Adapter         `json:"adapter"`
	Fixtures    string          `json:"fixtures,omitzero" jsonschema:"the folder of case files as given; absent: the embedded ones"`
	Selection   suite.Selection `json:"selection" jsonschema:"the patterns that the cases were selected by; empty: all cases"`
	Shard       *Shard          `json:"shard,omitzero" jsonschema:"the part of the selected cases that was run; absent: all"`
	Require     []string        `json:"require,omitzero" jsonschema:"the areas of which nothing may be skipped"`
	Seed        int64           `json:"seed" jsonschema:"seed of the order of specs"`
	DurationMS  int64           `json:"duration_ms" jsonschema:"wall time of the calls, in milliseconds"`
	Interrupted bool            `json:"interrupted" jsonschema:"the run was stopped from outside before its end"`
	Broken      string          `json:"broken,omitzero" jsonschema:"why the adapter or the harness gave up before the end"`
	Ledger      *Ledger         `json:"ledger,omitzero" jsonschema:"the known failures that the run was held against; absent: none"`
	Findings    []Finding       `json:"findings" jsonschema:"what was wrong with the adapter itself, and not with one of its answers"`
	Totals      Totals          `json:"totals"`
	Runs        []Run           `json:"runs"`
}

// Finding is something about the adapter that no run could be charged with.
type Finding struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	ID     string `json:"id,omitzero" jsonschema:"the case that it is about"`
	Count  int    `json:"count"`
	Fault  bool   `json:"fault" jsonschema:"it breaks the adapter protocol"`
}

// Adapter is the implementation under test: how it was started, and what it says of itself.
type Adapter struct {
	Command        []string                `json:"command" jsonschema:"the command line as given; empty: the embedded reference"`
	Implementation protocol.Identification `json:"implementation"`
	Profiles       []string                `json:"profiles"`
	Methods        []string                `json:"methods"`
	Notes          string                  `json:"notes,omitzero"`
}

// Run is one case under one profile.
type Run struct {
	ID           string             `json:"id"`
	Profile      string             `json:"profile"`
	Title        string             `json:"title"`
	Why          string             `json:"why"`
	Requirements []string           `json:"requirements"`
	Level        suite.Level        `json:"level"`
	Method       string             `json:"method"`
	Location     string             `json:"location" jsonschema:"the case in its file: fixtures/AREA/TOPIC.json#ID"`
	Verdict      suite.Verdict      `json:"verdict"`
	DurationUS   int64              `json:"duration_us,omitzero" jsonschema:"time to the answer from when the adapter could start on the request, in microseconds"`
	Reason       string             `json:"reason,omitzero" jsonschema:"why it did not pass, where the differences do not say it"`
	Differences  []suite.Difference `json:"differences,omitzero" jsonschema:"where the result is not the expected one"`
	Failure      *Failure           `json:"failure,omitzero" jsonschema:"what broke, where there is no answer to compare"`
	Skip         *suite.Skip        `json:"skip,omitzero" jsonschema:"of the verdict skipped: what the implementation does not declare"`
	LeftOut      []string           `json:"left_out,omitzero" jsonschema:"pointers into the result to what the implementation cannot show, which was not compared"`
	Reading      *suite.Reading     `json:"reading,omitzero" jsonschema:"what a reader would show: the person's own words, or context"`
	Known        *Known             `json:"known,omitzero" jsonschema:"the entry of the ledger that is about this run"`

	// SeveralProfiles says that the case has other runs in this record.
	SeveralProfiles bool `json:"several_profiles,omitzero" jsonschema:"the case ran in several profiles"`
}

// Failure says how an implementation failed to answer.
type Failure struct {
	Kind       string `json:"kind"`
	ExitStatus string `json:"exit_status,omitzero" jsonschema:"of a process that ended"`
	Stderr     string `json:"stderr,omitzero" jsonschema:"the end of what it wrote to standard error"`
}

// Totals counts the runs by verdict.
type Totals struct {
	Runs    int `json:"runs"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errors  int `json:"errors"`
	Skipped int `json:"skipped"`
	NotRun  int `json:"not_run"`

	ExpectedFailures int `json:"expected_failures,omitzero" jsonschema:"failed as the ledger says"`
	UnexpectedPasses int `json:"unexpected_passes,omitzero" jsonschema:"passed although the ledger says that they fail"`

	SkippedBy []SkipCount   `json:"skipped_by" jsonschema:"the skipped runs by reason, the most frequent first"`
	Reader    *ReaderTotals `json:"reader,omitzero" jsonschema:"the implementation as a reader of conversations; absent: nothing was read"`
}

// SkipCount counts the runs that were skipped for one reason.
type SkipCount struct {
	suite.Skip
	Count int `json:"count"`
}

// ReaderTotals counts what a reader would show wrongly, the everyday cases apart from the corners.
type ReaderTotals struct {
	Leaks     ByLevel `json:"leaks" jsonschema:"context shown as a person's own words, of all context"`
	OverHides ByLevel `json:"over_hides" jsonschema:"a person's own words hidden, of all that was typed"`
}

// ByLevel is a count for each level.
type ByLevel struct {
	Core Part `json:"core"`
	Edge Part `json:"edge"`
}

// Part is a part of a whole.
type Part struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// New returns the record of an execution. Version is that of conform, command the adapter as it
// was given, nil for the embedded reference.
func New(version string, command []string, options suite.Options, execution suite.Execution) *Record {
	r := &Record{
		Format:  Format,
		Conform: version,
		Adapter: Adapter{
			Command:        append([]string{}, command...),
			Implementation: execution.Handshake.Implementation,
			Profiles:       execution.Handshake.Profiles,
			Methods:        execution.Handshake.Methods,
			Notes:          execution.Handshake.Notes,
		},
		Selection:   options.Selection,
		Shard:       newShard(options, execution.Runs),
		Seed:        options.Seed,
		DurationMS:  execution.Duration.Milliseconds(),
		Interrupted: execution.Interrupted,
		Findings:    []Finding{},
		Runs:        make([]Run, len(execution.Runs)),
	}
	if execution.Broken != nil {
		r.Broken = execution.Broken.Error()
	}
	for _, f := range execution.Findings {
		finding := Finding{Kind: string(f.Kind), Detail: f.Detail, Count: f.Count, Fault: f.Kind.Fault()}
		if f.Run != nil {
			finding.ID = f.Run.Case.ID
		}
		r.Findings = append(r.Findings, finding)
	}
	for i := range r.Runs {
		r.Runs[i] = newRun(&execution.Runs[i], execution.Judgements[i])
	}
	r.Ledger = newLedger(options.Known, execution.Standings)
	r.settle()
	return r
}

// settle puts in order and counts what depends on all runs together.
func (r *Record) settle() {
	slices.SortFunc(r.Findings, func(a, b Finding) int { // they came in the order of events
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Detail, b.Detail))
	})
	r.Totals = Count(r.Runs)
	if r.Ledger != nil {
		r.Ledger.Problems = r.Ledger.problems(r.Runs)
	}
}

func newRun(planned *suite.Run, judged suite.Judgement) Run {
	run := Run{
		ID:              planned.Case.ID,
		Profile:         planned.Profile,
		Title:           planned.Case.Title,
		Why:             planned.Case.Why,
		Requirements:    planned.Case.Requirements,
		Level:           planned.Case.Level,
		Method:          planned.Case.Method,
		Location:        planned.Case.Location(),
		Verdict:         judged.Verdict,
		DurationUS:      judged.Duration.Microseconds(),
		Reason:          judged.Reason,
		Differences:     judged.Differences,
		Skip:            judged.Skip,
		LeftOut:         judged.LeftOut,
		Reading:         judged.Reading,
		SeveralProfiles: planned.Named,
	}
	if f := judged.Failure; f != nil {
		run.Failure = &Failure{Kind: string(f.Kind), ExitStatus: f.ExitStatus, Stderr: f.Stderr}
	}
	if e := judged.Known; e != nil {
		run.Known = &Known{Line: e.Line, Reason: e.Reason, Issue: e.Issue, Flaky: e.Flaky}
		for _, other := range judged.AlsoKnown {
			run.Known.Also = append(run.Known.Also, other.Line)
		}
	}
	return run
}

// Name is the id of the case, with the profile where the case ran in more than one.
func (r *Run) Name() string {
	if r.SeveralProfiles {
		return r.ID + " [" + r.Profile + "]"
	}
	return r.ID
}

// Area is the area of the case.
func (r *Run) Area() string {
	area, _, _ := strings.Cut(r.ID, "/")
	return area
}

// wrong reports whether the answer counts against the implementation.
func (r *Run) wrong() bool { return r.Verdict == suite.Failed || r.Verdict == suite.Errored }

// Count returns the totals of the runs.
func Count(runs []Run) Totals {
	totals := Totals{Runs: len(runs), SkippedBy: []SkipCount{}}
	reader := ReaderTotals{}
	read := false
	for i := range runs {
		totals.add(&runs[i])
		if runs[i].Reading != nil {
			read = true
			reader.add(*runs[i].Reading, runs[i].Level)
		}
	}
	slices.SortStableFunc(totals.SkippedBy, func(a, b SkipCount) int { return b.Count - a.Count })
	if read {
		totals.Reader = &reader
	}
	return totals
}

func (t *Totals) add(run *Run) {
	switch run.Verdict {
	case suite.Passed:
		t.Passed++
	case suite.Failed:
		t.Failed++
	case suite.Errored:
		t.Errors++
	case suite.NotRun:
		t.NotRun++
	case suite.ExpectedFailure:
		t.ExpectedFailures++
	case suite.UnexpectedPass:
		t.UnexpectedPasses++
	case suite.Skipped:
		t.Skipped++
		i := slices.IndexFunc(t.SkippedBy, func(s SkipCount) bool { return s.Skip == *run.Skip })
		if i < 0 {
			i = len(t.SkippedBy)
			t.SkippedBy = append(t.SkippedBy, SkipCount{Skip: *run.Skip})
		}
		t.SkippedBy[i].Count++
	}
}

func (t *ReaderTotals) add(reading suite.Reading, level suite.Level) {
	leaks, overHides := &t.Leaks.Core, &t.OverHides.Core
	if level == suite.Edge {
		leaks, overHides = &t.Leaks.Edge, &t.OverHides.Edge
	}
	part, wrong := leaks, reading.Leak()
	if reading.Want == suite.Typed {
		part, wrong = overHides, reading.OverHide()
	}
	part.Of++
	if wrong {
		part.Count++
	}
}

// The exit statuses of a run.
const (
	StatusConforms = 0
	StatusDeviates = 1 // at least one case failed, crashed, timed out or got garbage, or the ledger is wrong
	StatusNothing  = 2 // the implementation declares nothing that the selection takes
	StatusBroken   = 3 // the run is not complete, or the adapter breaks the protocol between its answers

	StatusInterrupted = 130 // stopped by SIGINT
)

// Status returns the exit status that the record stands for.
func (r *Record) Status() int {
	switch {
	case r.Interrupted:
		return StatusInterrupted
	case r.Broken != "" || r.Totals.NotRun > 0:
		return StatusBroken
	case r.Totals.Failed+r.Totals.Errors+r.Totals.UnexpectedPasses > 0:
		return StatusDeviates
	case r.Ledger != nil && len(r.Ledger.Problems) > 0 || len(r.missing()) > 0:
		return StatusDeviates
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Fault }):
		return StatusBroken
	case r.Totals.Passed+r.Totals.ExpectedFailures == 0:
		return StatusNothing
	default:
		return StatusConforms
	}
}
