package adapter

import (
	"context"
	"fmt"
	"time"
)

const (
	// endPatience is how long a child may take to end after its input did, and again after it was
	// asked to terminate.
	endPatience = 2 * time.Second

	// hurry is the same where nobody wants to wait.
	hurry = 200 * time.Millisecond

	// closePatience is how long a killed process is waited for. It takes longer only where the
	// system cannot end it, and then it would take for ever.
	closePatience = 2 * time.Second
)

// stopping says how a process was ended.
type stopping struct {
	terminated, killed bool // it had to be
}

// end ends the process: the end of its input, then after patience SIGTERM to its group, then after
// patience again SIGKILL. What it still writes goes to take. When the context ends, so does the
// patience.
func (p *process) end(ctx context.Context, patience time.Duration, take func(chunk)) (s stopping) {
	p.in.finish()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	chunks, cancelled := p.out.chunks, ctx.Done()
	for {
		select {
		case ch, ok := <-chunks:
			if !ok {
				chunks = nil
				continue
			}
			take(ch)
		case <-p.gone:
			for ch := range p.out.chunks {
				take(ch)
			}
			return s
		case <-cancelled:
			cancelled = nil
			patience = hurry
			timer.Reset(0)
		case <-timer.C:
			switch {
			case closedWithin(0, p.exited): // the rest is under way, see wait
			case !s.terminated:
				s.terminated = true
				p.terminate()
			case !s.killed:
				s.killed = true
				p.kill()
			default:
				go p.drain()
				return s
			}
			timer.Reset(patience)
		}
	}
}

// drain receives what nobody wants any more.
func (p *process) drain() {
	for range p.out.chunks {
	}
}

// discard waits until a killed process is gone, and receives what it wrote before.
func (p *process) discard(patience time.Duration) {
	go p.drain()
	closedWithin(patience, p.gone)
}

// finish ends a conversation in which every request has been accounted for. What the child still
// says counts: a second answer, a stray line, its exit status.
func (c *conversation) finish(ctx context.Context) {
	busy := c.probing // with a request of our own making, which may be a slow one
	s := c.wind(ctx, endPatience)
	if ctx.Err() != nil || busy && s.terminated {
		return // how it ends under pressure says nothing
	}
	if s.terminated {
		detail := fmt.Sprintf("still running %v after the end of its input, so it was terminated", endPatience)
		if s.killed {
			detail += fmt.Sprintf(", and %v later killed", endPatience)
		}
		c.pool.report(Finding{Kind: IgnoredEnd, Detail: detail, Index: -1})
	} else if c.proc.code != 0 {
		c.pool.report(Finding{Kind: BadExit, Index: -1,
			Detail: fmt.Sprintf("%s at the end of its input, want exit status 0%s", c.proc.status, stderrNote(c.proc.err.excerpt()))})
	}
}

// finishSoon ends the conversation of a process that was only an experiment.
func (c *conversation) finishSoon(ctx context.Context) { c.wind(ctx, hurry) }

func (c *conversation) wind(ctx context.Context, patience time.Duration) stopping {
	c.ticker.Stop()
	s := c.proc.end(ctx, patience, func(ch chunk) {
		c.take(ch)
		if ch.end && len(ch.rest) > 0 {
			c.blame(&Failure{Kind: Garbage, Detail: "a line without a line feed: " + quoteShort(ch.rest)}, ch.rest, ch.at)
		}
	})
	c.giveOutAll()
	c.flight = nil
	if closedWithin(0, c.proc.gone) && c.proc.held {
		c.pool.report(Finding{Kind: HeldPipe, Detail: "a process that the adapter left behind kept its pipes open", Index: -1})
	}
	return s
}

// stopNow ends the process without waiting for its good will.
func (c *conversation) stopNow() {
	c.ticker.Stop()
	c.proc.stopNow()
}

func (p *process) stopNow() {
	p.in.finish()
	p.terminate()
	go p.drain()
	if !closedWithin(hurry, p.gone) {
		p.kill()
		closedWithin(closePatience, p.gone)
	}
}
