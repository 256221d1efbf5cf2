package hookprompt

import "strings"

// The names under which the fields of a prompt are looked for. An attribute counts as `@` plus its
// name, a run of text as `$text`, and a child element as its local name: a child of one of these
// very names therefore gives the field as well.
const (
	idKey   = "@hook_run_id"
	textKey = "$text"
)

// Parse reads a hook prompt; false means that the text is none (DET-50…54, DET-62…66).
func Parse(text string) (Prompt, bool) {
	document := strings.TrimPrefix(strings.TrimSpace(text), "\ufeff") // DET-50, DET-65
	r := reader{scanner: scanner{rest: document}}
	r.ahead = r.scanner.next()
	fields, ok := r.document()
	prompt := Prompt{Text: fields[textKey], HookRunID: fields[idKey]}
	return prompt, ok && strings.TrimSpace(prompt.HookRunID) != ""
}

// reader goes over the tokens with one token of lookahead. A malformed token fails whoever meets
// it, so that only faults after the root element stay unseen (DET-63).
type reader struct {
	scanner scanner
	ahead   token
}

func (r *reader) next() token {
	current := r.ahead
	r.ahead = r.scanner.next()
	return current
}

// event returns a tag, or all text up to the next tag as one decoded run: characters, CDATA and
// references join, also over comments and processing instructions (DET-53).
func (r *reader) event() token {
	var run strings.Builder
	for isText := false; ; {
		switch r.ahead.kind {
		case doctype:
			r.next()
			continue
		case characters, cdata:
			written := r.next().raw // first: the version is that after the lookahead
			run.WriteString(lineEnds[r.scanner.version].Replace(written))
		case reference:
			character, ok := resolve(r.next().raw)
			if !ok {
				return token{kind: malformed}
			}
			run.WriteString(character)
		default:
			if isText {
				return token{kind: characters, raw: run.String()}
			}
			return r.next()
		}
		isText = true
	}
}

// fields are the values found so far.
type fields map[string]string

// set gives a field its value; a second value is an error (DET-52, DET-54).
func (f fields) set(key, value string) bool {
	if _, twice := f[key]; twice {
		return false
	}
	f[key] = value
	return true
}

// document reads the root element. In front of it only blank text may stand (DET-64).
func (r *reader) document() (fields, bool) {
	root := r.event()
	for root.kind == characters && blank(root.raw) {
		root = r.event()
	}
	found := fields{}
	if root.kind != openTag || !r.attributes(root, found) || !r.children(found) {
		return nil, false
	}
	_, hasID := found[idKey]
	_, hasText := found[textKey]
	return found, hasID && hasText
}

func (r *reader) attributes(root token, found fields) bool {
	all, ok := attributes(root.raw)
	if !ok {
		return false
	}
	for _, a := range all {
		if "@"+attributeKey(a.name) != idKey {
			continue // not even decoded
		}
		id, ok := decodeValue(a.value, r.scanner.version)
		if !ok || !found.set(idKey, id) {
			return false
		}
	}
	return true
}

// children reads up to and with the root's close tag. Blank runs of text do not count (DET-51, DET-54).
func (r *reader) children(found fields) bool {
	for {
		child := r.event()
		ok := false
		switch child.kind {
		case closeTag:
			return true
		case characters:
			ok = blank(child.raw) || found.set(textKey, child.raw)
		case openTag:
			ok = r.child(child, found)
		}
		if !ok {
			return false
		}
	}
}

// child reads one child element: the value of a field, or something to skip (DET-54).
func (r *reader) child(child token, found fields) bool {
	if key := localName(child.name); key == idKey || key == textKey {
		value, ok := r.value()
		return ok && found.set(key, value)
	}
	// Of what is skipped the first run of text must still decode; the rest is passed over.
	first := r.event()
	switch first.kind {
	case closeTag:
		return true
	case openTag:
		return r.skipPast(first.depth) && r.skipPast(child.depth)
	default:
		return first.kind == characters && r.skipPast(child.depth)
	}
}

// value reads an element that holds one run of text, blank or empty too, and nothing else.
func (r *reader) value() (value string, ok bool) {
	first := r.event()
	if first.kind == characters {
		return first.raw, r.event().kind == closeTag
	}
	return "", first.kind == closeTag
}

// skipPast skips the rest of the element of that depth, its close tag included.
func (r *reader) skipPast(depth int) bool {
	if r.ahead.kind == malformed || r.ahead.kind == endOfText || !r.scanner.skipPast(depth) {
		return false
	}
	r.ahead = r.scanner.next()
	return true
}

func blank(run string) bool { return strings.Trim(run, xmlSpace) == "" }
