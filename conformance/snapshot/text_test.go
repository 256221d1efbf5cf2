package snapshot

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestTextLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `|`},
		{"one", `| one`},
		{"one\n", "| one\n|"},
		{"\n\n", "|\n|\n|"},
		{"  two blanks", `|   two blanks`},
		{"blank at the end \nnext", "| blank at the end ¶\n| next"},
		{" ", `|  ¶`},
		{"a sign of its own¶", `| a sign of its own¶¶`},
		{"a sign ¶ inside", `| a sign ¶ inside`},
		{"tab\tCR\r\nLF", `| tab\tCR\r` + "\n| LF"},
		{"\x00\x1b[31m\x7f", `| \u0000\u001b[31m\u007f`},
		{"no-break\u00a0, zero\u200bwidth, BOM\ufeff, line\u2028separator", `| no-break\u00a0, zero\u200bwidth, BOM\ufeff, line\u2028separator`},
		{"C:\\new", `| C:\\new`},
		{`typed \u200b`, `| typed \\u200b`},
		{`"quotes" é 漢 😀`, `| "quotes" é 漢 😀`},
		{"S" + strings.Repeat("x", 39) + "E", "| S" + strings.Repeat("x", 39) + "E"},
		{"S" + strings.Repeat("x", 40) + "E", `| S\{x × 40}E`},
		{strings.Repeat(" ", 50), `| \{  × 50}`},
		{strings.Repeat(`\`, 41), `| \{\\ × 41}`},
		{strings.Repeat("\u200b", 100), `| \{\u200b × 100}`},
		{strings.Repeat("\n", 2), "|\n|\n|"},
	} {
		if got := strings.Join(textLines(c.text), "\n"); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `""`},
		{"say \"no\"\n", `"say \"no\"\n"`},
		{`\"`, `"\\\""`},
		{"ends with a blank ", `"ends with a blank "`},
		{strings.Repeat(`"`, 40), `"\{\" × 40}"`},
	} {
		if got := quote(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"additional_content.key-1", "additional_content.key-1"},
		{"Developer", "Developer"},
		{"", `""`},
		{"null", `"null"`},
		{"true", `"true"`},
		{"1", `"1"`},
		{"no kind", `"no kind"`},
		{"é", `"é"`},
		{"a\n", `"a\n"`},
	} {
		if got := word(c.text); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// What is on the page tells the text: two texts never look the same.
func FuzzTextLines(f *testing.F) {
	for _, text := range []string{"", "a \n¶", "\\n\n\\", strings.Repeat("}", 50), "\\{x × 40}", "\r\n\t", "\u2028é😀\u200b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // no JSON holds it
		}
		lines := textLines(text)
		for i, line := range lines {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "|"), " ")
			lines[i] = unescape(t, strings.TrimSuffix(line, lineEnd))
		}
		if got := strings.Join(lines, "\n"); got != text {
			t.Errorf("%q is laid out as\n%s\nwhich reads %q", text, strings.Join(textLines(text), "\n"), got)
		}
		quoted := quote(text)
		if got := unescape(t, quoted[1:len(quoted)-1]); got != text {
			t.Errorf("%q is quoted as %s, which reads %q", text, quoted, got)
		}
	})
}

// unescape reads what escape and quote write.
func unescape(t *testing.T, shown string) string {
	t.Helper()
	var b strings.Builder
	for shown != "" {
		var text string
		if run, ok := strings.CutPrefix(shown, `\{`); ok {
			text, shown = oneCharacter(t, run)
			count, rest, _ := strings.Cut(strings.TrimPrefix(shown, " × "), "}")
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatalf("%q: no count", shown)
			}
			text, shown = strings.Repeat(text, n), rest
		} else {
			text, shown = oneCharacter(t, shown)
		}
		b.WriteString(text)
	}
	return b.String()
}

func oneCharacter(t *testing.T, shown string) (text, rest string) {
	t.Helper()
	if shown[0] != '\\' {
		_, size := utf8.DecodeRuneInString(shown)
		return shown[:size], shown[size:]
	}
	hex := func(from, to int) rune {
		n, err := strconv.ParseUint(shown[from:to], 16, 16)
		if err != nil {
			t.Fatalf("%q: %v", shown, err)
		}
		return rune(n)
	}
	switch c := shown[1]; c {
	case 'u':
		high := hex(2, 6)
		if utf16.IsSurrogate(high) {
			return string(utf16.DecodeRune(high, hex(8, 12))), shown[12:]
		}
		return string(high), shown[6:]
	case '\\', '"':
		return string(c), shown[2:]
	default:
		i := strings.IndexByte("bfnrt", c)
		if i < 0 {
			t.Fatalf("%q: unknown escape", shown)
		}
		return "\b\f\n\r\t"[i : i+1], shown[2:]
	}
}
