//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"tradepost/sql/pgembed"
)

// holdIn is set to the shared folder in a copy of a test program that holds the server. No test runs in
// such a process.
const holdIn = "PGTEST_HOLD_IN"

// grace is how long the server outlives the last lease. The next package may still be compiled or linked.
const grace = 3 * time.Second

func init() {
	dir := os.Getenv(holdIn)
	if dir == "" {
		return
	}
	if err := hold(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// hold starts a server, writes its address to dir and returns when no test process has had a lease for a
// while. When the holder is killed, the server ends with it; see pgembed.
func hold(dir string) error {
	syscall.CloseOnExec(3) // before another process is started, which would keep the lock
	start := os.NewFile(3, startFile)
	address, err := open(dir, addressFile)
	if err != nil {
		return err
	}
	// A file that is not used any more is closed, and so unlocked, by the collector of garbage.
	defer runtime.KeepAlive(address)
	if err := flock(address, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("another process holds a server: %w", err)
	}
	if err := address.Truncate(0); err != nil {
		return err
	}
	leases, err := open(dir, leasesFile)
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(leases)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	server, err := pgembed.Start(ctx, serverOptions())
	if err != nil {
		return err
	}
	if _, err := address.WriteString(server.DSN("postgres")); err != nil {
		return err
	}
	if err := start.Close(); err != nil {
		return err
	}
	runtime.GC() // it would come after minutes; what it closes is missed at once now
	if err := untilUnused(leases); err != nil {
		return err
	}
	// The lock on leases is kept: a process that comes now waits for the end of this one, and then finds
	// the folder gone. It is renamed first, because another process may create files in a folder that is
	// being removed.
	ended := fmt.Sprintf("%s-ended-%d", dir, os.Getpid())
	if err = os.Rename(dir, ended); err == nil {
		err = os.RemoveAll(ended)
	}
	if stopErr := server.Stop(context.Background()); stopErr != nil {
		return stopErr
	}
	return err
}

// untilUnused returns with leases locked when there are none, and there were none a grace period before.
func untilUnused(leases *os.File) error {
	for {
		if err := flock(leases, syscall.LOCK_EX); err != nil { // waits for the last lease to go
			return err
		}
		if err := flock(leases, syscall.LOCK_UN); err != nil {
			return err
		}
		time.Sleep(grace)
		if err := flock(leases, syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
	}
}
