//go:build unix

package pgembed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// answerLimit is how long a server started by another process may take to answer.
const answerLimit = 30 * time.Second

// up makes a server answer: a running server or a new one of our own. Processes that do so at the same time
// take turns.
func (s *Server) up(ctx context.Context) (*instance, error) {
	unlock, err := lockFile(ctx, filepath.Join(s.dataDir, "start.lock"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", errVanished, s.dataDir)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("cannot keep the database in %s, choose a folder that can be written to: %w",
			s.dataDir, err)
	case err != nil:
		return nil, err
	}
	defer unlock()

	inst, err := s.attach(ctx)
	if inst == nil && err == nil {
		inst, err = s.startOwn(ctx)
	}
	if err != nil {
		return nil, err
	}
	if s.version != "" {
		return inst, nil // back again, so the database is there
	}
	if s.version, err = s.makeDatabase(ctx); err != nil {
		s.end(ctx, inst)
		return nil, err
	}
	return inst, nil
}

// attach finds a server that runs on our data. It returns nil when there is none, after waiting for a server
// that is on its way out.
func (s *Server) attach(ctx context.Context) (*instance, error) {
	cluster, major, err := s.findCluster()
	if err != nil || major == 0 {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerLimit, errors.New("it does not answer"))
	defer cancel()
	for {
		file, ok, err := readPidFile(cluster)
		if err != nil || !ok || !serves(file.pid, cluster) {
			return nil, err
		}
		if isOurs(file.socketDir) && abandoned(file.socketDir) {
			// Its owner is gone, and it is about to follow, or should.
			_ = syscall.Kill(file.pid, syscall.SIGINT)
		} else if inst := s.tryAttach(ctx, cluster, file); inst != nil {
			return inst, nil
		}
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return nil, fmt.Errorf("a PostgreSQL (process %d) has %s open: %w", file.pid, cluster, err)
		}
	}
}

// findCluster is the cluster to serve and its major version, which is 0 when there is none yet. Once there
// was one it is that or none: a restart must neither change to another nor begin an empty one.
func (s *Server) findCluster() (cluster string, major int, err error) {
	if s.cluster != "" {
		if major, err = majorOf(s.cluster); err != nil {
			return "", 0, fmt.Errorf("%w: %w", errVanished, err)
		}
		return s.cluster, major, nil
	}
	if major, err = newestCluster(s.dataDir); err != nil {
		return "", 0, err
	}
	return clusterDir(s.dataDir, major), major, nil
}

// isOurs says that a socket folder was made by this package.
func isOurs(socketDir string) bool {
	return strings.HasPrefix(filepath.Base(socketDir), folderPrefix)
}

func (s *Server) tryAttach(ctx context.Context, cluster string, file pidFile) *instance {
	if file.socketDir == "" || (s.socketDir != "" && s.socketDir != file.socketDir) {
		return nil // it has not opened its socket yet, or it is where our pools cannot reach it
	}
	if _, err := ping(ctx, dsn(file.socketDir, "postgres")); err != nil {
		return nil
	}
	if s.socketDir == "" {
		if isOurs(file.socketDir) {
			joined, err := joinFolder(file.socketDir, possibleOwners(cluster))
			if err != nil {
				return nil
			}
			s.socket = joined
		}
		s.cluster, s.socketDir = cluster, file.socketDir
	}
	gone := make(chan struct{})
	go s.watch(cluster, file.pid, gone)
	return &instance{pid: file.pid, gone: gone, why: func() string { return "its owner has ended it" }}
}

// watch closes gone when the server that another process owns has ended.
func (s *Server) watch(cluster string, pid int, gone chan<- struct{}) {
	defer close(gone)
	for {
		file, ok, _ := readPidFile(cluster)
		if !ok || file.pid != pid || !serves(pid, cluster) {
			return
		}
		select {
		case <-s.exited:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// startOwn starts a server of our own, on a new cluster when there is none yet. No other process
// serves it now.
func (s *Server) startOwn(ctx context.Context) (*instance, error) {
	bin, err := s.prepare(ctx)
	if err != nil {
		return nil, err
	}
	for _, pid := range postgresIn(s.cluster) {
		// Left over by a server that was killed, and keeping its memory. It cannot do anything useful any
		// more.
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	// A pid file that outlived its server may name an unrelated process by now, which PostgreSQL
	// would respect.
	for _, stale := range []string{
		filepath.Join(s.cluster, "postmaster.pid"), filepath.Join(s.socketDir, socketName+".lock"),
		filepath.Join(s.socketDir, socketName),
	} {
		if err := os.Remove(stale); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("clear away what a dead server left: %w", err)
		}
	}
	if s.janitor == nil && (s.temp != nil || !kernelEndsChildren) {
		if s.janitor, err = s.hireJanitor(); err != nil {
			return nil, err
		}
	}
	out := &output{log: s.log}
	cmd := bin.as.command(bin.path("postgres"), settings(s.cluster, s.socketDir, s.opts)...)
	cmd.Stdout, cmd.Stderr = out, out
	// The children of a killed server may hold its output open for a while. Only its own end counts.
	cmd.WaitDelay = 100 * time.Millisecond
	process, err := launch(cmd)
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	inst := &instance{pid: process.pid, ours: true, gone: process.gone,
		why: func() string { return process.state + ": " + out.reason() }}
	for {
		if _, err = ping(ctx, s.DSN("postgres")); err == nil {
			s.log.Debug("postgres is ready", "version", bin.version, "pid", inst.pid, "dir", s.cluster, "as",
				bin.as.String())
			return inst, nil
		}
		select {
		case <-inst.gone:
			return nil, fmt.Errorf("PostgreSQL %s does not start on %s as %v: %s", bin.version, s.cluster,
				bin.as, out.reason())
		case <-ctx.Done():
			grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			s.end(grace, inst)
			cancel()
			return nil, fmt.Errorf("wait for PostgreSQL to start: %w", context.Cause(ctx))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// prepare finds the binaries and makes the cluster and the socket's folder ready for them.
func (s *Server) prepare(ctx context.Context) (binaries, error) {
	cluster, major, err := s.findCluster()
	if err != nil {
		return binaries{}, err
	}
	able, err := reaching(ctx, identities(clusterOwner(cluster)), s.dataDir)
	if err != nil {
		return binaries{}, err
	}
	bin, err := newFinder(s.opts).find(ctx, able, major, cluster)
	if err != nil {
		return bin, err
	}
	if major == 0 {
		cluster = clusterDir(s.dataDir, bin.major)
		if err := initialize(ctx, bin, cluster, s.opts.Fast); err != nil {
			return bin, fmt.Errorf("make a database in %s with PostgreSQL %s from %s: %w", cluster,
				bin.version, bin.dir, err)
		}
	}
	if s.cluster == "" {
		s.cluster = cluster
	}
	if err := bin.as.own(cluster); err != nil {
		return bin, fmt.Errorf("give %s to %v: %w", cluster, bin.as, err)
	}
	return bin, s.prepareSocket(bin.as)
}

func (s *Server) prepareSocket(id identity) error {
	if s.socket == nil {
		if s.socketDir != "" {
			return fmt.Errorf("the server on %s was started by another process and is down", s.socketDir)
		}
		joined, err := joinSocketFolder(socketBase(), s.dataDir, possibleOwners(s.cluster))
		if err != nil {
			return err
		}
		s.socket, s.socketDir = joined, joined.path
	}
	if err := id.own(s.socketDir); err != nil {
		return fmt.Errorf("give the socket's folder to %v: %w", id, err)
	}
	return nil
}

// clusterOwner is the user that a cluster belongs to, or -1 when there is none.
func clusterOwner(cluster string) int {
	info, err := os.Stat(cluster)
	if err != nil {
		return -1
	}
	return ownerOf(info)
}

// possibleOwners returns the users that we may share a socket folder with.
func possibleOwners(cluster string) []int {
	owners := []int{os.Getuid()}
	for _, id := range identities(clusterOwner(cluster)) {
		owners = append(owners, id.uid)
	}
	return owners
}

// ping makes a connection and returns the server's version.
func ping(ctx context.Context, dsn string) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	version, _, _ = strings.Cut(conn.ParameterStatus("server_version"), " ")
	return version, conn.Close(ctx)
}

// makeDatabase makes the database that was asked for when it is missing, and returns the server's version.
func (s *Server) makeDatabase(ctx context.Context) (version string, err error) {
	if version, err = ping(ctx, s.DSN("")); err == nil {
		return version, nil
	}
	const noSuchDatabase, alreadyThere = "3D000", "42P04"
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != noSuchDatabase {
		return "", fmt.Errorf("connect to the database: %w", err)
	}
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return "", fmt.Errorf("connect to make the database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "create database "+pgx.Identifier{s.opts.Database}.Sanitize())
	if err != nil && (!errors.As(err, &refused) || refused.Code != alreadyThere) {
		return "", fmt.Errorf("make the database %s: %w", s.opts.Database, err)
	}
	return ping(ctx, s.DSN(""))
}
