package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/core"
)

// Market is what the bot needs of the core. *core.Market is one.
type Market interface {
	SignIn(ctx context.Context, p core.Profile) (core.User, error)

	PreviewOrder(actor core.Actor, draft core.OrderDraft) (core.Order, error)
	PostOrder(ctx context.Context, actor core.Actor, draft core.OrderDraft) (core.Order, error)
	EditOrder(ctx context.Context, actor core.Actor, id core.OrderID, edit core.OrderEdit) (core.Order, error)
	CloseOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	RenewOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	DeleteOrder(ctx context.Context, actor core.Actor, id core.OrderID) error
	Order(ctx context.Context, actor core.Actor, id core.OrderID) (core.ListedOrder, error)
	BrowseOrders(ctx context.Context, q core.OrderQuery) (core.OrderPage, error)
	OwnOrders(ctx context.Context, actor core.Actor, q core.OrderQuery) (core.OrderPage, error)
	CountOrders(ctx context.Context, f core.OrderFilter) (core.CategoryCounts, error)
	Counts(ctx context.Context, actor core.Actor) (core.Counts, error)
	ItemNames(ctx context.Context, text string, limit int) ([]string, error)

	SendOffer(ctx context.Context, actor core.Actor, id core.OrderID, draft core.OfferDraft) (core.SentOfferAnswer, error)
	AcceptOffer(ctx context.Context, actor core.Actor, id core.OfferID, qty int) (core.Acceptance, error)
	DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error
	Offers(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, []core.Offer, error)
	Offer(ctx context.Context, actor core.Actor, id core.OfferID) (core.Order, core.Offer, error)
	SentOffers(ctx context.Context, actor core.Actor, before core.OfferID, limit int) ([]core.SentOffer, error)

	LogSale(ctx context.Context, actor core.Actor, id core.OrderID, draft core.SaleDraft) (core.LoggedSale, error)
	Sales(ctx context.Context, actor core.Actor, id core.OrderID, limit int) (core.Order, []core.Sale, int, error)

	RemoveOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) error
	RemoveOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) error
	ReportOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) (core.ReportID, error)
	ReportOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) (core.ReportID, error)
	Reports(ctx context.Context, actor core.Actor, before core.ReportID, limit int) ([]core.Report, error)
	DismissReport(ctx context.Context, actor core.Actor, id core.ReportID) error
	AuditEntries(ctx context.Context, actor core.Actor, before core.AuditID, limit int) ([]core.AuditEntry, error)
	BlockUser(ctx context.Context, actor core.Actor, id core.UserID, reason string) error
	UnblockUser(ctx context.Context, actor core.Actor, id core.UserID) error
	BlockedUsers(ctx context.Context, actor core.Actor, limit int) ([]core.User, error)
	BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error
	UnblockSeller(ctx context.Context, actor core.Actor, seller core.UserID) error
	BlockedSellers(ctx context.Context, actor core.Actor) ([]core.BlockedSeller, error)

	OwnData(ctx context.Context, actor core.Actor) (core.OwnData, error)
	Leave(ctx context.Context, actor core.Actor) error

	Delivery(ctx context.Context, actor core.Actor, id core.DeliveryID) (core.Delivery, error)
	NoticeSettings(ctx context.Context, actor core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(ctx context.Context, actor core.Actor, s core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(ctx context.Context, actor core.Actor) error
}

// Store keeps what the bot must remember besides the market. *postgres.Store is one.
type Store interface {
	Drafts
	Boards
}

// Lock lets one of several programs on one database hold the gateway.
type Lock interface {
	// HoldGateway waits for its turn or until ctx ends: that is its only error.
	HoldGateway(ctx context.Context) (Hold, error)
}

// Hold is a turn at the gateway.
type Hold interface {
	Lost() <-chan struct{} // closed when it ends by itself
	Connected(works bool)  // tells the others whether the connection works
	// HandOver lets a program that waits have its turn. It returns true once that one's connection works, false when
	// nobody waits.
	HandOver(ctx context.Context) (taken bool, err error)
	Release() // ends it; may be called again
}

// onlyOne is the turn of a program that is the only one.
type onlyOne struct{}

func (onlyOne) Lost() <-chan struct{}                  { return nil }
func (onlyOne) Connected(bool)                         {}
func (onlyOne) HandOver(context.Context) (bool, error) { return false, nil }
func (onlyOne) Release()                               {}

// Hooks are told what happens, for metrics. Each may be nil.
type Hooks struct {
	// Interaction hears of every interaction: the command or action (never what was typed), how it ended ("ok",
	// "refused", "failed" or "lost") and how long the first answer took.
	Interaction func(name, outcome string, firstAnswer time.Duration)
	Gateway     func(state string)         // GatewayWaiting, GatewayConnecting, GatewayReady or GatewayDown
	Message     func(kind, outcome string) // a direct message: sent, edited, refused, later, failed
	Limited     func(scope string)         // a 429: user, global, shared or cloudflare
}

// Options are what a Bot needs from outside. Token and Store are required.
type Options struct {
	Token     string            // with or without the word Bot
	Transport http.RoundTripper // one of its own when nil
	PublicURL string            // of the web page; empty for none: then nothing links to it
	SiteName  string            // Tradepost when empty
	Log       *slog.Logger      // discards when nil
	Lock      Lock              // nil when no other program uses the token
	Now       func() time.Time  // time.Now when nil
	Hooks     Hooks
	Store     Store // required

	// Heartbeat is what Discord's gateway asks for between two heartbeats; 41.25 s when zero. A connection that does not
	// answer for two of them is made anew.
	Heartbeat time.Duration
	// ConnectTime is how long the gateway may take to become ready, and up to four times that after failures; 7 s when zero.
	ConnectTime time.Duration
	// IdleTime is how long the gateway may bring no event before the connection is made anew, because Discord has been
	// seen to forget sessions; an hour when zero.
	IdleTime time.Duration
	// DrainTime is how long a stopping bot waits for interactions in flight; 8 s when zero.
	DrainTime time.Duration
}

// Bot is the market's door in Discord. It is safe for concurrent use.
type Bot struct {
	market    Market
	log       *slog.Logger
	now       func() time.Time
	publicURL string
	siteName  string
	lock      Lock
	hooks     Hooks
	drafts    Drafts
	boards    Boards
	drainTime time.Duration

	rest    *rest
	gateway *gateway
	routes  routes
	flights flights

	boardsMoved chan struct{}                           // signals that a board or an order has changed here
	stop        atomic.Pointer[context.CancelCauseFunc] // ends the present Run; nil between two
}

// New returns a bot for the market. Run makes it work.
func New(market Market, opts Options) *Bot {
	orDuration := func(d, usual time.Duration) time.Duration {
		if d == 0 {
			return usual
		}
		return d
	}
	if opts.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 32 // everything goes to one host
		opts.Transport = transport
	}
	if opts.SiteName == "" {
		opts.SiteName = "Tradepost"
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	token := strings.TrimPrefix(strings.TrimSpace(opts.Token), "Bot ")
	b := &Bot{
		market: market, log: opts.Log, now: opts.Now, lock: opts.Lock, hooks: opts.Hooks.filled(), drafts: opts.Store, boards: opts.Store,
		publicURL: strings.TrimRight(opts.PublicURL, "/"), siteName: opts.SiteName,
		drainTime:   orDuration(opts.DrainTime, 8*time.Second),
		boardsMoved: make(chan struct{}, 1),
	}
	b.rest = &rest{
		client: &http.Client{Transport: opts.Transport}, token: token, now: time.Now, routes: map[string]time.Time{},
		agent:   fmt.Sprintf("DiscordBot (%s, 1)", b.home()),
		limited: b.hooks.Limited,
		refused: b.tokenRefused,
	}
	b.gateway = &gateway{
		token: token, transport: opts.Transport, log: opts.Log, event: b.receive,
		beat:     orDuration(opts.Heartbeat, 41250*time.Millisecond),
		patience: orDuration(opts.ConnectTime, 7*time.Second),
		idle:     orDuration(opts.IdleTime, time.Hour),
	}
	b.routes = b.table()
	return b
}

func (h Hooks) filled() Hooks {
	if h.Interaction == nil {
		h.Interaction = func(string, string, time.Duration) {}
	}
	if h.Gateway == nil {
		h.Gateway = func(string) {}
	}
	if h.Message == nil {
		h.Message = func(string, string) {}
	}
	if h.Limited == nil {
		h.Limited = func(string) {}
	}
	return h
}

func (b *Bot) home() string {
	if b.publicURL == "" {
		return "https://github.com/bwmarrin/discordgo"
	}
	return b.publicURL
}

// Ready tells whether this bot holds a gateway connection that works.
func (b *Bot) Ready() bool { return b.gateway.ready.Load() }

// Run answers interactions until ctx ends; then it finishes those in flight and returns nil. It waits its turn when
// another program holds the gateway. It returns ErrToken or ErrRefused, wrapped, when Discord will not have it.
func (b *Bot) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.stop.Store(&cancel)
	defer b.stop.Store(nil)
	var asked atomic.Pointer[time.Time] // when it was, to end
	defer context.AfterFunc(ctx, func() { asked.Store(new(time.Now())) })()
	err := b.serve(ctx)
	left := b.drainTime
	if at := asked.Load(); at != nil { // handing over took some of it
		left = max(left-time.Since(*at), time.Second)
	}
	b.flights.land(left)
	if cause := context.Cause(ctx); errors.Is(cause, ErrToken) {
		return cause
	}
	return err
}

// tokenRefused ends the present Run. Nothing more is asked of Discord for a while, nor are notices delivered.
func (b *Bot) tokenRefused() {
	b.log.Error("Discord does not accept the bot's token: nothing is sent until it does", "asking_again_in", revokedPause)
	if stop := b.stop.Load(); stop != nil {
		(*stop)(ErrToken)
	}
}

// serve holds the gateway whenever it can.
func (b *Bot) serve(ctx context.Context) error {
	appID, err := b.application(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	for ctx.Err() == nil {
		hold, err := b.hold(ctx)
		if err != nil {
			if ctx.Err() == nil {
				b.log.Error("cannot ask for the gateway", "error", err)
				pause(ctx, time.Second)
			}
			continue
		}
		err = b.holding(ctx, hold, appID)
		hold.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// holding runs what only the holder of the gateway does, until ctx ends or the hold is lost. The connection outlives ctx by
// the time that another program takes to have one.
func (b *Bot) holding(ctx context.Context, hold Hold, appID string) error {
	connected, disconnect := context.WithCancelCause(context.WithoutCancel(ctx))
	defer disconnect(nil)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var chores, work sync.WaitGroup
	chores.Go(func() { b.keepCommands(ctx, appID) })
	chores.Go(func() { b.keepBoards(ctx) })
	work.Go(func() {
		defer stop()
		select {
		case <-hold.Lost():
			disconnect(errLostLock)
		case <-ctx.Done():
			chores.Wait()
			if !errors.Is(context.Cause(ctx), ErrToken) {
				b.handOver(connected, hold)
			}
			disconnect(nil)
		}
	})
	b.gateway.state = func(state string) {
		b.hooks.Gateway(state)
		hold.Connected(state == GatewayReady)
	}
	err := b.gateway.run(connected)
	disconnect(nil)
	stop()
	work.Wait()
	chores.Wait()
	return err
}

const (
	// handOverTime is how long a bot that ends waits for another to be connected in its place.
	handOverTime = 6 * time.Second
	// linger is how long it stays after that: what Discord told it alone is still on its way.
	linger = time.Second
)

// handOver lets another program take the gateway, and answers until that one does. Both are told of what happens in
// between, which does no harm: an interaction has the effect of one, and the first answer is the one that counts.
func (b *Bot) handOver(ctx context.Context, hold Hold) {
	if !b.Ready() {
		return // there is nothing to keep open
	}
	waiting, cancel := context.WithTimeout(ctx, handOverTime)
	defer cancel()
	taken, err := hold.HandOver(waiting)
	switch {
	case err != nil && ctx.Err() == nil:
		b.log.Warn("the gateway was not handed over, what people do until another program has it is lost", "error", err)
	case taken:
		b.log.Info("another program has the gateway")
		pause(ctx, linger)
	}
}

func (b *Bot) hold(ctx context.Context) (Hold, error) {
	if b.lock == nil {
		return onlyOne{}, nil
	}
	b.hooks.Gateway(GatewayWaiting)
	return b.lock.HoldGateway(ctx)
}

// application asks Discord who we are, for as long as it takes. ErrToken is final.
func (b *Bot) application(ctx context.Context) (id string, err error) {
	var app struct {
		ID string `json:"id"`
	}
	for {
		err := patiently(ctx, func(ctx context.Context) error {
			return b.rest.do(ctx, call{method: "GET", path: "/applications/@me", route: "GET /applications/@me"}, &app)
		})
		var refused *restError
		switch {
		case err == nil, ctx.Err() != nil:
			return app.ID, nil
		case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
			return "", ErrToken
		}
		b.log.Error("Discord does not say who we are", "error", err)
		pause(ctx, 10*time.Second)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// receive takes an event from the gateway.
func (b *Bot) receive(kind string, data json.RawMessage) {
	if kind != "INTERACTION_CREATE" {
		return
	}
	arrived := time.Now()
	b.flights.start(func() {
		i, err := decodeInteraction(data)
		if err != nil {
			b.log.Error("interaction not understood", "error", err)
			return
		}
		b.answer(i, arrived)
	})
}
