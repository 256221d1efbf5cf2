package suite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
)

// Options says what to run against which adapter.
type Options struct {
	Cases     []Case // the selected ones
	Selection Selection
	Shard     Shard  // which of the cases
	Known     *Known // the known failures; nil: none
	Adapter   adapter.Config
	Seed      int64                 // of the order of specs
	Progress  func(done, total int) // nil: nobody looks
}

// Execution is a run of the suite against an adapter.
type Execution struct {
	Handshake   protocol.InitializeResult
	Runs        []Run
	Judgements  []Judgement // one for each run
	Standings   []Standing  // one for each entry of the ledger
	Findings    []Finding
	Duration    time.Duration // of the calls together, with the end of the processes
	Interrupted bool          // the context ended before the calls
	Broken      error         // why the adapter was given up before the end
}

// Finding is something wrong with the adapter that no run can be charged with.
type Finding struct {
	adapter.Finding
	Run *Run // the run that it is about; nil: none
}

// Execute starts the adapter, calls it for every run of the plan, ends it and judges the outcomes.
// An error means that no call was made, and is an *adapter.StartError where the adapter could not
// be started; what goes wrong later is in the Execution. See Assert for why it can be called once in
// a process.
func Execute(ctx context.Context, options Options) (Execution, error) {
	if _, err := os.Getwd(); err != nil { // Ginkgo would end the process with the status of a failed run
		return Execution{}, fmt.Errorf("no working directory: %w", err)
	}
	pool, handshake, err := adapter.Start(ctx, options.Adapter)
	if err != nil {
		return Execution{}, err
	}
	execution := Execution{Handshake: handshake, Runs: Plan(options.Shard.Take(options.Cases), options.Selection, handshake)}
	start := time.Now()
	outcomes, err := Gather(ctx, pool.Run, execution.Runs, options.Progress)
	pool.Close()
	execution.Duration = time.Since(start)
	if execution.Interrupted = ctx.Err() != nil; !execution.Interrupted {
		execution.Broken = err
	}
	sent := toSend(execution.Runs)
	for _, found := range pool.Findings() {
		finding := Finding{Finding: found}
		if found.Index >= 0 {
			finding.Run = &execution.Runs[sent[found.Index]]
		}
		execution.Findings = append(execution.Findings, finding)
	}
	execution.Judgements = Assert(execution.Runs, outcomes, options.Seed)
	if ctx.Err() != nil { // it may have ended while the specs ran
		execution.Interrupted = execution.Interrupted || slices.ContainsFunc(execution.Judgements, func(j Judgement) bool { return j.Verdict == NotRun })
	}
	if options.Known != nil {
		execution.Standings = options.Known.standings(handshake)
		options.Known.apply(execution.Standings, execution.Runs, execution.Judgements)
	}
	return execution, nil
}

// Replay calls the adapter for one run alone and judges the outcome.
func Replay(ctx context.Context, c *Case, selection Selection, config adapter.Config) (Replayed, error) {
	pool, handshake, err := adapter.Start(ctx, config)
	if err != nil {
		return Replayed{}, err
	}
	defer pool.Close()
	replayed := Replayed{Handshake: handshake, Runs: Plan([]Case{*c}, selection, handshake)}
	for i := range replayed.Runs {
		run := &replayed.Runs[i]
		var outcome *adapter.Outcome
		if run.Skip == nil {
			done := pool.Do(ctx, run.Call())
			outcome = &done
		}
		replayed.Outcomes = append(replayed.Outcomes, outcome)
		replayed.Judgements = append(replayed.Judgements, judgeRun(run, outcome))
	}
	return replayed, nil
}

// Replayed is what came of one case: a run for each profile.
type Replayed struct {
	Handshake  protocol.InitializeResult
	Runs       []Run
	Outcomes   []*adapter.Outcome // nil: nothing was sent
	Judgements []Judgement
}
