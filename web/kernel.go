package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"tradepost/core"
)

// Kernel is what all parts of the HTTP adapter share: the market, the clock, and who asks.
type Kernel struct {
	market   Market
	public   *url.URL // of the site
	log      *slog.Logger
	now      func() time.Time
	game     core.Game
	features core.Features
	session  *sessions
	visitors visitorLimits
}

// user returns the signed-in user, nil for a visitor.
func (k *Kernel) user(ctx context.Context) (*core.User, error) {
	id := k.session.userID(ctx)
	if id == 0 {
		return nil, nil
	}
	var user core.User
	var err error
	if found := takeFoundUser(ctx, id); found != nil {
		user = k.market.Recognize(*found)
	} else {
		user, err = k.market.User(ctx, id)
	}
	switch {
	case core.KindOf(err) == core.NotFound, // the account was deleted elsewhere
		err == nil && k.session.since(ctx).Before(user.SignedOutAt): // or its user signed out everywhere
		if err := k.session.Destroy(ctx); err != nil {
			return nil, fmt.Errorf("end session: %w", err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &user, nil
}

// actor returns the actor of a request. key is the idempotency key of a write, empty for none.
func (k *Kernel) actor(ctx context.Context, key string) (core.Actor, error) {
	var actor core.Actor
	user, err := k.user(ctx)
	if err != nil {
		return actor, err
	}
	if user != nil {
		actor = user.Actor()
		noteUser(ctx, user.ID)
	}
	actor.Address = limitKeyOf(ctx)
	actor.Key, actor.Repeated = key, repeatedOf(ctx)
	return actor, nil
}
