//go:build unix

package disk

import "syscall"

// Free returns how many bytes the disk of a folder has left for this user.
func Free(folder string) (uint64, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	return disk.Bavail * uint64(disk.Bsize), nil
}
