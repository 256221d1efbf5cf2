package hookprompt

import "strings"

const doctypeOpen = "<!DOCTYPE"

// afterDoctype returns what follows the doctype that the text begins with (DET-64). The keyword is
// compared without case (no letter of it folds beyond ASCII), and something must follow it; nothing of what a doctype says is used, not even
// entities. Before an internal subset `>` is protected by quotes, after one it is not.
func afterDoctype(document string) (rest string, ok bool) {
	if len(document) < len(doctypeOpen) || !strings.EqualFold(document[:len(doctypeOpen)], doctypeOpen) {
		return "", false
	}
	inside := document[len(doctypeOpen):]
	end := unquotedIndex(inside, '[', '>')
	if end < 0 {
		return "", false
	}
	if inside[end] == '>' {
		return inside[end+1:], strings.Trim(inside[:end], xmlSpace) != ""
	}
	rest, ok = afterSubset(inside[end+1:])
	if ok {
		_, rest, ok = strings.Cut(rest, ">")
	}
	return rest, ok
}

// afterSubset returns what follows the `]` that closes an internal subset. A `]` inside markup does
// not close it; text between markup is not looked at, quotes included.
func afterSubset(subset string) (rest string, ok bool) {
	for {
		i := strings.IndexAny(subset, "]<")
		if i < 0 {
			return "", false
		}
		if subset[i] == ']' {
			return subset[i+1:], true
		}
		if subset, ok = afterDeclaration(subset[i:]); !ok {
			return "", false
		}
	}
}

// quotedDeclarations are the declarations of an internal subset whose literals may hold a `>`.
var quotedDeclarations = []string{"<!ENTITY", "<!ATTLIST", "<!NOTATION"}

// afterDeclaration returns what follows the markup that the text begins with.
func afterDeclaration(markup string) (rest string, ok bool) {
	for _, delimiters := range [][2]string{{"<!--", "-->"}, {"<?", "?>"}} {
		if inside, found := strings.CutPrefix(markup, delimiters[0]); found {
			_, rest, ok = strings.Cut(inside, delimiters[1])
			return rest, ok
		}
	}
	for _, opening := range quotedDeclarations {
		if strings.HasPrefix(markup, opening) {
			end := unquotedIndex(markup, '>')
			return markup[end+1:], end >= 0
		}
	}
	_, rest, ok = strings.Cut(markup, ">")
	return rest, ok
}
