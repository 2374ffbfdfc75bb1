package postgres_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgembed"
	"tradepost/sql/waits"
)

// between runs something before the statement that brings back a column.
type between struct {
	*pgx.Conn
	column string
	do     func()
}

func (b between) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	table, column, _ := strings.Cut(b.column, ".")
	if strings.Contains(sql, "update "+table+" set "+column+" = ") && !strings.Contains(sql, "other as (update "+table) {
		b.do()
	}
	return b.Conn.Exec(ctx, sql, args...)
}

// closedWithOffer returns a request that was closed now, with an offer that lapsed.
func (w *world) closedWithOffer() trade.Order {
	w.T.Helper()
	order := w.Post(w.Ann)
	w.OfferOn(w.Bob, order, 1)
	closed, err := w.Trade.CloseOrder(w.T.Context(), w.Ann, order.ID)
	must(w.T, err)
	return closed
}

// A database that needs long for a statement does not make right times look as if they were ahead: make histories found a
// request whose closing could not be undone, because only one of its two times was brought back.
func TestTimesWrittenWhileOthersAreBroughtBackStay(t *testing.T) {
	t.Parallel()
	for _, c := range waits.Times {
		if !slices.Contains([]string{"closings.closed_at", "deliveries.started_at", "notices.created_at", "orders.closed_at", "orders.created_at"}, c.String()) {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			conn := storetest.Connect(t, w.DSN)
			_, err := conn.Exec(t.Context(), pgembed.SteppableClock, pgx.QueryExecModeSimpleProtocol)
			must(t, err)
			var order trade.Order
			slow := between{storetest.Connect(t, w.DSN), c.String(), func() {
				const took = 4 * waits.Slack
				w.Clock.Forward(took)
				_, err := conn.Exec(t.Context(), "update stepped.clock set ahead = $1", took)
				must(t, err)
				order = w.closedWithOffer()
			}}
			found, err := waits.BringBack(t.Context(), slow, w.Clock.Now, waits.All)
			if err != nil || len(found) != 0 {
				t.Errorf("brought back %v, %v", found, err)
			}
			if order.ID == 0 {
				t.Fatal("nothing was written meanwhile")
			}
			storetest.Same(t, order, w.stored(order.ID))
			w.CheckInvariants()
			_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
			must(t, err)
			w.CheckInvariants()
		})
	}
}

// A closing is undone within ten minutes, also when the clock was ahead as it was closed: both of its times are brought back
// to the same.
func TestAClosingOfAClockThatWasAheadIsUndone(t *testing.T) {
	t.Parallel()
	const ahead = 4 * time.Minute
	for name, column := range map[string]string{
		"before times are brought back":    "",
		"just before its closing's turn":   "closings.closed_at",
		"between the turns of both":        "handovers.due_at",
		"just before its own turn":         "orders.closed_at",
		"after both, as the last are read": "watch_turns.messages",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var order trade.Order
			late := func() { // by a program that has not seen the step yet
				w.Clock.Forward(ahead)
				order = w.closedWithOffer()
				w.Clock.Forward(-ahead)
			}
			if column == "" {
				late()
			}
			conn := storetest.Connect(t, w.DSN)
			_, err := waits.BringBack(t.Context(), between{conn, column, late}, w.Clock.Now, waits.AfterStep)
			must(t, err)
			w.CheckInvariants()
			w.Clock.Forward(time.Minute)
			_, err = waits.BringBack(t.Context(), conn, w.Clock.Now, waits.EachMinute)
			must(t, err)
			w.CheckInvariants()
			if stored := w.stored(order.ID); stored.ClosedAt.After(w.Clock.Now()) {
				t.Errorf("closed at %s, it is %s", stored.ClosedAt, w.Clock.Now())
			}
			_, err = w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
			must(t, err)
			w.CheckInvariants()
		})
	}
}

// An older program brings back the two times of a closing apart. It is undone nevertheless, and for as long as the request says.
func TestAClosingWithTimesApartIsUndone(t *testing.T) {
	t.Parallel()
	for _, apart := range []time.Duration{-time.Minute, time.Minute} {
		w := newWorld(t)
		order := w.closedWithOffer()
		must(t, w.SQL("update closings set closed_at = $1", w.Clock.Now().Add(apart)))
		w.Clock.Forward(core.UndoWindow - time.Second)
		_, err := w.Trade.UndoClose(t.Context(), w.Ann, order.ID)
		must(t, err)
		w.CheckInvariants()
	}
}
