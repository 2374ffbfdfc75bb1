//go:build !linux

package pgtest

import "os"

// roomiest is the folder for the server's files.
func roomiest() string { return os.TempDir() }
