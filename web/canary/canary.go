// Package canary trades in a hidden corner of a market, from outside, to notice when users cannot. Once a
// minute it posts a request, offers on it, accepts and gets the message, with two accounts of its own,
// through the address that people open.
package canary

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Item is the item that the canary requests.
const Item = "Canary"

// Patience is how long one round may take.
const Patience = 30 * time.Second

// Market is the part of the market that the canary needs besides its address.
type Market interface {
	// Alone keeps the canaries of other replicas from trading until release is called; ok is false while
	// another trades.
	Alone(ctx context.Context) (release func(), ok bool, err error)
	// SignIn returns the session cookies of the two accounts.
	SignIn(ctx context.Context) (buyer, seller *http.Cookie, err error)
	// Delivered reports whether the seller's direct message about the accept was sent.
	Delivered(ctx context.Context) (bool, error)
	// Remove removes the trades of the two accounts.
	Remove(ctx context.Context) error
}

// Canary trades.
type Canary struct {
	URL    string        // that people open, without a slash at its end
	Market Market        // that it trades on
	Every  time.Duration // between the starts of two rounds
	Report func(Round)   // is called after each round

	client        http.Client // keeps its connection
	buyer, seller *http.Cookie
}

// Round is one trade.
type Round struct {
	Step string // at which it failed; empty when it went well
	Err  error
	Took time.Duration
}

// Run trades until ctx ends.
func (c *Canary) Run(ctx context.Context) {
	tick := time.NewTicker(c.Every)
	defer tick.Stop()
	for ctx.Err() == nil {
		c.round(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func (c *Canary) round(ctx context.Context) {
	start := time.Now()
	work, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	release, ok, err := c.Market.Alone(work)
	if err == nil && !ok {
		return // another replica's trades
	}
	step := "database"
	if err == nil {
		defer release()
		step, err = c.trade(work)
		// Leftovers of a round would get in the way of the next one. They are removed while the program
		// stops, too.
		clean, done := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer done()
		if removed := c.Market.Remove(clean); err == nil && removed != nil {
			step, err = "remove", removed
		}
	}
	if ctx.Err() == nil {
		c.Report(Round{Step: step, Err: err, Took: time.Since(start)})
	}
}

// trade returns the step that failed.
func (c *Canary) trade(ctx context.Context) (step string, err error) {
	if c.buyer == nil {
		if err := c.Market.Remove(ctx); err != nil { // leftovers of a killed round
			return "remove", err
		}
		if c.buyer, c.seller, err = c.Market.SignIn(ctx); err != nil {
			return "sign in", err
		}
	}
	var order struct{ ID int64 }
	if err := c.do(ctx, c.buyer, http.MethodPost, "/api/orders", map[string]any{
		"itemName": Item, "quantity": 1, "maxPricePerUnit": 1, "buyerContact": "canary",
		"description": "A check of the market by itself.",
	}, &order); err != nil {
		return "post", err
	}
	var sent struct{ Offer struct{ ID int64 } }
	if err := c.do(ctx, c.seller, http.MethodPost, fmt.Sprintf("/api/orders/%d/offers", order.ID),
		map[string]any{"sellerName": "Canary", "message": "A check.", "quantityOffered": 1},
		&sent); err != nil {
		return "offer", err
	}
	if err := c.do(ctx, c.buyer, http.MethodPost, fmt.Sprintf("/api/offers/%d/accept", sent.Offer.ID),
		map[string]any{"quantity": 1}, nil); err != nil {
		return "accept", err
	}
	var inbox json.RawMessage
	if err := c.do(ctx, c.seller, http.MethodGet, "/api/me/notices", nil, &inbox); err != nil {
		return "inbox", err
	}
	if !bytes.Contains(inbox, []byte(Item)) {
		return "inbox", fmt.Errorf("the seller's inbox has no notice of the accept")
	}
	return "message", c.delivered(ctx)
}

// delivered waits until the message was sent.
func (c *Canary) delivered(ctx context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		sent, err := c.Market.Delivered(ctx)
		if err != nil || sent {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("no direct message was sent within %s", Patience)
		}
	}
}

// do sends a request and reads the answer, unless ctx has ended. It waits for the answer to a sent request
// even then: an abandoned post could be saved after everything was removed.
func (c *Canary) do(ctx context.Context, as *http.Cookie, method, path string, body, answer any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Patience)
	defer cancel()
	var content io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, content)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "tradepost-canary")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.AddCookie(&http.Cookie{Name: as.Name, Value: as.Value})
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20)) // to its end, so that the connection is kept
	if err != nil {
		return err
	}
	if resp.StatusCode == http.StatusUnauthorized {
		c.buyer = nil // the session has ended: the next round signs in
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s: %.200s", method, path, resp.Status, strings.TrimSpace(string(text)))
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
