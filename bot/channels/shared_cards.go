package channels

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
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
			Locale:       string(in.Interaction.Locale),
			ShownVersion: o.Version, ShownOpen: true, SharedAt: b.Now(),
		})
	}
	if err != nil {
		log.Warn("shared card is not followed", "order", o.ID, "error", err)
	}
}

// sharedCardAfterClose is for how long the card of a closed request is followed: closing can be undone.
const sharedCardAfterClose = 24 * time.Hour

// SharedCardLoop edits shared cards, which are never posted anew: users have shared them.
func (k boardSync) SharedCardLoop() channelsync.Loop {
	return channelsync.Loop{
		Name: "shared cards", Channels: channelsync.OneChannel(k.staleSharedCards),
		Failure: channelsync.PauseAll,
	}
}

func (k boardSync) staleSharedCards(
	ctx context.Context, held channels.HeldEdits,
) (_, changed []channelsync.Thing, err error) {
	stale, err := k.boards.StaleSharedCards(ctx, held, k.Now(), k.Now().Add(-sharedCardAfterClose),
		channelsync.PassBatch)
	for _, c := range stale {
		card := &sharedCard{k, c}
		changed = append(changed, channelsync.Thing{
			Desired: card.desired, Edit: card.edit, Shown: card.shown, End: card.end,
		})
	}
	return nil, changed, err
}

// sharedCard keeps a shared card in step.
type sharedCard struct {
	boardSync
	card channels.SharedCard
}

func (s *sharedCard) desired(ctx context.Context) (*channelsync.Desired, error) {
	t := s.Translator(s.card.Locale)
	order, err := s.boards.Order(ctx, s.card.OrderID)
	switch {
	case core.KindOf(err) == core.NotFound:
		deleted := kernel.Reply{Public: true,
			Cards: []*discord.Card{kernel.DeletedCard(t, discord.Escape(s.card.ItemName))}}
		return &channelsync.Desired{
			MessageID: s.card.MessageID, Body: deleted.Message(), Over: true, Turns: true,
		}, nil
	case err != nil:
		return nil, fmt.Errorf("order %d: %w", s.card.OrderID, err)
	}
	turns := s.card.ShownOpen != order.Open(s.Now())
	s.card.ItemName, s.card.ShownVersion = order.ItemName, order.Version
	s.card.ShownOpen = order.Open(s.Now())
	return &channelsync.Desired{
		MessageID: s.card.MessageID, Body: s.SharedCard(t, order, s.Account(ctx, order.Owner)).Message(),
		Over:  order.Status == trade.Fulfilled && s.Now().Sub(order.ClosedAt) > sharedCardAfterClose,
		Turns: turns,
	}, nil
}

// edit takes any refusal for the end: the message or its channel was deleted, or the bot is no member there
// and may edit only while the interaction lasts.
func (s *sharedCard) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	gone, err = s.EditMessage(ctx, s.card.ChannelID, s.card.MessageID, body)
	if discord.IsRefusal(err) {
		return true, nil
	}
	return gone, err
}

func (s *sharedCard) shown(ctx context.Context, _ string) error {
	return s.boards.SaveSharedCard(ctx, s.card)
}

func (s *sharedCard) end(ctx context.Context, _ bool) error {
	return s.boards.RemoveSharedCard(ctx, s.card.MessageID)
}
