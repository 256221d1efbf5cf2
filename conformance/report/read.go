package report

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/contextfragments/conform/conformance/suite"
)

// verdicts are all that a run may have.
var verdicts = []suite.Verdict{
	suite.Passed, suite.Failed, suite.Errored, suite.Skipped, suite.NotRun,
	suite.ExpectedFailure, suite.UnexpectedPass,
}

// Read reads a record as JSON writes it. Members that it does not know are left out: they may have
// been added since. What is counted is counted anew, so that the numbers are those of the runs.
func Read(data []byte) (*Record, error) {
	var format struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return nil, fmt.Errorf("not a record of a run: %w", err)
	}
	if format.Format != Format {
		return nil, fmt.Errorf("not a record of a run: its format is %s, want %s", suite.Quote(format.Format), suite.Quote(Format))
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("not a record of a run: %w", err)
	}
	seen := map[runKey]bool{}
	for i := range r.Runs {
		run := &r.Runs[i]
		switch {
		case seen[run.key()]:
			return nil, fmt.Errorf("%s is there twice", suite.Printable(run.Name()))
		case !slices.Contains(verdicts, run.Verdict):
			return nil, fmt.Errorf("%s has the unknown verdict %s", suite.Printable(run.Name()), suite.Quote(string(run.Verdict)))
		case run.Verdict == suite.Skipped && run.Skip == nil:
			return nil, fmt.Errorf("%s is skipped without a reason", suite.Printable(run.Name()))
		}
		seen[run.key()] = true
	}
	if s := r.Shard; s != nil {
		if s.Total < 1 || s.Index < 1 || s.Index > s.Total || len(s.Positions) != len(r.Runs) {
			return nil, fmt.Errorf("its shard %d/%d with %d positions of %d runs makes no sense", s.Index, s.Total, len(s.Positions), len(r.Runs))
		}
		for i := range r.Runs {
			if !(suite.Shard{Index: s.Index, Total: s.Total}).Has(r.Runs[i].ID) || s.Positions[i] < 0 || s.Positions[i] >= s.Cases {
				return nil, fmt.Errorf("%s does not belong to shard %d/%d", suite.Printable(r.Runs[i].Name()), s.Index, s.Total)
			}
		}
	}
	r.settle()
	return r, nil
}

// runKey is what no two runs of a record share.
type runKey struct{ id, profile string }

func (r *Run) key() runKey { return runKey{r.ID, r.Profile} }
