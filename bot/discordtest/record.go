package discordtest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Request is one request that reached the REST interface.
type Request struct {
	At     time.Time
	Method string
	// Path is without /api and version, such as /channels/1284552260678844416/messages.
	Path string
	// Route is the method and the template, such as "POST /channels/{channel_id}/messages"; empty when
	// Discord has none.
	Route  string
	Query  url.Values
	Header http.Header
	Body   []byte
	Status int    // of the answer; 0 while there is none, also when a fault dropped it
	Fault  string // the fault that struck, if any

	token string // of the interaction that it is about
}

// JSON is a key of the body, such as "content"; nil when there is none.
func (r Request) JSON(key string) any {
	var body map[string]any
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	return body[key]
}

// keptRequests is how many of the latest requests are remembered.
const keptRequests = 50_000

func (d *Discord) recordRequest(
	r *http.Request, template, path string, params map[string]string, body []byte,
) *Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	rec := &Request{At: d.now(), Method: r.Method, Path: path, Query: r.URL.Query(), Header: r.Header.Clone(),
		Body:  body,
		token: params["interaction_token"] + params["webhook_token"]}
	if rec.token != "" {
		d.inFlight[rec.token]++
	}
	if template != "" {
		rec.Route = r.Method + " " + template
	}
	d.record = append(d.record, rec)
	if len(d.record) > 2*keptRequests {
		d.record = append([]*Request(nil), d.record[keptRequests:]...)
	}
	d.announce()
	return rec
}

// landed notes that a request is over, or hangs.
func (d *Discord) landed(rec *Request) {
	if rec.token == "" {
		return
	}
	if d.inFlight[rec.token]--; d.inFlight[rec.token] <= 0 {
		delete(d.inFlight, rec.token)
	}
	rec.token = ""
	d.announce()
}

// Requests are the requests so far, in order of arrival; with patterns (see Fail) only those that match one.
func (d *Discord) Requests(patterns ...string) []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests(patterns)
}

func (d *Discord) requests(patterns []string) []Request {
	var list []Request
	for _, r := range d.record {
		if len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return matches(p, r) }) {
			list = append(list, *r)
		}
	}
	return list
}

// WaitRequests waits until n requests that match pattern have been answered, and gives them.
func (d *Discord) WaitRequests(t TB, pattern string, n int) []Request {
	t.Helper()
	var list []Request
	ctx, cancel := d.patience()
	defer cancel()
	if !d.await(ctx, func() bool {
		list = slices.DeleteFunc(d.requests([]string{pattern}),
			func(r Request) bool { return r.Status == 0 && r.Fault == "" })
		return len(list) >= n
	}) {
		t.Fatalf("waited %s for %d requests to %s, saw %d", d.opts.Patience, n, pattern, len(list))
	}
	return list
}

// ForgetRequests empties the record, so that later requests can be counted separately.
func (d *Discord) ForgetRequests() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.record = nil
}
