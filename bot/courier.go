package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
)

// Courier carries notices as direct messages. It works whether or not this bot holds the gateway.
func (b *Bot) Courier() core.Courier { return courier{b} }

type courier struct{ *Bot }

// Reasons that readers of the web inbox are given.
const (
	reasonClosed   = "Your Discord settings do not let this bot write to you. Allow direct messages from a server that you share with it."
	reasonNoServer = "You share no server with this bot. Join one, or add the bot to your account, so that it may write to you."
	reasonGone     = "Discord does not know this account any more"
)

// tooFastPause is how long nobody new is written to after Discord said that direct messages were opened too fast. It names
// no number.
const tooFastPause = 10 * time.Minute

const openRoute = "POST /users/@me/channels"

// Deliver sends a direct message, or edits the one that was sent. It returns *core.Undeliverable, *core.Later, or another
// error when it does not know what became of it.
func (c courier) Deliver(ctx context.Context, d core.Delivery) (core.Receipt, error) {
	receipt, how, err := c.deliver(ctx, d)
	err = c.meaning(err)
	var later *core.Later
	var undeliverable *core.Undeliverable
	switch {
	case errors.As(err, &later):
		how = "later"
	case errors.As(err, &undeliverable):
		how = "refused"
	case err != nil:
		how = "failed"
	}
	c.hooks.Message(string(d.Kind), how)
	return receipt, err
}

func (c courier) deliver(ctx context.Context, d core.Delivery) (receipt core.Receipt, how string, err error) {
	body := c.deliveryMessage(tongueFor(d.To.Locale), d, "").message()
	channel := d.ChannelID
	if channel == "" {
		channel = d.To.ChannelID
	}
	if channel == "" {
		if channel, err = c.openDM(ctx, d.To.DiscordID); err != nil {
			return core.Receipt{}, "", err
		}
	}
	nonce, look := d.Nonce(), d.Uncertain
	if d.MessageID != "" {
		err := c.editMessage(ctx, channel, d.MessageID, body)
		if err == nil || !isCode(err, codeUnknownMessage) {
			return core.Receipt{ChannelID: channel, MessageID: d.MessageID}, "edited", err
		}
		// Somebody deleted it: what it told must be told again. Discord would take the old nonce for the deleted message.
		nonce, look = nonce+"-"+d.MessageID[max(0, len(d.MessageID)-4):], true
	}
	if look {
		sent, err := c.findMessage(ctx, channel, settingsPress(d.ID), d.StartedAt)
		if err != nil || sent != "" {
			return core.Receipt{ChannelID: channel, MessageID: sent}, "found", err
		}
	}
	body.Nonce, body.EnforceNonce = nonce, true
	sent, err := c.sendMessage(ctx, channel, body)
	if isCode(err, codeUnknownChannel, codeMissingAccess) {
		// The channel may be from a time when the bot was another application.
		if channel, err = c.openDM(ctx, d.To.DiscordID); err == nil {
			sent, err = c.sendMessage(ctx, channel, body)
		}
	}
	return core.Receipt{ChannelID: channel, MessageID: sent}, "sent", err
}

func (b *Bot) openDM(ctx context.Context, discordID string) (channel string, err error) {
	var opened struct {
		ID string `json:"id"`
	}
	err = b.rest.do(ctx, call{
		method: "POST", path: "/users/@me/channels", route: openRoute, body: map[string]string{"recipient_id": discordID},
	}, &opened)
	if isCode(err, codeDMsTooFast) {
		b.rest.pause(openRoute, "", tooFastPause) // whom we have written to before is still written to
	}
	if err == nil && opened.ID == "" {
		err = errNoID
	}
	return opened.ID, err
}

var errNoID = errors.New("Discord's answer has no id")

func (b *Bot) sendMessage(ctx context.Context, channel string, body message) (id string, err error) {
	var sent struct {
		ID string `json:"id"`
	}
	path := "/channels/" + channel + "/messages"
	err = b.rest.do(ctx, call{method: "POST", path: path, route: "POST " + path, body: body}, &sent)
	if err == nil && sent.ID == "" {
		err = errNoID
	}
	return sent.ID, err
}

func (b *Bot) editMessage(ctx context.Context, channel, id string, body message) error {
	path := "/channels/" + channel + "/messages/"
	return b.rest.do(ctx, call{method: "PATCH", path: path + id, route: "PATCH " + path, body: body}, nil)
}

// findMessage looks for a message of ours by a button that no other has: among the 100 after a time or, when that is zero,
// the last 100 of the channel.
func (b *Bot) findMessage(ctx context.Context, channel string, by press, since time.Time) (messageID string, err error) {
	var recent []struct {
		ID         string `json:"id"`
		Components []struct {
			Components []struct {
				CustomID string `json:"custom_id"`
			} `json:"components"`
		} `json:"components"`
	}
	path := "/channels/" + channel + "/messages"
	query := "?limit=100"
	if !since.IsZero() {
		query += "&after=" + snowflake(since.Add(-clocksApart))
	}
	if err := b.rest.do(ctx, call{method: "GET", path: path + query, route: "GET " + path}, &recent); err != nil {
		return "", err
	}
	for _, m := range recent {
		for _, r := range m.Components {
			for _, c := range r.Components {
				if c.CustomID == by.String() {
					return m.ID, nil
				}
			}
		}
	}
	return "", nil
}

// clocksApart is how much our clock may differ from Discord's.
const clocksApart = 5 * time.Minute

// snowflake is the least id that something made at a time has.
func snowflake(t time.Time) string {
	const discordEpoch = 1420070400000 // 2015, in milliseconds
	return strconv.FormatInt(max(t.UnixMilli()-discordEpoch, 0)<<22, 10)
}

// settingsPress is on every direct message: it stops such messages, and tells ours apart.
func settingsPress(id core.DeliveryID) press { return on("settings", deliveryView(id)) }

// meaning turns what Discord said into what the core understands.
func (c courier) meaning(err error) error {
	var refused *restError
	if !errors.As(err, &refused) {
		return err
	}
	switch {
	case refused.After > 0:
		return &core.Later{After: refused.After}
	case refused.Code == codeDMsTooFast:
		return &core.Later{After: tooFastPause}
	case refused.Code == codeDMsClosed:
		return &core.Undeliverable{Reason: reasonClosed, Closed: true}
	case refused.Code == codeNoSharedServer:
		return &core.Undeliverable{Reason: reasonNoServer, Closed: true}
	case refused.Code == codeUnknownUser, refused.Code == codeInvalidRecipient:
		return &core.Undeliverable{Reason: reasonGone, Closed: true}
	case passing(err):
		return err
	}
	c.log.Error("Discord refuses a direct message", "error", err)
	return &core.Undeliverable{Reason: fmt.Sprintf("Discord refused the message: %s", clip(strings.TrimSpace(refused.Message), 200))}
}
