// Package property states laws: what must hold for every input, whatever the implementation. Each
// law has a number, the requirements it follows from, and generators that make a counterexample
// smaller before it is shown.
//
// The laws need no expected values, so they find what no case has thought of. They run on any
// protocol.Implementation: on the reference in `go test`, on an adapter through the same wire as
// the suite.
package property

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// Law is one statement about an implementation.
type Law struct {
	// ID is stable: LAW-1, LAW-2, …
	ID string
	// Name is the law in a few words, Statement in full.
	Name, Statement string
	// Requirements are the rules that the law follows from.
	Requirements []string
	// Methods are those that the law calls.
	Methods []string

	check func(caller) (gopter.Prop, func(input any) error)
}

// newLaw binds a statement to its inputs. Holds returns an error that says what is wrong with one
// input, nil where the law holds for it.
func newLaw[T any](id, name, statement string, requirements, methods []string, inputs domain[T], holds func(c caller, input T) error) Law {
	return Law{id, name, statement, requirements, methods, func(c caller) (gopter.Prop, func(any) error) {
		one := func(input any) error {
			*c.calls = nil // only the calls of this input are worth showing
			return holds(c, input.(T))
		}
		condition := func(input T) *gopter.PropResult {
			if err := one(input); err != nil {
				return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{err.Error()}}
			}
			return &gopter.PropResult{Status: gopter.PropTrue}
		}
		return prop.ForAll(condition, inputs.gen()), one
	}}
}

// Options of a run.
type Options struct {
	// Seed decides every input, together with the law's id: a law draws the same inputs whichever
	// others run.
	Seed int64
	// Profile is put into every request; "" leaves it to the implementation, which takes its first.
	Profile string
	// Inputs is how many are tried a law; 0 means 200.
	Inputs int
	// Methods are those that the implementation declares; a law that needs another is not run. Nil
	// means all.
	Methods []string
}

// Result says how a law fared.
type Result struct {
	Law Law
	// Missing is the method for whose lack the law was not run, "" where it was.
	Missing string
	// Profile is put into every request; "" leaves it to the implementation, which takes its first.
	Profile string
	// Inputs is how many inputs were tried.
	Inputs int
	// Failure says what the smallest counterexample found does wrong; nil where the law held.
	Failure error
	// Calls are the requests of that counterexample, in order, and their answers.
	Calls []Exchange
}

// Exchange is one request and its answer as JSON.
type Exchange struct {
	Method string
	Params jsonvalue.Value
	Answer string // the result, or the error in words
}

// Check runs the laws on an implementation, in order. It stops early, without the laws that are
// left, when ctx ends.
func Check(ctx context.Context, implementation protocol.Implementation, laws []Law, options Options) []Result {
	var results []Result
	for _, law := range laws {
		if ctx.Err() != nil {
			break
		}
		results = append(results, checkOne(ctx, implementation, law, options))
	}
	return results
}

func checkOne(ctx context.Context, implementation protocol.Implementation, law Law, options Options) Result {
	for _, method := range law.Methods {
		if options.Methods != nil && !slices.Contains(options.Methods, method) {
			return Result{Law: law, Missing: method}
		}
	}
	parameters := gopter.DefaultTestParametersWithSeed(seedOf(options.Seed, law.ID))
	parameters.MinSuccessfulTests = options.Inputs
	if options.Inputs == 0 {
		parameters.MinSuccessfulTests = 200
	}
	var calls []Exchange
	c := caller{ctx, implementation, options.Profile, &calls}
	property, one := law.check(c)
	properties := gopter.NewProperties(parameters)
	properties.Property(law.ID, property)
	outcome := &outcome{}
	properties.Run(outcome)

	result := Result{Law: law, Inputs: outcome.Succeeded}
	switch {
	case outcome.Passed():
	case len(outcome.Args) == 1:
		// gopter evaluates candidates after the smallest failing one: run that one again, alone,
		// to show what it does.
		if result.Failure = one(outcome.Args[0].Arg); result.Failure == nil {
			result.Failure = fmt.Errorf("failed once, then held for the same input: the answers depend on something else than the request (%v)", outcome.Labels)
		}
		result.Calls = calls
	case outcome.Error != nil:
		result.Failure = outcome.Error
	default:
		result.Failure = errors.New("gave up: the generator found no inputs")
	}
	return result
}

// outcome implements gopter.Reporter by keeping the result instead of printing it.
type outcome struct{ gopter.TestResult }

// ReportTestResult implements gopter.Reporter.
func (o *outcome) ReportTestResult(_ string, result *gopter.TestResult) { o.TestResult = *result }

func seedOf(seed int64, id string) int64 {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d %s", seed, id)
	return int64(hash.Sum64() >> 1)
}

// caller makes calls and remembers them for the report.
type caller struct {
	ctx            context.Context
	implementation protocol.Implementation
	profile        string
	calls          *[]Exchange
}

// call makes one call. An error of any kind is a failure of the law: its inputs are valid.
func (c caller) call(method string, params ...jsonvalue.Member) (jsonvalue.Value, error) {
	if c.profile != "" {
		params = append([]jsonvalue.Member{jsonvalue.Field("profile", jsonvalue.OfString(c.profile))}, params...)
	}
	object := jsonvalue.OfObject(params...)
	raw, err := c.implementation.Call(c.ctx, method, object)
	exchange := Exchange{Method: method, Params: object, Answer: string(raw)}
	var result jsonvalue.Value
	if err == nil {
		result, err = jsonvalue.Parse(raw)
	}
	if err != nil {
		exchange.Answer = err.Error()
		err = fmt.Errorf("%s: %w", method, err)
	}
	*c.calls = append(*c.calls, exchange)
	return result, err
}
