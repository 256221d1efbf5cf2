package fragment

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestMatchMarkers(t *testing.T) {
	const a, z = "<turn_aborted>", "</turn_aborted>"
	for _, c := range []struct {
		rule             string
		start, end, text string
		want             bool
	}{
		{"DET-1: an empty start", "", z, "x" + z, false},
		{"DET-1: an empty end", a, "", a + "x", false},
		{"DET-1: both empty", "", "", "", false},

		{"DET-2: both markers", a, z, a + "\nx\n" + z, true},
		{"DET-2: white space around", a, z, "\n\t " + a + "x" + z + " \r\n", true},
		{"DET-2: start alone", a, z, a + "x", false},
		{"DET-2: end alone", a, z, "x" + z, false},
		{"DET-2: something before", a, z, "x" + a + z, false},
		{"DET-2: something after", a, z, a + z + "x", false},
		{"DET-2: swapped", a, z, z + a, false},
		{"DET-2: empty text", a, z, "", false},
		{"DET-2: blank text", a, z, " \n", false},
		{"DET-2: no body", a, z, a + z, true},
		{"DET-2: the start is judged before the right is trimmed", "<a> ", "<a>", "<a> ", true},
		{"DET-2: and needs its white space", "<a> ", "<a>", "<a>", false},
		{"DET-2: the end is judged after both are trimmed", "<a>", " <a>", " <a>", false},
		{"DET-2: end with leading white space", "<a>", " <a>", "<a> <a>", true},

		{"DET-3: Unicode white space", a, z, "\u0085\u00a0\u1680\u2000\u200a\u2028" + a + z + "\u2029\u202f\u205f\u3000\v\f", true},
		{"DET-3: zero width space", a, z, "\u200b" + a + z, false},
		{"DET-3: zero width joiners", a, z, a + z + "\u200d", false},
		{"DET-3: word joiner", a, z, "\u2060" + a + z, false},
		{"DET-3: byte order mark", a, z, "\ufeff" + a + z, false},
		{"DET-3: byte order mark at the end", a, z, a + z + "\ufeff", false},
		{"DET-3: Mongolian vowel separator", a, z, "\u180e" + a + z, false},
		{"DET-3: information separators", a, z, "\x1c" + a + z + "\x1f", false},
		{"DET-3: NUL", a, z, "\x00" + a + z, false},

		{"DET-4: ASCII case", a, z, "<Turn_ABORTED></TURN_aborted>", true},
		{"DET-4: every letter", "abcdefghijklmnopqrstuvwxyz", "Z", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", true},
		{"DET-4: Kelvin sign", "<k>", "</k>", "<\u212a></k>", false},
		{"DET-4: Kelvin sign, same length", "<kkk>", "</a>", "<\u212a></a>", false},
		{"DET-4: long s", "<s>", "</s>", "<s></\u017f>", false},
		{"DET-4: dotless i", "<i>", "</i>", "<\u0131></i>", false},
		{"DET-4: dotted I", "<i>", "</i>", "<i></\u0130>", false},
		{"DET-4: other letters do not fold", "<é>", "</é>", "<É></é>", false},
		{"DET-4: other letters match themselves", "<É>", "</É>", "<É></É>", true},
		{"DET-4: brackets do not fold", "[a]", "{b}", "{a]{b}", false},
		{"DET-4: at sign and back quote", "@a", "b`", "`ab`", false},
		{"DET-4: caret and tilde", "^a", "b", "~ab", false},
		{"DET-4: markers in upper case", "<AB>", "</AB>", "<ab></aB>", true},

		{"DET-5: the text is shorter than the start", a, z, "<turn", false},
		{"DET-5: cut inside a character", "<abc", "</a>", "<abé</a>", false},
		{"DET-5: cut inside a character from the end", "<a>", "é/a>", "<a>xé/a>", true},
		{"DET-5: tail inside a character", "<a>", "xxxx", "<a>€xx", false},
		{"DET-5: a character that begins as the marker ends", "<\u00e9", "</a>", "<\u00ea</a>", false},
		{"DET-6: the text is shorter than the end", "<a", z, "<a>", false},
		{"DET-6: the text is the end less its first character", "/", z, z[1:], false},

		{"DET-7: the same marker twice", "<a>", "<a>", "<a>", true},
		{"DET-7: overlap", "ab", "bc", "abc", true},
		{"DET-7: a shared LF", "<rollout_budget>\n", "\n</rollout_budget>", "<rollout_budget>\n</rollout_budget>", true},
		{"DET-7: no LF to share", "<rollout_budget>\n", "\n</rollout_budget>", "<rollout_budget></rollout_budget>", false},
		{"DET-7: one LF each", "<rollout_budget>\n", "\n</rollout_budget>", "<rollout_budget>\n1 left\n</rollout_budget>", true},

		{"DET-8: start with leading white space", " <a>", "</a>", " <a></a>", false},
		{"DET-8: end with trailing white space", "<a>", "</a>\n", "<a></a>\n", false},
		{"DET-8: start of white space alone", " ", "x", " x", false},

		{"DET-9: nested", a, z, a + a + "x" + z + z, true},
		{"DET-9: two blocks in one text", a, z, a + "x" + z + " and " + a + "y" + z, true},
		{"DET-9: tags that do not agree", a, z, a + "<b></i>" + z, true},
		{"DET-9: end, then text, then end", a, z, a + z + "typed" + z, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := MatchMarkers(c.start, c.end, c.text); got != c.want {
				t.Errorf("MatchMarkers(%q, %q, %+q) is %v, want %v", c.start, c.end, c.text, got, c.want)
			}
		})
	}
}

// FuzzMatchMarkers: no input panics, what is rendered is recognised, and neither outer white space
// nor ASCII case changes the answer.
func FuzzMatchMarkers(f *testing.F) {
	f.Add("<a>", "</a>", "<a>x</a>")
	f.Add("<a> ", "<a>", "<a> ")
	f.Add("é", "\u212a", "\u0085é\u212a\ufeff")
	f.Add("\xff", "\x80", "\xff\x80")
	f.Fuzz(func(t *testing.T, start, end, text string) {
		got := MatchMarkers(start, end, text)
		if got && (start == "" || end == "") {
			t.Fatalf("DET-1: an empty marker matches %+q", text)
		}
		if !utf8.ValidString(start) || !utf8.ValidString(end) || !utf8.ValidString(text) {
			return // void cuts inside broken characters are all that is promised
		}
		if MatchMarkers(start, end, "\u2003\n"+text) != got {
			t.Errorf("DET-2: white space before %+q changes the answer for %+q, %+q", text, start, end)
		}
		if trimRight(start) == start && MatchMarkers(start, end, text+"\n\u3000") != got {
			t.Errorf("DET-2: white space after %+q changes the answer for %+q, %+q", text, start, end)
		}
		if MatchMarkers(swapCase(start), end, swapCase(text)) != MatchMarkers(start, swapCase(end), text) {
			t.Errorf("DET-4: ASCII case changes the answer for %+q, %+q, %+q", start, end, text)
		}
		rendered := Fragment{Start: start, Body: text, End: end}.Render()
		canMatch := start != "" && end != "" && trimLeft(start) == start && trimRight(end) == end
		if got := MatchMarkers(start, end, rendered); canMatch && !got {
			t.Errorf("DET-11: %+q is rendered with %+q, %+q and not recognised", rendered, start, end)
		}
	})
}

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return unicode.ToUpper(r)
		case 'A' <= r && r <= 'Z':
			return unicode.ToLower(r)
		}
		return r
	}, text)
}
