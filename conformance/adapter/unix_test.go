//go:build unix

package adapter

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// limitFiles lets no new file have a number from n on, until the test ends.
func limitFiles(t *testing.T, n uint64) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	low := before
	low.Cur = n
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) })
}

func TestStartWithoutDescriptors(t *testing.T) {
	cfg := playing(t, "well-behaved")
	limitFiles(t, 3) // the standard streams have these
	_, _, err := Start(t.Context(), cfg)
	var failure *StartError
	if !errors.As(err, &failure) || !errors.Is(err, syscall.EMFILE) || !strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("Start: %v", err)
	}
}

// TestFewerProcesses: where the system does not allow more processes, those that run do the work.
func TestFewerProcesses(t *testing.T) {
	cfg := playing(t, "well-behaved")
	cfg.Jobs = 8
	p, processes, err := watched(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	free, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	lowest := uint64(free.Fd())
	free.Close()
	limitFiles(t, lowest+12) // enough for one process or two
	calls := numbered(20_000, nil)
	if err := p.Run(t.Context(), calls, func(i int, o Outcome) {
		if o.Failure != nil {
			t.Errorf("call %d: %v", i, o.Failure)
		}
	}); err != nil {
		t.Error(err)
	}
	p.Close()
	if n := len(processes()); n >= 8 {
		t.Errorf("%d processes", n)
	}
	for _, f := range p.Findings() {
		if f.Kind != FewerProcesses {
			t.Errorf("finding %v", f)
		}
	}
	noneLeft(t, processes())
}

func init() {
	hostileAdapters = append(hostileAdapters, hostile{
		name: "grandchild-in-own-session", does: "leaves a process in a session of its own behind, which holds its pipes",
		// It is out of reach, but it must not hold us up. It ends by itself.
		findings: []FindingKind{HeldPipe},
		patience: 8 * time.Second,
		child: func(c *child) {
			spawnWith("brief-sleeper", &syscall.SysProcAttr{Setsid: true})
			c.serve(nil)
		},
	})
}
