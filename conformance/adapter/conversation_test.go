package adapter

import (
	"fmt"
	"io"
	"os"
	"testing"
	"time"
)

// quietConversation is a conversation with a process that takes everything and says nothing.
func quietConversation(t *testing.T) *conversation {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	proc := &process{in: newInput(write), out: newOutput(leastLineLimit), err: &tail{}}
	go proc.in.run()
	go io.Copy(io.Discard, read)
	t.Cleanup(func() { proc.in.close(); read.Close() })
	c := newConversation(&Pool{cfg: Config{}.withDefaults()}, proc)
	t.Cleanup(c.ticker.Stop)
	return c
}

func answerLine(r *request) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", r.id)
}

// TestLineFromBefore: a line that was read before a request was written is not about that request,
// even where it is looked at later.
func TestLineFromBefore(t *testing.T) {
	for _, early := range []bool{true, false} {
		c := quietConversation(t)
		r := &request{call: Call{Method: "x"}}
		c.send(r)
		at := r.written.Add(time.Millisecond)
		if early {
			at = r.written.Add(-time.Millisecond)
		}
		c.take(chunk{at: at, lines: []byte("noise\n")})
		if found := len(c.pool.Findings()) == 1; found != early || r.charged == early {
			t.Errorf("early %v: charged %v, findings %v", early, r.charged, c.pool.Findings())
		}
	}
}

// TestTimeIsThatOfArrival: whether an answer is in time depends on when it came, not on when it is
// looked at, and the first look after the time is not the last.
func TestTimeIsThatOfArrival(t *testing.T) {
	for _, late := range []bool{true, false} {
		c := quietConversation(t)
		limit := c.pool.cfg.CaseTimeout
		r := &request{call: Call{Method: "x"}}
		c.send(r)
		if lost := c.tick(r.started.Add(limit + 2*time.Millisecond)); lost != nil {
			t.Fatalf("lost at the first look: %v", lost)
		}
		at := r.started.Add(limit - time.Millisecond)
		if late {
			at = r.started.Add(limit + time.Millisecond)
		}
		c.take(chunk{at: at, lines: answerLine(r)})
		if timedOut := r.outcome.Failure != nil && r.outcome.Failure.Kind == TimeOut; timedOut != late || (r.outcome.Result == nil) != late {
			t.Errorf("late %v: %+v", late, r.outcome)
		}
	}
}

// TestTimeBeginsWithTheAnswerBefore: a request waits in the pipe on nobody's time.
func TestTimeBeginsWithTheAnswerBefore(t *testing.T) {
	c := quietConversation(t)
	limit := c.pool.cfg.CaseTimeout
	first, second := &request{call: Call{Method: "x"}}, &request{call: Call{Method: "x"}}
	c.send(first)
	c.send(second)
	at := first.started.Add(limit * 9 / 10)
	c.take(chunk{at: at, lines: answerLine(first)})
	at = at.Add(limit * 8 / 10)
	c.take(chunk{at: at, lines: answerLine(second)})
	if first.outcome.Failure != nil || second.outcome.Failure != nil || second.outcome.Duration != limit*8/10 {
		t.Errorf("%v, %v after %v", first.outcome.Failure, second.outcome.Failure, second.outcome.Duration)
	}
}

// TestWorkIsShared: one of two processes does not take the work of the other.
func TestWorkIsShared(t *testing.T) {
	b, err := (&Pool{}).newBatch(numbered(10, nil), func(int, Outcome) {})
	if err != nil {
		t.Fatal(err)
	}
	b.lanes = 2
	taken := 0
	for b.take(taken) != nil {
		taken++
	}
	if taken < 2 || taken > 5 {
		t.Errorf("the first process took %d of 10 calls while the other had none", taken)
	}
	for b.take(0) != nil {
		taken++
	}
	if taken != 10 {
		t.Errorf("%d calls were taken, want all 10", taken)
	}
}
