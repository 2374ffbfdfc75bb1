package trust

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
)

// TraderPage contains a trader's public data.
type TraderPage struct {
	User        core.UserID
	Name        string // of their account
	Since       time.Time
	Established bool
	Record      Record
}

func traderNotFound() error {
	return core.NewError(core.NotFound, core.NewText("trader_not_found"))
}

// Records returns the records of users, MaxRecords at most. Users who are not there have an empty one.
// There are none without the feature.
func (m *Service) Records(ctx context.Context, users ...core.UserID) (Records, error) {
	users, handovers, err := m.settledOf(ctx, users)
	if err != nil {
		return nil, err
	}
	return recordsOf(users, handovers, m.now()), nil
}

// Acquaintance is a trader as one of their partners knows them.
type Acquaintance struct {
	Record Record
	Met    int // handovers of the two that were met
}

// Acquaintances returns what a user knows of other traders, MaxRecords at most. There are none without the
// feature of records.
func (m *Service) Acquaintances(
	ctx context.Context, user core.UserID, traders ...core.UserID,
) (map[core.UserID]Acquaintance, error) {
	traders, handovers, err := m.settledOf(ctx, traders)
	if err != nil {
		return nil, err
	}
	met := map[core.UserID]int{}
	for _, h := range handovers {
		if h.Partner == user && h.State == HandoverMet && !h.Against {
			met[h.Trader]++
		}
	}
	known := map[core.UserID]Acquaintance{}
	for id, record := range recordsOf(traders, handovers, m.now()) {
		known[id] = Acquaintance{Record: record, Met: met[id]}
	}
	return known, nil
}

// settledOf returns the settled handovers of users, and those of the users who they were read for: none
// without the feature, MaxRecords at most.
func (m *Service) settledOf(
	ctx context.Context, users []core.UserID,
) ([]core.UserID, []SettledHandover, error) {
	users = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(users))),
		func(id core.UserID) bool { return id == 0 })
	if !m.features.Records || len(users) == 0 {
		return nil, nil, nil
	}
	users = users[:min(len(users), MaxRecords)]
	handovers, err := m.store.SettledHandovers(ctx, users)
	if err != nil {
		return nil, nil, fmt.Errorf("records: %w", err)
	}
	return users, handovers, nil
}

// TraderPage returns what the actor may know of a trader. It returns NotFound, also for a trader who is
// leaving or blocked, and for one who the actor has no part in; see ShownTo.
func (m *Service) TraderPage(ctx context.Context, actor core.Actor, id core.UserID) (TraderPage, error) {
	if !m.features.Records {
		return TraderPage{}, traderNotFound()
	}
	user, err := m.store.User(ctx, id)
	if core.KindOf(err) == core.NotFound || err == nil &&
		(user.Leaving() || user.Blocked() || core.IsCanary(user.DiscordID)) {
		return TraderPage{}, traderNotFound()
	}
	if err != nil {
		return TraderPage{}, fmt.Errorf("trader %d: %w", id, err)
	}
	shown, err := m.store.TraderShownTo(ctx, id, actor.UserID, m.now())
	if err != nil {
		return TraderPage{}, fmt.Errorf("whom trader %d is shown to: %w", id, err)
	}
	if !shown.Includes(actor, id) {
		return TraderPage{}, traderNotFound()
	}
	records, err := m.Records(ctx, id)
	if err != nil {
		return TraderPage{}, err
	}
	established, err := m.store.IsTrader(ctx, id)
	if err != nil {
		return TraderPage{}, fmt.Errorf("trader %d: %w", id, err)
	}
	return TraderPage{User: id, Name: user.DisplayName, Since: month(user.CreatedAt),
		Established: established, Record: records[id]}, nil
}

// FindTrader returns the trader with a Discord account. It returns TraderPage's errors.
func (m *Service) FindTrader(ctx context.Context, actor core.Actor, discordID string) (TraderPage, error) {
	if !m.features.Records {
		return TraderPage{}, traderNotFound()
	}
	id, err := m.store.UserWithAccount(ctx, discordID)
	if core.KindOf(err) == core.NotFound {
		return TraderPage{}, traderNotFound()
	}
	if err != nil {
		return TraderPage{}, fmt.Errorf("find trader: %w", err)
	}
	return m.TraderPage(ctx, actor, id)
}
