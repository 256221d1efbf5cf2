package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// threadLayout shows world-state updates one after another: a header with every case, then side by
// side how each step saw the previous states and what it recorded, then what each step was given
// and what it sent. It is an error when a step does not start from the record of the one before it.
func threadLayout(cases []suite.Case, results [][]byte) (string, error) {
	steps := make([]update, len(cases))
	header := [][]string{}
	for i := range cases {
		c := &cases[i]
		if c.Method != protocol.WorldStateDiff {
			return "", fmt.Errorf("%s: no layout of a thread for the method %s", c.ID, c.Method)
		}
		params, result, err := parse(c, results[i])
		if err != nil {
			return "", err
		}
		steps[i] = takeUpdate(params, result)
		if i > 0 && !jsonvalue.Equal(steps[i-1].snapshot.document, steps[i].previous.document) {
			return "", fmt.Errorf("%s does not start from the record of %s", c.ID, cases[i-1].ID)
		}
		header = append(header, headerRows("case "+strconv.Itoa(i+1), c)...)
	}
	lines := append(table(append(header, []string{"method", protocol.WorldStateDiff})), "")
	lines = append(lines, section("previous state", stateTable(steps))...)
	lines = append(lines, section("snapshot", recordTable(steps))...)
	for i := range steps {
		before := jsonvalue.Value{}
		if i > 0 {
			before = steps[i-1].sections
		}
		lines = append(lines, section(stepName(i)+"  mode "+scalarWord(steps[i].mode), steps[i].news(before))...)
	}
	return page(lines), nil
}

func stepName(i int) string { return "step " + strconv.Itoa(i+1) }

// stateTable has a row a section and a column a step. A row has the id that it has in the first
// step; where it is another one in a later step, that step names it.
func stateTable(steps []update) []string {
	rows := [][]string{{""}}
	for i, step := range steps {
		heading := stepName(i)
		if step.states.Kind() != jsonvalue.Array {
			heading += " null"
		}
		rows[0] = append(rows[0], heading)
		for row, state := range step.states.Elements() {
			id, seen := stateCells(state)
			if row+1 == len(rows) {
				rows = append(rows, append([]string{id}, slices.Repeat([]string{"-"}, i)...))
			} else if rows[row+1][0] != id {
				seen = id + " " + seen
			}
			rows[row+1] = append(rows[row+1], seen)
		}
		for row := range rows {
			if len(rows[row]) < len(rows[0]) {
				rows[row] = append(rows[row], "-")
			}
		}
	}
	return table(rows)
}

// recordTable is the record before the first step and after each step.
func recordTable(steps []update) []string {
	columns := []column{}
	for i, step := range steps {
		if i == 0 {
			columns = append(columns, step.previous)
		}
		step.snapshot.heading = strings.Replace(step.snapshot.heading, "after", stepName(i), 1)
		columns = append(columns, step.snapshot)
	}
	return sideBySide(columns)
}

// news is what a step adds: the sections that were not given in the same way in the step before,
// the patch and the messages.
func (u update) news(before jsonvalue.Value) []string {
	given := slices.DeleteFunc(slices.Clone(u.sections.Elements()), func(s jsonvalue.Value) bool {
		return slices.ContainsFunc(before.Elements(), func(old jsonvalue.Value) bool { return jsonvalue.Equal(s, old) })
	})
	lines := []string{}
	if len(given) > 0 {
		lines = section("sections given anew", eachElement(jsonvalue.OfArray(given...)))
	}
	if patch := sideBySide([]column{u.patch}); len(patch) == 1 {
		lines = append(lines, section(u.patch.heading, nil)...)
	} else {
		lines = append(lines, section(u.patch.heading, patch[1:])...)
	}
	lines = append(lines, sent(u.items)...)
	return append(lines, further(u.rest)...)
}
