package hookprompt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// xmlVersion is what a declaration says; without one it is XML 1.0.
type xmlVersion uint8

const (
	xml10 xmlVersion = iota
	xml11
)

var versions = map[string]xmlVersion{"1.0": xml10, "1.1": xml11}

// lineEnds turn every line end of the version into one LF (DET-53); XML 1.1 knows U+0085 and U+2028.
var lineEnds = map[xmlVersion]*strings.Replacer{
	xml10: strings.NewReplacer("\r\n", "\n", "\r", "\n"),
	xml11: strings.NewReplacer("\r\n", "\n", "\r\u0085", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n"),
}

// blanks turns white space in an attribute value into spaces, once line ends are LF (DET-66).
var blanks = strings.NewReplacer("\n", " ", "\t", " ")

// decodeValue decodes an attribute value. White space that came by a reference stays (DET-52).
func decodeValue(value string, version xmlVersion) (decoded string, ok bool) {
	value = blanks.Replace(lineEnds[version].Replace(value))
	var b strings.Builder
	for {
		before, after, found := strings.Cut(value, "&")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		name, rest, closed := strings.Cut(after, ";")
		character, known := resolve(name)
		if !closed || !known {
			return "", false
		}
		b.WriteString(character)
		value = rest
	}
}

var entities = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// resolve returns what `&name;` stands for: one of the five entities, or any character but NUL by
// number, in decimal or after a lower-case x (DET-53).
func resolve(name string) (character string, ok bool) {
	digits, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		character, ok = entities[name]
		return character, ok
	}
	base := 10
	if hexadecimal, found := strings.CutPrefix(digits, "x"); found {
		digits, base = hexadecimal, 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || code == 0 || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) {
		return "", false
	}
	return string(rune(code)), true
}
