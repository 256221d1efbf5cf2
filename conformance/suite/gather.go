package suite

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

// Send carries calls to an implementation and hands each outcome to done with the index of its
// call, in any order and one at a time. (*adapter.Pool).Run is one. An error means that the
// calls without an outcome were not made.
type Send func(ctx context.Context, calls []adapter.Call, done func(index int, outcome adapter.Outcome)) error

// Gather sends the runs and returns one outcome for each run, in order: nil where nothing was sent,
// because the run is skipped or the sender gave up. Progress, if any, is called after each
// outcome with the number of outcomes so far and in all.
func Gather(ctx context.Context, send Send, runs []Run, progress func(done, total int)) ([]*adapter.Outcome, error) {
	outcomes := make([]*adapter.Outcome, len(runs))
	sent := toSend(runs)
	if len(sent) == 0 {
		return outcomes, nil
	}
	calls := make([]adapter.Call, len(sent))
	for i, run := range sent {
		calls[i] = runs[run].Call()
	}
	finished := 0
	err := send(ctx, calls, func(index int, outcome adapter.Outcome) {
		outcomes[sent[index]] = &outcome
		finished++
		if progress != nil {
			progress(finished, len(calls))
		}
	})
	return outcomes, err
}

// toSend returns the indices of the runs that are sent, in order.
func toSend(runs []Run) []int {
	indices := make([]int, 0, len(runs))
	for i := range runs {
		if runs[i].Skip == nil {
			indices = append(indices, i)
		}
	}
	return indices
}

// Call is what is sent for the run.
func (r *Run) Call() adapter.Call {
	params := r.Case.Params
	if r.WithProfile {
		params = withProfile(params, r.Profile)
	}
	return adapter.Call{Method: r.Case.Method, Params: params}
}

// withProfile puts the profile in front of the members of params.
func withProfile(params jsontext.Value, profile string) jsontext.Value {
	member, _ := jsontext.AppendQuote([]byte(`{"profile":`), profile)
	rest := bytes.TrimLeft(params[1:], " \t\r\n")
	if len(rest) > 1 { // more than the closing brace
		member = append(member, ',')
	}
	return append(member, rest...)
}

// InProcess sends to an implementation in this process, one call at a time.
func InProcess(implementation protocol.Implementation) Send {
	return func(ctx context.Context, calls []adapter.Call, done func(index int, outcome adapter.Outcome)) error {
		for i, call := range calls {
			if err := ctx.Err(); err != nil {
				return err
			}
			start := time.Now()
			result, err := implementation.Call(ctx, call.Method, call.Params)
			outcome := adapter.Outcome{Result: result, Duration: time.Since(start)}
			if err != nil && !errors.As(err, &outcome.Err) {
				return err
			}
			done(i, outcome)
		}
		return nil
	}
}
