package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// raceOptions: under the race detector a process sleeps a second before it ends, and these tests
// start hundreds.
const raceOptions = "atexit_sleep_ms=0"

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script")

// TestMain lets this binary be conform, and an adapter that misbehaves as it is told.
func TestMain(m *testing.M) {
	_ = os.Setenv("GORACE", raceOptions)
	testscript.Main(m, map[string]func(){
		"conform": main,
		"adapter": adapterMain,
		"trouble": troubleMain,
	})
}

// TestScripts runs every command with its statuses, as a session in a shell.
func TestScripts(t *testing.T) {
	python, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PYTHON_ADAPTER", python+"/../../conformance/adapters/python/classify.py")
			env.Setenv("NO_COLOR", "")
			env.Setenv("GORACE", raceOptions)
			env.Setenv("TERM", "xterm")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "await": await, "cases": writeCases, "same": same, "swap": swap,
		},
	})
}

// exits STATUS PROGRAM…: the program ends with exactly this status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARG…]")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if want, err := strconv.Atoi(args[0]); err != nil || got != want {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// await FILE: wait until the file is there.
func await(ts *testscript.TestScript, neg bool, args []string) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear", args[0])
}
