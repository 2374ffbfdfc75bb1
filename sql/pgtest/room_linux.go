package pgtest

import (
	"os"
	"syscall"
)

// enoughRoom is the space that must be free in /dev/shm. Containers often give it 64 MB, less than one server
// needs.
const enoughRoom = 1 << 30 // bytes

// roomiest is the folder for the server's files: memory when there is enough of it, else the temp directory.
func roomiest() string {
	const memory = "/dev/shm"
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memory, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) <= enoughRoom {
		return os.TempDir()
	}
	probe, err := os.MkdirTemp(memory, "pgtest-")
	if err != nil {
		return os.TempDir()
	}
	_ = os.Remove(probe) // empty, and ours
	return memory
}
