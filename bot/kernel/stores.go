package kernel

import (
	"context"

	"golang.org/x/sync/singleflight"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/people"
)

// Drafts stores a user's input until they decide on it, over restarts. A draft never changes: an edit makes a
// new one.
type Drafts interface {
	AddDraft(ctx context.Context, owner core.UserID, content []byte) (id int64, err error)
	// Draft returns a draft of the owner's. It returns NotFound, also for another user's.
	Draft(ctx context.Context, owner core.UserID, id int64) (content []byte, err error)
}

// Places stores where orders were posted.
type Places interface {
	// SaveOrderPlaces stores in which channel of a server orders were posted.
	SaveOrderPlaces(ctx context.Context, orders []core.OrderID, p channels.ThreadPlace) error
}

// Memberships stores Discord's answers about memberships of the servers that the bot is limited to.
type Memberships interface {
	// Membership returns an account's known membership of servers; without times where none is known.
	Membership(ctx context.Context, discordID, servers string) (people.Membership, error)
	SaveMembership(ctx context.Context, m people.Membership) error
}

// memberships asks Discord about memberships: once for several interactions of one account at a time.
type memberships struct {
	store  Memberships
	asking *singleflight.Group
}

// NewMemberships returns memberships that are kept in a store.
func NewMemberships(store Memberships) memberships {
	return memberships{store: store, asking: new(singleflight.Group)}
}
