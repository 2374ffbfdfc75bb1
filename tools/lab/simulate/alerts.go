package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// alertNow plans the alerts that are due and delivers what is, as the queue does. Other messages are
// delivered then, too: a reader gets all in their order.
func (w *world) alertNow(ctx context.Context) error {
	if _, err := w.market.Match.AlertWatchers(ctx, 1000); err != nil {
		return err
	}
	rows, err := w.store.Pool().Query(ctx,
		"delete from river_job where kind = 'deliver_notice' and scheduled_at <= $1 returning (args->>'notice')::bigint", w.clock())
	if err != nil {
		return err
	}
	due, err := pgx.CollectRows(rows, pgx.RowTo[core.NoticeID])
	if err != nil {
		return err
	}
	slices.Sort(due)
	for _, id := range due {
		if w.ended[id] { // with another one
			continue
		}
		if err := w.deliver(ctx, id); err != nil {
			return err
		}
	}
	rows, err = w.store.Pool().Query(ctx,
		`select least((select min(scheduled_at) from river_job where kind = 'deliver_notice'),
    (select min(due_at) from alert_rounds where due_at > $1))`, w.clock())
	if err != nil {
		return err
	}
	next, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[*time.Time])
	if err == nil && next != nil && (!w.nextAlert.After(w.clock()) || next.Before(w.nextAlert)) {
		w.nextAlert = *next
		w.after(*next, w.alertNow)
	}
	return err
}

func (w *world) deliver(ctx context.Context, id core.NoticeID) error {
	err := w.market.Channels.DeliverNotice(ctx, sender{w}, id)
	var later *channels.RetryLater
	if errors.As(err, &later) {
		w.after(w.clock().Add(later.After), func(ctx context.Context) error { return w.deliver(ctx, id) })
		return nil
	}
	return err
}

// sender takes direct messages, and has their readers act on them.
type sender struct{ *world }

// SendDM has the reader of alerts offer, once they answer.
func (s sender) SendDM(_ context.Context, d channels.Delivery) (notify.SentDM, error) {
	p := s.byID[d.To.User]
	alerts := slices.DeleteFunc(slices.Clone(d.Notices),
		func(n notify.Notice) bool { return n.Kind != notify.NoticeRequestWatched })
	if len(alerts) > 0 {
		s.sent[s.on(p, s.clock())]++
	}
	for _, n := range alerts {
		wanted := s.wants[n.OrderID]
		if wanted == nil {
			continue // it is over
		}
		if wanted.alertedAt.IsZero() {
			wanted.alertedAt = s.clock()
		}
		g := of(p.goods, wanted.item)
		if g == nil {
			continue // one for a profession
		}
		answers := draw(s.seed, "answers", p.n, wanted.buyer.n, wanted.n)
		s.after(answersAt(answers, p.zone, s.clock()), func(ctx context.Context) error {
			if s.wants[n.OrderID] == nil {
				return nil
			}
			listed, err := s.market.Trade.Order(ctx, p.Actor, n.OrderID)
			if err != nil {
				return err
			}
			for _, c := range worthwhile([]chance{{listed.Order, g}}) {
				return s.offer(ctx, p, c)
			}
			return nil
		})
	}
	return notify.SentDM{ChannelID: "1", MessageID: fmt.Sprint(d.ID)}, nil
}
