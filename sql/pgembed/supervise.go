//go:build unix

package pgembed

import (
	"context"
	"errors"
	"time"
)

const (
	// A server that lived this long was sound, and its end says nothing about the next one.
	soundLife = 10 * time.Second
	// The pause before another try doubles from the first to the longest.
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
	// An attached process leaves the restart to the owner, and takes over when the owner is gone too.
	attachedPause = 500 * time.Millisecond
)

// errVanished ends the supervision: a restart would begin with an empty database and call that a success.
var errVanished = errors.New("the database's folder has vanished")

// supervise keeps the server running until Stop.
func (s *Server) supervise(inst *instance) {
	defer close(s.exited)
	defer func() { s.err = errors.Join(s.err, s.leaveFolders()) }()
	var pause time.Duration
	for {
		born := time.Now()
		select {
		case <-s.ctx.Done():
			s.mu.Lock()
			ctx := s.stopCtx
			s.mu.Unlock()
			s.end(ctx, inst)
			s.set(nil)
			return
		case <-inst.gone:
		}
		s.set(nil)
		ended := time.Now()
		if ended.Sub(born) > soundLife {
			pause = 0
		}
		if !inst.ours {
			pause = max(pause, attachedPause)
		}
		if !s.isHeld() {
			s.log.Warn("postgres has ended, restarting it", "pid", inst.pid, "ours", inst.ours, "why",
				inst.why())
		}
		if inst, s.err = s.revive(&pause); inst == nil {
			return
		}
		s.set(inst)
		s.log.Info("postgres is back", "pid", inst.pid, "ours", inst.ours, "after",
			time.Since(ended).Round(time.Millisecond))
	}
}

// revive tries until a server runs again. It returns nothing once Stop is called, or with an error when
// that is hopeless.
func (s *Server) revive(pause *time.Duration) (*instance, error) {
	for {
		if !s.waitWhileHeld() || !s.wait(*pause) {
			return nil, nil
		}
		*pause = min(max(2**pause, firstPause), longestPause)
		inst, err := s.up(s.ctx)
		switch {
		case err == nil:
			return inst, nil
		case s.ctx.Err() != nil:
			return nil, nil
		case errors.Is(err, errVanished):
			s.log.Error("postgres cannot be restarted", "err", err)
			return nil, err
		}
		s.log.Error("postgres does not start, trying again", "err", err, "in", *pause)
	}
}

// wait returns false when Stop is called before d has passed.
func (s *Server) wait(d time.Duration) bool {
	return sleep(s.ctx, d) == nil
}

func (s *Server) isHeld() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held != nil
}

// waitWhileHeld returns false when Stop is called before Up.
func (s *Server) waitWhileHeld() bool {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held == nil {
		return true
	}
	select {
	case <-held:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// sleep waits for d, or returns ctx's error when that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
