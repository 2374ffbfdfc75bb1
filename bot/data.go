package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"
)

// downloadData says what is kept about the actor. The file is on the page: what is in it is too long for a message.
func (b *Bot) downloadData(ctx context.Context, in Input) (Reply, error) {
	data, err := b.market.OwnData(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	email := in.say.text(msgDataNoEmail)
	if data.User.Email != "" {
		email = in.say.text(msgDataEmail, data.User.Email)
	}
	text := in.say.text(msgDataKept, data.User.DisplayName, data.User.Username)
	text = joined(text, email)
	text = joined(text, in.say.text(msgDataRows, len(data.Orders), len(data.Offers), len(data.Notices)))
	text = joined(text, in.say.text(msgDataFile))
	reply := Reply{embeds: []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgDataTitle)), Color: colourUsual, Description: string(text),
	}}}
	if b.publicURL != "" {
		reply.rows = append(reply.rows, row(webLink(b.publicURL+"/?dialog=data", in.say.plain(msgDataDownload))...))
	}
	return reply, nil
}

// askLeave asks before everything of the actor's is deleted.
func (b *Bot) askLeave(ctx context.Context, in Input) (Reply, error) {
	counts, err := b.market.Counts(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		embeds: []*discordgo.MessageEmbed{{
			Title: string(in.say.text(msgLeaveTitle)), Color: colourDanger,
			Description: string(in.say.text(msgLeaveAsk, counts.Active+counts.Expired, counts.Fulfilled)),
		}},
		rows: []discordgo.MessageComponent{row(
			button(on("leave"), discordgo.DangerButton, in.say.plain(msgLeaveYes)),
			button(on("stay"), discordgo.SecondaryButton, in.say.plain(msgLeaveNo)),
		)},
	}, nil
}

// leaveConfirmed deletes everything of the actor's.
func (b *Bot) leaveConfirmed(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.Leave(ctx, in.Actor); err != nil {
		return Reply{}, err
	}
	return Reply{redraw: true, text: in.say.text(msgLeft)}, nil
}

// stay leaves everything as it is.
func (b *Bot) stay(_ context.Context, in Input) (Reply, error) {
	return Reply{redraw: true, text: in.say.text(msgStayed)}, nil
}
