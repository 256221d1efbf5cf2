package hookprompt

import "strings"

// attribute is one name and value as written: no prefix taken off, nothing decoded.
type attribute struct{ name, value string }

// nextAttribute takes the first attribute of a tag's inside: a name up to `=` or white space, `=`,
// a value in either kind of quotes (DET-52). White space is only needed before the first. It fails on
// anything else; an inside that is used up gives an attribute without a name.
func nextAttribute(inside string) (a attribute, rest string, ok bool) {
	rest = strings.TrimLeft(inside, xmlSpace)
	if rest == "" {
		return attribute{}, "", true
	}
	end := strings.IndexAny(rest[1:], "="+xmlSpace) + 1 // the first byte is a name, even a `=`
	if end == 0 {
		return attribute{}, "", false
	}
	a.name = rest[:end]
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest[end:], xmlSpace), "=")
	rest = strings.TrimLeft(rest, xmlSpace)
	if !ok || rest == "" || (rest[0] != '"' && rest[0] != '\'') {
		return attribute{}, "", false
	}
	a.value, rest, ok = strings.Cut(rest[1:], rest[:1])
	return a, rest, ok
}

// attributes takes apart all attributes of a tag; one bad or duplicate one voids the tag (DET-52).
func attributes(inside string) (all []attribute, ok bool) {
	seen := map[string]bool{}
	for {
		a, rest, ok := nextAttribute(inside)
		if !ok || seen[a.name] {
			return nil, false
		}
		if a.name == "" {
			return all, true
		}
		seen[a.name] = true
		all, inside = append(all, a), rest
	}
}

// localName is what stands after the first colon of a name.
func localName(name string) string {
	if _, local, ok := strings.Cut(name, ":"); ok {
		return local
	}
	return name
}

// attributeKey is the local name, except that the two reserved prefixes stay (DET-52).
func attributeKey(name string) string {
	if strings.HasPrefix(name, "xml:") || strings.HasPrefix(name, "xmlns:") {
		return name
	}
	return localName(name)
}

const (
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

	maxNamespaces = 256 // declared by one tag
)

// namespacesHold checks the namespaces that a tag declares: `xml` is bound to its own name only and
// that name to no other prefix, `xmlns` is never bound. Of any tag's attributes only these are looked at, up
// to the first bad attribute; a child may otherwise carry what it likes (DET-54).
func namespacesHold(inside string) bool {
	for declared := 0; ; {
		a, rest, ok := nextAttribute(inside)
		if !ok || a.name == "" {
			return true
		}
		inside = rest
		prefix, prefixed := strings.CutPrefix(a.name, "xmlns:")
		if !prefixed && a.name != "xmlns" {
			continue
		}
		declared++
		if declared > maxNamespaces || (prefixed && !mayBind(prefix, a.value)) {
			return false
		}
	}
}

func mayBind(prefix, namespace string) bool {
	switch prefix {
	case "xml":
		return namespace == xmlNamespace
	case "xmlns":
		return false
	default:
		return namespace != xmlNamespace && namespace != xmlnsNamespace
	}
}

// closingName is the name in a close tag: white space after it is dropped, unless there is no name.
func closingName(inside string) string {
	if name := strings.TrimRight(inside, xmlSpace); name != "" {
		return name
	}
	return inside
}

// unquotedIndex finds the first of the stops that is not inside quotes, -1 where there is none. A
// quote that is never closed reaches to the end of the text.
func unquotedIndex(markup string, stops ...byte) int {
	quote := byte(0)
	for i := 0; i < len(markup); i++ {
		c := markup[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		default:
			for _, stop := range stops {
				if c == stop {
					return i
				}
			}
		}
	}
	return -1
}
