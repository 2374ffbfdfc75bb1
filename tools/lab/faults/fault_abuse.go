//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// abuser is the address of one client that takes all it can get. It is no trusted proxy, as the others'
// address is.
const abuser = "127.0.0.2"

const (
	stalledBodies   = 512
	keptConnections = 2000
	readsBeside     = 200 // by everybody else, while the abuser does all that
	offersBeside    = 20  // to each owner
)

var abuseFaults = []fault{{
	name: "one client holds all it can",
	note: "it stalls 512 bodies, keeps 2,000 connections and sends requests without pause; other clients get their answers",
	rare: 10,
	round: func(s *scene, i int) time.Duration {
		s.sometimesLater(i)
		quiet := s.everybodyElse()
		release := s.abuse()
		s.strict.Store(true)
		beside := s.everybodyElse()
		s.strict.Store(false)
		release()
		s.remark = fmt.Sprintf("p99 of everybody else: %s, and %s without it", short(beside), short(quiet))
		return s.since(time.Now())
	},
}, {
	name:   "one account does all it may",
	note:   "it posts, offers, withdraws and reports without pause through both adapters, stays within its quotas, and everybody else is served",
	rare:   10,
	quotas: true,
	round:  playAccount,
}, {
	name:   "three accounts do all they may",
	note:   "three new accounts of one person ask, edit, offer, name items and trade among themselves; few others notice, and no price",
	rare:   100,
	quotas: true,
	takes:  puppetsTake,
	round:  playPuppets(3),
}, {
	name:   "fourteen accounts do all they may",
	note:   "the same with fourteen: together they message no more people than three",
	rare:   100,
	quotas: true,
	takes:  puppetsTake,
	round:  playPuppets(14),
}}

// everybodyElse reads and offers, and returns the 99th percentile of how long that took.
func (s *scene) everybodyElse() time.Duration {
	took := make([]time.Duration, 0, readsBeside+2*offersBeside)
	timed := func(do func()) {
		began := time.Now()
		do()
		took = append(took, time.Since(began))
	}
	for n := range readsBeside {
		path := fmt.Sprintf("/api/orders?q=iron%d", n) // nothing that is kept
		if n%2 == 0 {
			path = fmt.Sprintf("/api/orders/%d", s.owners[0].order)
		}
		timed(func() { s.readOnce(path) })
	}
	for range offersBeside {
		for _, o := range s.owners {
			timed(func() { s.offer(o) })
		}
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// readOnce reads as a new visitor, once. It is a failure when that is refused.
func (s *scene) readOnce(path string) {
	request, err := http.NewRequestWithContext(s.ctx, http.MethodGet,
		"http://"+s.programs[0].address+path, nil)
	s.must(err)
	request.Header.Set("X-Forwarded-For", string(from(visitors.Add(1))))
	response, err := visitorHTTP.Do(request)
	if err != nil {
		s.requestFailed(fmt.Errorf("GET %s failed beside the abuser: %w", path, err))
		return
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		s.requestFailed(fmt.Errorf("GET %s failed beside the abuser: %w", path, err))
	} else if response.StatusCode != http.StatusOK {
		s.requestFailed(fmt.Errorf("GET %s failed beside the abuser: %s", path, response.Status))
	}
}

// abuse takes all that one client can get, until release is called. It returns once it has.
func (s *scene) abuse() (release func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	var (
		asking sync.WaitGroup
		held   []net.Conn
	)
	for range stalledBodies {
		if conn := s.dialAsAbuser(ctx, "POST /api/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"); conn != nil {
			held = append(held, conn)
		}
	}
	for range keptConnections {
		if conn := s.dialAsAbuser(ctx, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); conn != nil {
			held = append(held, conn)
		}
	}
	for range 2 {
		asking.Go(func() {
			for ctx.Err() == nil {
				s.askOn(ctx)
			}
		})
	}
	return func() {
		cancel()
		asking.Wait()
		for _, conn := range held {
			_ = conn.Close()
		}
	}
}

// dialAsAbuser opens a connection and sends what begins on it. It returns nil when the program is not to be
// had.
func (s *scene) dialAsAbuser(ctx context.Context, first string) net.Conn {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(abuser)}, Timeout: time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", s.programs[0].address)
	if err != nil {
		return nil
	}
	_, _ = io.WriteString(conn, first) // it may be refused already
	return conn
}

// askOn asks on one connection until that is closed.
func (s *scene) askOn(ctx context.Context) {
	const ask = "GET /api/orders?q=iron HTTP/1.1\r\nHost: x\r\n\r\n"
	conn := s.dialAsAbuser(ctx, ask)
	if conn == nil {
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	for answers := bufio.NewReader(conn); ; {
		response, err := http.ReadResponse(answers, nil)
		if err != nil {
			return
		}
		_, err = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if err != nil || response.Close {
			return
		}
		if _, err := io.WriteString(conn, ask); err != nil {
			return
		}
	}
}
