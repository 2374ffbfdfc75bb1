//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// belongsTo reports whether a file or folder is there, and has the owner and the mode.
func belongsTo(path string, uid, gid int, mode fs.FileMode) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 || info.Mode().Perm() != mode {
		return false
	}
	is, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(is.Uid) == uid && int(is.Gid) == gid
}
