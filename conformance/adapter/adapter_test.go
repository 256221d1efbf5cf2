package adapter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json/jsontext"
)

// memoryLimit is how much the heap may grow in any of the runs.
const memoryLimit = 64 << 20

// playing returns a configuration whose adapter is the test binary in that mode.
func playing(t testing.TB, mode string) Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), hostileVariable+"="+mode, "GORACE=atexit_sleep_ms=0") // -race sleeps 1 s at exit
	if testing.Short() {
		env = append(env, "CONFORM_TEST_SHORT=1")
	}
	return Config{
		Command: []string{self}, Env: env, Restarts: 20,
		StartTimeout: 20 * time.Second, CaseTimeout: 20 * time.Second, // machines may be busy
		Runner: protocol.Runner{Name: "conform", Version: "test"},
	}
}

// watched starts a pool and returns its processes, as they come.
func watched(ctx context.Context, cfg Config) (*Pool, func() []*process, error) {
	var mu sync.Mutex
	var processes []*process
	p, _, err := start(ctx, cfg, func(proc *process) {
		mu.Lock()
		defer mu.Unlock()
		processes = append(processes, proc)
	})
	return p, func() []*process {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(processes)
	}, err
}

func numbered(n int, params func(int) string) []Call {
	calls := make([]Call, n)
	for i := range calls {
		text := fmt.Sprintf(`{"n":%d}`, i)
		if params != nil {
			text = params(i)
		}
		calls[i] = Call{Method: protocol.FragmentClassify, Params: jsontext.Value(text)}
	}
	return calls
}

// TestHostileAdapters plays every row of the table.
func TestHostileAdapters(t *testing.T) {
	for _, h := range hostileAdapters {
		t.Run(h.name, func(t *testing.T) {
			if !h.heavy {
				t.Parallel()
			}
			h.play(t)
		})
	}
}

func (h hostile) play(t *testing.T) {
	cfg := playing(t, h.name)
	if h.config != nil {
		h.config(&cfg)
	}
	patience := h.patience
	if patience == 0 {
		patience = 20 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New("the run hangs"))
	defer cancel()
	calls := numbered(200, h.params)
	if h.calls > 0 {
		calls = numbered(h.calls, h.params)
	}
	heap := watchHeap()

	p, processes, err := watched(ctx, cfg)
	if h.start != "" {
		var failure *StartError
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), h.start) {
			t.Errorf("Start: %v\nwant a *StartError with %q", err, h.start)
		}
		if ctx.Err() != nil {
			t.Error(context.Cause(ctx))
		}
		noneLeft(t, processes())
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	outcomes := make([]Outcome, len(calls))
	times := make([]int, len(calls))
	err = p.Run(ctx, calls, func(i int, o Outcome) {
		outcomes[i] = o
		times[i]++
	})
	p.Close()
	var budget *RestartsError
	switch {
	case h.notRun && !errors.As(err, &budget):
		t.Errorf("Run: %v, want a *RestartsError", err)
	case !h.notRun && err != nil:
		t.Errorf("Run: %v", err)
	}
	if grown := heap(); h.heavy && grown > memoryLimit { // others share the heap with their neighbours
		t.Errorf("the heap grew by %d MiB", grown>>20)
	}
	for i, n := range times {
		if n != 1 {
			t.Errorf("call %d has %d outcomes", i, n)
		}
	}
	h.judge(t, calls, outcomes)
	var kinds []FindingKind
	for _, f := range p.Findings() {
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	if h.check == nil && !slices.Equal(kinds, h.findings) {
		t.Errorf("findings %v, want %v", p.Findings(), h.findings)
	}
	if n := len(processes()); h.lost > 0 && n > h.lost {
		t.Errorf("%d processes were started, want at most %d", n, h.lost)
	}
	noneLeft(t, processes())
}

func (h hostile) judge(t *testing.T, calls []Call, outcomes []Outcome) {
	t.Helper()
	if h.check != nil {
		h.check(t, outcomes)
	}
	for i, o := range outcomes {
		want, named := h.want[i]
		switch {
		case h.check != nil && o.Failure != nil:
		case !named && h.notRun:
			if h.check == nil && (o.Failure == nil || o.Failure.Kind != NotRun) {
				t.Errorf("call %d: %v, want it not run", i, o.Failure)
			}
		case named && o.Failure != nil && h.or != "" && o.Failure.Kind == h.or:
		case named && (o.Failure == nil || o.Failure.Kind != want):
			t.Errorf("call %d: %v, want %s", i, o.Failure, want)
		case named && !strings.Contains(o.Failure.Detail, h.detail[i]):
			t.Errorf("call %d: %v, want %q in it", i, o.Failure, h.detail[i])
		case named:
			if o.Result != nil || o.Err != nil {
				t.Errorf("call %d has a failure and an answer", i)
			}
			t.Logf("call %d: %v", i, o.Failure)
		case o.Failure != nil:
			t.Errorf("call %d is innocent: %v", i, o.Failure)
		case h.check == nil:
			sameAnswer(t, i, calls[i], o)
		}
	}
}

// sameAnswer checks that an outcome is the answer to its own call, and its lines the exact ones.
func sameAnswer(t *testing.T, i int, call Call, o Outcome) {
	t.Helper()
	if string(o.Result) != string(call.Params) {
		t.Errorf("call %d has the result %.100s, want %.100s", i, o.Result, call.Params)
	}
	sent, err := jsonvalue.Parse(o.Sent)
	if err != nil || !strings.HasSuffix(string(o.Sent), "\n") {
		t.Errorf("call %d sent %.100q: %v", i, o.Sent, err)
	}
	received, err := jsonvalue.Parse(o.Received)
	if err != nil || !strings.HasSuffix(string(o.Received), "\n") {
		t.Errorf("call %d received %.100q: %v", i, o.Received, err)
	}
	sentID, _ := sent.Get("id")
	receivedID, _ := received.Get("id")
	if !jsonvalue.Equal(sentID, receivedID) {
		t.Errorf("call %d was sent as %v and answered as %v", i, sentID, receivedID)
	}
}

// watchHeap returns a function that tells by how much the heap grew at most since.
func watchHeap() (grown func() uint64) {
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	runtime.GC()
	before, most := heap(), uint64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			most = max(most, heap())
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-stopped
		return most - min(before, most)
	}
}

// noneLeft checks that every process is gone, with whatever it started.
func noneLeft(t *testing.T, processes []*process) {
	t.Helper()
	for _, proc := range processes {
		if !closedWithin(5*time.Second, proc.gone) {
			t.Errorf("process %d is not gone", proc.cmd.Process.Pid)
		}
	}
	for range 100 {
		if left := groupMembers(t, processes); len(left) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("left behind: %v", groupMembers(t, processes))
}

// groupMembers lists the processes that live in the groups of these. It needs /proc.
func groupMembers(t *testing.T, processes []*process) (members []string) {
	t.Helper()
	groups := make(map[int]bool)
	for _, proc := range processes {
		groups[proc.cmd.Process.Pid] = true
	}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// pid (name) state parent group …; the name may contain anything
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if group, _ := strconv.Atoi(fields[2]); groups[group] && fields[0] != "Z" && fields[0] != "X" {
			members = append(members, string(text))
		}
	}
	return members
}

// TestEveryRowIsExplained keeps the table fit for a page of documentation.
func TestEveryRowIsExplained(t *testing.T) {
	seen := make(map[string]bool)
	for _, h := range hostileAdapters {
		if seen[h.name] || h.does == "" {
			t.Errorf("row %q is there twice, or says nothing", h.name)
		}
		seen[h.name] = true
	}
}

func TestOneHangCostsOneTimeout(t *testing.T) {
	cfg := playing(t, "hangs")
	cfg.CaseTimeout = 3 * time.Second
	p, _, err := watched(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	began := time.Now()
	if err := p.Run(t.Context(), numbered(200, nil), func(int, Outcome) {}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > cfg.CaseTimeout*9/5 {
		t.Errorf("the run took %v with a time-out of %v", took, cfg.CaseTimeout)
	}
}

func TestCancelledRunEndsQuickly(t *testing.T) {
	for _, mode := range []string{"hangs-and-ignores-sigterm", "ignores-end-and-sigterm", "grandchild", "endless-noise"} {
		t.Run(mode, func(t *testing.T) {
			cfg := playing(t, mode)
			cfg.Jobs = 2
			p, processes, err := watched(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			outcomes := 0
			var cancelled time.Time
			err = p.Run(ctx, numbered(100_000, nil), func(i int, o Outcome) {
				if outcomes == 0 {
					time.AfterFunc(200*time.Millisecond, func() { cancelled = time.Now(); cancel() })
				}
				outcomes++
			})
			took := time.Since(cancelled)
			if !errors.Is(err, context.Canceled) || outcomes != 100_000 || took > 30*time.Second {
				t.Errorf("Run: %v after %v with %d outcomes", err, took, outcomes)
			}
			p.Close()
			noneLeft(t, processes())
		})
	}
}

func TestCancelledStart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, processes, err := watched(ctx, playing(t, "silent"))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 30*time.Second {
		t.Errorf("Start: %v after %v", err, time.Since(began))
	}
	noneLeft(t, processes())
}

func TestBudget(t *testing.T) {
	for _, restarts := range []int{0, 1, 3} {
		cfg := playing(t, "exits-after-many") // every 40th
		cfg.Restarts, cfg.Window = restarts, 1
		p, processes, err := watched(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var crashes, notRun, answers int
		err = p.Run(t.Context(), numbered(1000, nil), func(_ int, o Outcome) {
			switch {
			case o.Failure == nil:
				answers++
			case o.Failure.Kind == Crash:
				crashes++
			case o.Failure.Kind == NotRun:
				notRun++
				if !strings.Contains(o.Failure.Detail, "the adapter crashed or hung") {
					t.Errorf("%v", o.Failure)
				}
			}
		})
		var budget *RestartsError
		if !errors.As(err, &budget) || budget.Restarts != restarts {
			t.Errorf("Run: %v", err)
		}
		if want := 39 * (restarts + 1); crashes != restarts+1 || answers != want || notRun != 1000-want-crashes {
			t.Errorf("%d restarts: %d crashes, %d answers, %d not run", restarts, crashes, answers, notRun)
		}
		if o := p.Do(t.Context(), Call{Method: "x"}); o.Failure == nil || o.Failure.Kind != NotRun {
			t.Errorf("after the budget: %v", o.Failure)
		}
		p.Close()
		noneLeft(t, processes())
	}
}

func TestCallOneAtATime(t *testing.T) {
	p, processes, err := watched(t.Context(), playing(t, "exits-at-request"))
	if err != nil {
		t.Fatal(err)
	}
	var _ protocol.Implementation = p
	for n := range 100 {
		result, err := p.Call(t.Context(), protocol.FragmentClassify, map[string]int{"n": n})
		var failure *Failure
		switch {
		case n == 50 && (!errors.As(err, &failure) || failure.Kind != Crash):
			t.Errorf("call 50: %s, %v", result, err)
		case n != 50 && (err != nil || string(result) != fmt.Sprintf(`{"n":%d}`, n)):
			t.Errorf("call %d: %s, %v", n, result, err)
		}
	}
	if n := len(processes()); n != 3 {
		t.Errorf("%d processes, want the first, the one in which 50 crashed again, and one more", n)
	}
	p.Close()
	if o := p.Do(t.Context(), Call{Method: "x"}); o.Failure == nil || !strings.Contains(o.Failure.Detail, ErrClosed.Error()) {
		t.Errorf("after Close: %v", o.Failure)
	}
	p.Close()
	noneLeft(t, processes())
}

func TestCallsFromManyGoroutines(t *testing.T) {
	cfg := playing(t, "well-behaved")
	cfg.Jobs = 3
	p, processes, err := watched(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	for g := range 8 {
		working.Go(func() {
			for n := range 50 {
				want := fmt.Sprintf(`{"n":%d}`, 1000*g+n)
				if o := p.Do(t.Context(), Call{Method: "x", Params: jsontext.Value(want)}); string(o.Result) != want {
					t.Errorf("%s: %s, %v", want, o.Result, o.Failure)
				}
			}
		})
	}
	working.Go(func() {
		calls := numbered(300, nil)
		p.Run(t.Context(), calls, func(i int, o Outcome) { sameAnswer(t, i, calls[i], o) })
	})
	working.Wait()
	p.Close()
	if f := p.Findings(); len(f) > 0 {
		t.Errorf("findings %v", f)
	}
	noneLeft(t, processes())
}

// TestStrayLineBetweenCalls: while nothing is unanswered nobody can be blamed.
func TestStrayLineBetweenCalls(t *testing.T) {
	for _, row := range []struct {
		mode string
		kind FindingKind
	}{{"answers-twice", LateDuplicate}, {"chatty", StrayOutput}, {"leaves", UnaskedExit}} {
		t.Run(row.mode, func(t *testing.T) {
			p, processes, err := watched(t.Context(), playing(t, row.mode))
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{49, 50, 51, 52} {
				want := fmt.Sprintf(`{"n":%d}`, n)
				if o := p.Do(t.Context(), Call{Method: "x", Params: jsontext.Value(want)}); string(o.Result) != want {
					t.Errorf("%d: %s, %v", n, o.Result, o.Failure)
				}
				time.Sleep(300 * time.Millisecond) // what comes now comes while nothing is asked
			}
			p.Close()
			if f := p.Findings(); len(f) != 1 || f[0].Kind != row.kind {
				t.Errorf("findings %v, want one %s", f, row.kind)
			}
			noneLeft(t, processes())
		})
	}
}

func init() {
	hostileAdapters = append(hostileAdapters,
		hostile{name: "chatty", does: "says something a while after answering call 50", findings: []FindingKind{StrayOutput}, calls: 51, child: at50(func(c *child, r childRequest) {
			c.echo(r)
			time.Sleep(100 * time.Millisecond)
			c.print("by the way\n")
		})},
		hostile{name: "leaves", does: "exits a while after answering call 50, the last", calls: 51, check: func(t *testing.T, outcomes []Outcome) {
			if outcomes[50].Failure != nil { // a bad exit or an unasked one, but not the call's fault
				t.Error(outcomes[50].Failure)
			}
		}, child: at50(func(c *child, r childRequest) {
			c.echo(r)
			time.Sleep(100 * time.Millisecond)
			os.Exit(3)
		})},
	)
}

func TestGarbageFromCallToCall(t *testing.T) {
	p, processes, err := watched(t.Context(), playing(t, "always-garbage"))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		o := p.Do(t.Context(), Call{Method: "x", Params: jsontext.Value(`{}`)})
		if o.Failure == nil || o.Failure.Kind != Garbage || string(o.Received) != "OK\n" {
			t.Errorf("%v, received %q", o.Failure, o.Received)
		}
	}
	p.Close()
	noneLeft(t, processes())
}

func TestErrorsOfTheImplementation(t *testing.T) {
	p, _, err := watched(t.Context(), playing(t, "refuses"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.Call(t.Context(), "x", struct{}{})
	var refused *protocol.Error
	if !errors.As(err, &refused) || refused.Code != -32602 || string(refused.Data) != `{"path":"/a","reason":"b"}` {
		t.Errorf("Call: %v", err)
	}
	_, err = p.Call(t.Context(), "x", func() {})
	if err == nil || errors.As(err, &refused) {
		t.Errorf("params that cannot be encoded: %v", err)
	}
	if err := p.Run(t.Context(), []Call{{Method: "x", Params: jsontext.Value(`{"a":`)}}, nil); err == nil || !strings.Contains(err.Error(), "call 0") {
		t.Errorf("params that are no JSON: %v", err)
	}
}

func init() {
	hostileAdapters = append(hostileAdapters, hostile{name: "refuses", does: "answers every call with an error", check: func(t *testing.T, outcomes []Outcome) {
		for i, o := range outcomes {
			if o.Err == nil || o.Err.Code != -32602 || o.Result != nil {
				t.Errorf("call %d: %+v", i, o)
			}
		}
	}, calls: 1, child: func(c *child) {
		c.serve(func(r childRequest) bool {
			c.printf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no","data":{"path":"/a","reason":"b"}}}`+"\n", r.ID)
			return true
		})
	}})
}

// TestParamsOnOneLine: whatever the white space of the params, a request is one line, and the
// spelling of what is in it stays.
func TestParamsOnOneLine(t *testing.T) {
	p, _, err := watched(t.Context(), playing(t, "well-behaved"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	o := p.Do(t.Context(), Call{Method: "a\"\n", Params: jsontext.Value("{\n \"n\" : 1.50,\r\n\t\"a\": \"\\u0041\\/\" }")})
	if want := `{"jsonrpc":"2.0","id":2,"method":"a\"\n","params":{"n":1.50,"a":"\u0041\/"}}` + "\n"; string(o.Sent) != want {
		t.Errorf("sent %q, want %q", o.Sent, want)
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, row := range []struct {
		name string
		cfg  Config
		want []string
	}{
		{"no command", Config{}, []string{"no command given"}},
		{"not in PATH", Config{Command: []string{"conform-no-such-command"}}, []string{`no command "conform-no-such-command" in PATH`, "./conform-no-such-command"}},
		{"one word", Config{Command: []string{"python3 adapter.py"}}, []string{"words of their own"}},
		{"no file", Config{Command: []string{"./nowhere/adapter"}}, []string{`no file "./nowhere/adapter"`}},
		{"not executable", Config{Command: []string{file("plain.py", "print()", 0o644)}}, []string{"permission denied", "chmod +x"}},
		{"a directory", Config{Command: []string{dir}}, []string{"permission denied"}},
		{"no interpreter", Config{Command: []string{file("script", "#!/nowhere/interpreter\n", 0o755)}}, []string{"interpreter that its first line names"}},
		{"no program", Config{Command: []string{file("text", "just text\n", 0o755)}}, []string{"#!/usr/bin/env"}},
		{"no directory", Config{Command: []string{"sh"}, Dir: filepath.Join(dir, "nowhere")}, []string{"working directory"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, _, err := Start(t.Context(), row.cfg)
			var failure *StartError
			if !errors.As(err, &failure) {
				t.Fatalf("%v, want a *StartError", err)
			}
			for _, want := range row.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nwant %q in it", err, want)
				}
			}
		})
	}
}

func TestStartErrorShowsEverything(t *testing.T) {
	_, _, err := Start(t.Context(), playing(t, "exits-at-once"))
	var failure *StartError
	if !errors.As(err, &failure) || failure.Exit != "exit status 3" || !strings.Contains(err.Error(), "\n    no module named frobnicate") {
		t.Errorf("%v", err)
	}
	_, _, err = Start(t.Context(), playing(t, "handshake-control-characters"))
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), `\u001b[2J`) || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
}

func TestInitializeResult(t *testing.T) {
	p, result, err := Start(t.Context(), playing(t, "unknown-profile"))
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if result.Implementation.Name != "hostile" || !slices.Equal(result.Profiles, []string{"mine/2030-01", protocol.ContextFragments}) {
		t.Errorf("%+v", result)
	}
}

func TestStderrCopyAndTail(t *testing.T) {
	var copied strings.Builder
	cfg := playing(t, "exits-at-once")
	cfg.Stderr = &copied
	if _, _, err := Start(t.Context(), cfg); err == nil || copied.String() != "no module named frobnicate\n" {
		t.Errorf("%v, copy %q", err, copied.String())
	}
}

func TestPythonAdapter(t *testing.T) {
	cfg := playing(t, "")
	cfg.Command = []string{"python3", "-c", `
import json, os, sys
for line in sys.stdin:
    r = json.loads(line)
    if r["method"] == "initialize":
        result = json.loads(r"""` + goodHandshake + `""")
    else:
        result = r["params"]
    if r.get("params", {}).get("n") == 50:
        raise SystemExit("no 50 here")
    print(json.dumps({"jsonrpc": "2.0", "id": r["id"], "result": result}, separators=(",", ":")), flush=True)
`}
	p, processes, err := watched(t.Context(), cfg)
	var failure *StartError
	if errors.As(err, &failure) && strings.Contains(failure.What, "no command") {
		t.Skip("there is no python3")
	}
	if err != nil {
		t.Fatal(err)
	}
	calls := numbered(200, nil)
	err = p.Run(t.Context(), calls, func(i int, o Outcome) {
		if i != 50 {
			sameAnswer(t, i, calls[i], o)
		} else if o.Failure == nil || o.Failure.Kind != Crash || !strings.Contains(o.Failure.Stderr, "no 50 here") || o.Failure.ExitStatus != "exit status 1" {
			t.Errorf("call 50: %+v", o.Failure)
		}
	})
	p.Close()
	if err != nil || len(p.Findings()) > 0 {
		t.Errorf("%v, %v", err, p.Findings())
	}
	noneLeft(t, processes())
}

// BenchmarkPipeline measures a call against an adapter that does nothing, without its start.
// The difference between "wire", which is pipes and the child alone, and "lockstep" is what the
// package adds.
func BenchmarkPipeline(b *testing.B) {
	b.Run("wire", func(b *testing.B) {
		cfg := playing(b, "echo")
		cmd := exec.Command(cfg.Command[0])
		cmd.Env = cfg.Env
		in, _ := cmd.StdinPipe()
		out, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		lines := bufio.NewReaderSize(out, readSize)
		request := appendRequest(nil, 1, protocol.FragmentClassify, jsontext.Value(`{"role":"user","text":"<TURN_ABORTED>\nx\n</turn_aborted>"}`))
		for b.Loop() {
			if _, err := in.Write(request); err != nil {
				b.Fatal(err)
			}
			if _, err := lines.ReadSlice('\n'); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/call")
		in.Close()
		cmd.Wait()
	})
	for _, window := range []int{1, 16, 64} {
		name := fmt.Sprintf("window=%d", window)
		if window == 1 {
			name = "lockstep"
		}
		b.Run(name, func(b *testing.B) {
			cfg := playing(b, "echo")
			cfg.Window = window
			p, _, err := Start(b.Context(), cfg)
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			calls := make([]Call, b.N)
			params := jsontext.Value(`{"role":"user","text":"<TURN_ABORTED>\nx\n</turn_aborted>"}`)
			for i := range calls {
				calls[i] = Call{Method: protocol.FragmentClassify, Params: params}
			}
			b.ReportAllocs()
			b.ResetTimer()
			failed := 0
			if err := p.Run(b.Context(), calls, func(_ int, o Outcome) {
				if o.Failure != nil {
					failed++
				}
			}); err != nil || failed > 0 {
				b.Fatal(err, failed)
			}
			b.StopTimer()
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/call")
		})
	}
}
