package markettest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/invariants"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// fixture is a market with a buyer and two sellers in a real database, and the DM sender of its
// notices. Its clock advances only by pass.
type fixture struct {
	*market.Market
	t     *testing.T
	store *postgres.Store
	mail  *dmSender
	ended []notify.Notice // as the market reports them

	mu  sync.Mutex
	now time.Time

	ann      core.Actor // a buyer
	bob, cat core.Actor // sellers
}

func newFixture(t *testing.T, change ...func(*market.Options)) *fixture {
	t.Helper()
	return fixtureAt(t, pgtest.New(t), change...)
}

func fixtureAt(t *testing.T, dsn string, change ...func(*market.Options)) *fixture {
	t.Helper()
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{MaxConns: 8, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(store.Close)
	o := &fixture{t: t, store: store, mail: &dmSender{}, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	opts := market.Options{Now: o.clock, NoticeEnded: func(n notify.Notice) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.ended = append(o.ended, n)
	}}
	for _, c := range change {
		c(&opts)
	}
	o.Market = market.New(store, opts)
	for name, who := range map[string]*core.Actor{"ann": &o.ann, "bob": &o.bob, "cat": &o.cat} {
		user, err := o.People.SignIn(t.Context(), people.Profile{DiscordID: "1" + name, Username: name, DisplayName: name})
		must(t, err)
		*who = coretest.AlwaysFresh(user.Actor())
	}
	return o
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (o *fixture) clock() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.now
}

func (o *fixture) pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(d)
}

var lots atomic.Int64

func (o *fixture) post(by core.Actor) trade.Order {
	o.t.Helper()
	order, err := o.Trade.PostOrder(o.t.Context(), by, o.draft(by))
	must(o.t, err)
	return order
}

// draft equals no other: a buyer has each request open once.
func (o *fixture) draft(by core.Actor) trade.OrderDraft {
	return trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 100, MaxPrice: 500, BuyerContact: by.Username, Category: "Miner",
		Description: fmt.Sprintf("Lot %d", lots.Add(1)),
	}
}

var offerDraft = trade.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have some", Quantity: 5}

func (o *fixture) offer(by core.Actor, on trade.Order) trade.Offer {
	o.t.Helper()
	answer, err := o.Trade.SendOffer(o.t.Context(), by, on.ID, offerDraft)
	must(o.t, err)
	return answer.Offer
}

// visit makes offers of visitors.
func (o *fixture) visit(on trade.Order, many int) (offers []trade.Offer) {
	o.t.Helper()
	for range many {
		offers = append(offers, o.offer(core.Actor{Address: "::1"}, on))
	}
	return offers
}

// inbox is what a user reads on the web, oldest first.
func (o *fixture) inbox(of core.Actor) []notify.Notice {
	o.t.Helper()
	var all []notify.Notice
	for before := core.NoticeID(0); ; {
		page, err := o.Notify.Notices(o.t.Context(), of, before, 50)
		must(o.t, err)
		for _, n := range page.Notices {
			all = append([]notify.Notice{n}, all...)
		}
		if before = page.Next; before == 0 {
			return all
		}
	}
}

// last is the newest notice of a kind in an inbox.
func (o *fixture) last(of core.Actor, kind notify.Kind) notify.Notice {
	o.t.Helper()
	var found notify.Notice
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
func (o *fixture) round(of core.Actor) (wait time.Duration) {
	o.t.Helper()
	for _, n := range o.inbox(of) {
		if n.State != notify.NoticePending {
			continue
		}
		wait = max(wait, o.deliver(n.ID))
	}
	return wait
}

// deliver has one notice delivered and returns the wait that was asked for, zero when it has ended.
func (o *fixture) deliver(id core.NoticeID) time.Duration {
	o.t.Helper()
	err := o.Channels.DeliverNotice(o.t.Context(), o.mail, id)
	var later *channels.RetryLater
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

// wantState checks the states of a user's notices, oldest first.
func (o *fixture) wantState(of core.Actor, want ...notify.State) {
	o.t.Helper()
	var got []notify.State
	for _, n := range o.inbox(of) {
		got = append(got, n.State)
		if (n.State == notify.NoticePending) != n.SettledAt.IsZero() {
			o.t.Errorf("notice %d is %s since %v", n.ID, n.State, n.SettledAt)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		o.t.Errorf("notices are %v, want %v", got, want)
	}
}

// checkInvariants checks the invariants of the data.
func (o *fixture) checkInvariants() {
	o.t.Helper()
	broken, err := invariants.Check(o.t.Context(), o.store.Pool())
	must(o.t, err)
	for _, v := range broken {
		o.t.Errorf("broken: %s", v)
	}
}

// dmSender records what it is given. Its answers can be scripted.
type dmSender struct {
	mu     sync.Mutex
	sent   []channels.Delivery
	looked []channels.Delivery                            // for what
	there  bool                                           // what is looked for is found
	answer func(context.Context, channels.Delivery) error // nil: it arrives
}

func (c *dmSender) SendDM(ctx context.Context, d channels.Delivery) (notify.SentDM, error) {
	c.mu.Lock()
	if d.FindOnly {
		defer c.mu.Unlock()
		c.looked = append(c.looked, d)
		if !c.there {
			return notify.SentDM{}, nil
		}
		return notify.SentDM{ChannelID: "channel of " + d.To.DiscordID, MessageID: "message " + d.Nonce()}, nil
	}
	c.sent = append(c.sent, d)
	answer := c.answer
	c.mu.Unlock()
	if answer != nil {
		if err := answer(ctx, d); err != nil {
			return notify.SentDM{}, err
		}
	}
	if d.MessageID != "" {
		return notify.SentDM{ChannelID: d.ChannelID, MessageID: d.MessageID}, nil
	}
	return notify.SentDM{ChannelID: "channel of " + d.To.DiscordID, MessageID: "message " + d.Nonce()}, nil
}

// always makes every send return err; with nil, messages arrive.
func (c *dmSender) always(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = func(context.Context, channels.Delivery) error { return err }
}

// took returns what was sent since it was last asked.
func (c *dmSender) took() []channels.Delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	sent := c.sent
	c.sent = nil
	return sent
}

// one returns what was sent, which must be one message.
func (c *dmSender) one(t *testing.T) channels.Delivery {
	t.Helper()
	sent := c.took()
	if len(sent) != 1 {
		t.Fatalf("%d messages were sent, want one", len(sent))
	}
	return sent[0]
}

// none checks that nothing was sent.
func (c *dmSender) none(t *testing.T) {
	t.Helper()
	if sent := c.took(); len(sent) != 0 {
		t.Errorf("sent %+v, want nothing", sent)
	}
}

var errNoAnswer = errors.New("no answer came")
