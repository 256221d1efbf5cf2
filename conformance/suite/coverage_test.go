package suite

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/contextfragments/conform/docs"
	"github.com/contextfragments/conform/fixtures"
)

// Every requirement is cited by a case, or docs/coverage.md says why it is not; never both.
func TestEveryRequirementHasACaseOrAReason(t *testing.T) {
	page, err := os.ReadFile("../../docs/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lists, _ := strings.Cut(string(page), "\n**") // what stands before is prose
	excused := map[string]bool{}
	for _, line := range strings.Split(lines(lists), "\n") {
		for _, id := range regexp.MustCompile(`[A-Z]+-\d+`).FindAllString(line, -1) {
			excused[id] = true
		}
	}
	cases, err := Load(fixtures.Files)
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, c := range cases {
		for _, id := range c.Requirements {
			cited[id] = true
		}
	}
	known := map[string]bool{}
	for _, rule := range docs.Requirements() {
		known[rule.ID] = true
		switch {
		case !cited[rule.ID] && !excused[rule.ID]:
			t.Errorf("%s has no case, and docs/coverage.md does not say why", rule.ID)
		case cited[rule.ID] && excused[rule.ID]:
			t.Errorf("%s has a case, and docs/coverage.md says that it has none", rule.ID)
		}
	}
	for id := range excused {
		if !known[id] {
			t.Errorf("docs/coverage.md names %s, which is no requirement", id)
		}
	}
	for id := range cited {
		if !known[id] {
			t.Errorf("a case cites %s, which is no requirement", id)
		}
	}
}

// lines keeps the lines of a page that are lists of ids and nothing else.
func lines(page string) string {
	var kept []string
	for _, line := range strings.Split(page, "\n") {
		if regexp.MustCompile(`^([A-Z]+-\d+(, |,$|$))+$`).MatchString(line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
