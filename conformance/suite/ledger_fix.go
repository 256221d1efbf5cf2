package suite

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/contextfragments/conform/conformance/protocol"
)

// KnownResult is what came of one run, as far as a ledger is concerned.
type KnownResult struct {
	Case, Profile string
	Verdict       Verdict // Passed, Failed, Errored or Skipped
	Detail        string  // as Judgement.Detail
}

func (r KnownResult) failed() bool { return r.Verdict == Failed || r.Verdict == Errored }

// Repair is a ledger that was put right.
type Repair struct {
	Text    []byte   // the whole file; the same as before where nothing changed
	Changes []string // what was changed, in words
	Left    []string // what somebody has to decide
}

// Fix puts the ledger right for a complete run of all cases: it takes out entries of what passes,
// renews messages, and with a reason adds what fails. The rest of the file stays as it is, to the
// byte. Source is the text that the ledger was read from.
func (k *Known) Fix(source []byte, results []KnownResult, declared protocol.InitializeResult, reason string) (Repair, error) {
	edit, err := newLedgerEditor(k.Ledger, source)
	if err != nil {
		return Repair{}, err
	}
	repair := Repair{}
	change := func(format string, args ...any) {
		repair.Changes = append(repair.Changes, fmt.Sprintf(format, args...))
	}
	leave := func(format string, args ...any) { repair.Left = append(repair.Left, fmt.Sprintf(format, args...)) }
	standings := k.standings(declared)
	explained := map[int]bool{} // results that an entry is about
	wanted := []Entry{}         // the entries that the new file must have
	for i := range k.Ledger.Entries {
		e := &k.Ledger.Entries[i]
		name := fmt.Sprintf("%s:%d: %s", Printable(k.Ledger.File), e.Line, Printable(e.Case))
		if standings[i].State.Wrong() {
			leave("%s: %s", name, standings[i].Note)
		}
		if state := standings[i].State; state != Applies {
			for n, result := range results { // what waits for a decision is not new
				explained[n] = explained[n] || (state == Expired || state == NoOrder) && e.covers(result.Case, result.Profile)
			}
			wanted = append(wanted, *e)
			continue
		}
		var passing, failing, skipped, twice []KnownResult
		for n, result := range results {
			if !e.covers(result.Case, result.Profile) {
				continue
			}
			if explained[n] {
				twice = append(twice, result)
				continue
			}
			explained[n] = true
			switch {
			case result.failed():
				failing = append(failing, result)
			case result.Verdict == Skipped:
				skipped = append(skipped, result)
			default:
				passing = append(passing, result)
			}
		}
		other := slices.ContainsFunc(failing, func(r KnownResult) bool { return !e.explains(r.Detail) })
		switch {
		case len(twice) > 0:
			leave("%s: another entry in front of it is about %s too: keep one", name, twice[0].Case)
		case len(skipped) > 0:
			leave("%s: %s is skipped, so nobody knows whether it still fails", name, skipped[0].Case)
		case e.Flaky && other && (e.isGlob() || len(failing) > 1): // what passes today belongs to it too
			leave("%s: fails with another message: %s", name, messageOf(failing[0]))
		case len(failing) == 0 && !e.Flaky:
			change("%s: passes, removed", name)
			edit.gone[i] = true
			continue
		case other || len(passing) > 0 && !e.Flaky:
			replaced := e.narrowed(failing, passing)
			if len(replaced) == 1 && replaced[0].Case == e.Case && replaced[0].Profile == e.Profile {
				change("%s: its message is now %s", name, Quote(replaced[0].Message))
			} else {
				change("%s: became %d, one for each that fails", name, len(replaced))
			}
			wanted = append(wanted, replaced...)
			edit.replace(i, replaced)
			continue
		}
		wanted = append(wanted, *e)
	}
	added := k.unknown(results, explained, reason)
	if reason == "" {
		for _, e := range added {
			leave("%s fails, and is not in the ledger", profiled(e))
		}
		added = nil
	}
	for _, e := range added {
		change("%s added", profiled(e))
	}
	edit.add(added)
	repair.Text, err = edit.text(wanted, added)
	return repair, err
}

func profiled(e Entry) string {
	if e.Profile == "" {
		return e.Case
	}
	return e.Case + " [" + e.Profile + "]"
}

// narrowed returns the entries that are right in place of one: itself with a message that explains
// all, or else an entry for each case that fails, with the profile where that matters. A message
// that still holds stays.
func (e *Entry) narrowed(failing, passing []KnownResult) []Entry {
	same := *e
	same.Message = messageOf(failing[0])
	if (len(passing) == 0 || e.Flaky) && !slices.ContainsFunc(failing, func(r KnownResult) bool { return !same.explains(r.Detail) }) {
		return []Entry{same}
	}
	entries := []Entry{}
	for start := 0; start < len(failing); {
		id, end := failing[start].Case, start+1
		for end < len(failing) && failing[end].Case == id {
			end++
		}
		ofCase := []Entry{}
		apart := slices.ContainsFunc(passing, func(r KnownResult) bool { return r.Case == id })
		for _, result := range failing[start:end] {
			one := *e
			one.Case = id
			if e.Message != "" && !e.explains(result.Detail) {
				one.Message = messageOf(result)
			}
			one.Profile = result.Profile
			apart = apart || len(ofCase) > 0 && one.Message != ofCase[0].Message
			ofCase = append(ofCase, one)
		}
		if !apart { // it fails alike in every profile
			ofCase = ofCase[:1]
			ofCase[0].Profile = e.Profile
		}
		entries = append(entries, ofCase...)
		start = end
	}
	return entries
}

// unknown returns entries for what fails and is in no entry, in the order of the runs.
func (k *Known) unknown(results []KnownResult, explained map[int]bool, reason string) []Entry {
	entries := []Entry{}
	for n, result := range results {
		if explained[n] || !result.failed() {
			continue
		}
		e := Entry{Case: result.Case, Reason: reason, Message: messageOf(result)}
		for _, same := range results {
			if same.Case == result.Case && same.Profile != result.Profile {
				e.Profile = result.Profile // each profile gets its own: the messages may differ
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// messageOf returns what an entry says about how a case fails: the first difference; of a case
// without an answer the kind of failure alone, since the rest of it depends on chance.
func messageOf(result KnownResult) string {
	const widest = 160
	if kind, _, ok := strings.Cut(result.Detail, ": "); ok && result.Verdict == Errored {
		return kind
	}
	first := result.Detail
	if end := regexp.MustCompile(`\n\S`).FindStringIndex(first); end != nil { // what belongs to a difference is indented
		first = first[:end[0]]
	}
	text := []rune(foldBlanks(first))
	return strings.TrimSpace(string(text[:min(len(text), widest)]))
}

// ledgerEditor changes the text of a ledger line by line, so that everything else in it stays.
type ledgerEditor struct {
	ledger  *Ledger
	lines   []string // without line ends
	ending  string   // of lines: "\n" or "\r\n"
	root    *yaml.Node
	entries []*yaml.Node             // the mapping of each entry
	places  []lineRange              // where each entry stands, without comments in front of it
	edits   map[int][]string         // what stands in place of an entry
	gone    map[int]bool             // entries that are removed
	added   []string                 // lines for the list of failures
	lists   map[string][2]*yaml.Node // key and value
}

// lineRange is lines[start:end].
type lineRange struct{ start, end int }

func newLedgerEditor(l *Ledger, source []byte) (*ledgerEditor, error) {
	e := &ledgerEditor{ledger: l, ending: "\n", edits: map[int][]string{}, gone: map[int]bool{}, lists: map[string][2]*yaml.Node{}}
	text := string(source)
	if strings.Contains(text, "\r\n") {
		e.ending = "\r\n"
	}
	e.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if last := len(e.lines) - 1; e.lines[last] == "" {
		e.lines = e.lines[:last]
	}
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return nil, err
	}
	if document.Kind != yaml.DocumentNode || isNull(document.Content[0]) {
		return e, nil
	}
	e.root = document.Content[0]
	if e.root.Style&yaml.FlowStyle != 0 {
		return nil, e.flow(e.root)
	}
	for i := 0; i < len(e.root.Content); i += 2 {
		key, list := e.root.Content[i], e.root.Content[i+1]
		e.lists[key.Value] = [2]*yaml.Node{key, list}
		if list.Style&yaml.FlowStyle != 0 && len(list.Content) > 0 {
			return nil, e.flow(list)
		}
		for _, entry := range list.Content {
			place, ok := e.placeOf(entry)
			if !ok {
				return nil, e.flow(entry)
			}
			e.entries = append(e.entries, entry)
			e.places = append(e.places, place)
		}
	}
	return e, nil
}

func (e *ledgerEditor) flow(node *yaml.Node) error {
	return Faults{{e.ledger.File, node.Line, node.Column, "cannot be changed by a program: write the lists and entries without braces and brackets, each entry behind a hyphen and each member on a line of its own"}}
}

// placeOf finds the lines of an entry: from its hyphen to the last line that is indented more.
func (e *ledgerEditor) placeOf(entry *yaml.Node) (lineRange, bool) {
	if entry.Style&yaml.FlowStyle != 0 {
		return lineRange{}, false
	}
	start := entry.Line - 1
	if strings.TrimSpace(e.lines[start][:entry.Column-1]) == "" { // the hyphen stands alone, further up
		for start--; start >= 0 && !strings.HasPrefix(strings.TrimSpace(e.lines[start]), "-"); start-- {
		}
	}
	if start < 0 || !strings.HasPrefix(strings.TrimSpace(e.lines[start]), "-") {
		return lineRange{}, false
	}
	return lineRange{start, e.blockEnd(start, indentation(e.lines[start])+1, len(e.lines))}, true
}

// blockEnd returns where the block that starts at a line ends: behind the last line that is indented
// by at least so much.
func (e *ledgerEditor) blockEnd(start, least, limit int) int {
	end := start + 1
	for i := end; i < limit; i++ {
		switch {
		case strings.TrimSpace(e.lines[i]) == "":
		case indentation(e.lines[i]) >= least:
			end = i + 1
		default:
			return end
		}
	}
	return end
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// replace puts entries in place of one, which they differ from in case, message and profile.
func (e *ledgerEditor) replace(i int, entries []Entry) {
	lines := []string{}
	for n, wanted := range entries {
		if n > 0 && e.hasBlankAfter(i) {
			lines = append(lines, "")
		}
		lines = append(lines, e.rewritten(i, wanted)...)
	}
	e.edits[i] = lines
}

func (e *ledgerEditor) hasBlankAfter(i int) bool {
	end := e.places[i].end
	return end < len(e.lines) && strings.TrimSpace(e.lines[end]) == ""
}

// rewritten returns the lines of an entry with other members.
func (e *ledgerEditor) rewritten(i int, wanted Entry) []string {
	place, node, old := e.places[i], e.entries[i], e.ledger.Entries[i]
	lines := slices.Clone(e.lines[place.start:place.end])
	changes := []struct{ name, old, new string }{
		{"case", old.Case, wanted.Case},
		{"message", old.Message, wanted.Message},
		{"profile", old.Profile, wanted.Profile},
	}
	for n := len(node.Content) - 2; n >= 0; n -= 2 { // from behind, so that the places in front stay right
		key, value := node.Content[n], node.Content[n+1]
		for _, change := range changes {
			if key.Value != change.name || change.old == change.new {
				continue
			}
			limit := place.end
			if n+2 < len(node.Content) {
				limit = node.Content[n+2].Line - 1
			}
			at := key.Line - 1 - place.start
			end := at + 1
			if value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 || value.Line != key.Line || e.continues(key, limit) {
				end = e.blockEnd(key.Line-1, key.Column, limit) - place.start
			}
			line := lines[at][:key.Column-1] + key.Value + ": " + scalar(change.new)
			if value.LineComment != "" {
				line += " " + value.LineComment
			}
			lines = slices.Replace(lines, at, end, line)
		}
	}
	if old.Profile == "" && wanted.Profile != "" {
		lines = append(lines, strings.Repeat(" ", node.Column-1)+"profile: "+scalar(wanted.Profile))
	}
	return lines
}

// continues reports whether the value of a key goes on in the next line.
func (e *ledgerEditor) continues(key *yaml.Node, limit int) bool {
	next := key.Line // the index of the line behind
	if next >= limit {
		return false
	}
	text := strings.TrimSpace(e.lines[next])
	return text != "" && !strings.HasPrefix(text, "#") && indentation(e.lines[next]) >= key.Column
}

// scalar returns a text as a YAML value on one line.
func scalar(text string) string {
	encoded, err := yaml.Marshal(text)
	line := strings.TrimSuffix(string(encoded), "\n")
	if err != nil || strings.Contains(line, "\n") {
		return Quote(text) // JSON strings are YAML
	}
	return line
}

func (e *ledgerEditor) add(entries []Entry) {
	if len(entries) == 0 {
		return
	}
	margin := "  "
	for i, place := range e.places {
		if !e.ledger.Entries[i].Flaky {
			margin = strings.Repeat(" ", indentation(e.lines[place.start]))
			break
		}
	}
	for _, entry := range entries {
		e.added = append(e.added, margin+"- case: "+scalar(entry.Case))
		for _, member := range []struct{ name, value string }{{"reason", entry.Reason}, {"message", entry.Message}, {"profile", entry.Profile}} {
			if member.value != "" {
				e.added = append(e.added, margin+"  "+member.name+": "+scalar(member.value))
			}
		}
	}
}

// text returns the new file, after it has read it: what it says must be what is wanted.
func (e *ledgerEditor) text(wanted, added []Entry) ([]byte, error) {
	lines := e.assemble()
	text := strings.Join(lines, e.ending)
	if len(lines) > 0 {
		text += e.ending
	}
	written, err := ReadLedger(e.ledger.File, []byte(text))
	if err == nil {
		same := func(flaky bool) bool {
			return reflect.DeepEqual(contents(written.Entries, flaky), contents(append(slices.Clone(wanted), added...), flaky))
		}
		if !same(false) || !same(true) {
			err = errors.New("the new text does not say what it should")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be changed by a program, so it is left as it was: %w", Printable(e.ledger.File), err)
	}
	return []byte(text), nil
}

// contents returns the entries of one list as far as they are written in the file, in order.
func contents(entries []Entry, flaky bool) []Entry {
	list := []Entry{}
	for _, entry := range entries {
		if entry.Flaky == flaky {
			entry.Line, entry.versions = 0, nil
			list = append(list, entry)
		}
	}
	return list
}

// assemble puts the lines together.
func (e *ledgerEditor) assemble() []string {
	dropped := make([]bool, len(e.lines))
	edited := map[int][]string{} // by the line in front of which they stand
	for i, place := range e.places {
		switch {
		case e.gone[i]:
			place = e.withSurroundings(i)
		case e.edits[i] != nil:
			edited[place.start] = e.edits[i]
		default:
			continue
		}
		for line := place.start; line < place.end; line++ {
			dropped[line] = true
		}
	}
	addAt := -1
	if last := e.lastKnown(); last >= 0 {
		addAt = e.places[last].end
	}
	lines := []string{}
	for i := range len(e.lines) + 1 {
		if i == addAt {
			lines = append(lines, e.added...)
		}
		lines = append(lines, edited[i]...)
		if i < len(e.lines) && !dropped[i] {
			lines = append(lines, e.lines[i])
		}
	}
	if addAt < 0 && len(e.added) > 0 {
		lines = e.startList(lines)
	}
	return lines
}

// lastKnown returns the last entry of the list of failures, -1 where it has none.
func (e *ledgerEditor) lastKnown() int {
	last := -1
	for i := range e.places {
		if !e.ledger.Entries[i].Flaky {
			last = i
		}
	}
	return last
}

// startList puts the first entries into the list of failures. Entries of the other list may have
// changed, so it looks for its key anew.
func (e *ledgerEditor) startList(lines []string) []string {
	if _, ok := e.lists[knownList]; ok {
		for i, line := range lines {
			if key, rest, ok := strings.Cut(line, ":"); ok && key == knownList {
				comment := ""
				if at := strings.Index(rest, "#"); at >= 0 {
					comment = " " + rest[at:]
				}
				lines[i] = key + ":" + comment
				return slices.Insert(lines, i+1, e.added...)
			}
		}
	}
	if _, ok := e.lists[flakyList]; ok {
		for i, line := range lines {
			if strings.HasPrefix(line, flakyList+":") {
				for i > 0 && strings.HasPrefix(lines[i-1], "#") {
					i--
				}
				return slices.Insert(lines, i, slices.Concat([]string{knownList + ":"}, e.added, []string{""})...)
			}
		}
	}
	return append(append(lines, knownList+":"), e.added...)
}

// withSurroundings returns the place of an entry with what goes with it: the comment on top, unless
// it may be about the entries that follow too, and a blank line.
func (e *ledgerEditor) withSurroundings(i int) lineRange {
	place := e.places[i]
	isComment := func(at int) bool {
		return at >= 0 && at < len(e.lines) && strings.HasPrefix(strings.TrimSpace(e.lines[at]), "#")
	}
	isBlank := func(at int) bool { return at < 0 || at >= len(e.lines) || strings.TrimSpace(e.lines[at]) == "" }
	alone := i+1 == len(e.places) || e.places[i+1].start != place.end // no entry follows directly
	if alone {
		for isComment(place.start-1) && indentation(e.lines[place.start-1]) == indentation(e.lines[place.start]) {
			place.start--
		}
	}
	switch {
	case place.start > 0 && isBlank(place.start-1) && isBlank(place.end):
		place.start--
	case i == 0 && isBlank(place.end) && place.end < len(e.lines) && i+1 < len(e.places):
		place.end++
	}
	return place
}
