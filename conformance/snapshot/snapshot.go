// Package snapshot lays out the results of cases as text that a person reads: messages with their
// role, kinds and texts, a history before and after a rollback, a world state before and after an
// update. The layouts of the claimed cases are the files of snapshots/.
//
// A layout hides nothing: two results that the protocol's comparison tells apart look different.
// It is written for the eye, and nothing reads it back.
package snapshot

import (
	"fmt"
	"strings"

	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/reference/jsonvalue"
)

// Layout returns the text of a snapshot, of a case or of several that are steps of a thread. Each
// case has a result: the one that it expects, or one that an implementation gave.
func Layout(cases []suite.Case, results [][]byte) (string, error) {
	if len(cases) == 1 {
		return caseLayout(&cases[0], results[0])
	}
	return threadLayout(cases, results)
}

// caseLayout is a header that says what the case is, then the call and the result.
func caseLayout(c *suite.Case, result []byte) (string, error) {
	method, ok := methods[c.Method]
	if !ok {
		return "", fmt.Errorf("%s: no layout for the method %s", c.ID, c.Method)
	}
	params, value, err := parse(c, result)
	if err != nil {
		return "", err
	}
	header := append(headerRows("case", c), []string{"method", c.Method}, []string{"profiles", strings.Join(c.Profiles, ", ")})
	return page(append(append(table(header), ""), method(params, value)...)), nil
}

// parse returns the params of the case, and the result with members in order of their names.
func parse(c *suite.Case, result []byte) (params, value jsonvalue.Value, err error) {
	if params, err = jsonvalue.Parse(c.Params); err != nil {
		return params, value, fmt.Errorf("params of %s: %w", c.ID, err)
	}
	if value, err = jsonvalue.Parse(result); err != nil {
		return params, value, fmt.Errorf("result of %s: %w", c.ID, err)
	}
	return params, inNameOrder(value), nil
}

func headerRows(label string, c *suite.Case) [][]string {
	return [][]string{
		{label, c.ID},
		{"title", c.Title},
		{"requirements", strings.Join(c.Requirements, ", ")},
	}
}

func page(lines []string) string { return strings.Join(trimBlank(lines), "\n") + "\n" }

// extension is how the name of a snapshot file ends.
const extension = ".txt"

// name returns the name of a snapshot file without its extension: the id of the case, or those of
// the first and the last case of a thread.
func name(ids []string) string {
	first, last := ids[0], ids[len(ids)-1]
	text := strings.Replace(first, "/", "--", 1)
	if len(ids) > 1 {
		_, slug, _ := strings.Cut(last, "/")
		text += "--to--" + slug
	}
	return text
}
