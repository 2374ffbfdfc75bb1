package discordtest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fault is a misfortune waiting for requests. Build one with Answering, RefusingWith, RateLimiting,
// Banning, Hanging, Holding, Losing, Cutting or Delaying, and hand it to Fail.
type Fault struct {
	name  string
	delay time.Duration
	kind  faultKind

	status int
	body   []byte
	header http.Header

	// Set by Fail.
	pattern string
	left    int // -1: until lifted
	hits    int
	lifted  chan struct{}
	done    bool
	d       *Discord
}

type faultKind int

const (
	faultDelay  faultKind = iota // late, and otherwise as usual
	faultAnswer                  // another answer; nothing happens
	faultHang                    // no answer; nothing happens
	faultLose                    // it happens; the answer is lost
	faultCut                     // it happens; half of the answer arrives
	faultHold                    // it happens; the answer is held back
)

// Answering is an answer with this status and body instead of the usual one. Nothing happens.
func Answering(status int, body string) *Fault {
	f := &Fault{name: "status " + strconv.Itoa(status), kind: faultAnswer, status: status, body: []byte(body),
		header: http.Header{}}
	f.header.Set("Content-Type", http.DetectContentType(f.body))
	if strings.HasPrefix(body, "{") {
		f.header.Set("Content-Type", "application/json")
	}
	return f
}

// Outage is the answer of a broken Discord: a 5xx status with the short body that comes with it.
func Outage(status int) *Fault {
	return Answering(status, fmt.Sprintf(`{"message": "%d: %s", "code": 0}`, status, http.StatusText(status)))
}

// RefusingWith responds with the error of a Discord code, such as 50007, with its status and
// message.
func RefusingWith(code int) *Fault { return refusing("code "+strconv.Itoa(code), refuse(code)) }

// Unauthorized is the response to an invalid token.
func Unauthorized() *Fault { return refusing("401", plainError(http.StatusUnauthorized)) }

// RateLimiting is a 429 that asks to wait. The scope is "user", "shared" or "global".
func RateLimiting(wait time.Duration, scope string) *Fault {
	return refusing("429 "+scope, limited(wait, scope))
}

// LimitingEdits is the 429 of a message that is older than an hour, of which too many were edited.
func LimitingEdits(wait time.Duration) *Fault { return refusing("429 old edits", editsLimited(wait)) }

// Banning is the 429 that Cloudflare sends to an address it has banned: a page, not JSON, and without the
// Via header that Discord's own answers carry.
func Banning(wait time.Duration) *Fault {
	f := Answering(http.StatusTooManyRequests, cloudflare)
	f.name = "banned"
	f.header.Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	return f
}

// Hanging never answers. Nothing happens. The connection ends when the client gives up, or the fault is
// lifted.
func Hanging() *Fault { return &Fault{name: "hang", kind: faultHang} }

// Losing lets it happen and then cuts the connection without an answer.
func Losing() *Fault { return &Fault{name: "answer lost", kind: faultLose} }

// Cutting lets it happen and cuts the connection in the middle of the answer.
func Cutting() *Fault { return &Fault{name: "answer cut", kind: faultCut} }

// Holding lets it happen and delays the response until the client gives up or the fault is lifted.
// The client never gets it.
func Holding() *Fault { return &Fault{name: "answer held", kind: faultHold} }

// Delaying answers as usual, but only after a while of real time.
func Delaying(by time.Duration) *Fault {
	return &Fault{name: "delay " + by.String(), kind: faultDelay, delay: by}
}

func refusing(name string, e *Error) *Fault {
	a := errorAnswer(e)
	return &Fault{name: name, kind: faultAnswer, status: a.status, body: a.body, header: a.header}
}

// Header adds a header to the answer.
func (f *Fault) Header(key, value string) *Fault {
	f.header.Set(key, value)
	return f
}

// After delays the fault by some real time.
func (f *Fault) After(wait time.Duration) *Fault {
	f.delay = wait
	return f
}

// Always is the number of times of a fault that strikes until it is lifted.
const Always = -1

// Fail lets a fault strike the next times requests that match pattern. A pattern is a method and a path, as
// in "POST /channels/{channel_id}/messages", "POST /channels/1284552260678844416/messages", "*
// /webhooks/**"; "*" and "{…}" match one segment, "**" at the end any rest. The first fault that matches
// applies.
func (d *Discord) Fail(pattern string, times int, f *Fault) *Fault {
	d.mu.Lock()
	defer d.mu.Unlock()
	f.pattern, f.left, f.d, f.lifted = pattern, times, d, make(chan struct{})
	d.faults = append(d.faults, f)
	return f
}

// Lift ends a fault and releases the requests that it delays.
func (f *Fault) Lift() {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.lift()
}

func (f *Fault) lift() {
	if !f.done {
		f.done = true
		close(f.lifted)
		f.d.faults = slices.DeleteFunc(f.d.faults, func(other *Fault) bool { return other == f })
	}
}

// Hits counts how often the fault has struck.
func (f *Fault) Hits() int {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	return f.hits
}

// WaitHits waits until the fault has struck n times.
func (f *Fault) WaitHits(t TB, n int) {
	t.Helper()
	ctx, cancel := f.d.patience()
	defer cancel()
	if !f.d.await(ctx, func() bool { return f.hits >= n }) {
		t.Fatalf("waited %s for fault %q on %s to strike %d times, it struck %d", f.d.opts.Patience, f.name,
			f.pattern, n, f.Hits())
	}
}

// LiftFaults ends all faults.
func (d *Discord) LiftFaults() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range slices.Clone(d.faults) {
		f.lift()
	}
}

// matches says whether a request fits a pattern of Fail.
func matches(pattern string, r *Request) bool {
	method, path, ok := strings.Cut(pattern, " ")
	if !ok || method != "*" && method != r.Method {
		return false
	}
	if r.Route == r.Method+" "+path {
		return true
	}
	want, got := strings.Split(path, "/"), strings.Split(r.Path, "/")
	for i, segment := range want {
		switch {
		case segment == "**":
			return true
		case i >= len(got):
			return false
		case segment == "*" || strings.HasPrefix(segment, "{") || segment == got[i]:
		default:
			return false
		}
	}
	return len(want) == len(got)
}

// strike finds the fault that a request runs into and waits out its delay.
func (d *Discord) strike(r *http.Request, rec *Request) *Fault {
	d.mu.Lock()
	i := slices.IndexFunc(d.faults, func(f *Fault) bool { return matches(f.pattern, rec) })
	if i < 0 {
		d.mu.Unlock()
		return nil
	}
	f := d.faults[i]
	f.hits++
	rec.Fault = f.name
	if f.left > 0 {
		if f.left--; f.left == 0 {
			d.faults = slices.Delete(d.faults, i, i+1)
		}
	}
	if f.kind == faultHang {
		d.landed(rec)
	}
	d.announce()
	d.mu.Unlock()
	if f.delay > 0 {
		wait := time.NewTimer(f.delay)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-f.lifted:
		case <-r.Context().Done():
		case <-d.ctx.Done():
		}
	}
	return f
}

// instead reports whether the fault replaces the requested operation.
func (f *Fault) instead() bool { return f.kind == faultAnswer || f.kind == faultHang }

func (f *Fault) answer() answer {
	return answer{status: f.status, header: f.header.Clone(), body: f.body}
}

// deliver writes an answer as far as its fault lets it. Cutting a connection is done by the panic that
// net/http provides for it.
func (d *Discord) deliver(w http.ResponseWriter, r *http.Request, rec *Request, a answer) {
	kind := faultDelay
	if a.fault != nil {
		kind = a.fault.kind
	}
	switch kind {
	case faultHang, faultHold:
		select {
		case <-r.Context().Done():
		case <-a.fault.lifted:
		case <-d.ctx.Done():
		}
		panic(http.ErrAbortHandler)
	case faultLose:
		panic(http.ErrAbortHandler)
	}
	d.mu.Lock()
	d.limits.forget(d.now())
	if a.status == 401 || a.status == 403 || a.status == 429 &&
		a.header.Get("X-RateLimit-Scope") != "shared" {
		d.limits.invalid = append(d.limits.invalid, d.now())
	}
	d.log.Debug("discord answered", "request", rec.Method+" "+rec.Path, "status", a.status)
	d.mu.Unlock()

	maps.Copy(w.Header(), a.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.status == http.StatusNoContent {
		w.Header().Del("Content-Length")
	}
	w.WriteHeader(a.status)
	if kind == faultCut {
		_, _ = w.Write(a.body[:len(a.body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(a.body) // a client that is gone has no use for it
	_ = http.NewResponseController(w).Flush()
	d.mu.Lock()
	rec.Status = a.status
	d.announce()
	d.mu.Unlock()
}
