package people

import (
	"context"
	"fmt"

	"tradepost/core"
)

// SignIn returns the user of a Discord account, who is made on the first visit and brought up to date on
// later ones.
func (m *Service) SignIn(ctx context.Context, p Profile) (User, error) {
	p.ModeratorRole = m.moderators.role(p)
	user, err := m.store.SaveUser(ctx, p, m.now())
	if err != nil {
		return User{}, fmt.Errorf("save user: %w", err)
	}
	user.Moderator = m.moderators.Includes(p)
	return user, nil
}

// User returns a user. It fails with NotFound.
func (m *Service) User(ctx context.Context, id core.UserID) (User, error) {
	user, err := m.store.User(ctx, id)
	if err != nil {
		return User{}, fmt.Errorf("user %d: %w", id, err)
	}
	return m.Recognize(user), nil
}

// Recognize returns a user as the store has it as the market knows it: a moderator or not.
func (m *Service) Recognize(user User) User {
	user.Moderator = m.moderators.Includes(Profile{DiscordID: user.DiscordID})
	return user
}
