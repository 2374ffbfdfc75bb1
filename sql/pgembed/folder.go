//go:build unix

package pgembed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// folderPrefix begins the name of every folder that we make in a temp directory.
const folderPrefix = "tradepost-pg-"

// folder is a place in a temp directory, used by one process or more. Each holds a shared lock on a file in
// it; the kernel drops the lock with the process, so a free lock means that the folder has no users left,
// however they ended. Process ids would not do: they are reused, and containers that share a temp directory
// each have their own.
type folder struct {
	path string
	lock *os.File
}

// newFolder makes a folder of a new name in base.
func newFolder(base string, mode fs.FileMode) (*folder, error) {
	for {
		path, err := os.MkdirTemp(base, folderPrefix)
		if err != nil {
			return nil, err
		}
		err = os.Chmod(path, mode)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f, err := enter(path)
		if errors.Is(err, errSwept) {
			continue
		}
		return f, err
	}
}

// joinFolder creates the folder at path or joins its users. It rejects a folder that users other than owners
// made or could enter: every user can make folders in a temp directory, and this name can be guessed.
func joinFolder(path string, owners []int) (*folder, error) {
	for {
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !slices.Contains(owners, ownerOf(info)) {
			return nil, fmt.Errorf("%s belongs to another user", path)
		}
		f, err := enter(path)
		if errors.Is(err, errSwept) {
			continue
		}
		return f, err
	}
}

// errSwept says that the folder was cleared away between being made and being locked.
var errSwept = errors.New("folder was swept")

func enter(path string) (*folder, error) {
	name := filepath.Join(path, "lock")
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errSwept
	}
	if err != nil {
		return nil, err
	}
	if err := flock(file, syscall.LOCK_SH); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	now, err := os.Stat(name)
	mine, mineErr := file.Stat()
	if err != nil || mineErr != nil || !os.SameFile(now, mine) {
		_ = file.Close()
		return nil, errSwept
	}
	return &folder{path: path, lock: file}, nil
}

// leave releases the folder, and removes it when no other process uses it.
func (f *folder) leave() error {
	defer func() { _ = f.lock.Close() }()
	if err := flock(f.lock, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil // others stay
	}
	return os.RemoveAll(f.path)
}

// abandoned says that dir, a folder of ours, is gone or has no users any more.
func abandoned(dir string) bool {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return false
	}
	defer func() { _ = lock.Close() }()
	return flock(lock, syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// sweep removes the folders in base that ended processes left behind, and ends servers that may still run in
// them. Other users' folders cannot be opened and are passed over.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), folderPrefix) {
			continue
		}
		path := filepath.Join(base, entry.Name())
		lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|syscall.O_NOFOLLOW, 0)
		if err != nil {
			_ = os.Remove(path) // succeeds only when it is empty: made and never entered
			continue
		}
		if flock(lock, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			endAll(path)
			_ = os.RemoveAll(path) // what stays is swept the next time
		}
		_ = lock.Close()
	}
}

// endAll ends the unused servers in dir. They get the time to give back the shared memory that
// would otherwise stay with the system.
func endAll(dir string) {
	signal := func(signals ...syscall.Signal) (left int) {
		pids := postgresIn(dir)
		for _, pid := range pids {
			for _, sig := range signals {
				_ = syscall.Kill(pid, sig) // it may have ended just now
			}
		}
		return len(pids)
	}
	if signal(syscall.SIGQUIT, syscall.SIGCONT) == 0 {
		return
	}
	deadline := time.Now().Add(2 * time.Second)
	for ; time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if signal() == 0 {
			return
		}
	}
	signal(syscall.SIGKILL)
}

// maxSocketPath is the longest path that fits into a socket address on every Unix, with its terminating zero.
const maxSocketPath = 103

const socketName = ".s.PGSQL.5432"

// joinSocketFolder enters the folder for the socket of the cluster that is kept in dataDir: the
// same for every process and after every restart, unless another file is there by now.
func joinSocketFolder(base, dataDir string, owners []int) (*folder, error) {
	if real, err := filepath.EvalSymlinks(dataDir); err == nil {
		dataDir = real
	}
	sum := sha256.Sum256([]byte(dataDir))
	path := filepath.Join(base, folderPrefix+hex.EncodeToString(sum[:6]))
	if len(filepath.Join(path, socketName)) > maxSocketPath {
		return nil, fmt.Errorf("the temp directory's name is too long for a socket: %s; "+
			"set TMPDIR to a shorter one", base)
	}
	f, err := joinFolder(path, owners)
	if err != nil {
		f, err = newFolder(base, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("make a folder for the socket: %w", err)
	}
	return f, nil
}

// socketBase is where socket folders are: /tmp, because TMPDIR may be too long for a socket and may differ
// between two processes that should meet.
func socketBase() string {
	if probe, err := os.MkdirTemp("/tmp", folderPrefix); err == nil {
		_ = os.Remove(probe) // a sweep may have been faster
		return "/tmp"
	}
	return os.TempDir()
}

// lockFile takes the lock at path, waiting for others until ctx ends.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := flock(file, syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			_ = file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		select {
		case <-ctx.Done():
			_ = file.Close()
			return nil, fmt.Errorf("wait for another process to start the database: %w", context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
