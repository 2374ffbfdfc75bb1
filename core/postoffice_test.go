package core_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// office is a market with a buyer and two sellers, kept in a real database, and the courier that its notices go through.
// Its clock stands still until it is moved.
type office struct {
	*core.Market
	t     *testing.T
	store *postgres.Store
	mail  *courier
	ended []core.Notice // as the market tells of them

	mu  sync.Mutex
	now time.Time

	ann      core.Actor // a buyer
	bob, cat core.Actor // sellers
}

func newOffice(t *testing.T) *office {
	t.Helper()
	return officeAt(t, pgtest.New(t))
}

func officeAt(t *testing.T, dsn string) *office {
	t.Helper()
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(store.Close)
	o := &office{t: t, store: store, mail: &courier{}, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	o.Market = core.New(store, core.Options{Now: o.clock, NoticeEnded: func(n core.Notice) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.ended = append(o.ended, n)
	}})
	for name, who := range map[string]*core.Actor{"ann": &o.ann, "bob": &o.bob, "cat": &o.cat} {
		user, err := o.SignIn(t.Context(), core.Profile{DiscordID: "1" + name, Username: name, DisplayName: name})
		must(t, err)
		*who = user.Actor()
	}
	return o
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (o *office) clock() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.now
}

func (o *office) pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(d)
}

func (o *office) post(by core.Actor) core.Order {
	o.t.Helper()
	order, err := o.PostOrder(o.t.Context(), by, core.OrderDraft{
		ItemName: "Iron Ore", Quantity: 100, MaxPrice: 500, BuyerContact: by.Username, Category: "Miner",
	})
	must(o.t, err)
	return order
}

func (o *office) offer(by core.Actor, on core.Order) core.Offer {
	o.t.Helper()
	answer, err := o.SendOffer(o.t.Context(), by, on.ID, core.OfferDraft{
		SellerName: "A seller", SellerContact: "seller", Message: "I have some", Quantity: 5,
	})
	must(o.t, err)
	return answer.Offer
}

// visit makes offers of visitors.
func (o *office) visit(on core.Order, many int) (offers []core.Offer) {
	o.t.Helper()
	for range many {
		offers = append(offers, o.offer(core.Actor{Address: "::1"}, on))
	}
	return offers
}

// inbox is what a user reads on the web, oldest first.
func (o *office) inbox(of core.Actor) []core.Notice {
	o.t.Helper()
	var all []core.Notice
	for before := core.NoticeID(0); ; {
		page, err := o.Notices(o.t.Context(), of, before, 50)
		must(o.t, err)
		for _, n := range page.Notices {
			all = append([]core.Notice{n}, all...)
		}
		if before = page.Next; before == 0 {
			return all
		}
	}
}

// last is the newest notice of a kind in an inbox.
func (o *office) last(of core.Actor, kind core.NoticeKind) core.Notice {
	o.t.Helper()
	var found core.Notice
	for _, n := range o.inbox(of) {
		if n.Kind == kind {
			found = n
		}
	}
	if found.ID == 0 {
		o.t.Fatalf("no notice of the kind %s", kind)
	}
	return found
}

// round has every pending notice of a user delivered once, oldest first, as the queue does. It returns the longest wait
// that was asked for.
func (o *office) round(of core.Actor) (wait time.Duration) {
	o.t.Helper()
	for _, n := range o.inbox(of) {
		if n.State != core.NoticePending {
			continue
		}
		wait = max(wait, o.deliver(n.ID))
	}
	return wait
}

// deliver has one notice delivered and returns the wait that was asked for, zero when it has ended.
func (o *office) deliver(id core.NoticeID) time.Duration {
	o.t.Helper()
	err := o.DeliverNotice(o.t.Context(), o.mail, id)
	var later *core.Later
	if err != nil && !errors.As(err, &later) {
		o.t.Fatalf("deliver notice %d: %v", id, err)
	}
	if later == nil {
		return 0
	}
	if later.After <= 0 {
		o.t.Errorf("notice %d is to be tried again at once", id)
	}
	return later.After
}

// wantState checks how the notices of a user stand, oldest first.
func (o *office) wantState(of core.Actor, want ...core.NoticeState) {
	o.t.Helper()
	var got []core.NoticeState
	for _, n := range o.inbox(of) {
		got = append(got, n.State)
		if (n.State == core.NoticePending) != n.SettledAt.IsZero() {
			o.t.Errorf("notice %d is %s since %v", n.ID, n.State, n.SettledAt)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("notices are %v, want %v", got, want)
	}
}

// keepsItsPromises checks the data.
func (o *office) keepsItsPromises() {
	o.t.Helper()
	broken, err := o.store.Check(o.t.Context())
	must(o.t, err)
	for _, v := range broken {
		o.t.Errorf("broken: %s", v)
	}
}

// courier keeps what it is given. What it answers can be scripted.
type courier struct {
	mu      sync.Mutex
	carried []core.Delivery
	answer  func(context.Context, core.Delivery) error // nil: it arrives
}

func (c *courier) Deliver(ctx context.Context, d core.Delivery) (core.Receipt, error) {
	c.mu.Lock()
	c.carried = append(c.carried, d)
	answer := c.answer
	c.mu.Unlock()
	if answer != nil {
		if err := answer(ctx, d); err != nil {
			return core.Receipt{}, err
		}
	}
	if d.MessageID != "" {
		return core.Receipt{ChannelID: d.ChannelID, MessageID: d.MessageID}, nil
	}
	return core.Receipt{ChannelID: "channel of " + d.To.DiscordID, MessageID: "message " + d.Nonce()}, nil
}

// always has the courier answer every time with the same; nil: it arrives.
func (c *courier) always(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = func(context.Context, core.Delivery) error { return err }
}

// took returns what was carried since it was last asked.
func (c *courier) took() []core.Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	carried := c.carried
	c.carried = nil
	return carried
}

// one returns what was carried, which must be one message.
func (c *courier) one(t *testing.T) core.Delivery {
	t.Helper()
	carried := c.took()
	if len(carried) != 1 {
		t.Fatalf("%d messages were carried, want one", len(carried))
	}
	return carried[0]
}

// none checks that nothing was carried.
func (c *courier) none(t *testing.T) {
	t.Helper()
	if carried := c.took(); len(carried) != 0 {
		t.Errorf("carried %+v, want nothing", carried)
	}
}

var errNoAnswer = errors.New("no answer came")
