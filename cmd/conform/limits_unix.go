//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// limitsAsErrors lets a write beyond the limit on file sizes (ulimit -f) fail like one on a full
// disk, where the system would end the program and leave half a file.
func limitsAsErrors() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
