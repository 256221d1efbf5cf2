package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Fault is one thing that is wrong in a tree of case files.
type Fault struct {
	File   string // relative to the root of the tree
	Line   int    // from 1; 0 where the fault is not in the text of the file
	Column int    // from 1, in characters
	Reason string
}

func (f Fault) String() string { return f.place() + ": " + f.Reason }

func (f Fault) place() string {
	file := Printable(f.File)
	if f.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, f.Line, f.Column)
}

// Faults is everything that is wrong in a tree, in order of file and position.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.String()
	}
	return strings.Join(lines, "\n")
}

// Load reads every case file of the tree, AREA/TOPIC.json, and returns the cases in the order of
// areas, files and places in a file. It is strict: a member that the format does not know is an
// error, as is everything that would make a case mean something else than it says. An error is a
// Faults and holds all of them; files directly in the root and files that are not JSON are not
// looked at.
func Load(tree fs.FS) ([]Case, error) {
	names, faults, err := caseFiles(tree)
	if err != nil {
		return nil, err
	}
	readers := make([]*fileReader, len(names))
	var work sync.WaitGroup
	next := make(chan int, len(names))
	for i := range names {
		next <- i
	}
	close(next)
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		work.Go(func() {
			for i := range next {
				readers[i] = readFile(tree, names[i])
			}
		})
	}
	work.Wait()

	cases := []Case{}
	seen := map[string]func() string{} // the place of each id, counted out only where it is needed
	for _, r := range readers {
		faults = append(faults, r.faults...)
		for i, c := range r.cases {
			if _, ok := seen[c.ID]; ok && c.ID != "" {
				faults = append(faults, r.fault(r.ids[i], fmt.Sprintf("duplicate id %s, first at %s", Quote(c.ID), seen[c.ID]())))
				continue
			}
			seen[c.ID] = func() string { return r.fault(r.ids[i], "").place() }
			cases = append(cases, c)
		}
	}
	if len(faults) == 0 {
		if len(cases) == 0 {
			return nil, errors.New("no case files: want AREA/TOPIC.json")
		}
		return cases, nil
	}
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return nil, faults
}

// caseFiles lists the case files in the order in which they run.
func caseFiles(tree fs.FS) (names []string, faults Faults, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type()&fs.ModeSymlink != 0 {
			if target, err := fs.Stat(tree, name); err == nil && target.IsDir() {
				faults = append(faults, Fault{File: name, Reason: "a symbolic link to a folder, which is not followed: put the folder itself here"})
				return nil
			}
		}
		if err != nil || entry.IsDir() || path.Ext(name) != ".json" {
			return err
		}
		switch strings.Count(name, "/") {
		case 0: // the schema
		case 1:
			names = append(names, name)
		default:
			faults = append(faults, Fault{File: name, Reason: "too deep in the tree: want AREA/TOPIC.json"})
		}
		return nil
	})
	slices.SortStableFunc(names, func(a, b string) int { // the walk went by name
		return cmp.Compare(slices.Index(areas, path.Dir(a)), slices.Index(areas, path.Dir(b)))
	})
	return names, faults, err
}

// fileReader reads one case file in one pass and notes each fault with its place.
type fileReader struct {
	name    string
	data    []byte
	decoder *jsontext.Decoder
	faults  Faults
	cases   []Case
	ids     []int // byte offset of the id of each case
}

func readFile(tree fs.FS, name string) *fileReader {
	r := &fileReader{name: name}
	info, err := fs.Stat(tree, name)
	if err == nil && !info.Mode().IsRegular() { // reading a pipe would wait for ever
		err = errors.New("not a regular file")
	}
	var data []byte
	if err == nil {
		data, err = fs.ReadFile(tree, name)
	}
	if err != nil {
		r.faults = Faults{{File: name, Reason: Printable(err.Error())}}
		return r
	}
	r.data, r.decoder = data, jsontext.NewDecoder(bytes.NewBuffer(data))
	if err := r.file(); err != nil { // not JSON: nothing behind this place can be read
		r.syntaxFault(err)
	} else if rest := bytes.TrimLeft(data[r.decoder.InputOffset():], " \t\r\n"); len(rest) > 0 {
		r.fail(len(data)-len(rest), "not valid JSON: data after the value")
	}
	return r
}

func (r *fileReader) syntaxFault(err error) {
	offset := int(r.decoder.InputOffset())
	var syntax *jsontext.SyntacticError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = len(r.data), errors.New("unexpected end of file")
	} else if errors.As(err, &syntax) {
		offset, err = int(syntax.ByteOffset), syntax.Err
		if errors.Is(err, jsontext.ErrDuplicateName) {
			err = fmt.Errorf("duplicate member %s", Quote(syntax.JSONPointer.LastToken()))
		}
	}
	r.fail(offset, "not valid JSON: %s", Printable(err.Error()))
}

func (r *fileReader) fail(offset int, format string, args ...any) {
	r.faults = append(r.faults, r.fault(offset, fmt.Sprintf(format, args...)))
}

func (r *fileReader) fault(offset int, reason string) Fault {
	before := r.data[:min(offset, len(r.data))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Fault{
		File:   r.name,
		Line:   1 + bytes.Count(before, []byte("\n")),
		Column: 1 + utf8.RuneCount(line),
		Reason: reason,
	}
}

// value reads the next value and returns its bytes and offset.
func (r *fileReader) value() (value jsontext.Value, offset int, err error) {
	read, err := r.decoder.ReadValue()
	end := int(r.decoder.InputOffset())
	offset = end - len(read)
	return r.data[offset:end:end], offset, err // the decoder may reuse what it returned
}

// object reads an object. It calls member for each member with the offset of its name; member
// reads the value. Names outside known, and known names that are absent, are faults unless
// optional.
func (r *fileReader) object(what string, known, optional []string, member func(name string, offset int) error) error {
	if r.decoder.PeekKind() != '{' {
		return r.mistyped(what, "an object")
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	start := int(r.decoder.InputOffset()) - 1
	seen := make([]string, 0, len(known)+len(optional))
	for r.decoder.PeekKind() != '}' {
		raw, offset, err := r.value()
		if err != nil {
			return err
		}
		name := unquote(raw)
		seen = append(seen, name)
		if !slices.Contains(known, name) && !slices.Contains(optional, name) {
			r.fail(offset, "unknown member %s in %s%s", Quote(name), what, Suggestion(name, slices.Concat(known, optional)))
			err = r.decoder.SkipValue()
		} else {
			err = member(name, offset)
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	for _, name := range known {
		if !slices.Contains(seen, name) {
			r.fail(start, "missing member %s in %s", Quote(name), what)
		}
	}
	return nil
}

// mistyped notes that the next value is not what it must be, and skips it.
func (r *fileReader) mistyped(what, want string) error {
	value, offset, err := r.value()
	if err == nil {
		r.fail(offset, "%s: want %s, got %s", what, want, kindName(value.Kind()))
	}
	return err
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '[':
		return "an array"
	case '{':
		return "an object"
	default:
		return "a number"
	}
}

func unquote(raw jsontext.Value) string {
	if plain := raw[1 : len(raw)-1]; bytes.IndexByte(plain, '\\') < 0 {
		return string(plain)
	}
	text, _ := jsontext.AppendUnquote(nil, raw) // the decoder has checked it
	return string(text)
}

// text reads a string; check, if any, says what is wrong with it, "" for nothing.
func (r *fileReader) text(what string, check func(string) string) (text string, offset int, err error) {
	if r.decoder.PeekKind() != '"' {
		return "", 0, r.mistyped(what, "a string")
	}
	raw, offset, err := r.value()
	if err != nil {
		return "", 0, err
	}
	text = unquote(raw)
	if check != nil {
		if reason := check(text); reason != "" {
			r.fail(offset, "%s", reason)
		}
	}
	return text, offset, nil
}

// texts reads an array of distinct strings.
func (r *fileReader) texts(what string, required bool, check func(string) string) ([]string, error) {
	if r.decoder.PeekKind() != '[' {
		return nil, r.mistyped(what, "an array")
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return nil, err
	}
	start := int(r.decoder.InputOffset()) - 1
	texts := []string{}
	for r.decoder.PeekKind() != ']' {
		text, offset, err := r.text("an entry of "+what, check)
		if err != nil {
			return nil, err
		}
		if slices.Contains(texts, text) {
			r.fail(offset, "%s names %s twice", what, Quote(text))
		}
		texts = append(texts, text)
	}
	if required && len(texts) == 0 {
		r.fail(start, "%s is empty: want at least one entry", what)
	}
	_, err := r.decoder.ReadToken()
	return texts, err
}

// oneOf returns a check that the text is one of the names.
func oneOf(what string, names []string) func(string) string {
	return func(text string) string {
		if slices.Contains(names, text) {
			return ""
		}
		return fmt.Sprintf("unknown %s %s%s", what, Quote(text), Suggestion(text, names))
	}
}

func oneLine(what string) func(string) string {
	return func(text string) string {
		if isLine(text) {
			return ""
		}
		return what + ": want one line of text without blanks around it, got " + Quote(text)
	}
}

func (r *fileReader) file() error {
	return r.object("the file", []string{"$schema", "area", "cases"}, nil, func(name string, _ int) error {
		switch name {
		case "$schema":
			_, _, err := r.text(name, oneOf("$schema", []string{schemaReference}))
			return err
		case "area":
			_, _, err := r.text(name, func(area string) string {
				if reason := oneOf("area", areas)(area); reason != "" {
					return reason
				}
				if folder := path.Dir(r.name); area != folder {
					return fmt.Sprintf("area %s in the folder of area %s", Quote(area), Quote(folder))
				}
				return ""
			})
			return err
		default:
			return r.caseList()
		}
	})
}

func (r *fileReader) caseList() error {
	if r.decoder.PeekKind() != '[' {
		return r.mistyped("cases", "an array")
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	if r.decoder.PeekKind() == ']' {
		r.fail(int(r.decoder.InputOffset())-1, "the file has no cases")
	}
	for r.decoder.PeekKind() != ']' {
		if err := r.oneCase(); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

var (
	caseMembers   = []string{"id", "title", "why", "requirements", "profiles", "level", "tags", "method", "params"}
	answerMembers = []string{"result", "error"}
)

func (r *fileReader) oneCase() error {
	c := Case{File: r.name}
	idOffset, answerOffset := -1, -1
	isObject := r.decoder.PeekKind() == '{'
	err := r.object("a case", caseMembers, answerMembers, func(name string, offset int) (err error) {
		switch name {
		case "id":
			c.ID, idOffset, err = r.text(name, r.checkID)
		case "title":
			c.Title, _, err = r.text(name, oneLine(name))
		case "why":
			c.Why, _, err = r.text(name, oneLine(name))
		case "requirements":
			c.Requirements, err = r.texts(name, true, func(text string) string {
				if isRequirement(text) {
					return ""
				}
				return "requirement " + Quote(text) + ": want three capital letters, a hyphen and a number, such as DET-2"
			})
		case "profiles":
			c.Profiles, err = r.texts(name, true, oneOf("profile", profiles))
		case "level":
			var level string
			level, _, err = r.text(name, oneOf("level", levels))
			c.Level = Level(level)
		case "tags":
			c.Tags, err = r.texts(name, false, func(text string) string {
				if isTag(text) {
					return ""
				}
				return "tag " + Quote(text) + ": want letters, digits, dots, underscores and hyphens"
			})
		case "method":
			c.Method, _, err = r.text(name, oneOf("method", methods))
		case "params":
			c.Params, err = r.params()
		case "result":
			answerOffset = offset
			c.Result, _, err = r.value()
		case "error":
			answerOffset = offset
			c.Error, err = r.expectedError()
		}
		return err
	})
	if err != nil || !isObject {
		return err
	}
	switch end := int(r.decoder.InputOffset()); {
	case answerOffset < 0:
		r.fail(end-1, "case %s has neither result nor error: want one of them", Quote(c.ID))
	case c.Result != nil && c.Error != nil:
		r.fail(answerOffset, "case %s has both result and error: want one of them", Quote(c.ID))
	}
	r.cases = append(r.cases, c)
	r.ids = append(r.ids, max(idOffset, 0))
	return nil
}

func (r *fileReader) checkID(id string) string {
	area, slug, _ := strings.Cut(id, "/")
	switch folder := path.Dir(r.name); {
	case area != folder:
		return fmt.Sprintf("id %s is not in its area: want %s", Quote(id), Quote(folder+"/…"))
	case !isSlug(slug):
		return fmt.Sprintf("id %s: want a slug of a-z, 0-9 and hyphens after %s", Quote(id), Quote(folder+"/"))
	}
	return ""
}

func (r *fileReader) params() (jsontext.Value, error) {
	if r.decoder.PeekKind() != '{' {
		return nil, r.mistyped("params", "an object")
	}
	params, offset, err := r.value()
	if err == nil && hasMember(params, "profile") {
		r.fail(offset, "params has a member \"profile\": the runner adds it")
	}
	return params, err
}

// hasMember reports whether a valid object has a member of that name, which is ASCII letters.
func hasMember(object jsontext.Value, name string) bool {
	if !bytes.Contains(object, []byte(name)) && bytes.IndexByte(object, '\\') < 0 {
		return false // the common case, without a second pass
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(object))
	if _, err := decoder.ReadToken(); err != nil {
		return false
	}
	for decoder.PeekKind() == '"' {
		token, err := decoder.ReadToken()
		if err != nil || token.String() == name {
			return err == nil
		}
		if decoder.SkipValue() != nil {
			return false
		}
	}
	return false
}

func (r *fileReader) expectedError() (*ExpectedError, error) {
	expected := &ExpectedError{}
	err := r.object("error", []string{"code"}, []string{"path"}, func(name string, _ int) error {
		if name == "path" {
			text, _, err := r.text(name, func(text string) string {
				if isPointer(text) {
					return ""
				}
				return "path " + Quote(text) + ": want an RFC 6901 JSON pointer, such as /fragment/type"
			})
			expected.Path = &text
			return err
		}
		if r.decoder.PeekKind() != '0' {
			return r.mistyped("code", "an integer")
		}
		literal, offset, err := r.value()
		if err != nil {
			return err
		}
		if expected.Code, err = strconv.Atoi(string(literal)); err != nil {
			r.fail(offset, "code: want an integer, got %s", literal)
		}
		return nil
	})
	return expected, err
}
