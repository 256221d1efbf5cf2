package hookprompt

import "strings"

// xmlSpace is what XML itself calls white space, fewer characters than Unicode does.
const xmlSpace = " \t\r\n"

type tokenKind uint8

const (
	malformed tokenKind = iota // syntax that no reader gets past
	endOfText
	openTag
	closeTag
	characters // text as written
	cdata      // the inside of a CDATA section as written
	reference  // the inside of `&…;`
	doctype    // ignored, yet a token (see scanner.version)
)

// token is one piece of a document. Comments, processing instructions and declarations are none.
type token struct {
	kind  tokenKind
	name  string // openTag: the element's name as written
	raw   string // openTag: everything after the name; characters, cdata, reference: the content
	depth int    // openTag: how many elements are open, this one included
}

// scanner cuts a text into tokens, up to the first thing that is not well-formed.
type scanner struct {
	rest string
	open []string // names of the open elements, outermost first
	// selfClosed says that the last tag was `<a/>`: its close tag is still to be reported.
	selfClosed bool
	// version is the XML version of the last declaration met, which may stand anywhere. A token
	// is decoded after the next one was scanned, so a declaration reaches back over one token.
	version xmlVersion
	// skipping says that nothing is read of an element: declarations in it are not looked at.
	skipping bool
}

// next returns the next token.
func (s *scanner) next() token {
	if s.selfClosed {
		s.selfClosed = false
		return s.closed(s.open[len(s.open)-1])
	}
	for s.rest != "" {
		switch {
		case strings.HasPrefix(s.rest, "<!--"):
			if _, ok := s.delimited("<!--", "-->"); !ok {
				return token{kind: malformed}
			}
		case strings.HasPrefix(s.rest, "<?>"): // its `?` would end it as well
			return token{kind: malformed}
		case strings.HasPrefix(s.rest, "<?"):
			instruction, ok := s.delimited("<?", "?>")
			if !ok || (!s.skipping && !s.declare(instruction)) {
				return token{kind: malformed}
			}
		case strings.HasPrefix(s.rest, "<!"):
			return s.bang()
		case s.rest[0] == '<':
			return s.tag()
		case s.rest[0] == '&':
			return s.reference()
		default:
			return s.characters()
		}
	}
	return token{kind: endOfText}
}

// delimited takes from the opening delimiter, where rest begins, to the first closing one after it.
func (s *scanner) delimited(opening, closing string) (inside string, ok bool) {
	inside, rest, ok := strings.Cut(s.rest[len(opening):], closing)
	s.rest = rest
	return inside, ok
}

// declare looks at a processing instruction. An XML declaration counts wherever it stands
// (DET-64), and its first attribute must be version 1.0 or 1.1; any other instruction vanishes.
func (s *scanner) declare(instruction string) bool {
	declaration, ok := strings.CutPrefix(instruction, "xml")
	if !ok || (declaration != "" && !strings.ContainsRune(xmlSpace, rune(declaration[0]))) {
		return true
	}
	first, _, ok := nextAttribute(declaration)
	if !ok || first.name != "version" {
		return false
	}
	s.version, ok = versions[first.value]
	return ok
}

func (s *scanner) bang() token {
	const cdataOpen = "<![CDATA["
	if strings.HasPrefix(s.rest, cdataOpen) {
		if inside, ok := s.delimited(cdataOpen, "]]>"); ok {
			return token{kind: cdata, raw: inside}
		}
		return token{kind: malformed}
	}
	rest, ok := afterDoctype(s.rest)
	if !ok {
		return token{kind: malformed}
	}
	s.rest = rest
	return token{kind: doctype}
}

// tag takes a tag. Open and close names must agree, case-sensitively (DET-62).
func (s *scanner) tag() token {
	end := unquotedIndex(s.rest, '>')
	if end < 0 {
		return token{kind: malformed}
	}
	inside := s.rest[1:end]
	s.rest = s.rest[end+1:]
	if name, ok := strings.CutPrefix(inside, "/"); ok {
		return s.closed(closingName(name))
	}
	inside, selfClosed := strings.CutSuffix(inside, "/")
	opened := token{kind: openTag, name: inside}
	if i := strings.IndexAny(inside, xmlSpace); i >= 0 {
		opened.name, opened.raw = inside[:i], inside[i:]
	}
	if !namespacesHold(opened.raw) {
		return token{kind: malformed}
	}
	s.open, s.selfClosed = append(s.open, opened.name), selfClosed
	opened.depth = len(s.open)
	return opened
}

func (s *scanner) closed(name string) token {
	last := len(s.open) - 1
	if last < 0 || s.open[last] != name {
		return token{kind: malformed}
	}
	s.open = s.open[:last]
	return token{kind: closeTag}
}

// reference takes `&…;`, whatever is inside; a bare `&` is an error everywhere (DET-53).
func (s *scanner) reference() token {
	end := strings.IndexAny(s.rest[1:], ";&<")
	if end < 0 || s.rest[1+end] != ';' {
		return token{kind: malformed}
	}
	inside := s.rest[1 : 1+end]
	s.rest = s.rest[end+2:]
	return token{kind: reference, raw: inside}
}

func (s *scanner) characters() token {
	end := strings.IndexAny(s.rest, "<&")
	if end < 0 {
		end = len(s.rest)
	}
	run := s.rest[:end]
	s.rest = s.rest[end:]
	return token{kind: characters, raw: run}
}

// skipPast goes on to the close tag of the element of that depth, unless it is there already. What is
// skipped must be well-formed, but its references need not resolve (DET-54).
func (s *scanner) skipPast(depth int) bool {
	s.skipping = true
	defer func() { s.skipping = false }()
	for len(s.open) >= depth {
		if kind := s.next().kind; kind == malformed || kind == endOfText {
			return false
		}
	}
	return true
}
