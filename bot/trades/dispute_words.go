package trades

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

const (
	// askedAtOnce limits the trades of one question: their numbers are in its buttons.
	askedAtOnce = 5
	// disputesAnswered limits the disputed trades of one message that have buttons. The others are in the
	// list of trades.
	disputesAnswered = 2
)

// mustAsk reports whether a user is asked once before their word is stored: it contradicts the other side, or
// ends a trade before the two can have met.
func (b Trades) mustAsk(user core.UserID, said []trade.Trade, word trade.Word) bool {
	return word == trade.SaidNotMet && slices.ContainsFunc(said, func(h trade.Trade) bool {
		early, _ := h.EarlyUntil(user, b.Now())
		return !early.IsZero() || h.Contradicts(user, word)
	})
}

// askWhetherWrong asks once before the reader contradicts a partner who reported that they met, or ends a
// trade before they can have met.
func (b Trades) askWhetherWrong(in kernel.Input, said []trade.Trade) kernel.Reply {
	said = said[:min(len(said), askedAtOnce)]
	var sales []any
	var list discord.Markdown
	for _, h := range said {
		sales, list = append(sales, h.Sale),
			kernel.Joined(list, handoverLine(in.Tr, h, in.Actor.UserID, b.Now()))
	}
	question := in.Tr.Text(msg.AskWhetherWrong,
		"partner", tradePartner(in.Tr, said[0].Other(in.Actor.UserID)))
	if !slices.ContainsFunc(said, func(h trade.Trade) bool {
		return h.Contradicts(in.Actor.UserID, trade.SaidNotMet)
	}) {
		question = in.Tr.Text(msg.AskWhetherSoon)
		for _, h := range said {
			if until, named := h.EarlyUntil(in.Actor.UserID, b.Now()); named {
				exact := "no"
				if until.Equal(h.Meets.At) {
					exact = "yes"
				}
				question = in.Tr.Text(msg.AskWhetherEarly, "exact", exact, "time", kernel.Moment(until))
				break
			}
		}
	}
	reply := kernel.Private(question)
	reply.Cards = []*discord.Card{{URL: b.TradeURL(said[0]), Color: kernel.ColourHigh,
		Description: string(list)}}
	reply.Rows = append(reply.Rows, kernel.Row(
		kernel.Button(discord.NewCustomID("not-met-sure", sales...), discordgo.DangerButton,
			in.Tr.Plain(msg.NotMetSure)),
		kernel.Button(discord.NewCustomID("met-sure", sales...), discordgo.SuccessButton,
			in.Tr.Plain(msg.WeMet)),
	))
	return reply
}

// sayAfterAsking stores the actor's answer after that question. The message that it came from is redrawn by
// itself.
func (b Trades) sayAfterAsking(word trade.Word) kernel.Handler {
	return func(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
		var sales []core.SaleID
		for n := 0; n < askedAtOnce && in.ID.Number(n) > 0; n++ {
			sales = append(sales, core.SaleID(in.ID.Number(n)))
		}
		said, err := b.Market.Trade.SayHandovers(ctx, in.Actor, sales, word)
		if err != nil {
			return kernel.Reply{}, err
		}
		b.WakeSync()
		reply := kernel.Private(saidNote(in.Tr, said[0], in.Actor.UserID))
		reply.Redraw = true
		return reply, nil
	}
}

// takeBackButton takes back what the actor said about the disputed trade that a button names.
func (b Trades) takeBackButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(1)
	inThread := strings.HasPrefix(view, "a")
	took, err := b.Market.Trade.TakeBackWords(ctx, in.Actor, []core.SaleID{core.SaleID(in.ID.Number(0))})
	if err != nil && inThread {
		return kernel.Reply{}, err
	}
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	b.WakeSync()
	note := saidNote(in.Tr, took[0], in.Actor.UserID)
	if inThread {
		return kernel.Private(note), nil
	}
	return b.Redraw(ctx, in, view, note)
}

// disputeRows are the answers to the disputed trades of a direct message.
func (b Trades) disputeRows(t kernel.Translator, d channels.Delivery) (rows []discordgo.MessageComponent) {
	for _, h := range d.Trades {
		if answers := b.disputeAnswers(t, h, d.To.User, kernel.DeliveryView(d.ID)); len(answers) > 0 &&
			len(rows) < disputesAnswered {
			rows = append(rows, kernel.Row(answers...))
		}
	}
	return rows
}

// disputeAnswers are the buttons by which a side of a disputed trade agrees with the other or takes its
// word back; none once a moderator looks at it.
func (b Trades) disputeAnswers(
	t kernel.Translator, h trade.Trade, reader core.UserID, view string,
) []discordgo.MessageComponent {
	if h.WordUndo(b.Now()).May(core.Actor{UserID: reader}, b.Now()) != nil {
		return nil
	}
	action, style, agree := "call-off", discordgo.DangerButton, msg.NotMet
	if h.On(h.SideOf(reader)).Word == trade.SaidNotMet {
		action, style, agree = "met-one", discordgo.SuccessButton, msg.WeMet
	}
	return []discordgo.MessageComponent{
		kernel.Button(discord.NewCustomID(action, h.Sale, view).At(lastWord(h)), style, t.Plain(agree)),
		kernel.Button(kernel.UndoID(core.UndoWord, h.Sale, view).At(lastWord(h)),
			discordgo.SecondaryButton, t.Plain(msg.TakeBack)),
	}
}

// lastWord is when a side said or took back something last. It is part of the buttons: a word that is said
// again later is another write.
func lastWord(h trade.Trade) int {
	return int(max(h.Buyer.SaidAt.Unix(), h.Seller.SaidAt.Unix(), h.Buyer.TookBackAt.Unix(),
		h.Seller.TookBackAt.Unix(), 0))
}
