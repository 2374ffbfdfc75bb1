package main

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// lastCalls is a listener that, when it is closed, still hands out the connections that the kernel has made. Closing a
// listener resets those that nobody has accepted, under requests that their clients have sent already.
type lastCalls struct {
	*net.TCPListener
	mu      sync.Mutex
	waiting []net.Conn
}

func withLastCalls(l net.Listener) net.Listener {
	if tcp, ok := l.(*net.TCPListener); ok {
		return &lastCalls{TCPListener: tcp}
	}
	return l
}

// Accept returns the next connection, and an error once the listener is closed and no connection is left.
func (l *lastCalls) Accept() (net.Conn, error) {
	conn, err := l.TCPListener.Accept()
	if err == nil {
		return conn, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		return nil, err
	}
	conn, l.waiting = l.waiting[0], l.waiting[1:]
	return conn, nil
}

// Close takes what the kernel has, and closes the listener.
func (l *lastCalls) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	raw, err := l.SyscallConn()
	if err != nil {
		return err
	}
	// What fails here fails again below, or comes to what it was without: a connection that is reset.
	_ = raw.Control(func(listening uintptr) {
		for {
			fd, _, err := syscall.Accept4(int(listening), syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC)
			if errors.Is(err, syscall.EINTR) || errors.Is(err, syscall.ECONNABORTED) {
				continue
			}
			if err != nil {
				return
			}
			file := os.NewFile(uintptr(fd), "connection")
			if conn, err := net.FileConn(file); err == nil {
				l.waiting = append(l.waiting, conn)
			}
			_ = file.Close() // the connection has a handle of its own
		}
	})
	return l.TCPListener.Close()
}
