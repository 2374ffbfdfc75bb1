package core

import (
	"context"
	"crypto/rand"
	"io"
	"time"
)

// Market is the service that both doors call. It is safe for concurrent use.
type Market struct {
	store       Store // marks what looks like an established trader's name
	traders     *traders
	now         func() time.Time
	game        Game
	forms       TextForms
	refresh     func(context.Context)
	steady      func() time.Duration
	noticeEnded func(Notice)
	moderators  Moderators
	quotas      Quotas
	suggested   []string
	features    Features
	random      io.Reader
	wanted      *lastWanted
	prices      pricesInUse
	beyond      *ordersBeyond
	odds        oddsInUse
	redrawEvery time.Duration
	run         Runner[Tx]
	trades      Runner[Scope]
	mark        func(Delivery) Delivery
	// ringsChanged is called when rings of accounts are set aside or count again.
	ringsChanged func()
}

// Options are what a Market needs from outside besides its store.
type Options struct {
	Now func() time.Time // time.Now when nil
	// Refresh measures the clock where Now may not be right, before a write; may be nil.
	Refresh func(context.Context)
	// Steady returns for how long nothing irreversible may be done because the clock has stepped; may be nil.
	Steady func() time.Duration
	Game   Game // StandardGame when it has no coins
	Forms  TextForms
	// Moderators may remove what others posted, and block users.
	Moderators Moderators
	// Quotas limit what one user does; none of it when zero.
	Quotas Quotas
	// Items are suggested to buyers before those that were ordered.
	Items []string
	// Features says what is on; nothing when zero.
	Features Features
	// RedrawEvery is how often a direct message about offers is drawn again at most where only a count changes; 3 minutes when zero. It is
	// a guess: Discord limits edits of old messages and publishes no number.
	RedrawEvery time.Duration
	// NoticeEnded hears of every notice whose delivery has ended through this Market, after it was stored; may be nil.
	NoticeEnded func(Notice)
	// Random is where secrets come from; the operating system's randomness when nil.
	Random io.Reader
}

// New returns a market kept in store.
func New(store Store, opts Options) *Market {
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	game := opts.Game
	if len(game.Coins) == 0 {
		game = StandardGame()
	}
	refresh, steady := opts.Refresh, opts.Steady
	if refresh == nil {
		refresh = func(context.Context) {}
	}
	if steady == nil {
		steady = func() time.Duration { return 0 }
	}
	random := opts.Random
	if random == nil {
		random = rand.Reader
	}
	every := opts.RedrawEvery
	if every == 0 {
		every = redrawEvery
	}
	// The store keeps microseconds; times are cut here so that what was answered equals what is read later.
	known := &traders{forms: opts.Forms}
	m := &Market{
		store: markingStore{store, marks{known}}, traders: known, game: game, forms: opts.Forms, suggested: opts.Items, noticeEnded: opts.NoticeEnded, moderators: opts.Moderators, quotas: opts.Quotas,
		random: random, features: opts.Features, wanted: &lastWanted{}, beyond: &ordersBeyond{}, refresh: refresh, steady: steady,
		redrawEvery: every, mark: marks{known}.delivery,
		now: func() time.Time { return now().UTC().Truncate(time.Microsecond) },
	}
	m.ringsChanged = m.prices.forget
	m.run = runner(m, func(tx Tx) Tx { return tx })
	m.trades = runner(m, func(tx Tx) Scope { return Scope{tx, reactions{m, tx}} })
	return m
}

// runner returns what runs the writes of a room, with the part of a transaction that the room sees.
func runner[Part WriteTx](m *Market, part func(Tx) Part) Runner[Part] {
	return Runner[Part]{
		Now: m.now, Refresh: m.refresh,
		Atomically: func(ctx context.Context, do func(Part) error) error {
			return m.store.Atomically(ctx, func(tx Tx) error { return do(part(tx)) })
		},
	}
}

// WasCommitted reports whether the write that the actor's key names has been committed. It waits for one in progress, so
// false is final for every attempt made before the call. It returns Unavailable when that cannot be found out now.
func (m *Market) WasCommitted(ctx context.Context, actor Actor) (bool, error) {
	return WasCommitted(ctx, m.run, actor)
}
