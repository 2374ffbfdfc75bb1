//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// request is a write as the API takes it. The body is nil where there is none.
func (w write) request() (method, path string, body map[string]any) {
	if w.path != "" {
		return w.method, w.path, w.body
	}
	order, offer := fmt.Sprintf("/api/orders/%d", w.order), fmt.Sprintf("/api/offers/%d", w.offer)
	switch w.op {
	case opPost:
		return http.MethodPost, "/api/orders", map[string]any{
			"itemName": w.name, "quantity": w.quantity, "maxPricePerUnit": w.price,
			"description":  "Any grade",
			"buyerContact": w.actor.Username(), "category": "Miner", "importance": "medium",
			"confirmPrice": w.sure,
		}
	case opEdit:
		return http.MethodPatch, order, map[string]any{"version": w.version, "quantity": w.quantity,
			"maxPricePerUnit": w.price}
	case opRenew:
		return http.MethodPost, order + "/renew", nil
	case opClose:
		return http.MethodPost, order + "/close", nil
	case opDelete:
		return http.MethodDelete, order, nil
	case opOffer:
		body := map[string]any{"sellerName": w.name, "message": "I have some", "quantityOffered": w.quantity}
		if w.actor == nil {
			body["sellerContact"] = "visitor"
		}
		return http.MethodPost, order + "/offers", body
	case opAccept:
		return http.MethodPost, offer + "/accept", map[string]any{"quantity": w.quantity}
	case opDecline, opWithdraw:
		return http.MethodDelete, offer, nil
	case opSell:
		return http.MethodPost, order + "/sales", map[string]any{"quantitySold": w.quantity, "notes": w.name}
	case opReport:
		return http.MethodPost, order + "/report", map[string]any{"reason": "No such item"}
	case opSay:
		return http.MethodPost, "/api/handovers/say", map[string]any{"sales": w.sales, "word": w.word}
	case opWatch:
		return http.MethodPost, "/api/me/watches", map[string]any{"q": w.name}
	case opTest:
		return http.MethodPost, "/api/me/notices/test", nil
	}
	return w.rareRequest()
}

// writeOverHTTP sends a write to one program after another until its outcome is definite. All attempts
// carry the same key, so it happens once. When the round is over first, the outcome stays unknown.
func (s *scene) writeOverHTTP(w write) outcome {
	method, path, data := s.encoded(w)
	pause := 10 * time.Millisecond
	attempts := 0
	for turn := int(s.turns.Add(1)) - 1; ; turn++ {
		o := s.attempt(s.ctx, w, method, "http://"+s.page(turn).address+path, data)
		attempts++
		o.attempts = attempts
		if w.once && o.status == http.StatusTooManyRequests {
			o.certainty = refused
		}
		if o.certainty != unknown || w.once {
			return o
		}
		s.unanswered(o.err, o.status)
		select {
		case <-time.After(pause): // as a browser's retry, only faster
			pause = min(2*pause, 500*time.Millisecond)
		case <-s.ctx.Done():
			return o
		}
	}
}

// encoded is a write as it is sent.
func (s *scene) encoded(w write) (method, path string, data []byte) {
	method, path, body := w.request()
	if body != nil {
		var err error
		data, err = json.Marshal(body)
		s.must(err)
	}
	return method, path, data
}

// attempt sends a write once.
func (s *scene) attempt(ctx context.Context, w write, method, url string, body []byte) outcome {
	o := outcome{key: w.key}
	client := visitorHTTP
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	s.must(err)
	if w.actor != nil {
		client = w.actor.browser
	} else {
		req.Header.Set("X-Forwarded-For", string(w.address))
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Idempotency-Key", w.key)
	resp, err := client.Do(req)
	if err != nil {
		o.err = err
		return o
	}
	defer resp.Body.Close()
	o.status = resp.StatusCode
	o.answer, o.err = io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	o.certainty = certaintyOf(o.status, o.err)
	if o.status == statusClientGone {
		s.requestFailed(fmt.Errorf("%s %s was answered %d, though its client is there", method, url,
			o.status))
	}
	return o
}

// statusClientGone is what the program answers when it takes the client for gone.
const statusClientGone = 499

// certaintyOf returns what an HTTP response proves. A 429 or 5xx proves nothing.
func certaintyOf(status int, err error) certainty {
	switch {
	case status >= 200 && status < 300:
		if err != nil {
			return unknown // a repeat gets the whole answer
		}
		return acknowledged
	case status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout,
		status == statusClientGone, status < 400:
		return unknown
	}
	return refused
}

// turnedAway reports whether a request never reached a program, as a load balancer would have
// known beforehand.
func turnedAway(err error) bool {
	failed, ok := errors.AsType[*net.OpError](err)
	return ok && failed.Op == "dial"
}

// unanswered notes a request that came to nothing.
func (s *scene) unanswered(err error, status int) {
	if s.strict.Load() && !turnedAway(err) {
		if err == nil {
			err = errors.New(http.StatusText(status))
		}
		s.requestFailed(fmt.Errorf("a request failed: status %d: %w", status, err))
	}
}
