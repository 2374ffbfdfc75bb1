package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/invariants"
)

func TestStoredValuesAreReadBackUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, level := t.Context(), 500
	posted := w.Post(w.Ann, func(d *trade.OrderDraft) {
		d.ItemName, d.Description, d.InGameName = "Überzieher 🗡", "two\nlines", "Ann the Bold"
		d.LevelRequirement, d.Importance = &level, game.Urgent
		d.Quantity, d.MaxPrice = core.MaxQuantity, core.MaxPrice
	})
	storetest.Same(t, posted, w.stored(posted.ID))

	bare := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Description = "" })
	storetest.Same(t, bare, w.stored(bare.ID))

	name, any := "Mantle", true
	edited, err := w.Trade.EditOrder(ctx, w.Ann, posted.ID, trade.OrderEdit{Version: 1, ItemName: &name, AnyLevel: any})
	must(t, err)
	storetest.Same(t, edited, w.stored(posted.ID))

	w.Clock.Forward(time.Minute)
	renewed, err := w.Trade.RenewOrder(ctx, w.Ann, posted.ID)
	must(t, err)
	storetest.Same(t, renewed, w.stored(posted.ID))

	verified, unverified := w.OfferOn(w.Bob, bare, 3), w.OfferOn(core.Actor{Address: "::1"}, bare, 4)
	offers, err := w.Store.Offers(ctx, bare.ID)
	must(t, err)
	storetest.Same(t, []trade.Offer{unverified, verified}, offers)
	listed, err := w.Trade.Order(ctx, w.Ann, bare.ID)
	must(t, err)
	if listed.Offers != 2 {
		t.Errorf("%d offers are counted, want 2", listed.Offers)
	}
	one, err := w.Store.Offer(ctx, verified.ID)
	must(t, err)
	storetest.Same(t, verified, one)

	taken, err := w.Trade.AcceptOffer(ctx, w.Ann, verified.ID, 2)
	must(t, err)
	logged, err := w.Trade.LogSale(ctx, w.Ann, bare.ID, trade.SaleDraft{Quantity: 1, Notes: "at the market"})
	must(t, err)
	storetest.Same(t, logged.Order, w.stored(bare.ID))
	sales, total, err := w.Store.Sales(ctx, bare.ID, 3)
	must(t, err)
	storetest.Same(t, []trade.Sale{logged.Sale, taken.Sale}, sales)
	newest, total2, err := w.Store.Sales(ctx, bare.ID, 1)
	must(t, err)
	storetest.Same(t, []trade.Sale{logged.Sale}, newest)
	if total != 2 || total2 != 2 {
		t.Errorf("%d and %d sales in all, want 2", total, total2)
	}

	closed, err := w.Trade.CloseOrder(ctx, w.Ann, bare.ID)
	must(t, err)
	storetest.Same(t, closed, w.stored(bare.ID))
	sent, err := w.Store.SentOffers(ctx, w.Bob.UserID, 0, 10)
	must(t, err)
	storetest.Same(t, []trade.SentOffer{{
		ID: verified.ID, Seller: w.Bob.UserID, OrderID: bare.ID, ItemName: bare.ItemName, Price: bare.MaxPrice,
		SellerName: verified.SellerName, Message: verified.Message, Quantity: 3, Accepted: 2, State: trade.OfferLapsed, BuyerContact: "ann",
		CreatedAt: verified.CreatedAt, UpdatedAt: w.Clock.Now(),
	}}, sent)
	w.CheckInvariants()
}

func (w *world) stored(id core.OrderID) trade.Order {
	w.T.Helper()
	o, err := w.Store.Order(w.T.Context(), id)
	must(w.T, err)
	return o
}

func TestMissingRowsReturnNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	for name, read := range map[string]func() error{
		"order":    func() error { _, err := w.Store.Order(ctx, 99); return err },
		"offer":    func() error { _, err := w.Store.Offer(ctx, 99); return err },
		"user":     func() error { _, err := w.Store.User(ctx, 99); return err },
		"mailbox":  func() error { _, err := w.Store.Mailbox(ctx, 99); return err },
		"delivery": func() error { _, err := w.Store.Delivery(ctx, w.Ann.UserID, 99); return err },
		"locked order": func() error {
			return w.Store.Atomically(ctx, func(tx market.Tx) error { _, err := tx.LockOrder(ctx, 99); return err })
		},
		"locked offer": func() error {
			return w.Store.Atomically(ctx, func(tx market.Tx) error { _, _, err := tx.LockOffer(ctx, 99); return err })
		},
		"locked mailbox": func() error {
			return w.Store.Atomically(ctx, func(tx market.Tx) error { _, _, err := tx.LockMailbox(ctx, 99); return err })
		},
	} {
		if err := read(); core.KindOf(err) != core.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Trade.Order(ctx, w.Ann, 99); err == nil || core.KindOf(err) != core.NotFound {
		t.Error(err)
	}
	var coreErr *core.Error
	if _, err := w.Trade.Order(ctx, w.Ann, 99); !errors.As(err, &coreErr) || coreErr.Message != "Order not found" {
		t.Errorf("the specification says 'Order not found', we say %v", err)
	}
}

func TestFailedTransactionLeavesNoRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 5)
	before := w.everything()
	coreErr := &core.Error{Kind: core.Conflict, Message: "no"}
	err := w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		o, of, err := tx.LockOffer(t.Context(), offer.ID)
		must(t, err)
		o.Sold, o.Version = 1, 2
		must(t, tx.SaveOrder(t.Context(), o))
		of.Quantity = 4
		must(t, tx.SaveOffer(t.Context(), of))
		_, err = tx.AddSale(t.Context(), trade.Sale{OrderID: o.ID, Quantity: 1, UnitPrice: 1, CreatedAt: w.Clock.Now()})
		must(t, err)
		must(t, tx.AddNotices(t.Context(), []notify.Notice{{User: w.Bob.UserID, Kind: notify.NoticeTest, State: notify.NoticePending}}))
		_, err = tx.LockSeller(t.Context(), o, w.Bob.UserID, core.Quotas{}, time.Now()) // sends what is held back
		must(t, err)
		return coreErr
	})
	if !errors.Is(err, coreErr) {
		t.Errorf("got %v", err)
	}
	if after := w.everything(); after != before {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
}

// everything digests all that the market stores.
func (w *world) everything() string {
	w.T.Helper()
	var digest string
	must(w.T, w.Store.Pool().QueryRow(w.T.Context(), `
select string_agg(part, ' ') from (
    select 'orders ' || md5(coalesce(string_agg(t::text, '' order by id), '')) as part from orders t
    union all select 'offers ' || md5(coalesce(string_agg(t::text, '' order by id), '')) from offers t
    union all select 'sent ' || md5(coalesce(string_agg(t::text, '' order by id), '')) from sent_offers t
    union all select 'sales ' || md5(coalesce(string_agg(t::text, '' order by id), '')) from order_updates t
    union all select 'notices ' || md5(coalesce(string_agg(t::text, '' order by id), '')) from notices t
    union all select 'jobs ' || count(*) from river_job) parts`).Scan(&digest))
	return digest
}

func TestViolatedConstraintFailsTheWholeWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	before := w.everything()
	// The write is buffered, so it is the commit that fails.
	err := w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		o, err := tx.LockOrder(t.Context(), order.ID)
		must(t, err)
		o.Sold = o.Quantity + 1
		return tx.SaveOrder(t.Context(), o)
	})
	wantKind(t, err, core.Conflict)
	// Here it is the next read.
	err = w.Store.Atomically(t.Context(), func(tx market.Tx) error {
		o, err := tx.LockOrder(t.Context(), order.ID)
		must(t, err)
		o.ItemName = ""
		must(t, tx.SaveOrder(t.Context(), o))
		_, err = tx.LockSeller(t.Context(), o, w.Bob.UserID, core.Quotas{}, time.Now())
		return fmt.Errorf("read after it: %w", err)
	})
	wantKind(t, err, core.Invalid)
	if after := w.everything(); after != before {
		t.Error("something stayed")
	}
	w.Post(w.Ann) // and the connection is as good as new
}

func TestASellerReplacesTheirOfferAndSeesBoth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	first := w.OfferOn(w.Bob, order, 2)
	second, err := w.Trade.SendOffer(t.Context(), w.Bob, order.ID, trade.OfferDraft{SellerName: "Bob", Message: "more", Quantity: 4})
	must(t, err)
	if !second.Replaced {
		t.Error("it does not say that it replaced the first")
	}
	offers, err := w.Store.Offers(t.Context(), order.ID)
	must(t, err)
	storetest.Same(t, []trade.Offer{second.Offer}, offers)
	page, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 1)
	must(t, err)
	rest, err := w.Trade.SentOffers(t.Context(), w.Bob, page[0].ID, 10)
	must(t, err)
	if page[0].State != trade.OfferOpen || len(rest) != 1 || rest[0].ID != first.ID || rest[0].State != trade.OfferReplaced {
		t.Errorf("sent offers = %+v, %+v", page, rest)
	}
	w.CheckInvariants()
}

func TestTheRecordOfAnOfferOutlivesItsOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 2)
	w.OfferOn(core.Actor{Address: "::1"}, order, 2)
	_, err := w.Trade.LogSale(t.Context(), w.Ann, order.ID, trade.SaleDraft{Quantity: 1})
	must(t, err)
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, order.ID))
	sent, err := w.Trade.SentOffers(t.Context(), w.Bob, 0, 10)
	must(t, err)
	if len(sent) != 1 || sent[0].ID != offer.ID || sent[0].OrderID != 0 || sent[0].State != trade.OfferLapsed {
		t.Errorf("sent = %+v", sent)
	}
	notices, err := w.Notify.Notices(t.Context(), w.Bob, 0, 10)
	must(t, err)
	if len(notices.Notices) != 1 || notices.Notices[0].Kind != notify.NoticeOfferLapsed || notices.Notices[0].OrderID != 0 {
		t.Errorf("notices = %+v", notices)
	}
	received, err := w.Notify.Notices(t.Context(), w.Ann, 0, 10)
	must(t, err)
	for _, n := range received.Notices {
		if n.OrderID != 0 {
			t.Errorf("notice %d leads to an order that is gone", n.ID)
		}
	}
	if n := w.Value("select count(*) from order_updates where order_id is not null") + w.Value("select count(*) from offers"); n != 0 {
		t.Errorf("%d rows of the order are left", n)
	}
	w.CheckInvariants()
}

func TestNoticesArePagedAndRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 5 {
		w.OfferOn(core.Actor{Address: "::1"}, w.Post(w.Ann), 1)
	}
	first, err := w.Notify.Notices(t.Context(), w.Ann, 0, 2)
	must(t, err)
	if len(first.Notices) != 2 || first.Unread != 5 || first.Next != first.Notices[1].ID {
		t.Fatalf("first page = %+v", first)
	}
	must(t, w.Notify.ReadNotices(t.Context(), w.Ann, first.Next))
	second, err := w.Notify.Notices(t.Context(), w.Ann, first.Next, 3)
	must(t, err)
	if len(second.Notices) != 3 || second.Unread != 1 || second.Next != 0 || second.Notices[0].ReadAt.IsZero() {
		t.Errorf("second page = %+v", second)
	}
	must(t, w.Notify.ReadNotices(t.Context(), w.Bob, first.Notices[0].ID))
	counts, err := w.Counts(t.Context(), w.Ann)
	must(t, err)
	if counts.Unread != 1 {
		t.Errorf("%d unread after another user read theirs, want 1", counts.Unread)
	}
}

func TestTheNewNameOfAnAccountIsTheContactEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dora, err := w.People.SignIn(t.Context(), people.Profile{DiscordID: "77", Username: "dora"})
	must(t, err)
	order := w.Post(dora.Actor(), func(d *trade.OrderDraft) { d.BuyerContact = "dora" })
	other := w.Post(dora.Actor(), func(d *trade.OrderDraft) { d.BuyerContact, d.Description = "my guild's bank", "another" })
	anns := w.Post(w.Ann)
	sent, err := w.Trade.SendOffer(t.Context(), dora.Actor(), anns.ID, trade.OfferDraft{SellerName: "Dora", SellerContact: "dora", Message: "I have it", Quantity: 1})
	must(t, err)
	if _, err = w.People.SignIn(t.Context(), people.Profile{DiscordID: "77", Username: "isidora"}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[core.OrderID]string{order.ID: "isidora", other.ID: "my guild's bank"} {
		got, err := w.Trade.Order(t.Context(), dora.Actor(), id)
		must(t, err)
		if got.BuyerContact != want || (got.Version > 1) != (want == "isidora") {
			t.Errorf("the contact is %q in version %d, want %q", got.BuyerContact, got.Version, want)
		}
	}
	_, offers, err := w.Trade.Offers(t.Context(), w.Ann, anns.ID)
	must(t, err)
	if len(offers) != 1 || offers[0].ID != sent.Offer.ID || offers[0].SellerContact != "isidora" {
		t.Errorf("the offers are %+v", offers)
	}
}

func TestSigningInAgainUpdatesTheSameUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	profile := people.Profile{DiscordID: "77", Username: "dora", DisplayName: "Dora", Email: "d@example.org", Locale: "de"}
	first, err := w.People.SignIn(t.Context(), profile)
	must(t, err)
	again, err := w.People.SignIn(t.Context(), profile)
	must(t, err)
	storetest.Same(t, first, again)
	w.Clock.Forward(time.Hour)
	renamed, err := w.People.SignIn(t.Context(), people.Profile{DiscordID: "77", Username: "dora2", DisplayName: "Dora"})
	must(t, err)
	want := first
	want.Username = "dora2" // the e-mail and the locale were not learnt this time and stay
	storetest.Same(t, want, renamed)
	known, err := w.People.User(t.Context(), first.ID)
	must(t, err)
	storetest.Same(t, want, known)

	var wait sync.WaitGroup
	ids := make([]core.UserID, 16)
	for i := range ids {
		wait.Go(func() {
			u, err := w.People.SignIn(context.WithoutCancel(t.Context()), people.Profile{DiscordID: "88", Username: fmt.Sprint("eve", i)})
			if err != nil {
				t.Error(err)
			}
			ids[i] = u.ID
		})
	}
	wait.Wait()
	for _, id := range ids {
		if id != ids[0] || id == 0 {
			t.Fatalf("one account became the users %v", ids)
		}
	}
	if n := w.Value("select count(*) from mailboxes where user_id = $1", ids[0]); n != 1 {
		t.Errorf("%d mailboxes", n)
	}
}

func TestExpiryIsDealtWithOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 2)
	quiet := w.Post(w.Ann)
	expire := func(wantExpired, wantWarned int) {
		t.Helper()
		expired, warned, err := w.Trade.ExpireOrders(t.Context(), 10)
		must(t, err)
		if expired != wantExpired || warned != wantWarned {
			t.Errorf("expired %d, warned of %d; want %d, %d", expired, warned, wantExpired, wantWarned)
		}
	}
	expire(0, 0)
	w.Clock.Forward(trade.OrderLifetime - trade.ExpiryWarning)
	expire(0, 2)
	expire(0, 0)
	_, err := w.Trade.RenewOrder(t.Context(), w.Ann, quiet.ID)
	must(t, err)
	expire(0, 0)
	w.Clock.Forward(trade.ExpiryWarning)
	expire(1, 0)
	expire(0, 0)
	w.Clock.Forward(trade.OrderLifetime - 2*trade.ExpiryWarning)
	expire(0, 1) // the renewed one, again
	expire(0, 0)
	w.CheckInvariants()
}

func TestDeletedAccountTakesItsData(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	anns, cats := w.Post(w.Ann), w.Post(w.Cat)
	w.OfferOn(w.Bob, anns, 2)
	taken := w.OfferOn(w.Bob, cats, 2)
	_, err := w.Trade.AcceptOffer(t.Context(), w.Cat, taken.ID, 1)
	must(t, err)
	for _, gone := range []core.Actor{w.Ann, w.Bob} {
		must(t, w.DeleteUser(t.Context(), gone.UserID))
	}
	if n := w.Value("select count(*) from orders") + w.Value("select count(*) from offers") + w.Value("select count(*) from sent_offers"); n != 1 {
		t.Errorf("%d orders, offers and records are left, want Cat's order", n)
	}
	sales, _, err := w.Store.Sales(t.Context(), cats.ID, 3)
	must(t, err)
	if len(sales) != 1 || sales[0].Seller != 0 || sales[0].UpdatedBy != w.Cat.UserID {
		t.Errorf("sales = %+v", sales)
	}
	violations, err := invariants.Check(t.Context(), w.Store.Pool())
	must(t, err)
	for _, v := range violations {
		if v.Invariant == "whatever names a user names one that is there" {
			t.Error(v)
		}
	}
}

func TestSettingsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	want := notify.Settings{Muted: []notify.Kind{notify.NoticeOfferReceived, notify.NoticeOrderFilled}, QuietFrom: 60, QuietTo: 420, TimeZone: "Europe/Berlin"}
	_, err := w.Notify.SetSettings(t.Context(), w.Ann, want)
	must(t, err)
	got, _, err := w.Notify.Settings(t.Context(), w.Ann)
	must(t, err)
	storetest.Same(t, want, got)
	_, err = w.Notify.SetSettings(t.Context(), w.Ann, notify.Settings{})
	must(t, err)
	got, _, err = w.Notify.Settings(t.Context(), w.Ann)
	must(t, err)
	if len(got.Muted) != 0 || got.QuietTo != 0 || got.TimeZone != "" {
		t.Errorf("settings = %+v", got)
	}
}
