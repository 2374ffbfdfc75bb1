package bot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answering is a transport that answers as it is told and counts.
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

func restOn(a *answering) (*rest, *time.Time) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	return &rest{
		client: &http.Client{Transport: a}, token: "t", now: func() time.Time { return now }, routes: map[string]time.Time{},
		limited: func(string) {}, refused: func() {},
	}, &now
}

func ask(r *rest, route string) error {
	return r.do(context.Background(), call{method: "POST", path: "/x", route: route}, nil)
}

func TestALimitHoldsForWhatItIsAbout(t *testing.T) {
	for name, tt := range map[string]struct {
		answer        answering
		same, other   bool // may be asked again at once
		wait          time.Duration
		interactionOK bool
	}{
		"of a route":          {answering{status: 429, body: `{"retry_after": 2.5, "global": false}`}, false, true, 2500 * time.Millisecond, true},
		"of a shared thing":   {answering{status: 429, body: `{"retry_after": 2}`, header: map[string]string{"X-RateLimit-Scope": "shared"}}, false, true, 2 * time.Second, true},
		"of everything":       {answering{status: 429, body: `{"retry_after": 3, "global": true}`}, false, false, 3 * time.Second, true},
		"of a banned address": {answering{status: 429, body: `<html>`, header: map[string]string{"Retry-After": "5"}}, false, false, banPause, true},
		"that is used up":     {answering{status: 200, body: `{}`, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "4"}}, false, true, 4 * time.Second, true},
		"that has room":       {answering{status: 200, body: `{}`, header: map[string]string{"X-RateLimit-Remaining": "1", "X-RateLimit-Reset-After": "4"}}, true, true, 0, true},
		"of no kind at all":   {answering{status: 503, body: `oh`}, true, true, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := tt.answer
			r, now := restOn(&a)
			first := ask(r, "POST /a")
			if a.status != 200 && first == nil {
				t.Fatal("no error")
			}
			asked := func(route string) bool {
				before := a.asked
				_ = ask(r, route)
				return a.asked > before
			}
			if limitedFor(first) == 0 && a.status == 429 {
				t.Errorf("%v does not say how long to wait", first)
			}
			a.status, a.body, a.header = 200, `{}`, nil
			if got := asked("POST /b"); got != tt.other {
				t.Errorf("another route is asked: %v", got)
			}
			if got := asked(""); got != tt.interactionOK {
				t.Errorf("an interaction is answered: %v", got)
			}
			if got := asked("POST /a"); got != tt.same {
				t.Errorf("the same route is asked: %v", got)
			}
			*now = now.Add(tt.wait + time.Millisecond)
			if !asked("POST /a") || !asked("POST /b") {
				t.Error("after that it is still not asked")
			}
		})
	}
}

func TestWaitingNeverOutlastsTheDeadline(t *testing.T) {
	a := &answering{status: 429, body: `{"retry_after": 60}`}
	r, _ := restOn(a)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute/2)
	defer cancel()
	began := time.Now()
	err := patiently(ctx, func(ctx context.Context) error {
		return r.do(ctx, call{method: "GET", path: "/x", route: "GET /x"}, nil)
	})
	if limitedFor(err) == 0 || time.Since(began) > 5*time.Second || a.asked != 1 {
		t.Errorf("%v after %s, asked %d times", err, time.Since(began), a.asked)
	}
}

func TestNothingIsKeptForAnInteraction(t *testing.T) {
	a := &answering{status: 204, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1"}}
	r, now := restOn(a)
	for i := range 5000 {
		if err := r.do(context.Background(), call{method: "POST", path: "/interactions/" + strconv.Itoa(i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.routes); n != 0 {
		t.Errorf("%d routes are kept", n)
	}
	for i := range 5000 {
		*now = now.Add(time.Second)
		_ = ask(r, "POST /channels/"+strconv.Itoa(i))
	}
	if n := len(r.routes); n > 1001 {
		t.Errorf("%d channels are kept", n)
	}
}

func TestErrorsDoNotTellAToken(t *testing.T) {
	a := &answering{err: errors.New("connection reset")}
	r, _ := restOn(a)
	err := r.do(context.Background(), call{method: "POST", path: "/interactions/1/secret-token/callback"}, nil)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("the error is %v", err)
	}
}

func TestASessionIsResumedWhereDiscordSays(t *testing.T) {
	l := &link{}
	request := func() *http.Request {
		r, _ := http.NewRequest("GET", "https://gateway.discord.gg/?v=9&encoding=json", nil)
		if _, err := l.dialer().Proxy(r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if got := request().URL.Host; got != "gateway.discord.gg" {
		t.Errorf("the first connection goes to %s", got)
	}
	l.rememberAddress([]byte(`{"resume_gateway_url": "wss://gateway-us-east1-b.discord.gg"}`))
	r := request()
	if want := (&url.URL{Scheme: "https", Host: "gateway-us-east1-b.discord.gg", Path: "/", RawQuery: "v=9&encoding=json"}).String(); r.URL.String() != want || r.Host != "gateway-us-east1-b.discord.gg" {
		t.Errorf("resumed at %s, host %s", r.URL, r.Host)
	}
	l.rememberAddress([]byte(`{"resume_gateway_url": "file:///etc"}`))
	l.rememberAddress([]byte(`{`))
	if got := request().URL.Host; got != "gateway-us-east1-b.discord.gg" {
		t.Errorf("then at %s", got)
	}
	l.forgetAddress()
	if got := request().URL.Host; got != "gateway.discord.gg" {
		t.Errorf("after a failure it goes to %s", got)
	}
}
