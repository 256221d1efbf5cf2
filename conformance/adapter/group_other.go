//go:build !unix

package adapter

import (
	"errors"
	"os"
	"os/exec"
)

// Without process groups only the child itself can be ended.

func ownGroup(*exec.Cmd) {}

func killGroup(leader *os.Process) { leader.Kill() }

// terminateGroup does nothing: there is no way to ask. The kill follows.
func terminateGroup(*os.Process) {}

var temporaryErrors []error

var errNoFormat = errors.New("exec format error")
