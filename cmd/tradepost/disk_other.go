//go:build !unix

package main

import "math"

// freeSpace is not known on these systems.
func freeSpace(string) (uint64, error) { return math.MaxUint64, nil }
