package upkeep

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// canaryLock is the advisory lock of the replica that runs the canary.
const canaryLock = 0x63616e617279 // "canary"

// AloneAsCanary takes the lock of the canary; ok is false while another replica has it.
func (s *Store) AloneAsCanary(ctx context.Context) (release func(), ok bool, err error) {
	conn, err := s.Direct().Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock of the canary: %w", err)
	}
	if err := conn.QueryRow(
		ctx, "select pg_try_advisory_lock($1)", int64(canaryLock),
	).Scan(&ok); err != nil || !ok {
		conn.Release()
		return nil, false, err
	}
	return func() {
		if _, err := conn.Exec(
			context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(canaryLock),
		); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx)) // the lock ends with the connection
		}
		conn.Release()
	}, true, nil
}

// CanaryDelivered reports whether the canary's seller was sent the direct message about the accept.
func (s *Store) CanaryDelivered(ctx context.Context) (sent bool, err error) {
	err = s.Pool().QueryRow(ctx, "select exists (select from notices n join users u on u.id = n.user_id "+
		"where u.discord_id = $1 and n.kind = $2 and n.state = 'delivered')",
		people.CanarySeller.DiscordID, notify.NoticeOfferAccepted).Scan(&sent)
	return sent, err
}

// RemoveCanary removes everything that the canary's accounts have traded. The accounts stay.
func (s *Store) RemoveCanary(ctx context.Context) error {
	return s.InTx(ctx, func(t *kernel.Tx) error {
		rows, err := t.Query(ctx, "select id from users where discord_id = any($1)", []string{
			people.CanaryBuyer.DiscordID, people.CanarySeller.DiscordID,
		})
		if err != nil {
			return kernel.Translate(err)
		}
		accounts, err := pgx.CollectRows(rows, pgx.RowTo[core.UserID])
		if err != nil {
			return kernel.Translate(err)
		}
		for _, account := range accounts {
			if err := removeTrades(ctx, t, account); err != nil {
				return fmt.Errorf("remove what the canary traded: %w", err)
			}
		}
		return nil
	})
}

// removeTrades removes the trades of one of the canary's accounts.
func removeTrades(ctx context.Context, t *kernel.Tx, account core.UserID) error {
	orders, err := t.Q.LockOrdersOf(ctx, account)
	if err != nil {
		return kernel.Translate(err)
	}
	for _, statement := range []string{
		"delete from notices where user_id = $1",
		"delete from deliveries where user_id = $1",
		"delete from order_updates where buyer_id = $1",
		"delete from closings where order_id in (select id from orders where user_id = $1)",
	} {
		if _, err := t.Exec(ctx, statement, account); err != nil {
			return kernel.Translate(err)
		}
	}
	t.NotePublicOrders(orders...)
	if err := tradestore.DeleteOrders(ctx, t, orders); err != nil {
		return err
	}
	_, err = t.Exec(ctx, "delete from sent_offers where seller_id = $1", account)
	return kernel.Translate(err)
}
