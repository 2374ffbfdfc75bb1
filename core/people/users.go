package people

import (
	"context"
	"fmt"
	"slices"
	"time"

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

// Accounts returns the Discord accounts of users. Unknown ones are left out. It is for adapters that show
// messages in Discord.
func (m *Service) Accounts(ctx context.Context, ids ...core.UserID) (Accounts, error) {
	accounts, err := m.store.Accounts(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	return accounts, nil
}

// Skills returns the actor's skills in the order of the game's professions. Professions of another game are
// left out. It fails with Unauthenticated.
func (m *Service) Skills(ctx context.Context, actor core.Actor) ([]Skill, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	stored, err := m.store.Skills(ctx, actor.UserID)
	if err != nil {
		return nil, fmt.Errorf("skills of user %d: %w", actor.UserID, err)
	}
	skills := []Skill{}
	for _, category := range m.game.Categories() {
		if i := slices.IndexFunc(stored, func(s Skill) bool { return s.Category == category }); i >= 0 {
			skills = append(skills, stored[i])
		}
	}
	return skills, nil
}

// SetSkills replaces the actor's skills. It fails with Unauthenticated and Invalid.
func (m *Service) SetSkills(ctx context.Context, actor core.Actor, skills []Skill) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set skills", skills, func(tx Tx, _ time.Time) (struct{}, error) {
		var c core.Checks
		CheckSkills(&c, "skills", skills, m.game)
		if err := c.Err(); err != nil {
			return struct{}{}, err
		}
		if _, err := tx.LockUser(ctx, actor.UserID); err != nil {
			return struct{}{}, fmt.Errorf("user %d: %w", actor.UserID, err)
		}
		return struct{}{}, tx.SaveSkills(ctx, actor.UserID, skills)
	})
	return err
}

// SetLanguage stores the language in which the actor reads the page and the bot's messages to them; an empty
// one removes the choice. It fails with Unauthenticated and Invalid.
func (m *Service) SetLanguage(ctx context.Context, actor core.Actor, language string) error {
	if err := actor.MustBeUser(); err != nil {
		return err
	}
	_, err := core.Write(ctx, m.run, actor, "set language", language,
		func(tx Tx, _ time.Time) (struct{}, error) {
			var c core.Checks
			c.That(language == "" || slices.Contains(m.languages, language), "language",
				core.NewText("language_unknown"))
			if err := c.Err(); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, tx.SaveLanguage(ctx, actor.UserID, language)
		})
	return err
}
