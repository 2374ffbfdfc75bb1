package channels

import (
	"context"
	"log/slog"
	"time"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// followCard stores the card that an answer shares in a channel, so that it is edited when its request
// changes. If the ID of the message is not found, the first press on the card updates it.
func (b Channels) followCard(ctx context.Context, log *slog.Logger, in kernel.Input, o trade.Order) {
	ctx, cancel := context.WithTimeout(ctx, kernel.AnswerTime)
	defer cancel()
	messageID, err := b.Discord.ResponseID(ctx, in.Interaction)
	if err == nil {
		err = b.boards.AddSharedCard(ctx, channels.SharedCard{
			MessageID: messageID, ChannelID: in.Interaction.ChannelID, OrderID: o.ID, ItemName: o.ItemName,
			Locale:       in.Locale,
			ShownVersion: o.Version, ShownOpen: true, SharedAt: b.Now(),
		})
	}
	if err != nil {
		log.Warn("shared card is not followed", "order", o.ID, "error", err)
	}
}

// sharedCardAfterClose is for how long the card of a closed request is followed: closing can be undone.
const sharedCardAfterClose = 24 * time.Hour

// staleSharedCards lists cards to edit. They are never posted again: users have shared them.
func (k boardSync) staleSharedCards(
	ctx context.Context, held channels.HeldEdits,
) ([]channelsync.Thing, error) {
	stale, err := k.boards.StaleSharedCards(ctx, held, k.Now(), k.Now().Add(-sharedCardAfterClose),
		channelsync.PassBatch)
	things := make([]channelsync.Thing, len(stale))
	for i, c := range stale {
		s := &sharedCard{k, c}
		things[i] = channelsync.Thing{Desired: s.desired, Edit: s.edit, Shown: s.shown, End: s.end}
	}
	return things, err
}

// sharedCard keeps a shared card in step.
type sharedCard struct {
	boardSync
	card channels.SharedCard
}

func (s *sharedCard) desired(ctx context.Context) (*channelsync.Desired, error) {
	order, err := s.orderNow(ctx, s.card.OrderID)
	if err != nil {
		return nil, err
	}
	d := &channelsync.Desired{MessageID: s.card.MessageID, Over: true, Turns: true}
	var poster people.Account
	if order != nil {
		d.Over = order.Status == trade.Fulfilled && s.Now().Sub(order.ClosedAt) > sharedCardAfterClose
		d.Turns = s.card.ShownOpen != order.Open(s.Now())
		s.card.ItemName, s.card.ShownVersion = order.ItemName, order.Version
		s.card.ShownOpen, poster = order.Open(s.Now()), s.Account(ctx, order.Owner)
	}
	d.Body = s.BoardCard(s.Translator(s.card.Locale), s.card.ItemName, order, poster, nil)
	return d, nil
}

// edit takes any refusal for the end: the message or its channel was deleted, or the bot is no member there
// and may edit only while the interaction lasts.
func (s *sharedCard) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	return s.EditMessage(ctx, s.card.ChannelID, s.card.MessageID, body, discord.IsRefusal)
}

func (s *sharedCard) shown(ctx context.Context, _ string) error {
	return s.boards.SaveSharedCard(ctx, s.card)
}

func (s *sharedCard) end(ctx context.Context, _ bool) error {
	return s.boards.RemoveSharedCard(ctx, s.card.MessageID)
}
