//go:build unix

package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// proxy is a proxy between the programs and PostgreSQL that simulates a bad network.
type proxy struct {
	target   string // PostgreSQL's socket
	listener net.Listener
	running  sync.WaitGroup

	mu     sync.Mutex
	conns  map[net.Conn]bool
	delay  time.Duration // of everything, each way
	loss   float64       // how likely a packet is lost
	refuse bool          // new connections are reset
	hole   chan struct{} // nothing passes until it is closed; nil when everything does
	ended  chan struct{}
}

func startProxy(target string) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{target: target, listener: l, conns: map[net.Conn]bool{}, ended: make(chan struct{})}
	p.running.Go(p.accept)
	return p, nil
}

func (p *proxy) port() int { return p.listener.Addr().(*net.TCPAddr).Port }

func (p *proxy) close() {
	_ = p.listener.Close() // nothing is written to it
	close(p.ended)
	p.cut()
	p.running.Wait()
}

// set changes how the network is.
func (p *proxy) set(change func(*proxy)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// swallow blocks all traffic until lift. What is sent meanwhile arrives then, as TCP resends it.
func (p *proxy) swallow() (lift func()) {
	hole := make(chan struct{})
	p.set(func(p *proxy) { p.hole = hole })
	return func() {
		p.set(func(p *proxy) { p.hole = nil })
		close(hole)
	}
}

// cut resets every connection.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		reset(conn)
	}
}

func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // a connection that is gone needs no reset
	}
	_ = conn.Close()
}

func (p *proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		p.running.Go(func() { p.serve(conn) })
	}
}

func (p *proxy) serve(client net.Conn) {
	defer p.forget(client)
	if !p.remember(client) || !p.passes() {
		return
	}
	server, err := net.Dial("unix", p.target)
	if err != nil {
		reset(client)
		return
	}
	defer p.forget(server)
	if !p.remember(server) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.carry(server, client) })
	both.Go(func() { p.carry(client, server) })
	both.Wait()
}

// remember reports whether a connection may be.
func (p *proxy) remember(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return false
	default:
	}
	if p.refuse {
		reset(conn)
		return false
	}
	p.conns[conn] = true
	return true
}

func (p *proxy) forget(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
	_ = conn.Close()
}

// passes waits until traffic can pass. It reports false when the proxy has ended.
func (p *proxy) passes() bool {
	for {
		p.mu.Lock()
		hole := p.hole
		p.mu.Unlock()
		if hole == nil {
			return true
		}
		select {
		case <-hole:
		case <-p.ended:
			return false
		}
	}
}

// packet is some of a stream, and when it arrives.
type packet struct {
	data    []byte
	arrives time.Time
}

// carry carries one direction of a connection. When one direction ends, so does the other.
func (p *proxy) carry(to, from net.Conn) {
	onTheWay := make(chan packet, 1024)
	var writing sync.WaitGroup
	writing.Go(func() {
		for packet := range onTheWay {
			if !p.wait(time.Until(packet.arrives)) || !p.passes() {
				break
			}
			if _, err := to.Write(packet.data); err != nil {
				break
			}
		}
		_, _ = to.Close(), from.Close() // close both directions together
		for range onTheWay {            // so that the reader does not wait
		}
	})
	for {
		data := make([]byte, 16<<10)
		n, err := from.Read(data)
		if n > 0 {
			onTheWay <- packet{data[:n], time.Now().Add(p.latency())}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				_ = to.Close() // a reset is passed on as a reset
			}
			break
		}
	}
	close(onTheWay)
	writing.Wait()
}

// latency is how long a packet takes: one that is lost is repeated after 200 ms, then after twice as long,
// and so on.
func (p *proxy) latency() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := p.delay
	for again := 200 * time.Millisecond; p.loss > 0 && rand.Float64() < p.loss; again *= 2 {
		took += again
	}
	return took
}

// wait reports false when the proxy has ended meanwhile.
func (p *proxy) wait(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-p.ended:
		return false
	}
}
