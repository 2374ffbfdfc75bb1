// Package webhook has the rules of webhooks: addresses that the market sends events to.
package webhook

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
)

// Type is the type of an event, as its receiver reads it.
type Type string

// The types that no notice has.
const (
	Ping       = "ping" // a webhook begins with it
	SaleLogged = "sale.logged"
	SaleUndone = "sale.undone"
)

// TypeOf returns the type of the events that notices of a kind are: offer.received of offer_received.
func TypeOf(k notify.Kind) Type { return Type(strings.Replace(string(k), "_", ".", 1)) }

// OwnTypes lists the types of event about a person's own trades.
func OwnTypes(f core.Features) []Type {
	types := []Type{SaleLogged, SaleUndone}
	kinds := append(notify.MutableKinds(f, false), notify.NoticeOrderRemoved,
		notify.NoticeOfferRemoved, notify.NoticeOrderRestored, notify.NoticeOfferRestored)
	if f.Listings {
		kinds = append(kinds, notify.NoticeListingRemoved, notify.NoticeListingRestored)
	}
	for _, k := range kinds {
		if k != notify.NoticeLookAlike { // it is about another user
			types = append(types, TypeOf(k))
		}
	}
	return types
}

// MarketTypes lists the types of event about the whole market.
func MarketTypes() []Type {
	var types []Type
	for _, k := range core.PublicKinds {
		types = append(types, Type(k+".changed"))
	}
	return types
}

// State says whether a webhook gets events.
type State string

// The states.
const (
	Asked State = "asked" // a ping is on its way
	On    State = "on"
	Off   State = "off"
)

// States lists every state.
var States = []State{Asked, On, Off}

// Reason says why a webhook is off.
type Reason string

// The reasons.
const (
	Unanswered Reason = "unanswered" // its ping
	Failed     Reason = "failed"     // nothing was delivered for RetryFor
	Gone       Reason = "gone"       // the receiver said so: 410
	Behind     Reason = "behind"     // more than MaxWaiting events wait
)

// Reasons lists every reason.
var Reasons = []Reason{Unanswered, Failed, Gone, Behind}

const (
	// maxURL is how long an address may be.
	maxURL = 500
	// MaxWaiting is how many events wait at most for a receiver that does not answer.
	MaxWaiting = 10_000
	// OldSecretFor is how long a replaced secret signs beside the new one.
	OldSecretFor = core.Day
)

// Webhook is an address that gets events.
type Webhook struct {
	ID        core.WebhookID
	Owner     core.UserID // who made it
	Market    bool        // of the whole market, for moderators; or else of its owner's trades
	URL       string
	Types     []Type
	State     State
	Reason    Reason // why it is off
	CreatedAt time.Time

	FailingSince time.Time // when its receiver last began to fail; zero while it answers
	NotBefore    time.Time // nothing is sent before; zero for at once

	// Neither is in an answer that is kept for a repeat.
	Secret    []byte    `json:"-"`
	OldSecret []byte    `json:"-"` // signs too until OldUntil
	OldUntil  time.Time `json:"-"`
}

// Host returns the name of the receiver's host.
func (w Webhook) Host() string {
	if u, err := url.Parse(w.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return w.URL
}

// Secrets returns the keys that sign now.
func (w Webhook) Secrets(now time.Time) [][]byte {
	if len(w.OldSecret) > 0 && now.Before(w.OldUntil) {
		return [][]byte{w.Secret, w.OldSecret}
	}
	return [][]byte{w.Secret}
}

// MayManage fails with Unauthenticated, with Forbidden where only moderators may, and with NotFound for the
// webhook of another.
func (w Webhook) MayManage(by core.Actor) error {
	if w.Market {
		return by.MustModerate()
	}
	if err := by.MustBeUser(); err != nil {
		return err
	}
	if by.UserID != w.Owner {
		return NotFound()
	}
	return nil
}

// NotFound returns the error about a webhook that is not there.
func NotFound() *core.Error { return core.NewError(core.NotFound, core.NewText("webhook_gone")) }

// Draft is a webhook that a person wants.
type Draft struct {
	Market bool
	URL    string
	Types  []Type
}

// MayMake fails with Unauthenticated, and with Forbidden for a person who is blocked, who may not moderate
// where that is needed, or whose sign-in is not fresh.
func (d Draft) MayMake(by core.Actor, now time.Time) error {
	if err := by.MayTrade(); err != nil {
		return err
	}
	if d.Market {
		if err := by.MustModerate(); err != nil {
			return err
		}
	}
	return by.MustBeFresh(now)
}

// Make returns the webhook that a person makes beside others. It fails as MayMake does, with Invalid, and
// with Conflict when there are too many. anywhere allows addresses that Check does not, for tests.
func (d Draft) Make(
	by core.Actor, others int, secret []byte, offered []Type, anywhere bool, now time.Time,
) (Webhook, error) {
	if err := d.MayMake(by, now); err != nil {
		return Webhook{}, err
	}
	d.URL = strings.TrimSpace(d.URL)
	var c core.Checks
	if wrong := check(d.URL, anywhere); !wrong.IsZero() {
		c.That(false, "url", wrong)
	}
	c.That(len(d.Types) > 0, "types", core.NewText("webhook_type_required"))
	for _, t := range d.Types {
		c.That(slices.Contains(offered, t), "types", core.NewText("webhook_type_unknown"))
	}
	if err := c.Err(); err != nil {
		return Webhook{}, err
	}
	if others >= core.MaxWebhooks {
		return Webhook{}, core.LimitWebhooks.Over(0, "count", core.MaxWebhooks)
	}
	types := slices.DeleteFunc(slices.Clone(offered),
		func(t Type) bool { return !slices.Contains(d.Types, t) })
	return Webhook{
		Owner: by.UserID, Market: d.Market, URL: d.URL, Types: types, State: Asked, CreatedAt: now,
		Secret: secret,
	}, nil
}

// check returns the message about an address that is none for a webhook. An address that is named here by a
// number is refused at once; a name is resolved, and refused, when it is connected to.
func check(address string, anywhere bool) core.Text {
	if !core.Within(address, maxURL) {
		return core.TooLong("webhook_url_too_long", maxURL)
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Opaque != "":
		return core.NewText("webhook_url_wrong")
	case anywhere && u.Scheme == "http":
	case u.Scheme != "https":
		return core.NewText("webhook_url_https")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !anywhere && !IsPublic(ip) {
		return core.NewText("webhook_url_private")
	}
	return core.Text{}
}

// SwitchOn returns the webhook with a ping on its way. It fails with Conflict unless it is off.
func (w Webhook) SwitchOn() (Webhook, error) {
	if w.State != Off {
		return w, core.NewError(core.Conflict, core.NewText("webhook_on_already"))
	}
	w.State, w.Reason, w.FailingSince, w.NotBefore = Asked, "", time.Time{}, time.Time{}
	return w, nil
}

// ReplaceSecret returns the webhook with another secret. The old one signs too for OldSecretFor.
func (w Webhook) ReplaceSecret(secret []byte, now time.Time) Webhook {
	w.OldSecret, w.OldUntil, w.Secret = w.Secret, now.Add(OldSecretFor), secret
	return w
}
