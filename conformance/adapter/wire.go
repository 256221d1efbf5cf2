package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// appendRequest appends one request line with its line feed. Params must be compact.
func appendRequest(dst []byte, id int64, method string, params jsontext.Value) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, id, 10)
	dst = append(dst, `,"method":`...)
	dst, _ = jsontext.AppendQuote(dst, method) // replaces what is not UTF-8
	if len(params) > 0 {
		dst = append(dst, `,"params":`...)
		dst = append(dst, params...)
	}
	return append(dst, "}\n"...)
}

// oneLine returns params as they may stand in a request line. Only the white space changes: the
// spelling of strings and numbers may be what a case is about.
func oneLine(params jsontext.Value) (jsontext.Value, error) {
	if params == nil {
		return nil, nil
	}
	if !bytes.ContainsAny(params, "\r\n") {
		if params.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			return params, nil
		}
	}
	compact := params.Clone()
	err := compact.Compact()
	return compact, err
}

// response is one well-formed answer.
type response struct {
	id     int64
	noID   bool // id null: an error to a request that the child could not read
	result jsontext.Value
	err    *protocol.Error
}

// fault is why a line is no answer. The ids are the requests that the line names all the same: an
// answer that is broken inside still says which case it belongs to.
type fault struct {
	kind   FailureKind
	detail string
	ids    []int64
}

// lineDecoder reads response lines. It keeps its buffers between lines.
type lineDecoder struct {
	source bytes.Buffer
	tokens jsontext.Decoder
}

// The members of a response that have been seen.
const (
	seenVersion = 1 << iota
	seenID
	seenResult
	seenError
	seenMethod
)

// decode reads one line without its line feed. The result aliases the line.
func (d *lineDecoder) decode(line []byte) (response, *fault) {
	r, err := d.envelope(line)
	if err == nil {
		return r, nil
	}
	f := &fault{kind: InvalidResponse, detail: err.Error(), ids: namedIDs(line)}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		f.kind, f.detail = Garbage, describeSyntax(line, syntax)
	}
	var id *idError
	switch {
	case errors.Is(err, errEmpty):
		f.kind = Garbage
	case errors.Is(err, errMethod):
		f.ids = nil // the adapter's own ids have nothing to do with ours
	case errors.As(err, &id):
		f.kind = WrongID
	}
	return response{}, f
}

var (
	errEmpty  = errors.New("an empty line")
	errMethod = errors.New("it has a method: an adapter answers, it does not call or notify")
)

// idError is an id that is no integer.
type idError struct{ literal string }

func (e *idError) Error() string {
	return fmt.Sprintf("the id is %s, want the integer of the request", e.literal)
}

func (d *lineDecoder) envelope(line []byte) (response, error) {
	d.source = *bytes.NewBuffer(line) // the decoder reads from it without a copy
	d.tokens.Reset(&d.source)
	if kind := d.tokens.PeekKind(); kind != '{' {
		value, err := d.tokens.ReadValue()
		switch {
		case errors.Is(err, io.EOF):
			return response{}, errEmpty
		case err != nil:
			return response{}, err
		case value.Kind() == '[':
			return response{}, errors.New("an array, want one response a line")
		}
		return response{}, d.end(fmt.Errorf("%s, want a response object", kindName(value.Kind())))
	}
	if _, err := d.tokens.ReadToken(); err != nil {
		return response{}, err
	}
	var (
		r    response
		seen int
		odd  error // the first thing wrong besides syntax, which goes before all
	)
	note := func(err error) {
		if odd == nil {
			odd = err
		}
	}
	for d.tokens.PeekKind() != '}' {
		token, err := d.tokens.ReadToken()
		if err != nil {
			return response{}, err
		}
		// The token is void after the next read, so the name is decided on before it.
		member := 0
		switch token.String() {
		case "jsonrpc":
			member = seenVersion
		case "id":
			member = seenID
		case "result":
			member = seenResult
		case "error":
			member = seenError
		case "method":
			member = seenMethod
		}
		value, err := d.tokens.ReadValue()
		if err != nil {
			return response{}, err
		}
		seen |= member
		switch member {
		case seenVersion:
			if string(value) != `"2.0"` {
				note(fmt.Errorf(`jsonrpc is %s, want "2.0"`, quoteShort(value)))
			}
		case seenID:
			r.id, err = strconv.ParseInt(string(value), 10, 64)
			r.noID = value.Kind() == 'n'
			if err != nil && !r.noID {
				note(&idError{quoteShort(value)})
			}
		case seenResult:
			r.result = value
		case seenError:
			r.err, err = decodeError(value)
			if err != nil {
				note(err)
			}
		}
	}
	if _, err := d.tokens.ReadToken(); err != nil {
		return response{}, err
	}
	if err := d.end(nil); err != nil {
		return response{}, err
	}
	switch {
	case seen&seenMethod != 0:
		return response{}, errMethod
	case seen&seenVersion == 0:
		return response{}, errors.New(`jsonrpc is missing, want "2.0"`)
	case seen&seenID == 0:
		return response{}, errors.New("id is missing")
	case seen&seenResult != 0 && seen&seenError != 0:
		return response{}, errors.New("it has both a result and an error; a response has one, and leaves the other out")
	case odd != nil:
		return response{}, odd
	case seen&(seenResult|seenError) == 0:
		return response{}, errors.New("it has neither a result nor an error")
	case r.noID && r.err == nil:
		return response{}, errors.New("a result with id null")
	}
	return r, nil
}

// end checks that nothing stands after the document; it returns err if so.
func (d *lineDecoder) end(err error) error {
	if _, syntax := d.tokens.ReadToken(); syntax == nil {
		return errors.New("more than one JSON value in the line")
	} else if !errors.Is(syntax, io.EOF) {
		return syntax
	}
	return err
}

// decodeError reads an error object: an integer code, a message, and data of any kind.
func decodeError(value jsontext.Value) (*protocol.Error, error) {
	if value.Kind() != '{' {
		return nil, fmt.Errorf("error is %s, want an object with code and message", kindName(value.Kind()))
	}
	var members struct {
		Code    jsontext.Value `json:"code"`
		Message *string        `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(value, &members); err != nil {
		return nil, errors.New("error.message is no string")
	}
	code, err := strconv.Atoi(string(members.Code))
	switch {
	case members.Code == nil:
		return nil, errors.New("error.code is missing")
	case err != nil:
		return nil, fmt.Errorf("error.code is %s, want an integer", quoteShort(members.Code))
	case members.Message == nil:
		return nil, errors.New("error.message is missing")
	}
	return &protocol.Error{Code: code, Message: *members.Message, Data: members.Data}, nil
}

// namedIDs returns the request ids that a broken line names, each once. It reads leniently as far
// as the line goes, and last at the end of the line, where an id behind the broken part would be.
func namedIDs(line []byte) []int64 {
	if !bytes.Contains(line, []byte(`"id"`)) {
		return nil // most noise
	}
	var ids []int64
	add := func(literal string) {
		literal = strings.Trim(literal, `"`)
		literal = strings.TrimSuffix(literal, ".0")
		id, err := strconv.ParseInt(literal, 10, 64)
		for _, known := range ids {
			if known == id {
				return
			}
		}
		if err == nil {
			ids = append(ids, id)
		}
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(line, []byte(byteOrderMark))), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for d.PeekKind() == '{' { // more than one document: two answers in one line
		found, err := idOf(d)
		if found != "" {
			add(found)
		}
		if err != nil {
			break
		}
	}
	if match := idAtEnd.FindSubmatch(line[max(0, len(line)-idTail):]); match != nil && len(ids) == 0 {
		add(string(match[1]))
	}
	return ids
}

// idTail is how far from the end of a line its id is looked for.
const idTail = 64

var idAtEnd = regexp.MustCompile(`[,{]\s*"id"\s*:\s*("?-?\d+"?)\s*}\s*$`)

// idOf reads one object and returns the literal of its first member named id, even where the
// rest of the object cannot be read.
func idOf(d *jsontext.Decoder) (literal string, err error) {
	if _, err := d.ReadToken(); err != nil {
		return "", err
	}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return literal, err
		}
		if name.Kind() == '"' && name.String() == "id" && literal == "" {
			value, err := d.ReadValue()
			if err != nil {
				return "", err
			}
			literal = string(value)
			continue
		}
		if err := d.SkipValue(); err != nil {
			return literal, err
		}
	}
	_, err = d.ReadToken()
	return literal, err
}

const byteOrderMark = "\ufeff"

func describeSyntax(line []byte, err *jsontext.SyntacticError) string {
	if bytes.HasPrefix(line, []byte(byteOrderMark)) {
		return "not JSON: the line begins with a byte order mark"
	}
	reason := "it ends in the middle of a value"
	if !errors.Is(err.Err, io.ErrUnexpectedEOF) && err.Err != nil {
		reason = strings.TrimPrefix(err.Err.Error(), "jsontext: ")
	}
	where := fmt.Sprintf("at byte %d", err.ByteOffset)
	if pointer := string(err.JSONPointer); pointer != "" && len(pointer) < 200 {
		where += fmt.Sprintf(" (%q)", pointer)
	}
	return fmt.Sprintf("not strict JSON: %s %s", reason, where)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	default:
		return "an object"
	}
}

// quoteLimit is how much of a line a message quotes.
const quoteLimit = 160

// quoteShort quotes the beginning of what the child wrote, so that no control character and no
// broken UTF-8 reaches a terminal or a report.
func quoteShort(text []byte) string {
	if len(text) <= quoteLimit {
		return quoteStart(text)
	}
	return fmt.Sprintf("%s (%d bytes)", quoteStart(text), len(text))
}

// quoteStart is quoteShort where the length of the text means nothing.
func quoteStart(text []byte) string {
	more := ""
	if len(text) > quoteLimit {
		cut := quoteLimit
		for cut > quoteLimit-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text, more = text[:cut], "…"
	}
	quoted := strconv.QuoteToGraphic(string(text))
	if quoted[1:len(quoted)-1] != string(text) && strconv.CanBackquote(string(text)) && graphic(text) {
		quoted = "`" + string(text) + "`" // JSON is easier to read so
	}
	return quoted + more
}

func graphic(text []byte) bool {
	for _, r := range string(text) {
		if !strconv.IsGraphic(r) {
			return false
		}
	}
	return true
}
