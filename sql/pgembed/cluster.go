//go:build unix

package pgembed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A cluster is PostgreSQL's word for a data folder with its databases. Ours are named for the major version
// that made them, since another cannot read them: DataDir/pg18.
func clusterDir(dataDir string, major int) string {
	return filepath.Join(dataDir, "pg"+strconv.Itoa(major))
}

// newestCluster is the major version of the newest cluster in dataDir, or 0 when there is none.
func newestCluster(dataDir string) (int, error) {
	entries, err := os.ReadDir(dataDir)
	if err != nil {
		return 0, fmt.Errorf("find a database: %w", err)
	}
	newest := 0
	for _, entry := range entries {
		named, err := strconv.Atoi(strings.TrimPrefix(entry.Name(), "pg"))
		if err != nil || !entry.IsDir() {
			continue
		}
		major, err := majorOf(filepath.Join(dataDir, entry.Name()))
		if errors.Is(err, fs.ErrPermission) {
			return 0, fmt.Errorf("the database in %s belongs to another user: %w", dataDir, err)
		}
		if err == nil && major == named {
			newest = max(newest, major)
		}
	}
	return newest, nil
}

// majorOf is the version that made a cluster.
func majorOf(cluster string) (int, error) {
	raw, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(raw)))
}

// initialize makes a cluster where there is none. It is made beside its place and then moved there, so that
// one cut off half way is never taken for a whole one.
func initialize(ctx context.Context, bin binaries, cluster string, fast bool) error {
	draft := cluster + ".new"
	if err := os.RemoveAll(draft); err != nil {
		return fmt.Errorf("clear away an unfinished cluster: %w", err)
	}
	if err := os.Mkdir(draft, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	if err := bin.as.own(draft); err != nil {
		return fmt.Errorf("give the data folder to %v: %w", bin.as, err)
	}
	args := []string{"-D", draft, "-U", Superuser, "-A", "trust", "-E", "UTF8", "--no-instructions"}
	if runtime.GOOS == "darwin" {
		args = append(args, "--locale=en_US.UTF-8", "--lc-collate=C") // it has no C.UTF-8
	} else {
		args = append(args, "--locale=C.UTF-8")
	}
	if fast {
		args = append(args, "--no-sync")
	}
	if _, err := bin.as.run(ctx, bin.path("initdb"), args...); err != nil {
		return errors.Join(fmt.Errorf("initdb as %v: %w", bin.as, err), os.RemoveAll(draft))
	}
	if err := os.Rename(draft, cluster); err != nil {
		return fmt.Errorf("put the new cluster in its place: %w", err)
	}
	return nil
}

// settings are the server's flags: reached by the socket alone, small, and no more in the log than
// is about the server itself, since statements contain what users wrote.
func settings(cluster, socketDir string, o Options) []string {
	flags := []string{
		"listen_addresses=", "port=5432", "unix_socket_directories=" + socketDir,
		"unix_socket_permissions=0700",
		// Shared memory in files of the cluster: /dev/shm is tiny in containers, is emptied by systemd when
		// a user logs out, which leaves a server that refuses connections, and keeps what a killed server
		// had there.
		"dynamic_shared_memory_type=mmap",
		"jit=off", "timezone=UTC",
		"logging_collector=off", "log_destination=stderr", "log_timezone=UTC", "log_line_prefix=",
		"log_min_messages=log", "log_min_error_statement=panic",
	}
	if o.Streams {
		flags = append(flags, "wal_level=replica", "max_wal_senders=4")
	} else {
		flags = append(flags, "wal_level=minimal", "max_wal_senders=0")
	}
	if o.Fast {
		// synchronous_commit stays on. With fsync off it costs nothing worth measuring, and off it would lose
		// commits when the server is killed, as the tests of faults do. Autovacuum would now and then hold a
		// template while it is to be copied.
		flags = append(flags, "fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=1000",
			"max_wal_size=256MB", "shared_buffers=64MB",
			"deadlock_timeout=50ms") // races end in deadlocks, which are looked for after a second otherwise
	} else {
		flags = append(flags, "shared_buffers="+sharedBuffers())
	}
	args := []string{"-D", cluster}
	for _, flag := range flags {
		args = append(args, "-c", flag)
	}
	return args
}

// pidFile is the content of postmaster.pid, which a running server writes.
type pidFile struct {
	pid       int
	socketDir string
}

// readPidFile reads the cluster's postmaster.pid. It returns false when there is none or it is not written
// fully yet.
func readPidFile(cluster string) (pidFile, bool, error) {
	raw, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return pidFile{}, false, nil
	}
	if err != nil {
		return pidFile{}, false, fmt.Errorf("find a running server: %w", err)
	}
	lines := strings.Split(string(raw), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil {
		return pidFile{}, false, nil
	}
	file := pidFile{pid: max(pid, -pid)} // negative for one in single-user mode
	if len(lines) >= 5 {
		file.socketDir, _, _ = strings.Cut(strings.TrimSpace(lines[4]), ",")
	}
	return file, true, nil
}
