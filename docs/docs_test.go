package docs

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// permanent lists every number that was ever given. Cases, reports and other people's issues cite
// them: a range may grow at its end, and no number may vanish or come to mean something else.
var permanent = map[string][][2]int{
	"DET": {{1, 38}, {50, 58}, {62, 66}, {70, 77}, {80, 89}, {100, 107}, {110, 117}, {120, 122}, {130, 133}, {140, 144}, {150, 157}, {160, 165}, {167, 174}},
	"DEV": {{1, 33}},
	"DIS": {{1, 17}},
	"ERA": {{1, 3}},
	"HIS": {{1, 25}},
	"INI": {{1, 19}},
	"LIF": {{1, 33}},
	"MRG": {{1, 22}},
	"PRO": {{1, 37}},
	"REG": {{1, 38}},
	"ROL": {{1, 25}},
	"WLD": {{1, 57}},
}

func TestEveryRequirementIsThereOnce(t *testing.T) {
	want := map[string]bool{}
	for prefix, ranges := range permanent {
		for _, r := range ranges {
			for n := r[0]; n <= r[1]; n++ {
				want[fmt.Sprintf("%s-%d", prefix, n)] = true
			}
		}
	}
	for _, rule := range Requirements() {
		if !want[rule.ID] {
			t.Errorf("%s:%d: %s is twice, or is not in the list of permanent numbers", rule.Chapter, rule.Line, rule.ID)
		}
		delete(want, rule.ID)
	}
	for id := range want {
		t.Errorf("%s is missing", id)
	}
}

// pagesOfFolder returns every Markdown page of this folder, embedded or not.
func pagesOfFolder(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "spec/*.md"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	if len(texts) < 20 {
		t.Fatalf("only %d pages: is the test run in its folder?", len(texts))
	}
	return texts
}

var (
	reference = regexp.MustCompile(`\b[A-Z]{3}-[0-9]+\b`)
	standards = map[string]bool{"UTF-8": true, "UTF-16": true, "SHA-1": true} // look like an id and are none
	link      = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

func TestEveryReferenceLeadsSomewhere(t *testing.T) {
	for name, text := range pagesOfFolder(t) {
		for _, id := range reference.FindAllString(text, -1) {
			if _, ok := Requirement(id); !ok && !standards[id] {
				t.Errorf("%s: %s is no requirement", name, id)
			}
		}
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(path.Join(path.Dir(name), match[1])); err != nil {
				t.Errorf("%s: dead link: %v", name, err)
			}
		}
	}
}

// A chapter opens with a title, says in a paragraph why it matters, shows an example before its
// first requirement, and closes with what readers get wrong.
func TestChaptersHaveTheirForm(t *testing.T) {
	all := pagesOfFolder(t)
	number := 0
	entries, err := os.ReadDir("spec")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		number++
		text := all["spec/"+entry.Name()]
		if want := fmt.Sprintf("%02d-", number); !strings.HasPrefix(entry.Name(), want) {
			t.Errorf("%s: want the file to start with %s", entry.Name(), want)
		}
		if want := fmt.Sprintf("# %d. ", number); !strings.HasPrefix(text, want) {
			t.Errorf("%s: want a title that starts with %q", entry.Name(), want)
		}
		opening, _, numbered := strings.Cut(text, "\n- **")
		paragraphs := strings.Split(opening, "\n\n")
		if !numbered || len(paragraphs) < 3 || len(paragraphs[1]) < 100 || !strings.Contains(opening, "\n```") {
			t.Errorf("%s: want a paragraph and an example before the first requirement", entry.Name())
		}
		_, mistakes, _ := strings.Cut(text, "\n## Common mistakes\n\n- ")
		if mistakes == "" || strings.Contains(mistakes, "\n#") {
			t.Errorf("%s: want a list of common mistakes at the end", entry.Name())
		}
		if !strings.Contains(all["README.md"], "(spec/"+entry.Name()+")") {
			t.Errorf("%s: not in the index README.md", entry.Name())
		}
	}
}

func TestRequirementIsFoundByID(t *testing.T) {
	text, ok := Requirement("DET-8")
	if !ok || !strings.HasPrefix(text, "A start marker that begins with white space") {
		t.Errorf("Requirement(DET-8) = %q, %v", text, ok)
	}
	for _, id := range []string{"", "DET", "DET-", "DET-08", "det-8", "DET-999", "DET-8 "} {
		if text, ok := Requirement(id); ok || text != "" {
			t.Errorf("Requirement(%q) = %q, %v, want nothing", id, text, ok)
		}
	}
}

func TestRequirementsAreInReadingOrderAndTheCallersOwn(t *testing.T) {
	all := Requirements()
	if first, last := all[0].Chapter, all[len(all)-1].Chapter; first != "spec/01-shapes-and-markers.md" || last != "protocol.md" {
		t.Errorf("first page %s, last page %s", first, last)
	}
	for i, rule := range all[1:] {
		if before := all[i]; rule.Chapter == before.Chapter && rule.Line <= before.Line {
			t.Errorf("%s is at line %d, after %s at line %d", rule.ID, rule.Line, before.ID, before.Line)
		}
	}
	id := all[0].ID
	all[0] = Rule{}
	if got := Requirements()[0].ID; got != id {
		t.Errorf("a caller's change came through: %q", got)
	}
}

func TestRequirementPointsAtItsLine(t *testing.T) {
	texts := pagesOfFolder(t)
	for _, rule := range Requirements() {
		line := strings.Split(texts[rule.Chapter], "\n")[rule.Line-1]
		if !strings.HasPrefix(line, "- **"+rule.ID+"** ") {
			t.Errorf("%s:%d is %q, want the start of %s", rule.Chapter, rule.Line, line, rule.ID)
		}
	}
}

func TestParseJoinsWrappedLinesAndKeepsNestedLists(t *testing.T) {
	page := strings.Join([]string{
		"# Title", "", "- **DET-1** One", "  line `a  b`.", "  - first", "    wrapped", "  - second",
		"- **DET-2** Two.", "", "- no requirement", "  of ours", "", "```", "- **DET-3** an example ", "```", "After.",
	}, "\n")
	got, err := parsePage("p.md", strings.NewReader(page))
	want := "[{DET-1 One line `a  b`.\n- first wrapped\n- second p.md 3} {DET-2 Two. p.md 8}]"
	if err != nil || fmt.Sprint(got) != want {
		t.Errorf("got  %v, %v\nwant %s", got, err, want)
	}
}

func TestParseRefusesARequirementThatIsThereTwice(t *testing.T) {
	for _, pages := range []fstest.MapFS{
		{"spec/1.md": {Data: []byte("- **DET-1** a\n- **DET-2** b\n- **DET-1** c")}, "protocol.md": {}},
		{"spec/1.md": {Data: []byte("- **DET-1** a")}, "spec/2.md": {Data: []byte("\n\n- **DET-1** a")}, "protocol.md": {}},
		{"spec/1.md": {Data: []byte("- **DET-1** a")}, "protocol.md": {Data: []byte("- **DET-1** a")}},
	} {
		if rules, err := parseAll(pages); err == nil || !strings.Contains(err.Error(), "DET-1 is already at spec/1.md:1") {
			t.Errorf("got %v, %v", rules, err)
		}
	}
}

func TestParseRefusesWhatItMightLose(t *testing.T) {
	for page, want := range map[string]string{
		"- **DET-1**":                          "p.md:1: not a well-formed requirement",
		"- **DET-1**text":                      "p.md:1: not a well-formed requirement",
		"- **DET-01** text":                    "p.md:1: not a well-formed requirement",
		"- **DET-0** text":                     "p.md:1: not a well-formed requirement",
		"- **det-1** text":                     "p.md:1: not a well-formed requirement",
		"- **DETA-1** text":                    "p.md:1: not a well-formed requirement",
		"- **DET1** text":                      "p.md:1: not a well-formed requirement",
		"\n* **DET-1** text":                   "p.md:2: a bold requirement id",
		"  - **DET-1** text":                   "p.md:1: a bold requirement id",
		"-  **DET-1** text":                    "p.md:1: a bold requirement id",
		"Text **DET-1** text":                  "p.md:1: a bold requirement id",
		"- **DET-1** text **DET-2** text":      "p.md:1: a bold requirement id",
		"- **DET-1** text\nmore":               "p.md:2: a requirement goes on with two blanks",
		"- **DET-1** text\n more":              "p.md:2: a requirement goes on with two blanks",
		"- **DET-1** text\n\tmore":             "p.md:2: a requirement goes on with two blanks",
		"- **DET-1** text \n  more":            "p.md:1: white space at the end of the line",
		"- **DET-1** text\r\n":                 "", // the scanner takes CRLF for a line end
		"- **DET-1** text\n  ```\n  x\n  ```":  "p.md:2: a code block inside a requirement",
		"- **DET-1** text\n\n```\nnever ended": "p.md: a code block is never closed",
	} {
		rules, err := parsePage("p.md", strings.NewReader(page))
		switch {
		case want == "" && (err != nil || len(rules) != 1):
			t.Errorf("%q: got %v, %v", page, rules, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%q: got error %v, want %s…", page, err, want)
		}
	}
}

// The adapter of adapters.md must be a working one: readers start from it.
func TestTheAdapterOfTheManualAnswersAsShown(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, so the example of adapters.md was not run")
	}
	manual := pagesOfFolder(t)["adapters.md"]
	program := codeAfter(t, manual, "```python\n")
	shown := codeAfter(t, manual, "  | python3 my_adapter.py\n```\n\n```\n")
	requests := regexp.MustCompile(`(?m)^  '(.*)' \\$`).FindAllStringSubmatch(manual, -1)
	if len(requests) != 2 {
		t.Fatalf("adapters.md pipes %d lines into the adapter, want 2", len(requests))
	}
	command := exec.Command(python, "-c", program)
	command.Stdin = strings.NewReader(requests[0][1] + "\n" + requests[1][1] + "\n")
	answers, err := command.Output()
	if err != nil {
		t.Fatalf("the adapter did not end with status 0: %v", err)
	}
	got, want := strings.Split(string(answers), "\n"), strings.Split(shown, "\n")
	if len(got) != len(want) {
		t.Fatalf("the adapter wrote\n%s\nadapters.md shows\n%s", answers, shown)
	}
	for i := range want[:len(want)-1] { // both end with LF
		if !jsonvalue.Equal(jsonvalue.MustParse(got[i]), jsonvalue.MustParse(want[i])) {
			t.Errorf("the adapter wrote\n%s\nadapters.md shows\n%s", got[i], want[i])
		}
	}
}

// codeAfter returns what stands between an opening and the next end of a code block.
func codeAfter(t *testing.T, text, opening string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, opening)
	code, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatalf("no code block behind %q", opening)
	}
	return code
}
