package notices

import (
	"context"
	"errors"

	"tradepost/bot/discord"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

var errNotInThread = errors.New("the reader is not in it")

// toThread sends a notice to the thread of its trade, where it pings its reader, or edits the sent message.
// It returns *core.ThreadGone when it does not reach its reader there.
func (c dmSender) toThread(
	ctx context.Context, d channels.Delivery,
) (where notify.SentDM, how string, err error) {
	if d.FindOnly {
		return c.look(ctx, d.Thread, d)
	}
	body := c.DeliveryMessage(c.TranslatorFor(d.To), d, "").Message()
	if d.MessageID != "" {
		err := c.Discord.EditMessage(ctx, d.Thread, d.MessageID, body)
		if discord.IsRefusal(err) {
			err = nil // its reader has it as it was
		}
		return notify.SentDM{ChannelID: d.Thread, MessageID: d.MessageID}, "edited", err
	}
	there, err := c.Discord.IsInThread(ctx, d.Thread, d.To.DiscordID)
	if err == nil && !there {
		err = errNotInThread
	}
	sent := ""
	if err == nil && d.Uncertain {
		if sent, err = c.find(ctx, d.Thread, d); sent != "" {
			return notify.SentDM{ChannelID: d.Thread, MessageID: sent}, "found", nil
		}
	}
	if err == nil {
		body.PingUsers = []string{d.To.DiscordID}
		sent, err = c.Discord.SendMessage(ctx, d.Thread, body, d.Nonce())
	}
	if errors.Is(err, errNotInThread) || discord.IsRefusal(err) {
		return notify.SentDM{}, "gone", &channels.ThreadGone{Cause: err}
	}
	return notify.SentDM{ChannelID: d.Thread, MessageID: sent}, "sent", err
}

// inThreadOf mentions the reader at the beginning of a message in a thread.
func inThreadOf(d channels.Delivery, text discord.Markdown) discord.Markdown {
	return discord.Markdown("<@"+d.To.DiscordID+"> ") + text
}
