//go:build !unix

package pgtest

import (
	"errors"
	"os"
)

// lease fails on this system, which has no embedded server.
func lease() (address string, leases *os.File, err error) {
	return "", nil, errors.New("set TEST_DATABASE_URL to a server for tests")
}
