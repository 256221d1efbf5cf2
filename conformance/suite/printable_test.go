package suite

import (
	"strings"
	"testing"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

func TestQuote(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", `a b`, `"a b"`},
		{"quote and backslash", `a"\`, `"a\"\\"`},
		{"short escapes", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"controls", "\x00\x1b[31m\x7f\u0085\u009b", `"\u0000\u001b[31m\u007f\u0085\u009b"`},
		{"blanks that are no space", "\u00a0\u2003\u3000\u2028\u2029", `"\u00a0\u2003\u3000\u2028\u2029"`},
		{"zero width", "a\u200bb\u200d\ufeff\u2060", `"a\u200bb\u200d\ufeff\u2060"`},
		{"text direction", "\u202e\u2066", `"\u202e\u2066"`},
		{"letters that draw nothing", "\u3164\u115f\uffa0\u2800", `"\u3164\u115f\uffa0\u2800"`},
		{"variation selectors", "\ufe0f\U000e0100", `"\ufe0f\udb40\udd00"`},
		{"tag characters", "\U000e0041", `"\udb40\udc41"`},
		{"letters, marks and symbols stay", "é日本語ü\u0301😀 नि", "\"é日本語ü\u0301😀 नि\""},
		{"replacement character", "\ufffd", "\"\ufffd\""},
		{"bytes that are no UTF-8", "a\xffb\xc3", `"a\xffb\xc3"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Quote(test.text); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// What Quote writes for valid text is a JSON string of that text, so that it can be pasted.
func TestQuoteIsJSON(t *testing.T) {
	for c := range rune(0x110000) {
		if c >= 0xd800 && c <= 0xdfff {
			continue
		}
		value, err := jsonvalue.Parse([]byte(Quote(string(c))))
		if text, _ := value.Text(); err != nil || text != string(c) {
			t.Fatalf("U+%04X: %s is %q, %v", c, Quote(string(c)), text, err)
		}
	}
}

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\"\\\x1b\n"), `a"\\u001b\n`; got != want {
		t.Errorf("Printable: got %s, want %s", got, want)
	}
	if got, want := PrintableLines("a\x1b\r\nb\n"), "a\\u001b\nb\n"; got != want {
		t.Errorf("PrintableLines: got %q, want %q", got, want)
	}
}

// No text, whatever it is, gets a character to the terminal that could drive it.
func FuzzPrintable(f *testing.F) {
	f.Add("\x1b]0;x\x07\u009b31m\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{Quote(text), Printable(text), strings.ReplaceAll(PrintableLines(text), "\n", "")} {
			for _, c := range got {
				if !visible(c) {
					t.Errorf("U+%04X in %q of %q", c, got, text)
				}
			}
		}
	})
}
