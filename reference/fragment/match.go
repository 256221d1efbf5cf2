package fragment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MatchMarkers reports whether a text stands between the markers. An empty marker matches nothing
// (DET-1).
func MatchMarkers(start, end, text string) bool {
	return start != "" && end != "" && MatchEnds(start, end, text)
}

// MatchEnds reports whether a text stands between the markers, with the leniency that old histories
// need: white space around it and the case of ASCII letters do not count. The start is compared
// before the right side is trimmed (DET-2), and what lies between, or whether the two overlap, is
// not looked at (DET-7, DET-9). An empty marker is at both ends of every text (REG-6).
func MatchEnds(start, end, text string) bool {
	text = trimLeft(text)
	first, ok := head(text, len(start))
	if !ok || !equalFoldASCII(first, start) {
		return false
	}
	text = trimRight(text)
	last, ok := tail(text, len(end))
	return ok && equalFoldASCII(last, end)
}

// MatchPrefix reports whether a text begins with a prefix, white space and ASCII case aside (DET-70).
func MatchPrefix(prefix, text string) bool {
	first, ok := head(trimLeft(text), len(prefix))
	return ok && equalFoldASCII(first, prefix)
}

// The trimmed characters are those with the Unicode property White_Space; BOM and zero-width ones
// are not among them (DET-3). unicode.IsSpace has that very set (DET-161).
func trim(text string) string      { return strings.TrimFunc(text, unicode.IsSpace) }
func trimLeft(text string) string  { return strings.TrimLeftFunc(text, unicode.IsSpace) }
func trimRight(text string) string { return strings.TrimRightFunc(text, unicode.IsSpace) }

// head returns the first n bytes. It is void where the text is shorter, or where the cut would
// split a character (DET-5).
func head(text string, n int) (first string, ok bool) {
	if n > len(text) || !isBoundary(text, n) {
		return "", false
	}
	return text[:n], true
}

// tail returns the last n bytes, or the whole text where it is shorter (DET-6). It is void where
// the cut would split a character (DET-5).
func tail(text string, n int) (last string, ok bool) {
	from := max(len(text)-n, 0)
	if !isBoundary(text, from) {
		return "", false
	}
	return text[from:], true
}

// isBoundary reports whether a character begins or the text ends at the offset.
func isBoundary(text string, offset int) bool {
	return offset == len(text) || utf8.RuneStart(text[offset])
}

// equalFoldASCII compares byte by byte, with A–Z equal to a–z and no other folding (DET-4): unlike
// strings.EqualFold it keeps the Kelvin sign apart from k (DET-160).
func equalFoldASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerASCII(a[i]) != lowerASCII(b[i]) {
			return false
		}
	}
	return true
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}
