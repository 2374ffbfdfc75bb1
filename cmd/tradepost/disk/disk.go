// Package disk measures the free space on a disk.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Left returns the free space on the disk of a folder, or of its nearest existing parent.
func Left(folder string, free func(string) (uint64, error)) (uint64, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return 0, err
	}
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return free(folder)
		}
		folder = filepath.Dir(folder)
	}
}
