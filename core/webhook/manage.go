package webhook

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
)

// Types lists the types of event that a webhook can get.
func (s *Service) Types(market bool) []Type {
	if market {
		return MarketTypes()
	}
	return OwnTypes(s.features)
}

// Own lists the webhooks of the actor's own trades, the newest first. It fails with Unauthenticated.
func (s *Service) Own(ctx context.Context, actor core.Actor) ([]Webhook, error) {
	if err := actor.MustBeUser(); err != nil {
		return nil, err
	}
	return s.store.WebhooksOf(ctx, actor.UserID)
}

// OfMarket lists the webhooks of the whole market, the newest first. It fails with Unauthenticated and
// Forbidden.
func (s *Service) OfMarket(ctx context.Context, actor core.Actor) ([]Webhook, error) {
	if err := actor.MustModerate(); err != nil {
		return nil, err
	}
	return s.store.MarketWebhooks(ctx)
}

// Make makes a webhook and has a ping sent to it, whose answer switches it on. The secret is returned once:
// it is empty in the answer to a repeat. It returns the same errors as Draft.Make.
func (s *Service) Make(ctx context.Context, actor core.Actor, d Draft) (w Webhook, shown string, err error) {
	if err := d.MayMake(actor, s.now()); err != nil {
		return Webhook{}, "", err
	}
	secret, err := NewSecret(s.random)
	if err != nil {
		return Webhook{}, "", err
	}
	w, err = core.Write(ctx, s.run, actor, "make webhook", d, func(tx Tx, now time.Time) (Webhook, error) {
		owner, err := tx.LockUser(ctx, actor.UserID)
		if err != nil {
			return Webhook{}, fmt.Errorf("lock user: %w", err)
		}
		by := actor
		by.Blocked, by.LeavingAt = owner.Blocked(), owner.LeavingAt
		others, ofMarket, err := tx.CountWebhooks(ctx, actor.UserID)
		if err != nil {
			return Webhook{}, fmt.Errorf("count webhooks: %w", err)
		}
		if d.Market {
			others = ofMarket
		}
		w, err := d.Make(by, others, secret, s.Types(d.Market), s.anywhere, now)
		if err != nil {
			return Webhook{}, err
		}
		if w.ID, err = tx.AddWebhook(ctx, w); err != nil {
			return Webhook{}, fmt.Errorf("add webhook: %w", err)
		}
		if err := tx.AddPing(ctx, w.ID, now); err != nil {
			return Webhook{}, fmt.Errorf("add ping: %w", err)
		}
		return w, logged(ctx, tx, w, actor, core.AuditWebhookMade, now)
	})
	return withSecret(w, err)
}

// logged stores an act of a moderator on a webhook of the market.
func logged(
	ctx context.Context, tx Tx, w Webhook, by core.Actor, action core.AuditAction, now time.Time,
) error {
	if !w.Market {
		return nil
	}
	return tx.AddAuditEntry(ctx,
		core.AuditEntry{At: now, Moderator: by.UserID, Action: action, Reason: w.Host()})
}

// withSecret returns the secret of a webhook as it is shown; a repeat has none.
func withSecret(w Webhook, err error) (Webhook, string, error) {
	if err != nil || w.Secret == nil {
		return w, "", err
	}
	return w, Shown(w.Secret), nil
}

// change locks a webhook that the actor may manage and has it changed in one write.
func (s *Service) change(
	ctx context.Context, actor core.Actor, id core.WebhookID, operation string, input any,
	decide func(Tx, Webhook, time.Time) (Webhook, error),
) (Webhook, error) {
	if err := actor.MustBeUser(); err != nil {
		return Webhook{}, err
	}
	return core.Write(ctx, s.run, actor, operation, input, func(tx Tx, now time.Time) (Webhook, error) {
		w, err := tx.LockWebhook(ctx, id)
		if core.KindOf(err) == core.NotFound {
			return Webhook{}, NotFound()
		}
		if err != nil {
			return Webhook{}, fmt.Errorf("lock webhook %d: %w", id, err)
		}
		if err := w.MayManage(actor); err != nil {
			return Webhook{}, err
		}
		return decide(tx, w, now)
	})
}

// ReplaceSecret gives a webhook another secret, which is returned once, as Make does. It fails with
// Unauthenticated, Forbidden, also without a fresh sign-in, and NotFound.
func (s *Service) ReplaceSecret(
	ctx context.Context, actor core.Actor, id core.WebhookID,
) (Webhook, string, error) {
	if err := actor.MustBeUser(); err != nil {
		return Webhook{}, "", err
	}
	if err := actor.MustBeFresh(s.now()); err != nil {
		return Webhook{}, "", err
	}
	secret, err := NewSecret(s.random)
	if err != nil {
		return Webhook{}, "", err
	}
	return withSecret(s.change(ctx, actor, id, "replace webhook secret", id,
		func(tx Tx, w Webhook, now time.Time) (Webhook, error) {
			w = w.ReplaceSecret(secret, now)
			if err := tx.SaveWebhook(ctx, w, false); err != nil {
				return Webhook{}, err
			}
			return w, logged(ctx, tx, w, actor, core.AuditWebhookChanged, now)
		}))
}

// SwitchOn has a ping sent, whose answer switches the webhook on. It fails with Unauthenticated, Forbidden,
// NotFound, and Conflict unless it is off.
func (s *Service) SwitchOn(ctx context.Context, actor core.Actor, id core.WebhookID) error {
	_, err := s.change(ctx, actor, id, "switch webhook on", id,
		func(tx Tx, w Webhook, now time.Time) (Webhook, error) {
			w, err := w.SwitchOn()
			if err != nil {
				return Webhook{}, err
			}
			if err := tx.SaveWebhook(ctx, w, false); err != nil {
				return Webhook{}, err
			}
			if err := tx.AddPing(ctx, id, now); err != nil {
				return Webhook{}, err
			}
			return w, logged(ctx, tx, w, actor, core.AuditWebhookChanged, now)
		})
	return err
}

// End removes a webhook. It is no error when it is gone. It fails with Unauthenticated and Forbidden.
func (s *Service) End(ctx context.Context, actor core.Actor, id core.WebhookID) error {
	_, err := s.change(ctx, actor, id, "end webhook", id,
		func(tx Tx, w Webhook, now time.Time) (Webhook, error) {
			if err := tx.EndWebhook(ctx, id); err != nil {
				return Webhook{}, err
			}
			return w, logged(ctx, tx, w, actor, core.AuditWebhookEnded, now)
		})
	if core.KindOf(err) == core.NotFound {
		return nil
	}
	return err
}

// managed returns a webhook that the actor may manage.
func (s *Service) managed(ctx context.Context, actor core.Actor, id core.WebhookID) (Webhook, error) {
	if err := actor.MustBeUser(); err != nil {
		return Webhook{}, err
	}
	w, err := s.store.Webhook(ctx, id)
	if core.KindOf(err) == core.NotFound {
		return Webhook{}, NotFound()
	}
	if err != nil {
		return Webhook{}, fmt.Errorf("webhook %d: %w", id, err)
	}
	return w, w.MayManage(actor)
}

// Deliveries lists the last deliveries of a webhook, the newest first. It fails with Unauthenticated,
// Forbidden and NotFound.
func (s *Service) Deliveries(
	ctx context.Context, actor core.Actor, id core.WebhookID,
) ([]Delivery, error) {
	if _, err := s.managed(ctx, actor, id); err != nil {
		return nil, err
	}
	return s.store.WebhookDeliveries(ctx, id, ListedDeliveries)
}

// again identifies a delivery.
type again struct {
	Webhook  core.WebhookID
	Delivery core.WebhookDeliveryID
}

// SendAgain has a delivery sent again at once, with the same id. It fails with Unauthenticated, Forbidden,
// NotFound, and Conflict unless the webhook is on.
func (s *Service) SendAgain(
	ctx context.Context, actor core.Actor, id core.WebhookID, delivery core.WebhookDeliveryID,
) error {
	_, err := s.change(ctx, actor, id, "send webhook again", again{id, delivery},
		func(tx Tx, w Webhook, now time.Time) (Webhook, error) {
			if w.State != On {
				return Webhook{}, core.NewError(core.Conflict, core.NewText("webhook_off"))
			}
			there, err := tx.SendAgain(ctx, id, delivery, now)
			if err == nil && !there {
				err = core.NewError(core.NotFound, core.NewText("webhook_delivery_gone"))
			}
			return w, err
		})
	return err
}
