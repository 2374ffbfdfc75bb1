//go:build unix

package main

import (
	"math/rand/v2"
	"time"
)

// badNetwork plays a network between the programs and PostgreSQL that is bad for a while, under load. spoil
// returns what makes it good again.
func badNetwork(spoil func(p *proxy) (repair func())) func(*scene, int, time.Duration) time.Duration {
	return under(func(s *scene, lasts time.Duration) {
		repair := spoil(s.proxy)
		s.rest(lasts)
		repair()
	})
}

// as has the network be some way, and as before afterwards.
func as(change func(*proxy)) func(*proxy) (repair func()) {
	return func(p *proxy) func() {
		p.set(change)
		return func() { p.set(func(p *proxy) { p.delay, p.loss, p.refuse = 0, 0, false }) }
	}
}

var networkFaults = []fault{
	{
		name: "every packet takes 50 ms more each way", most: databaseBack, proxy: true,
		lasting: badNetwork(as(func(p *proxy) { p.delay = 50 * time.Millisecond })),
	},
	{
		name: "one packet in twenty is lost", most: databaseBack, proxy: true,
		note:    "it arrives 200 ms later, or twice as late when its repeat is lost, and holds up what is behind it",
		lasting: badNetwork(as(func(p *proxy) { p.loss = 0.05 })),
	},
	{
		name: "every packet is lost", most: databaseBack, proxy: true,
		note:    "connections stay open; afterwards what was sent arrives",
		lasting: badNetwork(func(p *proxy) func() { return p.swallow() }),
	},
	{
		name: "every packet is lost, and then the connections", most: databaseBack, proxy: true,
		note: "as when a firewall forgets them",
		lasting: badNetwork(func(p *proxy) func() {
			lift := p.swallow()
			return func() {
				p.cut()
				lift()
			}
		}),
	},
	{
		name: "connections are reset, old and new", most: databaseBack, proxy: true,
		lasting: badNetwork(func(p *proxy) func() {
			repair := as(func(p *proxy) { p.refuse = true })(p)
			p.cut()
			return repair
		}),
	},
	{
		name: "connections are reset at random", most: databaseBack, proxy: true,
		note: "each lives for a second or so",
		lasting: under(func(s *scene, lasts time.Duration) {
			for end := time.Now().Add(lasts); time.Now().Before(end); s.rest(20 * time.Millisecond) {
				s.proxy.cutSome(0.02)
			}
		}),
	},
}

// cutSome resets connections, each as likely as said.
func (p *proxy) cutSome(likely float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		if rand.Float64() < likely {
			reset(conn)
		}
	}
}
