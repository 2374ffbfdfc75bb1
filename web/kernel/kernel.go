package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/web/kernel/bearer"
)

// Kernel has the values that all parts of the HTTP adapter share, such as the market and the clock, and
// finds out who asks.
type Kernel struct {
	Market   *market.Market
	Public   *url.URL // of the site
	Log      *slog.Logger
	Now      func() time.Time
	Game     game.Game
	Features core.Features
	Cache    *cache.Cache // the store's

	Languages Languages
	Operators []string // Discord ids of those who read how the market's machine is

	Session  *sessions
	Visitors visitorLimits

	Stopping  func() bool   // reports whether the program was asked to stop
	RetryTime time.Duration // limits the time that a write is repeated; the request's time when zero
}

// User returns the signed-in user, nil for a visitor.
func (k *Kernel) User(ctx context.Context) (*people.User, error) {
	if p := bearer.Of(ctx); p != nil {
		user := p.User
		return &user, nil
	}
	id := k.Session.UserID(ctx)
	if id == 0 {
		return nil, nil
	}
	var user people.User
	var err error
	if found := takeFoundUser(ctx, id); found != nil {
		user = k.Market.People.Recognize(*found)
	} else {
		user, err = k.Market.People.User(ctx, id)
	}
	switch {
	case core.KindOf(err) == core.NotFound, // the account was deleted elsewhere
		err == nil && k.Session.since(ctx).Before(user.SignedOutAt): // or its user signed out everywhere
		if err := k.Session.Destroy(ctx); err != nil {
			return nil, fmt.Errorf("end session: %w", err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &user, nil
}

// IsOperator reports whether a user may read how the market's machine is.
func (k *Kernel) IsOperator(user *people.User) bool {
	return user.DiscordID != "" && slices.Contains(k.Operators, user.DiscordID)
}

// Actor returns the actor of a request. key is the idempotency key of a write, empty for none.
func (k *Kernel) Actor(ctx context.Context, key string) (core.Actor, error) {
	var actor core.Actor
	user, err := k.User(ctx)
	if err != nil {
		return actor, err
	}
	if user != nil {
		actor = user.Actor()
		actor.Program = bearer.Of(ctx) != nil
		if !actor.Program { // a program has not signed in
			actor.SignedInAt = k.Session.since(ctx)
		}
		NoteUser(ctx, user.ID)
	}
	actor.Address = LimitKeyOf(ctx)
	actor.Key, actor.Repeated = key, repeatedOf(ctx)
	return actor, nil
}
