package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"
)

// Errors that end the bot: trying again would not help, and would use up what Discord allows.
var (
	ErrToken   = errors.New("Discord does not accept the bot's token: make a new one under Bot in the developer portal and set DISCORD_TOKEN")
	ErrRefused = errors.New("Discord refuses the connection")
)

var (
	errLostLock = errors.New("another program may hold the gateway now")
	errStuck    = errors.New("the gateway did not become ready in time")
	errDropped  = errors.New("the gateway dropped the connection")
	errSilent   = errors.New("the gateway fell silent")
	errIdle     = errors.New("no event came for so long that the connection is made anew")
)

// Close codes of the gateway that we send or act on.
const (
	closeSilly          = 4000 // "unknown error": any code but 1000 and 1001 keeps the session, so it can be resumed
	closeBadToken       = 4004
	closeInvalidSeq     = 4007
	closeSessionExpired = 4009
	closeInvalidShard   = 4010
	closeBadIntents     = 4014
)

// Gateway states, for metrics.
const (
	GatewayWaiting    = "waiting" // another program holds it
	GatewayConnecting = "connecting"
	GatewayReady      = "ready"
	GatewayDown       = "down"
)

// gateway keeps one connection to Discord. The library opens it, beats its heart and resumes it; everything that decides
// whether and when is done here, because the library reconnects for ever where it must not, and waits where it must act.
type gateway struct {
	token     string
	transport http.RoundTripper
	log       *slog.Logger
	beat      time.Duration // what Discord asks for between heartbeats; the library keeps what it was told to itself
	patience  time.Duration // from dialling to READY
	idle      time.Duration // how long a connection may bring no event before it is made anew
	event     func(kind string, data json.RawMessage)
	state     func(string) // set by whoever runs it

	ready   atomic.Bool
	resumed atomic.Bool // the last connection went on with a session, instead of beginning one
	link    *link       // open, or closed with a session that may be resumed; nil for none
}

// run keeps the connection until ctx ends, and closes it. When ctx ended because of errLostLock, the session is kept to be
// resumed by the next run. The error is ErrToken or ErrRefused.
func (g *gateway) run(ctx context.Context) error {
	var setbacks setbacks
	begun := rate.NewLimiter(rate.Every(sessionEvery), sessionsAtOnce)
	for {
		lasted, err := g.connect(ctx, g.patience<<min(setbacks.failed, 2))
		g.ready.Store(false)
		g.state(GatewayDown)
		if ctx.Err() != nil {
			return nil
		}
		if final := finalRefusal(err); final != nil {
			return final
		}
		if errors.Is(err, errIdle) {
			g.log.Info("gateway renewed", "why", err)
			continue // it was ours to do
		}
		setbacks.note(lasted)
		if setbacks.failed > 0 && setbacks.failed%3 == 0 {
			g.link = nil // a session that cannot be resumed three times in a row is given up
		}
		wait := setbacks.pause()
		if !g.resumed.Load() {
			wait = max(wait, begun.Reserve().Delay())
		}
		g.log.Warn("gateway down", "error", err, "lasted", lasted.Round(time.Second), "wait", wait.Round(time.Millisecond))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil
		}
	}
}

// Discord resets the token of whoever begins more than 1,000 sessions a day. To resume one is free.
const (
	sessionsAtOnce = 60
	sessionEvery   = 2 * time.Minute // 720 a day
)

// setbacks are what went wrong lately.
type setbacks struct {
	failed int // connections in a row that were never ready
	short  int // connections in a row that were, and were down again within a minute
}

// note counts a connection that is down. lasted is how long it was ready.
func (s *setbacks) note(lasted time.Duration) {
	switch {
	case lasted == 0:
		s.failed++
	case lasted < time.Minute:
		s.failed, s.short = 0, s.short+1
	default:
		*s = setbacks{}
	}
}

// pause is how long to wait before the next connection. It grows to two minutes where none is to be had, and to a second
// where they break: most of those can be resumed.
func (s *setbacks) pause() time.Duration {
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

// connect opens the connection within a time limit and stays until it is down. It says how long it was ready.
func (g *gateway) connect(ctx context.Context, limit time.Duration) (lasted time.Duration, err error) {
	g.state(GatewayConnecting)
	g.resumed.Store(false)
	if g.link == nil {
		if g.link, err = g.newLink(); err != nil {
			return 0, err
		}
	}
	l := g.link
	if err := l.open(ctx, limit); err != nil {
		if !l.resumable(err) {
			g.link = nil
		}
		return 0, err
	}
	since := time.Now()
	g.ready.Store(true)
	g.state(GatewayReady)
	g.log.Info("gateway ready")
	err = g.watch(ctx, l)
	return time.Since(since), err
}

// watch returns when the connection is down. It takes it down when ctx ends, when Discord stops answering heartbeats, and
// when it has been idle for too long.
func (g *gateway) watch(ctx context.Context, l *link) error {
	tick := time.NewTicker(max(g.beat/20, 5*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errLostLock) {
				l.close(closeSilly)
			} else {
				l.close(websocket.CloseNormalClosure)
				g.link = nil
			}
			return ctx.Err()
		case <-l.dropped:
			return errDropped
		case now := <-tick.C:
			// An acknowledgement comes with every beat: with two intervals gone, one beat was not answered.
			if now.Sub(l.lastAck()) > 2*g.beat {
				l.close(closeSilly)
				return errSilent
			}
			if now.Sub(time.Unix(0, l.lastEvent.Load())) > g.idle {
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

func (g *gateway) newLink() (*link, error) {
	session, err := discordgo.New("Bot " + g.token)
	if err != nil {
		return nil, fmt.Errorf("make a session: %w", err)
	}
	l := &link{session: session, isReady: make(chan struct{}, 1), dropped: make(chan struct{}, 1)}
	session.Client = &http.Client{Transport: g.transport, Timeout: requestTime}
	session.Dialer = l.dialer()
	session.LogLevel = -1 // it would write to standard error that it cannot decode the newer components; we decode them
	session.StateEnabled = false
	session.ShouldReconnectOnError = false
	session.ShouldReconnectVoiceOnSessionError = false
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
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
			g.event(e.Type, e.RawData)
		}
	})
	return l, nil
}

// signal makes sure that c holds a signal.
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
