package trade_test

import (
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func ptr[T any](v T) *T { return &v }

func TestProgressIsTheShareSoldRoundedDown(t *testing.T) {
	for name, tt := range map[string]struct {
		quantity, sold int
		status         trade.Status
		want           int
	}{
		"nothing sold":                     {500, 0, trade.Active, 0},
		"a third":                          {3, 1, trade.Active, 33},
		"two thirds":                       {3, 2, trade.Active, 66},
		"all but one of a million":         {1_000_000, 999_999, trade.Active, 99},
		"a closed one counts as all of it": {500, 3, trade.Fulfilled, 100},
	} {
		t.Run(name, func(t *testing.T) {
			o := trade.Order{OrderDraft: trade.OrderDraft{Quantity: tt.quantity}, Sold: tt.sold, Status: tt.status}
			if got := o.Progress(); got != tt.want {
				t.Errorf("progress of %d of %d = %d, want %d", tt.sold, tt.quantity, got, tt.want)
			}
		})
	}
}

func TestPostingFillsInDefaults(t *testing.T) {
	draft := coretest.OrderDraft(func(d *trade.OrderDraft) {
		d.ItemName, d.Category, d.Importance, d.InGameName = "  Iron \t Ore ", "", "", "   "
	})
	o, err := trade.NewOrder(draft, 4, game.Standard(), coretest.Forms, coretest.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if o.ItemName != "Iron Ore" || o.Category != "Merchant" || o.Importance != game.Medium || o.InGameName != "" {
		t.Errorf("posted %+v", o)
	}
	if o.Owner != 4 || o.Status != trade.Active || o.Progress() != 0 || o.Version != 1 || !o.ExpiresAt.Equal(coretest.Noon.AddDate(0, 0, 365)) {
		t.Errorf("posted %+v", o)
	}
}

func TestUrgentIsNotSuspicious(t *testing.T) {
	draft := coretest.OrderDraft(func(d *trade.OrderDraft) { d.Importance = game.Urgent })
	if _, err := trade.NewOrder(draft, 1, game.Standard(), coretest.Forms, coretest.Noon); err != nil {
		t.Errorf("returned %v", err)
	}
}

func TestEditing(t *testing.T) {
	sold := func(o *trade.Order) { o.Sold = 100 }
	for name, tt := range map[string]struct {
		order      trade.Order
		edit       trade.OrderEdit
		refused    core.ErrorKind
		sentence   string
		wantStatus trade.Status
	}{
		"another price": {
			order: coretest.Order(), edit: trade.OrderEdit{Version: 1, MaxPrice: ptr(core.Copper(9))}, wantStatus: trade.Active,
		},
		"more than is sold already": {
			order: coretest.Order(sold), edit: trade.OrderEdit{Version: 1, Quantity: ptr(101)}, wantStatus: trade.Active,
		},
		"down to what is sold closes it": {
			order: coretest.Order(sold), edit: trade.OrderEdit{Version: 1, Quantity: ptr(100)}, wantStatus: trade.Fulfilled,
		},
		"below what is sold": {
			order: coretest.Order(sold), edit: trade.OrderEdit{Version: 1, Quantity: ptr(99)},
			refused: core.Invalid, sentence: "Quantity cannot be less than the 100 already sold",
		},
		"nothing at all wanted": {
			order: coretest.Order(), edit: trade.OrderEdit{Version: 1, Quantity: ptr(0)},
			refused: core.Invalid, sentence: "Quantity must be greater than 0",
		},
		"a blank name": {
			order: coretest.Order(), edit: trade.OrderEdit{Version: 1, ItemName: ptr(" ")},
			refused: core.Invalid, sentence: "Item name is required",
		},
		"a suspicious phrase that it adds": {
			order: coretest.Order(), edit: trade.OrderEdit{Version: 1, Description: ptr("urgent")},
			refused: core.Invalid, sentence: "Your post contains suspicious content. Please revise.",
		},
		"a suspicious phrase that was there": {
			order: coretest.Order(func(o *trade.Order) { o.Description = "urgent" }),
			edit:  trade.OrderEdit{Version: 1, Description: ptr("Still urgent")}, wantStatus: trade.Active,
		},
		"from an older version": {
			order: coretest.Order(func(o *trade.Order) { o.Version = 2 }), edit: trade.OrderEdit{Version: 1, Quantity: ptr(7)},
			refused: core.Conflict, sentence: "This request has changed since you opened it. Look at it again and repeat your change.",
		},
		"a closed request": {
			order: coretest.Order(func(o *trade.Order) { o.Status = trade.Fulfilled }), edit: trade.OrderEdit{Version: 1, Quantity: ptr(7)},
			refused: core.Conflict, sentence: "This request is already closed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.order.Edit(tt.edit, game.Standard(), coretest.Forms, coretest.Noon.Add(time.Hour))
			if core.KindOf(err) != tt.refused || (err != nil && err.Error() != tt.sentence) || got.Status != tt.wantStatus {
				t.Fatalf("got %+v, %v", got, err)
			}
			if err == nil && (got.Version != tt.order.Version+1 || !got.UpdatedAt.Equal(coretest.Noon.Add(time.Hour))) {
				t.Errorf("version %d at %s", got.Version, got.UpdatedAt)
			}
		})
	}
}

func TestStaleEditReturnsThePresentValues(t *testing.T) {
	o := coretest.Order(func(o *trade.Order) { o.Version, o.Quantity = 5, 40 })
	_, err := o.Edit(trade.OrderEdit{Version: 4, Quantity: ptr(30)}, game.Standard(), coretest.Forms, coretest.Noon)
	if current, shown := trade.CurrentOrder(err); !shown || current.Quantity != 40 {
		t.Errorf("returned %+v", err)
	}
}

func TestTheLevelCanBeSetAndTakenAway(t *testing.T) {
	o := coretest.Order()
	o, err := o.Edit(trade.OrderEdit{Version: 1, LevelRequirement: ptr(120)}, game.Standard(), coretest.Forms, coretest.Noon)
	if err != nil || o.LevelRequirement == nil || *o.LevelRequirement != 120 {
		t.Fatalf("set: %+v, %v", o.LevelRequirement, err)
	}
	if o, err = o.Edit(trade.OrderEdit{Version: 2, AnyLevel: true}, game.Standard(), coretest.Forms, coretest.Noon); err != nil || o.LevelRequirement != nil {
		t.Errorf("taken away: %+v, %v", o.LevelRequirement, err)
	}
}

func TestClosingEarlyKeepsTheSoldQuantity(t *testing.T) {
	o, err := coretest.Order(func(o *trade.Order) { o.Sold = 3 }).Close(coretest.Noon)
	if err != nil || o.Status != trade.Fulfilled || o.Progress() != 100 || o.Sold != 3 || o.CloseReason != trade.ClosedEarly || !o.ClosedAt.Equal(coretest.Noon) {
		t.Errorf("closed: %+v, %v", o, err)
	}
	if _, err := o.Close(coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("closed twice: %v", err)
	}
}

func TestExpiry(t *testing.T) {
	o := coretest.Order()
	last := o.ExpiresAt.Add(-time.Microsecond)
	if !o.Open(last) || o.Expired(last) || o.Open(o.ExpiresAt) || !o.Expired(o.ExpiresAt) {
		t.Error("a request is open until its last moment, and expired from it on")
	}
	if _, err := o.NewOffer(coretest.OfferDraft(), core.Actor{}, trade.Seller{}, coretest.Forms, o.ExpiresAt); err == nil || err.Error() != "This request has expired" {
		t.Errorf("an offer on an expired request: %v", err)
	}
	renewed, err := o.Renew(o.ExpiresAt.Add(time.Hour))
	if err != nil || !renewed.ExpiresAt.Equal(o.ExpiresAt.Add(time.Hour).AddDate(0, 0, 365)) || renewed.Version != 2 {
		t.Errorf("renewed: %+v, %v", renewed, err)
	}
	done := coretest.Order(func(o *trade.Order) { o.Status = trade.Fulfilled })
	if _, err := done.Renew(coretest.Noon); core.KindOf(err) != core.Conflict {
		t.Errorf("a closed request was renewed: %v", err)
	}
	if done.Expired(done.ExpiresAt.AddDate(1, 0, 0)) {
		t.Error("a fulfilled request expired")
	}
}

func TestNamedItemsAreSuggestedFirstAndEachOnce(t *testing.T) {
	t.Parallel()
	named := []string{"Iron Ore", "Iron Bar", "Copper Ore"}
	for _, tt := range []struct {
		text          string
		ordered, want []string // those ordered before contain the words already
	}{
		{"", []string{"Old Rope"}, []string{"Iron Ore", "Iron Bar", "Copper Ore", "Old Rope"}},
		{"iro", []string{"iron ore", "Old Iron", "Ironwood"}, []string{"Iron Ore", "Iron Bar", "Ironwood", "Old Iron"}},
		{"ORE iron", []string{"Raw iron ore"}, []string{"Iron Ore", "Raw iron ore"}},
		{"ore", nil, []string{"Iron Ore", "Copper Ore"}},
		{"mist", nil, []string{}},
	} {
		if got := match.SuggestItems(named, tt.ordered, tt.text, 4); !slices.Equal(got, tt.want) {
			t.Errorf("%q suggests %q, want %q", tt.text, got, tt.want)
		}
	}
}
