package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithUs has the kernel kill a child when its parent has gone.
func dieWithUs() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// withoutFiles stops a process from opening more files and connections, until the limit is raised
// again.
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

// onLinux says why something cannot be played here.
func onLinux() error { return nil }

// withoutMemory stops a process from allocating more memory.
func withoutMemory(pid int) error {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return fmt.Errorf("read how much memory there is: %w", err)
	}
	var pages uint64
	if _, err := fmt.Sscan(string(status), &pages); err != nil {
		return fmt.Errorf("read how much memory there is: %w", err)
	}
	size := pages * uint64(os.Getpagesize())
	return unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: size, Max: size}, nil)
}

// busyCore puts a process on one core together with four that never rest, until quiet.
func busyCore(pid int) (quiet func() error, err error) {
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &before); err != nil {
		return nil, fmt.Errorf("read the cores: %w", err)
	}
	for core := range 1024 {
		if before.IsSet(core) {
			one.Set(core)
			break
		}
	}
	var busy []*exec.Cmd
	stop := func() {
		for _, cmd := range busy {
			_ = cmd.Process.Kill() // it cannot have ended by itself
			_ = cmd.Wait()         // killed
		}
	}
	for range 4 {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		cmd.SysProcAttr = dieWithUs()
		if err := cmd.Start(); err != nil {
			stop()
			return nil, fmt.Errorf("keep a core busy: %w", err)
		}
		busy = append(busy, cmd)
		if err := unix.SchedSetaffinity(cmd.Process.Pid, &one); err != nil {
			stop()
			return nil, fmt.Errorf("keep a core busy: %w", err)
		}
	}
	if err := pin(pid, &one); err != nil {
		stop()
		return nil, err
	}
	return func() error {
		stop()
		return pin(pid, &before)
	}, nil
}

// pin keeps all threads of a process on some cores. New threads follow those that start them.
func pin(pid int, to *unix.CPUSet) error {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return fmt.Errorf("list threads: %w", err)
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return fmt.Errorf("list threads: %w", err)
		}
		if err := unix.SchedSetaffinity(id, to); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("choose a core: %w", err)
		}
	}
	return nil
}

// smallDisk is a disk with little room, for PostgreSQL's data.
type smallDisk struct{ folder string }

// smallDiskSize holds a cluster with its template and one database, and leaves some room.
const smallDiskSize = "256m"

func mountSmallDisk() (*smallDisk, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("only root may mount a disk")
	}
	folder, err := os.MkdirTemp("", "faults-disk-")
	if err != nil {
		return nil, err
	}
	if err := unix.Mount("faults", folder, "tmpfs", 0, "size="+smallDiskSize+",mode=1777"); err != nil {
		return nil, errors.Join(fmt.Errorf("mount: %w", err), os.Remove(folder))
	}
	return &smallDisk{folder}, nil
}

func (d *smallDisk) ballast() string { return filepath.Join(d.folder, "ballast") }

// fill takes all the room there is.
func (d *smallDisk) fill() error {
	f, err := os.Create(d.ballast())
	if err != nil {
		return fmt.Errorf("fill the disk: %w", err)
	}
	defer f.Close()
	for some := make([]byte, 1<<20); len(some) > 0; {
		_, err := f.Write(some)
		switch {
		case errors.Is(err, unix.ENOSPC):
			some = some[:len(some)/2]
		case err != nil:
			return fmt.Errorf("fill the disk: %w", err)
		}
	}
	return nil
}

// clear gives the room back.
func (d *smallDisk) clear() error { return os.Remove(d.ballast()) }

// unmount takes the disk away with all that is on it.
func (d *smallDisk) unmount() {
	_ = unix.Unmount(d.folder, unix.MNT_DETACH) // nothing else could be done about it
	_ = os.Remove(d.folder)
}
