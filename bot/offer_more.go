package bot

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// moreOnOffer marks the button More on an offer. Its custom ID begins like that of the settings, by which a direct message is found
// again.
const moreOnOffer = "more"

// offerMore is the button behind which an owner finds what they do less often about an offer.
func offerMore(t translator, offer core.Offer, view string) discordgo.MessageComponent {
	args := []any{view, moreOnOffer, offer.ID}
	if offer.Verified() {
		args = append(args, "verified")
	}
	return button(discord.NewCustomID("settings", args...), discordgo.SecondaryButton, t.plain(msg.More))
}

// moreAboutOffer replaces the button More by those behind it: report the offer, block its seller, and the settings of messages. The rest of
// the message stays as it is, with what was said of the last press.
func moreAboutOffer(in Input) Reply {
	view, offer := in.id.Word(0), core.OfferID(in.id.Number(2))
	buttons := []discordgo.MessageComponent{
		button(reportOn{offer: offer}.press("report"), discordgo.SecondaryButton, in.tr.plain(msg.Report)),
	}
	if in.id.Word(3) != "" {
		buttons = append(buttons, button(discord.NewCustomID("block-seller", offer, view), discordgo.SecondaryButton, in.tr.plain(msg.BlockSeller)))
	}
	buttons = append(buttons, button(discord.NewCustomID("settings", view), discordgo.SecondaryButton, in.tr.plain(msg.StopThese)))
	if in.i.Message != nil {
		if all, ok := discord.ReplaceButton(in.i.Message.Components, in.id, row(buttons...)); ok {
			return Reply{components: all, redraw: true}
		}
	}
	reply := private("")
	reply.rows = append(reply.rows, row(buttons...))
	return reply
}
