package trust

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
)

// Store reads the data of this package. It returns NotFound for a missing row; its other errors are its own.
type Store interface {
	people.Store
	notify.Store

	// IsTrader reports whether a user is an established trader.
	IsTrader(ctx context.Context, id core.UserID) (bool, error)
	// TraderShownTo returns who can see a trader's page.
	TraderShownTo(ctx context.Context, trader, reader core.UserID, now time.Time) (ShownTo, error)
	// UserWithAccount returns the user with a Discord account. It returns NotFound.
	UserWithAccount(ctx context.Context, discordID string) (core.UserID, error)
	// SettledHandovers returns the settled handovers between users and their partners, by user, the oldest
	// sale first. A handover with both sides among the users is there for each of them.
	SettledHandovers(ctx context.Context, users []core.UserID) ([]SettledHandover, error)
	// TrustOf returns in short what trust would be computed from at a time: the same text, the same trust.
	TrustOf(ctx context.Context, now time.Time) (string, error)
	// TrustComputed returns what the last computation said of the market: young before the first.
	TrustComputed(ctx context.Context) (Market, error)
	// Candidates returns the users moderators could vouch for by the last computation, best first; without
	// who has become a trader, was blocked or set aside, or is leaving since.
	Candidates(ctx context.Context) ([]Candidate, error)
	// SettledPairs returns who has handed over to whom, since when and how often; without a handover by
	// accepts before a time.
	SettledPairs(ctx context.Context, settledBefore time.Time) ([]Pair, error)
	// People returns everybody who trust may flow to: neither blocked nor set aside.
	People(ctx context.Context) ([]Person, error)
	// CountActive returns how many people traded since a time.
	CountActive(ctx context.Context, since time.Time) (int, error)
	// ProposedRings returns the proposed rings that are not dismissed, the most suspicious first; without
	// those of which a member was set aside since.
	ProposedRings(ctx context.Context, limit int) ([]ProposedRing, error)
	// Rings returns the accounts that are set aside, the latest first.
	Rings(ctx context.Context, limit int) ([]Ring, error)
	// TraderNames returns the names of established traders, sorted.
	TraderNames(ctx context.Context) ([]TraderName, error)
	// NameUses returns under which names accounts have acted here, and the names of established traders'
	// accounts at a time: they may have got those just now.
	NameUses(ctx context.Context, now time.Time) ([]NameUse, error)
	// AllowedNames returns who may use a name although it looks like an established trader's, sorted.
	AllowedNames(ctx context.Context) ([]AllowedName, error)
	// BlockedSellers returns the sellers that a buyer has blocked, the latest first.
	BlockedSellers(ctx context.Context, buyer core.UserID, limit int) ([]BlockedSeller, error)
}

// Tx is the part of a transaction that this package reads and saves.
type Tx interface {
	people.Tx
	notify.Tx

	AddAuditEntry(ctx context.Context, e core.AuditEntry) error
	RemoveBlockedSeller(ctx context.Context, buyer, seller core.UserID) error
	// SaveTrust replaces everybody's share and what it says of the market. Those who became traders by what
	// they traded and are not trusted are none any more.
	SaveTrust(ctx context.Context, shares []Share, m Market) error
	// SaveCandidates replaces the users moderators could vouch for.
	SaveCandidates(ctx context.Context, proposed []Candidate) error
	// AddTraders stores established traders and returns how many of them were none before. The others stay
	// as they are.
	AddTraders(ctx context.Context, origin TraderOrigin, established ...NewTrader) (int, error)
	// AddModeratorTraders makes the moderators established traders: the accounts that are users, and users
	// with a role that was seen after roleSince.
	AddModeratorTraders(ctx context.Context, m people.Moderators, roleSince time.Time) error
	// Traders returns the established traders who are neither blocked nor leaving.
	Traders(ctx context.Context) ([]Trader, error)
	// SaveTraderNames replaces the names of all established traders. A stored Since stays.
	SaveTraderNames(ctx context.Context, names []TraderName) error
	// AddElders stores accounts that used a name before its trader did.
	AddElders(ctx context.Context, elders []AllowedName, now time.Time) error
	// ReachOf returns the reach of a user, with the people reached since a time.
	ReachOf(ctx context.Context, user core.UserID, since time.Time) (Reach, error)
	// AddLookAlike stores that a trader is notified of a name. It reports false when they were before, or
	// of as many names as most since a time.
	AddLookAlike(ctx context.Context, trader core.UserID, name string, now, since time.Time,
		most int) (bool, error)
	// SaveProposedRings replaces the proposed rings. Those with the same members stay the same, and dismissed
	// when they were.
	SaveProposedRings(ctx context.Context, rings []ProposedRing) error
	// LockProposedRing returns a proposed ring that is not dismissed. Neither it nor any of its members can
	// be deleted until the transaction ends.
	LockProposedRing(ctx context.Context, id core.ProposedRingID) (ProposedRing, error)
	RemoveProposedRing(ctx context.Context, id core.ProposedRingID) error
	// DismissProposedRing has a proposal never listed again.
	DismissProposedRing(ctx context.Context, id core.ProposedRingID, now time.Time) error
	// SetAside sets users aside as one ring and returns those who were not before.
	SetAside(ctx context.Context, users []core.UserID, reason string, now time.Time) ([]core.UserID, error)
	// CountAgain ends a ring and returns who was in it.
	CountAgain(ctx context.Context, ring core.RingID) ([]core.UserID, error)
}
