package channels

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

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

// KeepShared brings the shared cards in line with the market. It returns the first error; the next pass
// goes on from there.
func (k boardSync) KeepShared(ctx context.Context) error {
	if k.Paused(sharedCardsPause) {
		return nil
	}
	stale, err := k.boards.StaleSharedCards(ctx, k.Edits.Held(k.Now()), k.Now(),
		k.Now().Add(-sharedCardAfterClose), channelsync.PassBatch)
	if err != nil {
		return fmt.Errorf("stale shared cards: %w", err)
	}
	for _, c := range stale {
		if err := k.redrawShared(ctx, c); err != nil {
			err = k.EditFailed(c.MessageID, err)
			k.Edits.Stays(c.MessageID)
			if err != nil {
				k.Pause(sharedCardsPause, max(channelsync.PassEvery, discord.RetryAfter(err)))
				return fmt.Errorf("shared card %s: %w", c.MessageID, err)
			}
		}
	}
	return nil
}

// sharedCardAfterClose is for how long the card of a closed request is followed: closing can be undone.
const sharedCardAfterClose = 24 * time.Hour

// sharedCardsPause is the key of channelSync.notBefore for all shared cards. No channel is called like that.
const sharedCardsPause = "shared cards"

func (k boardSync) redrawShared(ctx context.Context, c channels.SharedCard) error {
	t := k.Translator(c.Locale)
	body, over := kernel.Reply{Public: true,
		Cards: []*discord.Card{kernel.DeletedCard(t, discord.Escape(c.ItemName))}}, true
	order, err := k.boards.Order(ctx, c.OrderID)
	switch {
	case err == nil:
		c.ItemName, c.ShownVersion, c.ShownOpen, over = order.ItemName, order.Version, order.Open(k.Now()),
			order.Status == trade.Fulfilled && k.Now().Sub(order.ClosedAt) > sharedCardAfterClose
		body = k.SharedCard(t, order, k.Account(ctx, order.Owner))
	case core.KindOf(err) != core.NotFound:
		return fmt.Errorf("order %d: %w", c.OrderID, err)
	}
	gone, err := k.Edit(ctx, c.ChannelID, c.MessageID, body.Message())
	var refused *discordgo.RESTError
	if errors.As(err, &refused) && discord.RetryAfter(err) == 0 && refused.Response.StatusCode < 500 {
		// The message or its channel was deleted, or the bot is no member there and may edit only while the
		// interaction lasts.
		gone, err = true, nil
	}
	if err != nil {
		return err
	}
	if over || gone {
		return k.boards.RemoveSharedCard(ctx, c.MessageID)
	}
	return k.boards.SaveSharedCard(ctx, c)
}
