package market_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core/market"
)

func TestTodosListsWhatWaitsForTheUser(t *testing.T) {
	t.Parallel()
	friday := time.Date(2026, 12, 4, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		counts market.Counts
		want   []market.Todo
	}{
		{"nothing", market.Counts{Active: 3, Fulfilled: 4, Archived: 5, Expired: 1, Unread: 2, Cases: 7}, nil},
		{"everything", market.Counts{Received: 3, Confirm: 1, Partner: 4, Ending: 1, EndsAt: friday, EndingOrder: 9}, []market.Todo{
			{Kind: market.TodoAnswerOffers, Count: 3},
			{Kind: market.TodoConfirmTrades, Count: 1, Partner: 4},
			{Kind: market.TodoRenewRequests, Count: 1, Order: 9, EndsAt: friday},
		}},
		{"several of each", market.Counts{Confirm: 2, Ending: 2, EndsAt: friday, EndingOrder: 9}, []market.Todo{
			{Kind: market.TodoConfirmTrades, Count: 2},
			{Kind: market.TodoRenewRequests, Count: 2, EndsAt: friday},
		}},
	} {
		if got := tt.counts.Todos(); got == nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
