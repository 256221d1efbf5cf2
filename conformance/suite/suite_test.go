package suite_test

import (
	"os"
	"testing"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/fixtures"
	"github.com/contextfragments/conform/reference/serve"
	"github.com/go-json-experiment/json"
	"github.com/onsi/ginkgo/v2"
	"golang.org/x/term"
)

// TestReference runs the suite on the reference in this process, as Ginkgo specs: one for each
// case, selectable with -ginkgo.focus and -ginkgo.label-filter.
func TestReference(t *testing.T) {
	cases, err := suite.Load(fixtures.Files)
	if err != nil {
		t.Fatal(err)
	}
	var reference serve.Reference
	answer, err := reference.Call(t.Context(), protocol.Initialize, protocol.InitializeParams{
		ProtocolVersion: protocol.Version,
		Runner:          protocol.Runner{Name: "conform", Version: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var declared protocol.InitializeResult
	if err := json.Unmarshal(answer, &declared); err != nil {
		t.Fatal(err)
	}
	runs := suite.Plan(cases, suite.Selection{}, declared)
	outcomes, err := suite.Gather(t.Context(), suite.InProcess(reference), runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	judged := map[suite.Verdict]int{}
	suite.Describe(runs, outcomes, func(_ int, judgement suite.Judgement) { judged[judgement.Verdict]++ })
	_, reporter := ginkgo.GinkgoConfiguration()
	reporter.NoColor = reporter.NoColor || !term.IsTerminal(int(os.Stdout.Fd())) || os.Getenv("NO_COLOR") != ""
	ginkgo.RunSpecs(t, "conform", reporter)
	if judged[suite.Passed] == 0 {
		t.Errorf("nothing passed: %v", judged)
	}
}
