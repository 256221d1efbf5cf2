package adapter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// StartError says why an adapter could not be used at all: it did not start, or did not shake
// hands. In the command line it is exit status 3.
type StartError struct {
	Command []string
	What    string // what went wrong, one sentence without full stop
	Line    []byte // the line that it is about, if any
	Stderr  string // what the adapter wrote there, up to 64 KiB
	Exit    string // how it ended, if it did by itself
	Hint    string // what to do, "" where nothing helps
	Err     error  // of the system, if any
}

func (e *StartError) Unwrap() error { return e.Err }

// Error is a message of several lines: what went wrong, what the adapter wrote, what to do.
func (e *StartError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "adapter %s: %s", quoteCommand(e.Command), e.What)
	if len(e.Line) > 0 {
		fmt.Fprintf(&b, "\n  the line: %s", quoteShort(trimLineEnd(e.Line)))
	}
	if lines := lastLines(e.Stderr, 10); len(lines) > 0 {
		b.WriteString("\n  its standard error:")
		for _, line := range lines {
			b.WriteString("\n    " + printable(line))
		}
	}
	if e.Hint != "" {
		b.WriteString("\n  " + e.Hint)
	}
	return b.String()
}

func quoteCommand(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = word
		if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsGraphic(r) || strings.ContainsRune(" \t\"'\\$`", r) }) {
			words[i] = strconv.Quote(word)
		}
	}
	return strings.Join(words, " ")
}

func lastLines(text string, n int) []string {
	text = strings.TrimRight(text, "\r\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	return lines[max(0, len(lines)-n):]
}

// printable makes a line of somebody else's text safe for a terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, strings.TrimRight(line, "\r"))
}

// stderrNote is the last line of standard error, to go behind a sentence.
func stderrNote(stderr string) string {
	lines := lastLines(stderr, 1)
	if len(lines) == 0 {
		return ""
	}
	return "; its standard error ends with " + quoteShort([]byte(lines[0]))
}

// launchError explains why the system did not start the command.
func launchError(cfg Config, err error) *StartError {
	e := &StartError{Command: cfg.Command, Err: err, What: "it cannot be started: " + err.Error()}
	name := cfg.Command[0]
	if info, dirErr := os.Stat(cfg.Dir); cfg.Dir != "" && (dirErr != nil || !info.IsDir()) {
		e.What = fmt.Sprintf("its working directory %s is no directory", strconv.Quote(cfg.Dir))
		return e
	}
	path := name
	if cfg.Dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(cfg.Dir, path)
	}
	_, missing := os.Stat(path)
	switch {
	case temporary(err):
		e.Hint = "The system is out of something (ulimit -a shows the limits): use fewer jobs, or raise ulimit -n and ulimit -u."
	case errors.Is(err, exec.ErrNotFound):
		e.What = fmt.Sprintf("no command %s in PATH", strconv.Quote(name))
		e.Hint = "Give a path with a slash (./" + name + "), or install it."
		if strings.Contains(name, " ") {
			e.Hint = "Give the program and each of its arguments as words of their own."
		}
	case errors.Is(err, fs.ErrNotExist) && missing == nil:
		e.What = "it cannot be started: the interpreter that its first line names does not exist"
		e.Hint = "Look at the line that begins with #!; it may end with a carriage return."
	case errors.Is(err, fs.ErrNotExist):
		e.What = fmt.Sprintf("no file %s", strconv.Quote(path))
	case errors.Is(err, fs.ErrPermission):
		e.What = "permission denied"
		e.Hint = "Is it a program? chmod +x makes a file executable; an interpreter takes it as an argument (python3 " + name + ")."
	case errors.Is(err, errNoFormat):
		e.What = "it is no program that this system can run"
		e.Hint = "A script needs a first line such as #!/usr/bin/env python3; a binary must be built for this machine."
	}
	return e
}

// open starts a process and shakes hands with it. What the system is short of for a moment is
// tried again.
func (p *Pool) open(ctx context.Context) (*conversation, *StartError) {
	if len(p.cfg.Command) == 0 {
		return nil, &StartError{What: "no command given"}
	}
	var (
		proc *process
		err  error
	)
	for attempt := range 4 {
		proc, err = launch(p.cfg)
		if err == nil || !temporary(err) {
			break
		}
		select {
		case <-time.After(50 * time.Millisecond << attempt):
		case <-ctx.Done():
		}
	}
	if err != nil {
		return nil, launchError(p.cfg, err)
	}
	if p.started != nil {
		p.started(proc)
	}
	c := newConversation(p, proc)
	raw, failure := c.handshake(ctx)
	if failure != nil {
		failure.Command = p.cfg.Command
		exited := closedWithin(0, proc.exited)
		c.stopNow()
		failure.Stderr = proc.err.text()
		if exited {
			failure.Exit = proc.status
		}
		return nil, failure
	}
	p.compareHandshake(raw)
	return c, nil
}

// handshake sends initialize and reads its answer.
func (c *conversation) handshake(ctx context.Context) (jsontext.Value, *StartError) {
	cfg := c.pool.cfg
	params, err := json.Marshal(protocol.InitializeParams{ProtocolVersion: protocol.Version, Runner: cfg.Runner})
	if err != nil {
		return nil, &StartError{What: "the runner's name or version is not valid UTF-8", Err: err}
	}
	c.proc.in.write(appendRequest(nil, initializeID, protocol.Initialize, params))
	timer := time.NewTimer(cfg.StartTimeout)
	defer timer.Stop()
	var noise int
	var last []byte // line that was no answer
	stray := func(line []byte, why string) {
		noise++
		last = line
		c.pool.report(Finding{Kind: StrayOutput, Index: -1,
			Detail: "before the answer to initialize: " + why + ": " + quoteShort(trimLineEnd(line))})
	}
	for {
		select {
		case ch := <-c.proc.out.chunks:
			if ch.end {
				return nil, c.endedEarly(ch, last)
			}
			if ch.long != nil {
				stray(ch.long.head, fmt.Sprintf("a line of %d bytes", ch.long.length))
			}
			for rest := ch.lines; len(rest) > 0; {
				end := bytes.IndexByte(rest, '\n') + 1
				line := rest[:end:end]
				rest = rest[end:]
				r, f := c.decoder.decode(trimLineEnd(line))
				switch {
				case f != nil && (slices.Contains(f.ids, initializeID) || meantAsAnswer(line)):
					return nil, &StartError{What: "its answer to initialize is no JSON-RPC response: " + f.detail, Line: line,
						Hint: "Each answer is one JSON object on one line, and nothing else goes to standard output."}
				case f != nil:
					stray(line, f.detail)
					continue
				case r.err != nil:
					return nil, &StartError{What: fmt.Sprintf("it refused initialize: error %d, %s", r.err.Code, quoteShort([]byte(r.err.Message))), Line: line}
				case r.id != initializeID:
					return nil, &StartError{What: fmt.Sprintf("its answer to initialize has the id %d, want %d", r.id, initializeID), Line: line,
						Hint: "An answer repeats the id of the request."}
				}
				if what := checkHandshake(r.result); what != "" {
					return nil, &StartError{What: "its answer to initialize is wrong: " + what, Line: line,
						Hint: `A right one: {"protocol_version":"1","implementation":{"name":"…","version":"…"},"profiles":["` +
							protocol.ContextFragments + `"],"methods":["` + protocol.FragmentClassify + `"]}`}
				}
				c.take(chunk{at: ch.at, lines: rest}) // nothing is in flight: what follows is a finding
				return r.result, nil
			}
		case <-timer.C:
			e := &StartError{What: fmt.Sprintf("no answer to initialize within %v", cfg.StartTimeout), Line: last,
				Hint: "An adapter reads a line, answers it on one line and flushes. If it only needs longer to start, raise the start time-out."}
			if head, length := c.proc.out.unfinished(); length > 0 {
				e.Line = head
				e.What += fmt.Sprintf("; it wrote %d bytes without a line feed", length)
			} else if noise > 0 {
				e.What += fmt.Sprintf("; the last of %d lines that are none", noise)
			}
			return nil, e
		case <-ctx.Done():
			return nil, &StartError{What: "stopped before it answered initialize", Err: context.Cause(ctx)}
		}
	}
}

// meantAsAnswer tells a broken answer to initialize from a banner or a line of a log.
func meantAsAnswer(line []byte) bool {
	for _, name := range []string{`"jsonrpc"`, `"result"`, `"protocol_version"`} {
		if bytes.Contains(line, []byte(name)) {
			return true
		}
	}
	return false
}

// endedEarly explains a process that ended before it answered.
func (c *conversation) endedEarly(ch chunk, last []byte) *StartError {
	e := &StartError{What: "it closed its standard output before it answered initialize", Line: last}
	if closedWithin(pipeGrace, c.proc.exited) {
		e.What = "it ended (" + c.proc.status + ") before it answered initialize"
		if c.proc.code == 0 {
			e.Hint = "An adapter goes on until the end of its standard input."
		}
	}
	if len(ch.rest) > 0 {
		e.Line = ch.rest
		e.Hint = "Each answer ends with a line feed."
	}
	return e
}

// The longest name and version that go into reports.
const identificationLimit = 200

// checkHandshake returns what is wrong with the result of initialize, "" if nothing is.
func checkHandshake(raw jsontext.Value) string {
	value, err := jsonvalue.Parse(raw)
	if err != nil {
		return err.Error()
	}
	result := jsonvalue.At(value)
	if _, err := result.Object(); err != nil {
		return err.Error()
	}
	version, err := result.Member("protocol_version").Text()
	if err != nil {
		return err.Error()
	}
	if version != protocol.Version {
		return fmt.Sprintf("its protocol_version is %s, this program speaks %q", quoteShort([]byte(version)), protocol.Version)
	}
	implementation, err := result.Member("implementation").Object()
	if err != nil {
		return err.Error()
	}
	for _, name := range []string{"name", "version", "language", "url"} {
		member := implementation.Member(name)
		text, present, err := member.OptionalText()
		if required := name == "name" || name == "version"; required && err == nil && !present {
			_, err = member.Text()
		}
		switch {
		case err != nil:
			return err.Error()
		case name == "name" && strings.TrimSpace(text) == "":
			return member.Path + " is empty"
		case len(text) > identificationLimit:
			return fmt.Sprintf("%s has %d bytes, at most %d are allowed", member.Path, len(text), identificationLimit)
		}
		if what := controlCharacter(text, ""); what != "" {
			return member.Path + " contains " + what
		}
	}
	for _, name := range []string{"profiles", "methods"} {
		member := result.Member(name)
		texts, err := member.Texts()
		if err != nil {
			return err.Error()
		}
		for i, text := range texts {
			if what := controlCharacter(text, ""); what != "" {
				return fmt.Sprintf("%s/%d contains %s", member.Path, i, what)
			}
		}
	}
	notes, _, err := result.Member("notes").OptionalText()
	if err != nil {
		return err.Error()
	}
	if what := controlCharacter(notes, "\n\t"); what != "" {
		return "/notes contains " + what
	}
	return ""
}

// controlCharacter names the first character that could change how a terminal or a report shows
// what stands around it: controls, line separators, and those that turn the direction of writing.
func controlCharacter(text, allowed string) string {
	for _, r := range text {
		if strings.ContainsRune(allowed, r) {
			continue
		}
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r) {
			return fmt.Sprintf("the control character %U", r)
		}
	}
	return ""
}

// compareHandshake remembers the first answer to initialize, and reports where it is odd and where
// a later process answers otherwise.
func (p *Pool) compareHandshake(raw jsontext.Value) {
	value, err := jsonvalue.Parse(raw)
	if err != nil {
		return // has been checked
	}
	p.mu.Lock()
	first := p.first
	if first == nil {
		p.first = &value
	}
	p.mu.Unlock()
	if first != nil {
		if !jsonvalue.Equal(*first, value) {
			p.report(Finding{Kind: ChangedHandshake, Index: -1,
				Detail: fmt.Sprintf("a later process answers initialize with %s, the first did with %s", quoteShort(raw), quoteShort([]byte(first.String())))})
		}
		return
	}
	p.reportUnknown(UnknownProfile, value, "profiles", knownProfiles)
	p.reportUnknown(UnknownMethod, value, "methods", knownMethods)
}

func (p *Pool) reportUnknown(kind FindingKind, result jsonvalue.Value, member string, known []string) {
	declared, _ := jsonvalue.At(result).Member(member).Texts()
	var unknown []string
	for _, name := range declared {
		if !slices.Contains(known, name) {
			unknown = append(unknown, strconv.Quote(name))
		}
	}
	if len(unknown) == 0 {
		return
	}
	const shown = 5
	detail := strings.Join(unknown[:min(len(unknown), shown)], ", ")
	if len(unknown) > shown {
		detail += fmt.Sprintf(" and %d more", len(unknown)-shown)
	}
	p.report(Finding{Kind: kind, Index: -1, Detail: fmt.Sprintf("%s declares %s, which this program does not know", member, detail)})
}

var (
	knownProfiles = []string{protocol.ContextFragments, protocol.ModelVisible}
	knownMethods  = []string{
		protocol.Initialize, protocol.MarkerMatch, protocol.FragmentRender, protocol.FragmentClassify,
		protocol.MessageMerge, protocol.MessageProject, protocol.AdditionalMerge,
		protocol.MergePatchCreate, protocol.MergePatchApply, protocol.WorldStateDiff,
		protocol.ContextInitial, protocol.HistoryTurns, protocol.HistoryRollback, protocol.HistoryNormalize,
		protocol.TurnStateBuild, protocol.SessionRun, protocol.RolloutResume, protocol.RolloutExplain,
	}
)
