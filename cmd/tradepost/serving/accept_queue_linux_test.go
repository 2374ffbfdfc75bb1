package serving

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
)

// slowListener accepts nothing before it is closed, like a program on a busy machine.
type slowListener struct {
	net.Listener
	closed chan struct{}
}

func (r *slowListener) Accept() (net.Conn, error) {
	<-r.closed
	return r.Listener.Accept()
}

func (r *slowListener) Close() error {
	err := r.Listener.Close()
	select {
	case <-r.closed:
	default:
		close(r.closed)
	}
	return err
}

func TestAQueuedConnectionIsServedWhenTheListenerCloses(t *testing.T) {
	listener := listenLocally(t)
	end, ended := serveNothing(t, &slowListener{drainAcceptQueue(listener), make(chan struct{})}, 0)
	var conns []net.Conn
	for range 20 {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: market\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	end()
	for i, conn := range conns {
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("request %d: the server hung up on it: %v", i, err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusNoContent {
			t.Errorf("request %d is answered with %s", i, resp.Status)
		}
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}
