// Package security logs events that matter to security. The log identifies no person to a reader without the
// database or the key: a user is a number, and a client's address a keyed hash.
package security

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"sync"
	"time"

	"tradepost/core"
)

// Event is a kind of event: a label of the metric and the name in the log.
type Event string

// The events.
const (
	SignIn          Event = "sign-in"
	SignInFailed    Event = "sign-in-failed"
	SignOut         Event = "sign-out"
	Unauthenticated Event = "unauthenticated" // refused to who is not signed in: 401
	Forbidden       Event = "forbidden"       // refused to this user: 403
	Limited         Event = "limited"         // too much at once: 429
	Moderation      Event = "moderation"
	Leaving         Event = "leaving"
	Settings        Event = "settings"
)

// All lists the events.
var All = []Event{SignIn, SignInFailed, SignOut, Unauthenticated, Forbidden, Limited, Moderation, Leaving,
	Settings}

// Message begins the line of each event.
const Message = "security event"

// refusalsEvery is how often a refusal of a kind is logged. A flood must not fill the disk; the metric
// counts each.
const refusalsEvery = time.Second

// Options holds the settings of a Log.
type Options struct {
	Log *slog.Logger
	// of the hashes; a random one when nil, under which they can be compared until the program ends
	Key   []byte
	Count func(Event)      // counts an event; may be nil
	Now   func() time.Time // required
}

// Log writes events. It is safe for concurrent use. A nil one writes nothing.
type Log struct {
	opts Options

	mu       sync.Mutex
	refusals map[Event]*refusals
}

type refusals struct {
	last       time.Time
	suppressed int
}

// NewLog returns a log.
func NewLog(o Options) *Log {
	if o.Key == nil {
		o.Key = make([]byte, sha256.Size)
		_, _ = rand.Read(o.Key) // it never fails
	}
	if o.Count == nil {
		o.Count = func(Event) {}
	}
	return &Log{opts: o, refusals: map[Event]*refusals{}}
}

// Fact holds the details of an event.
type Fact struct {
	Event   Event
	User    core.UserID // zero for a visitor
	Address string      // the client's, of which a hash is logged; empty in Discord
	Action  string      // the route or the command, never user input
}

// Note logs and counts an event.
func (l *Log) Note(ctx context.Context, f Fact) {
	if l == nil {
		return
	}
	l.opts.Count(f.Event)
	suppressed, logged := l.sampled(f.Event)
	if !logged {
		return
	}
	attrs := []any{slog.String("event", string(f.Event))}
	if f.User != 0 {
		attrs = append(attrs, slog.Int64("user", int64(f.User)))
	}
	if f.Address != "" {
		attrs = append(attrs, slog.String("client", l.Client(f.Address)))
	}
	if f.Action != "" {
		attrs = append(attrs, slog.String("action", f.Action))
	}
	if suppressed > 0 {
		attrs = append(attrs, slog.Int("suppressed", suppressed))
	}
	l.opts.Log.LogAttrs(ctx, slog.LevelInfo, Message, slog.Group("security", attrs...))
}

// Client returns the hash by which the log names the client with an address.
func (l *Log) Client(address string) string {
	sum := hmac.New(sha256.New, l.opts.Key)
	sum.Write([]byte(address))
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// sampled reports whether an event is logged, and how many of its kind were not since the last that was.
func (l *Log) sampled(event Event) (suppressed int, logged bool) {
	switch event {
	case Unauthenticated, Forbidden, Limited, SignInFailed:
	case SignIn, SignOut, Moderation, Leaving, Settings:
		return 0, true
	}
	now := l.opts.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.refusals[event]
	if r == nil {
		r = &refusals{}
		l.refusals[event] = r
	}
	if !r.last.IsZero() && now.Sub(r.last).Abs() < refusalsEvery {
		r.suppressed++
		return 0, false
	}
	suppressed, r.suppressed, r.last = r.suppressed, 0, now
	return suppressed, true
}
