//go:build unix

package pgembed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Server is a running PostgreSQL, our child or the child of another process of this program. Its methods may
// be called from any goroutine.
type Server struct {
	opts    Options
	log     *slog.Logger
	dataDir string // absolute
	temp    *folder
	janitor *janitor

	// Set while coming up for the first time, and the same from then on.
	cluster   string // the data folder of one major version
	socketDir string
	socket    *folder // nil when the socket is in a folder that is not ours
	version   string

	ctx    context.Context // ends when Stop is called
	cancel context.CancelFunc
	exited chan struct{}
	err    error // why it exited; to be read after exited

	mu      sync.Mutex
	now     *instance     // nil while there is none
	held    chan struct{} // while Down; closed by Up
	stopCtx context.Context
}

// instance is one life of the server.
type instance struct {
	pid  int
	ours bool
	gone <-chan struct{}
	why  func() string // how it ended; to be called after gone
}

// Start starts the server, or attaches to a server that runs on the same folder, and makes the database asked
// for. The context bounds the start only; the server runs until Stop, or until the process ends.
func Start(ctx context.Context, o Options) (*Server, error) {
	o = o.withDefaults()
	s := &Server{opts: o, log: o.Log, exited: make(chan struct{})}
	sweep(socketBase())
	if err := s.openDataDir(); err != nil {
		return nil, err
	}
	first, err := s.up(ctx)
	if err != nil {
		close(s.exited)
		return nil, errors.Join(err, s.leaveFolders())
	}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.set(first)
	go s.supervise(first)
	return s, nil
}

func (s *Server) openDataDir() error {
	if s.opts.Temporary {
		base := s.opts.DataDir
		if base == "" {
			base = os.TempDir()
		}
		base, err := filepath.Abs(base)
		if err != nil {
			return fmt.Errorf("make a temporary database: %w", err)
		}
		sweep(base)
		// Another user may have to pass through on the way to the cluster, which is closed to all but them.
		if s.temp, err = newFolder(base, 0o711); err != nil {
			return fmt.Errorf("make a temporary database: %w", err)
		}
		s.dataDir = s.temp.path
		return nil
	}
	if s.opts.DataDir == "" {
		return errors.New("no folder given to keep the database in")
	}
	dir, err := filepath.Abs(s.opts.DataDir)
	if err != nil {
		return fmt.Errorf("find the database's folder: %w", err)
	}
	mode := os.FileMode(0o700)
	if os.Getuid() == 0 {
		mode = 0o755
	}
	if err := os.MkdirAll(dir, mode); err != nil {
		return fmt.Errorf("cannot keep the database in %s, choose a folder that can be written to: %w",
			dir, err)
	}
	s.dataDir = dir
	return nil
}

// DSN is the connection string of a database on this server; empty means the database made by Start. It stays
// the same for as long as the folder of data stays where it is.
func (s *Server) DSN(database string) string {
	if database == "" {
		database = s.opts.Database
	}
	return dsn(s.socketDir, database)
}

func dsn(socketDir, database string) string {
	// The port is named because PGPORT would decide otherwise.
	query := url.Values{"host": {socketDir}, "port": {"5432"}, "user": {Superuser}, "sslmode": {"disable"}}
	return (&url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: query.Encode()}).String()
}

// Version is the server's, such as "18.4".
func (s *Server) Version() string { return s.version }

// Attached says that another process owns the server at present. It goes when that process does, and then
// comes back as ours.
func (s *Server) Attached() bool {
	inst := s.current()
	return inst != nil && !inst.ours
}

// Exited closes once the server has ended permanently: after Stop, or when its data has vanished
// and no restart can help.
func (s *Server) Exited() <-chan struct{} { return s.exited }

// Err says why the server is gone, once Exited is closed. It is nil after Stop.
func (s *Server) Err() error {
	select {
	case <-s.exited:
		return s.err
	default:
		return nil
	}
}

// Stop ends the server, or only releases it when another process owns it, and waits until that is
// done. When ctx ends first the server is ended at once; its next start then recovers from its
// log, and nothing committed is lost.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	if s.stopCtx == nil {
		s.stopCtx = ctx
	}
	s.mu.Unlock()
	s.cancel()
	<-s.exited
	return s.err
}

func (s *Server) set(inst *instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = inst
}

// current is the server that runs now, or nil.
func (s *Server) current() *instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		select {
		case <-s.now.gone:
			return nil
		default:
		}
	}
	return s.now
}

// shutdownLimit is how long an orderly end may take when Stop's context sets no limit.
const shutdownLimit = 30 * time.Second

// end asks the instance to end, more firmly as time passes. A temporary one has nothing to write down.
func (s *Server) end(ctx context.Context, inst *instance) {
	if !inst.ours {
		return
	}
	s.Thaw()
	first := syscall.SIGINT
	if s.opts.Temporary {
		first = syscall.SIGQUIT
	}
	ctx, cancel := context.WithTimeout(ctx, shutdownLimit)
	defer cancel()
	_ = syscall.Kill(inst.pid, first) // it may have ended just now
	select {
	case <-inst.gone:
		return
	case <-ctx.Done():
	}
	s.log.Warn("postgres does not stop, ending it at once", "pid", inst.pid)
	_ = syscall.Kill(inst.pid, syscall.SIGQUIT)
	select {
	case <-inst.gone:
	case <-time.After(6 * time.Second): // PostgreSQL itself kills what has not left after 5
		_ = syscall.Kill(inst.pid, syscall.SIGKILL)
		<-inst.gone
	}
}

// leaveFolders removes the folders made in temp directories that no other process uses.
func (s *Server) leaveFolders() error {
	var err error
	for _, f := range []*folder{s.socket, s.temp} {
		if f != nil {
			err = errors.Join(err, f.leave())
		}
	}
	if s.janitor != nil {
		s.janitor.dismiss()
	}
	return err
}
