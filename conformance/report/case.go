package report

import (
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Case renders one case for a person: what it sends and expects, which rule it checks, and why.
func Case(w io.Writer, c *suite.Case, options TextOptions) error {
	if options.Width == 0 {
		options.Width = 80
	}
	t := &textWriter{w: w, options: options}
	t.print("%s\n", t.color(bold, c.ID))
	t.prose("  ", "", c.Title)
	t.prose("  ", "why: ", c.Why)
	t.print("\n")
	rows := []struct{ name, value string }{
		{"method", c.Method},
		{"level", string(c.Level)},
		{"profiles", strings.Join(c.Profiles, ", ")},
		{"tags", strings.Join(c.Tags, ", ")},
		{"file", suite.Printable(c.Path())},
	}
	for _, row := range rows {
		if row.value != "" {
			t.print("  %-8s  %s\n", row.name, row.value)
		}
	}
	t.print("\n")
	for _, id := range c.Requirements {
		t.prose("  ", id+": ", t.requirementInFull(id))
	}
	t.print("\n")
	t.json("params", c.Params)
	if c.Error == nil {
		t.json("result", c.Result)
		return t.err
	}
	expected := []jsonvalue.Member{jsonvalue.Field("code", jsonvalue.OfInt(c.Error.Code))}
	if c.Error.Path != nil {
		expected = append(expected, jsonvalue.Field("path", jsonvalue.OfString(*c.Error.Path)))
	}
	t.json("error", jsontext.Value(jsonvalue.OfObject(expected...).String()))
	return t.err
}

// json prints a value over several lines. What nobody can see is escaped, so that it is still the
// same value.
func (t *textWriter) json(name string, text jsontext.Value) {
	value, err := jsonvalue.Parse(text)
	if err != nil && t.err == nil {
		t.err = err
	}
	t.print("  %s\n", name)
	for _, line := range strings.Split(suite.PrintableLines(value.Indented()), "\n") {
		t.print("    %s\n", line)
	}
}

// Replay renders what came of one case alone: the lines sent and received, the verdict, and what
// led to it. With escape, everything in the lines that could drive a terminal is escaped.
func Replay(w io.Writer, replayed suite.Replayed, escape bool) error {
	t := &textWriter{w: w}
	line := func(direction string, text []byte) {
		if shown := strings.TrimSuffix(string(text), "\n"); escape {
			t.print("%s %s\n", direction, suite.Printable(strings.TrimSuffix(shown, "\r")))
		} else {
			t.print("%s %s\n", direction, shown)
		}
	}
	for i := range replayed.Runs {
		run, judgement := &replayed.Runs[i], replayed.Judgements[i]
		if outcome := replayed.Outcomes[i]; outcome != nil {
			line("→", outcome.Sent)
			if outcome.Received != nil {
				line("←", outcome.Received)
			}
		}
		t.print("%s %s", suite.Printable(run.Name()), judgement.Verdict)
		if outcome := replayed.Outcomes[i]; outcome != nil && outcome.Duration > 0 {
			t.print(" in %s ms", strconv.FormatFloat(float64(outcome.Duration.Microseconds())/1000, 'f', 3, 64))
		}
		t.print("\n")
		recorded := newRun(run, judgement)
		if recorded.Skip != nil {
			t.print("  %s\n", recorded.Skip)
		}
		if detail := t.detail(&recorded); detail != "" {
			t.print("  %s\n", strings.ReplaceAll(detail, "\n", "\n  "))
		}
	}
	return t.err
}

// ReplayStatus returns the exit status that the replay stands for.
func ReplayStatus(replayed suite.Replayed) int {
	r := Record{}
	for i := range replayed.Runs {
		r.Runs = append(r.Runs, newRun(&replayed.Runs[i], replayed.Judgements[i]))
	}
	r.Totals = Count(r.Runs)
	return r.Status()
}
