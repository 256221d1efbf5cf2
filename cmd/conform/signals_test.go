//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/contextfragments/conform/conformance/report"
	"github.com/contextfragments/conform/conformance/suite"
)

// exitStatus runs a command to its end and returns its exit status, -1 where a signal ended it.
func exitStatus(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// appears waits for a file.
func appears(t *testing.T, file string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
	}
	t.Fatalf("%s did not appear", file)
}

// ends waits for the process whose number is in a file to be gone.
func ends(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + string(text) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

// A signal in the middle of a run ends the adapter, though it is deaf, and leaves a record that says so.
func TestSignals(t *testing.T) {
	for _, test := range []struct {
		signal syscall.Signal
		want   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(test.signal.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := generateCases(filepath.Join(folder, "own"), 20); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("conform", "run", "--fixtures", "own", "--window", "1", "--json", "run.json", "--",
				"trouble", "hang=case-7.", "ready=ready", "pid=pid", "deaf")
			cmd.Dir = folder
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			appears(t, filepath.Join(folder, "ready"))
			start := time.Now()
			if err := cmd.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if got := exitStatus(t, cmd); got != test.want {
				t.Errorf("exit status %d, want %d", got, test.want)
			}
			if took := time.Since(start); took > 8*time.Second {
				t.Errorf("the end took %v", took)
			}
			ends(t, filepath.Join(folder, "pid"))
			data, err := os.ReadFile(filepath.Join(folder, "run.json"))
			if err != nil {
				t.Fatal(err)
			}
			record, err := report.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			if !record.Interrupted || record.Totals.Passed != 6 || record.Totals.NotRun != 14 {
				t.Errorf("interrupted: %v, totals %+v", record.Interrupted, record.Totals)
			}
			for _, run := range record.Runs[:6] {
				if run.Verdict != suite.Passed {
					t.Errorf("%s is %s", run.ID, run.Verdict)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(folder, ".*.tmp")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// The same before the first answer, and in the other commands that start an adapter: there is
// nothing to record.
func TestSignalsBeforeTheRun(t *testing.T) {
	for name, arguments := range map[string][]string{
		"run":        {"run", "--json", "kept", "--", "trouble", "silent", "pid=ready"},
		"ledger fix": {"ledger", "fix", "kept", "--", "trouble", "silent", "pid=ready"},
		"replay":     {"replay", "marker-matching/empty-start-never-matches", "--", "adapter", "hangs", "ready"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			kept := filepath.Join(folder, "kept")
			if err := os.WriteFile(kept, []byte("failures:\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("conform", arguments...)
			cmd.Dir = folder
			var stderr strings.Builder
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			appears(t, filepath.Join(folder, "ready"))
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if got := exitStatus(t, cmd); got != 130 {
				t.Errorf("exit status %d, want 130\n%s", got, stderr.String())
			}
			if data, err := os.ReadFile(kept); string(data) != "failures:\n" {
				t.Errorf("the file is now %q, %v", data, err)
			}
		})
	}
}

// Nobody reads the output any more: the record is there all the same, and the adapter is gone.
func TestClosedOutput(t *testing.T) {
	folder := t.TempDir()
	if err := generateCases(filepath.Join(folder, "own"), 300); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("conform", "run", "--fixtures", "own", "--all", "--json", "run.json", "--", "trouble", "wrong=case", "pid=pid")
	cmd.Dir, cmd.Stdout = folder, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	_ = read.Close()
	if got := exitStatus(t, cmd); got == 0 || got == report.StatusNothing {
		t.Errorf("exit status %d", got)
	}
	ends(t, filepath.Join(folder, "pid"))
	data, err := os.ReadFile(filepath.Join(folder, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	if record, err := report.Read(data); err != nil || record.Totals.Failed != 300 {
		t.Errorf("the record is not whole: %v", err)
	}
}

// A disk that is really full: as root, on a file system of a few pages.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	disk := filepath.Join(folder, "disk")
	if err := os.Mkdir(disk, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small file system: %v, %s", err, out)
	}
	defer func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v, %s", err, out)
		}
	}()
	kept := filepath.Join(disk, "run.json")
	if err := os.WriteFile(kept, []byte(`"old"`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := generateCases(filepath.Join(folder, "own"), 300); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("conform", "run", "--fixtures", "own", "--json", kept, "--", "trouble")
	cmd.Dir = folder
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if got := exitStatus(t, cmd); got != report.StatusBroken || !strings.Contains(stderr.String(), "no space left on device") {
		t.Errorf("exit status %d, %s", got, stderr.String())
	}
	if data, err := os.ReadFile(kept); string(data) != `"old"` {
		t.Errorf("the file is now %q, %v", data, err)
	}
	if entries, _ := os.ReadDir(disk); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// Little memory: the run passes, or ends as one that did not, and nothing is half-written.
func TestLittleMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector reserves terabytes of address space")
	}
	folder := t.TempDir()
	if err := generateCases(filepath.Join(folder, "own"), 300); err != nil {
		t.Fatal(err)
	}
	for limit, mustPass := range map[string]bool{"4000000": true, "1500000": false, "300000": false, "20000": false} { // KiB
		file := filepath.Join(folder, limit+".json")
		cmd := exec.Command("sh", "-c", "ulimit -v "+limit+"; exec conform run --fixtures own --json "+file+" -- trouble large=case-1")
		cmd.Dir = folder
		output, err := cmd.CombinedOutput()
		status := cmd.ProcessState.ExitCode()
		data, missing := os.ReadFile(file)
		switch {
		case mustPass && status != 0:
			t.Errorf("ulimit -v %s: %v\n%.2000s", limit, err, output)
		case status == 0 && missing != nil:
			t.Errorf("ulimit -v %s: no record: %v", limit, missing)
		case missing == nil:
			var record report.Record
			if err := json.Unmarshal(data, &record); err != nil {
				t.Errorf("ulimit -v %s: half a record: %v", limit, err)
			}
		}
		t.Logf("ulimit -v %s: exit status %d", limit, status)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
