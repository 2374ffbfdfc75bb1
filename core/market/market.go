package market

import (
	"context"
	"crypto/rand"
	"io"
	"time"
	"tradepost/core/moderation"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/core/webhook"
)

// Market is everything that the adapters call, by noun. It is safe for concurrent use.
type Market struct {
	People     *people.Service
	Items      *items.Service
	Notify     *notify.Service
	Trust      *trust.Service
	Trade      *trade.Service
	Match      *match.Service
	Moderation *moderation.Service
	Channels   *channels.Service
	Webhooks   *webhook.Service

	core.Env
	store Store // marks names that look like an established trader's
	run   core.Runner[Tx]
	names marks
}

// Options holds the dependencies and settings of a Market besides its store.
type Options struct {
	Now func() time.Time // time.Now when nil
	// Refresh measures the clock where Now may not be right, before a write; may be nil.
	Refresh func(context.Context)
	// Steady returns for how long nothing irreversible may be done because the clock has stepped; may be nil.
	Steady func() time.Duration
	Game   game.Game // game.Standard when it has no coins
	Forms  core.TextForms
	// Moderators may remove other users' posts, and block users.
	Moderators people.Moderators
	// Languages lists the IETF tags that users can choose; nil allows every language of core/text.
	Languages []string
	// Quotas limit one user's actions; zero sets no limit.
	Quotas core.Quotas
	// Items are suggested to buyers before items that were ordered.
	Items []string
	// Features selects the features that are on; the zero value selects none.
	Features core.Features
	// RedrawEvery is how often a direct message about offers is drawn again at most where only a count
	// changes; 3 minutes when zero. It is a guess: Discord limits edits of old messages and publishes no
	// number.
	RedrawEvery time.Duration
	// NoticeEnded is called for every notice after this Market has stored the end of its delivery; may be
	// nil.
	NoticeEnded func(notify.Notice)
	// NamesChanged is called when other names are marked than before, as looking like an established
	// trader's; may be nil.
	NamesChanged func()
	// WebhooksAnywhere lets webhooks have addresses with plain HTTP and of private networks, for tests.
	WebhooksAnywhere bool
	// Random is where secrets come from; the operating system's randomness when nil.
	Random io.Reader
}

// New returns a market kept in store.
func New(store Store, opts Options) *Market {
	opts = opts.filled()
	now, known := opts.Now, trust.NewTraders(opts.Forms)
	m := &Market{
		Env: core.Env{
			// The store keeps microseconds; times are cut here so that an answer equals a later read.
			Now:   func() time.Time { return now().UTC().Truncate(time.Microsecond) },
			Forms: opts.Forms, Features: opts.Features, Quotas: opts.Quotas, Random: opts.Random,
		},
		names: marks{known},
		store: markingStore{store, marks{known}},
	}
	run := runners{m.Now, opts.Refresh, m.store}
	m.run = runner(run, func(tx Tx) Tx { return tx })
	m.People = people.New(m.Env, m.store, runner(run, func(tx Tx) people.Tx { return tx }), opts.Game,
		opts.Moderators, opts.Languages)
	m.Items = items.New(m.Env, m.store, runner(run, func(tx Tx) items.Tx { return tx }), opts.Game,
		opts.Items)
	m.Notify = notify.New(m.Env, m.store, runner(run, func(tx Tx) notify.Tx { return tx }), opts.RedrawEvery)
	m.Trust = trust.New(m.Env, m.store, runner(run, func(tx Tx) trust.Tx { return tx }),
		opts.Moderators, known,
		m.Items.ForgetPrices, opts.NamesChanged, m.Notify, m.People)
	m.Trade = trade.New(m.Env, m.store, runner(run, func(tx Tx) trade.Tx { return tx }),
		runner(run, func(tx Tx) trade.Scope { return trade.Scope{Tx: tx, Happened: reactions{m, tx}} }),
		opts.Game, opts.Moderators, known, m.Items, m.Notify, m.People, m.Trust)
	m.Match = match.New(m.Env, m.store, runner(run, func(tx Tx) match.Tx { return tx }),
		runner(run, func(tx Tx) match.AskTx { return match.AskTx{Tx: tx, Happened: reactions{m, tx}} }),
		opts.Game, opts.Items,
		m.Items, m.Notify, m.People, m.Trade, m.Trust)
	m.Moderation = moderation.New(m.Env, m.store, runner(run, func(tx Tx) moderation.Tx { return tx }),
		opts.Moderators, known,
		func(ctx context.Context) { _, _ = m.Trust.LearnTraders(ctx) },
		m.Items, m.Notify, m.People, m.Trade)
	m.Webhooks = webhook.New(m.Env, m.store, runner(run, func(tx Tx) webhook.Tx { return tx }),
		opts.WebhooksAnywhere)
	m.Channels = channels.New(m.Env, m.store, runner(run, func(tx Tx) channels.Tx { return tx }),
		opts.Moderators,
		channels.NewDeliverer(m.Env, runner(run, func(tx Tx) channels.DeliveryTx { return tx }), opts.Steady,
			opts.NoticeEnded, m.names.delivery),
		m.Match, m.Moderation, m.Notify, m.People, m.Trade)
	return m
}

// filled returns the options with their defaults.
func (o Options) filled() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Refresh == nil {
		o.Refresh = func(context.Context) {}
	}
	if o.Steady == nil {
		o.Steady = func() time.Duration { return 0 }
	}
	if len(o.Game.Coins) == 0 {
		o.Game = game.Standard()
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Languages == nil {
		o.Languages = text.Names()
	}
	if o.NamesChanged == nil {
		o.NamesChanged = func() {}
	}
	if o.RedrawEvery == 0 {
		o.RedrawEvery = notify.RedrawEvery
	}
	return o
}

// runners makes the Runner for the writes of each service.
type runners struct {
	now     func() time.Time
	refresh func(context.Context)
	store   Store
}

// runner returns the Runner for the writes of a service, with the part of a transaction that it sees.
func runner[Part core.WriteTx](r runners, part func(Tx) Part) core.Runner[Part] {
	return core.Runner[Part]{
		Now: r.now, Refresh: r.refresh,
		Atomically: func(ctx context.Context, do func(Part) error) error {
			return r.store.Atomically(ctx, func(tx Tx) error { return do(part(tx)) })
		},
	}
}

// WasCommitted reports whether the write that the actor's key names has been committed. It waits for one in
// progress, so false is final for every attempt made before the call. It returns Unavailable when that
// cannot be found out now.
func (m *Market) WasCommitted(ctx context.Context, actor core.Actor) (bool, error) {
	return core.WasCommitted(ctx, m.run, actor)
}

// Refuse stores that the write that the actor's key names was refused: see core.Refuse.
func (m *Market) Refuse(ctx context.Context, actor core.Actor) (happened bool, err error) {
	return core.Refuse(ctx, m.run, actor)
}
