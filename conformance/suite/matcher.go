package suite

import (
	"fmt"
	"strings"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/onsi/gomega/types"
)

// Conform is a Gomega matcher: an adapter.Outcome or a Judgement conforms to the case when it
// passes. The failure message is the case and the smallest readable difference.
func Conform(c *Case) types.GomegaMatcher { return &conformMatcher{expected: c} }

type conformMatcher struct {
	expected  *Case
	judgement Judgement
}

// Match implements types.GomegaMatcher.
func (m *conformMatcher) Match(actual any) (bool, error) {
	switch actual := actual.(type) {
	case adapter.Outcome:
		m.judgement = Judge(m.expected, actual)
	case Judgement:
		m.judgement = actual
	default:
		return false, fmt.Errorf("Conform matches an adapter.Outcome or a Judgement, got %T", actual)
	}
	return m.judgement.Verdict == Passed, nil
}

// FailureMessage implements types.GomegaMatcher.
func (m *conformMatcher) FailureMessage(any) string {
	c := m.expected
	return fmt.Sprintf("%s: %s\n%s (%s)\nwhy: %s\n%s", c.ID, m.judgement.Verdict, c.Title, strings.Join(c.Requirements, ", "), c.Why, m.judgement)
}

// NegatedFailureMessage implements types.GomegaMatcher.
func (m *conformMatcher) NegatedFailureMessage(any) string {
	return fmt.Sprintf("%s: conforms, and must not", m.expected.ID)
}

// mostDifferences is how many differences of one answer are worth reading.
const mostDifferences = 5

// String renders what led to the verdict, for a person: the reason or the differences.
func (j Judgement) String() string {
	lines := []string{}
	if j.Skip != nil {
		lines = append(lines, j.Skip.String())
	}
	if j.Reason != "" {
		lines = append(lines, Printable(j.Reason))
	}
	for _, d := range j.Differences[:min(mostDifferences, len(j.Differences))] {
		lines = append(lines, d.String())
	}
	if more := len(j.Differences) - mostDifferences; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more differences", more))
	}
	for _, path := range j.LeftOut {
		lines = append(lines, path+": not shown by the implementation, not compared")
	}
	return strings.Join(lines, "\n")
}
