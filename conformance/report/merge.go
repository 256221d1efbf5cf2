package report

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/contextfragments/conform/conformance/suite"
)

// Piece is one of several records to merge.
type Piece struct {
	File   string // for messages
	Record *Record
}

// Merge joins the records of all shards of a run to the record that the run would have given in
// one piece, but for the times. The same shard may be there more than once if its verdicts are the
// same. It refuses, with everything that stands in the way, what does not belong together and what
// is not complete.
func Merge(pieces []Piece) (*Record, error) {
	if len(pieces) == 0 {
		return nil, errors.New("nothing to merge")
	}
	first := pieces[0]
	var refusals []error
	for _, piece := range pieces[1:] {
		for _, what := range unlike(first.Record, piece.Record) {
			refusals = append(refusals, fmt.Errorf("%s and %s do not belong together: %s", first.File, piece.File, what))
		}
	}
	if len(refusals) == 0 {
		refusals = append(contradictions(pieces), missingShards(pieces)...)
	}
	if len(refusals) > 0 {
		return nil, errors.Join(refusals...)
	}
	pieces = slices.Clone(pieces)
	slices.SortStableFunc(pieces, func(a, b Piece) int { return index(a.Record) - index(b.Record) })
	return join(pieces), nil
}

// unlike lists in what two records differ that shards of one run share.
func unlike(a, b *Record) []string {
	rows := []struct {
		what string
		a, b any
	}{
		{"version of conform", a.Conform, b.Conform},
		{"command line of the adapter", a.Adapter.Command, b.Adapter.Command},
		{"implementation", a.Adapter.Implementation, b.Adapter.Implementation},
		{"profiles", a.Adapter.Profiles, b.Adapter.Profiles},
		{"methods", a.Adapter.Methods, b.Adapter.Methods},
		{"notes", a.Adapter.Notes, b.Adapter.Notes},
		{"fixtures", a.Fixtures, b.Fixtures},
		{"selection", a.Selection.String(), b.Selection.String()},
		{"seed", a.Seed, b.Seed},
		{"required areas", a.Require, b.Require},
		{"number of shards", total(a), total(b)},
	}
	found := []string{}
	for _, row := range rows {
		if !reflect.DeepEqual(row.a, row.b) {
			found = append(found, fmt.Sprintf("%s %s and %s", row.what, shown(row.a), shown(row.b)))
		}
	}
	if !reflect.DeepEqual(a.ledgerEntries(), b.ledgerEntries()) {
		found = append(found, "they were held against different ledgers")
	}
	if a.Shard != nil && b.Shard != nil && (a.Shard.Digest != b.Shard.Digest || a.Shard.Cases != b.Shard.Cases) {
		found = append(found, "the selected cases are not the same")
	}
	return found
}

// total is the number of shards of the run that a record is of.
func total(r *Record) int {
	if r.Shard == nil {
		return 1
	}
	return r.Shard.Total
}

func index(r *Record) int {
	if r.Shard == nil {
		return 1
	}
	return r.Shard.Index
}

func shown(value any) string {
	text := fmt.Sprint(value)
	if s, ok := value.(string); ok {
		text = suite.Quote(s)
	}
	const widest = 200
	if runes := []rune(text); len(runes) > widest {
		text = string(runes[:widest]) + "…"
	}
	return suite.Printable(text)
}

func (r *Record) ledgerEntries() *Ledger {
	if r.Ledger == nil {
		return nil
	}
	return &Ledger{File: r.Ledger.File, Entries: r.Ledger.Entries}
}

// contradictions lists the runs that two records judge otherwise.
func contradictions(pieces []Piece) []error {
	const most = 10
	type judged struct {
		file    string
		verdict suite.Verdict
	}
	seen := map[runKey]judged{}
	found := []error{}
	for _, piece := range pieces {
		for i := range piece.Record.Runs {
			run := &piece.Record.Runs[i]
			before, ok := seen[run.key()]
			if !ok {
				seen[run.key()] = judged{piece.File, run.Verdict}
			} else if before.verdict != run.Verdict {
				found = append(found, fmt.Errorf("%s is %s in %s, and %s in %s", suite.Printable(run.Name()), before.verdict, before.file, run.Verdict, piece.File))
			}
		}
	}
	if more := len(found) - most; more > 0 {
		found = append(found[:most], fmt.Errorf("and %d more such cases", more))
	}
	return found
}

// missingShards says which shards are not there, and which records are not all that they say.
func missingShards(pieces []Piece) []error {
	shard := pieces[0].Record.Shard
	if shard == nil {
		return nil // a whole run
	}
	there := map[int]bool{}
	cases := map[int]bool{}
	for _, piece := range pieces {
		there[piece.Record.Shard.Index] = true
		for _, position := range piece.Record.Shard.Positions {
			cases[position] = true
		}
	}
	missing := []string{}
	for index := 1; index <= shard.Total; index++ {
		if !there[index] {
			missing = append(missing, fmt.Sprintf("%d/%d", index, shard.Total))
		}
	}
	switch {
	case len(missing) == 1:
		return []error{fmt.Errorf("shard %s is missing", missing[0])}
	case len(missing) > 0:
		return []error{fmt.Errorf("shards %s are missing", strings.Join(missing, ", "))}
	case len(cases) != shard.Cases:
		return []error{fmt.Errorf("the shards hold %d of the %d cases: a record is not complete", len(cases), shard.Cases)}
	}
	return nil
}

// join puts together what belongs together.
func join(pieces []Piece) *Record {
	joined := *pieces[0].Record
	joined.Shard, joined.Findings, joined.Runs = nil, []Finding{}, []Run{}
	joined.DurationMS, joined.Broken = 0, ""
	if joined.Ledger != nil {
		joined.Ledger = joined.ledgerEntries() // the problems are found anew
	}
	type placed struct {
		position int
		run      Run
	}
	runs := []placed{}
	seen := map[runKey]bool{}
	broken := []string{}
	counted := map[int]bool{}
	for _, piece := range pieces {
		r := piece.Record
		joined.DurationMS = max(joined.DurationMS, r.DurationMS)
		joined.Interrupted = joined.Interrupted || r.Interrupted
		if r.Broken != "" && !slices.Contains(broken, r.Broken) {
			broken = append(broken, r.Broken)
		}
		if !counted[index(r)] { // a shard that is there again shows the same again
			joined.addFindings(r.Findings)
		}
		counted[index(r)] = true
		for i := range r.Runs {
			if seen[r.Runs[i].key()] {
				continue
			}
			seen[r.Runs[i].key()] = true
			position := i
			if r.Shard != nil {
				position = r.Shard.Positions[i]
			}
			runs = append(runs, placed{position, r.Runs[i]})
		}
	}
	slices.SortStableFunc(runs, func(a, b placed) int { return a.position - b.position }) // the profiles of a case stay in their order
	for _, p := range runs {
		joined.Runs = append(joined.Runs, p.run)
	}
	joined.Broken = strings.Join(broken, "; ")
	joined.settle()
	return &joined
}

func (r *Record) addFindings(findings []Finding) {
	for _, f := range findings {
		at := slices.IndexFunc(r.Findings, func(g Finding) bool { return g.Kind == f.Kind && g.ID == f.ID && g.Detail == f.Detail })
		if at < 0 {
			r.Findings = append(r.Findings, f)
		} else {
			r.Findings[at].Count += f.Count
		}
	}
}
