package notices

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// NewDMSender returns a sender of notices as direct messages. It works with and without the gateway.
func NewDMSender(k *kernel.Kernel) channels.DMSender { return dmSender{New(k)} }

type dmSender struct{ Notices }

// Why a user gets no DMs. The English message is stored and shown in the web inbox.
var (
	reasonClosed   = core.NewText("dm_closed")
	reasonNoServer = core.NewText("dm_no_server")
	reasonGone     = core.NewText("dm_unknown_account")
)

// SendDM sends a direct message, or edits the sent one; with FindOnly it only searches for it. It returns
// *core.Undeliverable, *core.RetryLater, or another error when it is not known whether the message was sent.
func (c dmSender) SendDM(ctx context.Context, d channels.Delivery) (notify.SentDM, error) {
	where, how, err := c.deliver(ctx, d)
	err = c.meaning(err)
	var later *channels.RetryLater
	var undeliverable *notify.Undeliverable
	switch {
	case errors.As(err, &later):
		how = "later"
	case errors.As(err, &undeliverable):
		how = "refused"
	case err != nil:
		how = "failed"
	}
	c.Hooks.Message(string(d.Kind), how)
	return where, err
}

func (c dmSender) deliver(
	ctx context.Context, d channels.Delivery,
) (where notify.SentDM, how string, err error) {
	if d.Thread != "" {
		return c.toThread(ctx, d)
	}
	body := c.DeliveryMessage(c.TranslatorFor(d.To), d, "").Message()
	channel := d.ChannelID
	if channel == "" {
		channel = d.To.ChannelID
	}
	if channel == "" {
		if channel, err = c.Discord.OpenDM(ctx, d.To.DiscordID); err != nil {
			return notify.SentDM{}, "", err
		}
	}
	if d.FindOnly {
		return c.look(ctx, channel, d)
	}
	nonce, look := d.Nonce(), d.Uncertain
	if d.MessageID != "" {
		err := c.Discord.EditMessage(ctx, channel, d.MessageID, body)
		if err == nil && d.Kind == notify.NoticeOfferReceived {
			err = c.redrawAnswered(ctx, channel, d)
		}
		if d.EditOnly && discord.HasCode(err, discordgo.ErrCodeUnknownMessage) {
			// its reader has no use for it
			return notify.SentDM{ChannelID: channel, MessageID: d.MessageID}, "deleted", nil
		}
		if d.EditOnly {
			return notify.SentDM{ChannelID: channel, MessageID: d.MessageID}, "edited", err
		}
		// A later version has sent a kind of message that this one cannot edit, or Discord limits its
		// edits: what is new does not wait.
		stays := discord.IsInvalid(err) || discord.IsOldEdit(err)
		if err == nil || !stays && !discord.HasCode(err, discordgo.ErrCodeUnknownMessage) {
			return notify.SentDM{ChannelID: channel, MessageID: d.MessageID}, "edited", err
		}
		// It is sent again, also when the user deleted it. With the old nonce Discord would return the first
		// message, and a search would find that message if it still exists.
		nonce, look = nonce+"-"+d.MessageID[max(0, len(d.MessageID)-4):], !stays
	}
	if look {
		sent, err := c.find(ctx, channel, d)
		if err != nil || sent != "" {
			return notify.SentDM{ChannelID: channel, MessageID: sent}, "found", err
		}
	}
	sent, err := c.Discord.SendMessage(ctx, channel, body, nonce)
	if discord.HasCode(err, discordgo.ErrCodeUnknownChannel, discordgo.ErrCodeMissingAccess) {
		// The channel may be from a time when the bot was another application.
		if channel, err = c.Discord.OpenDM(ctx, d.To.DiscordID); err == nil {
			sent, err = c.Discord.SendMessage(ctx, channel, body, nonce)
		}
	}
	return notify.SentDM{ChannelID: channel, MessageID: sent}, "sent", err
}

// redrawAnswered draws a message again if its offers were answered during the edit, so that the edit hides no
// answer.
func (c dmSender) redrawAnswered(ctx context.Context, channel string, d channels.Delivery) error {
	now, err := c.Market.Channels.Delivery(ctx, core.Actor{UserID: d.To.User}, d.ID)
	if err != nil || len(now.Trades) == len(d.Trades) &&
		slices.EqualFunc(now.Offers, d.Offers, sameOffer) {
		return nil // the next press redraws it
	}
	return c.Discord.EditMessage(ctx, channel, d.MessageID,
		c.DeliveryMessage(c.TranslatorFor(d.To), now, "").Message())
}

func sameOffer(a, b trade.OpenOffer) bool {
	return a.Offer.ID == b.Offer.ID && a.Offer.Quantity == b.Offer.Quantity
}

// find looks for the message of an earlier attempt: since that began, and among the latest of its channel.
// The clock may have been ahead when it began.
func (c dmSender) find(ctx context.Context, channel string, d channels.Delivery) (string, error) {
	sent, err := c.Discord.FindMessage(ctx, channel, SettingsID(d.ID), d.StartedAt)
	if err != nil || sent != "" {
		return sent, err
	}
	return c.Discord.FindMessage(ctx, channel, SettingsID(d.ID), time.Time{})
}

// look finds the message of an earlier attempt. It returns a where without a message when there is none.
func (c dmSender) look(
	ctx context.Context, channel string, d channels.Delivery,
) (where notify.SentDM, how string, err error) {
	sent, err := c.find(ctx, channel, d)
	switch {
	case discord.HasCode(err, discordgo.ErrCodeUnknownChannel, discordgo.ErrCodeMissingAccess), err == nil &&
		sent == "":
		return notify.SentDM{}, "absent", nil
	case err != nil:
		return notify.SentDM{}, "", err
	}
	return notify.SentDM{ChannelID: channel, MessageID: sent}, "found", nil
}

// SettingsID is on every direct message. It opens the settings, and a message is found again by it.
func SettingsID(id core.DeliveryID) discord.CustomID {
	return discord.NewCustomID("settings", kernel.DeliveryView(id))
}

// meaning translates an error of Discord's into what core understands.
func (c dmSender) meaning(err error) error {
	var failed *discordgo.RESTError
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*channels.ThreadGone)):
		return err
	case discord.RetryAfter(err) > 0:
		return &channels.RetryLater{After: discord.RetryAfter(err)}
	case c.Discord.OpensTooFast(err) > 0:
		return &channels.RetryLater{After: c.Discord.OpensTooFast(err)}
	case discord.HasCode(err, discordgo.ErrCodeCannotSendMessagesToThisUser):
		return &notify.Undeliverable{Reason: reasonClosed.String(), Closed: true}
	case discord.HasCode(err, discord.CodeNoSharedServer):
		return &notify.Undeliverable{Reason: reasonNoServer.String(), Closed: true}
	case discord.HasCode(err, discordgo.ErrCodeUnknownUser, discordgo.ErrCodeInvalidRecipients):
		return &notify.Undeliverable{Reason: reasonGone.String(), Closed: true}
	case !errors.As(err, &failed), discord.IsTemporary(err):
		return err
	}
	c.Log.Error("discord: direct message rejected", "error", err)
	return &notify.Undeliverable{Reason: "Discord refused the message: " +
		discord.Clip(failed.Message.Message, 200)}
}
