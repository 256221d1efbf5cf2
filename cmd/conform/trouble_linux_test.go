package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// shrinkPipes makes the pipes to the runner as small as the system lets them be, which is a page.
func shrinkPipes(size string) {
	const setPipeSize = 1031 // F_SETPIPE_SZ
	bytes, err := strconv.Atoi(size)
	for _, pipe := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		if err == nil {
			var errno syscall.Errno
			if _, _, errno = syscall.Syscall(syscall.SYS_FCNTL, pipe.Fd(), setPipeSize, uintptr(bytes)); errno != 0 {
				err = errno
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot shrink the pipes:", err)
		os.Exit(9)
	}
}
