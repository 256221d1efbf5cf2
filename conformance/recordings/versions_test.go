package recordings

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite-versions", false, "rewrite the table of docs/versions.md")

const (
	page       = "../../docs/versions.md"
	tableStart = "<!-- table: written by the tests of conformance/recordings -->\n"
	tableEnd   = "<!-- end of table -->\n"
)

func table() string {
	var b strings.Builder
	b.WriteString("| recording | versions | comparison | input | requirement | why |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, d := range Differences {
		versions := "all"
		if d.Versions != nil {
			versions = strings.Join(d.Versions, ", ")
		}
		input := ""
		if d.Input != "" {
			input = "`" + d.Input + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", d.Recording, versions, d.Check, input, d.Requirement, d.Why)
	}
	return b.String()
}

func TestPageShowsTheTable(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(data), tableStart)
	shown, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no table between %q and %q", page, tableStart, tableEnd)
	}
	if shown == table() {
		return
	}
	if !*rewrite {
		t.Fatalf("%s is out of date: go test ./conformance/recordings -args -rewrite-versions", page)
	}
	if err := os.WriteFile(page, []byte(before+tableStart+table()+tableEnd+after), 0o644); err != nil { //nolint:gosec // a page of the repository
		t.Fatal(err)
	}
}
