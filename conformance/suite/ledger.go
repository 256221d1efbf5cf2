package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"

	"github.com/contextfragments/conform/conformance/protocol"
)

// Ledger is the list of an implementation's known failures: what fails as it says does not count
// against the implementation, and what it says wrongly does.
type Ledger struct {
	File    string // as it was given
	Entries []Entry
}

// Entry is one line of a Ledger: cases that fail, and why.
type Entry struct {
	Line           int    `json:"line" jsonschema:"of the file, from 1"`
	Case           string `json:"case" jsonschema:"the id of a case, or a glob as --case takes it"`
	Reason         string `json:"reason" jsonschema:"why it fails"`
	Issue          string `json:"issue,omitzero" jsonschema:"where it is dealt with"`
	Message        string `json:"message,omitzero" jsonschema:"a part of what a run says under the case; white space is all the same"`
	AdapterVersion string `json:"adapter_version,omitzero" jsonschema:"the versions of the adapter that the entry is about, such as >=1.2 <2; absent: all"`
	Profile        string `json:"profile,omitzero" jsonschema:"the profile that the entry is about; absent: all"`
	Expires        string `json:"expires,omitzero" jsonschema:"YYYY-MM-DD, the last day on which the entry holds"`
	Flaky          bool   `json:"flaky,omitzero" jsonschema:"the case sometimes passes"`

	versions versionRange
}

// entryMembers are the members of an entry in the order in which they are best read.
var entryMembers = []string{"case", "reason", "issue", "message", "adapter_version", "profile", "expires"}

// The lists of a ledger.
const (
	knownList = "failures"
	flakyList = "flaky"
)

// ReadLedger reads a ledger. It is as strict as Load: what it does not know is an error, with the
// place in the file, and an error is a Faults.
func ReadLedger(file string, data []byte) (*Ledger, error) {
	r := ledgerReader{ledger: &Ledger{File: file}}
	if root := r.document(data); root != nil {
		r.lists(root)
	}
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b Fault) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, r.faults
	}
	return r.ledger, nil
}

type ledgerReader struct {
	ledger *Ledger
	faults Faults
}

func (r *ledgerReader) fail(at *yaml.Node, format string, args ...any) {
	r.faults = append(r.faults, Fault{r.ledger.File, at.Line, at.Column, fmt.Sprintf(format, args...)})
}

var yamlPlace = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document returns the one value of the file, nil where there is none or it cannot be read.
func (r *ledgerReader) document(data []byte) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	err := decoder.Decode(&root)
	if err == nil {
		if err = decoder.Decode(&more); err == nil {
			r.fail(&more, "a second document: want one")
			return nil
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		match := yamlPlace.FindStringSubmatch(err.Error())
		fault := Fault{File: r.ledger.File, Reason: "not valid YAML: " + strings.TrimPrefix(err.Error(), match[0])}
		if line, err := strconv.Atoi(match[1]); err == nil {
			fault.Line, fault.Column = line, 1
		}
		r.faults = append(r.faults, fault)
		return nil
	}
	if root.Kind != yaml.DocumentNode || isNull(root.Content[0]) {
		return nil // empty: a ledger without entries
	}
	return root.Content[0]
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" }

// members reads a mapping.
func (r *ledgerReader) members(node *yaml.Node, what string, known []string, member func(name string, value *yaml.Node)) {
	if node.Kind != yaml.MappingNode || node.ShortTag() != "!!map" {
		r.fail(node, "%s: want a mapping of %s, got %s", what, strings.Join(known, ", "), yamlKind(node))
		return
	}
	seen := map[string]int{}
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		line, twice := seen[key.Value]
		seen[key.Value] = key.Line
		switch {
		case key.Kind != yaml.ScalarNode:
			r.fail(key, "%s: want the name of a member, got %s", what, yamlKind(key))
		case twice:
			r.fail(key, "duplicate member %s in %s, first in line %d: keep one", Quote(key.Value), what, line)
		case key.Value == flakyList && !slices.Contains(known, flakyList):
			r.fail(key, "unknown member %s in %s: entries of flaky cases stand in a list of their own, %s: at the left margin", Quote(key.Value), what, flakyList)
		case !slices.Contains(known, key.Value):
			r.fail(key, "unknown member %s in %s%s; there are %s", Quote(key.Value), what, Suggestion(key.Value, known), strings.Join(known, ", "))
		default:
			member(key.Value, value)
		}
	}
}

func yamlKind(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias, which is not read: write it out"
	}
	switch node.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		return "text"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	default:
		return "a value of the type " + Printable(node.ShortTag())
	}
}

func (r *ledgerReader) lists(root *yaml.Node) {
	r.members(root, "the ledger", []string{knownList, flakyList}, func(name string, list *yaml.Node) {
		if isNull(list) {
			return
		}
		if list.Kind != yaml.SequenceNode || list.ShortTag() != "!!seq" {
			r.fail(list, "%s: want a list of entries, got %s", name, yamlKind(list))
			return
		}
		for _, node := range list.Content {
			r.entry(node, name == flakyList)
		}
	})
}

func (r *ledgerReader) entry(node *yaml.Node, flaky bool) {
	e := Entry{Line: node.Line, Flaky: flaky}
	r.members(node, "an entry", entryMembers, func(name string, value *yaml.Node) {
		if reason := e.set(name, value); reason != "" {
			r.fail(value, "%s: %s", name, reason)
		}
	})
	if node.Kind == yaml.MappingNode {
		for name, advice := range map[string]string{"case": "name a case, or a glob such as \"history/rollback-*\"", "reason": "say why it fails"} {
			if !slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return n.Value == name }) {
				r.fail(node, "missing member %s in an entry: %s", Quote(name), advice)
			}
		}
	}
	r.ledger.Entries = append(r.ledger.Entries, e)
}

// set reads one member and returns what is wrong with it, "" for nothing.
func (e *Entry) set(name string, value *yaml.Node) string {
	if value.Kind != yaml.ScalarNode {
		return "want text, got " + yamlKind(value)
	}
	text := value.Value
	switch tag := value.ShortTag(); {
	case tag == "!!str":
	case tag == "!!timestamp" && name == "expires":
	case (tag == "!!float" || tag == "!!int") && name == "adapter_version":
	case tag == "!!null":
		return "nothing behind it: give a value, or leave the member out"
	default:
		return "want text, got " + yamlKind(value) + ": put it in quotes"
	}
	if strings.TrimSpace(text) == "" {
		return "empty: give a value, or leave the member out"
	}
	var err error
	switch name {
	case "case":
		e.Case = text
		if !doublestar.ValidatePattern(text) {
			return "malformed pattern " + Quote(text) + ": a bracket, brace or backslash is left open"
		}
	case "reason":
		e.Reason = text
	case "issue":
		e.Issue = text
	case "message":
		e.Message = text
	case "adapter_version":
		e.AdapterVersion = text
		e.versions, err = parseVersionRange(text)
	case "profile":
		e.Profile = text
		if reason := oneOf("profile", profiles)(text); reason != "" {
			return reason + "; there are " + strings.Join(profiles, ", ")
		}
	case "expires":
		e.Expires = text
		if _, wrong := time.Parse(time.DateOnly, text); wrong != nil {
			return Quote(text) + " is no date: want YYYY-MM-DD, such as 2027-03-01"
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Standing is what an entry counts for in a run.
type Standing struct {
	State EntryState `json:"state"`
	Note  string     `json:"note,omitzero" jsonschema:"what is wrong, and what to do"`
}

// EntryState is the kind of a Standing.
type EntryState string

// The states of an entry. Only what applies is held against runs; all but the first two are errors.
const (
	Applies      EntryState = "applies"
	OtherVersion EntryState = "other version" // not about this version of the adapter
	Expired      EntryState = "expired"
	Unmatched    EntryState = "unmatched"    // no such case
	NoOrder      EntryState = "no order"     // whether it is about this version of the adapter is unknown
	NotDeclared  EntryState = "not declared" // the adapter does not declare its profile
)

// Wrong reports whether an entry in that state is an error.
func (s EntryState) Wrong() bool { return s != Applies && s != OtherVersion }

// Known is a ledger, and what its entries are judged by besides the runs.
type Known struct {
	Ledger *Ledger
	Tree   []Case // all cases, also those that are not run
	Today  string // YYYY-MM-DD
}

// standings judges the entries before any run: which count for an implementation that declares
// itself so.
func (k *Known) standings(declared protocol.InitializeResult) []Standing {
	standings := make([]Standing, len(k.Ledger.Entries))
	for i := range standings {
		standings[i] = k.standing(&k.Ledger.Entries[i], declared)
	}
	return standings
}

func (k *Known) standing(e *Entry, declared protocol.InitializeResult) Standing {
	matched := false
	for i := range k.Tree {
		c := &k.Tree[i]
		matched = matched || e.matchesID(c.ID) && (e.Profile == "" || slices.Contains(c.Profiles, e.Profile))
	}
	if !matched {
		return Standing{Unmatched, "no such case" + k.hint(e) + ": name another, or remove the entry"}
	}
	if e.Expires != "" && e.Expires < k.Today {
		return Standing{Expired, "expired on " + e.Expires + ": mend what fails, or renew the date"}
	}
	switch holds, err := e.versions.holds(declared.Implementation.Version); {
	case err != nil:
		return Standing{NoOrder, err.Error()}
	case !holds:
		return Standing{State: OtherVersion}
	case e.Profile != "" && !slices.Contains(declared.Profiles, e.Profile):
		return Standing{NotDeclared, "the adapter does not declare the profile " + e.Profile + ", so nothing of it is run"}
	}
	return Standing{State: Applies}
}

// hint says which cases an entry that matches none may have meant.
func (k *Known) hint(e *Entry) string {
	ids := []string{}
	for i := range k.Tree {
		if e.matchesID(k.Tree[i].ID) {
			return " in profile " + e.Profile
		}
		ids = append(ids, k.Tree[i].ID)
	}
	return Suggestion(e.Case, ids)
}

func (e *Entry) matchesID(id string) bool {
	return e.Case == id || e.isGlob() && doublestar.MatchUnvalidated(e.Case, id)
}

// isGlob reports whether the entry may be about several cases.
func (e *Entry) isGlob() bool { return strings.ContainsAny(e.Case, `*?[{\`) }

// covers reports whether the entry is about that case in that profile.
func (e *Entry) covers(id, profile string) bool {
	return (e.Profile == "" || e.Profile == profile) && e.matchesID(id)
}

// explains reports whether the message of the entry is in what a run says.
func (e *Entry) explains(detail string) bool {
	return strings.Contains(foldBlanks(detail), foldBlanks(e.Message))
}

// foldBlanks makes each run of white space one blank: a message may be copied from several lines.
func foldBlanks(text string) string { return strings.Join(strings.Fields(text), " ") }

// covering returns the entries that apply to a run, by their index.
func covering(entries []Entry, standings []Standing, id, profile string) []int {
	found := []int{}
	for i := range entries {
		if standings[i].State == Applies && entries[i].covers(id, profile) {
			found = append(found, i)
		}
	}
	return found
}

// apply writes into the judgements what the ledger makes of them. A run that fails as an entry says
// becomes an ExpectedFailure; one that passes although it should not, an UnexpectedPass. Everything
// else keeps its verdict.
func (k *Known) apply(standings []Standing, runs []Run, judgements []Judgement) {
	for i := range runs {
		j := &judgements[i]
		found := covering(k.Ledger.Entries, standings, runs[i].Case.ID, runs[i].Profile)
		if len(found) == 0 || j.Verdict == NotRun {
			continue
		}
		for _, other := range found[1:] {
			j.AlsoKnown = append(j.AlsoKnown, &k.Ledger.Entries[other])
		}
		e := &k.Ledger.Entries[found[0]]
		j.Known = e
		switch {
		case (j.Verdict == Failed || j.Verdict == Errored) && e.explains(j.Detail()):
			j.Verdict = ExpectedFailure
		case j.Verdict == Passed && !e.Flaky:
			j.Verdict = UnexpectedPass
		}
	}
}

// Detail is what a run says under the case: what led to the verdict, with the kind of failure where
// there is no answer.
func (j Judgement) Detail() string {
	if j.Failure != nil {
		return string(j.Failure.Kind) + ": " + j.String()
	}
	return j.String()
}
