package trust

import (
	"context"
	"fmt"
	"time"
)

// nameTraders stores by which names established traders are known now. For names that are new it looks up
// since when they are used, and who used them earlier. It reads outside of the transaction that writes.
func (m *Service) nameTraders(ctx context.Context, now time.Time) error {
	var all []Trader
	err := m.run.Atomically(ctx, func(tx Tx) (err error) {
		all, err = tx.Traders(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("read established traders: %w", err)
	}
	known, err := m.store.TraderNames(ctx)
	if err != nil {
		return fmt.Errorf("read their names: %w", err)
	}
	dated := map[TraderName]time.Time{}
	for _, n := range known {
		dated[TraderName{Skeleton: n.Skeleton, User: n.User}] = n.Since
	}
	var names, added []TraderName
	for _, n := range namesOf(m.forms, all) {
		if n.Since = dated[n]; n.Since.IsZero() {
			added = append(added, n)
		} else {
			names = append(names, n)
		}
	}
	var elders []AllowedName
	if len(added) > 0 {
		uses, err := m.store.NameUses(ctx, now)
		if err != nil {
			return fmt.Errorf("read who used their names: %w", err)
		}
		added, elders = eldersOf(m.forms, added, uses, now)
	}
	return m.run.Atomically(ctx, func(tx Tx) error {
		if err := tx.SaveTraderNames(ctx, append(names, added...)); err != nil {
			return fmt.Errorf("save their names: %w", err)
		}
		return tx.AddElders(ctx, elders, now)
	})
}
