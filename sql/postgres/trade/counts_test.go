package trade_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/trade"
)

// TestEachUserHasTheThingsThatWaitForThem walks a trade from the offer to both words, and a request to its end.
func TestEachUserHasTheThingsThatWaitForThem(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	wants := func(when string, ann, bob []market.Todo) {
		t.Helper()
		a, err := w.Market.Counts(t.Context(), w.Ann)
		must(t, err)
		b, err := w.Market.Counts(t.Context(), w.Bob)
		must(t, err)
		if got := a.Todos(); !slices.Equal(got, ann) {
			t.Errorf("%s, Ann has %+v, want %+v", when, got, ann)
		}
		if got := b.Todos(); !slices.Equal(got, bob) {
			t.Errorf("%s, Bob has %+v, want %+v", when, got, bob)
		}
	}
	order := w.Post(w.Ann)
	wants("with a request", nil, nil)
	offer := w.OfferOn(w.Bob, order, 4)
	wants("with an offer", []market.Todo{{Kind: market.TodoAnswerOffers, Count: 1}}, nil)
	done, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 4)
	must(t, err)
	with := func(partner core.UserID) []market.Todo {
		return []market.Todo{{Kind: market.TodoConfirmTrades, Count: 1, Partner: partner}}
	}
	wants("after the accept", with(w.Bob.UserID), with(w.Ann.UserID))
	_, err = w.Trade.SayHandovers(t.Context(), w.Ann, []core.SaleID{done.Sale.ID}, trade.SaidMet)
	must(t, err)
	wants("after Ann's word", nil, with(w.Ann.UserID))

	other := w.OfferOn(w.Bob, w.Post(w.Cat), 1)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Cat, other.ID, 1)
	must(t, err)
	wants("with two partners", nil, []market.Todo{{Kind: market.TodoConfirmTrades, Count: 2}})

	must(t, w.SQL("update handovers set state = 'met', settled_at = $1, due_at = null", w.Clock.Now()))
	w.Clock.Forward(order.ExpiresAt.Add(-trade.ExpiryWarning).Sub(w.Clock.Now()))
	wants("a week before the end", nil, nil)
	w.Clock.Forward(time.Second)
	wants("in the last week", []market.Todo{{Kind: market.TodoRenewRequests, Count: 1, Order: order.ID, EndsAt: order.ExpiresAt}}, nil)
	w.Clock.Forward(trade.ExpiryWarning)
	wants("after the end", nil, nil)
}

// TestOnlyModeratorsHaveCases checks that reports and disputes count for moderators alone, each reported thing once.
func TestOnlyModeratorsHaveCases(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order, mod := w.Post(w.Ann), w.Moderator()
	must(t, w.SQL(`insert into reports (reporter_id, order_id, subject_id, item_name, reason, created_at)
		values ($1, $2, $3, 'Iron Ore', 'spam', $4), ($5, $2, $3, 'Iron Ore', 'spam', $4)`,
		w.Bob.UserID, order.ID, w.Ann.UserID, w.Clock.Now(), w.Cat.UserID))
	sale := w.accepts(1)
	must(t, w.SQL("update handovers set state = 'disputed', settled_at = null, due_at = null, buyer_word = 'met', buyer_said_at = $1,"+
		" seller_word = 'not_met', seller_said_at = $1 where sale_id = $2", w.Clock.Now(), sale.ID))
	for user, want := range map[*core.Actor]int{&mod: 2, &w.Ann: 0} {
		got, err := w.Market.Counts(t.Context(), *user)
		must(t, err)
		if got.Cases != want {
			t.Errorf("%s has %d cases, want %d", user.Username, got.Cases, want)
		}
	}
}
