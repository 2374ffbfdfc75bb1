package discordtest

import (
	"net/http"
	"slices"
)

// Welcome is how the next connection is received, instead of with READY.
type Welcome struct {
	op        int
	data      any
	closeCode int
	hang      bool
	mute      bool
}

// The ways in which a connection can begin badly.
var (
	// ReconnectInstead asks to reconnect (op 7) where READY or RESUMED should come.
	ReconnectInstead = Welcome{op: opReconnect}
	// InvalidInstead says that the session is not valid (op 9, do not resume).
	InvalidInstead = Welcome{op: opInvalidSession, data: false}
	// NoHello accepts the connection and says nothing.
	NoHello = Welcome{hang: true}
	// NoReady says hello and then nothing more.
	NoReady = Welcome{mute: true}
)

// CloseInstead closes the connection with a code right after it was made.
func CloseInstead(code int) Welcome { return Welcome{closeCode: code} }

// script plays the bad beginning, if there is one. A session that is not valid may be begun again on the same
// connection, so that one plays once.
func (w *Welcome) script(c *conn) bool {
	switch {
	case w.mute:
		c.silent = true
		return true
	case w.op != 0:
		c.tell(w.op, w.data)
		w.op = 0
		return true
	}
	return false
}

// Next sets how the next connections begin, one after another.
func (g *Gateway) Next(ways ...Welcome) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.nextConn = append(g.nextConn, ways...)
}

// Every sets how all connections begin until it is lifted.
func (g *Gateway) Every(way Welcome) (lift func()) {
	g.set(func() { g.everyConn = &way })
	return func() { g.set(func() { g.everyConn = nil }) }
}

// Say sends an arbitrary frame to every connection, such as invalid JSON.
func (g *Gateway) Say(frame []byte) { g.each(func(c *conn) { c.queue(frame) }) }

// each runs f on every connection.
func (g *Gateway) each(f func(*conn)) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	for _, c := range slices.Clone(g.conns) {
		f(c)
	}
	g.d.announce()
}

// Drop cuts every connection without a word, as a failing network does. Sessions can be resumed.
func (g *Gateway) Drop() { g.each((*conn).cut) }

// Close closes every connection with a code, such as 4000 or 4009.
func (g *Gateway) Close(code int) { g.each(func(c *conn) { c.end(code, "as scripted") }) }

// Reconnect asks every client to reconnect and resume (op 7).
func (g *Gateway) Reconnect() { g.each(func(c *conn) { c.tell(opReconnect, nil) }) }

// Invalidate tells every client that its session is not valid (op 9); it may resume or must begin a new one.
func (g *Gateway) Invalidate(resume bool) {
	g.each(func(c *conn) {
		s := c.session
		if !resume && s != nil {
			s.conn, c.session = nil, nil // the client may identify again on the same connection
			g.sessions = slices.DeleteFunc(g.sessions, func(other *session) bool { return other == s })
		}
		c.tell(opInvalidSession, resume)
	})
}

// AskHeartbeat requests a heartbeat (op 1).
func (g *Gateway) AskHeartbeat() { g.each(func(c *conn) { c.tell(opHeartbeat, nil) }) }

// Silence lets every connection stay open without a word: no events, no ACKs. What happens meanwhile can be
// had by a resume.
func (g *Gateway) Silence() { g.each(func(c *conn) { c.silent = true }) }

// Deafen lets every session stay up, heartbeats answered, and get no events any more, until a new one is
// begun. A resume does not help.
func (g *Gateway) Deafen() {
	g.each(func(c *conn) {
		if c.session != nil {
			c.session.deaf = true
		}
	})
}

// Chat sends an event that a bot has no use for to every session that gets events.
func (g *Gateway) Chat() {
	g.set(func() { g.dispatch("TYPING_START", 0, map[string]any{}) })
}

// DuplicateNext delivers the next n interactions twice.
func (g *Gateway) DuplicateNext(n int) { g.set(func() { g.duplicate = n }) }

// DropNext loses the next n interactions on the way.
func (g *Gateway) DropNext(n int) { g.set(func() { g.drop = n }) }

// RefuseResumes answers every resume with an invalid session from now on, or no longer.
func (g *Gateway) RefuseResumes(yes bool) { g.set(func() { g.noResume = yes }) }

// LimitIdentifies sets how many sessions may be begun a day (Discord: 1,000). One more, and all sessions
// end and the token is no longer valid.
func (g *Gateway) LimitIdentifies(n int) { g.set(func() { g.startsLimit = n }) }

func (g *Gateway) set(f func()) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	f()
	g.d.announce()
}

// Identifies are the sessions that clients have begun, or tried to.
func (g *Gateway) Identifies() []Identify {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	return slices.Clone(g.identifies)
}

// Count is what has happened at the gateway so far.
type Count struct {
	Dials      int // connections made
	Open       int // connections open now
	Ready      int // sessions with a connection now
	Identifies int
	Resumes    int
	Heartbeats int
}

// Count tells what has happened so far.
func (g *Gateway) Count() Count {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	return g.count()
}

func (g *Gateway) count() Count {
	return Count{Dials: g.dials, Open: len(g.conns), Ready: g.ready(), Identifies: len(g.identifies),
		Resumes: g.resumes, Heartbeats: g.heartbeats}
}

// Wait waits until the counts are as wanted.
func (g *Gateway) Wait(t TB, what string, wanted func(Count) bool) {
	t.Helper()
	ctx, cancel := g.d.patience()
	defer cancel()
	if !g.d.await(ctx, func() bool { return wanted(g.count()) }) {
		t.Fatalf("waited %s at the gateway for %s; it has seen %+v", g.d.opts.Patience, what, g.Count())
	}
}

// WaitForBot waits until the bot is connected and ready, and commands are registered.
func (d *Discord) WaitForBot(t TB) {
	t.Helper()
	ctx, cancel := d.patience()
	defer cancel()
	if !d.await(ctx, func() bool { return d.gateway.ready() > 0 && len(d.world.Commands) > 0 }) {
		t.Fatalf("waited %s for the bot: gateway %+v, %d commands registered", d.opts.Patience,
			d.gateway.Count(), len(d.Commands()))
	}
}

// RevokeToken makes the bot's token no good: REST answers 401 and every session ends with 4004.
func (d *Discord) RevokeToken() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.revokeToken()
}

func (d *Discord) revokeToken() {
	d.world.App.Revoked = true
	d.gateway.sessions = nil
	for _, c := range d.gateway.conns {
		c.session = nil
		c.end(4004, "Authentication failed.")
	}
	d.announce()
}

// RestoreToken makes the token good again.
func (d *Discord) RestoreToken() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.world.App.Revoked = false
	d.announce()
}

// Handler serves everything: the REST interface, the gateway, sign-in, and the page to try the bot in.
func (d *Discord) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", d.serveREST)
	mux.HandleFunc("/gateway", d.gateway.serve)
	mux.HandleFunc("/gateway/", d.gateway.serve) // libraries add a slash of their own
	d.oauthRoutes(mux)
	d.pageRoutes(mux)
	return mux
}

// SetBotPermissions changes what the bot may do in the server, as a bit set.
func (d *Discord) SetBotPermissions(permissions uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.setBot(d.world.home(), permissions)
}
