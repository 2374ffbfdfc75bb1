//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgembed"
)

// NewPrimary starts a server that standbys can follow and that ends with the test.
func NewPrimary(t testing.TB) *Server {
	t.Helper()
	o := serverOptions()
	o.Streams = true
	return newServer(t, o)
}

// Standby starts a server that follows this one, made by NewPrimary, by streaming replication, and ends
// with the test. Its databases have the names that they have here: see At.
func (s *Server) Standby() *Server {
	s.t.Helper()
	dir, err := os.MkdirTemp(roomiest(), "standby-")
	if err != nil {
		s.t.Fatalf("make a folder for a standby: %v", err)
	}
	s.t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			s.t.Errorf("remove the standby's folder: %v", err)
		}
	})
	ctx, cancel := s.patience()
	defer cancel()
	if err := s.copyTo(ctx, dir); err != nil {
		s.t.Fatalf("copy the test's server: %v", err)
	}
	o := serverOptions()
	o.Streams, o.Temporary, o.DataDir = true, false, dir
	return newServer(s.t, o)
}

// At returns the address of the same database on this server.
func (s *Server) At(dsn string) string {
	s.t.Helper()
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		s.t.Fatalf("read the address of a test database: %v", err)
	}
	return s.server.DSN(config.Database)
}

// copyTo makes a base backup of the server that starts as its standby.
func (s *Server) copyTo(ctx context.Context, dir string) error {
	if err := os.Chmod(dir, 0o755); err != nil { // the server may run as another user
		return err
	}
	conn, err := pgx.Connect(ctx, s.server.DSN("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var from, label string
	if err := conn.QueryRow(ctx, "select current_setting('data_directory') from pg_backup_start('standby', true)").Scan(&from); err != nil {
		return fmt.Errorf("begin a base backup: %w", err)
	}
	to := filepath.Join(dir, filepath.Base(from))
	if err := copyCluster(from, to); err != nil {
		return err
	}
	if err := conn.QueryRow(ctx, "select labelfile from pg_backup_stop(false)").Scan(&label); err != nil {
		return fmt.Errorf("end a base backup: %w", err)
	}
	primary, err := pgconn.ParseConfig(s.server.DSN("postgres"))
	if err != nil {
		return err
	}
	owner := -1
	if info, err := os.Stat(from); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			owner = int(stat.Uid)
		}
	}
	for name, content := range map[string]string{
		"backup_label":   label,
		"standby.signal": "",
		"postgresql.auto.conf": fmt.Sprintf("primary_conninfo = 'host=%s port=5432 user=%s'\n", primary.Host,
			pgembed.Superuser),
	} {
		if err := os.WriteFile(filepath.Join(to, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	// It runs as the same user, who may open the primary's socket.
	return filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, owner, -1))
	})
}

// copyCluster copies a cluster without the log, which the standby streams, and without the files about the
// process that runs it.
func copyCluster(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went while it was copied, as a base backup allows
		}
		if err != nil {
			return err
		}
		inside := strings.TrimPrefix(strings.TrimPrefix(path, from), string(filepath.Separator))
		target := filepath.Join(to, inside)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o700)
		case strings.HasPrefix(inside, "postmaster."),
			strings.HasPrefix(inside, "pg_wal"+string(filepath.Separator)), !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o600)
	})
}
