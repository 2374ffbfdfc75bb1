//go:build !unix

package demo

import "os"

// tryLock locks nothing: the private PostgreSQL, which a demo needs, does not run on these systems.
func tryLock(*os.File) (bool, error) { return true, nil }
