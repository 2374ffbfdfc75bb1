package people

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/core/text"
)

// downloadData summarizes the data that is stored about the actor. The file itself is too long for
// a message and is downloaded from the page.
func (b People) downloadData(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	data, err := b.Market.ExportAccount(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	email := in.Tr.Text(msg.DataNoEmail)
	if data.User.Email != "" {
		email = in.Tr.Text(msg.DataEmail, "email", data.User.Email)
	}
	text := in.Tr.Text(msg.DataKept, "name", data.User.DisplayName, "username", data.User.Username)
	text = kernel.Joined(text, email)
	text = kernel.Joined(text, in.Tr.Text(msg.DataRows, "requests", len(data.Orders),
		"offers", len(data.Offers), "sales", len(data.Sales),
		"notices", len(data.Notices)))
	text = kernel.Joined(text, in.Tr.Text(msg.DataFile))
	reply := kernel.Reply{Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.DataTitle)), Color: kernel.ColourUsual, Description: string(text),
	}}}
	buttons := []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("delete-account"),
		discordgo.DangerButton, in.Tr.Plain(msg.DeleteAccountButton))}
	if b.PublicURL != "" {
		buttons = append(kernel.WebLink(b.PublicURL+"/?dialog=data", in.Tr.Plain(msg.DataDownload)),
			buttons...)
	}
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}

// askDeleteAccount asks before everything of the actor's is deleted.
func (b People) askDeleteAccount(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	counts, err := b.Market.Counts(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Reply{
		Cards: []*discord.Card{{
			Title: string(in.Tr.Text(msg.DeleteAccountTitle)), Color: kernel.ColourDanger,
			Description: string(in.Tr.Text(msg.DeleteAccountAsk, "open", counts.Active+counts.Expired,
				"completed", counts.Fulfilled)),
		}},
		Rows: []discordgo.MessageComponent{kernel.Row(
			kernel.Button(discord.NewCustomID("leave"), discordgo.DangerButton,
				in.Tr.Plain(msg.DeleteAccountYes)),
			kernel.Button(discord.NewCustomID("stay"), discordgo.SecondaryButton,
				in.Tr.Plain(msg.DeleteAccountNo)),
		)},
	}, nil
}

// deleteAccountConfirmed hides everything of the actor's, which is deleted later.
func (b People) deleteAccountConfirmed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	user, err := b.Market.Leave(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := in.Tr.Leaving(msg.AccountLeaving, user.DeletionAt())
	reply.Redraw = true
	return reply, nil
}

func (b People) cancelLeavingButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := b.Market.CancelLeaving(ctx, in.Actor); err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Reply{Redraw: true, Text: in.Tr.Text(msg.LeavingCancelled)}, nil
}

// stay cancels deleting the account.
func (b People) stay(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	return kernel.Reply{Redraw: true, Text: in.Tr.Text(msg.AccountKept)}, nil
}
