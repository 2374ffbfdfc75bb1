package discord

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// Errors that end the bot: trying again would not help, and would use up what Discord allows.
var (
	ErrToken = errors.New("Discord does not accept the bot's token: " +
		"make a new one under Bot in the developer portal and set DISCORD_TOKEN")
	ErrRefused = errors.New("Discord refuses the connection")
)

var (
	errStuck   = errors.New("the gateway did not become ready in time")
	errDropped = errors.New("the gateway dropped the connection")
	errSilent  = errors.New("the gateway no longer acknowledges heartbeats")
	errIdle    = errors.New("no event for too long: the connection is renewed")
)

// Close codes of the gateway that we send or act on.
const (
	// "unknown error": any code but 1000 and 1001 keeps the session, so it can be resumed
	closeUnknownError   = 4000
	closeBadToken       = 4004
	closeInvalidSeq     = 4007
	closeSessionExpired = 4009
	closeInvalidShard   = 4010
	closeBadIntents     = 4014
)

// Gateway states, for metrics.
const (
	GatewayWaiting    = "waiting" // another program has the connection
	GatewayConnecting = "connecting"
	GatewayReady      = "ready"
	GatewayDown       = "down"
)

// Gateway keeps one connection to Discord. The library opens it, sends heartbeats and resumes it.
// Whether and when is decided here, because the library reconnects endlessly after fatal errors
// and waits after recoverable ones.
type Gateway struct {
	Token     string
	Transport http.RoundTripper
	Log       *slog.Logger
	// between heartbeats, as Discord asks; the library does not expose the interval that it received
	Beat     time.Duration
	Patience time.Duration // from dialling to READY
	Again    time.Duration // between a session that Discord says is invalid and the next one
	Idle     time.Duration // how long a connection may bring no event before it is renewed
	Event    func(kind string, data json.RawMessage)
	State    func(string) // called with every state; set before Run

	Ready   atomic.Bool
	resumed atomic.Bool   // the last connection went on with a session, instead of beginning one
	link    *link         // open, or closed with a session that may be resumed; nil for none
	begun   *rate.Limiter // of sessions, by every Run
}

// Run stays connected until ctx ends, then closes the connection and its session: another program may
// answer what comes from then on, and a session that is resumed would be told all of it again. The error is
// ErrToken or ErrRefused.
func (g *Gateway) Run(ctx context.Context) error {
	var failures failures
	if g.begun == nil {
		g.begun = rate.NewLimiter(rate.Every(sessionEvery), sessionsAtOnce)
	} else if err := g.begun.Wait(ctx); err != nil { // what began before has ended
		return nil
	}
	for {
		lasted, err := g.connect(ctx, g.Patience<<min(failures.failed, 2))
		g.Ready.Store(false)
		g.State(GatewayDown)
		if ctx.Err() != nil {
			g.link = nil
			return nil
		}
		if final := finalRefusal(err); final != nil {
			return final
		}
		if errors.Is(err, errIdle) {
			g.Log.Info("gateway renewed", "why", err)
			continue // it was ours to do
		}
		failures.note(lasted)
		if failures.failed > 0 && failures.failed%3 == 0 {
			g.link = nil // a session that cannot be resumed three times in a row is given up
		}
		wait := failures.backoff()
		if !g.resumed.Load() {
			wait = max(wait, g.begun.Reserve().Delay())
		}
		g.Log.Warn("gateway down", "error", err, "lasted", lasted.Round(time.Second), "wait",
			wait.Round(time.Millisecond))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			g.link = nil
			return nil
		}
	}
}

// Discord resets the token of a bot that starts more than 1,000 sessions a day. Resuming one is free.
const (
	sessionsAtOnce = 60
	sessionEvery   = 2 * time.Minute // 720 a day
)

// failures counts the connections that failed lately.
type failures struct {
	failed int // connections in a row that were never ready
	short  int // connections in a row that were, and were down again within a minute
}

// note counts a connection that is down. lasted is the time that it was ready.
func (s *failures) note(lasted time.Duration) {
	switch {
	case lasted == 0:
		s.failed++
	case lasted < time.Minute:
		s.failed, s.short = 0, s.short+1
	default:
		*s = failures{}
	}
}

// backoff returns the pause before the next connection. It grows to two minutes while connections fail, and
// to a second while they break: most of those can be resumed.
func (s *failures) backoff() time.Duration {
	tries, most := s.failed, 2*time.Minute
	if tries == 0 {
		tries, most = s.short, time.Second
	}
	if tries <= 1 {
		return rand.N(300 * time.Millisecond)
	}
	d := min(time.Second<<min(tries-2, 10), most)
	return d/2 + rand.N(d/2)
}

// connect opens the connection within a time limit and stays until it is down. It returns the time that it
// was ready.
func (g *Gateway) connect(ctx context.Context, limit time.Duration) (lasted time.Duration, err error) {
	g.State(GatewayConnecting)
	g.resumed.Store(false)
	if g.link == nil {
		g.link = g.newLink()
	}
	l := g.link
	if err := l.open(ctx, limit); err != nil {
		if !l.resumable(err) {
			g.link = nil
		}
		return 0, err
	}
	since := time.Now()
	g.Ready.Store(true)
	g.State(GatewayReady)
	g.Log.Info("gateway ready")
	err = g.watch(ctx, l)
	return time.Since(since), err
}

// watch returns when the connection is down. It takes it down when ctx ends, when Discord stops answering
// heartbeats, and when it has been idle for too long.
func (g *Gateway) watch(ctx context.Context, l *link) error {
	tick := time.NewTicker(max(g.Beat/20, 5*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			l.close(websocket.CloseNormalClosure)
			g.link = nil
			return ctx.Err()
		case <-l.dropped:
			return errDropped
		case now := <-tick.C:
			// An acknowledgement comes with every beat: with two intervals gone, one beat was not answered.
			if now.Sub(l.lastAck()) > 2*g.Beat {
				l.close(closeUnknownError)
				return errSilent
			}
			if now.Sub(time.Unix(0, l.lastEvent.Load())) > g.Idle {
				l.close(websocket.CloseNormalClosure)
				g.link = nil
				return errIdle
			}
		}
	}
}

// finalRefusal turns what Discord said when it closed the connection into an error that ends the bot, or nil.
func finalRefusal(err error) error {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) {
		return nil
	}
	switch {
	case closed.Code == closeBadToken:
		return ErrToken
	case closeInvalidShard <= closed.Code && closed.Code <= closeBadIntents:
		return fmt.Errorf("%w: code %d, %s", ErrRefused, closed.Code, closed.Text)
	}
	return nil
}

func (g *Gateway) newLink() *link {
	session := newSession(g.Token)
	l := &link{
		session: session, isReady: make(chan struct{}, 1), dropped: make(chan struct{}, 1),
		tls: &tls.Config{MinVersion: tls.VersionTLS12}, proxy: http.ProxyFromEnvironment, again: g.Again,
	}
	session.Client = &http.Client{Transport: g.Transport, Timeout: requestTimeout}
	session.Dialer = l.dialer(g.Log)
	session.Compress, session.Identify.Compress = false, false // messages are checked as they come
	session.ShouldReconnectOnError = false
	session.ShouldReconnectVoiceOnSessionError = false
	session.SyncEvents = true // our handlers only pass on
	session.Identify.Intents = discordgo.IntentsNone
	session.AddHandler(func(_ *discordgo.Session, _ *discordgo.Disconnect) { signal(l.dropped) })
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		l.lastEvent.Store(time.Now().UnixNano())
		switch e.Type {
		case "READY":
			l.rememberAddress(e.RawData)
			signal(l.isReady)
		case "RESUMED":
			g.resumed.Store(true)
			signal(l.isReady)
		default:
			g.Event(strings.TrimPrefix(e.Type, eventPrefix), e.RawData)
		}
	})
	return l
}

// signal sends to c unless a signal is waiting there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func drain(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}
