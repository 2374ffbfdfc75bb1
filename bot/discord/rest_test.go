package discord

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// answering is a transport that returns set responses and counts requests.
type answering struct {
	status int
	body   string
	header map[string]string
	err    error
	asked  int
}

func (a *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked++
	if a.err != nil {
		return nil, a.err
	}
	resp := &http.Response{StatusCode: a.status, Status: strconv.Itoa(a.status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}
	for k, v := range a.header {
		resp.Header.Set(k, v)
	}
	return resp, nil
}

func clientOn(a *answering) *Client {
	return NewClient(ClientOptions{Token: "t", Transport: a})
}

// ask sends a request of a route, or to an interaction when that is empty.
func ask(c *Client, route string) error {
	return c.do(context.Background(), request{method: "POST", route: route, url: "https://discord.com/api/x"}, nil)
}

func TestALimitAppliesToItsBucket(t *testing.T) {
	for name, tt := range map[string]struct {
		answer        answering
		same, other   bool // may be requested again without waiting
		wait          time.Duration
		interactionOK bool
	}{
		"of a route":          {answering{status: 429, body: `{"retry_after": 2.5, "global": false}`}, false, true, 2500 * time.Millisecond, true},
		"of a shared thing":   {answering{status: 429, body: `{"retry_after": 2}`, header: map[string]string{"X-RateLimit-Scope": "shared"}}, false, true, 2 * time.Second, true},
		"of everything":       {answering{status: 429, body: `{"retry_after": 3, "global": true}`}, false, false, 3 * time.Second, true},
		"of a banned address": {answering{status: 429, body: `<html>`, header: map[string]string{"Retry-After": "5"}}, false, false, blockedPause, true},
		"that is used up":     {answering{status: 200, body: `{}`, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "4"}}, false, true, 4 * time.Second, true},
		"that has room":       {answering{status: 200, body: `{}`, header: map[string]string{"X-RateLimit-Remaining": "1", "X-RateLimit-Reset-After": "4"}}, true, true, 4 * time.Second, true},
		"of no kind at all":   {answering{status: 503, body: `oh`}, true, true, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := tt.answer
				c := clientOn(&a)
				first := ask(c, "/a")
				if a.status != 200 && first == nil {
					t.Fatal("no error")
				}
				asked := func(route string) bool {
					before := a.asked
					_ = ask(c, route)
					return a.asked > before
				}
				if RetryAfter(first) == 0 && a.status == 429 {
					t.Errorf("%v does not say how long to wait", first)
				}
				a.status, a.body, a.header = 200, `{}`, nil
				if got := asked("/b"); got != tt.other {
					t.Errorf("another route is asked: %v", got)
				}
				if got := asked(""); got != tt.interactionOK {
					t.Errorf("an interaction is answered: %v", got)
				}
				if got := asked("/a"); got != tt.same {
					t.Errorf("the same route is asked: %v", got)
				}
				time.Sleep(tt.wait + 2*time.Millisecond)
				if !asked("/a") || !asked("/b") {
					t.Error("after that it is still not asked")
				}
			})
		})
	}
}

func TestAShorterPauseDoesNotEndALongerOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{status: 403, body: `<html>`}
		c := clientOn(a)
		_ = ask(c, "/a") // blocked for a quarter of an hour
		a.status, a.body = 429, `<html>`
		_ = ask(c, "")
		time.Sleep(blockedPause - time.Minute)
		before := a.asked
		if err := ask(c, "/b"); RetryAfter(err) == 0 || a.asked > before {
			t.Errorf("it was asked again: %v", err)
		}
	})
}

func TestWaitingNeverOutlastsTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{status: 429, body: `{"retry_after": 60}`}
		c := clientOn(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute/2)
		defer cancel()
		began := time.Now()
		err := Retry(ctx, func(ctx context.Context) error {
			return c.do(ctx, request{method: "GET", route: "/x", url: "https://discord.com/api/x"}, nil)
		})
		if RetryAfter(err) == 0 || time.Since(began) > 0 || a.asked != 1 {
			t.Errorf("%v after %s, asked %d times", err, time.Since(began), a.asked)
		}
	})
}

func TestA502IsNotRepeated(t *testing.T) {
	a := &answering{status: 502, body: `<html>`}
	if err := ask(clientOn(a), "/a"); err == nil || !IsTemporary(err) || a.asked != 1 {
		t.Errorf("%v, asked %d times", err, a.asked)
	}
}

// The limiter keeps every bucket for ever, so the names must be few.
func TestInteractionsLeaveNoBuckets(t *testing.T) {
	a := &answering{status: 204, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1"}}
	c := clientOn(a)
	for range 5000 {
		if err := ask(c, ""); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.buckets); n != 0 {
		t.Errorf("%d buckets are left", n)
	}
	a.header = nil
	for i := range 5000 {
		if _, err := c.FindMessage(t.Context(), strconv.Itoa(i<<22), CustomID{}, time.Time{}); err == nil {
			t.Fatal("an empty answer is no list")
		}
	}
	if n := len(c.buckets); n > channelShards {
		t.Errorf("%d buckets are left", n)
	}
}

func TestErrorsDoNotContainTheToken(t *testing.T) {
	for name, a := range map[string]*answering{
		"of the network": {err: errors.New("connection reset")},
		"of a limit":     {status: 429, body: `{"retry_after": 60}`},
		"of Discord":     {status: 404, body: `{"code": 10015}`},
	} {
		err := clientOn(a).do(context.Background(), request{method: "POST", url: "https://discord.com/api/interactions/1/secret-token/callback"}, nil)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("the error %s is %v", name, err)
		}
	}
}

func TestASessionIsResumedWhereDiscordSays(t *testing.T) {
	l := &link{tls: &tls.Config{}, proxy: http.ProxyFromEnvironment}
	request := func() *http.Request {
		r, _ := http.NewRequest("GET", "https://gateway.discord.gg/?v=9&encoding=json", nil)
		if _, err := l.dialer(slog.New(slog.DiscardHandler)).Proxy(r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if got := request().URL.Hostname(); got != "gateway.discord.gg" {
		t.Errorf("the first connection goes to %s", got)
	}
	l.rememberAddress([]byte(`{"resume_gateway_url": "wss://gateway-us-east1-b.discord.gg"}`))
	r := request()
	if want := (&url.URL{Scheme: "http", Host: "gateway-us-east1-b.discord.gg:443", Path: "/", RawQuery: "v=9&encoding=json"}).String(); r.URL.String() != want || r.Host != "gateway-us-east1-b.discord.gg" {
		t.Errorf("resumed at %s, host %s", r.URL, r.Host)
	}
	l.rememberAddress([]byte(`{"resume_gateway_url": "file:///etc"}`))
	l.rememberAddress([]byte(`{`))
	if got := request().URL.Hostname(); got != "gateway-us-east1-b.discord.gg" {
		t.Errorf("then at %s", got)
	}
	l.forgetAddress()
	if got := request().URL.Hostname(); got != "gateway.discord.gg" {
		t.Errorf("after a failure it goes to %s", got)
	}
}

func TestRequestsAreSpreadOverTheSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sent []time.Time
		c := NewClient(ClientOptions{Token: "t", PerSecond: 45, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, time.Now())
			return (&answering{status: 200, body: `{}`}).RoundTrip(r)
		})})
		var work sync.WaitGroup
		for n := range 200 {
			work.Go(func() {
				if err := ask(c, fmt.Sprint("/", n)); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		for i := 45; i < len(sent); i++ {
			if within := sent[i].Sub(sent[i-45]); within < time.Second {
				t.Fatalf("46 requests within %s", within)
			}
		}
		// Who presses a button does not wait for messages.
		began := time.Now()
		for range 50 {
			if err := ask(c, ""); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("answers to interactions took %s", took)
		}
	})
}

// They are many routes, each with requests that wait for the one before.
func TestRequestsBehindASlowAnswerDoNotLeaveAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sent []time.Time
		c := NewClient(ClientOptions{Token: "t", PerSecond: 45, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			sent = append(sent, time.Now())
			slow := len(sent) <= 30
			mu.Unlock()
			if slow {
				time.Sleep(3 * time.Second)
			}
			return (&answering{status: 200, body: `{}`}).RoundTrip(r)
		})})
		c.sent = nil // the turns alone
		var work sync.WaitGroup
		for n := range 120 {
			work.Go(func() {
				if err := ask(c, fmt.Sprint("/", n%30)); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		for i := 45; i < len(sent); i++ {
			if within := sent[i].Sub(sent[i-45]); within < time.Second {
				t.Fatalf("46 requests within %s", within)
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
