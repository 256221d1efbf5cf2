package adapter

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	initializeID = 1
	firstID      = 2

	// An outcome is held for a moment, in case the child answers the same request again.
	heldFor   = 100 * time.Millisecond
	heldLimit = 4 << 20 // bytes

	receivedKept = 64 << 10 // of a line that was charged

	// quietTime is how long nothing must come, after a line that was charged to the only request,
	// before the next one is sent: the lines that follow belong to the same request.
	quietTime = 100 * time.Millisecond

	// pipeGrace is how long a child that closed one pipe is given to end, so that the failure can
	// say how it ended.
	pipeGrace = 250 * time.Millisecond
)

// request is one call on its way through one process.
type request struct {
	batch  *batch // gets the outcome; nil in an experiment
	origin *batch // in an experiment, whose request this is
	index  int
	call   Call

	id        int64
	written   time.Time // handed to the writer
	started   time.Time // when the child could start on it; zero: others come first
	progress  int       // conversation.answers at that time
	overtaken bool      // a request written later has been answered

	outcome Outcome
	probe   bool      // asks whether the process is alive; nobody waits for it, nothing is charged to it
	charged bool      // the outcome is a failure; in flight until the child moves on
	strays  int       // lines after the one it was charged with
	late    bool      // was over its time at the last look
	settled time.Time // when it was accounted for
}

// again returns the request as if it had never been sent.
func (r *request) again() *request {
	return &request{batch: r.batch, index: r.index, call: r.call}
}

// standing is what has become of an id.
type standing struct {
	index int32
	state uint8
}

const (
	unanswered uint8 = iota
	answered
	failed // charged, or given up: whatever comes later is dropped
)

// conversation is one process and the requests in flight on it. One goroutine at a time uses it.
type conversation struct {
	proc   *process
	pool   *Pool
	window int
	hold   time.Duration                        // how long outcomes are held
	hedge  func(suspects []*request) *isolation // nil: never hedge; see blame.go

	decoder lineDecoder
	ticker  *time.Ticker
	ids     []standing // by id, from firstID
	flight  []*request // written and not accounted for, in that order
	open    int        // of these, not charged

	answers    int       // requests answered, well or not, so far
	lastAnswer time.Time // the time of the last of them
	lastLine   time.Time
	concurrent bool      // a request has been answered after a later one
	deaf       time.Time // when writing failed; zero: it did not

	spare     *Call // the quickest that was answered well, to probe with
	spareTime time.Duration
	probing   bool // one is unanswered

	held      []*request
	heldBytes int

	hedged   *isolation
	hedgedAt int  // answers when it was started
	slow     bool // a hedge was not needed, so there will be no other
}

func newConversation(pool *Pool, proc *process) *conversation {
	// One coarse tick serves all time-outs: they are long, requests are many, and a timer a
	// request would cost more than the rest of the bookkeeping.
	tick := min(max(pool.cfg.CaseTimeout/50, time.Millisecond), 25*time.Millisecond)
	return &conversation{
		proc: proc, pool: pool, window: pool.cfg.Window, hold: heldFor,
		ticker: time.NewTicker(tick),
	}
}

// run keeps requests from next in flight until next returns nil and all are accounted for. It
// returns nil then, else how the process was lost. Next is told how many requests are unanswered.
func (c *conversation) run(ctx context.Context, next func(open int) *request) *loss {
	if lost := c.catchUp(ctx); lost != nil { // what came while nobody listened
		return lost
	}
	for {
		if done := c.fill(next); done {
			c.callOff()
			return nil
		}
		if ctx.Err() != nil { // before anything else that is ready
			return c.cancelled()
		}
		select {
		case ch := <-c.proc.out.chunks:
			if ch.end {
				return c.crashed(ch)
			}
			c.take(ch)
		case <-c.proc.in.progress:
			if _, err := c.proc.in.state(); err != nil && c.deaf.IsZero() {
				c.deaf = time.Now()
			}
		case <-c.ticker.C:
			// What has come goes before what is late.
			if lost := c.catchUp(ctx); lost != nil {
				return lost
			}
			if lost := c.tick(time.Now()); lost != nil {
				return lost
			}
		case <-ctx.Done():
			return c.cancelled()
		}
	}
}

// catchUp takes what has already come, as far as that is not endless.
func (c *conversation) catchUp(ctx context.Context) *loss {
	for range 16 {
		if ctx.Err() != nil {
			return c.cancelled()
		}
		select {
		case ch := <-c.proc.out.chunks:
			if ch.end {
				return c.crashed(ch)
			}
			c.take(ch)
		default:
			return nil
		}
	}
	return nil
}

// fill sends as many requests as the window has room for and reports whether all is done.
func (c *conversation) fill(next func(open int) *request) (done bool) {
	for c.open < c.window {
		if waiting, err := c.proc.in.state(); err != nil || waiting > writeAhead {
			return false
		}
		if c.window == 1 && len(c.flight) > 0 && !c.moveOn() {
			return false
		}
		r := next(c.open)
		if r == nil {
			return c.open == 0
		}
		c.send(r)
	}
	return false
}

// moveOn gives up on further lines about a request that has been charged, once it is quiet. Only
// in lockstep: with several requests in flight the order of the answers tells.
func (c *conversation) moveOn() bool {
	now := time.Now()
	if now.Sub(c.lastLine) < quietTime || len(c.proc.out.chunks) > 0 {
		return false
	}
	for _, r := range c.flight {
		c.settle(r, now)
	}
	c.flight = c.flight[:0]
	return true
}

func (c *conversation) send(r *request) {
	r.id = firstID + int64(len(c.ids))
	r.outcome.Sent = appendRequest(make([]byte, 0, 64+len(r.call.Method)+len(r.call.Params)), r.id, r.call.Method, r.call.Params)
	r.written = time.Now()
	c.proc.in.write(r.outcome.Sent)
	index := -1 // of no use to the caller
	if r.batch != nil && !r.batch.stays {
		index = r.index
	}
	c.ids = append(c.ids, standing{index: int32(index)})
	c.flight = append(c.flight, r)
	if !r.probe {
		c.open++
	}
	c.startFront(r.written)
}

// take reads the lines of a chunk.
func (c *conversation) take(ch chunk) {
	defer func() { c.lastLine = time.Now() }() // not ch.at: a flood may wait long in the pipe
	if ch.long != nil {
		c.tooLong(ch)
	}
	for rest := ch.lines; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		c.line(rest[:end:end], ch.at)
		rest = rest[end:]
	}
}

// line takes one line with its line feed.
func (c *conversation) line(line []byte, at time.Time) {
	r, f := c.decoder.decode(trimLineEnd(line))
	switch {
	case f != nil:
		c.broken(f, line, at)
	case r.noID:
		c.blame(&Failure{Kind: Unread, Detail: fmt.Sprintf("the adapter says that it could not read the request: error %d, %s",
			r.err.Code, quoteShort([]byte(r.err.Message)))}, line, at)
	default:
		if i := c.position(r.id); i >= 0 {
			q := c.flight[i]
			// By the time of arrival, so that the verdict does not depend on when we looked.
			if took := c.duration(q, at); took > c.pool.cfg.CaseTimeout && !q.started.IsZero() {
				c.charge(q, &Failure{Kind: TimeOut, Detail: fmt.Sprintf("answered after %v, the limit is %v",
					took.Round(time.Millisecond), c.pool.cfg.CaseTimeout)}, line, at)
			}
			if !q.charged {
				q.outcome.Result, q.outcome.Err = r.result, r.err
				q.outcome.Received, q.outcome.Duration = line, c.duration(q, at)
				c.ids[q.id-firstID].state = answered
				c.open--
				c.keepSpare(q)
			}
			c.accountFor(i, at)
			return
		}
		c.unexpected(r.id, line, at)
	}
}

func trimLineEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// keepSpare keeps a call for probe, if it is small and quicker than what there is.
func (c *conversation) keepSpare(r *request) {
	if (c.spare == nil || r.outcome.Duration < c.spareTime) && r.outcome.Err == nil && len(r.call.Params) < 4<<10 {
		c.spare, c.spareTime = &r.call, r.outcome.Duration
	}
}

// broken charges a line that is no answer to the requests that it names, else to the oldest.
func (c *conversation) broken(f *fault, line []byte, at time.Time) {
	failure := func() *Failure {
		return &Failure{Kind: f.kind, Detail: f.detail + ": " + quoteShort(trimLineEnd(line))}
	}
	known := false
	for _, id := range f.ids {
		if i := c.position(id); i >= 0 {
			known = true
			c.charge(c.flight[i], failure(), line, at)
			c.accountFor(i, at)
		}
	}
	for _, id := range f.ids {
		if !known && c.wasSent(id) {
			known = true
			c.unexpected(id, line, at)
		}
	}
	if !known && !c.absorb() {
		c.blame(failure(), line, at)
	}
}

func (c *conversation) tooLong(ch chunk) {
	f := &fault{
		kind:   LineTooLong,
		detail: fmt.Sprintf("a line of %d bytes, the limit is %d", ch.long.length, c.pool.cfg.LineLimit),
		ids:    namedIDs(ch.long.head),
	}
	if len(f.ids) == 0 {
		f.ids = namedIDs(ch.long.tail)
	}
	c.broken(f, ch.long.head, ch.at)
}

// unexpected takes an answer to a request that is not in flight.
func (c *conversation) unexpected(id int64, line []byte, at time.Time) {
	switch {
	case id == initializeID:
		c.pool.report(Finding{Kind: StrayOutput, Detail: "a second answer to initialize: " + quoteShort(trimLineEnd(line)), Index: -1})
	case !c.wasSent(id):
		c.blame(&Failure{Kind: WrongID, Detail: fmt.Sprintf("an answer to request %d, which was never sent: %s", id, quoteShort(trimLineEnd(line)))}, line, at)
	case c.ids[id-firstID].state == failed: // late, or one line more about a request that failed
	default:
		c.ids[id-firstID].state = failed // a third answer says nothing new
		for _, r := range slices.Backward(c.held) {
			if r.id == id {
				r.outcome = Outcome{Sent: r.outcome.Sent, Duration: r.outcome.Duration}
				c.fail(r, &Failure{Kind: DuplicateAnswer, Detail: "a second answer to the same request: " + quoteShort(trimLineEnd(line))}, line)
				return
			}
		}
		c.pool.report(Finding{Kind: LateDuplicate, Index: int(c.ids[id-firstID].index),
			Detail: fmt.Sprintf("a second answer to request %d: %s", id, quoteShort(trimLineEnd(line)))})
	}
}

// blame charges the oldest request that is unanswered. It stays in flight: whether the line stood
// in place of its answer or before it shows only when the child moves on, and until then all such
// lines are its own. A line that came before any request in flight was written blames none.
func (c *conversation) blame(f *Failure, line []byte, at time.Time) {
	i := slices.IndexFunc(c.flight, func(r *request) bool { return !r.probe })
	if i < 0 || c.flight[i].written.After(at) {
		c.pool.report(Finding{Kind: StrayOutput, Detail: "while no request was unanswered: " + f.Detail, Index: -1})
		return
	}
	c.charge(c.flight[i], f, line, at)
}

// absorb counts a line that blames a request which is charged already. A flood of such lines must
// not cost the making of a failure each.
func (c *conversation) absorb() bool {
	if len(c.flight) == 0 || !c.flight[0].charged || c.flight[0].probe {
		return false
	}
	c.flight[0].strays++
	return true
}

// charge makes a failure the outcome of a request in flight, unless it has one.
func (c *conversation) charge(r *request, f *Failure, line []byte, at time.Time) {
	if r.charged {
		r.strays++
		return
	}
	r.charged = true
	r.outcome.Duration = c.duration(r, at)
	c.ids[r.id-firstID].state = failed
	c.open--
	c.fail(r, f, line)
}

func (c *conversation) fail(r *request, f *Failure, line []byte) {
	f.Stderr = c.proc.err.excerpt()
	r.outcome.Failure = f
	if len(line) > receivedKept {
		line = bytes.Clone(line[:receivedKept])
	}
	r.outcome.Received = line
}

func (c *conversation) duration(r *request, at time.Time) time.Duration {
	if r.started.IsZero() { // overtakes those before it
		return max(0, at.Sub(r.written))
	}
	return max(0, at.Sub(r.started))
}

func (c *conversation) wasSent(id int64) bool {
	return id >= firstID && id-firstID < int64(len(c.ids))
}

// position returns where in flight the request of that id is, -1 if it is not.
func (c *conversation) position(id int64) int {
	if len(c.flight) > 0 && c.flight[0].id == id {
		return 0
	}
	i, found := slices.BinarySearchFunc(c.flight, id, func(r *request, id int64) int { return cmp.Compare(r.id, id) })
	if !found {
		return -1
	}
	return i
}

// accountFor takes the i-th request out of flight: its answer has come. The child has moved past
// those before it; their time runs from now.
func (c *conversation) accountFor(i int, at time.Time) {
	c.answers++
	c.lastAnswer = at
	r := c.flight[i]
	c.probing = c.probing && !r.probe
	c.concurrent = c.concurrent || r.overtaken
	kept := c.flight[:0]
	for _, earlier := range c.flight[:i] {
		if earlier.charged {
			c.probing = c.probing && !earlier.probe
			c.settle(earlier, at)
			continue
		}
		earlier.overtaken = true
		c.start(earlier, at)
		kept = append(kept, earlier)
	}
	c.flight = append(kept, c.flight[i+1:]...)
	c.settle(r, at)
	c.startFront(at)
}

// start lets the time of a request run.
func (c *conversation) start(r *request, at time.Time) {
	if !r.started.IsZero() {
		return
	}
	r.started, r.progress = at, c.answers
	if r.written.After(at) {
		r.started = r.written
	}
}

// startFront lets the time of the request run that the child, working in order, is on now.
func (c *conversation) startFront(at time.Time) {
	if r := c.front(); r != nil {
		c.start(r, at)
	}
}

func (c *conversation) front() *request {
	for _, r := range c.flight {
		if !r.overtaken && !r.probe {
			return r
		}
	}
	return nil
}

// settle holds the outcome of a request that is out of flight, and gives it out in due time.
func (c *conversation) settle(r *request, at time.Time) {
	r.settled = at
	c.held = append(c.held, r)
	c.heldBytes += len(r.outcome.Received) + len(r.outcome.Sent)
	if c.hold == 0 || c.heldBytes > heldLimit {
		c.giveOut(at)
	}
}

// giveOut gives out the outcomes that have been held long enough.
func (c *conversation) giveOut(now time.Time) {
	n := 0
	for _, r := range c.held {
		if now.Sub(r.settled) < c.hold && c.heldBytes <= heldLimit {
			break
		}
		c.heldBytes -= len(r.outcome.Received) + len(r.outcome.Sent)
		r.give()
		n++
	}
	c.held = slices.Delete(c.held, 0, n)
}

// giveOutAll gives out everything that is held, and what was charged: nothing more will come.
func (c *conversation) giveOutAll() {
	for _, r := range c.held {
		r.give()
	}
	c.held, c.heldBytes = nil, 0
	for _, r := range c.flight {
		if r.charged {
			r.give()
		}
	}
}

// give hands the outcome to the caller. A second time does nothing.
func (r *request) give() {
	r.noteStrays()
	if r.batch != nil {
		r.batch.deliver(r.index, r.outcome)
	}
}

// noteStrays says in the failure how many lines followed the one that it quotes.
func (r *request) noteStrays() {
	if r.strays > 0 && r.outcome.Failure != nil {
		r.outcome.Failure.Detail += fmt.Sprintf(" (%d more such lines followed)", r.strays)
		r.strays = 0
	}
}

// tick looks at the clock.
func (c *conversation) tick(now time.Time) *loss {
	c.giveOut(now)
	c.probe(now)
	c.lookAtHedge(now)
	if !c.deaf.IsZero() && now.Sub(c.deaf) > pipeGrace && now.Sub(c.lastAnswer) > pipeGrace {
		return c.lose(Crash, "the adapter closed its standard input and went on running")
	}
	limit := c.pool.cfg.CaseTimeout
	silence := now.Sub(c.silentSince())
	var overdue []*request
	for _, r := range c.flight {
		switch {
		case r.probe || r.started.IsZero() || now.Sub(r.started) < limit:
		case !r.late: // one tick more: its answer may be on its way between two goroutines
			r.late = true
		case silence >= limit:
			return c.timedOut(r)
		case r.progress < c.answers && silence < limit*3/4: // the process is alive
			overdue = append(overdue, r)
		}
	}
	for _, r := range overdue {
		c.charge(r, &Failure{Kind: TimeOut, Detail: fmt.Sprintf("no answer within %v, while others were answered", limit)}, nil, now)
		c.flight = slices.DeleteFunc(c.flight, func(q *request) bool { return q == r })
		c.settle(r, now)
	}
	c.startFront(now)
	return nil
}

// timedOut ends a process that is silent.
func (c *conversation) timedOut(r *request) *loss {
	detail := fmt.Sprintf("no answer within %v", c.pool.cfg.CaseTimeout)
	head, length := c.proc.out.unfinished()
	if length > 0 {
		detail += fmt.Sprintf("; a line began and did not end, %d bytes so far: %s", length, quoteStart(head))
	}
	lost := c.lose(TimeOut, detail)
	lost.line = head
	// The silent one first, then the others in their order.
	lost.flight = append([]*request{r}, slices.DeleteFunc(lost.flight, func(q *request) bool { return q == r })...)
	return lost
}

// crashed takes the end of the child's output.
func (c *conversation) crashed(ch chunk) *loss {
	var detail string
	if closedWithin(pipeGrace, c.proc.exited) {
		detail = "the adapter ended (" + c.proc.status + ")"
		switch {
		case c.proc.status == "signal: killed":
			detail += "; conform did not kill it, the system may have run out of memory"
		case c.proc.code == 0:
			detail += ", but its input had not; an adapter answers until the end of its input"
		}
	} else {
		detail = "the adapter closed its standard output and went on running"
	}
	if len(ch.rest) > 0 {
		detail += ", in the middle of a line: " + quoteShort(ch.rest)
	}
	lost := c.lose(Crash, detail)
	lost.line = ch.rest
	if len(lost.flight) == 0 {
		c.pool.report(Finding{Kind: UnaskedExit, Detail: detail + stderrNote(lost.stderr), Index: -1})
	}
	return lost
}

// lose gives the process up, and everything out that is certain.
func (c *conversation) lose(kind FailureKind, detail string) *loss {
	c.ticker.Stop()
	ended := closedWithin(0, c.proc.exited)
	c.proc.kill()
	c.proc.discard(closePatience)
	lost := &loss{
		kind: kind, detail: detail,
		stderr: c.proc.err.text(),
		flight: c.suspects(),
		first:  len(c.ids) == 1,
		hedge:  c.hedged,
	}
	if ended {
		lost.exit = c.proc.status
	}
	c.flight, c.hedged = nil, nil
	c.giveOutAll()
	return lost
}

// cancelled ends the conversation because the caller wants to.
func (c *conversation) cancelled() *loss {
	c.callOff()
	c.giveOutAll()
	c.stopNow()
	return &loss{cancelled: true}
}
