package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	apiURL = "https://discord.com/api/v10"

	requestTime  = 10 * time.Second // for one request
	banPause     = 15 * time.Minute // after an answer that comes from the wall in front of Discord
	revokedPause = 5 * time.Minute  // between asking whether the token is accepted again
	maxAnswer    = 8 << 20
)

// Codes of Discord's that we act on.
const (
	codeUnknownChannel     = 10003
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeDMsTooFast         = 40003
	codeAlreadyAnswered    = 40060
	codeMissingAccess      = 50001
	codeDMsClosed          = 50007
	codeMissingPermissions = 50013
	codeInvalidRecipient   = 50033
	codeNoSharedServer     = 50278
)

// restError is a refusal of Discord's.
type restError struct {
	Route   string
	Status  int
	Code    int
	Message string
	// After is how long nothing of the kind may be sent: with a limit (status 429), before the wall in front of Discord,
	// and while the token is not accepted (status 401). Zero for other refusals.
	After time.Duration
	Scope string // user, global, shared or cloudflare, with a limit
	Alien bool   // not Discord's own words
}

func (e *restError) Error() string {
	return fmt.Sprintf("%s: HTTP %d, code %d: %s", e.Route, e.Status, e.Code, e.Message)
}

// isCode tells whether Discord refused with one of the codes.
func isCode(err error, codes ...int) bool {
	var refused *restError
	if !errors.As(err, &refused) {
		return false
	}
	for _, code := range codes {
		if refused.Code == code {
			return true
		}
	}
	return false
}

// limitedFor tells how long Discord wants us to wait; zero when it said nothing of the kind.
func limitedFor(err error) time.Duration {
	var refused *restError
	if errors.As(err, &refused) {
		return refused.After
	}
	return 0
}

// rest speaks to Discord's HTTP interface. It never sleeps: a request that would break a limit is refused at once with
// how long to wait, and whoever asked decides (see patiently).
type rest struct {
	client  *http.Client
	token   string // without the word Bot
	agent   string // as Discord asks programs to name themselves
	now     func() time.Time
	limited func(scope string) // is told of every 429
	refused func()             // is told when the token is no longer accepted

	mu     sync.Mutex
	all    time.Time            // nothing is sent before
	routes map[string]time.Time // nothing is sent on a route before; entries in the past mean nothing
}

// call is one request.
type call struct {
	method string
	path   string
	// route names what Discord counts the request by: the pattern of the path with its channel or server. Empty for
	// what is addressed by the token of an interaction: it is not counted with the rest and needs no other right.
	route string
	body  any
}

// do sends a request and decodes the answer into out unless that is nil.
func (r *rest) do(ctx context.Context, c call, out any) error {
	name := c.route
	if name == "" {
		name = c.method + " interaction"
	} else if wait := r.wait(c.route); wait > 0 {
		return &restError{Route: name, Status: http.StatusTooManyRequests, Message: "waiting for a limit", After: wait, Scope: "known"}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	var body io.Reader
	if c.body != nil {
		data, err := json.Marshal(c.body)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, c.method, apiURL+c.path, body)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	req.Header.Set("User-Agent", r.agent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.route != "" {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		var address *url.Error
		if errors.As(err, &address) {
			err = address.Err // the address may hold the token of an interaction
		}
		return fmt.Errorf("%s: %w", name, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s: read answer: %w", name, err)
	}
	r.note(c.route, resp.Header)
	if resp.StatusCode/100 != 2 {
		return r.refusal(c, name, resp, answer)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: understand answer: %w", name, err)
	}
	return nil
}

func (r *rest) refusal(c call, name string, resp *http.Response, answer []byte) error {
	e := &restError{Route: name, Status: resp.StatusCode, Message: resp.Status}
	var said struct {
		Code       int     `json:"code"`
		Message    string  `json:"message"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
		Errors     json.RawMessage
	}
	if json.Unmarshal(answer, &said) == nil {
		e.Code, e.Message = said.Code, strings.TrimSpace(said.Message+" "+string(said.Errors))
	} else {
		e.Alien = true
	}
	limited := resp.StatusCode == http.StatusTooManyRequests
	switch {
	case resp.StatusCode == http.StatusUnauthorized && c.route != "":
		// Whatever else we ask would be refused, and counted against us.
		e.After = revokedPause
		r.pause(c.route, scopeAll, e.After)
		r.refused()
	case limited, e.Alien && resp.StatusCode == http.StatusForbidden:
		e.After = time.Duration(said.RetryAfter * float64(time.Second))
		if s, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64); err == nil {
			e.After = max(e.After, time.Duration(s*float64(time.Second)))
		}
		switch e.Scope = resp.Header.Get("X-RateLimit-Scope"); {
		case e.Alien:
			e.Scope, e.After = scopeWall, max(e.After, banPause)
		case said.Global:
			e.Scope = scopeGlobal
		}
		e.After = max(e.After, 50*time.Millisecond)
		r.pause(c.route, e.Scope, e.After)
		r.limited(e.Scope)
	}
	return e
}

// Scopes of a limit that hold for more than a route.
const (
	scopeGlobal = "global"
	scopeWall   = "cloudflare"
	scopeAll    = "all"
)

// wait is how long a route must rest.
func (r *rest) wait(route string) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	until := r.all
	if own := r.routes[route]; own.After(until) {
		until = own
	}
	return max(0, until.Sub(r.now()))
}

// note reads what an answer says about the limit of its route.
func (r *rest) note(route string, h http.Header) {
	if route == "" || h.Get("X-RateLimit-Remaining") != "0" {
		return
	}
	if s, err := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64); err == nil && s > 0 {
		r.pause(route, "", time.Duration(s*float64(time.Second)))
	}
}

func (r *rest) pause(route, scope string, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	until := now.Add(d)
	switch {
	case scope == scopeWall, scope == scopeAll, scope == scopeGlobal && route != "":
		r.all = later(r.all, until)
	case route != "":
		r.routes[route] = later(r.routes[route], until)
	}
	if len(r.routes) > 1000 { // a route for every channel ever written to
		for name, until := range r.routes {
			if until.Before(now) {
				delete(r.routes, name)
			}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// patiently calls do until it works, Discord says a final no, or ctx would end first.
func patiently(ctx context.Context, do func(context.Context) error) error {
	pause := 200 * time.Millisecond
	for {
		err := do(ctx)
		if err == nil || !passing(err) {
			return err
		}
		wait := limitedFor(err)
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

// passing tells whether a failure may be over soon: a limit, an outage, or a connection that broke.
func passing(err error) bool {
	var refused *restError
	if errors.As(err, &refused) {
		return refused.After > 0 && refused.Status != http.StatusUnauthorized || refused.Status >= 500 || refused.Alien
	}
	return !errors.Is(err, context.Canceled)
}
