package adapter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Pool is an adapter in use: up to Config.Jobs processes of the same command. Its methods may be
// called from several goroutines.
type Pool struct {
	cfg     Config
	free    chan *lane    // the lanes that nobody uses
	taking  chan struct{} // capacity 1: held while lanes are taken, so that two who want all do not share them
	started func(*process)

	experiments sync.WaitGroup

	mu       sync.Mutex
	first    *jsonvalue.Value // the first answer to initialize
	findings []Finding
	more     int // findings beyond the limit
	losses   int
	halted   error // why nothing is sent any more
}

// lane is the place of one process. When the process is lost the next takes its place.
type lane struct {
	pool         *Pool
	conversation *conversation // nil: none running
	backlog      []*request    // to be sent again
	window       int           // 0: as configured
}

// ErrClosed is the reason for which calls after Close are not run.
var ErrClosed = errors.New("the adapter has been closed")

// RestartsError is the reason for which calls are not run once too many processes were lost.
type RestartsError struct {
	Restarts int // the budget that was used up
}

func (e *RestartsError) Error() string {
	switch e.Restarts {
	case 0:
		return "the adapter crashed or hung, and no restart is allowed"
	case 1:
		return "the adapter crashed or hung again after the one restart that is allowed"
	}
	return fmt.Sprintf("the adapter crashed or hung again after the %d restarts that are allowed", e.Restarts)
}

// Start starts the first process, shakes hands, and returns what it says of itself. The error is a
// *StartError. The others start when a run has enough calls for them.
func Start(ctx context.Context, cfg Config) (*Pool, protocol.InitializeResult, error) {
	return start(ctx, cfg, nil)
}

// start is Start with an ear for each process, for tests.
func start(ctx context.Context, cfg Config, started func(*process)) (*Pool, protocol.InitializeResult, error) {
	var result protocol.InitializeResult
	cfg = cfg.withDefaults()
	if cfg.Stderr != nil {
		cfg.Stderr = &lockedWriter{w: cfg.Stderr}
	}
	p := &Pool{cfg: cfg, free: make(chan *lane, cfg.Jobs), taking: make(chan struct{}, 1), started: started}
	c, failure := p.open(ctx)
	if failure != nil {
		return nil, result, failure
	}
	for i := range cfg.Jobs {
		l := &lane{pool: p}
		if i == 0 {
			l.conversation = c
		}
		p.free <- l
	}
	if err := json.Unmarshal(p.first.Append(nil), &result); err != nil {
		p.Close()
		return nil, result, &StartError{Command: cfg.Command, What: "its answer to initialize is wrong: " + err.Error(), Err: err}
	}
	return p, result, nil
}

// lockedWriter lets several processes share a writer.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(data)
}

// batch is the calls of one Run, or the one of Do.
type batch struct {
	pool  *Pool
	calls []Call
	stays bool // processes stay for the next batch

	mu    sync.Mutex
	lanes int // at work
	next  int // the first call that nobody has taken

	delivering sync.Mutex
	done       []bool
	onOutcome  func(int, Outcome)
}

func (p *Pool) newBatch(calls []Call, onOutcome func(int, Outcome)) (*batch, error) {
	b := &batch{pool: p, calls: slices.Clone(calls), done: make([]bool, len(calls)), onOutcome: onOutcome}
	for i := range b.calls {
		params, err := oneLine(b.calls[i].Params)
		if err != nil {
			return nil, fmt.Errorf("call %d, %s: the params are no JSON: %w", i, b.calls[i].Method, err)
		}
		b.calls[i].Params = params
	}
	return b, nil
}

// deliver gives an outcome to the caller, once for each call and one at a time.
func (b *batch) deliver(index int, o Outcome) {
	b.delivering.Lock()
	defer b.delivering.Unlock()
	if !b.done[index] {
		b.done[index] = true
		b.onOutcome(index, o)
	}
}

// take returns the next call to send, nil if a process with so many unanswered should take none.
func (b *batch) take(open int) *request {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := len(b.calls) - b.next
	if left == 0 || b.lanes > 1 && open > left/b.lanes {
		return nil // what is left is shared, so that no process ends long after the others
	}
	b.next++
	return &request{batch: b, index: b.next - 1, call: b.calls[b.next-1]}
}

func (b *batch) left() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.next < len(b.calls)
}

// leave lets a lane go that cannot start a process, unless it is the last.
func (b *batch) leave() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lanes > 1 {
		b.lanes--
		return true
	}
	return false
}

// finish delivers what has no outcome yet.
func (b *batch) finish(reason error) {
	for i := range b.calls {
		b.deliver(i, Outcome{Failure: &Failure{Kind: NotRun, Detail: "not run: " + reason.Error()}})
	}
}

// Run makes the calls, many at a time, and gives each index exactly one outcome; onOutcome is
// never called concurrently, in the order in which outcomes become final, and must not use the pool. At the end the processes
// are ended too, since only then it is certain that nothing more comes; a later Run or Call starts
// new ones.
//
// The error says why calls were not run: the cause of the context, a *RestartsError, a *StartError
// of a process that should have taken the place of a lost one, ErrClosed; or params that are no
// JSON, in which case there are no outcomes at all.
func (p *Pool) Run(ctx context.Context, calls []Call, onOutcome func(index int, o Outcome)) error {
	b, err := p.newBatch(calls, onOutcome)
	if err != nil {
		return err
	}
	lanes, err := p.acquire(ctx, p.cfg.Jobs)
	if err == nil {
		defer p.release(lanes)
		b.lanes = max(1, min(len(lanes), len(calls)))
		// The one that is running already goes first: there may be fewer calls than lanes.
		slices.SortStableFunc(lanes, func(a, b *lane) int { return idle(a) - idle(b) })
		var working sync.WaitGroup
		for _, l := range lanes[:b.lanes] {
			working.Go(func() { l.work(ctx, b) })
		}
		working.Wait()
		for _, l := range lanes {
			switch {
			case l.conversation == nil:
			case ctx.Err() != nil:
				working.Go(l.stopNow)
			default:
				working.Go(func() { l.finish(ctx) })
			}
		}
		working.Wait()
		p.experiments.Wait()
		err = p.reason(ctx)
	}
	if err != nil {
		b.finish(err)
	}
	return err
}

func idle(l *lane) int {
	if l.conversation == nil {
		return 1
	}
	return 0
}

// Do makes one call and leaves the process running. Up to Config.Jobs calls are made at a time.
func (p *Pool) Do(ctx context.Context, call Call) Outcome {
	var outcome Outcome
	b, err := p.newBatch([]Call{call}, func(_ int, o Outcome) { outcome = o })
	if err != nil {
		return Outcome{Failure: &Failure{Kind: NotRun, Detail: "not run: " + err.Error()}}
	}
	b.lanes, b.stays = 1, true
	lanes, err := p.acquire(ctx, 1)
	if err == nil {
		lanes[0].work(ctx, b)
		p.release(lanes)
		err = p.reason(ctx)
	}
	if err == nil {
		err = errors.New("the adapter gave no outcome")
	}
	b.finish(err)
	return outcome
}

// Call implements protocol.Implementation. The error is a *protocol.Error where the implementation
// answered with one, and a *Failure where it gave no answer.
func (p *Pool) Call(ctx context.Context, method string, params any) (jsontext.Value, error) {
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("encode params of %s: %w", method, err)
	}
	switch o := p.Do(ctx, Call{Method: method, Params: encoded}); {
	case o.Failure != nil:
		return nil, o.Failure
	case o.Err != nil:
		return nil, o.Err
	default:
		return o.Result, nil
	}
}

// Close ends the processes: the end of their input, after 2 s SIGTERM to the process group, after
// another 2 s SIGKILL. It waits for a Run in progress. Findings are complete when it returns.
func (p *Pool) Close() {
	lanes, err := p.acquire(context.Background(), p.cfg.Jobs)
	if err != nil {
		return // closed already
	}
	p.halt(ErrClosed)
	var working sync.WaitGroup
	for _, l := range lanes {
		if l.conversation != nil {
			working.Go(func() { l.finish(context.Background()) })
		}
	}
	working.Wait()
	p.experiments.Wait()
	p.release(lanes)
}

// acquire takes lanes for the caller's use alone.
func (p *Pool) acquire(ctx context.Context, n int) (lanes []*lane, err error) {
	select {
	case p.taking <- struct{}{}:
		defer func() { <-p.taking }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	for range n {
		select {
		case l := <-p.free:
			lanes = append(lanes, l)
		case <-ctx.Done():
			p.release(lanes)
			return nil, context.Cause(ctx)
		}
	}
	if p.isClosed() {
		p.release(lanes)
		return nil, ErrClosed
	}
	return lanes, nil
}

func (p *Pool) release(lanes []*lane) {
	for _, l := range lanes {
		p.free <- l
	}
}

// work sends calls until none is left, over as many processes as it takes.
func (l *lane) work(ctx context.Context, b *batch) {
	defer func() { l.backlog = nil }()
	for l.pool.reason(ctx) == nil {
		if l.conversation == nil && !l.begin(ctx, b) {
			return
		}
		c := l.conversation
		c.hedge = func(suspects []*request) *isolation { return l.pool.isolate(ctx, suspects) }
		c.hold, c.window = heldFor, l.pool.cfg.Window
		if l.window > 0 {
			c.window = l.window
		}
		if b.stays {
			c.hold, c.window = 0, 1
		}
		lost := c.run(ctx, func(open int) *request {
			if l.pool.reason(ctx) != nil {
				return nil
			}
			if len(l.backlog) > 0 {
				r := l.backlog[0]
				l.backlog = l.backlog[1:]
				return r
			}
			return b.take(open)
		})
		if lost == nil {
			if b.stays {
				c.giveOutAll()
			} else {
				l.finish(ctx)
			}
			return
		}
		l.conversation = nil
		l.judge(ctx, lost)
	}
}

// begin starts a process, unless there is nothing for it to do.
func (l *lane) begin(ctx context.Context, b *batch) bool {
	if len(l.backlog) == 0 && !b.left() {
		return false
	}
	c, err := l.pool.open(ctx)
	if err != nil && ctx.Err() == nil && !temporary(err) {
		c, err = l.pool.open(ctx) // once more: a start may fail by chance
	}
	switch {
	case err == nil:
		l.conversation = c
		return true
	case ctx.Err() != nil:
	case temporary(err) && len(l.backlog) == 0 && b.leave():
		l.pool.report(Finding{Kind: FewerProcesses, Index: -1, Detail: err.What})
	default:
		l.pool.halt(err)
	}
	return false
}

func (l *lane) finish(ctx context.Context) {
	l.conversation.finish(ctx)
	l.conversation = nil
}

func (l *lane) stopNow() {
	l.conversation.stopNow()
	l.conversation = nil
}

// spend counts a lost process and reports whether another may be started.
func (p *Pool) spend() bool {
	p.mu.Lock()
	p.losses++
	within := p.losses <= p.cfg.Restarts
	p.mu.Unlock()
	if !within {
		p.halt(&RestartsError{Restarts: p.cfg.Restarts})
	}
	return within
}

// halt says why nothing is sent from now on.
func (p *Pool) halt(reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.halted == nil || errors.Is(reason, ErrClosed) {
		p.halted = reason
	}
}

// reason says why nothing may be sent, nil if it may.
func (p *Pool) reason(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.halted
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Is(p.halted, ErrClosed)
}

// findingsKept is how many different findings are kept. A child that floods its output with
// noise has made its point by then.
const findingsKept = 100

// report adds a finding, or counts it where there is one like it.
func (p *Pool) report(f Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.findings {
		if g := &p.findings[i]; g.Kind == f.Kind && g.Detail == f.Detail && g.Index == f.Index {
			g.Count++
			return
		}
	}
	if len(p.findings) == findingsKept {
		p.more++
		return
	}
	f.Count = 1
	p.findings = append(p.findings, f)
}

// Findings returns what was seen so far and could be charged to no call. It is complete after Close.
func (p *Pool) Findings() []Finding {
	p.mu.Lock()
	defer p.mu.Unlock()
	findings := slices.Clone(p.findings)
	if p.more > 0 {
		findings = append(findings, Finding{Kind: MoreFindings, Detail: "findings that were left out", Index: -1, Count: p.more})
	}
	return findings
}
