package fragment

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxToolsBytes        = 4096 // of the whole fragment
	maxDescriptionLength = 250  // characters
	omittedLineReserve   = 64   // bytes kept free in each group for its last line
	noToolsLine          = "No deferred tool namespaces remain.\n"
)

// ToolDescription is what the model is told of a namespace: the first line of its description,
// trimmed, at most 250 characters (WLD-38).
func ToolDescription(description string) string {
	line, _, _ := strings.Cut(description, "\n")
	line = trim(line)
	if utf8.RuneCountInString(line) > maxDescriptionLength {
		line = string([]rune(line)[:maxDescriptionLength])
	}
	return line
}

// Tools tells the namespaces of tools that can be loaded, by name with a description from
// ToolDescription; or, where known says that the model was told the previous ones, what was added,
// described anew or removed. Nothing to say gives no fragment (DEV-15,
// WLD-38).
func Tools(previous map[string]string, known bool, current map[string]string) (f Fragment, ok bool) {
	groups := []toolGroup{{"Deferred tool namespaces", current}}
	if known {
		if maps.Equal(previous, current) {
			return Fragment{}, false
		}
		groups = []toolGroup{
			{"Added deferred tool namespaces", without(current, func(name string) bool {
				old, ok := previous[name]
				return ok && old == current[name]
			})},
			{"Removed deferred tool namespaces", without(previous, func(name string) bool {
				_, ok := current[name]
				return ok
			})},
		}
	} else if len(current) == 0 {
		return Fragment{}, false
	}
	return of("tools", toolsBody(groups, len(current) == 0)), true
}

// toolGroup is a label and the namespaces under it.
type toolGroup struct {
	label      string
	namespaces map[string]string
}

func without(namespaces map[string]string, drop func(name string) bool) map[string]string {
	kept := maps.Clone(namespaces)
	maps.DeleteFunc(kept, func(name, _ string) bool { return drop(name) })
	return kept
}

// toolsBody writes the groups that are not empty. All entries share one budget of bytes: what the
// fragment may have, less the fixed lines and a reserve a group. An entry that does not fit is
// counted instead, and a smaller one after it may still fit (WLD-38).
func toolsBody(groups []toolGroup, noneLeft bool) string {
	groups = slices.DeleteFunc(groups, func(g toolGroup) bool { return len(g.namespaces) == 0 })
	start, end := Markers("tools")
	budget := maxToolsBytes - len(start) - len(end) - len("\n")
	for _, g := range groups {
		budget -= len(g.label) + len(":\n") + omittedLineReserve
	}
	last := ""
	if noneLeft {
		last = noToolsLine
		budget -= len(last)
	}
	body := "\n"
	for _, g := range groups {
		var lines string
		lines, budget = toolLines(g.namespaces, budget)
		body += g.label + ":\n" + lines
	}
	return body + last
}

// toolLines writes a line a namespace, in the order of names, and returns what is left of the
// budget.
func toolLines(namespaces map[string]string, budget int) (lines string, left int) {
	omitted := 0
	for _, name := range slices.Sorted(maps.Keys(namespaces)) {
		line := "- " + xmlEscapes.Replace(name)
		if description := namespaces[name]; description != "" {
			line += ": " + xmlEscapes.Replace(description)
		}
		line += "\n"
		if len(line) > budget {
			omitted++
			continue
		}
		budget -= len(line)
		lines += line
	}
	if omitted > 0 {
		lines += fmt.Sprintf("... %d additional namespaces omitted.\n", omitted)
	}
	return lines, budget
}
