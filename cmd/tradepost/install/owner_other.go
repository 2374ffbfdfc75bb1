//go:build !unix

package install

import "io/fs"

// belongsTo is false: systems without owners have no systemd either.
func belongsTo(string, int, int, fs.FileMode) bool { return false }
