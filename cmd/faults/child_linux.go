package main

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithUs has the kernel kill a child when its parent has gone.
func dieWithUs() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// withoutFiles lets a process open no more files and connections than it has, until it is given back the right to.
func withoutFiles(pid int) (giveBack func() error, err error) {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return nil, fmt.Errorf("count open files: %w", err)
	}
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return nil, fmt.Errorf("read the limit of files: %w", err)
	}
	none := unix.Rlimit{Cur: uint64(len(open)), Max: before.Max}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &none, nil); err != nil {
		return nil, fmt.Errorf("limit files: %w", err)
	}
	return func() error { return unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil) }, nil
}
