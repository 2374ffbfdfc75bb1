//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// commitProxy is a proxy between a program and PostgreSQL that loses the COMMIT of a write on
// purpose. It reads the protocol
// (https://www.postgresql.org/docs/current/protocol-message-formats.html) as far as needed to know
// which message that is.
type commitProxy struct {
	listener net.Listener
	target   string // socket of the server

	mu    sync.Mutex
	next  loss
	open  chan struct{} // closed while connections may be made
	hit   chan struct{} // closed when the armed loss has happened
	conns map[net.Conn]struct{}
}

// loss is what happens to a COMMIT.
type loss int

const (
	lossNone   loss = iota
	lossBefore      // it does not reach the server, and the connection breaks
	lossAfter       // it is carried out, and the connection breaks before its answer
	lossHeld        // it does not reach the server; the connection stays until cutAll
)

// newCommitProxy serves in front of the server that a DSN names, and returns the DSN that leads through it.
func newCommitProxy(dsn string) (p *commitProxy, through string, err error) {
	address, err := url.Parse(dsn)
	if err != nil {
		return nil, "", fmt.Errorf("read the server's address: %w", err)
	}
	query := address.Query()
	p = &commitProxy{
		target: query.Get("host") + "/.s.PGSQL." + query.Get("port"),
		open:   make(chan struct{}), conns: map[net.Conn]struct{}{},
	}
	close(p.open)
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, "", fmt.Errorf("listen: %w", err)
	}
	host, port, err := net.SplitHostPort(p.listener.Addr().String())
	if err != nil {
		return nil, "", err
	}
	query.Set("host", host)
	query.Set("port", port)
	address.RawQuery = query.Encode()
	go p.serve()
	return p, address.String(), nil
}

// arm loses the next COMMIT of a write. The channel closes when it is lost.
func (p *commitProxy) arm(how loss) (hit <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next, p.hit = how, make(chan struct{})
	return p.hit
}

// disarm lets the next COMMIT pass.
func (p *commitProxy) disarm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = lossNone
}

// take returns what happens to a COMMIT that is on its way.
func (p *commitProxy) take() (loss, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	how := p.next
	p.next = lossNone
	return how, p.hit
}

// shut delays new connections until reopen.
func (p *commitProxy) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = make(chan struct{})
}

func (p *commitProxy) reopen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.open)
}

func (p *commitProxy) close() {
	_ = p.listener.Close() // no new connections
	p.cutAll()
}

// cutAll closes every connection.
func (p *commitProxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close() // both sides notice
	}
	clear(p.conns)
}

func (p *commitProxy) keep(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		p.conns[conn] = struct{}{}
	}
}

func (p *commitProxy) gate() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open
}

func (p *commitProxy) serve() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.keep(client)
		go p.join(client)
	}
}

// join connects a client with the server until one of them ends.
func (p *commitProxy) join(client net.Conn) {
	defer client.Close()
	<-p.gate()
	server, err := net.Dial("unix", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	p.keep(server)
	link := &commitLink{proxy: p, client: client, server: server, statements: map[string]string{}}
	go link.answers()
	link.requests()
}

// commitLink is one client's connection.
type commitLink struct {
	proxy          *commitProxy
	client, server net.Conn
	statements     map[string]string // prepared, by name

	mu    sync.Mutex
	quiet chan struct{} // not nil once the answers are held back; closed when the server has answered
}

// requests passes on what the client asks, until it asks for a COMMIT that is lost.
func (l *commitLink) requests() {
	defer l.client.Close()
	defer l.server.Close()
	if start, err := frame(l.client, false); err != nil || send(l.server, start) != nil {
		return
	}
	writes := false // the batch stores the key of a write
	for {
		message, err := frame(l.client, true)
		if err != nil {
			return
		}
		how, hit := lossNone, (chan struct{})(nil)
		switch statement := l.bound(message); {
		case strings.Contains(statement, "insert into claims"):
			writes = true
		case statement == "commit" && writes:
			how, hit = l.proxy.take()
			writes = false
		}
		switch how {
		case lossBefore:
			close(hit)
			return
		case lossHeld:
			close(hit)
			_, _ = io.Copy(io.Discard, l.client) // until one side ends
			return
		case lossAfter:
			l.hold()
		}
		if send(l.server, message) != nil {
			return
		}
		if how == lossAfter {
			go func() {
				<-l.quiet
				close(hit)
				_ = l.client.Close() // this ends requests too
			}()
		}
	}
}

// bound returns the statement that a message binds, and learns the statements that are prepared.
func (l *commitLink) bound(message []byte) string {
	payload := message[5:]
	first, rest, _ := bytes.Cut(payload, []byte{0})
	second, _, _ := bytes.Cut(rest, []byte{0})
	switch message[0] {
	case 'P':
		l.statements[string(first)] = string(second)
	case 'B':
		return l.statements[string(second)]
	}
	return ""
}

// hold buffers the answers from now on.
func (l *commitLink) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quiet = make(chan struct{})
}

// answers passes on what the server answers. While it is held back, it waits for the end of the batch.
func (l *commitLink) answers() {
	defer l.client.Close()
	for {
		message, err := frame(l.server, true)
		if err != nil {
			return
		}
		l.mu.Lock()
		quiet := l.quiet
		l.mu.Unlock()
		if quiet == nil {
			if send(l.client, message) != nil {
				return
			}
			continue
		}
		if message[0] == 'Z' { // ready for the next query: this one is over
			close(quiet)
			return
		}
	}
}

// frame reads one message: a type, unless it is the first of a connection, and a length that counts itself.
func frame(from io.Reader, typed bool) ([]byte, error) {
	head := make([]byte, 4, 512)
	if typed {
		head = head[:5]
	}
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(head[len(head)-4:])) - 4
	if length < 0 || length > 64<<20 {
		return nil, fmt.Errorf("a message of %d bytes", length)
	}
	message := slices.Concat(head, make([]byte, length))
	_, err := io.ReadFull(from, message[len(head):])
	return message, err
}

func send(to io.Writer, message []byte) error {
	_, err := to.Write(message)
	return err
}
