// Package suite turns the case files of fixtures/ into verdicts on an implementation: it loads
// and selects cases, plans which of them an implementation must answer, compares answers with
// what the cases expect, and registers the outcome of each as a Ginkgo spec.
//
// It starts no process and prints nothing: conformance/adapter carries the calls, and
// conformance/report renders the results.
package suite

import (
	"cmp"
	"strings"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

// Case is one check: a call, and what an implementation must answer. It is one entry of a case
// file; fixtures/case-file.schema.json is the same shape as JSON Schema.
type Case struct {
	ID           string         `json:"id" jsonschema:"area/slug, unique in all files and never changed"`
	Title        string         `json:"title" jsonschema:"what holds, in one line"`
	Why          string         `json:"why" jsonschema:"what goes wrong for a user where it does not hold, in one line"`
	Requirements []string       `json:"requirements" jsonschema:"the requirements that the case checks"`
	Profiles     []string       `json:"profiles" jsonschema:"the profiles in which the case holds"`
	Level        Level          `json:"level" jsonschema:"core: what happens every day; edge: the corners"`
	Tags         []string       `json:"tags" jsonschema:"free labels to select by"`
	Method       string         `json:"method" jsonschema:"the method to call"`
	Params       jsontext.Value `json:"params" jsonschema:"the params of the call, without profile: the runner adds it"`
	Result       jsontext.Value `json:"result,omitzero" jsonschema:"the expected result; members whose name starts with x- are not compared"`
	Error        *ExpectedError `json:"error,omitzero" jsonschema:"the expected error, in place of a result"`

	File string `json:"-"` // the case file, relative to the root of the tree
	Tree string `json:"-"` // where the tree is; "" is the embedded one, fixtures
}

// ExpectedError is an error that a case wants for an answer.
type ExpectedError struct {
	Code int     `json:"code" jsonschema:"the JSON-RPC error code"`
	Path *string `json:"path,omitzero" jsonschema:"RFC 6901 pointer into params that the error's data.path must be; absent: any"`
}

// File is one case file, fixtures/AREA/TOPIC.json.
type File struct {
	Schema string `json:"$schema"`
	Area   string `json:"area" jsonschema:"the folder that the file is in"`
	Cases  []Case `json:"cases"`
}

// Level says how common the situation of a case is.
type Level string

// The levels.
const (
	Core Level = "core" // what happens every day
	Edge Level = "edge" // the corners
)

var levels = []string{string(Core), string(Edge)}

// areas are the folders of the tree in the order in which cases run and are reported: from single
// markers to whole conversations.
var areas = []string{
	"marker-matching",
	"rendering",
	"display",
	"hook-prompts",
	"merge-boundaries",
	"initial-context",
	"additional-context",
	"snapshot-dedupe",
	"merge-patch",
	"mixed-bundle-rollback",
	"history",
	"legacy-shims",
	"environment-context",
	"turn-state",
	"lifecycle",
	"rollouts",
	"multi-agent-mode",
}

var profiles = []string{protocol.ContextFragments, protocol.ModelVisible}

// methods are those that a case may call: all but initialize, which the adapter answers first.
var methods = []string{
	protocol.MarkerMatch,
	protocol.FragmentRender,
	protocol.FragmentClassify,
	protocol.MessageMerge,
	protocol.MessageProject,
	protocol.AdditionalMerge,
	protocol.MergePatchCreate,
	protocol.MergePatchApply,
	protocol.WorldStateDiff,
	protocol.ContextInitial,
	protocol.HistoryTurns,
	protocol.HistoryRollback,
	protocol.HistoryNormalize,
	protocol.TurnStateBuild,
	protocol.SessionRun,
	protocol.RolloutResume,
	protocol.RolloutExplain,
}

// schemaReference is what each case file names as its schema, seen from its folder.
const schemaReference = "../case-file.schema.json"

// The spelling rules. They are code and not regular expressions because they run on every member
// of every case at each start; the JSON Schema has them as patterns, and a test compares the two.

// isSlug: [a-z0-9][a-z0-9-]*
func isSlug(text string) bool {
	for i, c := range []byte(text) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' && i > 0) {
			return false
		}
	}
	return text != ""
}

// isRequirement: three capital letters, a hyphen and a number without leading zeros.
func isRequirement(text string) bool {
	if len(text) < 5 || text[3] != '-' || text[4] == '0' {
		return false
	}
	for i, c := range []byte(text) {
		if i < 3 && (c < 'A' || c > 'Z') || i > 3 && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// isTag: [A-Za-z0-9][A-Za-z0-9._-]*, which is a valid Ginkgo label too.
func isTag(text string) bool {
	for i, c := range []byte(text) {
		alphanumeric := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alphanumeric && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return text != ""
}

// isLine: one line of text without blanks around it.
func isLine(text string) bool {
	return text != "" && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "\n\r")
}

// isPointer: an RFC 6901 JSON pointer.
func isPointer(text string) bool {
	if text != "" && text[0] != '/' {
		return false
	}
	for i, c := range []byte(text) {
		if c == '~' && (i+1 == len(text) || text[i+1] != '0' && text[i+1] != '1') {
			return false
		}
	}
	return true
}

// Area returns the area of the case, the first half of its id.
func (c *Case) Area() string {
	area, _, _ := strings.Cut(c.ID, "/")
	return area
}

// Location names the case in its file, for a report: "fixtures/AREA/TOPIC.json#AREA/SLUG".
func (c *Case) Location() string { return c.Path() + "#" + c.ID }

// Path is the case file with the tree in front.
func (c *Case) Path() string {
	return strings.TrimSuffix(cmp.Or(c.Tree, "fixtures"), "/") + "/" + c.File
}
