//go:build unix

package pgembed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"
)

// The functions of this file are only for tests of how a program handles a failing database.

// ourOwn returns the server to harm. It waits for a server that is restarting, and returns an error for a
// server that another process owns.
func (s *Server) ourOwn(ctx context.Context) (*instance, error) {
	for {
		if inst := s.current(); inst != nil {
			if !inst.ours {
				return nil, errors.New("the server belongs to another process")
			}
			return inst, nil
		}
		select {
		case <-s.exited:
			return nil, errors.New("the server has ended")
		default:
		}
		if err := sleep(ctx, 5*time.Millisecond); err != nil {
			return nil, fmt.Errorf("wait for a server to harm: %w", err)
		}
	}
}

// PID is the server's process id, or 0 while there is none.
func (s *Server) PID() int {
	if inst := s.current(); inst != nil {
		return inst.pid
	}
	return 0
}

// Kill kills the server with SIGKILL, as running out of memory does, and returns when it has ended. It
// comes back by itself.
func (s *Server) Kill(ctx context.Context) error { return s.hit(ctx, syscall.SIGKILL) }

// Restart ends the server in order, cutting its connections, and returns when it answers again.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.hit(ctx, syscall.SIGINT); err != nil {
		return err
	}
	return s.Ready(ctx)
}

func (s *Server) hit(ctx context.Context, sig syscall.Signal) error {
	inst, err := s.ourOwn(ctx)
	if err != nil {
		return err
	}
	if err := syscall.Kill(inst.pid, sig); err != nil {
		return fmt.Errorf("signal the server: %w", err)
	}
	select {
	case <-inst.gone:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the server to end: %w", context.Cause(ctx))
	}
}

// Down ends the server and keeps it down until Up.
func (s *Server) Down(ctx context.Context) error {
	s.mu.Lock()
	already := s.held != nil
	if !already {
		s.held = make(chan struct{})
	}
	s.mu.Unlock()
	if already {
		return nil
	}
	return s.hit(ctx, syscall.SIGINT)
}

// Up ends what Down began and returns when the server answers.
func (s *Server) Up(ctx context.Context) error {
	s.mu.Lock()
	if s.held != nil {
		close(s.held)
		s.held = nil
	}
	s.mu.Unlock()
	return s.Ready(ctx)
}

// Ready returns when the server answers.
func (s *Server) Ready(ctx context.Context) error {
	for {
		_, err := ping(ctx, s.DSN(""))
		if err == nil && s.current() != nil {
			return nil
		}
		if sleep(ctx, 5*time.Millisecond) != nil {
			return fmt.Errorf("wait for the server to answer: %w", errors.Join(context.Cause(ctx), err))
		}
	}
}

// Freeze stops every process of the server where it is: connections stay open and nothing answers.
func (s *Server) Freeze(ctx context.Context) error {
	inst, err := s.ourOwn(ctx)
	if err != nil {
		return err
	}
	// The postmaster first, so that it starts no other while we go through them.
	if err := syscall.Kill(inst.pid, syscall.SIGSTOP); err != nil {
		return fmt.Errorf("freeze the server: %w", err)
	}
	s.toAll(syscall.SIGSTOP)
	return nil
}

// Thaw resumes a frozen server.
func (s *Server) Thaw() { s.toAll(syscall.SIGCONT) }

func (s *Server) toAll(sig syscall.Signal) {
	pids := postgresIn(s.cluster)
	slices.Sort(pids)
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig) // it may have ended just now
	}
}

// SteppableClock is a script that puts functions before the server's own in one database, for connections
// that begin after it. From then on the row of stepped.clock sets how far its clock is ahead. No machine's
// clock is set.
const SteppableClock = `
create schema stepped;
create table stepped.clock (ahead interval not null);
insert into stepped.clock values ('0');
create function stepped.now() returns timestamptz stable language sql
    as 'select pg_catalog.now() + ahead from stepped.clock';
create function stepped.clock_timestamp() returns timestamptz volatile language sql
    as 'select pg_catalog.clock_timestamp() + ahead from stepped.clock';
grant usage on schema stepped to public;
grant select on stepped.clock to public;
do $$ begin
    execute format('alter database %I set search_path = public, stepped, pg_catalog', current_database());
end $$`
