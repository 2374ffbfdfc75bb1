//go:build unix

package disk

import "syscall"

// Of returns the space on the disk of a folder.
func Of(folder string) (Space, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return Space{}, err
	}
	// Room that only root may use is in neither, as in df's figures.
	block, usable := uint64(disk.Bsize), disk.Blocks-disk.Bfree+disk.Bavail
	return Space{Free: disk.Bavail * block, Size: usable * block}, nil
}
