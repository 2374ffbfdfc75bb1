package trade_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
)

func TestAClosingCanBeUndoneByItsBuyerForTenMinutes(t *testing.T) {
	t.Parallel()
	const buyer, seller = core.UserID(1), core.UserID(2)
	now := coretest.Noon
	open := coretest.Order(func(o *trade.Order) { o.Owner, o.Quantity, o.Sold = buyer, 100, 30 })
	closed, err := open.Close(now.Add(-time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(change func(*trade.Order)) trade.Order { o := closed; change(&o); return o }
	for name, tt := range map[string]struct {
		order trade.Order
		by    core.UserID
		want  core.ErrorKind
		says  string
	}{
		"by the buyer in time": {closed, buyer, 0, ""},
		"by the seller":        {closed, seller, core.Forbidden, "Only the buyer can do that"},
		"by a visitor":         {closed, 0, core.Unauthenticated, "Sign in with Discord to do that"},
		"a second time":        {open, buyer, core.Conflict, "This was undone already"},
		"ten minutes later":    {changed(func(o *trade.Order) { o.ClosedAt = now.Add(-core.UndoWindow) }), buyer, core.Conflict, "This can only be undone within 10 minutes"},
		"of what was filled":   {changed(func(o *trade.Order) { o.CloseReason, o.Sold = trade.Filled, 100 }), buyer, core.Conflict, "This request was filled. Undo the sale that filled it."},
		"of what was filled ten minutes earlier": {changed(func(o *trade.Order) { o.CloseReason, o.ClosedAt = trade.Filled, now.Add(-core.UndoWindow) }), buyer, core.Conflict,
			"This request was filled. Undo the sale that filled it."},
		"once its time is over": {changed(func(o *trade.Order) { o.ExpiresAt = now }), buyer, core.Conflict, "This request has expired"},
	} {
		after, err := tt.order.UndoClose(core.Actor{UserID: tt.by}, now)
		if core.KindOf(err) != tt.want || err != nil && err.Error() != tt.says {
			t.Errorf("undoing a closing %s: %v", name, err)
		}
		want := open
		want.Version, want.UpdatedAt = closed.Version+1, now
		if err == nil && after != want {
			t.Errorf("undoing a closing %s leaves %+v", name, after)
		}
	}
}
