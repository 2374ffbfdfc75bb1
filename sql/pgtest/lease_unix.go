//go:build unix

package pgtest

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// A folder in the temp directory connects the test processes of a checkout with their server. Every lock in
// it is a flock, which the kernel releases with the process that has it, however that process ends.
//
//   - leases: each test process has a shared lock on it for as long as it runs.
//   - start: locked while a server starts.
//   - address: the server's address, locked by its holder. The content of an unlocked file is not used.
//   - log: what the holder printed.
const (
	leasesFile  = "leases"
	startFile   = "start"
	addressFile = "address"
	logFile     = "log"
)

// lease returns the address of the server that the test processes of this checkout share, and starts it
// when there is none. The server runs at least until the file is closed.
func lease() (address string, leases *os.File, err error) {
	root, err := checkout()
	if err != nil {
		return "", nil, err
	}
	dir := sharedFolder(root)
	for leases == nil {
		if leases, err = enter(dir); err != nil {
			return "", nil, err
		}
	}
	if address, err = server(root, dir, startHolder); err == nil && address == "" {
		address, err = server(root, dir, nil)
	}
	if err != nil {
		return "", nil, err
	}
	if address == "" {
		said, _ := os.ReadFile(filepath.Join(dir, logFile))
		return "", nil, fmt.Errorf("its process ended: %s", bytes.TrimSpace(said))
	}
	return address, leases, nil
}

// server returns the address of the server in dir, after waiting for a server that starts. Without one it
// calls start, if given, and returns nothing.
func server(root, dir string, start func(root, dir string, lock *os.File) error) (address string, err error) {
	lock, err := open(dir, startFile)
	if err != nil {
		return "", err
	}
	defer func() { _ = lock.Close() }() // a holder that starts has the lock too
	if err := flock(lock, syscall.LOCK_EX); err != nil {
		return "", err
	}
	if address, err = held(dir); err != nil || address != "" || start == nil {
		return address, err
	}
	return "", start(root, dir, lock)
}

func sharedFolder(root string) string {
	sum := sha256.Sum256([]byte(root + "\n" + cmp.Or(os.Getenv("PG_BIN_DIR"), Installed())))
	return filepath.Join(os.TempDir(), fmt.Sprintf("tradepost-tests-%d-%x", os.Getuid(), sum[:6]))
}

// enter takes a lease in dir, and makes the folder when it is missing. It returns nil when a holder has
// removed the folder meanwhile.
func enter(dir string) (*os.File, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// Any user can make a folder of this name, and the address file in it would name their server.
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || info.Mode().Perm() != 0o700 ||
		int(stat.Uid) != os.Getuid() {
		return nil, fmt.Errorf("%s belongs to another user", dir)
	}
	leases, err := open(dir, leasesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := flock(leases, syscall.LOCK_SH); err != nil { // waits for a holder that is ending
		return nil, err
	}
	now, err := os.Stat(leases.Name())
	mine, mineErr := leases.Stat()
	if err != nil || mineErr != nil || !os.SameFile(now, mine) {
		return nil, leases.Close()
	}
	return leases, nil
}

// held returns the address of the server in dir, or nothing when its holder is gone.
func held(dir string) (string, error) {
	file, err := open(dir, addressFile)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	switch err := flock(file, syscall.LOCK_SH|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		address, err := os.ReadFile(file.Name())
		return strings.TrimSpace(string(address)), err
	default:
		return "", err
	}
}

// startHolder runs this program once more as the holder of a server. The holder closes start when the
// server answers.
func startHolder(root, dir string, start *os.File) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, logFile))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	holder := exec.Command(self)
	holder.Dir = root
	holder.Env = append(os.Environ(), holdIn+"="+dir)
	// Without this process's output, because `go test` waits for its end, and beyond the reach of Ctrl-C.
	holder.Stderr, holder.ExtraFiles = log, []*os.File{start}
	holder.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := holder.Start(); err != nil {
		return err
	}
	go func() { _ = holder.Wait() }() // so that it is no zombie while this process runs
	return nil
}

func open(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
}

func flock(file *os.File, how int) error {
	for {
		if err := syscall.Flock(int(file.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
