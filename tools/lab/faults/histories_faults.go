//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"time"

	"tradepost/bot/discordtest"
)

// misfortune is a fault of make histories. It ends by itself.
type misfortune struct {
	name  string
	often int
	play  func(*chapter, *rand.Rand)
}

// misfortunes are all of them. What takes long is rare.
var misfortunes = []misfortune{
	{"a program killed -9, back at once", 3, func(c *chapter, r *rand.Rand) {
		p := c.programs[r.IntN(2)]
		p.kill()
		c.restart(p)
	}},
	{"a program asked to end (SIGTERM), back at once", 2, func(c *chapter, r *rand.Rand) {
		p := c.programs[r.IntN(2)]
		_, err := p.stop()
		c.must(err)
		c.restart(p)
	}},
	{"a program stopped (SIGSTOP) for up to 1.5 s", 3, func(c *chapter, r *rand.Rand) {
		p := c.programs[r.IntN(2)]
		p.signal(syscall.SIGSTOP)
		c.rest(time.Duration(r.IntN(1500)) * time.Millisecond)
		p.signal(syscall.SIGCONT)
	}},
	{"every connection to PostgreSQL cut", 4, func(c *chapter, _ *rand.Rand) { c.cutAll() }},
	{"a program cut off from PostgreSQL for up to 1 s", 3, func(c *chapter, r *rand.Rand) {
		proxy := c.proxies[r.IntN(2)]
		proxy.shut()
		proxy.cutAll()
		c.rest(time.Duration(r.IntN(1000)) * time.Millisecond)
		proxy.reopen()
	}},
	{"COMMIT lost before it arrives, five times", 5, func(c *chapter, r *rand.Rand) {
		c.loseCommits(r,
			lossBefore)
	}},
	{"COMMIT carried out and its answer lost, five times", 5, func(c *chapter,
		r *rand.Rand) {
		c.loseCommits(r, lossAfter)
	}},
	{"PostgreSQL killed -9", 1, func(c *chapter, _ *rand.Rand) {
		c.must(c.server.Kill(c.ctx))
		c.must(c.server.Ready(c.ctx))
	}},
	{"PostgreSQL hangs for up to 1 s", 1, func(c *chapter, r *rand.Rand) {
		c.must(c.server.Freeze(c.ctx))
		c.rest(time.Duration(r.IntN(1000)) * time.Millisecond)
		c.server.Thaw()
	}},
	{"answers of Discord lost, twenty times", 3, func(c *chapter, _ *rand.Rand) {
		c.discord.Fail("POST /channels/{channel_id}/messages", 10, discordtest.Losing())
		c.discord.Fail("PATCH /webhooks/**", 10, discordtest.Losing())
	}},
	{"Discord answers 503, twenty times", 3, func(c *chapter, _ *rand.Rand) {
		c.discord.Fail("POST /interactions/**", 10, discordtest.Outage(503))
		c.discord.Fail("* /channels/**", 10, discordtest.Outage(503))
	}},
	{"the clock of a host steps by 3 s for a moment", 1, func(c *chapter, r *rand.Rand) {
		c.stepClock(r,
			3*time.Second)
	}},
	{"the clock of a host steps by 4 min for a moment", 1, func(c *chapter, r *rand.Rand) {
		c.stepClock(r,
			4*time.Minute)
	}},
}

// misfortunes plays one after another until it is stopped.
func (c *chapter) misfortunes(r *rand.Rand, stop <-chan struct{}) {
	var all []misfortune
	for _, m := range misfortunes {
		if c.h.mild && !strings.Contains(m.name, "COMMIT") && !strings.Contains(m.name, "cut") {
			continue
		}
		for range m.often {
			all = append(all, m)
		}
	}
	for {
		select {
		case <-stop:
			return
		case <-c.ctx.Done():
			return
		case <-time.After(time.Duration(500+r.IntN(2000)) * time.Millisecond):
		}
		m := all[r.IntN(len(all))]
		began := time.Since(clockStart)
		m.play(c, r)
		c.h.mu.Lock()
		c.h.faults[m.name]++
		c.lately = append(c.lately, fmt.Sprintf("%s..%s %s", began.Round(time.Millisecond),
			time.Since(clockStart).Round(time.Millisecond), m.name))
		c.lately = c.lately[max(0, len(c.lately)-20):]
		c.h.mu.Unlock()
	}
}

// loseCommits loses five COMMITs of one program, or as many as there are in a second.
func (c *chapter) loseCommits(r *rand.Rand, how loss) {
	proxy := c.proxies[r.IntN(2)]
	end := time.After(time.Second)
	for range 5 {
		hit := proxy.arm(how)
		select {
		case <-hit:
		case <-end:
			proxy.disarm()
			return
		}
	}
}

// stepClock sets the clock of one program's host ahead or back, and right again.
func (c *chapter) stepClock(r *rand.Rand, by time.Duration) {
	p := c.programs[r.IntN(2)]
	if r.IntN(2) == 0 {
		by = -by
	}
	c.setHosts(by, p)
	c.rest(2 * time.Second)
	c.setHosts(0, p)
}
