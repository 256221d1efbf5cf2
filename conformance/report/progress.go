package report

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Progress shows how far a run is, on one line that it writes over. It belongs on a terminal only.
type Progress struct {
	w     io.Writer
	mutex sync.Mutex
	next  time.Time
	shown bool
}

// NewProgress returns a progress line on w. It appears only when a run takes long enough for
// somebody to wonder.
func NewProgress(w io.Writer) *Progress {
	return &Progress{w: w, next: time.Now().Add(300 * time.Millisecond)}
}

// Update shows the count. It may be called often and from several goroutines.
func (p *Progress) Update(done, total int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if now := time.Now(); now.After(p.next) {
		p.next = now.Add(100 * time.Millisecond)
		p.shown = true
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%d of %d cases", done, total)
	}
}

// Clear takes the line away.
func (p *Progress) Clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
}
