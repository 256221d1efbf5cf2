package adapter

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	readSize   = 64 << 10 // of one read from a pipe, the usual size of the pipe
	stderrKept = 64 << 10
	headKept   = 4 << 10 // of a line that is too long

	// writeAhead is how many bytes may wait for the child to read them. Beyond the pipe's own
	// buffer more does not help throughput; it would only cost memory where requests are large.
	writeAhead = 256 << 10

	// drainGrace is how long the pipes may stay open after the process ended before whoever holds
	// them is killed too. What the process wrote is in the pipe by then and takes no time to read.
	drainGrace = 200 * time.Millisecond
)

// process is a running child. Reader, writer, stderr drainer and waiter are goroutines of their
// own, so that a child that reads nothing, or writes without end, blocks none of the others.
// Somebody must receive from out.chunks until it is closed (see stop.go).
type process struct {
	cmd *exec.Cmd
	in  *input
	out *output
	err *tail

	exited chan struct{} // closed when the process has ended; then status and held are set in turn
	status string        // as in "exit status 3", after exited
	code   int           // exit code, -1 for a signal, after exited
	gone   chan struct{} // closed when the pipes are closed as well and the group is killed
	held   bool          // somebody else kept the pipes open, after gone
}

// launch starts the child. The error is that of the system.
func launch(cfg Config) (*process, error) {
	cmd := exec.Command(cfg.Command[0], cfg.Command[1:]...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	ownGroup(cmd)

	// Own pipes rather than those of exec: they stay under our control when the child leaves
	// somebody behind who holds the other end.
	var files []*os.File
	closeAll := func(files []*os.File) {
		for _, f := range files {
			f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, r, w)
	}
	inRead, inWrite, outRead, outWrite, errRead, errWrite := files[0], files[1], files[2], files[3], files[4], files[5]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inRead, outWrite, errWrite
	if err := cmd.Start(); err != nil {
		closeAll(files)
		return nil, err
	}
	closeAll([]*os.File{inRead, outWrite, errWrite})

	p := &process{
		cmd:    cmd,
		in:     newInput(inWrite),
		out:    newOutput(cfg.LineLimit),
		err:    &tail{echo: cfg.Stderr},
		exited: make(chan struct{}),
		gone:   make(chan struct{}),
	}
	drained := make(chan struct{})
	go func() { _, _ = io.Copy(p.err, errRead); close(drained) }()
	go p.out.run(outRead)
	go p.in.run()
	go p.wait(outRead, errRead, drained)
	return p, nil
}

// wait learns the end of the process, and sees to it that nothing of it stays: whoever still holds
// the pipes is given a moment, then the group is killed, then the pipes are closed on our side.
func (p *process) wait(outRead, errRead *os.File, drained chan struct{}) {
	p.cmd.Wait() // the error only repeats the state
	p.status, p.code = p.cmd.ProcessState.String(), p.cmd.ProcessState.ExitCode()
	close(p.exited)
	// A reader that waits for its lines to be taken says nothing about who holds the pipe.
	p.held = !closedWithin(drainGrace, drained) || !closedWithin(drainGrace, p.out.done) && p.out.reading.Load()
	killGroup(p.cmd.Process)
	if !closedWithin(drainGrace, drained) || !closedWithin(drainGrace, p.out.done) {
		outRead.Close() // somebody outside the group: end our reads
		errRead.Close()
	}
	<-drained
	<-p.out.done
	outRead.Close()
	errRead.Close()
	p.in.close()
	close(p.gone)
}

// kill ends the whole group at once. Once the process is gone its number may belong to another.
func (p *process) kill() {
	if !closedWithin(0, p.gone) {
		killGroup(p.cmd.Process)
	}
}

// terminate asks the whole group to end.
func (p *process) terminate() {
	if !closedWithin(0, p.exited) {
		terminateGroup(p.cmd.Process)
	}
}

// closedWithin waits for a channel to be closed and reports whether it was.
func closedWithin(patience time.Duration, done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
	}
	if patience <= 0 {
		return false
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// input is the child's standard input. Writes never block the caller.
type input struct {
	file     *os.File
	progress chan struct{} // capacity 1: something was written, or writing failed

	mu      sync.Mutex
	wake    *sync.Cond
	pending []byte // not yet handed to the system
	writing int    // bytes being written
	ending  bool   // close after what is pending
	failed  error  // the first failed write; nothing is written after it
}

func newInput(file *os.File) *input {
	in := &input{file: file, progress: make(chan struct{}, 1)}
	in.wake = sync.NewCond(&in.mu)
	return in
}

// write appends a line to what the child is to read.
func (in *input) write(line []byte) {
	in.mu.Lock()
	if in.failed == nil && !in.ending {
		in.pending = append(in.pending, line...)
		in.wake.Signal()
	}
	in.mu.Unlock()
}

// state returns how many bytes wait for the child, and the error that ended writing.
func (in *input) state() (waiting int, failed error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.pending) + in.writing, in.failed
}

// finish ends the input after what is pending.
func (in *input) finish() {
	in.mu.Lock()
	in.ending = true
	in.wake.Signal()
	in.mu.Unlock()
}

// close ends the input now; a write that blocks fails.
func (in *input) close() {
	in.finish()
	in.file.Close()
}

func (in *input) run() {
	defer in.file.Close()
	var batch []byte
	in.mu.Lock()
	defer in.mu.Unlock()
	for {
		for len(in.pending) == 0 && !in.ending {
			in.wake.Wait()
		}
		if len(in.pending) == 0 {
			return
		}
		batch, in.pending = in.pending, batch[:0]
		in.writing = len(batch)
		in.mu.Unlock()
		_, err := in.file.Write(batch)
		if cap(batch) > writeAhead { // one large request must not stay for good
			batch = nil
		}
		in.mu.Lock()
		in.writing = 0
		if err != nil {
			in.failed, in.pending = err, nil
		}
		select {
		case in.progress <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// chunk is a piece of the child's standard output: whole lines, or a line too long to keep, or the
// end.
type chunk struct {
	at    time.Time
	lines []byte    // each with its line feed
	long  *longLine // nil but for a line above the limit
	end   bool      // the child's output has ended; rest is what stood after the last line feed
	rest  []byte
}

// longLine is what is kept of a line above the limit.
type longLine struct {
	head   []byte // its first 4 KiB
	tail   []byte // its last bytes, where its id may be
	length int64
}

// output is the child's standard output, cut into lines.
type output struct {
	chunks  chan chunk
	done    chan struct{} // closed when reading has ended
	reading atomic.Bool   // in a read, not handing over
	limit   int

	mu    sync.Mutex // guards what follows against unfinished
	carry blocks     // the beginning of a line whose end has not come
	long  *longLine  // instead of carry, once it is above the limit
}

func newOutput(limit int) *output {
	// Capacity 1: the reader works one chunk ahead. More would let the largest lines add up.
	return &output{chunks: make(chan chunk, 1), done: make(chan struct{}), limit: limit}
}

func (o *output) run(r io.Reader) {
	defer close(o.chunks)
	buffer := make([]byte, readSize)
	for {
		o.reading.Store(true)
		n, err := r.Read(buffer)
		o.reading.Store(false)
		at := time.Now()
		o.cut(buffer[:n], at)
		if err != nil {
			close(o.done)
			head, _ := o.unfinished()
			o.chunks <- chunk{at: at, end: true, rest: head}
			return
		}
	}
}

// cut takes what was read and hands over the lines that are complete.
func (o *output) cut(data []byte, at time.Time) {
	for len(data) > 0 {
		if o.carry.size == 0 && o.long == nil {
			if end := bytes.LastIndexByte(data, '\n') + 1; end > 0 {
				o.chunks <- chunk{at: at, lines: bytes.Clone(data[:end])}
				data = data[end:]
			}
			if len(data) > 0 {
				o.mu.Lock()
				o.carry.add(data)
				o.mu.Unlock()
			}
			return
		}
		end := bytes.IndexByte(data, '\n') + 1
		piece := data[:end]
		if end == 0 {
			piece = data
		}
		data = data[len(piece):]
		if done := o.extend(piece, end > 0); done != nil {
			done.at = at
			o.chunks <- *done
		}
	}
}

// extend adds a piece to the unfinished line. It returns the chunk that the piece completes.
func (o *output) extend(piece []byte, complete bool) *chunk {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.long == nil && o.carry.size+len(piece) > o.limit {
		head := append(o.carry.head(headKept), piece...)
		o.long = &longLine{head: bytes.Clone(head[:headKept]), length: int64(o.carry.size)}
		o.carry = blocks{}
	}
	if o.long == nil {
		o.carry.add(piece)
		if !complete {
			return nil
		}
		lines := bytes.Join(o.carry.parts, nil)
		o.carry = blocks{}
		return &chunk{lines: lines}
	}
	o.long.length += int64(len(piece))
	o.long.tail = append(o.long.tail, piece[max(0, len(piece)-idTail):]...)
	o.long.tail = o.long.tail[max(0, len(o.long.tail)-idTail):]
	if !complete {
		return nil
	}
	long := o.long
	o.long = nil
	return &chunk{long: long}
}

// unfinished returns the beginning and the length of a line whose end has not come.
func (o *output) unfinished() (head []byte, length int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.long != nil {
		return bytes.Clone(o.long.head), o.long.length
	}
	return o.carry.head(headKept), int64(o.carry.size)
}

// blocks is a text in parts. A line grows in them without the copies, several times its size in
// all, that one growing slice leaves behind.
type blocks struct {
	parts [][]byte
	size  int
}

func (b *blocks) add(text []byte) {
	b.size += len(text)
	if last := len(b.parts) - 1; last >= 0 {
		part := b.parts[last]
		n := min(len(text), cap(part)-len(part))
		b.parts[last] = append(part, text[:n]...)
		text = text[n:]
	}
	if len(text) > 0 {
		part := make([]byte, 0, max(len(text), min(b.size, 1<<20), 512))
		b.parts = append(b.parts, append(part, text...))
	}
}

// head returns a copy of the first n bytes, or of all.
func (b *blocks) head(n int) []byte {
	var head []byte
	for _, part := range b.parts {
		if len(head) >= n {
			break
		}
		head = append(head, part[:min(len(part), n-len(head))]...)
	}
	return head
}

// tail keeps the end of what the child wrote to its standard error.
type tail struct {
	echo io.Writer

	mu   sync.Mutex
	kept []byte
	// short is the last excerpt given out, and seen what had been written then: failures that
	// follow each other share one string.
	total, seen int64
	short       string
}

func (t *tail) Write(data []byte) (int, error) {
	if t.echo != nil {
		_, _ = t.echo.Write(data) // a failing writer must not stop the drain
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += int64(len(data))
	recent := data[max(0, len(data)-stderrKept):]
	if excess := len(t.kept) + len(recent) - stderrKept; excess > 0 {
		t.kept = t.kept[:copy(t.kept, t.kept[min(excess, len(t.kept)):])]
	}
	t.kept = append(t.kept, recent...)
	return len(data), nil
}

// text returns all that is kept, as valid UTF-8.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return validText(t.kept)
}

// excerptKept is how much of standard error goes with a failure that did not end the process.
// There may be one a case.
const excerptKept = 2 << 10

func (t *tail) excerpt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen != t.total {
		t.seen, t.short = t.total, validText(t.kept[max(0, len(t.kept)-excerptKept):])
	}
	return t.short
}

// validText drops a character cut at the beginning and replaces what is no UTF-8.
func validText(text []byte) string {
	for i := range min(3, len(text)) {
		if text[i]&0xC0 != 0x80 { // no continuation byte
			text = text[i:]
			break
		}
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// temporary reports whether the system may start the same command in a moment.
func temporary(err error) bool {
	for _, code := range temporaryErrors {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
