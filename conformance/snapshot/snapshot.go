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

// Layout returns the text of a snapshot: a header that says what the case is, then the call and
// the result. The result is the one that the case expects, or one that an implementation gave.
func Layout(c *suite.Case, result []byte) (string, error) {
	method, ok := methods[c.Method]
	if !ok {
		return "", fmt.Errorf("%s: no layout for the method %s", c.ID, c.Method)
	}
	params, err := jsonvalue.Parse(c.Params)
	if err != nil {
		return "", fmt.Errorf("params of %s: %w", c.ID, err)
	}
	value, err := jsonvalue.Parse(result)
	if err != nil {
		return "", fmt.Errorf("result of %s: %w", c.ID, err)
	}
	lines := table([][]string{
		{"case", c.ID},
		{"title", c.Title},
		{"requirements", strings.Join(c.Requirements, ", ")},
		{"method", c.Method},
	})
	lines = append(lines, "")
	lines = append(lines, method(params, inNameOrder(value))...)
	return strings.Join(trimBlank(lines), "\n") + "\n", nil
}

// extension is how the name of a snapshot file ends.
const extension = ".txt"

// name returns the name of the case's snapshot file without its extension. An area holds no "--",
// so no two ids share a name.
func name(id string) string { return strings.Replace(id, "/", "--", 1) }
