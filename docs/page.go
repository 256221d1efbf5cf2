package docs

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A requirement is a list item of the first level: `- **DET-1** text`. It goes on with lines that
// are indented by two blanks, and ends at a blank line, a heading or the next item.
var (
	item      = regexp.MustCompile(`^- \*\*([A-Z]{3}-[1-9][0-9]*)\*\* (\S.*)$`)
	numbered  = regexp.MustCompile(`\*\*\s*[A-Za-z]+[-–]?[0-9]+\s*\*\*`) // bold, and looks like an id: only an item may have it
	nested    = regexp.MustCompile(`^ {2}[-|]`)
	codeFence = regexp.MustCompile("^ *```")
)

// parsePage returns the requirements of one Markdown page in order. It is strict: whatever looks
// like a requirement and is not well formed is an error, because a requirement that is silently
// lost would leave the cases that cite it without a rule.
func parsePage(name string, page io.Reader) ([]Rule, error) {
	var rules []Rule
	var open, fenced bool // inside a requirement; inside a code block
	lines := bufio.NewScanner(page)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		fail := func(reason string) error { return fmt.Errorf("%s:%d: %s", name, number, reason) }
		if codeFence.MatchString(line) {
			if open && line[0] == ' ' {
				return nil, fail("a code block inside a requirement")
			}
			fenced = !fenced
			open = false
			continue
		}
		if fenced {
			continue
		}
		if strings.TrimRight(line, " \t\r") != line {
			return nil, fail("white space at the end of the line")
		}
		match := item.FindStringSubmatch(line)
		switch {
		case match != nil:
			rules = append(rules, Rule{ID: match[1], Text: match[2], Chapter: name, Line: number})
			open = true
			line = match[2]
		case strings.HasPrefix(line, "- **") && numbered.MatchString(line):
			return nil, fail("not a well-formed requirement: want `- **DET-1** text`")
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "- "):
			open = false
		case open && !strings.HasPrefix(line, "  "):
			return nil, fail("a requirement goes on with two blanks of indentation")
		case open:
			last := &rules[len(rules)-1]
			last.Text += separator(line) + strings.TrimSpace(line)
		}
		if numbered.MatchString(line) {
			return nil, fail("a bold requirement id outside the start of a list item")
		}
	}
	if fenced {
		return nil, fmt.Errorf("%s: a code block is never closed", name)
	}
	return rules, lines.Err()
}

// separator joins a wrapped line to the text before it; a nested list item keeps its own line.
func separator(line string) string {
	if nested.MatchString(line) {
		return "\n"
	}
	return " "
}
