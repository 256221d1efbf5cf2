package suite

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
)

// mostSpecs is the number of runs up to which each is a spec of its own. A spec costs more than
// the case that it asserts on, so beyond it one spec asserts on all runs of a case file.
const mostSpecs = 5000

// Describe registers the runs as Ginkgo specs: a container for each area, a spec for each run, with
// profile, level, tags and method as labels and its place in fixtures/ as code location. The specs
// assert on outcomes that Gather has gathered, in the same order; they call nothing themselves,
// because Ginkgo runs one spec at a time. Collect is called with each judgement as its spec ends.
func Describe(runs []Run, outcomes []*adapter.Outcome, collect func(run int, judgement Judgement)) {
	ginkgo.ReportAfterEach(func(report ginkgo.SpecReport) {
		for _, entry := range report.ReportEntries {
			if judged, ok := entry.GetRawValue().(judgedRun); ok {
				collect(judged.run, judged.judgement)
			}
		}
	})
	for _, area := range groups(runs, func(run *Run) string { return run.Case.Area() }) {
		ginkgo.Describe(area.name, types.NewCustomCodeLocation("fixtures/"+area.name), func() {
			if len(runs) <= mostSpecs {
				describeRuns(runs, outcomes, area)
			} else {
				describeFiles(runs, outcomes, area)
			}
		})
	}
}

// group is a stretch of neighbouring runs with one name: runs[start:end].
type group struct {
	name       string
	start, end int
}

func groups(runs []Run, name func(*Run) string) []group {
	found := []group{}
	for i := range runs {
		if last := len(found) - 1; last < 0 || found[last].name != name(&runs[i]) {
			found = append(found, group{name(&runs[i]), i, i})
		}
		found[len(found)-1].end = i + 1
	}
	return found
}

func describeRuns(runs []Run, outcomes []*adapter.Outcome, area group) {
	for i := area.start; i < area.end; i++ {
		run := &runs[i]
		location := types.NewCustomCodeLocation(run.Case.Location())
		text := strings.TrimPrefix(run.Name(), run.Case.Area()+"/") + ": " + run.Case.Title
		ginkgo.It(text, labels(run), location, func() {
			judgement := judgeRun(run, outcomes[i])
			record(i, judgement, location)
			if judgement.Verdict == Skipped || judgement.Verdict == NotRun {
				ginkgo.Skip(judgement.String())
			}
			gomega.NewGomega(ginkgo.Fail).Expect(judgement).To(Conform(run.Case))
		})
	}
}

func describeFiles(runs []Run, outcomes []*adapter.Outcome, area group) {
	for _, file := range groups(runs[area.start:area.end], func(run *Run) string { return run.Case.File }) {
		location := types.NewCustomCodeLocation("fixtures/" + file.name)
		ginkgo.It(file.name, location, func() {
			failures := []string{}
			all := gomega.NewGomega(func(message string, _ ...int) { failures = append(failures, message) })
			for i := area.start + file.start; i < area.start+file.end; i++ {
				judgement := judgeRun(&runs[i], outcomes[i])
				record(i, judgement, location)
				if judgement.Verdict != Skipped && judgement.Verdict != NotRun {
					all.Expect(judgement).To(Conform(runs[i].Case))
				}
			}
			if len(failures) > 0 {
				ginkgo.Fail(strings.Join(failures, "\n\n"))
			}
		})
	}
}

func judgeRun(run *Run, outcome *adapter.Outcome) Judgement {
	switch {
	case run.Skip != nil:
		return Judgement{Verdict: Skipped, Skip: run.Skip}
	case outcome == nil:
		return Judgement{Verdict: NotRun}
	default:
		return Judge(run.Case, *outcome)
	}
}

// judgedRun is the value of the report entry of each run.
type judgedRun struct {
	run       int
	judgement Judgement
}

func record(run int, judgement Judgement, location types.CodeLocation) {
	ginkgo.AddReportEntry("judgement", judgedRun{run, judgement}, location, types.ReportEntryVisibilityNever)
}

// labels are the profile, level, tags and method of a run. Ginkgo's label filters give the slash
// a meaning of its own, so it becomes a dot.
func labels(run *Run) ginkgo.Labels {
	names := append([]string{run.Profile, string(run.Case.Level), run.Case.Method}, run.Case.Tags...)
	for i, name := range names {
		names[i] = strings.ReplaceAll(name, "/", ".")
	}
	return names
}

// Assert runs the specs of the runs in this process and returns a judgement for each run. Ginkgo
// prints nothing. It can be called once in a process, which is as often as Ginkgo runs in one.
//
// Ginkgo takes over SIGINT and SIGTERM while it runs: the specs that are left are then NotRun. It
// never gives the signals back, so Assert does: after it they end the process.
func Assert(runs []Run, outcomes []*adapter.Outcome, seed int64) []Judgement {
	judgements := make([]Judgement, len(runs))
	for i := range judgements {
		judgements[i].Verdict = NotRun
	}
	Describe(runs, outcomes, func(run int, judgement Judgement) { judgements[run] = judgement })
	formatter.ColorableStdOut = io.Discard
	suiteConfig, reporterConfig := ginkgo.GinkgoConfiguration()
	suiteConfig.RandomSeed = seed
	reporterConfig.Succinct = true
	reporterConfig.NoColor = true
	ginkgo.RunSpecs(verdictsTell{}, "conform", suiteConfig, reporterConfig)
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	return judgements
}

// verdictsTell stands in for *testing.T where the judgements say what failed.
type verdictsTell struct{}

// Fail implements ginkgo.GinkgoTestingT.
func (verdictsTell) Fail() {}
