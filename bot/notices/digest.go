package notices

import (
	"fmt"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// digestShown limits the notices that a digest lists. Its link leads to all of them.
const digestShown = 10

// digestDM is one message about everything beyond the quotas of messages: accepted offers first, then the
// newest. Open offers can be picked.
func (b Notices) digestDM(t kernel.Translator, d channels.Delivery) kernel.Reply {
	notices := slices.Clone(d.Notices)
	slices.SortStableFunc(notices, func(x, y notify.Notice) int {
		if taken := x.Kind == notify.NoticeOfferAccepted; taken != (y.Kind == notify.NoticeOfferAccepted) {
			if taken {
				return -1
			}
			return 1
		}
		return int(y.ID - x.ID)
	})
	var list discord.Markdown
	for _, n := range notices[:min(len(notices), digestShown)] {
		list = kernel.Joined(list, "- "+b.digestLine(t, n, d.Accounts))
	}
	if rest := len(notices) - digestShown; rest > 0 {
		list = kernel.Joined(list, t.Text(msg.AndMore, "count", rest))
	}
	r := kernel.Reply{
		Text:  t.Text(msg.Digest, "count", len(notices)),
		Cards: []*discord.Card{{Color: kernel.ColourUsual, Description: string(list)}},
	}
	if len(d.Offers) > 0 {
		offers := d.Offers[:min(len(d.Offers), discord.MaxOptions)]
		options := make([]discordgo.SelectMenuOption, len(offers))
		for i, o := range offers {
			options[i] = discordgo.SelectMenuOption{Label: t.LiveLabel(o), Value: fmt.Sprint(o.Offer.ID),
				Description: discord.FirstLine(o.Offer.Message)}
		}
		r.Rows = append(r.Rows, kernel.Choose(discord.NewCustomID("offer-picked", kernel.DeliveryView(d.ID)),
			t.Plain(msg.PickOffer), options))
	}
	if link := kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}

// digestLine is one notice in a sentence.
func (b Notices) digestLine(t kernel.Translator, n notify.Notice, accounts people.Accounts) discord.Markdown {
	kind, known := kinds[n.Kind]
	if !known {
		kind.sentence = unknown
	}
	line := kind.sentence(b.newsOf(t, n, accounts))
	if kind.mentions {
		line += otherSide(n, accounts)
	}
	return line
}

// otherSide mentions, behind a sentence, the account that a notice is about, so that it can be pressed;
// without one it is the contact that a visitor typed, as text.
func otherSide(n notify.Notice, accounts people.Accounts) discord.Markdown {
	switch a := accounts[n.CausedBy]; {
	case a.DiscordID != "":
		return discord.Markdown(" <@" + a.DiscordID + ">")
	case n.Contact != "":
		return " " + kernel.Username(n.Contact)
	}
	return ""
}
