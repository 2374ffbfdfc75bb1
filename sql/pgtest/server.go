package pgtest

import (
	"context"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/pgembed"
)

// Server is a PostgreSQL of one test's own, to be broken. Its databases keep their addresses through all of
// it, and no fault loses what was committed. It costs half a second, so tests of other things use New.
type Server struct {
	t      testing.TB
	server *pgembed.Server
	host   *host
}

// NewServer starts a server that ends with the test.
func NewServer(t testing.TB) *Server {
	t.Helper()
	return newServer(t, serverOptions())
}

func newServer(t testing.TB, o pgembed.Options) *Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	server, err := pgembed.Start(ctx, o)
	if err != nil {
		t.Fatalf("start a server for the test: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := server.Stop(ctx); err != nil {
			t.Errorf("stop the test's server: %v", err)
		}
	})
	h, err := newHost(ctx, server.DSN("postgres"), server.DSN)
	if err != nil {
		t.Fatalf("connect to the test's server: %v", err)
	}
	t.Cleanup(h.admin.Close)
	return &Server{t: t, server: server, host: h}
}

// New returns the address of a migrated database on this server.
func (s *Server) New() string {
	s.t.Helper()
	template, err := s.host.template()
	if err != nil {
		s.t.Fatalf("make a template on the test's server: %v", err)
	}
	return s.copyOf(template)
}

// Empty returns the address of a database on this server with nothing in it.
func (s *Server) Empty() string {
	s.t.Helper()
	return s.copyOf("template0")
}

// copyOf makes a database that goes with the server.
func (s *Server) copyOf(template string) string {
	s.t.Helper()
	ctx, cancel := s.patience()
	defer cancel()
	name, err := s.host.create(ctx, template)
	if err != nil {
		s.t.Fatalf("make a database on the test's server: %v", err)
	}
	return s.host.dsn(name)
}

// Pool returns connections to a migrated database on this server.
func (s *Server) Pool() *pgxpool.Pool {
	s.t.Helper()
	return connect(s.t, s.New())
}

// Kill kills the server as running out of memory does. It comes back by itself; Ready waits for that.
func (s *Server) Kill() { s.t.Helper(); s.do("kill", s.server.Kill) }

// Restart ends the server in order, which cuts every connection, and returns when it answers again.
func (s *Server) Restart() { s.t.Helper(); s.do("restart", s.server.Restart) }

// Down ends the server in order and keeps it down until Up.
func (s *Server) Down() { s.t.Helper(); s.do("take down", s.server.Down) }

// Up starts the server after Down and returns when it answers.
func (s *Server) Up() { s.t.Helper(); s.do("bring up", s.server.Up) }

// Pause freezes every process of the server: connections stay open and nothing answers until Resume.
func (s *Server) Pause() { s.t.Helper(); s.do("pause", s.server.Freeze) }

// Resume resumes a paused server.
func (s *Server) Resume() { s.server.Thaw() }

// Ready returns when the server answers.
func (s *Server) Ready() { s.t.Helper(); s.do("wait for", s.server.Ready) }

// Cut ends every connection to the databases of this server except the connections of the test's own tools,
// and returns how many it ended.
func (s *Server) Cut() int {
	s.t.Helper()
	ctx, cancel := s.patience()
	defer cancel()
	var cut int
	const sql = `select count(pg_terminate_backend(pid)) from pg_stat_activity where datname <> 'postgres' and backend_type = 'client backend'`
	if err := s.host.admin.QueryRow(ctx, sql).Scan(&cut); err != nil {
		s.t.Fatalf("cut the connections to the test's server: %v", err)
	}
	return cut
}

// Exec runs one statement as the server's owner, outside of any test's database: ALTER SYSTEM and the like.
func (s *Server) Exec(sql string, args ...any) {
	s.t.Helper()
	ctx, cancel := s.patience()
	defer cancel()
	if _, err := s.host.admin.Exec(ctx, sql, args...); err != nil {
		s.t.Fatalf("run %q on the test's server: %v", sql, err)
	}
}

func (s *Server) do(what string, fault func(context.Context) error) {
	s.t.Helper()
	ctx, cancel := s.patience()
	defer cancel()
	if err := fault(ctx); err != nil {
		s.t.Fatalf("%s the test's server: %v", what, err)
	}
}

func (s *Server) patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(s.t.Context()), patience)
}
