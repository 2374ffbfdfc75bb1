package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
)

// followCard stores the card that an answer shares in a channel, so that it is edited when its request changes. A card whose
// message stays unknown is brought up to date by the first press on it.
func (b channelsBot) followCard(ctx context.Context, log *slog.Logger, in Input, o core.Order) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	messageID, err := b.discord.ResponseID(ctx, in.i)
	if err == nil {
		err = b.boards.AddSharedCard(ctx, core.SharedCard{
			MessageID: messageID, ChannelID: in.i.ChannelID, OrderID: o.ID, ItemName: o.ItemName, Locale: string(in.i.Locale),
			ShownVersion: o.Version, ShownOpen: true, SharedAt: b.now(),
		})
	}
	if err != nil {
		log.Warn("shared card is not followed", "order", o.ID, "error", err)
	}
}

// sharedCards brings the shared cards in line with the market. It returns the first error; the next pass goes on from there.
func (k boardSync) sharedCards(ctx context.Context) error {
	if k.paused(sharedCardsPause) {
		return nil
	}
	stale, err := k.boards.StaleSharedCards(ctx, k.edits.held(k.now()), k.now(), k.now().Add(-sharedCardAfterClose), passBatch)
	if err != nil {
		return fmt.Errorf("stale shared cards: %w", err)
	}
	for _, c := range stale {
		if err := k.redrawShared(ctx, c); err != nil {
			err = k.editFailed(c.MessageID, err)
			k.edits.stays(c.MessageID)
			if err != nil {
				k.pause(sharedCardsPause, max(passEvery, discord.RetryAfter(err)))
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

func (k boardSync) redrawShared(ctx context.Context, c core.SharedCard) error {
	t := k.translator(c.Locale)
	body, over := Reply{public: true, cards: []*discord.Card{deletedCard(t, discord.Escape(c.ItemName))}}, true
	order, err := k.boards.Order(ctx, c.OrderID)
	switch {
	case err == nil:
		c.ItemName, c.ShownVersion, c.ShownOpen, over = order.ItemName, order.Version, order.Open(k.now()), order.Status == core.Fulfilled && k.now().Sub(order.ClosedAt) > sharedCardAfterClose
		body = k.sharedCard(t, order, k.account(ctx, order.Owner))
	case core.KindOf(err) != core.NotFound:
		return fmt.Errorf("order %d: %w", c.OrderID, err)
	}
	gone, err := k.edit(ctx, c.ChannelID, c.MessageID, body.message())
	var refused *discordgo.RESTError
	if errors.As(err, &refused) && discord.RetryAfter(err) == 0 && refused.Response.StatusCode < 500 {
		// The message or its channel was deleted, or the bot is no member there and may edit only while the interaction lasts.
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

// cardAsItIs answers a press on the card of a request that is no longer open, or nil for one that is gone: a card in a channel is
// drawn as the request is now. A press on anything else is refused with why.
func (k *Kernel) cardAsItIs(ctx context.Context, in Input, o *core.Order, why error) (Reply, error) {
	m := in.i.Message
	if m == nil || m.Flags&discordgo.MessageFlagsEphemeral != 0 {
		return Reply{}, why
	}
	title, one := discord.CardTitle(m)
	if !one {
		return Reply{}, why
	}
	card := Reply{public: true, cards: []*discord.Card{deletedCard(in.tr, title)}}
	if o != nil {
		card = k.sharedCard(in.tr, *o, k.account(ctx, o.Owner))
	}
	card.redraw = true
	return card, nil
}
