package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Pauses after an answer that is about more than one request.
const (
	scopeOldEdits = "old edits" // of 429s, as Discord names the others

	blockedPause = 15 * time.Minute // after a page of Cloudflare's, which blocks an address
	// after Discord said that DMs were opened too fast; a guess, since it names no number
	openDMPause       = 10 * time.Minute
	oldEditPause      = time.Minute     // of a message, after error 30046 without a time
	UnauthorizedPause = 5 * time.Minute // between asking whether the token is accepted again
	maxBody           = 8 << 20
)

// limitTransport gives the library's rate limiter what the library does not read from a response: limits
// that only the body names, pages of Cloudflare's (HTML where Discord answers JSON), and a token that is
// not accepted.
type limitTransport struct {
	next         http.RoundTripper
	limiter      *discordgo.RateLimiter
	openDMPause  time.Duration
	rateLimited  func(scope string) // user, global, shared or cloudflare
	unauthorized func()
}

func (t limitTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	resp.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	isBot := req.Header.Get("Authorization") != ""
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		if isBot {
			// Every further request would count against the address.
			t.pauseAll(UnauthorizedPause)
			t.unauthorized()
		}
	case http.StatusTooManyRequests, http.StatusForbidden:
		body = t.limit(resp, body, isBot)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// limit brings the headers of a response in line with its body, and turns a page of Cloudflare's into a 429
// of Discord's.
func (t limitTransport) limit(resp *http.Response, body []byte, isBot bool) []byte {
	var answer struct {
		Code       int     `json:"code"`
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}
	isPage := json.Unmarshal(body, &answer) != nil
	if resp.StatusCode == http.StatusForbidden && !isPage {
		if answer.Code == discordgo.ErrCodeOpeningDirectMessagesTooFast {
			pauseRoute(resp.Header, t.openDMPause)
		}
		return body
	}
	wait := seconds(answer.RetryAfter)
	if header, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64); err == nil {
		wait = max(wait, seconds(header))
	}
	wait = max(wait, 50*time.Millisecond)
	scope := resp.Header.Get("X-RateLimit-Scope")
	switch {
	case isPage:
		scope, wait = "cloudflare", max(wait, blockedPause)
		t.pauseAll(wait)
	case answer.Global && isBot:
		scope = "global"
		t.pauseAll(wait)
	case answer.Global:
		scope = "global" // of the interaction alone
	case answer.Code == codeOldEdits: // of this message, and not of its channel
		if answer.RetryAfter == 0 && resp.Header.Get("Retry-After") == "" {
			wait = oldEditPause
		}
		scope = scopeOldEdits
		resp.Header.Del("X-RateLimit-Remaining")
		resp.Header.Del("X-RateLimit-Reset")
		resp.Header.Del("X-RateLimit-Reset-After")
		resp.Header.Del("Retry-After")
	default:
		pauseRoute(resp.Header, wait)
	}
	t.rateLimited(scope)
	resp.StatusCode = http.StatusTooManyRequests
	return fmt.Appendf(nil, `{"message": "rate limited, scope %s", "retry_after": %f}`, scope, wait.Seconds())
}

// pauseRoute sets the headers that make the limiter send nothing more of the same bucket.
func pauseRoute(h http.Header, d time.Duration) {
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Reset-After", strconv.FormatFloat(d.Seconds(), 'f', 3, 64))
}

// pauseAll makes the limiter send nothing at all, but to interactions.
func (t limitTransport) pauseAll(d time.Duration) {
	b := t.limiter.GetBucket("all")
	b.Lock()
	if t.limiter.GetWaitTime(b, 0) >= d {
		b.Unlock()
		return
	}
	h := http.Header{}
	pauseRoute(h, d)
	h.Set("X-RateLimit-Global", "true")
	_ = b.Release(h) // the header is a number
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
