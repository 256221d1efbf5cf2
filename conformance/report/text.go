package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
)

// TextOptions says how to render a record for a person.
type TextOptions struct {
	Color       bool
	Width       int                         // of a line of prose, in characters; 0: 80
	All         bool                        // show every failure, not only the first
	Requirement func(string) (string, bool) // the text of a requirement, and whether it is known
}

// mostFailures is how many failures are shown unless all are wanted: about two screens.
const mostFailures = 10

// Text renders the record for a person: the areas, the failures, what a reader would show
// wrongly, and the totals. Nothing in it can drive the terminal.
func Text(w io.Writer, r *Record, options TextOptions) error {
	if options.Width == 0 {
		options.Width = 80
	}
	t := &textWriter{w: w, options: options}
	t.head(r)
	t.areas(r)
	t.failures(r)
	t.findings(r)
	t.ledger(r)
	t.missing(r)
	t.reader(r)
	t.totals(r)
	return t.err
}

// textWriter keeps the first error of the writer.
type textWriter struct {
	w       io.Writer
	options TextOptions
	err     error
}

func (t *textWriter) print(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

// The colours, as parameters of the SGR control sequence.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *textWriter) color(sgr, text string) string {
	if !t.options.Color {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

func (t *textWriter) head(r *Record) {
	who := r.Adapter.Implementation
	name := suite.Printable(who.Name + " " + who.Version)
	if who.Language != "" {
		name += " (" + suite.Printable(who.Language) + ")"
	}
	t.print("conform %s: %s, %s\n\n", suite.Printable(r.Conform), t.color(bold, name), suite.Printable(strings.Join(r.Adapter.Profiles, ", ")))
}

// areas prints a row for each area, in the order of the runs.
func (t *textWriter) areas(r *Record) {
	names := []string{}
	runs := map[string][]Run{}
	for _, run := range r.Runs {
		area := run.Area()
		if _, ok := runs[area]; !ok {
			names = append(names, area)
		}
		runs[area] = append(runs[area], run)
	}
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	for _, name := range names {
		row := t.counts(Count(runs[name]), true)
		t.print("  %-*s %s\n", width, suite.Printable(name), strings.TrimRight(row, " "))
	}
	t.print("\n")
}

// counts renders the numbers of totals that are not zero; in columns where rows stand in a table.
func (t *textWriter) counts(totals Totals, columns bool) string {
	cells := []struct {
		count       int
		word, color string
	}{
		{totals.Passed, "passed", green},
		{totals.Failed, "failed", red},
		{totals.Errors, "errors", red},
		{totals.Skipped, "skipped", yellow},
		{totals.NotRun, "not run", yellow},
		{totals.ExpectedFailures, "expected failures", yellow},
		{totals.UnexpectedPasses, "unexpected passes", red},
	}
	texts := []string{}
	for _, cell := range cells {
		word := cell.word
		if cell.count == 1 {
			word = singular(word)
		}
		text := fmt.Sprintf("%d %s", cell.count, word)
		if columns {
			text = fmt.Sprintf("%5d %-*s", cell.count, len(cell.word), word)
		}
		switch {
		case cell.count > 0:
			texts = append(texts, t.color(cell.color, text))
		case columns:
			texts = append(texts, strings.Repeat(" ", len(text)))
		}
	}
	if columns {
		return strings.Join(texts, " ")
	}
	if len(texts) == 0 {
		return "nothing to do"
	}
	return strings.Join(texts, ", ")
}

func singular(word string) string {
	switch word {
	case "errors":
		return "error"
	case "expected failures":
		return "expected failure"
	case "unexpected passes":
		return "unexpected pass"
	default:
		return word
	}
}

// failures prints what went wrong, the everyday cases first.
func (t *textWriter) failures(r *Record) {
	wrong := []*Run{}
	for i := range r.Runs {
		if r.Runs[i].wrong() {
			wrong = append(wrong, &r.Runs[i])
		}
	}
	slices.SortStableFunc(wrong, func(a, b *Run) int { return strings.Compare(string(a.Level), string(b.Level)) }) // core before edge
	shown := len(wrong)
	if !t.options.All {
		shown = min(shown, mostFailures)
	}
	for _, run := range wrong[:shown] {
		t.failure(r, run)
	}
	if more := len(wrong) - shown; more > 0 {
		t.print("… and %d more that failed: --all shows them, --json FILE records them\n\n", more)
	}
}

func (t *textWriter) failure(r *Record, run *Run) {
	label := strings.ToUpper(string(run.Verdict))
	kind := string(run.Level)
	if run.Reading != nil && run.Reading.Leak() {
		kind += ", leak"
	} else if run.Reading != nil && run.Reading.OverHide() {
		kind += ", over-hide"
	}
	t.print("%s %s (%s)\n", t.color(red, label), t.color(bold, suite.Printable(run.Name())), suite.Printable(kind))
	t.prose("  ", "", run.Title)
	t.prose("  ", "why: ", run.Why)
	for _, id := range run.Requirements {
		t.prose("  ", suite.Printable(id)+": ", t.requirement(id))
	}
	if run.Known != nil {
		t.prose("  ", "known failure, but another: ", run.Known.Reason)
	}
	for _, line := range strings.Split(t.detail(run), "\n") {
		t.print("    %s\n", t.diffColor(line))
	}
	t.print("  %s\n\n", t.color(faint, "reproduce: "+ReplayCommand(r, run)))
}

// longestRequirement is what fits on some lines; the rest stands in the specification.
const longestRequirement = 400

func (t *textWriter) requirement(id string) string {
	text := []rune(t.requirementInFull(id))
	if len(text) > longestRequirement {
		return string(text[:longestRequirement]) + "…"
	}
	return string(text)
}

func (t *textWriter) requirementInFull(id string) string {
	if t.options.Requirement != nil {
		if text, ok := t.options.Requirement(id); ok {
			return text
		}
	}
	return "(the specification of this build has no text for it)"
}

// detail is the reason or the differences, and the end of stderr.
func (t *textWriter) detail(run *Run) string {
	detail := suite.PrintableLines(run.detail())
	if run.Failure != nil {
		if stderr := lastLines(run.Failure.Stderr, 8); stderr != "" {
			detail += "\nstderr:\n  " + strings.ReplaceAll(suite.PrintableLines(stderr), "\n", "\n  ")
		}
	}
	return detail
}

func lastLines(text string, count int) string {
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}

// diffColor colours the lines of a line diff.
func (t *textWriter) diffColor(line string) string {
	switch {
	case strings.HasPrefix(line, "  -"):
		return t.color(red, line)
	case strings.HasPrefix(line, "  +"):
		return t.color(green, line)
	default:
		return line
	}
}

// prose prints text between the margin and the width. A line end in it starts a new line, which is
// an entry of a list.
func (t *textWriter) prose(margin, label, text string) {
	line := margin + label
	for i, paragraph := range strings.Split(text, "\n") {
		if i > 0 {
			t.print("%s\n", line)
			line = margin + " "
		}
		for j, word := range strings.Fields(paragraph) {
			word = suite.Printable(word)
			if j > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > t.options.Width {
				t.print("%s\n", line)
				line = margin + " "
			}
			if j > 0 || i > 0 {
				line += " "
			}
			line += word
		}
	}
	t.print("%s\n", line)
}

// findings prints what is wrong with the adapter itself.
func (t *textWriter) findings(r *Record) {
	for _, f := range r.Findings {
		label := t.color(yellow, "NOTE")
		if f.Fault {
			label = t.color(red, "ADAPTER")
		}
		text := f.Kind + ": " + f.Detail
		if f.Count > 1 {
			text += fmt.Sprintf(" (%d times)", f.Count)
		}
		if f.ID != "" {
			text += " at " + f.ID // prose escapes it
		}
		t.prose("", label+" ", text)
	}
	if len(r.Findings) > 0 {
		t.print("\n")
	}
}

// reader prints what a session viewer with these answers would show wrongly.
func (t *textWriter) reader(r *Record) {
	totals := r.Totals.Reader
	if totals == nil || !isReader(r.Adapter.Methods) && totals.wrong() == 0 {
		return
	}
	t.print("As a reader of conversations:\n")
	t.print("  leaks, context shown as typed:  core %s, edge %s\n", totals.Leaks.Core, totals.Leaks.Edge)
	t.print("  over-hides, typed text hidden:  core %s, edge %s\n\n", totals.OverHides.Core, totals.OverHides.Edge)
}

func (t *ReaderTotals) wrong() int {
	return t.Leaks.Core.Count + t.Leaks.Edge.Count + t.OverHides.Core.Count + t.OverHides.Edge.Count
}

func (p Part) String() string { return fmt.Sprintf("%d of %d", p.Count, p.Of) }

// isReader reports whether the methods are all that a reader of conversations needs.
func isReader(declared []string) bool {
	readers := []string{protocol.FragmentClassify, protocol.MessageProject, protocol.RolloutExplain}
	return !slices.ContainsFunc(declared, func(method string) bool { return !slices.Contains(readers, method) })
}

func (t *textWriter) totals(r *Record) {
	of := fmt.Sprint(r.Totals.Runs)
	if r.Shard != nil {
		of += fmt.Sprintf(" (shard %d/%d)", r.Shard.Index, r.Shard.Total)
	}
	t.print("%s, of %s in %s\n", t.counts(r.Totals, false), of, time.Duration(r.DurationMS)*time.Millisecond)
	for _, skipped := range r.Totals.SkippedBy {
		t.print("  %5d skipped: %s\n", skipped.Count, skipped.Skip)
	}
	switch {
	case r.Broken != "":
		t.print("%s\n", t.color(red, "The run broke off: ")+suite.Printable(r.Broken))
	case r.Interrupted:
		t.print("%s\n", t.color(yellow, "The run was interrupted."))
	case r.Shard != nil && r.Totals.Runs == 0:
		t.print("%s\n", t.color(yellow, fmt.Sprintf("Nothing was checked: none of the %d cases is in this shard, so this is not a pass. Use fewer shards.", r.Shard.Cases)))
	case r.Status() == StatusNothing:
		t.print("%s\n", t.color(yellow, "Nothing was checked: the adapter declares nothing that this selection takes, so this is not a pass."))
	}
}

// ReplayCommand is the command line that repeats one run alone.
func ReplayCommand(r *Record, run *Run) string {
	words := []string{"conform", "replay", shellQuote(run.ID)}
	if r.Fixtures != "" {
		words = append(words, "--fixtures", shellQuote(r.Fixtures))
	}
	if run.SeveralProfiles {
		words = append(words, "--profile", shellQuote(run.Profile))
	}
	if len(r.Adapter.Command) > 0 {
		words = append(words, "--")
		for _, word := range r.Adapter.Command {
			words = append(words, shellQuote(word))
		}
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word for a POSIX shell where it needs it. A control character is shown
// escaped: what is printed must not drive the terminal.
func shellQuote(word string) string {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-_./:=@%+,", c)
	}
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool { return !plain(c) }) {
		return word
	}
	return "'" + suite.Printable(strings.ReplaceAll(word, "'", `'\''`)) + "'"
}
