package match

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// lastWanted is the latest report, which is used for wantedFor.
type lastWanted struct {
	mu     sync.Mutex
	at     time.Time
	report Wanted
}

// Wanted returns the report of unmet demand of the last seven days, which may be some minutes old.
func (m *searchActs) Wanted(ctx context.Context) (Wanted, error) {
	m.wanted.mu.Lock() // who asks at the same time waits for one report
	defer m.wanted.mu.Unlock()
	now := m.now()
	if age := now.Sub(m.wanted.at); !m.wanted.at.IsZero() && 0 <= age && age < wantedFor {
		return m.wanted.report, nil
	}
	index, err := m.items.Index(ctx)
	if err != nil {
		return Wanted{}, err
	}
	demand, err := m.store.Demand(ctx, m.items.BeyondKnown(ctx, index, now), now, now.Add(-WantedPeriod),
		now.Add(-WantedPeriod-pricesBefore), leastTraded)
	if err != nil {
		return Wanted{}, fmt.Errorf("unmet demand: %w", err)
	}
	m.wanted.at, m.wanted.report = now, NewWanted(demand, index, now)
	return m.wanted.report, nil
}
