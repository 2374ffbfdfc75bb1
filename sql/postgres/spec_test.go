package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// What the specification and its decisions say, held against the market as it is kept. docs/spec-coverage.md says which
// test holds which sentence.

func TestTablesAndColumnsAreNamedAsTheSpecificationNamesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for table, columns := range map[string]string{
		"orders": "id item_name quantity max_price_per_unit description buyer_contact status progress created_at expires_at " +
			"user_id category level_requirement ign updated_at importance",
		"offers":        "id order_id seller_name seller_contact message price_per_unit quantity_offered created_at",
		"order_updates": "id order_id quantity_sold notes created_at updated_by",
	} {
		rows, err := w.Store.Pool().Query(t.Context(),
			"select column_name::text, data_type::text from information_schema.columns where table_schema = any(current_schemas(false)) and table_name = $1", table)
		must(t, err)
		types := map[string]string{}
		var name, kind string
		_, err = pgx.ForEachRow(rows, []any{&name, &kind}, func() error { types[name] = kind; return nil })
		must(t, err)
		for column := range strings.FieldsSeq(columns) {
			if types[column] == "" {
				t.Errorf("%s has no column %s", table, column)
			}
			if strings.Contains(column, "price") && types[column] != "bigint" {
				t.Errorf("%s.%s is %s: copper is bigint", table, column, types[column])
			}
		}
	}
}

func TestANewRequestStartsActiveAtNothingAndEndsAfter365Days(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Category, d.Importance, d.Description, d.InGameName = "", "", "", "" })
	var status, category, importance, description string
	var progress, days int
	var level *int
	var ign *string
	must(t, w.Store.Pool().QueryRow(t.Context(), `
select status, progress, category, importance, description, level_requirement, ign,
    extract(epoch from expires_at - created_at)::int / 86400 from orders where id = $1`, order.ID).
		Scan(&status, &progress, &category, &importance, &description, &level, &ign, &days))
	if status != "active" || progress != 0 || category != "Merchant" || importance != "medium" || description != "" || level != nil || ign != nil || days != 365 {
		t.Errorf("stored as %s at %d%%, %s, %s, %q, level %v, in-game name %v, for %d days", status, progress, category, importance, description, level, ign, days)
	}
}

func TestAcceptingTakesFromTheOfferUntilItIsGoneAndRecordsTheSale(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Quantity, d.MaxPrice = 100, 500 })
	offer := w.OfferOn(w.Bob, order, 8)
	dearer := core.Copper(900)
	_, err := w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: 1, MaxPrice: &dearer})
	must(t, err)
	if _, offers, err := w.Trade.Offers(t.Context(), w.Ann, order.ID); err != nil || offers[0].Price != 500 {
		t.Errorf("the price of the request has changed, and with it that of an offer made before: %+v, %v", offers, err)
	}

	part, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 3)
	must(t, err)
	if left := w.Value("select quantity_offered from offers where id = $1", offer.ID); left != 5 || part.Offer.Quantity != 5 {
		t.Errorf("3 of 8 leave %d", left)
	}
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 5)
	must(t, err)
	if n := w.Value("select count(*) from offers"); n != 0 {
		t.Error("an offer with nothing left is still open")
	}
	after := w.stored(order.ID)
	if after.Sold != 8 || after.Progress() != 8 || after.Status != trade.Active {
		t.Errorf("after it the request is %+v", after)
	}
	_, sales, total, err := w.Trade.Sales(t.Context(), w.Ann, order.ID, 10)
	must(t, err)
	if total != 2 || sales[0].Quantity != 5 || sales[1].Quantity != 3 {
		t.Fatalf("the sales, newest first, are %+v", sales)
	}
	for _, s := range sales {
		if s.Notes != "Accepted offer from A seller (bob)" || s.UnitPrice != 500 || s.Seller != w.Bob.UserID || s.UpdatedBy != w.Ann.UserID {
			t.Errorf("recorded as %+v", s)
		}
	}
	w.CheckInvariants()
}

func TestAnOfferMayBeForAllThatWasAskedForAlsoWhenSomeIsSold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 4})
	must(t, err)
	whole := w.OfferOn(w.Bob, order, 10)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, whole.ID, 7)
	if current, shown := trade.CurrentOrder(err); core.KindOf(err) != core.Invalid || !shown || current.Remaining() != 6 {
		t.Fatalf("more than remains returns %+v: want the fresh remaining quantity", err)
	}
	if stored := w.stored(order.ID); stored.Sold != 4 {
		t.Errorf("a failed accept has sold %d", stored.Sold-4)
	}
	_, err = w.Trade.SendOffer(t.Context(), w.Cat, order.ID, trade.OfferDraft{SellerName: "Cat", Message: "m", Quantity: 11})
	wantKind(t, err, core.Invalid)
}

func TestAFulfilledRequestTakesNothingMoreAndCanBeDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.Post(w.Ann)
	_, err := w.Trade.LogSale(ctx, w.Ann, order.ID, trade.SaleDraft{Quantity: 3})
	must(t, err)
	w.Clock.Forward(time.Minute)
	closed, err := w.Trade.CloseOrder(ctx, w.Ann, order.ID)
	must(t, err)
	stored := w.stored(order.ID)
	if stored.Status != trade.Fulfilled || stored.Progress() != 100 || stored.Sold != 3 || stored.CloseReason != trade.ClosedEarly ||
		!stored.UpdatedAt.Equal(w.Clock.Now()) || !stored.ClosedAt.Equal(w.Clock.Now()) {
		t.Errorf("closed early it is kept as %+v", stored)
	}
	quantity := 5
	for name, try := range map[string]func() error{
		"an edit": func() error {
			_, err := w.Trade.EditOrder(ctx, w.Ann, order.ID, trade.OrderEdit{Version: closed.Version, Quantity: &quantity})
			return err
		},
		"an offer": func() error {
			_, err := w.Trade.SendOffer(ctx, w.Bob, order.ID, trade.OfferDraft{SellerName: "B", Message: "m", Quantity: 1})
			return err
		},
		"a sale": func() error {
			_, err := w.Trade.LogSale(ctx, w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
			return err
		},
		"another close": func() error { _, err := w.Trade.CloseOrder(ctx, w.Ann, order.ID); return err },
		"a renewal":     func() error { _, err := w.Trade.RenewOrder(ctx, w.Ann, order.ID); return err },
	} {
		if err := try(); core.KindOf(err) != core.Conflict {
			t.Errorf("%s on it: %v", name, err)
		}
	}
	must(t, w.Trade.DeleteOrder(ctx, w.Ann, order.ID))
	_, err = w.Trade.Order(ctx, w.Ann, order.ID)
	wantKind(t, err, core.NotFound)
	if n := w.Value("select (select count(*) from orders) + (select count(*) from offers)"); n != 0 {
		t.Errorf("%d rows of a deleted request are left", n)
	}
	if n := w.Value("select count(*) from order_updates where order_id is not null or notes is not null"); n != 0 {
		t.Errorf("%d of its sales keep its number or the owner's texts", n)
	}
}

func TestEditDownToTheSoldQuantityFillsTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	sold, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 4})
	must(t, err)
	w.OfferOn(w.Bob, order, 5)
	less, equal := 3, 4
	_, err = w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: sold.Order.Version, Quantity: &less})
	if err == nil || err.Error() != "Quantity cannot be less than the 4 already sold" {
		t.Errorf("an edit below what is sold: %v", err)
	}
	edited, err := w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: sold.Order.Version, Quantity: &equal})
	must(t, err)
	if edited.Status != trade.Fulfilled || edited.CloseReason != trade.Filled {
		t.Errorf("edited to %+v", edited)
	}
	w.UndoWindowPasses()
	if kinds := w.noticesOf(w.Bob); !slices.Equal(kinds, []notify.Kind{notify.NoticeOfferLapsed}) {
		t.Errorf("the seller's notices are %v", kinds)
	}
	w.CheckInvariants()
}

func TestAnExpiredRequestIsGoneAtOnceUntilItIsRenewed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 2)
	shown := func() [4]int {
		t.Helper()
		page, err := w.Match.BrowseOrders(ctx, match.OrderQuery{})
		must(t, err)
		counts, err := w.Match.CountOrders(ctx, match.OrderFilter{})
		must(t, err)
		own, err := w.Counts(ctx, w.Ann)
		must(t, err)
		return [4]int{len(page.Orders), page.Total, counts.All, own.Active}
	}
	w.Clock.Forward(trade.OrderLifetime - time.Microsecond)
	if got := shown(); got != [4]int{1, 1, 1, 1} {
		t.Errorf("in its last moment the lists contain %v", got)
	}
	w.Clock.Forward(time.Microsecond) // and no expiry job has run
	if got := shown(); got != [4]int{} {
		t.Errorf("expired, the lists still contain %v", got)
	}
	_, err := w.Trade.SendOffer(ctx, w.Cat, order.ID, trade.OfferDraft{SellerName: "C", Message: "m", Quantity: 1})
	wantKind(t, err, core.Conflict)
	_, err = w.Trade.AcceptOffer(ctx, w.Ann, offer.ID, 1)
	wantKind(t, err, core.Conflict)
	_, err = w.Trade.Order(ctx, w.Cat, order.ID)
	wantKind(t, err, core.NotFound)
	mine, err := w.Match.OwnOrders(ctx, w.Ann, match.OrderQuery{List: match.ExpiredOrders})
	must(t, err)
	if mine.Total != 1 || !mine.Orders[0].Expired(w.Clock.Now()) {
		t.Errorf("its buyer reads %+v", mine)
	}
	renewed, err := w.Trade.RenewOrder(ctx, w.Ann, order.ID)
	must(t, err)
	if got := shown(); got != [4]int{1, 1, 1, 1} || !renewed.ExpiresAt.Equal(w.Clock.Now().AddDate(0, 0, 365)) {
		t.Errorf("renewed until %s, the lists contain %v", renewed.ExpiresAt, got)
	}
}

func TestOnlyBuyerAndSellerReadOffersAndSales(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.Post(w.Ann)
	bobs, visitors := w.OfferOn(w.Bob, order, 2), w.OfferOn(core.Actor{Address: "::1"}, order, 2)
	for who, tt := range map[*core.Actor]struct{ lists, bobs, visitors core.ErrorKind }{
		&w.Ann:           {0, 0, 0},
		&w.Bob:           {core.Forbidden, 0, core.Forbidden},
		&w.Cat:           {core.Forbidden, core.Forbidden, core.Forbidden},
		{Address: "::1"}: {core.Unauthenticated, core.Unauthenticated, core.Unauthenticated},
	} {
		_, _, err := w.Trade.Offers(ctx, *who, order.ID)
		wantKind(t, err, tt.lists)
		_, _, _, err = w.Trade.Sales(ctx, *who, order.ID, 3)
		wantKind(t, err, tt.lists)
		_, _, err = w.Trade.Offer(ctx, *who, bobs.ID)
		wantKind(t, err, tt.bobs)
		_, _, err = w.Trade.Offer(ctx, *who, visitors.ID)
		wantKind(t, err, tt.visitors)
	}
	sent, err := w.Trade.SentOffers(ctx, w.Cat, 0, 10)
	must(t, err)
	if len(sent) != 0 {
		t.Errorf("another user's offers are in the list: %+v", sent)
	}
}

func TestOffersThatCannotBeCountedAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	must(t, w.SQL("alter table offers rename to mislaid"))
	got, err := w.Trade.Order(t.Context(), w.Ann, order.ID)
	if err != nil || got.ID != order.ID || got.Offers != 0 {
		t.Errorf("read as %+v, %v", got, err)
	}
}

func TestAFailureHasTheSentenceOfTheSpecification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 2)
	quantity := 20
	tables := []string{"orders", "offers", "order_updates"}
	for _, table := range tables {
		must(t, w.SQL("alter table "+table+" rename to mislaid_"+table))
	}
	fails := func(name string, did error, want string) {
		t.Helper()
		var failure *core.Failure
		if !errors.As(did, &failure) || failure.Message != want || core.KindOf(did) != 0 || !strings.Contains(did.Error(), "42P01") {
			t.Errorf("%s: %v, want %q and what happened", name, did, want)
		}
	}
	const message = "Something went wrong on our side. Please try again."
	_, err := w.Match.BrowseOrders(ctx, match.OrderQuery{})
	fails("browse", err, "Failed to fetch orders")
	_, err = w.Match.CountOrders(ctx, match.OrderFilter{Text: "x"})
	fails("count", err, "Failed to fetch orders")
	_, err = w.Match.OwnOrders(ctx, w.Ann, match.OrderQuery{})
	fails("my requests", err, "Failed to fetch user orders")
	_, err = w.Trade.Order(ctx, w.Ann, order.ID)
	fails("read", err, "Failed to fetch order")
	_, err = w.Trade.PostOrder(ctx, w.Ann, trade.OrderDraft{ItemName: "Iron", Quantity: 1, MaxPrice: 1, BuyerContact: "ann"})
	fails("post", err, "Failed to create order")
	_, err = w.Trade.EditOrder(ctx, w.Ann, order.ID, trade.OrderEdit{Version: 1, Quantity: &quantity})
	fails("edit", err, "Failed to update order")
	_, err = w.Trade.RenewOrder(ctx, w.Ann, order.ID)
	fails("renew", err, "Failed to update order")
	_, err = w.Trade.CloseOrder(ctx, w.Ann, order.ID)
	fails("close", err, "Failed to close order")
	fails("delete", w.Trade.DeleteOrder(ctx, w.Ann, order.ID), "Failed to delete order: "+message)
	_, err = w.Trade.SendOffer(ctx, w.Bob, order.ID, trade.OfferDraft{SellerName: "B", Message: "m", Quantity: 1})
	fails("offer", err, "Failed to create offer")
	_, err = w.Trade.AcceptOffer(ctx, w.Ann, offer.ID, 1)
	fails("accept", err, "Failed to update offer quantity")
	fails("delete an offer", w.Trade.DeleteOffer(ctx, w.Ann, offer.ID), "Failed to delete offer: "+message)
	_, err = w.Trade.LogSale(ctx, w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
	fails("log a sale", err, "Failed to add order update")

	must(t, w.SQL("alter table mislaid_orders rename to orders"))
	_, _, err = w.Trade.Offers(ctx, w.Ann, order.ID)
	fails("offers", err, "Failed to fetch offers")
	_, _, _, err = w.Trade.Sales(ctx, w.Ann, order.ID, 3)
	fails("sales", err, "Failed to fetch order updates")
}
