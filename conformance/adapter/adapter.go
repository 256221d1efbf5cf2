// Package adapter drives an implementation under test as a child process that speaks the adapter
// protocol over its standard input and output: start, handshake, pipeline, time out, restart, stop.
//
// Its promise is about blame. Whatever the child does (crash, hang, garbage, floods, answers to
// requests nobody made), the request that the child was working on is charged with it, every other
// request gets the answer it would have got alone, and what no request can be charged with becomes
// a Finding. Nothing the child does can block a run, outgrow its memory or go unseen.
//
// A file a concept: wire.go reads and writes lines, process.go owns the child and its pipes,
// handshake.go opens the conversation, conversation.go keeps requests in flight on one process,
// blame.go finds the culprit when a process is lost, pool.go spreads calls over processes, stop.go
// ends them.
//
// Not here: what an answer means (conformance/suite), and containment of a hostile program; a child
// that leaves its process group on purpose is out of reach.
package adapter

import (
	"io"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

// Config says what to start and how patient to be. Zero durations, sizes and counts mean the
// default, except Restarts.
type Config struct {
	Command []string // the program and its arguments
	Dir     string   // working directory; "" is the caller's
	Env     []string // environment as exec.Cmd has it; nil is the caller's

	StartTimeout time.Duration // until the answer to initialize; default 10 s
	CaseTimeout  time.Duration // for one request; default 10 s

	Jobs   int // processes that work side by side; default 1
	Window int // requests in flight on one process; default 64, 1 is lockstep

	// Restarts is how many processes may be lost to crashes and time-outs. With the next loss the
	// run ends: the calls that remain are not run. 0: the first loss ends the run.
	Restarts int

	LineLimit int             // bytes of a line from the child that are kept; default 16 MiB, at least 64 KiB
	Runner    protocol.Runner // what initialize says about the caller
	Stderr    io.Writer       // a copy of the children's standard error, if not nil; a write must not block
}

const (
	defaultTimeout   = 10 * time.Second
	defaultWindow    = 64
	defaultLineLimit = 16 << 20
	leastLineLimit   = readSize
)

func (c Config) withDefaults() Config {
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultTimeout
	}
	if c.CaseTimeout <= 0 {
		c.CaseTimeout = defaultTimeout
	}
	if c.Jobs <= 0 {
		c.Jobs = 1
	}
	if c.Window <= 0 {
		c.Window = defaultWindow
	}
	if c.LineLimit <= 0 {
		c.LineLimit = defaultLineLimit
	}
	c.LineLimit = max(c.LineLimit, leastLineLimit)
	return c
}

// Call is one request.
type Call struct {
	Method string
	Params jsontext.Value // one JSON value, sent on one line; nil sends no params
}

// Outcome is what came of one call: a Result, or Err where the implementation answered with an
// error, or a Failure where there is no answer to judge. Exactly one of the three is set.
type Outcome struct {
	Result   jsontext.Value
	Err      *protocol.Error
	Failure  *Failure
	Sent     []byte        // the line written, with its line feed; nil if none was
	Received []byte        // the line read; of a line that was charged at most the first 64 KiB
	Duration time.Duration // from when the child could start on the request to its answer
}

// Failure says why a call has no answer.
type Failure struct {
	Kind       FailureKind
	Detail     string // one or two sentences; quotes of the child are escaped
	Stderr     string // what the child last wrote there: up to 64 KiB of a lost process, else up to 2 KiB
	ExitStatus string // of a process that ended, as in "exit status 3" or "signal: killed"
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Detail }

// FailureKind classifies failures.
type FailureKind string

// The kinds of failure.
const (
	Crash           FailureKind = "crash"            // the process ended, or closed one of its pipes
	TimeOut         FailureKind = "time-out"         // no answer in time
	Garbage         FailureKind = "garbage"          // a line that is not strict JSON
	InvalidResponse FailureKind = "invalid response" // JSON, but no JSON-RPC 2.0 response
	WrongID         FailureKind = "wrong id"         // a response to a request that was never sent
	DuplicateAnswer FailureKind = "duplicate answer" // a second answer to the same request
	LineTooLong     FailureKind = "line too long"    // a line above Config.LineLimit
	Unread          FailureKind = "unread request"   // an error with id null: the child could not read the request
	NotRun          FailureKind = "not run"          // the run ended before
)

// Finding is something that was seen during the run and that no call could be charged with.
type Finding struct {
	Kind   FindingKind
	Detail string
	Index  int // the call it is about, by its index in Run; -1 for none
	Count  int // how often it was seen
}

// FindingKind classifies findings.
type FindingKind string

// The kinds of finding.
const (
	StrayOutput      FindingKind = "stray output"      // a line on standard output while no request was unanswered
	LateDuplicate    FindingKind = "late duplicate"    // a second answer after the outcome had been given out
	UnaskedExit      FindingKind = "unasked exit"      // the process ended while no request was unanswered
	BadExit          FindingKind = "bad exit"          // another exit status than 0 at the end of input
	IgnoredEnd       FindingKind = "ignored end"       // still running 2 s after the end of input
	HeldPipe         FindingKind = "held pipe"         // a process that the child left behind kept its pipes open
	ChangedHandshake FindingKind = "changed handshake" // a later process describes itself otherwise than the first
	UnknownProfile   FindingKind = "unknown profile"   // a declared profile that conform does not know
	UnknownMethod    FindingKind = "unknown method"    // a declared method that conform does not know
	FewerProcesses   FindingKind = "fewer processes"   // the system did not allow as many processes as asked for
	MoreFindings     FindingKind = "more findings"     // how many findings beyond the first 100 were left out
)

// Fault reports whether a finding of this kind breaks the protocol. The others are tolerated, and
// worth telling.
func (k FindingKind) Fault() bool {
	switch k {
	case UnknownProfile, UnknownMethod, FewerProcesses:
		return false
	default:
		return true
	}
}
