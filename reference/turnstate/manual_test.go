package turnstate

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// docs/registry.md promises that its example is all that a new fragment takes. The lines are put
// into the package, each behind the line that the walk has in mind, and the result is talked to.
func TestTheWalkOfTheManualIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the reference once more")
	}
	page, err := os.ReadFile("../../docs/registry.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walk, _ := strings.Cut(string(page), "\n## Adding a fragment\n")
	places := []struct{ file, behind string }{
		{"turnstate.go", "\tProjectDoc                    jsonvalue.Optional // the text of AGENTS.md\n"},
		{"decode.go", "\tt.UserInstructions = f.Optional(\"user_instructions\")\n"},
		{"decode.go", "\t\t{\"project_doc_instructions\", &c.ProjectDoc},\n"},
		{"user.go", "func agentsMDBody(directory, text string) string {\n\treturn directory + \"\\n\\n<INSTRUCTIONS>\\n\" + text + \"\\n\"\n}\n"},
		{"registry.go", "\t\tBuild: agentsMD,\n\t},\n"},
	}
	lines, files, sources := 0, []string{}, map[string]string{}
	for _, place := range places {
		var snippet string
		_, walk, _ = strings.Cut(walk, "\n```go\n")
		snippet, walk, _ = strings.Cut(walk, "```\n")
		lines += strings.Count(snippet, "\n")
		if !slices.Contains(files, place.file) {
			files = append(files, place.file)
			source, err := os.ReadFile(place.file)
			if err != nil {
				t.Fatal(err)
			}
			sources[place.file] = string(source)
		}
		if strings.Count(sources[place.file], place.behind) != 1 {
			t.Fatalf("%s: no place for\n%s", place.file, snippet)
		}
		sources[place.file] = strings.Replace(sources[place.file], place.behind, place.behind+snippet, 1)
	}
	if lines != 15 || len(files) != 4 || !strings.Contains(string(page), "15 in 4 files") {
		t.Errorf("the example takes %d lines in %d files", lines, len(files))
	}

	overlay := map[string]map[string]string{"Replace": {}}
	for file, source := range sources {
		original, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(changed, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][original] = changed
	}
	encoded, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, encoded, 0o600); err != nil {
		t.Fatal(err)
	}

	var requests, want []string
	_, conversation, _ := strings.Cut(walk, "\n```\n")
	conversation, _, _ = strings.Cut(conversation, "```\n")
	for line := range strings.Lines(conversation) {
		if request, ok := strings.CutPrefix(line, "→ "); ok {
			requests = append(requests, request)
		} else {
			want = append(want, strings.TrimPrefix(line, "← "))
		}
	}
	command := exec.Command("go", "run", "-overlay", list, "../../cmd/conform", "serve")
	command.Stdin = strings.NewReader(strings.Join(requests, ""))
	var problems strings.Builder
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	got := slices.Collect(strings.Lines(string(output)))
	if len(got) != 2 || len(want) != 2 {
		t.Fatalf("%d answers, %d on the page, want 2:\n%s", len(got), len(want), output)
	}
	for i := range got {
		if !jsonvalue.Equal(jsonvalue.MustParse(got[i]), jsonvalue.MustParse(want[i])) {
			t.Errorf("got  %swant %s", got[i], want[i])
		}
	}
}
