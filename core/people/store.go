package people

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/token"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	// SaveUser stores the profile of an account under its Discord id and returns the user.
	SaveUser(ctx context.Context, p Profile, now time.Time) (User, error)
	User(ctx context.Context, id core.UserID) (User, error)
	// SessionsOf returns a user's sessions that were used after a time, the latest used first.
	SessionsOf(ctx context.Context, user core.UserID, usedSince time.Time) ([]Session, error)
	// FindToken returns a token by the hash of its secret, with its owner. It returns NotFound.
	FindToken(ctx context.Context, hash []byte) (token.Found, User, error)
	// TouchToken stores when a token was last used.
	TouchToken(ctx context.Context, id core.TokenID, now time.Time) error
	// TokensOf returns a user's tokens that have not expired, the newest first.
	TokensOf(ctx context.Context, user core.UserID, now time.Time) ([]token.Token, error)
	// Accounts returns the Discord accounts of those users who are there.
	Accounts(ctx context.Context, ids []core.UserID) (Accounts, error)
	// Skills returns a user's skills in any order.
	Skills(ctx context.Context, user core.UserID) ([]Skill, error)
	// PlayHours returns when a user plays; nothing for one who has said nothing.
	PlayHours(ctx context.Context, user core.UserID) (PlayHours, error)
	// PlayWeeks returns when users play, of those who have said so.
	PlayWeeks(ctx context.Context, users []core.UserID) (map[core.UserID]hours.Week, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	core.WriteTx

	// EndSession ends a user's session, if it is there.
	EndSession(ctx context.Context, user core.UserID, id core.SessionID) error
	// CountTokens returns how many tokens a locked user has that have not expired.
	CountTokens(ctx context.Context, user core.UserID, now time.Time) (int, error)
	// AddToken stores a token and returns its number.
	AddToken(ctx context.Context, made token.Token) (core.TokenID, error)
	// EndToken ends a user's token, if it is there.
	EndToken(ctx context.Context, user core.UserID, id core.TokenID) error
	// EndSessions ends every session of a user that began before now, and every token.
	EndSessions(ctx context.Context, user core.UserID, now time.Time) error
	// LockUser locks a user against trading at the same time.
	LockUser(ctx context.Context, id core.UserID) (User, error)
	// SaveLanguage stores the language that a user has chosen; an empty one is none.
	SaveLanguage(ctx context.Context, user core.UserID, language string) error
	// SaveSkills replaces the skills of a locked user.
	SaveSkills(ctx context.Context, user core.UserID, skills []Skill) error
	// SavePlayHours stores when a user says that they play.
	SavePlayHours(ctx context.Context, user core.UserID, said hours.Week, now time.Time) error
	// SaveLearning stores whether a user's hours are learned, and removes what was learned when they are not.
	SaveLearning(ctx context.Context, user core.UserID, on bool, now time.Time) error
	// ErasePlayHours removes a user's hours, and ends the learning.
	ErasePlayHours(ctx context.Context, user core.UserID, now time.Time) error
}
