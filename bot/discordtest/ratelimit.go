package discordtest

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// rateLimits counts requests by route and main resource, as Discord does.
type rateLimits struct {
	perRoute map[string]limit
	global   limit
	messages limit // to one channel
	oldEdits limit // of messages of one channel that are older than an hour; zero for any number
	dms      limit // conversations that are opened; zero for any number
	identify time.Duration
	buckets  map[string]*bucket // by the route's shape and main resource, or by what else is limited
	after    int                // at twice as many buckets they are cleaned up
	all      bucket
	invalid  []time.Time // answers of 401, 403 and 429 in the last ten minutes
	banFrom  int         // so many of them, and the address is banned; 10,000 when zero
}

type limit struct {
	n   int
	per time.Duration
}

type bucket struct {
	used  int
	until time.Time
}

var usual = limit{5000, time.Second}

// SetLimit allows n requests per window to a route, for each channel, guild or webhook separately.
func (d *Discord) SetLimit(pattern string, n int, window time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.limits.perRoute == nil {
		d.limits.perRoute = map[string]limit{}
	}
	d.limits.perRoute[pattern] = limit{n, window}
}

// SetGlobalLimit allows n requests per second in total (Discord: 50). Callbacks and follow-ups do
// not count.
func (d *Discord) SetGlobalLimit(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits.global = limit{n, time.Second}
}

// BanFrom sets how many answers of 401, 403 and 429 in ten minutes ban the address (Discord: 10,000). Who
// is banned gets a page instead of JSON.
func (d *Discord) BanFrom(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits.banFrom = n
}

// banned takes the lock itself.
func (d *Discord) banned() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits.forget(d.now())
	from := d.limits.banFrom
	if from == 0 {
		from = 10_000
	}
	return len(d.limits.invalid) >= from
}

// InvalidRequests counts the answers of 401, 403 and 429 (not shared) in the last ten minutes: at 10,000
// Discord bans the address.
func (d *Discord) InvalidRequests() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limits.forget(d.now())
	return len(d.limits.invalid)
}

// Limits are how much a bot may do. Discord publishes only some of them and sends the others in headers.
type Limits struct {
	Messages int           // sends to one channel, and edits, within Window
	Window   time.Duration // of Messages
	Global   int           // requests a second in all, without answers to interactions; zero for any number
	Identify time.Duration // between two sessions that are begun

	// OldEdits are how many messages of one channel that are older than an hour are edited within
	// OldEditsWindow; zero for any number.
	OldEdits       int
	OldEditsWindow time.Duration
	// DMs are how many conversations are opened within DMsWindow; zero for any number.
	DMs       int
	DMsWindow time.Duration
}

// RealLimits are Discord's. Unlimited are out of reach. Discord publishes no number for OldEdits and DMs:
// these are guesses, by reports of the authors of bots.
var (
	RealLimits = Limits{
		Messages: 5, Window: 5 * time.Second, Global: 50, Identify: 5 * time.Second,
		OldEdits: 3, OldEditsWindow: 20 * time.Second,
		DMs: 20, DMsWindow: 10 * time.Minute,
	}
	Unlimited = Limits{Messages: usual.n, Window: usual.per}
)

func (l *rateLimits) init(limits *Limits) {
	if limits == nil {
		limits = &RealLimits
	}
	l.messages, l.identify = limit{limits.Messages, limits.Window}, limits.Identify
	l.global = limit{limits.Global, time.Second}
	l.oldEdits, l.dms = limit{limits.OldEdits, limits.OldEditsWindow}, limit{limits.DMs, limits.DMsWindow}
}

// slow counts what has a limit besides those of its route, and returns how long to wait when it is reached.
func (l *rateLimits) slow(now time.Time, what string, size limit) time.Duration {
	if size.n == 0 {
		return 0
	}
	if b := l.named(now, what); !b.take(now, size) {
		return b.until.Sub(now)
	}
	return 0
}

// Slow limits that are known.
const oldMessage = time.Hour

var renames = limit{2, 10 * time.Minute} // of one channel or thread

// maxOpenThreads is how many threads of a server are open at most.
const maxOpenThreads = 1000

func (l *rateLimits) forget(now time.Time) {
	for len(l.invalid) > 0 && now.Sub(l.invalid[0]) > 10*time.Minute {
		l.invalid = l.invalid[1:]
	}
}

// take counts a request and refuses it when its bucket is empty.
func (l *rateLimits) take(now time.Time, rec *Request) *Error {
	interaction := strings.Contains(rec.Route, "{interaction_token}") ||
		strings.Contains(rec.Route, "{webhook_token}")
	if l.global.n > 0 && !interaction && !l.all.take(now, l.global) {
		return limited(l.all.until.Sub(now), "global")
	}
	b, size := l.bucket(rec)
	if !b.take(now, size) {
		return limited(b.until.Sub(now), "user")
	}
	return nil
}

func (b *bucket) take(now time.Time, l limit) bool {
	if !now.Before(b.until) {
		b.used, b.until = 0, now.Add(l.per)
	}
	if b.used >= l.n {
		return false
	}
	b.used++
	return true
}

// bucket is the counter for a request and its size. Requests share one when route and main resource agree.
func (l *rateLimits) bucket(rec *Request) (*bucket, limit) {
	size := usual
	switch rec.Route {
	case "POST /channels/{channel_id}/messages", "PATCH /channels/{channel_id}/messages/{message_id}":
		size = l.messages
	}
	for pattern, own := range l.perRoute {
		if matches(pattern, rec) {
			size = own
		}
	}
	key := rec.Route
	if parts := strings.Split(rec.Path, "/"); len(parts) > 2 {
		switch parts[1] {
		case "channels", "guilds":
			key += " " + parts[2]
		case "webhooks", "interactions": // with their token
			key += " " + strings.Join(parts[2:min(len(parts), 4)], "/")
		}
	}
	return l.named(rec.At, key), size
}

// named returns the counter of a name. Those that are full again are forgotten from time to time: every
// interaction has its own.
func (l *rateLimits) named(now time.Time, name string) *bucket {
	if l.buckets == nil {
		l.buckets = map[string]*bucket{}
	}
	b := l.buckets[name]
	if b == nil {
		if len(l.buckets) >= 2*l.after {
			maps.DeleteFunc(l.buckets, func(_ string, b *bucket) bool { return !now.Before(b.until) })
			l.after = max(len(l.buckets), 1000)
		}
		b = &bucket{}
		l.buckets[name] = b
	}
	return b
}

// headers sets the rate limit headers of a response.
func (l *rateLimits) headers(h http.Header, now time.Time, rec *Request) {
	if h.Get("X-RateLimit-Limit") != "" || h.Get("X-RateLimit-Global") != "" {
		return
	}
	b, size := l.bucket(rec)
	left := max(0, size.n-b.used)
	after := max(0, b.until.Sub(now))
	sum := sha256.Sum256([]byte(rec.Route))
	h.Set("X-RateLimit-Limit", strconv.Itoa(size.n))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", seconds(float64(now.Add(after).UnixMilli())/1000))
	h.Set("X-RateLimit-Reset-After", seconds(after.Seconds()))
	h.Set("X-RateLimit-Bucket", hex.EncodeToString(sum[:16]))
}

// seconds is rounded up, so that who waits that long has waited long enough.
func seconds(s float64) string { return strconv.FormatFloat(math.Ceil(s*1000)/1000, 'f', 3, 64) }

// limited is a 429. The scope is user, global or shared.
func limited(after time.Duration, scope string) *Error {
	e := &Error{Status: http.StatusTooManyRequests, Message: "You are being rate limited.",
		header: http.Header{}}
	e.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(after.Seconds()))))
	e.header.Set("X-RateLimit-Scope", scope)
	e.header.Set("X-RateLimit-Reset-After", seconds(after.Seconds()))
	e.header.Set("X-RateLimit-Remaining", "0")
	if scope == "global" {
		e.header.Set("X-RateLimit-Global", "true")
		e.Message = "You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently."
	}
	e.retryAfter = after
	return e
}

// editsLimited is the 429 for too many edits of old messages. It says nothing of the route's own bucket.
func editsLimited(after time.Duration) *Error {
	e := limited(after, "shared")
	known := refuse(30046)
	e.Code, e.Message = known.Code, known.Message
	e.header.Del("X-RateLimit-Remaining")
	e.header.Del("X-RateLimit-Reset-After")
	return e
}
