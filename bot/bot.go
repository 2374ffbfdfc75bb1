package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/security"
)

// Market is what the bot needs of the core. *core.Market is one.
type Market interface {
	SignIn(ctx context.Context, p core.Profile) (core.User, error)

	UnusualPrice(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (*core.UnusualPrice, error)
	PreviewOrder(actor core.Actor, draft core.OrderDraft) (core.Order, error)
	PostOrder(ctx context.Context, actor core.Actor, draft core.OrderDraft) (core.Order, error)
	EditOrder(ctx context.Context, actor core.Actor, id core.OrderID, edit core.OrderEdit) (core.Order, error)
	PreviewList(ctx context.Context, actor core.Actor, draft core.ListDraft) (core.PostedList, error)
	ListFixes(ctx context.Context, actor core.Actor, text string) ([]core.ListFix, error)
	Records(ctx context.Context, users ...core.UserID) (core.Records, error)
	TraderPage(ctx context.Context, id core.UserID) (core.TraderPage, error)
	FindTrader(ctx context.Context, username string) (core.TraderPage, error)
	SetStanding(ctx context.Context, actor core.Actor, id core.OrderID, draft core.StandingDraft) (core.StandingAcceptance, error)
	EndStanding(ctx context.Context, actor core.Actor, id core.OrderID) error
	SetLeastRecord(ctx context.Context, actor core.Actor, id core.OrderID, least core.LeastRecord) error
	OfferOnList(ctx context.Context, actor core.Actor, id core.ListID, draft core.ListOffer) ([]core.SendOfferResult, error)
	PostList(ctx context.Context, actor core.Actor, draft core.ListDraft) (core.PostedList, error)
	PostedList(ctx context.Context, actor core.Actor, id core.ListID) (core.PostedList, error)
	CloseOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	RenewOrder(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	DeleteOrder(ctx context.Context, actor core.Actor, id core.OrderID) error
	Order(ctx context.Context, actor core.Actor, id core.OrderID) (core.ListedOrder, error)
	BrowseOrders(ctx context.Context, q core.OrderQuery) (core.OrderPage, error)
	BrowseFillable(ctx context.Context, actor core.Actor, q core.OrderQuery) (core.OrderPage, error)
	OwnOrders(ctx context.Context, actor core.Actor, q core.OrderQuery) (core.OrderPage, error)
	Skills(ctx context.Context, actor core.Actor) ([]core.Skill, error)
	CountOrders(ctx context.Context, f core.OrderFilter) (core.CategoryCounts, error)
	Counts(ctx context.Context, actor core.Actor) (core.Counts, error)
	ItemNames(ctx context.Context, actor core.Actor, text string, limit int) ([]string, error)
	CompleteItems(ctx context.Context, text string) ([]core.Item, error)
	NameItem(ctx context.Context, text string) (named, near *core.Item, err error)
	ItemsMeant(ctx context.Context, text string) (core.MeantItems, error)
	MeantItem(ctx context.Context, text string) string
	Item(ctx context.Context, id core.ItemID) (core.Item, error)
	ItemPrices(ctx context.Context, id core.ItemID, daily bool) (core.ItemPrices, error)
	ItemOdds(ctx context.Context, id core.ItemID) (core.ItemOdds, error)
	ProvisionalItems(ctx context.Context, actor core.Actor, after core.ItemID, limit int) ([]core.ProvisionalItem, error)
	DecideItem(ctx context.Context, actor core.Actor, id core.ItemID, decision core.ItemDecision, into core.ItemID) (core.Item, error)

	Stock(ctx context.Context, actor core.Actor) ([]core.Stock, error)
	ReadStock(ctx context.Context, text string) ([]core.StockLine, error)
	SaveStock(ctx context.Context, actor core.Actor, drafts []core.StockDraft) ([]core.Stock, error)
	DeleteStock(ctx context.Context, actor core.Actor, id core.StockID) error
	ConfirmStock(ctx context.Context, actor core.Actor) (int, error)
	Fill(ctx context.Context, actor core.Actor) ([]core.FillableOrder, error)
	StockFor(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (core.StockSum, error)
	SnoozeStock(ctx context.Context, actor core.Actor, alert core.NoticeID, snooze core.Snooze) (core.Stock, error)
	StopStock(ctx context.Context, actor core.Actor, alert core.NoticeID) (core.Stock, error)
	AlertStock(ctx context.Context, actor core.Actor, id core.StockID, on bool) (core.Stock, error)
	Audience(ctx context.Context, actor core.Actor, draft core.OrderDraft) (int, error)
	Wanted(ctx context.Context) (core.Wanted, error)

	SendOffer(ctx context.Context, actor core.Actor, id core.OrderID, draft core.OfferDraft) (core.SendOfferResult, error)
	DeleteOffer(ctx context.Context, actor core.Actor, id core.OfferID) error
	Offers(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, []core.Offer, error)
	AnsweredOffers(ctx context.Context, actor core.Actor, id core.OrderID) (core.AnsweredOffers, error)
	Offer(ctx context.Context, actor core.Actor, id core.OfferID) (core.Order, core.Offer, error)
	SentOffers(ctx context.Context, actor core.Actor, before core.OfferID, limit int) ([]core.SentOffer, error)
	SentOffersIn(ctx context.Context, actor core.Actor, part core.SentPart, before core.OfferID, limit int) ([]core.SentOffer, core.SentCounts, error)
	ReceivedOffers(ctx context.Context, actor core.Actor, after core.ReceivedPlace, limit int) (core.ReceivedPage, error)
	AnswerOffers(ctx context.Context, actor core.Actor, answers []core.OfferAnswer) ([]core.OfferOutcome, error)
	OpenOffers(ctx context.Context, actor core.Actor) ([]core.SentOffer, error)
	OpenOfferOn(ctx context.Context, actor core.Actor, id core.OrderID) (*core.SentOffer, error)

	Accounts(ctx context.Context, ids ...core.UserID) (core.Accounts, error)
	MarkLookAlikes(o core.Order) core.Order
	MarkItem(o core.Order) core.Order
	Receipts(ctx context.Context, actor core.Actor, q core.ReceiptQuery) ([]core.Receipt, error)

	LogSale(ctx context.Context, actor core.Actor, id core.OrderID, draft core.SaleDraft) (core.LogSaleResult, error)
	UndoSale(ctx context.Context, actor core.Actor, id core.SaleID) (core.Order, error)
	UndoClose(ctx context.Context, actor core.Actor, id core.OrderID) (core.Order, error)
	UndoOffer(ctx context.Context, actor core.Actor, id core.OfferID) error
	Sales(ctx context.Context, actor core.Actor, id core.OrderID, limit int) (core.Order, []core.Sale, int, error)

	AcceptOfferBy(ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time) (core.Acceptance, error)
	Handovers(ctx context.Context, actor core.Actor, q core.HandoverQuery) ([]core.Handover, error)
	SayHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID, word core.Word) ([]core.Handover, error)
	TakeBackWords(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	PostponeHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	AgreeHandover(ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time) (core.Handover, error)
	Slip(ctx context.Context, actor core.Actor, partner core.UserID) (core.Slip, error)
	SlipPartners(ctx context.Context, actor core.Actor) ([]core.SlipPartner, error)
	SetMeetingPlace(ctx context.Context, actor core.Actor, partner core.UserID, place string) error
	SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error)
	Disputes(ctx context.Context, actor core.Actor, before core.SaleID, limit int) ([]core.Dispute, error)
	Dispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Dispute, error)
	LookAtDispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Handover, error)
	RuleDispute(ctx context.Context, actor core.Actor, id core.SaleID, ruling core.DisputeRuling) (core.Handover, error)

	RemoveOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) error
	RemoveOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) error
	ReportOrder(ctx context.Context, actor core.Actor, id core.OrderID, reason string) (core.ReportID, error)
	ReportOffer(ctx context.Context, actor core.Actor, id core.OfferID, reason string) (core.ReportID, error)
	Reports(ctx context.Context, actor core.Actor, before core.ReportID, limit int) ([]core.Report, error)
	Report(ctx context.Context, actor core.Actor, id core.ReportID) (core.Report, error)
	DismissReport(ctx context.Context, actor core.Actor, id core.ReportID) error
	DecideReport(ctx context.Context, actor core.Actor, id core.ReportID, decision core.ReportDecision, reason string) error
	EndBoard(ctx context.Context, guildID, channelID string) error
	EndServer(ctx context.Context, guildID string) error
	EndReportChannel(ctx context.Context, channelID string, deleted bool) error
	AuditEntries(ctx context.Context, actor core.Actor, before core.AuditID, limit int) ([]core.AuditEntry, error)
	UndoRemoval(ctx context.Context, actor core.Actor, id core.AuditID) error
	BlockUser(ctx context.Context, actor core.Actor, id core.UserID, reason string) error
	UnblockUser(ctx context.Context, actor core.Actor, id core.UserID) error
	Vouch(ctx context.Context, actor core.Actor, id core.UserID) error
	Rings(ctx context.Context, actor core.Actor) ([]core.Ring, error)
	SetAside(ctx context.Context, actor core.Actor, names []string, reason string) ([]core.User, error)
	CountAgain(ctx context.Context, actor core.Actor, id core.RingID) error
	SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error
	BlockedUsers(ctx context.Context, actor core.Actor, limit int) ([]core.User, error)
	BlockSeller(ctx context.Context, actor core.Actor, id core.OfferID) error
	UnblockSeller(ctx context.Context, actor core.Actor, seller core.UserID) error
	BlockedSellers(ctx context.Context, actor core.Actor) ([]core.BlockedSeller, error)

	ExportAccount(ctx context.Context, actor core.Actor) (core.AccountExport, error)
	Leave(ctx context.Context, actor core.Actor) (core.User, error)
	CancelLeaving(ctx context.Context, actor core.Actor) error

	WasCommitted(ctx context.Context, actor core.Actor) (bool, error)

	Delivery(ctx context.Context, actor core.Actor, id core.DeliveryID) (core.Delivery, error)
	NoteActed(ctx context.Context, actor core.Actor, messageID string) error
	Watches(ctx context.Context, actor core.Actor) ([]core.Watch, error)
	ItemKinds(ctx context.Context, text string, limit int) ([]string, error)
	AddWatch(ctx context.Context, actor core.Actor, draft core.WatchDraft) (core.Watch, error)
	PauseWatch(ctx context.Context, actor core.Actor, id core.WatchID, paused bool) (core.Watch, error)
	SnoozeWatch(ctx context.Context, actor core.Actor, id core.WatchID, snooze core.Snooze) (core.Watch, error)
	DeleteWatch(ctx context.Context, actor core.Actor, id core.WatchID) error
	TryWatch(ctx context.Context, actor core.Actor, draft core.WatchDraft) (core.TriedWatch, error)
	MutedBuyers(ctx context.Context, actor core.Actor) ([]core.MutedBuyer, error)
	MuteBuyer(ctx context.Context, actor core.Actor, id core.NoticeID) error
	UnmuteBuyer(ctx context.Context, actor core.Actor, buyer core.UserID) error
	NoticeSettings(ctx context.Context, actor core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(ctx context.Context, actor core.Actor, s core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(ctx context.Context, actor core.Actor) error
	Notices(ctx context.Context, actor core.Actor, before core.NoticeID, limit int) (core.NoticePage, error)
	ReadNotices(ctx context.Context, actor core.Actor, upTo core.NoticeID) error
}

// Store keeps what the bot must remember besides the market. *postgres.Store is one.
type Store interface {
	Drafts
	Boards
	ReportChannels
	WantedChannels
	TradeThreads
	Places
	PingRoles
	Memberships
}

// Lock gives the gateway to one of several programs on one database.
type Lock interface {
	// HoldGateway waits for its turn or until ctx ends: that is its only error.
	HoldGateway(ctx context.Context) (Hold, error)
}

// Hold is a turn at the gateway.
type Hold interface {
	Lost() <-chan struct{} // closed when it ends by itself
	Connected(works bool)  // publishes whether the connection works
	// HandOver hands the gateway to a waiting program. It returns true once that program is
	// connected, false when no program waits.
	HandOver(ctx context.Context) (taken bool, err error)
	Release() // ends it; may be called again
}

// onlyOne is the turn of a program that is the only one.
type onlyOne struct{}

func (onlyOne) Lost() <-chan struct{}                  { return nil }
func (onlyOne) Connected(bool)                         {}
func (onlyOne) HandOver(context.Context) (bool, error) { return false, nil }
func (onlyOne) Release()                               {}

// Hooks are called for metrics. Each may be nil.
type Hooks struct {
	// Interaction is called for every interaction: the command or action (never what was typed), how it ended ("ok",
	// "refused", "failed", "unknown" or "lost") and how long the first answer took.
	Interaction func(name, outcome string, firstAnswer time.Duration)
	Gateway     func(state string)         // GatewayWaiting, GatewayConnecting, GatewayReady or GatewayDown
	Message     func(kind, outcome string) // a direct message: sent, edited, refused, later, failed
	Limited     func(scope string)         // a 429: user, global, shared or cloudflare
}

// Options are what a Bot needs from outside. Token and Store are required.
type Options struct {
	Token     string            // with or without the word Bot
	Transport http.RoundTripper // nil for a new one
	PublicURL string            // of the web page; empty, or with a host that Discord refuses: then nothing links to it
	SiteName  string            // Tradepost when empty
	Log       *slog.Logger      // discards when nil
	Lock      Lock              // nil when no other program uses the token
	Now       func() time.Time  // time.Now when nil
	Game      core.Game         // core.StandardGame when it has no coins
	Features  core.Features
	Servers   []string          // ids of the only servers that the bot serves; empty for all
	Emojis    map[string][]byte // pictures to upload as the application's emojis, by name (see package emojis); none when empty
	Hooks     Hooks
	Security  *security.Log // nil for none
	Store     Store         // required

	// CallsPerSecond is how many requests are sent to Discord in any second at most, besides answers to interactions; zero for any
	// number.
	CallsPerSecond int
	// EditEvery is how often a message older than an hour is edited at most where only a count changes; 3 minutes when zero. It is a
	// guess: Discord limits such edits and publishes no number.
	EditEvery time.Duration
	// OpenDMPause is how long no conversation is opened after Discord said that they were opened too fast; 10 minutes when zero. It is a
	// guess: Discord names no number.
	OpenDMPause time.Duration
	// Turn is what the bots of all replicas share of it; nil when this one is alone.
	Turn discord.TakeTurn
	// Heartbeat is what Discord's gateway asks for between two heartbeats; 41.25 s when zero. A connection that does not
	// answer two of them is renewed.
	Heartbeat time.Duration
	// ConnectTime is how long the gateway may take to become ready, and up to four times that after failures; 9 s when zero.
	ConnectTime time.Duration
	// AgainTime is how long to wait before a new session where Discord says that one is invalid, as it does for one that is begun
	// less than five seconds after another; 5.5 s when zero.
	AgainTime time.Duration
	// IdleTime is how long the gateway may bring no event before the connection is renewed, because Discord has been
	// seen to forget sessions; an hour when zero.
	IdleTime time.Duration
	// DrainTime is how long a stopping bot waits for interactions in flight; 8 s when zero.
	DrainTime time.Duration
	// AnswerTime is how long an interaction may wait for its first answer; 2.8 s when zero, for Discord takes none after three.
	AnswerTime time.Duration
	// RetryTime is how long a write is repeated before the user reads that its outcome is not known yet; 20 s when zero.
	RetryTime time.Duration
}

// Bot is the market's door in Discord. It is safe for concurrent use.
type Bot struct {
	kernel    *Kernel
	store     Store
	lock      Lock
	gateway   *discord.Gateway
	pictures  map[string][]byte
	drainTime time.Duration
	editEvery time.Duration

	ending atomic.Pointer[chan struct{}]           // closed when the present Run drains; nil before the first
	stop   atomic.Pointer[context.CancelCauseFunc] // ends the present Run; nil between two
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
	if len(opts.Game.Coins) == 0 {
		opts.Game = core.StandardGame()
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	token := strings.TrimPrefix(strings.TrimSpace(opts.Token), "Bot ")
	publicURL := strings.TrimRight(opts.PublicURL, "/")
	if publicURL != "" && !discord.AcceptsLink(publicURL) {
		opts.Log.Warn("messages have no links: Discord accepts only hosts with a dot, and no wildcard address",
			"public_url", publicURL)
		publicURL = ""
	}
	b := &Bot{
		store: opts.Store, lock: opts.Lock, pictures: opts.Emojis,
		drainTime: orDuration(opts.DrainTime, 8*time.Second),
		editEvery: orDuration(opts.EditEvery, editEvery),
	}
	retrying := newRetryingMarket(market, opts.Log, orDuration(opts.RetryTime, retryTime), func() <-chan struct{} {
		if ending := b.ending.Load(); ending != nil {
			return *ending
		}
		return nil
	})
	b.kernel = &Kernel{
		Drawer: Drawer{
			market: retrying, log: opts.Log, now: opts.Now, publicURL: publicURL, siteName: opts.SiteName,
			game: opts.Game, features: opts.Features,
		},
		hooks: opts.Hooks.filled(), security: opts.Security, drafts: opts.Store, places: opts.Store,
		members: newMemberships(opts.Store), servers: opts.Servers,
		firstAnswer: orDuration(opts.AnswerTime, answerWithin),
		wake:        make(chan struct{}, 1),
	}
	b.kernel.discord = discord.NewClient(discord.ClientOptions{
		Token: token, Transport: opts.Transport, Agent: b.home(), RateLimited: b.kernel.hooks.Limited,
		Unauthorized: b.tokenRefused, PerSecond: opts.CallsPerSecond, OpenDMPause: opts.OpenDMPause, Turn: opts.Turn,
	})
	b.gateway = &discord.Gateway{
		Token: token, Transport: opts.Transport, Log: opts.Log, Event: b.receive,
		Beat:     orDuration(opts.Heartbeat, 41250*time.Millisecond),
		Patience: orDuration(opts.ConnectTime, 9*time.Second),
		Again:    orDuration(opts.AgainTime, 5500*time.Millisecond),
		Idle:     orDuration(opts.IdleTime, time.Hour),
	}
	for _, more := range []routes{
		newRequestsBot(b.kernel).requestsRoutes(), newBrowseBot(b.kernel).browseRoutes(), newListsBot(b.kernel).listsRoutes(),
		newOffersBot(b.kernel).offersRoutes(), newTradesBot(b.kernel).tradesRoutes(), newDisputesBot(b.kernel).disputesRoutes(),
		newItemsBot(b.kernel).itemsRoutes(), newMatchBot(b.kernel).matchRoutes(), newPeopleBot(b.kernel).peopleRoutes(),
		newModerationBot(b.kernel, opts.Store).moderationRoutes(), newNoticesBot(b.kernel).noticesRoutes(),
		newChannelsBot(b.kernel, opts.Store).channelsRoutes(),
	} {
		b.kernel.routes.add(more)
	}
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
	if b.kernel.publicURL == "" {
		return "https://github.com/bwmarrin/discordgo"
	}
	return b.kernel.publicURL
}

// Ready reports whether this bot has a gateway connection that works.
func (b *Bot) Ready() bool { return b.gateway.Ready.Load() }

// Run answers interactions until ctx ends; then it finishes those in flight and returns nil. It waits its turn when
// another program has the gateway. It returns discord.ErrToken or discord.ErrRefused, wrapped, when Discord rejects the bot.
func (b *Bot) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b.stop.Store(&cancel)
	defer b.stop.Store(nil)
	ending := make(chan struct{})
	b.ending.Store(&ending)
	var asked atomic.Pointer[time.Time] // when it was, to end
	defer context.AfterFunc(ctx, func() { asked.Store(new(time.Now())) })()
	err := b.serve(ctx)
	left := b.drainTime
	if at := asked.Load(); at != nil { // handing over took some of it
		left = max(left-time.Since(*at), time.Second)
	}
	close(ending)
	b.kernel.inFlight.wait(left)
	if cause := context.Cause(ctx); errors.Is(cause, discord.ErrToken) {
		return cause
	}
	return err
}

// tokenRefused ends the present Run. Nothing more is asked of Discord for a while, nor are notices delivered.
func (b *Bot) tokenRefused() {
	b.kernel.log.Error("discord: token rejected, nothing is sent", "retry_in", discord.UnauthorizedPause)
	if stop := b.stop.Load(); stop != nil {
		(*stop)(discord.ErrToken)
	}
}

// serve runs the gateway whenever this program has it.
func (b *Bot) serve(ctx context.Context) error {
	appID, err := b.application(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	var learning sync.WaitGroup
	defer learning.Wait()
	learn, stop := context.WithCancel(ctx)
	defer stop()
	learning.Go(func() { b.learnEmojis(learn, appID) })
	for ctx.Err() == nil {
		hold, err := b.hold(ctx)
		if err != nil {
			if ctx.Err() == nil {
				b.kernel.log.Warn("gateway: lock failed, trying again", "error", err)
				pause(ctx, time.Second)
			}
			continue
		}
		err = b.runWithGateway(ctx, hold, appID)
		hold.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// runWithGateway runs what only the program with the gateway does, until ctx ends or the lock is lost. The connection outlives
// ctx until another program has one.
func (b *Bot) runWithGateway(ctx context.Context, hold Hold, appID string) error {
	connected, disconnect := context.WithCancelCause(context.WithoutCancel(ctx))
	defer disconnect(nil)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var tasks, work sync.WaitGroup
	tasks.Go(func() { b.syncCommands(ctx, appID) })
	tasks.Go(func() { b.syncEmojis(ctx, appID) })
	tasks.Go(func() { b.syncChannels(ctx) })
	work.Go(func() {
		defer stop()
		select {
		case <-hold.Lost():
			disconnect(nil)
		case <-ctx.Done():
			tasks.Wait()
			if !errors.Is(context.Cause(ctx), discord.ErrToken) {
				b.handOver(connected, hold)
			}
			disconnect(nil)
		}
	})
	b.gateway.State = func(state string) {
		b.kernel.hooks.Gateway(state)
		hold.Connected(state == discord.GatewayReady)
	}
	err := b.gateway.Run(connected)
	disconnect(nil)
	stop()
	work.Wait()
	tasks.Wait()
	return err
}

const (
	// handOverTime is how long a bot that ends waits for another to be connected in its place.
	handOverTime = 6 * time.Second
	// handOverGrace is how long it stays after that, for events that Discord sent to it alone.
	handOverGrace = time.Second
)

// handOver lets another program take the gateway, and answers until that one does. Both receive
// the events in between. That is safe: a write has its effect once, and Discord accepts only the
// first response.
func (b *Bot) handOver(ctx context.Context, hold Hold) {
	if !b.Ready() {
		return // there is nothing to keep open
	}
	waiting, cancel := context.WithTimeout(ctx, handOverTime)
	defer cancel()
	taken, err := hold.HandOver(waiting)
	switch {
	case err != nil && ctx.Err() == nil:
		b.kernel.log.Warn("gateway: hand-over failed, interactions are lost until another program has it", "error", err)
	case taken:
		b.kernel.log.Info("gateway: handed over")
		pause(ctx, handOverGrace)
	}
}

func (b *Bot) hold(ctx context.Context) (Hold, error) {
	if b.lock == nil {
		return onlyOne{}, nil
	}
	b.kernel.hooks.Gateway(discord.GatewayWaiting)
	return b.lock.HoldGateway(ctx)
}

// application asks Discord who we are, for as long as it takes. ErrToken is final.
func (b *Bot) application(ctx context.Context) (id string, err error) {
	for {
		app, err := b.kernel.discord.Application(ctx)
		switch {
		case err == nil, ctx.Err() != nil:
			return app.ID, nil
		case errors.Is(err, discord.ErrToken):
			return "", err
		}
		b.kernel.log.Log(ctx, levelOf(err), "discord: fetch application failed", "error", err)
		pause(ctx, 10*time.Second)
	}
}

// syncCommands syncs the commands until it has worked once.
func (b *Bot) syncCommands(ctx context.Context, appID string) {
	tree := commandTree(b.kernel.game, b.kernel.features)
	for {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Minute)
		changed := false
		err := discord.Retry(attempt, func(ctx context.Context) error {
			ids, wrote, err := b.kernel.discord.SyncCommands(ctx, appID, tree)
			if err == nil {
				changed = wrote
				b.kernel.keepCommandIDs(ids)
			}
			return err
		})
		cancel()
		if err == nil && changed {
			b.kernel.log.Info("commands updated", "count", len(tree))
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		b.kernel.log.Log(ctx, levelOf(err), "commands not updated", "error", err)
		if !discord.IsTemporary(err) {
			return
		}
	}
}

// levelOf returns the level at which a failure of Discord is logged: one that passes is a warning.
func levelOf(err error) slog.Level {
	if discord.IsTemporary(err) {
		return slog.LevelWarn
	}
	return slog.LevelError
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
	b.kernel.inFlight.start(func() {
		i, err := discord.ParseInteraction(data)
		if err != nil {
			b.kernel.log.Error("interaction not understood", "error", err)
			return
		}
		b.kernel.answer(i, arrived)
	})
}

// DMSender sends notices as direct messages. It works with and without the gateway.
func (b *Bot) DMSender() core.DMSender { return newDMSender(b.kernel) }

// deliveryYield is how long a delivery lets interactions go first at most: it then goes on beside them.
const deliveryYield = 50 * time.Millisecond

// InteractionsFirst waits while an interaction is being answered, and for a moment at most. It is called before a delivery.
func (b *Bot) InteractionsFirst() { b.kernel.inFlight.wait(deliveryYield) }
