// Package disk measures the free space on a disk.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Space is the room on a disk, in bytes.
type Space struct {
	Free uint64 // for this user
	Size uint64 // zero where it is not known
}

// At returns the space on the disk of a folder, or of its nearest existing parent.
func At(folder string, of func(string) (Space, error)) (Space, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Space{}, err
	}
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			return of(folder)
		}
		folder = filepath.Dir(folder)
	}
}
