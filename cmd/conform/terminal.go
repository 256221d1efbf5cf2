package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/contextfragments/conform/conformance/report"
)

// terminal returns the file descriptor of w if it is a terminal that understands control sequences.
func terminal(w io.Writer) (fd int, ok bool) {
	file, isFile := w.(*os.File)
	if !isFile || os.Getenv("TERM") == "dumb" {
		return 0, false
	}
	fd = int(file.Fd())
	return fd, term.IsTerminal(fd)
}

// hasColor reports whether to colour what goes to w (no-color.org).
func hasColor(w io.Writer) bool {
	_, ok := terminal(w)
	return ok && os.Getenv("NO_COLOR") == ""
}

// width returns how wide a line of prose on w should be.
func width(w io.Writer) int {
	const readable = 100
	if fd, ok := terminal(w); ok {
		if columns, _, err := term.GetSize(fd); err == nil && columns > 0 {
			return min(columns, readable)
		}
	}
	return readable
}

// progress is a progress line where somebody looks at it, and nothing elsewhere.
type progress struct{ line *report.Progress }

func newProgress(w io.Writer) progress {
	if _, ok := terminal(w); ok {
		return progress{report.NewProgress(w)}
	}
	return progress{}
}

func (p progress) update(done, total int) {
	if p.line != nil {
		p.line.Update(done, total)
	}
}

func (p progress) clear() {
	if p.line != nil {
		p.line.Clear()
	}
}
