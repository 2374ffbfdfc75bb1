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

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/browse"
	"tradepost/bot/channels"
	"tradepost/bot/channelsync"
	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/items"
	"tradepost/bot/kernel"
	"tradepost/bot/lists"
	"tradepost/bot/match"
	"tradepost/bot/moderation"
	"tradepost/bot/notices"
	"tradepost/bot/offers"
	"tradepost/bot/panel"
	"tradepost/bot/people"
	"tradepost/bot/requests"
	"tradepost/bot/trades"
	"tradepost/core"
	corechannels "tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/security"
	"tradepost/core/text"
)

// Hooks are called for metrics. Each may be nil.
type Hooks = kernel.Hooks

// Store stores the bot's own data, besides the market's. *postgres.Store is one.
type Store interface {
	kernel.Drafts
	channels.Boards
	moderation.ReportChannels
	channels.WantedChannels
	trades.TradeThreads
	kernel.Places
	channels.PingRoles
	channels.TraderRoles
	kernel.Memberships
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

func (onlyOne) Lost() <-chan struct{} { return nil }

func (onlyOne) Connected(bool) {}

func (onlyOne) HandOver(context.Context) (bool, error) { return false, nil }

func (onlyOne) Release() {}

// Options configures a Bot. Token and Store are required.
type Options struct {
	Token     string            // with or without the word Bot
	Transport http.RoundTripper // nil for a new one
	// of the web page; empty, or with a host that Discord refuses: then nothing links to it
	PublicURL string
	SiteName  string           // Tradepost when empty
	Log       *slog.Logger     // discards when nil
	Lock      Lock             // nil when no other program uses the token
	Now       func() time.Time // time.Now when nil
	Game      game.Game        // game.Standard when it has no coins
	Features  core.Features
	Languages text.Offered // that it speaks; all with a complete file when nil
	Servers   []string     // ids of the only servers that the bot serves; empty for all
	// pictures to upload as the application's emojis, by name (see package emojis); none when empty
	Emojis   map[string][]byte
	Hooks    kernel.Hooks
	Security *security.Log // nil for none
	Store    Store         // required

	// CallsPerSecond limits the requests sent to Discord in any second, besides answers to interactions; zero
	// for no limit.
	CallsPerSecond int
	// EditEvery is the minimum interval between edits of a message older than an hour where only a count
	// changes; 3 minutes when zero. It is a guess: Discord limits such edits and publishes no number.
	EditEvery time.Duration
	// OpenDMPause is the pause before the next conversation is opened after Discord answered that they were
	// opened too fast; 10 minutes when zero. It is a guess: Discord publishes no number.
	OpenDMPause time.Duration
	// Turn shares the limit of requests between the bots of all replicas; nil when this bot is alone.
	Turn discord.TakeTurn
	// Heartbeat is the interval between two heartbeats that Discord's gateway requests; 41.25 s when zero. A
	// connection that does not answer two of them is renewed.
	Heartbeat time.Duration
	// ConnectTime limits the time that the gateway takes to become ready, and grows up to four times after
	// failures; 9 s when zero.
	ConnectTime time.Duration
	// AgainTime is the pause before a new session after Discord reports an invalid one, as it does for a
	// session that begins less than five seconds after another; 5.5 s when zero.
	AgainTime time.Duration
	// IdleTime limits the time without an event before the connection is renewed, because Discord has been
	// seen to forget sessions; an hour when zero.
	IdleTime time.Duration
	// DrainTime limits the wait of a stopping bot for interactions in flight; 8 s when zero.
	DrainTime time.Duration
	// AnswerTime limits the wait of an interaction for its first answer; 2.8 s when zero, for Discord takes
	// none after three.
	AnswerTime time.Duration
	// RetryTime limits the time that a write is repeated before the user reads that its outcome is not known
	// yet; 20 s when zero.
	RetryTime time.Duration
}

// Bot is the market's door in Discord. It is safe for concurrent use.
type Bot struct {
	kernel    *kernel.Kernel
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
func New(m *market.Market, opts Options) *Bot {
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
		opts.Game = game.Standard()
	}
	if len(opts.Languages) == 0 {
		opts.Languages = text.NewOffered(nil)
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
		opts.Log.Warn("messages have no links: Discord accepts only hosts with a dot, "+
			"and no wildcard address",
			"public_url", publicURL)
		publicURL = ""
	}
	b := &Bot{
		store: opts.Store, lock: opts.Lock, pictures: opts.Emojis,
		drainTime: orDuration(opts.DrainTime, 8*time.Second),
		editEvery: orDuration(opts.EditEvery, channelsync.EditEvery),
	}
	writes := kernel.NewWriteRetry(opts.Log, orDuration(opts.RetryTime, kernel.RetryTime),
		func() <-chan struct{} {
			if ending := b.ending.Load(); ending != nil {
				return *ending
			}
			return nil
		})
	b.kernel = &kernel.Kernel{
		Drawer: kernel.Drawer{
			Market: m, Log: opts.Log, Now: opts.Now, PublicURL: publicURL, SiteName: opts.SiteName,
			Game: opts.Game, Features: opts.Features, Languages: opts.Languages,
		},
		Writes: writes, Hooks: opts.Hooks.Filled(), Security: opts.Security, Drafts: opts.Store,
		Places:  opts.Store,
		Members: kernel.NewMemberships(opts.Store), Servers: opts.Servers,
		FirstAnswer: orDuration(opts.AnswerTime, kernel.AnswerWithin),
		Wake:        make(chan struct{}, 1),
	}
	b.kernel.Discord = discord.NewClient(discord.ClientOptions{
		Token: token, Transport: opts.Transport, Agent: b.home(), RateLimited: b.kernel.Hooks.Limited,
		Unauthorized: b.tokenRefused, PerSecond: opts.CallsPerSecond, OpenDMPause: opts.OpenDMPause,
		Turn: opts.Turn,
	})
	b.gateway = &discord.Gateway{
		Token: token, Transport: opts.Transport, Log: opts.Log, Event: b.receive,
		Beat:     orDuration(opts.Heartbeat, 41250*time.Millisecond),
		Patience: orDuration(opts.ConnectTime, 9*time.Second),
		Again:    orDuration(opts.AgainTime, 5500*time.Millisecond),
		Idle:     orDuration(opts.IdleTime, time.Hour),
	}
	for _, more := range []kernel.Routes{
		b.kernel.OwnRoutes(), requests.New(b.kernel).Routes(), browse.New(b.kernel).Routes(),
		lists.New(b.kernel).Routes(),
		offers.New(b.kernel).Routes(), trades.New(b.kernel).Routes(), trades.NewDisputes(b.kernel).Routes(),
		items.New(b.kernel).Routes(), match.New(b.kernel).Routes(), people.New(b.kernel).Routes(),
		moderation.New(b.kernel, opts.Store).Routes(), notices.New(b.kernel).Routes(),
		channels.New(b.kernel, opts.Store).Routes(), panel.New(b.kernel).Routes(),
	} {
		b.kernel.Table.Add(more)
	}
	return b
}

func (b *Bot) home() string {
	if b.kernel.PublicURL == "" {
		return "https://github.com/bwmarrin/discordgo"
	}
	return b.kernel.PublicURL
}

// Ready reports whether this bot has a gateway connection that works.
func (b *Bot) Ready() bool { return b.gateway.Ready.Load() }

// Run answers interactions until ctx ends; then it finishes those in flight and returns nil. It waits its
// turn when another program has the gateway. It returns discord.ErrToken or discord.ErrRefused, wrapped,
// when Discord rejects the bot.
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
	b.kernel.InFlight.Wait(left)
	if cause := context.Cause(ctx); errors.Is(cause, discord.ErrToken) {
		return cause
	}
	return err
}

// tokenRefused ends the present Run. Nothing more is asked of Discord for a while, nor are notices delivered.
func (b *Bot) tokenRefused() {
	b.kernel.Log.Error("discord: token rejected, nothing is sent", "retry_in", discord.UnauthorizedPause)
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
				b.kernel.Log.Warn("gateway: lock failed, trying again", "error", err)
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

// syncChannels keeps everything that is shown in channels in step with the market.
func (b *Bot) syncChannels(ctx context.Context) {
	s := channelsync.New(b.kernel.Discord, b.kernel.Log, b.kernel.Now, b.editEvery)
	s.Run(ctx, b.kernel.Wake, append(channels.Loops(b.kernel, b.store, s),
		moderation.ReportLoop(b.kernel, b.store, s), trades.ThreadLoop(b.kernel, b.store, s))...)
}

// runWithGateway runs what only the program with the gateway does, until ctx ends or the lock is lost. The
// connection outlives ctx until another program has one.
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
		b.kernel.Hooks.Gateway(state)
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
	// handOverTime limits the wait of a stopping bot for another bot to connect in its place.
	handOverTime = 6 * time.Second
	// handOverGrace is the time that it stays connected after that, for events that Discord sent to it alone.
	handOverGrace = time.Second
)

// handOver lets another program take the gateway, and answers until that one does. Both receive
// the events in between. That is safe: a write has its effect once, a refusal is stored before it is
// answered, and Discord accepts only the first response.
func (b *Bot) handOver(ctx context.Context, hold Hold) {
	if !b.Ready() {
		return // there is nothing to keep open
	}
	waiting, cancel := context.WithTimeout(ctx, handOverTime)
	defer cancel()
	taken, err := hold.HandOver(waiting)
	switch {
	case err != nil && ctx.Err() == nil:
		b.kernel.Log.Warn("gateway: hand-over failed, interactions are lost until another program has it",
			"error", err)
	case taken:
		b.kernel.Log.Info("gateway: handed over")
		pause(ctx, handOverGrace)
	}
}

func (b *Bot) hold(ctx context.Context) (Hold, error) {
	if b.lock == nil {
		return onlyOne{}, nil
	}
	b.kernel.Hooks.Gateway(discord.GatewayWaiting)
	return b.lock.HoldGateway(ctx)
}

// application asks Discord for the bot's application, for as long as it takes. ErrToken is final.
func (b *Bot) application(ctx context.Context) (id string, err error) {
	for {
		app, err := b.kernel.Discord.Application(ctx)
		switch {
		case err == nil, ctx.Err() != nil:
			return app.ID, nil
		case errors.Is(err, discord.ErrToken):
			return "", err
		}
		b.kernel.Log.Log(ctx, kernel.LevelOf(err), "discord: fetch application failed", "error", err)
		pause(ctx, 10*time.Second)
	}
}

// commandTree is every slash command.
func commandTree(
	game game.Game, on core.Features, languages text.Offered,
) []*discordgo.ApplicationCommand {
	return commands.Tree(game, on, languages, requests.OrderOptions)
}

// syncCommands syncs the commands until it has worked once.
func (b *Bot) syncCommands(ctx context.Context, appID string) {
	tree := commandTree(b.kernel.Game, b.kernel.Features, b.kernel.Languages)
	for {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Minute)
		changed := false
		err := discord.Retry(attempt, func(ctx context.Context) error {
			ids, wrote, err := b.kernel.Discord.SyncCommands(ctx, appID, tree)
			if err == nil {
				changed = wrote
				b.kernel.KeepCommandIDs(ids)
			}
			return err
		})
		cancel()
		if err == nil && changed {
			b.kernel.Log.Info("commands updated", "count", len(tree))
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		b.kernel.Log.Log(ctx, kernel.LevelOf(err), "commands not updated", "error", err)
		if !discord.IsTemporary(err) {
			return
		}
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
	b.kernel.InFlight.Start(func() {
		i, err := discord.ParseInteraction(data)
		if err != nil {
			b.kernel.Log.Error("interaction not understood", "error", err)
			return
		}
		b.kernel.Answer(i, arrived)
	})
}

// DMSender sends notices as direct messages. It works with and without the gateway.
func (b *Bot) DMSender() corechannels.DMSender { return notices.NewDMSender(b.kernel) }

// deliveryYield limits the time that a delivery lets interactions go first: it then goes on beside them.
const deliveryYield = 50 * time.Millisecond

// InteractionsFirst waits while an interaction is being answered, and for a moment at most. It is called
// before a delivery.
func (b *Bot) InteractionsFirst() { b.kernel.InFlight.Wait(deliveryYield) }
