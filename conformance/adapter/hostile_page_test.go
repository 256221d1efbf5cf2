//go:build unix

package adapter

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var rewriteHostile = flag.Bool("rewrite-hostile", false, "play every row of the table one by one and write docs/hostile.md")

const hostilePage = "../../docs/hostile.md"

// checked says in words what the rows want that have a check of their own.
var checked = map[string]string{
	"huge-number":          "none",
	"one-answer-a-process": "each lost process is a crash of the call it was on; then the restarts are used up and the rest is not run",
	"cannot-pipeline":      "one time-out; from then on requests go one at a time",
	"always-garbage":       "garbage of every call",
	"leaves":               "fault: unasked exit, or bad exit",
	"refuses":              "none: an error is an answer",
}

// verdict says in words what must come of a row.
func (h hostile) verdict(t *testing.T) string {
	if h.start != "" {
		return "not started: status 3"
	}
	parts := []string{}
	if h.check != nil {
		text, ok := checked[h.name]
		if !ok {
			t.Errorf("row %s has a check of its own: say in checked what it wants", h.name)
		}
		parts = append(parts, text)
	}
	byKind := map[FailureKind][]int{}
	for call, kind := range h.want {
		byKind[kind] = append(byKind[kind], call)
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		calls := byKind[kind]
		slices.Sort(calls)
		text := string(kind)
		if h.or != "" {
			text += " or " + string(h.or)
		}
		parts = append(parts, text+" of "+listed(calls))
	}
	if h.notRun && h.check == nil {
		parts = append(parts, "then the restarts are used up and the rest is not run")
	}
	for _, kind := range h.findings {
		word := "fault"
		if !kind.Fault() {
			word = "note"
		}
		parts = append(parts, word+": "+string(kind))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}

func listed(calls []int) string {
	texts := make([]string, len(calls))
	for i, call := range calls {
		texts[i] = fmt.Sprint(call)
	}
	last := len(texts) - 1
	if last == 0 {
		return "call " + texts[0]
	}
	return "calls " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// roughly rounds how long a row took, so that the page stays as it is on another machine.
func (h hostile) roughly(took time.Duration) string {
	cfg := Config{}
	if h.config != nil {
		h.config(&cfg)
	}
	if strings.Contains(fmt.Sprint(h.want, h.or, checked[h.name]), string(TimeOut)) && cfg.CaseTimeout > 0 {
		switch n := max(1, int((took+cfg.CaseTimeout/3)/cfg.CaseTimeout)); n {
		case 1:
			return "1 time-out"
		case 2:
			return "2 time-outs"
		}
	}
	for _, limit := range []int{1, 2, 5, 10, 20, 60} {
		if took < time.Duration(limit)*time.Second {
			return fmt.Sprintf("< %d s", limit)
		}
	}
	return "minutes"
}

const hostileIntroduction = `# Hostile adapters

An adapter is a program under test, so it may do anything. Each row is a small program that
misbehaves in one way; a test plays it, with 200 calls unless the row says otherwise, and wants
this of the run:

- the verdict of the row goes to the call that earned it, and to no other;
- every other call gets its own right answer, if need be from a new process;
- memory stays within 64 MiB of what it was, no process is left, and the run ends.

A **fault** or a **note** is a finding: nothing that a call could be charged with. With a fault and
without a failed case the exit status is 3. "None" means that the adapter is odd, but right. The
time is that of the whole run, roughly; a time-out is the patience for one case, 1.5 s in these
tests and 10 s by default.

This page is generated: ` + "`go test ./conformance/adapter -run TestHostilePage -rewrite-hostile`" + ` plays every
row and writes it. The same test without the flag fails when rows and page differ.

`

// page renders the table; times are by the name of the row.
func page(t *testing.T, times map[string]string) string {
	var b strings.Builder
	b.WriteString(hostileIntroduction)
	b.WriteString("| program | what it does | verdict | time |\n| --- | --- | --- | --- |\n")
	for _, h := range hostileAdapters {
		calls := ""
		if h.calls > 0 {
			calls = fmt.Sprintf(" (%d calls)", h.calls)
		}
		fmt.Fprintf(&b, "| `%s` | %s%s | %s | %s |\n", h.name, h.does, calls, h.verdict(t), times[h.name])
	}
	return b.String()
}

var timedRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|.*\\| ([^|]+) \\|$")

func TestHostilePage(t *testing.T) {
	times := map[string]string{}
	if *rewriteHostile {
		for _, h := range hostileAdapters {
			t.Run(h.name, func(t *testing.T) {
				start := time.Now()
				h.play(t)
				times[h.name] = h.roughly(time.Since(start))
			})
		}
		if t.Failed() {
			t.Fatal("the page is left as it was")
		}
		if err := os.WriteFile(hostilePage, []byte(page(t, times)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(hostilePage)
	if err != nil {
		t.Fatal(err)
	}
	times = map[string]string{}
	for _, match := range timedRow.FindAllStringSubmatch(string(got), -1) {
		times[match[1]] = match[2]
	}
	for _, h := range hostileAdapters {
		if times[h.name] == "" {
			t.Errorf("row %s has no time", h.name)
		}
		if strings.ContainsAny(h.name+h.does, "|`\n") {
			t.Errorf("row %s would break the table", h.name)
		}
	}
	if string(got) != page(t, times) {
		t.Error("docs/hostile.md is not what the rows say: go test ./conformance/adapter -run TestHostilePage -rewrite-hostile")
	}
}
