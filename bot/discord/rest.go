package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"
)

const requestTimeout = 10 * time.Second

// Client sends requests to Discord through a discordgo session. A request that would exceed a rate
// limit is not sent and returns *discordgo.RateLimitError without waiting; the caller decides
// whether to retry (see Retry).
type Client struct {
	session *discordgo.Session
	pace    *rate.Limiter // of requests with a route
	turn    TakeTurn      // may be nil
	sent    *lately       // of requests with a route; nil for any number

	openDMPause time.Duration

	mu      sync.Mutex
	buckets map[string]*bucket // by name; see request.bucket for how many there can be
	own     string             // the ID of the bot's account; empty before it was asked for
}

// ClientOptions configures a Client. Token is required.
type ClientOptions struct {
	Token        string             // with or without the word Bot
	Transport    http.RoundTripper  // http.DefaultTransport when nil
	Agent        string             // the address of the program, for the User-Agent
	RateLimited  func(scope string) // called for every 429: user, global, shared or cloudflare; may be nil
	Unauthorized func()             // called when Discord does not accept the token; may be nil
	// OpenDMPause is the pause before the next conversation is opened after Discord answered that they were
	// opened too fast; 10 minutes when zero.
	OpenDMPause time.Duration
	// requests in any second at most, besides answers to interactions; zero for any number
	PerSecond int
	Turn      TakeTurn // what other programs with this token share; may be nil
}

// TakeTurn takes the next turn among all programs with one token, and returns how long to wait for it; ok
// is false when that is longer than longest. It does not wait itself.
type TakeTurn func(ctx context.Context, longest time.Duration) (wait time.Duration, ok bool)

// Every is the time between two turns at a rate, of which burst are taken at once: within a second and the
// time that one may be under way come those that were saved up, and as many as the rate.
func Every(perSecond int) (every time.Duration, atOnce int) {
	return (time.Second + underWay) / time.Duration(max(perSecond-burst, 1)), burst
}

// burst limits the requests sent at once before they are spread over the second.
const burst = 5

// underWay is by how much two requests may differ in the time between their turn and their arrival, and
// still count as sent in their turn.
const underWay = 50 * time.Millisecond

// NewClient returns a client. It does not connect.
func NewClient(opts ClientOptions) *Client {
	if opts.Transport == nil {
		opts.Transport = http.DefaultTransport
	}
	if opts.RateLimited == nil {
		opts.RateLimited = func(string) {}
	}
	if opts.Unauthorized == nil {
		opts.Unauthorized = func() {}
	}
	if opts.OpenDMPause == 0 {
		opts.OpenDMPause = openDMPause
	}
	session := newSession(opts.Token)
	session.UserAgent = fmt.Sprintf("DiscordBot (%s, 1)", opts.Agent)
	session.Client = &http.Client{Transport: limitTransport{
		next: opts.Transport, limiter: session.Ratelimiter, openDMPause: opts.OpenDMPause,
		rateLimited: opts.RateLimited, unauthorized: opts.Unauthorized,
	}}
	c := &Client{openDMPause: opts.OpenDMPause, session: session, pace: rate.NewLimiter(rate.Inf, burst),
		turn: opts.Turn, buckets: map[string]*bucket{}}
	if opts.PerSecond > 0 {
		every, atOnce := Every(opts.PerSecond)
		c.pace = rate.NewLimiter(rate.Every(every), atOnce)
		c.sent = newLately(opts.PerSecond, time.Second+underWay)
	}
	return c
}

// newSession returns a session of the library that neither waits, nor repeats a request, nor keeps state.
func newSession(token string) *discordgo.Session {
	// it returns no error
	session, _ := discordgo.New("Bot " + strings.TrimPrefix(strings.TrimSpace(token), "Bot "))
	session.ShouldRetryOnRateLimit = false
	session.MaxRestRetries = 0
	session.StateEnabled = false
	session.LogLevel = -1 // it would write to standard error
	return session
}

// request is one request. Those with an interaction's token in their address have no route: Discord does
// not count them with the others, and they are authorised by that token alone.
type request struct {
	method string
	url    string
	route  string // the pattern of the address, which names the request in errors
	shard  int    // separates channels, which have limits of their own
	body   any
	reason string // for the server's audit log
}

// bucket names the rate limit that a request counts against. There is a fixed number of names, because the
// library keeps a bucket for ever: one a route, and channelShards for each route below a channel.
func (r request) bucket() string {
	return fmt.Sprintf("%s %s %d", r.method, r.route, r.shard)
}

const channelShards = 512

// shardOf spreads channels over the buckets of a route. Channels made at the same time do not share one.
func shardOf(channelID string) int {
	var id uint64
	_, _ = fmt.Sscan(channelID, &id) // 0 for an invalid ID
	return int((id ^ id>>22) % channelShards)
}

// bucket is a rate limit of the library's. Its requests are sent one after the other, as the library demands.
type bucket struct {
	turn  chan struct{} // takes one value while a request is sent
	limit *discordgo.Bucket
}

func (c *Client) bucket(name string) *bucket {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.buckets[name]
	if b == nil {
		b = &bucket{turn: make(chan struct{}, 1), limit: c.session.Ratelimiter.GetBucket(name)}
		c.buckets[name] = b
	}
	return b
}

// do sends a request and decodes the answer into out unless that is nil.
func (c *Client) do(ctx context.Context, r request, out any) error {
	data, err := c.send(ctx, r)
	if err == nil && out != nil {
		err = json.Unmarshal(data, out)
	}
	if err == nil {
		return nil
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // the address may contain the token of an interaction
	}
	name := r.route
	if name == "" {
		name = "interaction"
	}
	var limited *discordgo.RateLimitError
	if errors.As(err, &limited) {
		limited.URL = name // for the same reason
	}
	return fmt.Errorf("%s %s: %w", r.method, name, err)
}

func (c *Client) send(ctx context.Context, r request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var body []byte
	if r.body != nil {
		var err error
		if body, err = discordgo.Marshal(r.body); err != nil {
			return nil, err
		}
	}
	options := []discordgo.RequestOption{discordgo.WithContext(ctx)}
	if r.reason != "" {
		options = append(options, discordgo.WithAuditLogReason(url.PathEscape(r.reason)))
	}
	var limit *discordgo.Bucket
	if r.route == "" {
		limit = discordgo.NewRatelimiter().LockBucket("interaction") // forgotten with the request
		options = append(options, func(c *discordgo.RequestConfig) { c.Request.Header.Del("Authorization") })
	} else {
		b := c.bucket(r.bucket())
		select {
		case b.turn <- struct{}{}:
			defer func() { <-b.turn }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Last, so that it is sent in its turn: those that wait for a slow answer would all go at once
		// afterwards.
		if !c.takeTurn(ctx) {
			return nil, &discordgo.RateLimitError{RateLimit: &discordgo.RateLimit{
				TooManyRequests: &discordgo.TooManyRequests{Message: "not sent: others come first",
					RetryAfter: time.Second},
			}}
		}
		limit = b.limit
		limit.Lock()
		if wait := c.session.Ratelimiter.GetWaitTime(limit, 1); wait > 0 {
			limit.Unlock()
			return nil, &discordgo.RateLimitError{RateLimit: &discordgo.RateLimit{
				TooManyRequests: &discordgo.TooManyRequests{Message: "not sent: waiting for a rate limit",
					RetryAfter: wait},
			}}
		}
		limit.Remaining--
	}
	return c.session.RequestWithLockedBucket(r.method, r.url, "application/json", body, limit, 0, options...)
}

// takeTurn waits until a request may be sent, and returns false when it may not within the time of ctx.
func (c *Client) takeTurn(ctx context.Context) bool {
	if c.pace.Wait(ctx) != nil {
		return false
	}
	if c.turn != nil {
		end, _ := ctx.Deadline() // requestTimeout at most
		if wait, ok := c.turn(ctx, time.Until(end)); !ok || !pause(ctx, wait) {
			return false
		}
	}
	for c.sent != nil { // on a busy machine several turns may have come
		wait := c.sent.add(time.Now())
		if wait == 0 {
			break
		}
		if !pause(ctx, wait) {
			return false
		}
	}
	return true
}

// pause waits, and returns false when ctx ends before.
func pause(ctx context.Context, wait time.Duration) bool {
	if wait == 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// HasCode reports whether Discord returned one of its error codes.
func HasCode(err error, codes ...int) bool {
	var failed *discordgo.RESTError
	if !errors.As(err, &failed) || failed.Message == nil {
		return false
	}
	for _, code := range codes {
		if failed.Message.Code == code {
			return true
		}
	}
	return false
}

// Error codes of Discord's that the library does not name.
const (
	CodeNoSharedServer = 50278
	CodeThreadLocked   = 160005

	codeOldEdits = 30046 // too many edits of messages older than an hour
)

// IsUnauthorized reports whether Discord did not accept the token.
func IsUnauthorized(err error) bool {
	var failed *discordgo.RESTError
	return errors.As(err, &failed) && failed.Response.StatusCode == http.StatusUnauthorized
}

// RetryAfter returns the pause before the next request of the kind; zero when Discord names none.
func RetryAfter(err error) time.Duration {
	var limited *discordgo.RateLimitError
	switch {
	case errors.As(err, &limited):
		return limited.RetryAfter
	case IsUnauthorized(err):
		return UnauthorizedPause
	}
	return 0
}

// OpensTooFast returns the pause before the next conversation may be opened, if an error reports that they
// were opened too fast; zero for another error.
func (c *Client) OpensTooFast(err error) time.Duration {
	if HasCode(err, discordgo.ErrCodeOpeningDirectMessagesTooFast) {
		return c.openDMPause
	}
	return 0
}

// IsOldEdit reports whether Discord has taken too many edits of messages older than an hour.
func IsOldEdit(err error) bool {
	var limited *discordgo.RateLimitError
	return errors.As(err, &limited) && limited.TooManyRequests != nil &&
		strings.HasSuffix(limited.Message, scopeOldEdits)
}

// IsTemporary reports whether a failure may be over soon: a rate limit, an outage, or a connection that
// broke.
func IsTemporary(err error) bool {
	var failed *discordgo.RESTError
	if errors.As(err, &failed) {
		return failed.Response.StatusCode >= 500 || failed.Message == nil // not Discord's own words
	}
	return !errors.Is(err, context.Canceled)
}

// Retry calls do until it works, fails for a reason that stays, or ctx would end before the next attempt.
func Retry(ctx context.Context, do func(context.Context) error) error {
	pause := 200 * time.Millisecond
	for {
		err := do(ctx)
		if err == nil || !IsTemporary(err) {
			return err
		}
		wait := RetryAfter(err)
		if wait == 0 {
			wait = pause/2 + rand.N(pause)
			pause = min(2*pause, 30*time.Second)
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			return err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}
