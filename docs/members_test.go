package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// givenCase is as much of a case of fixtures as names members.
type givenCase struct {
	ID           string         `json:"id"`
	Method       string         `json:"method"`
	Params       map[string]any `json:"params"`
	Error        any            `json:"error"`
	Requirements []string       `json:"requirements"`
}

// Whoever writes an adapter reads protocol.md alone: a member that cases use and the page does not
// name cannot be implemented. Names stand as code, in the part of the page that is about them.
func TestMembersOfCasesStandInTheProtocol(t *testing.T) {
	page := pagesOfFolder(t)["protocol.md"]
	methods, sections := between(t, page, "## Methods\n"), between(t, page, "## Sections of the world state\n")
	profile := between(t, page, "## The profile `model-visible/2026-03`\n")
	used := 0
	for _, c := range everyCase(t) {
		check := func(name, where, text string) {
			t.Helper()
			used++
			if !codeWords(text)[name] {
				t.Errorf("%s: %s has the member %q, which protocol.md does not name there", c.ID, where, name)
			}
		}
		for name := range c.Params {
			check(name, c.Method, rowOf(methods, c.Method))
		}
		switch c.Method {
		case "context/initial":
			for _, contribution := range objects(c.Params["contributions"]) {
				for name := range contribution {
					check(name, "a contribution", rowOf(methods, c.Method))
				}
			}
		case "turnstate/build":
			for _, part := range []string{"current", "params"} {
				for name := range members(c.Params[part]) {
					check(name, part+" of a turn", profile)
				}
			}
		case "worldstate/diff":
			for _, section := range objects(c.Params["sections"]) {
				id, _ := section["id"].(string)
				_, declared := section["fragment"]
				for name := range section {
					check(name, "a section", sections)
				}
				if row := rowOf(sections, id); row != "" && !declared {
					for name := range members(section["current"]) {
						check(name, "the section "+id, row)
					}
					for name := range members(members(section["current"])["derive"]) {
						check(name, "derive", rowOf(sections, "derive"))
					}
					for name := range members(section["notices"]) {
						check(name, "notices", sections)
					}
				} else if !declared && c.Error == nil {
					t.Errorf("%s: protocol.md has no row for the section %q", c.ID, id)
				}
			}
		}
	}
	if used < 5000 {
		t.Errorf("only %d members were looked up: are the cases read?", used)
	}
}

// holdsUnknown reports whether a case holds members that nobody knows, there to be ignored: it cites
// PRO-5, or is the one that shows it by the way.
func holdsUnknown(c givenCase) bool {
	return slices.Contains(c.Requirements, "PRO-5") || c.ID == "initial-context/contribution-null-kind"
}

// everyCase returns the cases but those that hold unknown members.
func everyCase(t *testing.T) (all []givenCase) {
	t.Helper()
	names, err := filepath.Glob("../fixtures/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Cases []givenCase `json:"cases"`
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, slices.DeleteFunc(file.Cases, holdsUnknown)...)
	}
	return all
}

// between returns what stands from a heading of the second level to the next.
func between(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, heading)
	if !ok {
		t.Fatalf("protocol.md has no %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// rowOf returns the row of a table whose first cell names the member, "" where there is none.
func rowOf(text, name string) string {
	for row := range strings.Lines(text) {
		cells := strings.SplitN(row, " | ", 2)
		if len(cells) == 2 && strings.HasPrefix(row, "| ") && strings.Contains(cells[0], fmt.Sprintf("`%s`", name)) {
			return cells[1]
		}
	}
	return ""
}

var (
	code = regexp.MustCompile("`[^`]+`")
	word = regexp.MustCompile(`[A-Za-z_]+`)
)

// codeWords returns the names that stand in code.
func codeWords(text string) map[string]bool {
	words := map[string]bool{}
	for _, span := range code.FindAllString(text, -1) {
		for _, name := range word.FindAllString(span, -1) {
			words[name] = true
		}
	}
	return words
}

func members(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func objects(v any) (all []map[string]any) {
	list, _ := v.([]any)
	for _, element := range list {
		if m := members(element); m != nil {
			all = append(all, m)
		}
	}
	return all
}
