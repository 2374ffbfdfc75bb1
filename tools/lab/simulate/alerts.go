package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// alertNow plans the alerts that are due and delivers what is, as the queue does.
func (w *world) alertNow(ctx context.Context) error {
	if _, err := w.market.Match.AlertWatchers(ctx, 1000); err != nil {
		return err
	}
	// Of offers buyers are messaged in both cases, which is not played.
	rows, err := w.store.Pool().Query(ctx,
		"delete from river_job where kind = 'deliver_notice' and scheduled_at <= $1 returning (args->>'notice')::bigint", w.clock())
	if err != nil {
		return err
	}
	due, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return err
	}
	if rows, err = w.store.Pool().Query(ctx,
		"select id from notices where id = any($1) and kind = 'request_watched' order by id",
		due); err != nil {
		return err
	}
	alerts, err := pgx.CollectRows(rows, pgx.RowTo[core.NoticeID])
	if err != nil {
		return err
	}
	for _, id := range alerts {
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
	s.sent[s.on(p, s.clock())]++
	for _, n := range d.Notices {
		if wanted := s.wants[n.OrderID]; wanted != nil && wanted.alertedAt.IsZero() {
			wanted.alertedAt = s.clock()
		}
		s.after(s.answers(p), func(ctx context.Context) error {
			if s.wants[n.OrderID] == nil {
				return nil // it is over
			}
			listed, err := s.market.Trade.Order(ctx, p.Actor, n.OrderID)
			if err != nil {
				return err
			}
			return s.offer(ctx, p, listed.Order)
		})
	}
	return notify.SentDM{ChannelID: "1", MessageID: fmt.Sprint(d.ID)}, nil
}
