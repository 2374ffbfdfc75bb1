package bot

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const (
	// askedAtOnce limits the trades of one question: their numbers are in its buttons.
	askedAtOnce = 5
	// disputesAnswered limits the disputed trades of one message that have buttons. The others are in the list of trades.
	disputesAnswered = 2
)

// askWhetherWrong asks once before the reader contradicts a partner who says that they met.
func (b tradesBot) askWhetherWrong(ctx context.Context, in Input, said []core.Handover) Reply {
	said = said[:min(len(said), askedAtOnce)]
	var sales []any
	var list discord.Markdown
	for _, h := range said {
		sales, list = append(sales, h.Sale), joined(list, b.handoverLine(in.tr, h, in.Actor.UserID))
	}
	other := said[0].On(said[0].SideOf(in.Actor.UserID).Other())
	reply := private(in.tr.text(msg.AskWhetherWrong, tradePartner(in.tr, other, b.accounts(ctx, other.User))))
	reply.cards = []*discord.Card{{URL: b.pageURL("/trades"), Color: colourHigh, Description: string(list)}}
	reply.rows = append(reply.rows, row(
		button(discord.NewCustomID("not-met-sure", sales...), discordgo.DangerButton, in.tr.plain(msg.NotMetSure)),
		button(discord.NewCustomID("met-sure", sales...), discordgo.SuccessButton, in.tr.plain(msg.WeMet)),
	))
	return reply
}

// sayAfterAsking stores what the actor says after that question. The message that it came from is redrawn by itself.
func (b tradesBot) sayAfterAsking(word core.Word) handler {
	return func(ctx context.Context, in Input) (Reply, error) {
		var sales []core.SaleID
		for n := 0; n < askedAtOnce && in.id.Number(n) > 0; n++ {
			sales = append(sales, core.SaleID(in.id.Number(n)))
		}
		said, err := b.market.SayHandovers(ctx, in.Actor, sales, word)
		if err != nil {
			return Reply{}, err
		}
		b.wakeSync()
		reply := private(saidNote(in.tr, said[0], in.Actor.UserID))
		reply.redraw = true
		return reply, nil
	}
}

// takeBackButton takes back what the actor said about the disputed trade that a button names.
func (b tradesBot) takeBackButton(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(1)
	inThread := strings.HasPrefix(view, "a")
	took, err := b.market.TakeBackWords(ctx, in.Actor, []core.SaleID{core.SaleID(in.id.Number(0))})
	if err != nil && inThread {
		return Reply{}, err
	}
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	b.wakeSync()
	note := saidNote(in.tr, took[0], in.Actor.UserID)
	if inThread {
		return private(note), nil
	}
	return b.redraw(ctx, in, view, note)
}

// disputeRows are the answers to the disputed trades of a direct message.
func (b tradesBot) disputeRows(t translator, d core.Delivery) (rows []discordgo.MessageComponent) {
	for _, h := range d.Handovers {
		if answers := b.disputeAnswers(t, h, d.To.User, deliveryView(d.ID)); len(answers) > 0 && len(rows) < disputesAnswered {
			rows = append(rows, row(answers...))
		}
	}
	return rows
}

// disputeAnswers are the buttons by which a side of a disputed trade agrees with the other or takes its word back; none once a moderator
// looks at it.
func (b tradesBot) disputeAnswers(t translator, h core.Handover, reader core.UserID, view string) []discordgo.MessageComponent {
	if h.MayTakeBack(reader, b.now()) != nil {
		return nil
	}
	action, style, agree := "call-off", discordgo.DangerButton, msg.NotMet
	if h.On(h.SideOf(reader)).Word == core.SaidNotMet {
		action, style, agree = "met-one", discordgo.SuccessButton, msg.WeMet
	}
	return []discordgo.MessageComponent{
		button(discord.NewCustomID(action, h.Sale, view).At(lastWord(h)), style, t.plain(agree)),
		button(discord.NewCustomID("take-back", h.Sale, view).At(lastWord(h)), discordgo.SecondaryButton, t.plain(msg.TakeBack)),
	}
}

// lastWord is when a side said or took back something last. It is part of the buttons: a word that is said again later is another write.
func lastWord(h core.Handover) int {
	return int(max(h.Buyer.SaidAt.Unix(), h.Seller.SaidAt.Unix(), h.Buyer.TookBackAt.Unix(), h.Seller.TookBackAt.Unix(), 0))
}
