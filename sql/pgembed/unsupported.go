//go:build !unix

package pgembed

import (
	"context"
	"errors"
	"fmt"
)

var errUnsupported = fmt.Errorf("%w: an embedded database needs Linux or macOS; "+
	"set DATABASE_URL to a running server", ErrNotFound)

// Server cannot be had on this system. Its methods are there so that programs compile.
type Server struct{}

// Start always fails on this system.
func Start(context.Context, Options) (*Server, error) { return nil, errUnsupported }

// Installed finds nothing on this system.
func Installed(string) string { return "" }

func (*Server) DSN(string) string             { return "" }
func (*Server) Version() string               { return "" }
func (*Server) Attached() bool                { return false }
func (*Server) Exited() <-chan struct{}       { return nil }
func (*Server) Err() error                    { return errors.ErrUnsupported }
func (*Server) Stop(context.Context) error    { return nil }
func (*Server) PID() int                      { return 0 }
func (*Server) Kill(context.Context) error    { return errUnsupported }
func (*Server) Restart(context.Context) error { return errUnsupported }
func (*Server) Down(context.Context) error    { return errUnsupported }
func (*Server) Up(context.Context) error      { return errUnsupported }
func (*Server) Ready(context.Context) error   { return errUnsupported }
func (*Server) Freeze(context.Context) error  { return errUnsupported }
func (*Server) Thaw()                         {}
