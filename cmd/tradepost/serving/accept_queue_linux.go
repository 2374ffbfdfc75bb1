package serving

import (
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// queueDrainer is a listener that drains its accept queue when it is closed: Accept then returns the
// connections that the kernel has made and the program has not accepted yet. Closing a listener resets
// these, although their clients may have sent requests already.
type queueDrainer struct {
	*net.TCPListener
	mu     sync.Mutex
	queued []net.Conn
}

func drainAcceptQueue(l net.Listener) net.Listener {
	if tcp, ok := l.(*net.TCPListener); ok {
		return &queueDrainer{TCPListener: tcp}
	}
	return l
}

// Accept returns the next connection, and an error once the listener is closed and no connection is left.
func (l *queueDrainer) Accept() (net.Conn, error) {
	conn, err := l.TCPListener.Accept()
	if err == nil {
		return conn, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queued) == 0 {
		return nil, err
	}
	conn, l.queued = l.queued[0], l.queued[1:]
	return conn, nil
}

// Close drains the accept queue and closes the listener.
func (l *queueDrainer) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	raw, err := l.SyscallConn()
	if err != nil {
		return err
	}
	// An error here occurs again below, or only means that a connection is reset as it would be without this.
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
				l.queued = append(l.queued, conn)
			}
			_ = file.Close() // the connection has a handle of its own
		}
	})
	return l.TCPListener.Close()
}
