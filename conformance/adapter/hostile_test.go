package adapter

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The adapters that misbehave are modes of the test binary itself: hostileVariable names a row of
// the table, and the process plays that row's child instead of running tests.
const hostileVariable = "CONFORM_TEST_ADAPTER"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(hostileVariable); mode {
	case "":
		os.Exit(m.Run())
	case "echo":
		bareEcho()
	case "sleeper":
		time.Sleep(time.Hour)
	case "brief-sleeper":
		time.Sleep(10 * time.Second)
	default:
		for _, h := range hostileAdapters {
			if h.name == mode {
				h.child(newChild())
				os.Exit(0)
			}
		}
		fmt.Fprintln(os.Stderr, "no adapter", mode)
		os.Exit(99)
	}
}

// child is the misbehaving side.
type child struct {
	in   *bufio.Reader
	out  *os.File
	lock sync.Mutex
	seen int // requests after initialize
}

func newChild() *child { return &child{in: bufio.NewReaderSize(os.Stdin, 64<<10), out: os.Stdout} }

// request is what the child reads. N is the number of the call, in its params.
type childRequest struct {
	ID     int64          `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
	N      int            `json:"-"`
}

const goodHandshake = `{"protocol_version":"1","implementation":{"name":"hostile","version":"1"},"profiles":["` +
	protocol.ContextFragments + `"],"methods":["` + protocol.FragmentClassify + `"]}`

// read returns the next request, false at the end of input.
func (c *child) read() (r childRequest, ok bool) {
	line, err := c.in.ReadBytes('\n')
	if err != nil {
		return r, false
	}
	if err := json.Unmarshal(line, &r); err != nil {
		fmt.Fprintln(os.Stderr, "bad request:", err)
		os.Exit(98)
	}
	if r.Method != protocol.Initialize {
		c.seen++
		var params struct {
			N int `json:"n"`
		}
		json.Unmarshal(r.Params, &params)
		r.N = params.N
	}
	return r, true
}

func (c *child) print(text string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	io.WriteString(c.out, text)
}

func (c *child) printf(format string, args ...any) { c.print(fmt.Sprintf(format, args...)) }

// result answers a request with a result.
func (c *child) result(r childRequest, result string) {
	c.printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", r.ID, result)
}

// echo answers rightly: with the params.
func (c *child) echo(r childRequest) { c.result(r, string(r.Params)) }

// shake answers initialize.
func (c *child) shake() {
	if r, ok := c.read(); ok {
		c.result(r, goodHandshake)
	}
}

// loop answers the requests until the end of input; odd takes those that it wants to and returns
// whether it did.
func (c *child) loop(odd func(r childRequest) bool) {
	for {
		r, ok := c.read()
		if !ok {
			return
		}
		if odd == nil || !odd(r) {
			c.echo(r)
		}
	}
}

// serve is shake and loop.
func (c *child) serve(odd func(r childRequest) bool) {
	c.shake()
	c.loop(odd)
}

// at makes a child that answers everything rightly except call 50.
func at50(odd func(c *child, r childRequest)) func(*child) {
	return func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N == 50 {
				odd(c, r)
			}
			return r.N == 50
		})
	}
}

// instead makes a child that writes a text in place of the answer to call 50; ID stands for the id.
func instead(text string) func(*child) {
	return at50(func(c *child, r childRequest) {
		c.print(strings.ReplaceAll(text, "ID", fmt.Sprint(r.ID)))
	})
}

// shaking makes a child whose answer to initialize is this text; it is right afterwards.
func shaking(text string) func(*child) {
	return func(c *child) {
		c.read()
		c.print(text)
		c.loop(nil)
	}
}

func handshakeWith(old, new string) func(*child) {
	if !strings.Contains(goodHandshake, old) {
		panic(old)
	}
	return shaking(`{"jsonrpc":"2.0","id":1,"result":` + strings.Replace(goodHandshake, old, new, 1) + "}\n")
}

func hang() { time.Sleep(time.Hour) }

// spawn starts a process of this binary that inherits the standard streams.
func spawn(mode string) *exec.Cmd { return spawnWith(mode, nil) }

func spawnWith(mode string, attributes *syscall.SysProcAttr) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), hostileVariable+"="+mode)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = attributes
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(97)
	}
	return cmd
}

// collected makes a child that writes its answers only when no more input is waiting, and does odd
// at call 50 with answers unwritten.
func collected(odd func()) func(*child) {
	return func(c *child) {
		c.shake()
		var answers bytes.Buffer
		for {
			r, ok := c.read()
			if !ok {
				c.print(answers.String())
				return
			}
			if r.N == 50 {
				odd()
			}
			fmt.Fprintf(&answers, `{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", r.ID, r.Params)
			if c.in.Buffered() == 0 {
				c.print(answers.String())
				answers.Reset()
			}
		}
	}
}

// concurrently makes a child that works on all requests at once and answers in any order.
func concurrently(odd func(c *child, r childRequest) bool) func(*child) {
	return spread(time.Millisecond, odd)
}

// spread is concurrently with answers that come over ten times the step.
func spread(step time.Duration, odd func(c *child, r childRequest) bool) func(*child) {
	return func(c *child) {
		c.shake()
		var working sync.WaitGroup
		for {
			r, ok := c.read()
			if !ok {
				working.Wait()
				return
			}
			working.Go(func() {
				time.Sleep(time.Duration(r.N*7919%11) * step)
				if odd == nil || !odd(c, r) {
					c.echo(r)
				}
			})
		}
	}
}

// flood writes n MiB of text to a file.
func flood(w io.Writer, mebibytes int, line string) {
	block := []byte(strings.Repeat(line, 1<<20/len(line)+1)[:1<<20])
	for range mebibytes {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// bareEcho answers every request as cheaply as Go can: one write an answer.
func bareEcho() {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	var answer []byte
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		id, rest, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(`{"jsonrpc":"2.0","id":`)), []byte(","))
		answer = append(append(append(answer[:0], `{"jsonrpc":"2.0","id":`...), id...), `,"result":`...)
		if first {
			answer = append(answer, goodHandshake...)
		} else {
			_, params, _ := bytes.Cut(rest, []byte(`"params":`))
			answer = append(answer, bytes.TrimSuffix(params, []byte("}\n"))...)
		}
		os.Stdout.Write(append(answer, "}\n"...))
	}
}

// hostile is one row of the table: an adapter that misbehaves, and what must come of it. Every call
// that is not named must keep its right answer.
type hostile struct {
	name  string
	does  string // what it does, in words
	child func(*child)

	calls  int // default 200
	params func(n int) string
	config func(*Config)

	start    string // Start fails with a message that contains this
	want     map[int]FailureKind
	or       FailureKind                            // also right where the outcome is a race
	detail   map[int]string                         // what the failure's detail contains
	findings []FindingKind                          // exactly these kinds
	check    func(t *testing.T, outcomes []Outcome) // in place of want
	notRun   bool                                   // the budget is used up: calls without an entry in want are not run
	lost     int                                    // processes started at most, 0: not looked at
	heavy    bool                                   // moves much data: not beside others, whose heap it would spoil
	patience time.Duration                          // generous: only against a run that hangs; default 20 s
}

// caseTimeout of the rows that time out. Machines that run tests may be busy.
const caseTimeout = 2 * time.Second

func impatient(c *Config) { c.CaseTimeout = caseTimeout }

func one(kind FailureKind) map[int]FailureKind { return map[int]FailureKind{50: kind} }

var hostileAdapters = []hostile{
	// Right ones, that a harness may still get wrong.
	{name: "well-behaved", does: "answers every request in order", child: func(c *child) { c.serve(nil) }, lost: 1},
	{name: "crlf", does: "ends its lines with CR LF", child: func(c *child) {
		c.read()
		c.print(`{"jsonrpc":"2.0","id":1,"result":` + goodHandshake + "}\r\n")
		c.loop(func(r childRequest) bool {
			c.printf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\r\n", r.ID, r.Params)
			return true
		})
	}},
	{name: "out-of-order", does: "works on all requests at once and answers in any order", child: concurrently(nil), lost: 1},
	{name: "collects-answers", does: "writes its answers when no more input is waiting", child: collected(func() {}), lost: 1},
	{name: "byte-by-byte", does: "writes each byte of an answer with a delay", calls: 10, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			for _, b := range fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", r.ID, r.Params) {
				c.print(string(b))
				time.Sleep(time.Millisecond)
			}
			return true
		})
	}},
	{name: "large-both-ways", heavy: true, does: "writes large answers before it reads on, while large requests wait for it", calls: 100,
		params: func(n int) string { return fmt.Sprintf(`{"n":%d,"pad":%q}`, n, strings.Repeat("x", 100_000)) },
		child:  func(c *child) { c.serve(nil) }},
	{name: "huge-number", heavy: true, does: "answers with a number of 400 digits and one with an exponent of a million", child: at50(func(c *child, r childRequest) {
		c.result(r, `{"n":50,"x":[1`+strings.Repeat("0", 400)+`,1e1000000]}`)
	}), check: func(t *testing.T, outcomes []Outcome) {
		if got := string(outcomes[50].Result); !strings.HasSuffix(got, ",1e1000000]}") {
			t.Errorf("the number came as %s", got)
		}
	}},
	{name: "slow", does: "takes more than half the time for every call", calls: 3, config: func(c *Config) { c.CaseTimeout = 4 * time.Second }, lost: 2, child: func(c *child) {
		c.serve(func(childRequest) bool { time.Sleep(2200 * time.Millisecond); return false })
	}},
	{name: "wrapper", does: "is a wrapper whose own child answers, and hangs at call 50", config: impatient, want: one(TimeOut), child: func(*child) {
		spawn("hangs").Wait()
	}},

	// Crashes.
	{name: "exits-at-once", does: "exits at once", start: "it ended (exit status 3) before it answered initialize", child: func(*child) {
		fmt.Fprintln(os.Stderr, "no module named frobnicate")
		os.Exit(3)
	}},
	{name: "exits-at-request", does: "exits when it reads call 50", want: one(Crash), lost: 3,
		detail: map[int]string{50: "happened again when the request was sent alone"},
		child:  at50(func(*child, childRequest) { os.Exit(3) })},
	{name: "exits-at-first-and-last", does: "exits when it reads the first call, and the last", want: map[int]FailureKind{0: Crash, 199: Crash}, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N == 0 || r.N == 199 {
				os.Exit(3)
			}
			return false
		})
	}},
	{name: "exits-at-neighbours", does: "exits at calls 50, 51 and 52", want: map[int]FailureKind{50: Crash, 51: Crash, 52: Crash}, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N >= 50 && r.N <= 52 {
				os.Exit(3)
			}
			return false
		})
	}},
	{name: "exits-after-many", does: "exits at the 40th request of each process, whatever it is",
		// The 40th call of the first process; while the suspects are sent alone, the 40th of that; then
		// in lockstep the 40th of each. None is innocent: each was being processed.
		want:   map[int]FailureKind{39: Crash, 78: Crash, 118: Crash, 158: Crash, 198: Crash},
		detail: map[int]string{39: "did not happen again", 78: "the 40th request of a fresh process", 118: "did not happen again"},
		child: func(c *child) {
			c.serve(func(childRequest) bool {
				if c.seen == 40 {
					os.Exit(3)
				}
				return false
			})
		}},
	{name: "crash-with-answers-collected", does: "exits at call 50 with answers to earlier calls unwritten", want: one(Crash), child: collected(func() { os.Exit(3) })},
	{name: "crash-out-of-order", does: "answers in any order and exits at call 50", want: one(Crash), child: concurrently(func(_ *child, r childRequest) bool {
		if r.N == 50 {
			os.Exit(3)
		}
		return false
	})},
	{name: "killed", does: "is killed by a signal at call 50", want: one(Crash), detail: map[int]string{50: "signal: killed"}, child: at50(func(*child, childRequest) {
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		hang()
	})},
	{name: "half-a-line-then-exit", does: "exits in the middle of the answer to call 50", want: one(Crash), detail: map[int]string{50: "in the middle of a line"}, child: at50(func(c *child, r childRequest) {
		c.printf(`{"jsonrpc":"2.0","id":%d,"res`, r.ID)
		os.Exit(3)
	})},
	{name: "traceback-then-exit", does: "writes a traceback to its standard output at call 50 and exits", want: one(Crash), child: at50(func(c *child, r childRequest) {
		c.print("Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n")
		os.Exit(1)
	})},
	{name: "one-answer-a-process", does: "exits with status 0 after each answer", notRun: true, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			c.echo(r)
			os.Exit(0)
			return true
		})
	}, config: func(c *Config) { c.Restarts = 3 }, check: func(t *testing.T, outcomes []Outcome) {
		crashes := 0
		for _, o := range outcomes {
			if o.Failure != nil && o.Failure.Kind == Crash {
				crashes++
			}
		}
		if crashes == 0 || outcomes[199].Failure == nil || outcomes[199].Failure.Kind != NotRun {
			t.Errorf("%d crashes, the last outcome is %v", crashes, outcomes[199].Failure)
		}
	}},
	{name: "closes-stdout", does: "closes its standard output at call 50 and lives on", want: one(Crash), detail: map[int]string{50: "closed its standard output"}, child: at50(func(c *child, _ childRequest) {
		c.out.Close()
		hang()
	})},
	{name: "closes-stdin", does: "closes its standard input after the handshake and lives on", notRun: true,
		want: map[int]FailureKind{0: Crash, 1: Crash}, detail: map[int]string{0: "closed its standard input"},
		config: func(c *Config) { c.Restarts = 1 },
		child: func(c *child) {
			c.read()
			os.Stdin.Close()
			c.print(`{"jsonrpc":"2.0","id":1,"result":` + goodHandshake + "}\n")
			hang()
		}},
	{name: "closes-stdin-at-request", does: "closes its standard input at call 50 and lives on", config: impatient, want: one(TimeOut), or: Crash, child: at50(func(*child, childRequest) {
		os.Stdin.Close()
		hang()
	})},
	{name: "grandchild-then-exit", does: "leaves a process that holds its pipes, and exits at call 50", want: one(Crash), findings: []FindingKind{HeldPipe}, child: func(c *child) {
		spawn("sleeper")
		at50(func(*child, childRequest) { os.Exit(3) })(c)
	}},

	// Silence.
	{name: "hangs", does: "hangs at call 50", config: impatient, want: one(TimeOut), child: at50(func(*child, childRequest) { hang() })},
	{name: "hangs-with-jobs", does: "hangs at call 50, one of two processes", config: func(c *Config) { impatient(c); c.Jobs = 2 }, want: one(TimeOut), child: at50(func(*child, childRequest) { hang() })},
	{name: "hangs-twice", does: "hangs at calls 50 and 51", config: impatient, want: map[int]FailureKind{50: TimeOut, 51: TimeOut}, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N == 50 || r.N == 51 {
				hang()
			}
			return false
		})
	}},
	{name: "hangs-and-ignores-sigterm", does: "hangs at call 50 and ignores SIGTERM", config: impatient, want: one(TimeOut), child: func(c *child) {
		signal.Ignore(syscall.SIGTERM)
		at50(func(*child, childRequest) { hang() })(c)
	}},
	{name: "hang-with-answers-collected", does: "hangs at call 50 with answers to earlier calls unwritten", config: impatient, want: one(TimeOut), child: collected(hang)},
	{name: "hang-out-of-order", does: "answers in any order, and call 50 stops it altogether", config: impatient, want: one(TimeOut), child: spread(20*time.Millisecond, func(c *child, r childRequest) bool {
		if r.N == 50 {
			c.lock.Lock()
			hang()
		}
		return false
	})},
	{name: "cannot-pipeline", does: "hangs when a second request is waiting while it reads one", config: impatient, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			time.Sleep(time.Millisecond)
			if c.in.Buffered() > 0 {
				hang()
			}
			return false
		})
	}, check: func(t *testing.T, outcomes []Outcome) {
		failures := 0
		for i, o := range outcomes {
			if o.Failure != nil {
				failures++
				if o.Failure.Kind != TimeOut || !strings.Contains(o.Failure.Detail, "did not happen again") {
					t.Errorf("call %d: %v", i, o.Failure)
				}
			}
		}
		if failures != 1 {
			t.Errorf("%d failures, want 1: the others are right in lockstep", failures)
		}
	}},
	{name: "reads-nothing", heavy: true, does: "reads nothing after the handshake, while large requests wait", notRun: true,
		config: func(c *Config) { impatient(c); c.Restarts = 1 },
		params: func(n int) string { return fmt.Sprintf(`{"n":%d,"pad":%q}`, n, strings.Repeat("x", 200_000)) },
		want:   map[int]FailureKind{0: TimeOut, 1: TimeOut},
		child:  func(c *child) { c.shake(); hang() }},
	{name: "never-answers-one", does: "never answers call 50 but goes on", config: impatient, want: one(TimeOut), child: at50(func(*child, childRequest) {})},
	{name: "forgets-many", does: "never answers every tenth call but goes on", config: impatient,
		want: map[int]FailureKind{9: TimeOut, 19: TimeOut, 29: TimeOut, 39: TimeOut, 49: TimeOut, 59: TimeOut, 69: TimeOut, 79: TimeOut, 89: TimeOut, 99: TimeOut}, calls: 100,
		child: func(c *child) { c.serve(func(r childRequest) bool { return r.N%10 == 9 }) }},
	{name: "forgets-many-out-of-order", does: "answers in any order and never answers every tenth call", config: impatient,
		want: map[int]FailureKind{9: TimeOut, 19: TimeOut, 29: TimeOut, 39: TimeOut, 49: TimeOut, 59: TimeOut, 69: TimeOut, 79: TimeOut, 89: TimeOut, 99: TimeOut}, calls: 100,
		child: concurrently(func(_ *child, r childRequest) bool { return r.N%10 == 9 })},
	{name: "answers-late", does: "answers call 50 after its time, and others meanwhile", want: one(TimeOut), calls: 250, config: impatient,
		child: func(c *child) {
			c.serve(func(r childRequest) bool {
				time.Sleep(20 * time.Millisecond)
				if r.N == 50 {
					go func() { time.Sleep(3 * time.Second); c.echo(r) }()
				}
				return r.N == 50
			})
		}},
	{name: "half-a-line", does: "begins the answer to call 50 and falls silent", config: impatient, want: one(TimeOut), detail: map[int]string{50: "a line began and did not end"}, child: at50(func(c *child, r childRequest) {
		c.printf(`{"jsonrpc":"2.0","id":%d,"res`, r.ID)
		hang()
	})},
	{name: "endless-line", heavy: true, does: "answers call 50 with a line that never ends", config: impatient, want: one(TimeOut), detail: map[int]string{50: "a line began and did not end"}, child: at50(func(c *child, r childRequest) {
		c.printf(`{"jsonrpc":"2.0","id":%d,"result":"`, r.ID)
		flood(c.out, 1<<30, "x")
	})},
	{name: "endless-noise", heavy: true, does: "floods its standard output with lines at call 50, without end", config: impatient, want: one(Garbage), child: at50(func(c *child, r childRequest) {
		flood(c.out, 1<<30, "all work and no play\n")
	})},

	// Lines that are no answers.
	{name: "garbage-line", does: "writes a line that is no JSON in place of the answer", want: one(Garbage), lost: 1, child: instead("OK\n")},
	{name: "noise-before-answer", does: "writes three lines before the answer", want: one(Garbage), lost: 1, child: at50(func(c *child, r childRequest) {
		c.print("loading\nwarning: x\n\n")
		c.echo(r)
	})},
	{name: "traceback", heavy: true, does: "writes a traceback of 80 lines in place of the answer", want: one(Garbage), lost: 1, child: instead(strings.Repeat("  File \"a.py\", line 1, in f\n", 80))},
	{name: "always-garbage", does: "answers every call with the same word", calls: 20, config: impatient, child: func(c *child) {
		c.serve(func(childRequest) bool { c.print("OK\n"); return true })
	}, check: func(t *testing.T, outcomes []Outcome) {
		for i, o := range outcomes {
			if o.Failure == nil || o.Failure.Kind != Garbage {
				t.Errorf("call %d: %v", i, o.Failure)
			}
		}
	}},
	{name: "empty-line", does: "writes an empty line before the answer", want: one(Garbage), child: at50(func(c *child, r childRequest) { c.print("\n"); c.echo(r) })},
	{name: "invalid-utf8", does: "answers with bytes that are no UTF-8", want: one(Garbage), detail: map[int]string{50: "invalid UTF-8"}, child: instead("{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":\"\xff\"}\n")},
	{name: "lone-surrogate", does: "answers with half a surrogate pair", want: one(Garbage), child: instead(`{"jsonrpc":"2.0","id":ID,"result":"\ud800"}` + "\n")},
	{name: "duplicate-names", does: "answers with an object that has a name twice", want: one(Garbage), detail: map[int]string{50: "duplicate"}, child: instead(`{"jsonrpc":"2.0","id":ID,"result":{"a":1,"a":2}}` + "\n")},
	{name: "duplicate-result", does: "answers with two results in one response", want: one(Garbage), child: instead(`{"jsonrpc":"2.0","id":ID,"result":1,"result":2}` + "\n")},
	{name: "deep-nesting", heavy: true, does: "answers with 100,000 nested arrays", want: one(Garbage), child: instead(`{"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}\n")},
	{name: "deep-nesting-id-last", heavy: true, does: "the same with the id at the end", want: one(Garbage), child: instead(`{"jsonrpc":"2.0","result":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `,"id":ID}` + "\n")},
	{name: "nan", does: "answers with NaN", want: one(Garbage), child: instead(`{"jsonrpc":"2.0","id":ID,"result":{"n":NaN}}` + "\n")},
	{name: "infinity-out-of-order", does: "answers in any order, call 50 with Infinity and the id at the end", want: one(Garbage), child: concurrently(func(c *child, r childRequest) bool {
		if r.N == 50 {
			c.printf(`{"jsonrpc":"2.0","result":Infinity,"id":%d}`+"\n", r.ID)
		}
		return r.N == 50
	})},
	{name: "long-line", heavy: true, does: "answers with a line of 100 MiB", want: one(LineTooLong), lost: 1, child: at50(func(c *child, r childRequest) {
		c.printf(`{"jsonrpc":"2.0","id":%d,"result":"`, r.ID)
		flood(c.out, 100, "x")
		c.print("\"}\n")
	})},
	{name: "long-line-id-last", heavy: true, does: "the same with the id at the end, out of order", want: one(LineTooLong), lost: 1, child: func(c *child) {
		c.shake()
		var kept []childRequest
		c.loop(func(r childRequest) bool {
			if r.N >= 45 && r.N <= 50 { // 50 is answered first, the others after it
				kept = append(kept, r)
				if r.N == 50 {
					c.print(`{"jsonrpc":"2.0","result":"`)
					flood(c.out, 100, "x")
					c.printf(`","id":%d}`+"\n", r.ID)
					for _, r := range kept[:5] {
						c.echo(r)
					}
				}
				return true
			}
			return false
		})
	}},

	// Answers that are none.
	{name: "answers-twice", does: "answers call 50 twice", want: one(DuplicateAnswer), lost: 1, child: at50(func(c *child, r childRequest) { c.echo(r); c.echo(r) })},
	{name: "answers-last-twice", does: "answers the last call twice", want: map[int]FailureKind{199: DuplicateAnswer}, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N == 199 {
				c.echo(r)
			}
			return false
		})
	}},
	{name: "answers-twice-much-later", does: "answers call 50 again at the end of input", want: one(DuplicateAnswer), child: func(c *child) {
		var fiftieth childRequest
		c.serve(func(r childRequest) bool {
			if r.N == 50 {
				fiftieth = r
			}
			return false
		})
		c.echo(fiftieth)
	}},
	{name: "answers-under-another-id", does: "answers call 50 under the id of call 49", config: impatient, want: map[int]FailureKind{49: DuplicateAnswer, 50: TimeOut}, child: at50(func(c *child, r childRequest) {
		r.ID--
		c.echo(r)
	})},
	{name: "unknown-id", does: "answers under an id that was never sent", want: one(WrongID), lost: 1, child: instead(`{"jsonrpc":"2.0","id":987654321,"result":{}}` + "\n")},
	{name: "string-id", does: "answers with the id as a string", want: one(WrongID), lost: 1, child: instead(`{"jsonrpc":"2.0","id":"ID","result":{}}` + "\n")},
	{name: "fractional-id", does: "answers with the id as 1.0 instead of 1", want: one(WrongID), lost: 1, child: instead(`{"jsonrpc":"2.0","id":ID.0,"result":{}}` + "\n")},
	{name: "no-id", does: "answers without an id", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","result":{}}` + "\n")},
	{name: "null-id", does: "says with id null that it could not read a request", want: one(Unread), child: instead(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}` + "\n")},
	{name: "null-id-result", does: "gives a result with id null", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":null,"result":{}}` + "\n")},
	{name: "no-version", does: "leaves jsonrpc out", want: one(InvalidResponse), child: instead(`{"id":ID,"result":{}}` + "\n")},
	{name: "result-and-error", does: "answers with a result and an error", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}` + "\n")},
	{name: "result-and-null-error", does: "answers with a result and an error that is null", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":ID,"result":{},"error":null}` + "\n")},
	{name: "neither", does: "answers with neither result nor error", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":ID}` + "\n")},
	{name: "error-without-code", does: "answers with an error without a code", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":ID,"error":{"message":"x"}}` + "\n")},
	{name: "error-string", does: "answers with an error that is a string", want: one(InvalidResponse), child: instead(`{"jsonrpc":"2.0","id":ID,"error":"x"}` + "\n")},
	{name: "batch", does: "answers with an array of responses", want: one(InvalidResponse), child: instead(`[{"jsonrpc":"2.0","id":ID,"result":{}}]` + "\n")},
	{name: "notification", does: "sends a notification before the answer", want: one(InvalidResponse), child: at50(func(c *child, r childRequest) {
		c.print(`{"jsonrpc":"2.0","method":"log","params":["x"]}` + "\n")
		c.echo(r)
	})},
	{name: "own-request", does: "sends a request of its own under an id of ours", want: one(InvalidResponse), child: at50(func(c *child, r childRequest) {
		c.printf(`{"jsonrpc":"2.0","id":%d,"method":"ask"}`+"\n", r.ID+3)
		c.echo(r)
	})},
	{name: "two-in-a-line", does: "writes the answers to calls 50 and 51 in one line", want: map[int]FailureKind{50: InvalidResponse, 51: InvalidResponse}, lost: 1, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			if r.N == 50 {
				c.printf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, r.ID)
			}
			return r.N == 50
		})
	}},

	// Noise that nobody can be charged with.
	{name: "banner", does: "greets before the handshake", findings: []FindingKind{StrayOutput}, child: func(c *child) {
		c.print("hostile 1.0 ready\n")
		c.serve(nil)
	}},
	{name: "log-before-handshake", does: "writes a log in JSON before the handshake", findings: []FindingKind{StrayOutput}, child: func(c *child) {
		c.print(`{"level":"info","msg":"ready","id":1234}` + "\n")
		c.serve(nil)
	}},
	{name: "noise-after-last-answer", does: "says goodbye after the last answer", findings: []FindingKind{StrayOutput}, child: func(c *child) {
		c.serve(nil)
		c.print("bye\n")
	}},
	{name: "half-a-line-after-last-answer", does: "the same without a line feed", findings: []FindingKind{StrayOutput}, child: func(c *child) {
		c.serve(nil)
		c.print("bye")
	}},
	{name: "flood-after-last-answer", heavy: true, does: "floods its standard output at the end of input", findings: []FindingKind{StrayOutput, MoreFindings}, child: func(c *child) {
		c.serve(nil)
		for i := range 300_000 {
			c.printf("line %d\n", i)
		}
	}},
	{name: "second-handshake", does: "answers initialize twice", findings: []FindingKind{StrayOutput}, child: func(c *child) {
		r, _ := c.read()
		c.result(r, goodHandshake)
		c.result(r, goodHandshake)
		c.loop(nil)
	}},
	{name: "stderr-flood", heavy: true, does: "writes 1 GiB to its standard error (200 MiB with -short)", patience: 2 * time.Minute,
		config: func(c *Config) { c.CaseTimeout = time.Minute },
		child: at50(func(c *child, r childRequest) {
			size := 1024
			if os.Getenv("CONFORM_TEST_SHORT") != "" {
				size = 200
			}
			flood(os.Stderr, size, "chatter ")
			c.echo(r)
		})},

	// The end.
	{name: "exit-status", does: "exits with status 7 at the end of input", findings: []FindingKind{BadExit}, child: func(c *child) { c.serve(nil); os.Exit(7) }},
	{name: "ignores-end", does: "goes on after the end of input", findings: []FindingKind{IgnoredEnd}, child: func(c *child) { c.serve(nil); hang() }},
	{name: "ignores-end-and-sigterm", does: "goes on after the end of input and ignores SIGTERM", findings: []FindingKind{IgnoredEnd}, child: func(c *child) {
		signal.Ignore(syscall.SIGTERM)
		c.serve(nil)
		hang()
	}},
	{name: "grandchild", does: "leaves a process behind that holds its pipes", findings: []FindingKind{HeldPipe}, child: func(c *child) {
		spawn("sleeper")
		c.serve(nil)
	}},

	// The handshake.
	{name: "silent", does: "never answers initialize", start: "no answer to initialize within 500ms", config: func(c *Config) { c.StartTimeout = 500 * time.Millisecond }, child: func(*child) { hang() }},
	{name: "pretty-printed-handshake", does: "spreads its answer to initialize over several lines", start: "one JSON object on one line", child: shaking("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1\n}\n")},
	{name: "handshake-without-line-feed", does: "answers initialize without a line feed", start: "without a line feed", config: func(c *Config) { c.StartTimeout = 500 * time.Millisecond },
		child: shaking(`{"jsonrpc":"2.0","id":1,"result":` + goodHandshake + `}`)},
	{name: "handshake-exit-0", does: "reads initialize and ends", start: "(exit status 0) before it answered", child: func(c *child) { c.read() }},
	{name: "handshake-byte-order-mark", does: "begins with a byte order mark", start: "byte order mark", child: shaking("\ufeff" + `{"jsonrpc":"2.0","id":1,"result":` + goodHandshake + "}\n")},
	{name: "handshake-without-envelope", does: "answers initialize without an envelope", start: "no JSON-RPC response", child: shaking(goodHandshake + "\n")},
	{name: "handshake-wrong-id", does: "answers initialize with another id", start: "has the id 0, want 1", child: shaking(`{"jsonrpc":"2.0","id":0,"result":` + goodHandshake + "}\n")},
	{name: "handshake-no-version", does: "leaves jsonrpc out", start: "jsonrpc is missing", child: shaking(`{"id":1,"result":` + goodHandshake + "}\n")},
	{name: "handshake-error", does: "refuses initialize", start: "it refused initialize: error -32601", child: shaking(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}` + "\n")},
	{name: "handshake-duplicate-names", does: "answers initialize with a name twice", start: "duplicate", child: handshakeWith(`"methods":`, `"methods":[],"methods":`)},
	{name: "handshake-protocol-2", does: "speaks another protocol version", start: `protocol_version is "2", this program speaks "1"`, child: handshakeWith(`"1","impl`, `"2","impl`)},
	{name: "handshake-protocol-number", does: "gives the protocol version as a number", start: "/protocol_version: want string, got number", child: handshakeWith(`"1","impl`, `1,"impl`)},
	{name: "handshake-no-name", does: "has no name", start: "/implementation/name: required", child: handshakeWith(`"name":"hostile",`, ``)},
	{name: "handshake-empty-name", does: "has an empty name", start: "/implementation/name is empty", child: handshakeWith(`"hostile"`, `" "`)},
	{name: "handshake-no-methods", does: "declares no methods", start: "/methods: required", child: handshakeWith(`"methods"`, `"procedures"`)},
	{name: "handshake-profile-object", does: "declares profiles that are no strings", start: "/profiles/0: want string", child: handshakeWith(`"`+protocol.ContextFragments+`"`, `{}`)},
	{name: "handshake-control-characters", does: "has control characters in its name", start: "/implementation/name contains the control character U+001B", child: handshakeWith(`"hostile"`, `"\u001b[2Jhostile"`)},
	{name: "handshake-bidi", does: "turns the direction of writing in its version", start: "U+202E", child: handshakeWith(`"version":"1"`, `"version":"\u202e1"`)},
	{name: "handshake-long-name", does: "has a name of a million bytes", start: "/implementation/name has 1000000 bytes", child: handshakeWith(`"hostile"`, `"`+strings.Repeat("x", 1_000_000)+`"`)},
	{name: "unknown-profile", does: "declares a profile that nobody knows", findings: []FindingKind{UnknownProfile}, child: handshakeWith(`"profiles":[`, `"profiles":["mine/2030-01",`)},
	{name: "ten-thousand-methods", heavy: true, does: "declares 10,000 methods", findings: []FindingKind{UnknownMethod}, child: handshakeWith(`"methods":[`, `"methods":[`+strings.Repeat(`"x/y",`, 10_000))},
}
