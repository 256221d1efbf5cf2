package snapshot

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/contextfragments/conform/conformance/suite"
)

// lineEnd closes a line of text whose end would not be seen: one that ends in a blank, and, so
// that nothing is ambiguous, one that ends in this sign itself.
const lineEnd = "¶"

// leastRun is the number of equal characters in a row that are written as a count.
const leastRun = 40

// textLines lays a text out for reading, a line each and "| " before it, so that its indentation
// shows. A text that ends with a line break has an empty last line. No two texts look the same.
func textLines(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = escape(line)
		if strings.HasSuffix(line, " ") || strings.HasSuffix(line, lineEnd) {
			line += lineEnd
		}
		lines[i] = strings.TrimSuffix("| "+line, " ")
	}
	return lines
}

// quote lays a text out on one line, between double quotes.
func quote(text string) string {
	return `"` + strings.ReplaceAll(escape(text), `"`, `\"`) + `"`
}

// escape makes visible what a reader cannot see: JSON's escapes for line breaks, controls, format
// characters and unusual blanks, a backslash doubled, and a long run of one character as
// `\{x × 2000}`.
func escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		_, size := utf8.DecodeRuneInString(text)
		character := text[:size]
		count := 0
		for strings.HasPrefix(text, character) {
			text = text[size:]
			count++
		}
		shown := suite.Printable(character)
		if character == `\` {
			shown = `\\`
		}
		if count >= leastRun {
			fmt.Fprintf(&b, `\{%s × %d}`, shown, count)
		} else {
			b.WriteString(strings.Repeat(shown, count))
		}
	}
	return b.String()
}

// word is a name as it stands where a reader cannot take it for anything else, else quoted.
func word(text string) string {
	for i, c := range []byte(text) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9') && !strings.ContainsRune("._-", rune(c))) {
			return quote(text)
		}
	}
	switch text {
	case "", "null", "true", "false": // JSON's literals
		return quote(text)
	}
	return text
}
