package web

import (
	"context"
	"fmt"

	"tradepost/core"
)

// user returns the signed-in user, nil for a visitor.
func (s *Server) user(ctx context.Context) (*core.User, error) {
	id := s.session.userID(ctx)
	if id == 0 {
		return nil, nil
	}
	var user core.User
	var err error
	if found := takeFoundUser(ctx, id); found != nil {
		user = s.market.Recognize(*found)
	} else {
		user, err = s.market.User(ctx, id)
	}
	switch {
	case core.KindOf(err) == core.NotFound, // the account was deleted elsewhere
		err == nil && s.session.since(ctx).Before(user.SignedOutAt): // or its user signed out everywhere
		if err := s.session.Destroy(ctx); err != nil {
			return nil, fmt.Errorf("end session: %w", err)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &user, nil
}

// actor returns the actor of a request. key is the idempotency key of a write, empty for none.
func (s *Server) actor(ctx context.Context, key string) (core.Actor, error) {
	var actor core.Actor
	user, err := s.user(ctx)
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
