// Package docs embeds the specification and finds a numbered requirement by its id, so that a
// failing case can show the rule that it breaks.
package docs

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
)

//go:embed spec/*.md protocol.md
var pages embed.FS

// Rule is one numbered requirement.
type Rule struct {
	ID      string // such as "DET-2"
	Text    string // Markdown; wrapped lines are joined, a line of a nested list stands on its own
	Chapter string // the page, relative to this folder: "spec/01-shapes-and-markers.md"
	Line    int    // 1-based line of the page on which the requirement starts
}

// Requirement returns the text of the requirement with this id.
func Requirement(id string) (text string, ok bool) {
	i, ok := index()[id]
	if !ok {
		return "", false
	}
	return rules()[i].Text, true
}

// Requirements returns all requirements: the chapters of the specification in reading order,
// then the adapter protocol.
func Requirements() []Rule { return slices.Clone(rules()) }

// rules parses the embedded pages once. They are part of the binary and a test parses them, so a
// page that does not parse is a fault of the build.
var rules = sync.OnceValue(func() []Rule {
	parsed, err := parseAll(pages)
	if err != nil {
		panic("docs: " + err.Error())
	}
	return parsed
})

var index = sync.OnceValue(func() map[string]int {
	byID := make(map[string]int, len(rules()))
	for i, rule := range rules() {
		byID[rule.ID] = i
	}
	return byID
})

// parseAll parses every page and refuses a requirement that is numbered twice.
func parseAll(fsys fs.FS) ([]Rule, error) {
	names, err := fs.Glob(fsys, "spec/*.md") // sorted, and the names carry the reading order
	if err != nil {
		return nil, err
	}
	names = append(names, "protocol.md")
	var all []Rule
	first := map[string]Rule{}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		parsed, err := parsePage(path.Clean(name), bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		for _, rule := range parsed {
			if before, twice := first[rule.ID]; twice {
				return nil, fmt.Errorf("%s:%d: %s is already at %s:%d", rule.Chapter, rule.Line, rule.ID, before.Chapter, before.Line)
			}
			first[rule.ID] = rule
		}
		all = append(all, parsed...)
	}
	return all, nil
}
