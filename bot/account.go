package bot

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
)

// downloadData summarizes the data that is stored about the actor. The file itself is too long for
// a message and is downloaded from the page.
func (b peopleBot) downloadData(ctx context.Context, in Input) (Reply, error) {
	data, err := b.market.ExportAccount(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	email := in.tr.text(msg.DataNoEmail)
	if data.User.Email != "" {
		email = in.tr.text(msg.DataEmail, data.User.Email)
	}
	text := in.tr.text(msg.DataKept, data.User.DisplayName, data.User.Username)
	text = joined(text, email)
	text = joined(text, in.tr.text(msg.DataRows, len(data.Orders), len(data.Offers), len(data.Sales), len(data.Notices)))
	text = joined(text, in.tr.text(msg.DataFile))
	reply := Reply{cards: []*discord.Card{{
		Title: string(in.tr.text(msg.DataTitle)), Color: colourUsual, Description: string(text),
	}}}
	if b.publicURL != "" {
		reply.rows = append(reply.rows, row(webLink(b.publicURL+"/?dialog=data", in.tr.plain(msg.DataDownload))...))
	}
	return reply, nil
}

// askDeleteAccount asks before everything of the actor's is deleted.
func (b peopleBot) askDeleteAccount(ctx context.Context, in Input) (Reply, error) {
	counts, err := b.market.Counts(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		cards: []*discord.Card{{
			Title: string(in.tr.text(msg.DeleteAccountTitle)), Color: colourDanger,
			Description: string(in.tr.text(msg.DeleteAccountAsk, counts.Active+counts.Expired, counts.Fulfilled)),
		}},
		rows: []discordgo.MessageComponent{row(
			button(discord.NewCustomID("leave"), discordgo.DangerButton, in.tr.plain(msg.DeleteAccountYes)),
			button(discord.NewCustomID("stay"), discordgo.SecondaryButton, in.tr.plain(msg.DeleteAccountNo)),
		)},
	}, nil
}

// deleteAccountConfirmed hides everything of the actor's, which is deleted later.
func (b peopleBot) deleteAccountConfirmed(ctx context.Context, in Input) (Reply, error) {
	user, err := b.market.Leave(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	reply := in.tr.leaving(msg.AccountLeaving, user.DeletionAt())
	reply.redraw = true
	return reply, nil
}

// leaving says when the data of a user who leaves are deleted, with the one button that they have.
func (t translator) leaving(text msg.Key, deleted time.Time) Reply {
	reply := private(t.text(text, day(deleted)))
	reply.rows = []discordgo.MessageComponent{row(
		button(discord.NewCustomID(cancelLeaving), discordgo.PrimaryButton, t.plain(msg.CancelLeaving)),
	)}
	return reply
}

// cancelLeaving is the button that a user has who is leaving.
const cancelLeaving = "cancel-leaving"

func (b peopleBot) cancelLeavingButton(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.CancelLeaving(ctx, in.Actor); err != nil {
		return Reply{}, err
	}
	return Reply{redraw: true, text: in.tr.text(msg.LeavingCancelled)}, nil
}

// stay cancels deleting the account.
func (b peopleBot) stay(_ context.Context, in Input) (Reply, error) {
	return Reply{redraw: true, text: in.tr.text(msg.AccountKept)}, nil
}
