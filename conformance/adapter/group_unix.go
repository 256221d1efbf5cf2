//go:build unix

package adapter

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a process group of its own, so that what it starts can be ended
// with it, and so that an interrupt at the terminal reaches us alone.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup kills every process of the group. After the leader has been waited for its number
// stays taken as long as the group has members.
func killGroup(leader *os.Process) { syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// terminateGroup asks every process of the group to end.
func terminateGroup(leader *os.Process) { syscall.Kill(-leader.Pid, syscall.SIGTERM) }

// Out of descriptors, processes or memory for the moment; or the file is still being written.
var temporaryErrors = []error{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM, syscall.ETXTBSY}

var errNoFormat error = syscall.ENOEXEC
