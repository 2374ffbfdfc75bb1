package coretest

import (
	"os"
	"strconv"
	"time"
)

// Patience returns how long a test waits for an operation that takes less than d on a machine of usual
// speed. The environment variable PATIENCE, a number of at least 1, multiplies it on a slow or busy machine.
func Patience(d time.Duration) time.Duration {
	times, err := strconv.ParseFloat(os.Getenv("PATIENCE"), 64)
	if err != nil || times < 1 {
		return d
	}
	return time.Duration(float64(d) * times)
}
