package trade

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// AddHandover stores the handover of a sale that this transaction has added.
func (t *HandoverTx) AddHandover(ctx context.Context, h trade.Trade) error {
	return t.Q.AddHandover(ctx, db.AddHandoverParams{
		SaleID: h.Sale, BuyerID: kernel.OrNull(h.Buyer.User), SellerID: kernel.OrNull(h.Seller.User),
		AcceptedAt: h.AcceptedAt, AgreedBy: h.AgreedBy, DueAt: kernel.TimeOrNull(h.DueAt()),
		MeetAt: kernel.TimeOrNull(h.Meets.At),
	})
}

// AddMissingHandovers adds handovers to accepts after a time that have none because an older program made
// them.
func (t *HandoverTx) AddMissingHandovers(ctx context.Context, since time.Time, limit int) (int, error) {
	added, err := t.Q.AddMissingHandovers(ctx, db.AddMissingHandoversParams{
		Within: pgtype.Interval{Microseconds: trade.AgreedWithin.Microseconds(), Valid: true}, Since: since,
		Most: int32(limit),
	})
	return int(added), kernel.Translate(err)
}

// LockHandovers locks the handovers that exist, by number. Before them it locks their orders, where handovers
// may be cancelled, and else keeps the orders from being deleted.
func (t *HandoverTx) LockHandovers(
	ctx context.Context, sales []core.SaleID, cancels bool,
) ([]trade.Trade, error) {
	if cancels {
		if _, err := t.Q.LockOrdersOfSales(ctx, kernel.Raw(sales)); err != nil {
			return nil, kernel.Translate(err)
		}
	} else if err := t.Q.KeepOrdersOfSales(ctx, kernel.Raw(sales)); err != nil {
		return nil, kernel.Translate(err)
	}
	if _, err := t.Q.LockHandovers(ctx, kernel.Raw(sales)); err != nil {
		return nil, kernel.Translate(err)
	}
	return t.handovers(ctx, kernel.Raw(sales))
}

// handovers reads locked handovers as they are now.
func (t *HandoverTx) handovers(ctx context.Context, sales []int64) ([]trade.Trade, error) {
	rows, err := t.Q.HandoversByID(ctx, sales)
	return kernel.Convert(rows, Trade), kernel.Translate(err)
}

// LockDueHandovers locks up to limit handovers that have something due, and the orders of handovers that are
// cancelled by now.
func (t *HandoverTx) LockDueHandovers(
	ctx context.Context, now time.Time, limit int,
) ([]trade.Trade, error) {
	rows, err := t.Q.DueHandovers(ctx, now, int32(limit))
	if err != nil || len(rows) == 0 {
		return nil, kernel.Translate(err)
	}
	var due, cancelled []core.SaleID
	for _, r := range rows {
		h := Trade(r)
		due = append(due, h.Sale)
		if state, _ := h.Outcome(now); state == trust.HandoverCancelled {
			cancelled = append(cancelled, h.Sale)
		}
	}
	if len(cancelled) > 0 {
		if _, err := t.Q.LockOrdersOfSales(ctx, kernel.Raw(cancelled)); err != nil {
			return nil, kernel.Translate(err)
		}
	}
	locked, err := t.Q.LockHandoversNotLocked(ctx, kernel.Raw(due))
	if err != nil {
		return nil, kernel.Translate(err)
	}
	return t.handovers(ctx, kernel.Raw(locked))
}

// SaveHandover stores a locked handover.
func (t *HandoverTx) SaveHandover(ctx context.Context, h trade.Trade) error {
	t.NoteWrite()
	t.NoteTrade(h.ItemName) // it may count for a price by now
	b, s := h.Buyer, h.Seller
	for _, side := range []trade.Party{b, s} {
		if side.User != 0 {
			t.NoteUsers(side.User)
		}
	}
	err := t.Q.SaveHandover(ctx, db.SaveHandoverParams{
		SaleID: h.Sale, AgreedBy: h.AgreedBy,
		BuyerWord: kernel.OrNull(b.Word), BuyerSaidAt: kernel.TimeOrNull(b.SaidAt),
		BuyerLaterAt:  kernel.TimeOrNull(b.LaterAt),
		BuyerMessages: b.Messages, BuyerPromptedAt: kernel.TimeOrNull(b.PromptedAt),
		SellerWord: kernel.OrNull(s.Word), SellerSaidAt: kernel.TimeOrNull(s.SaidAt),
		SellerLaterAt:  kernel.TimeOrNull(s.LaterAt),
		SellerMessages: s.Messages, SellerPromptedAt: kernel.TimeOrNull(s.PromptedAt),
		State: h.State, SettledAt: kernel.TimeOrNull(h.SettledAt), SettledBy: kernel.OrNull(h.SettledBy),
		Against:         kernel.OrNull(h.Against),
		BuyerTookBackAt: kernel.TimeOrNull(b.TookBackAt), SellerTookBackAt: kernel.TimeOrNull(s.TookBackAt),
		LookedAt:   kernel.TimeOrNull(h.LookedAt),
		DueAt:      kernel.TimeOrNull(h.DueAt()),
		MeetAt:     kernel.TimeOrNull(h.Meets.At),
		BuyerMeets: h.Meets.Buyer, SellerMeets: h.Meets.Seller, MeetReminded: h.Meets.Reminded,
		BuyerProposals: h.Meets.ByBuyer, SellerProposals: h.Meets.BySeller,
	})
	if err != nil {
		return kernel.Translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, h.Sale)
}

// SaveRuling stores the reason of a ruling on a locked handover, and that the entry which this transaction
// added to the log last is of the ruling.
func (t *HandoverTx) SaveRuling(ctx context.Context, h trade.Trade) error {
	return kernel.Translate(t.Q.SaveRuling(ctx, h.RulingReason, h.Sale))
}

// LockRuling locks the handover that the ruling of a log entry has settled, and its order before it. It
// returns NotFound when there is none, and once the ruling was undone.
func (t *HandoverTx) LockRuling(ctx context.Context, entry core.AuditID) (trade.Trade, error) {
	gone := kernel.NotFound(core.NewText("undo_gone"))
	sale, err := t.Q.RulingOf(ctx, int64(entry))
	if errors.Is(err, pgx.ErrNoRows) {
		return trade.Trade{}, gone
	}
	if err != nil {
		return trade.Trade{}, kernel.Translate(err)
	}
	found, err := t.LockHandovers(ctx, []core.SaleID{sale}, true)
	if err != nil {
		return trade.Trade{}, err
	}
	// Another moderator may have undone it before it was locked.
	if now, err := t.Q.RulingOf(ctx, int64(entry)); errors.Is(err, pgx.ErrNoRows) ||
		err == nil && (now != sale || len(found) != 1) {
		return trade.Trade{}, gone
	} else if err != nil {
		return trade.Trade{}, kernel.Translate(err)
	}
	return found[0], nil
}

// EndRuling stores that the ruling on a locked handover was undone.
func (t *HandoverTx) EndRuling(ctx context.Context, h trade.Trade) error {
	return kernel.Translate(t.Q.EndRuling(ctx, h.RulingUndoneAt, h.Sale))
}

// EndReversal stores that the sale of a locked handover counts again.
func (t *HandoverTx) EndReversal(ctx context.Context, h trade.Trade) error {
	t.NoteWrite()
	t.NoteTrade(h.ItemName)
	return kernel.Translate(t.Q.EndReversal(ctx, h.Sale))
}

// LockMissing locks and returns the sale of a cancelled handover that gave back to a fulfilled order of the
// same buyer at least what an order asks for, and that no order has asked for again; zero for none.
func (t *HandoverTx) LockMissing(ctx context.Context, o trade.Order) (core.SaleID, error) {
	sale, err := t.Q.LockMissing(ctx, db.LockMissingParams{
		BuyerID: int64(o.Owner), ItemName: kernel.OrNull(o.ItemName), Quantity: o.Quantity,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return sale, kernel.Translate(err)
}

// PostAgain stores that an order asks again for what a cancelled handover gave back.
func (t *HandoverTx) PostAgain(ctx context.Context, sale core.SaleID, order core.OrderID) error {
	if err := t.Q.PostAgain(ctx, kernel.OrNull(int64(order)), sale); err != nil {
		return kernel.Translate(err)
	}
	return t.Q.TradeThreadIsDue(ctx, sale)
}
