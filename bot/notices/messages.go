package notices

import (
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// DeliveryMessage returns a direct message in its current state in the database. A note describes the action
// just done on it. Each message has a button to the settings of messages; a message with a single offer has
// it behind *More*.
func (b Notices) DeliveryMessage(
	t kernel.Translator, d channels.Delivery, note discord.Markdown,
) kernel.Reply {
	r := b.draw(t, d)
	if note != "" {
		r.Text = note
	}
	if d.Thread != "" {
		r.Text = inThreadOf(d, r.Text)
	}
	r.Public = true
	if d.Kind != notify.NoticeOfferReceived || len(d.Offers) != 1 {
		r.Rows = append(r.Rows, kernel.Row(kernel.Button(SettingsID(d.ID), discordgo.SecondaryButton,
			t.Plain(msg.StopThese))))
	}
	return r
}

// draw draws a direct message by the kind of its notices.
func (b Notices) draw(t kernel.Translator, d channels.Delivery) kernel.Reply {
	if draw := b.Table.Messages[d.Kind]; draw != nil {
		return draw(t, d)
	}
	switch len(d.Notices) {
	case 0:
		return kernel.Reply{Text: t.Text(msg.OffersGone)}
	case 1:
		return b.single(t, d)
	}
	return b.groupedDM(t, d)
}

// single is a message about one notice.
func (b Notices) single(t kernel.Translator, d channels.Delivery) kernel.Reply {
	n := b.newsOf(t, d.Notices[0], d.Accounts)
	kind, known := kinds[n.Kind]
	var r kernel.Reply
	switch draw := b.Table.Notices[n.Kind]; {
	case !known:
		return b.otherDM(t)
	case draw != nil:
		r = draw(t, d, n.Notice)
	default:
		n.card = b.NoticeCard(n.Notice)
		r.Text = kind.sentence(n)
		if kind.alone != nil {
			kind.alone(n)
		}
		if n.card != nil {
			r.Cards = []*discord.Card{n.card}
		}
	}
	buttons := slices.Concat(n.buttons, kernel.WebLink(b.NoticeURL(n.Notice), t.Plain(msg.OpenWeb)))
	if len(buttons) > 0 {
		r.Rows = append(r.Rows, kernel.Row(buttons...))
	}
	return r
}

func (b Notices) newsOf(t kernel.Translator, n notify.Notice, accounts people.Accounts) *news {
	return &news{Notices: b, Notice: n, t: t, accounts: accounts}
}

// otherDM is the message for a kind of notice that this program does not know.
func (b Notices) otherDM(t kernel.Translator) kernel.Reply {
	r := kernel.Reply{Text: unknown(b.newsOf(t, notify.Notice{}, nil))}
	if link := kernel.WebLink(b.PageURL("/inbox"), t.Plain(msg.OpenWeb)); len(link) > 0 {
		r.Rows = append(r.Rows, kernel.Row(link...))
	}
	return r
}
