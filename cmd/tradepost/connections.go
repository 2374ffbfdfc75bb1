package main

import (
	"io"
	"net"
	"sync"
	"time"
)

// tooFull is said on a connection that is one too many. It fits into what a connection takes without its peer reading.
const tooFull = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

// atMost lets so many connections be open at once and turns away the others, so that those that are served keep their file
// handles.
func atMost(connections int, listener net.Listener) net.Listener {
	return &crowded{Listener: listener, places: make(chan struct{}, max(connections, 1))}
}

type crowded struct {
	net.Listener
	places chan struct{}
}

func (l *crowded) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.places <- struct{}{}:
			return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			_ = conn.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
			_, _ = io.WriteString(conn, tooFull) // a kindness: it is closed either way
			_ = conn.Close()
		}
	}
}

// placed is a connection that has a place until it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (c *placed) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
