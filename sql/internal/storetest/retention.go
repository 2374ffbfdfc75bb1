package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tradepost/core"
	"tradepost/core/trade"
)

// NoPause is between the steps of retention in a test.
func NoPause(context.Context, time.Duration) error { return nil }

// Retain applies retention at the time of the world's clock.
func (w *World) Retain(keep core.Retention) map[string]int {
	w.T.Helper()
	done, err := w.Store.Retain(w.T.Context(), keep, w.Clock.Now(), NoPause)
	Must(w.T, err)
	return done
}

// Named returns the stored rows with a word in small letters.
func (w *World) Named(word string) (found []string) {
	for line := range strings.Lines(strings.ToLower(Rows(w.T, w.DSN))) {
		if strings.Contains(line, word) {
			found = append(found, line)
		}
	}
	return found
}

// Keyed returns an actor with a key.
func Keyed(by core.Actor, key string) core.Actor {
	by.Key = key
	return by
}

// Same fails a test when something else was stored.
func Same[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored something else (-want +got):\n%s", diff)
	}
}

// Sold posts an order of Ann's with texts found nowhere else, and has Bob and a visitor sell some of it.
func (w *World) Sold() (trade.Order, trade.Offer) {
	w.T.Helper()
	order := w.Post(w.Ann, func(d *trade.OrderDraft) {
		d.Description, d.BuyerContact, d.InGameName = "evergreen needed", "evergreen", "evergreen"
	})
	offer := w.OfferOn(w.Bob, order, 5)
	_, err := w.Trade.AcceptOffer(w.T.Context(), w.Ann, offer.ID, 3)
	Must(w.T, err)
	visitors := w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 2)
	_, err = w.Trade.AcceptOffer(w.T.Context(), w.Ann, visitors.ID, 2)
	Must(w.T, err)
	_, err = w.Trade.LogSale(w.T.Context(), w.Ann, order.ID,
		trade.SaleDraft{Quantity: 1, Notes: "evergreen was there"})
	Must(w.T, err)
	return order, offer
}
