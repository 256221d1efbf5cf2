package adapter

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// loss is how a process was lost.
type loss struct {
	kind      FailureKind // Crash or TimeOut
	detail    string
	stderr    string
	exit      string     // how it ended, "" where we ended it
	line      []byte     // a line that had begun
	flight    []*request // what was in flight, the first suspect first; it may have been charged already
	first     bool       // its only request ever was in flight: there is no doubt
	cancelled bool       // the caller's wish, nobody's fault
	hedge     *isolation // an experiment that is under way already
}

// isolation is an experiment: requests sent one at a time to a fresh process. It ends with the
// first that loses the process.
type isolation struct {
	requests []*request
	reached  int           // requests[:reached] have an outcome
	lost     *loss         // requests[reached] lost the process, if reached is not all
	failed   *StartError   // the process did not start
	asked    chan struct{} // closed when the first request has been sent
	first    chan struct{} // closed when it has an outcome
	done     chan struct{} // closed when the above is final
	cancel   context.CancelFunc
}

// isolate starts the experiment with copies of the suspects.
func (p *Pool) isolate(ctx context.Context, suspects []*request) *isolation {
	ctx, cancel := context.WithCancel(ctx)
	iso := &isolation{asked: make(chan struct{}), first: make(chan struct{}), done: make(chan struct{}), cancel: cancel}
	for _, r := range suspects {
		copied := r.again()
		copied.batch, copied.origin = nil, r.batch // its outcome waits for the judgement
		iso.requests = append(iso.requests, copied)
	}
	p.experiments.Add(1)
	go func() {
		defer p.experiments.Done()
		defer cancel()
		defer close(iso.done)
		iso.run(ctx, p)
	}()
	return iso
}

func (iso *isolation) run(ctx context.Context, p *Pool) {
	c, err := p.open(ctx)
	if err != nil {
		iso.failed = err
		return
	}
	c.window, c.hold = 1, time.Hour // until the process has ended
	sent := 0
	iso.lost = c.run(ctx, func(int) *request {
		switch sent {
		case 0:
			close(iso.asked)
		case 1:
			close(iso.first)
		}
		sent++
		if sent > len(iso.requests) {
			return nil
		}
		return iso.requests[sent-1]
	})
	iso.reached = min(sent, len(iso.requests))
	switch {
	case iso.lost == nil:
		c.finishSoon(ctx)
	case len(iso.lost.flight) > 0 || iso.lost.cancelled:
		iso.reached--
	}
}

// reproduced reports whether the i-th request lost the process.
func (iso *isolation) reproduced(i int) bool {
	return iso.lost != nil && !iso.lost.cancelled && len(iso.lost.flight) > 0 && iso.reached == i
}

// lookAtHedge begins the experiment early when a process with several requests in flight has been
// silent for half the time of a case, and calls it off when an answer comes after all.
//
// A child that works in order is silent because of its oldest request, unless it collects answers
// before it writes them. Only an experiment tells the two apart, and begun now it is over, or as
// good as over, when the time of the case is. So a hang costs one time-out, not two.
func (c *conversation) lookAtHedge(now time.Time) {
	if c.hedged != nil && c.answers != c.hedgedAt {
		c.callOff()
		if !c.concurrent {
			c.slow, c.window = true, 1 // in lockstep there will be no doubt
		}
	}
	silence := now.Sub(c.silentSince())
	if c.hedge == nil || c.hedged != nil || c.slow || c.open == 0 || silence < c.pool.cfg.CaseTimeout/2 {
		return
	}
	if suspects := c.suspects(); len(suspects) > 1 {
		c.hedged, c.hedgedAt = c.hedge(suspects), c.answers
	}
}

// probe asks a silent process something that it has answered before, for requests are
// self-contained. If it answers, then it is alive, and has forgotten the requests that it passed
// over, or is busy with each of them alone; if not, then one request stopped it altogether.
func (c *conversation) probe(now time.Time) {
	if c.probing || c.spare == nil || c.open == 0 || c.open == 1 && !c.flight[0].overtaken {
		return // with one request in flight there is no doubt
	}
	if now.Sub(c.silentSince()) >= c.pool.cfg.CaseTimeout*3/8 {
		c.probing = true
		c.send(&request{index: -1, call: *c.spare, probe: true, charged: true})
	}
}

// silentSince returns since when the process could have answered something and did not.
func (c *conversation) silentSince() time.Time {
	since := c.lastAnswer
	if r := c.front(); r != nil && r.started.After(since) {
		since = r.started
	}
	return since
}

// suspects returns the requests in flight.
func (c *conversation) suspects() []*request {
	return slices.DeleteFunc(slices.Clone(c.flight), func(r *request) bool { return r.probe })
}

// callOff ends an experiment that nobody needs any more.
func (c *conversation) callOff() {
	if c.hedged != nil {
		c.hedged.cancel()
		c.hedged = nil
	}
}

// judge finds out which request lost the process, charges it, and sees to it that the others are
// sent again.
func (l *lane) judge(ctx context.Context, lost *loss) {
	if lost.cancelled {
		return
	}
	within := l.pool.spend()
	if len(lost.flight) == 0 {
		return
	}
	suspect, others := lost.flight[0], lost.flight[1:]
	iso := lost.hedge
	if iso != nil && !iso.isAbout(lost.flight) { // an answer came since
		iso.cancel()
		iso = nil
	}
	switch {
	case !within:
		l.convict(suspect, lost, "")
	case lost.kind == Crash && lost.first:
		l.convict(suspect, lost, "It was the first request of that process.")
	case lost.kind == TimeOut && iso == nil && len(others) == 0:
		l.convict(suspect, lost, "")
	case lost.kind == TimeOut && iso != nil && !iso.tells():
		note := ""
		if closedWithin(0, iso.asked) {
			note = "A fresh process that was sent this request alone is silent too."
		}
		l.convict(suspect, lost, note)
	default:
		if iso == nil {
			iso = l.pool.isolate(ctx, lost.flight)
		}
		<-iso.done
		l.conclude(ctx, lost, iso)
		return
	}
	if iso != nil {
		iso.cancel()
	}
	l.resend(others)
}

// isAbout reports whether the experiment began with the requests that are in flight.
func (iso *isolation) isAbout(flight []*request) bool {
	if len(iso.requests) > len(flight) {
		return false
	}
	for i, r := range iso.requests {
		if r.index != flight[i].index || r.origin != flight[i].batch {
			return false
		}
	}
	return true
}

// tells reports whether the experiment has already something to say about its first request.
func (iso *isolation) tells() bool {
	return closedWithin(0, iso.first) || closedWithin(0, iso.done) && iso.reproduced(0)
}

// conclude judges by an experiment.
func (l *lane) conclude(ctx context.Context, lost *loss, iso *isolation) {
	suspect := lost.flight[0]
	inFlight := len(lost.flight)
	tested, untested := lost.flight[:len(iso.requests)], lost.flight[len(iso.requests):]
	notAgain := fmt.Sprintf("There were %d requests in flight, this one the oldest. It did not happen again when each was sent alone.", inFlight)
	if inFlight == 1 {
		notAgain = "It did not happen again when the request was sent alone to a fresh process."
	}
	switch {
	case iso.failed != nil:
		l.convict(suspect, lost, "Whether it happens again is unknown: "+iso.failed.What+".")
		l.resend(lost.flight[1:])
	case iso.lost != nil && iso.lost.cancelled:
		l.convict(suspect, lost, "")
		l.resend(lost.flight[1:])
	case iso.reproduced(0):
		note := "It happened again when the request was sent alone to a fresh process."
		if iso.lost.kind != lost.kind {
			note = "Sent alone to a fresh process: " + iso.lost.detail + "."
		}
		l.convict(suspect, lost, note)
		l.resend(lost.flight[1:])
	case !iso.reproduced(iso.reached): // none of them
		l.window = 1 // what depends on several requests in flight would only come again
		l.convict(suspect, lost, notAgain)
		l.accept(tested[1:], iso, 1)
		l.resend(untested)
	default:
		// Not the oldest, though the process was lost with it unanswered: either answers were held
		// back, or the child dies of something else than one request. A second fresh process tells.
		k := iso.reached
		culprit := tested[k]
		second := l.pool.isolate(ctx, tested[k:k+1])
		<-second.done
		if second.reproduced(0) {
			l.convict(culprit, iso.lost, fmt.Sprintf("It was found among %d requests in flight by sending each alone; it happens every time.", inFlight))
			l.accept(tested[:k], iso, 0)
		} else {
			l.window = 1
			l.convict(suspect, lost, notAgain)
			l.convict(culprit, iso.lost, fmt.Sprintf("That was the %s request of a fresh process, sent alone; as its first request it does not do that.", ordinal(k+1)))
			l.accept(tested[1:k], iso, 1)
		}
		l.resend(lost.flight[k+1:])
	}
}

// accept takes outcomes from an experiment, for requests that are requests[from:] in it. Those
// that it did not reach are sent again.
func (l *lane) accept(requests []*request, iso *isolation, from int) {
	for i, r := range requests {
		if from+i >= iso.reached {
			l.resend(requests[i:])
			return
		}
		r.outcome, r.strays = iso.requests[from+i].outcome, iso.requests[from+i].strays
		r.give()
	}
}

// resend puts requests at the head of what the lane sends next.
func (l *lane) resend(requests []*request) {
	for _, r := range requests {
		l.backlog = append(l.backlog, r.again())
	}
}

// convict gives out the failure of the request that lost the process.
func (l *lane) convict(r *request, lost *loss, note string) {
	f := &Failure{Kind: lost.kind, Detail: lost.detail, Stderr: lost.stderr, ExitStatus: lost.exit}
	if r.charged { // a line before that was no answer
		r.noteStrays()
		f.Detail = r.outcome.Failure.Detail + "; then " + f.Detail
		if lost.kind == TimeOut {
			f.Kind = r.outcome.Failure.Kind
		}
	} else if len(lost.line) > 0 {
		r.outcome.Received = lost.line
	}
	if note != "" {
		f.Detail += ". " + note
	}
	r.outcome.Failure = f
	r.outcome.Result, r.outcome.Err = nil, nil
	if r.outcome.Duration == 0 && !r.started.IsZero() {
		r.outcome.Duration = time.Since(r.started)
	}
	r.give()
}

func ordinal(n int) string {
	suffix := "th"
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		suffix = "st"
	case n%10 == 2:
		suffix = "nd"
	case n%10 == 3:
		suffix = "rd"
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
