package suite

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns text with every character that a reader cannot see, or that could drive the
// terminal, written as its JSON escape (`\u200b`), LF and TAB included. What an implementation
// sends is printed through here and nowhere else. A byte that is no UTF-8 is written `\xff`.
func Printable(text string) string { return escape(text, "") }

// PrintableLines is Printable for text of several lines: line ends stay line ends.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = escape(strings.TrimSuffix(line, "\r"), "")
	}
	return strings.Join(lines, "\n")
}

// Quote returns text as a JSON string that can be pasted into a document, with everything
// invisible escaped.
func Quote(text string) string { return `"` + escape(text, `"\`) + `"` }

// escape escapes what is invisible, and the ASCII characters in also with a backslash.
func escape(text, also string) string {
	clean := true
	for _, c := range []byte(text) {
		if c < 0x20 || c >= 0x7f || strings.IndexByte(also, c) >= 0 {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	var b strings.Builder
	for i, c := range text {
		switch {
		case c == utf8.RuneError && text[i] != 0xef: // not the character U+FFFD itself
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case c < 0x80 && strings.IndexByte(also, byte(c)) >= 0:
			b.WriteByte('\\')
			b.WriteRune(c)
		case visible(c):
			b.WriteRune(c)
		default:
			b.WriteString(jsonEscape(c))
		}
	}
	return b.String()
}

func jsonEscape(c rune) string {
	if i := strings.IndexRune("\b\f\n\r\t", c); i >= 0 {
		return `\` + "bfnrt"[i:i+1]
	}
	if c > 0xffff {
		high, low := utf16.EncodeRune(c)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, c)
}

// visible reports whether a reader sees that the character is there. unicode.IsPrint takes out
// controls, format characters, unusual blanks and unassigned code points; the rest are letters,
// marks and symbols that draw nothing.
func visible(c rune) bool {
	return unicode.IsPrint(c) && !unicode.Is(unicode.Variation_Selector, c) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) &&
		c != '\u2800' // a Braille pattern without dots
}
