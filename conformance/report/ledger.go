package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/suite"
)

// Ledger is the list of known failures that a run was held against.
type Ledger struct {
	File     string          `json:"file" jsonschema:"as given"`
	Entries  []LedgerEntry   `json:"entries"`
	Problems []LedgerProblem `json:"problems" jsonschema:"what the ledger says wrongly"`
}

// LedgerEntry is an entry of the ledger, and whether it counted in the run.
type LedgerEntry struct {
	suite.Entry
	suite.Standing
}

// Known is what the ledger says of a run.
type Known struct {
	Line   int    `json:"line" jsonschema:"of the entry in the ledger"`
	Reason string `json:"reason"`
	Issue  string `json:"issue,omitzero"`
	Flaky  bool   `json:"flaky,omitzero"`
	Also   []int  `json:"also,omitzero" jsonschema:"the lines of further entries that are about the run"`
}

// LedgerProblem is something that an entry says wrongly.
type LedgerProblem struct {
	Line   int         `json:"line"`
	Case   string      `json:"case" jsonschema:"as the entry names it"`
	Kind   ProblemKind `json:"kind"`
	Detail string      `json:"detail"`
	Runs   []string    `json:"runs" jsonschema:"the runs that show it, in order"`
}

// ProblemKind is the kind of a LedgerProblem.
type ProblemKind string

// The kinds of problems.
const (
	Passes    ProblemKind = "passes"
	Differs   ProblemKind = "fails differently"
	IsSkipped ProblemKind = "is skipped"
	Overlaps  ProblemKind = "overlaps"
	NotValid  ProblemKind = "not valid" // the entry counts for nothing, whatever ran
)

func newLedger(known *suite.Known, standings []suite.Standing) *Ledger {
	if known == nil {
		return nil
	}
	l := &Ledger{File: known.Ledger.File, Entries: []LedgerEntry{}}
	for i, entry := range known.Ledger.Entries {
		l.Entries = append(l.Entries, LedgerEntry{entry, standings[i]})
	}
	return l
}

// problems lists what the entries say wrongly, in the order of the file. Of a run that is not
// complete they are those that are known.
func (l *Ledger) problems(runs []Run) []LedgerProblem {
	found := []LedgerProblem{}
	for _, e := range l.Entries {
		add := func(kind ProblemKind, detail string, shows func(*Run) bool) {
			names := []string{}
			for i := range runs {
				if known := runs[i].Known; known != nil && shows(&runs[i]) {
					names = append(names, runs[i].Name())
				}
			}
			if len(names) > 0 || kind == NotValid {
				found = append(found, LedgerProblem{e.Line, e.Entry.Case, kind, detail, names})
			}
		}
		own := func(verdicts ...suite.Verdict) func(*Run) bool {
			return func(r *Run) bool { return r.Known.Line == e.Line && slices.Contains(verdicts, r.Verdict) }
		}
		if e.State.Wrong() {
			add(NotValid, e.Note, func(*Run) bool { return false })
		}
		add(Passes, "passes: remove it from the ledger", own(suite.UnexpectedPass))
		add(Differs, fmt.Sprintf("fails, but not with the message %s", suite.Quote(strings.TrimSpace(e.Message))), own(suite.Failed, suite.Errored))
		add(IsSkipped, "is skipped, so nobody knows whether it still fails", own(suite.Skipped))
		add(Overlaps, "another entry in front of it is about the same: keep one", func(r *Run) bool { return slices.Contains(r.Known.Also, e.Line) })
	}
	return found
}

// missing returns the areas of Require of which something was skipped, with the number of runs.
func (r *Record) missing() []SkippedArea {
	areas := []SkippedArea{}
	for i := range r.Runs {
		run := &r.Runs[i]
		if run.Verdict != suite.Skipped || !suite.MatchesAny(r.Require, run.Area()) {
			continue
		}
		at := slices.IndexFunc(areas, func(a SkippedArea) bool { return a.Area == run.Area() })
		if at < 0 {
			at = len(areas)
			areas = append(areas, SkippedArea{Area: run.Area()})
		}
		areas[at].Count++
	}
	return areas
}

// SkippedArea is an area of which nothing may be skipped, and how much was.
type SkippedArea struct {
	Area  string
	Count int
}

// ledger prints what the ledger says wrongly, each with its place.
func (t *textWriter) ledger(r *Record) {
	if r.Ledger == nil {
		return
	}
	for _, p := range r.Ledger.Problems {
		t.print("%s %s:%d: %s\n", t.color(red, "LEDGER"), suite.Printable(r.Ledger.File), p.Line, suite.Printable(p.Case+" "+p.Detail))
		if len(p.Runs) == 1 && p.Runs[0] == p.Case {
			continue
		}
		shown := len(p.Runs)
		if !t.options.All {
			shown = min(shown, mostFailures)
		}
		for _, name := range p.Runs[:shown] {
			t.print("    %s\n", suite.Printable(name))
		}
		if more := len(p.Runs) - shown; more > 0 {
			t.print("    and %d more\n", more)
		}
	}
	if len(r.Ledger.Problems) > 0 {
		t.print("\n")
	}
}

// missing prints the areas of which something was skipped although nothing may.
func (t *textWriter) missing(r *Record) {
	areas := r.missing()
	for _, area := range areas {
		t.print("%s %s: %d skipped, and --require says that nothing of it may be\n", t.color(red, "REQUIRED"), suite.Printable(area.Area), area.Count)
	}
	if len(areas) > 0 {
		t.print("\n")
	}
}

// Partial says why a record is not that of a complete run of all cases of the tree, which is at the
// folder; "" where it is.
func (r *Record) Partial(tree []suite.Case, folder string) string {
	there := map[string]bool{}
	for i := range r.Runs {
		there[r.Runs[i].ID] = true
	}
	all := len(there) == len(tree)
	for i := range tree {
		all = all && there[tree[i].ID]
	}
	selection := r.Selection.String()
	switch {
	case r.Interrupted:
		return "the run was interrupted"
	case r.Broken != "":
		return "the run broke off: " + suite.Printable(r.Broken)
	case r.Totals.NotRun > 0:
		return fmt.Sprintf("%d cases were not run", r.Totals.NotRun)
	case selection != "":
		return "the run was of " + selection + " only"
	case r.Shard != nil:
		return fmt.Sprintf("the record is of shard %d/%d only; conform merge joins shards", r.Shard.Index, r.Shard.Total)
	case r.Fixtures != folder:
		return fmt.Sprintf("the record is of the fixtures %s, not of %s", suite.Quote(r.Fixtures), suite.Quote(folder))
	case !all:
		return "the record is of other cases: run them again"
	default:
		return ""
	}
}

// KnownResults returns what came of each run, before any ledger had its say.
func (r *Record) KnownResults() []suite.KnownResult {
	results := make([]suite.KnownResult, len(r.Runs))
	for i := range r.Runs {
		run := &r.Runs[i]
		verdict := run.Verdict
		switch {
		case verdict == suite.UnexpectedPass:
			verdict = suite.Passed
		case verdict == suite.ExpectedFailure && run.Failure != nil:
			verdict = suite.Errored
		case verdict == suite.ExpectedFailure:
			verdict = suite.Failed
		}
		results[i] = suite.KnownResult{Case: run.ID, Profile: run.Profile, Verdict: verdict, Detail: run.detail()}
	}
	return results
}

// detail is what a run says under the case, without standard error.
func (r *Run) detail() string {
	judgement := suite.Judgement{Reason: r.Reason, Differences: r.Differences, LeftOut: r.LeftOut}
	if r.Failure != nil {
		judgement.Failure = &adapter.Failure{Kind: adapter.FailureKind(r.Failure.Kind)}
	}
	return judgement.Detail()
}
