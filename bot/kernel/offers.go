package kernel

import (
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// NoticeCard is the card of a message about one notice.
func (d *Drawer) NoticeCard(n notify.Notice) *discord.Card {
	return &discord.Card{Title: string(discord.Escape(n.ItemName)), URL: d.NoticeURL(n),
		Color: ColourUsual}
}

// MoreOnOffer marks the button More on an offer. Its custom ID begins like the custom ID of the settings,
// which identifies a direct message in a search.
const MoreOnOffer = "more"

// OfferMore is the button behind which an owner finds what they do less often about an offer.
func OfferMore(t Translator, offer trade.Offer, view string) discordgo.MessageComponent {
	args := []any{view, MoreOnOffer, offer.ID}
	if offer.Verified() {
		args = append(args, "verified")
	}
	return Button(discord.NewCustomID("settings", args...), discordgo.SecondaryButton, t.Plain(msg.More))
}

// MoreAboutOffer replaces the button More by those behind it: report the offer, block its seller, and the
// settings of messages. The rest of the message stays as it is, with what was said of the last press.
func MoreAboutOffer(in Input) Reply {
	view, offer := in.ID.Word(0), core.OfferID(in.ID.Number(2))
	buttons := []discordgo.MessageComponent{
		Button(ReportOn{Offer: offer}.Press("report"), discordgo.SecondaryButton, in.Tr.Plain(msg.Report)),
	}
	if in.ID.Word(3) != "" {
		buttons = append(buttons, Button(discord.NewCustomID("block-seller", offer, view),
			discordgo.SecondaryButton, in.Tr.Plain(msg.BlockSeller)))
	}
	buttons = append(buttons, Button(discord.NewCustomID("settings", view), discordgo.SecondaryButton,
		in.Tr.Plain(msg.StopThese)))
	if in.Interaction.Message != nil {
		if all, ok := discord.ReplaceButton(in.Interaction.Message.Components, in.ID, Row(buttons...)); ok {
			return Reply{components: all, Redraw: true}
		}
	}
	reply := Private("")
	reply.Rows = append(reply.Rows, Row(buttons...))
	return reply
}

// LiveLabel is an offer in one line, with its request.
func (t Translator) LiveLabel(o trade.OpenOffer) string {
	number := fmt.Sprintf(" · #%d", o.Offer.ID)
	label := t.Plain(msg.OfferTitle, "quantity", o.Offer.Quantity,
		"item", discord.Clip(o.Order.ItemName, 40)) + " · " +
		o.Offer.SellerName + " (@" + o.Offer.SellerContact + ")"
	return discord.Clip(label, discord.MaxOptionLabel-discord.Size(number)) + number
}

// Trust returns a text that reports whether the author of an offer is verified.
func (t Translator) Trust(o trade.Offer) discord.Markdown {
	if o.Verified() {
		return t.Text(msg.Verified)
	}
	return t.Text(msg.Unverified)
}

// OfferCard shows an offer to the order's owner.
func (d *Drawer) OfferCard(
	t Translator, o trade.Order, offer trade.Offer, seller people.Account,
) *discord.Card {
	e := &discord.Card{
		Title: string(t.Text(msg.OfferTitle, "quantity", offer.Quantity,
			"item", o.ItemName)), URL: d.OrderURL(o.ID),
		Color:       ColourOf(o, d.Now()),
		Description: string(discord.Quote(offer.Message)),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(msg.OfferSeller, t.Marked(discord.Escape(offer.SellerName), offer.LookAlike.Name)+"\n"+
		t.Marked(Mention(offer.SellerContact, seller)+"\n"+t.Trust(offer), offer.LookAlike.Contact))
	price := t.Coins(Worth(offer)) + "\n" + t.Text(msg.Each, "price", t.Coins(offer.Price))
	if offer.Price != o.MaxPrice {
		price += "\n" + t.Text(msg.PriceNow, "price", t.Coins(o.MaxPrice))
	}
	add(msg.OfferPays, price)
	if !offer.GoodUntil.IsZero() {
		add(msg.OfferGoodUntil, Moment(offer.GoodUntil)+"\n"+Timestamp(offer.GoodUntil))
	}
	add(msg.CardLeft, Bar(o.Progress())+"\n"+t.LeftOf(o))
	return e
}

// Worth returns the total price of an offer.
func Worth(o trade.Offer) core.Copper { return o.Price * core.Copper(o.Quantity) }
