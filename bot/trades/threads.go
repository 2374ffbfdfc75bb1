package trades

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// TradeThreads stores the private threads in which the two sides of a trade have its receipt.
type TradeThreads interface {
	// DueTradeThreads returns threads that are to be made, drawn again or archived, without their handovers.
	DueTradeThreads(ctx context.Context, now time.Time, most int) ([]channels.TradeThread, error)
	// StartTradeThread begins an attempt on a thread that is due, and returns it with its handover, read
	// after the start: a later change makes it due again. It returns false while another attempt is
	// running.
	StartTradeThread(ctx context.Context, due channels.TradeThread, now time.Time) (channels.TradeThread,
		bool, error)
	// SaveTradeThread stores the place of a thread. It returns false if the thread was given up or forgotten
	// meanwhile.
	SaveTradeThread(ctx context.Context, t channels.TradeThread) (bool, error)
	// OpenTradeThread notes that the receipt is in a thread, which settles the notices that it tells. It
	// returns false as SaveTradeThread.
	OpenTradeThread(ctx context.Context, t channels.TradeThread, now time.Time) (bool, error)
	// LeaveTradeThread ends an attempt that began at a time. The thread is due again at another one; zero
	// for not by itself.
	LeaveTradeThread(ctx context.Context, sale core.SaleID, began, due time.Time) error
	RemoveTradeThread(ctx context.Context, sale core.SaleID) error
	// AcceptWasDelivered reports whether a direct message has told of the accept already.
	AcceptWasDelivered(ctx context.Context, sale core.SaleID) (bool, error)
	// ThreadPlaces returns the channels in which the order of a sale was shown or posted.
	ThreadPlaces(ctx context.Context, sale core.SaleID) ([]channels.ThreadPlace, error)
	// Mailbox returns how a user is reached.
	Mailbox(ctx context.Context, user core.UserID) (notify.Mailbox, error)
}

// tradeView names a trade in the custom IDs of a thread, where both sides press the same buttons.
func tradeView(sale core.SaleID) string { return fmt.Sprintf("a%d", sale) }

// ownReceiptID is on the receipt of every thread: it shows each side their own, and the message is found
// again by it.
func ownReceiptID(sale core.SaleID) discord.CustomID {
	return discord.NewCustomID("own-receipt", int64(sale))
}

// threadReceipt is the message with which a thread begins, as its trade is now.
func (b Trades) threadReceipt(t kernel.Translator, th channels.TradeThread) kernel.Reply {
	reply := kernel.Reply{Public: true}
	if th.Trade == nil {
		reply.Text = t.Text(msg.ThreadUndone)
		return reply
	}
	h := *th.Trade
	e := &discord.Card{
		Title: string(t.Text(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName)), URL: b.TradeURL(h),
		Color:       kernel.ColourUsual,
		Description: string(kernel.Joined(threadState(t, h), b.MeetingLine(t, h, 0))),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(value),
			Inline: true})
	}
	add(msg.ThreadBuyer, inThread(t, h.Buyer))
	add(msg.ThreadSeller, inThread(t, h.Seller))
	add(msg.ThreadPays, t.Text(msg.ReceiptSum, "quantity", h.Quantity, "price", t.Coins(h.UnitPrice),
		"sum", t.Coins(h.Total())))
	reply.Cards = []*discord.Card{e}
	switch {
	case th.Ended:
		reply.Text, e.Color = t.Text(msg.ThreadEnded), kernel.ColourDone
		return reply
	case th.Over():
		reply.Text, e.Color = t.Text(msg.ThreadOver), kernel.ColourDone
		return reply
	}
	reply.Text = discord.Markdown("<@"+h.Buyer.DiscordID+"> <@"+h.Seller.DiscordID+"> ") +
		t.Text(msg.ThreadOpened)
	var buttons []discordgo.MessageComponent
	if h.State == trust.HandoverAgreed || h.State == trust.HandoverDisputed && h.LookedAt.IsZero() {
		buttons = b.tradeButtons(t, h)
	}
	if len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	reply.Rows = append(reply.Rows, b.MeetingRow(t, h, 0, tradeView(h.Sale))...)
	more := []discordgo.MessageComponent{
		kernel.Button(ownReceiptID(h.Sale), discordgo.SecondaryButton, t.Plain(msg.OwnReceipt)),
		kernel.Button(discord.NewCustomID("own-slip", int64(h.Sale)), discordgo.SecondaryButton,
			t.Plain(msg.SlipButton)),
	}
	reply.Rows = append(reply.Rows, kernel.Row(append(more,
		kernel.WebLink(b.TradeURL(h), t.Plain(msg.OpenWeb))...)...))
	return reply
}

// tradeButtons returns the answers that both sides of a trade can give in its thread.
func (b Trades) tradeButtons(t kernel.Translator, h trade.Trade) []discordgo.MessageComponent {
	// The last answer is part of the buttons: an answer that a side repeats later is another write.
	shown := lastWord(h)
	press := func(action string) discord.CustomID {
		return discord.NewCustomID(action,
			tradeView(h.Sale)).At(shown)
	}
	buttons := []discordgo.MessageComponent{kernel.Button(press("met"), discordgo.SuccessButton,
		t.Plain(msg.WeMet))}
	not := msg.CallOff
	if h.Buyer.Word == trade.SaidMet || h.Seller.Word == trade.SaidMet {
		not = msg.NotMet
	}
	if !b.Now().Before(h.AgreedBy) {
		not = msg.NotMet
		if mayPostpone(h, h.Buyer, b.Now()) || mayPostpone(h, h.Seller, b.Now()) {
			buttons = append(buttons, kernel.Button(press("later"), discordgo.SecondaryButton,
				t.Plain(msg.AskLater)))
		}
	}
	buttons = append(buttons, kernel.Button(press("not-met"), discordgo.DangerButton, t.Plain(not)))
	if h.State == trust.HandoverDisputed {
		takeBack := kernel.UndoID(core.UndoWord, h.Sale, tradeView(h.Sale)).At(shown)
		buttons = append(buttons, kernel.Button(takeBack, discordgo.SecondaryButton, t.Plain(msg.TakeBack)))
	}
	return buttons
}

func mayPostpone(h trade.Trade, side trade.Party, now time.Time) bool {
	return h.MayPostpone(side.User, now) == nil && side.Messages < core.LimitTradeMessages.Limit
}

// threadState returns the progress of a trade, for both sides.
func threadState(t kernel.Translator, h trade.Trade) discord.Markdown {
	text := t.AgreedLine(h.AgreedBy)
	if h.State != trust.HandoverAgreed {
		text = t.Text(msg.ThreadState, "state", t.Text(stateKey(h)))
	}
	if h.State.Over() && h.Ruled(h.SettledAt) {
		text = kernel.Joined(t.Text(msg.ThreadState,
			"state", t.Text(msg.RuledByModerator, "state", t.Text(stateKey(h)))), ruledAgainst(t, h, 0))
		if h.RulingReason != "" {
			text = kernel.Joined(text, t.Text(msg.ReasonGiven, "reason", discord.Quote(h.RulingReason)))
		}
	}
	if h.State.Over() {
		return text
	}
	for _, side := range trust.Sides {
		switch party := h.On(side); party.Word {
		case trade.SaidMet:
			text = kernel.Joined(text, t.Text(msg.ThreadSaidMet, "trader", t.PartyName(party)))
		case trade.SaidNotMet:
			text = kernel.Joined(text, t.Text(msg.ThreadSaidNotMet, "trader", t.PartyName(party)))
		}
	}
	return text
}

// inThread is a side of a trade as its thread shows it.
func inThread(t kernel.Translator, p trade.Party) discord.Markdown {
	if p.DiscordID == "" {
		return t.Text(msg.DeletedUser)
	}
	name := discord.Markdown("<@" + p.DiscordID + ">")
	if p.Typed.InGameName != "" {
		name = kernel.Joined(name, t.Marked(t.Text(msg.InGame, "name", p.Typed.InGameName), p.LookAlike.Name))
	}
	return name
}

// ownReceipt shows the actor their own receipt of a trade.
func (b Trades) ownReceipt(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	sale := core.SaleID(in.ID.Number(0))
	found, err := b.Market.Trade.Receipts(ctx, in.Actor, trade.Query{Before: sale + 1, Limit: 1})
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(found) == 0 || found[0].Sale != sale {
		return kernel.Private(in.Tr.Text(msg.NoReceipts)), nil
	}
	return kernel.Reply{Cards: []*discord.Card{b.Receipt(in.Tr, found[0], in.Actor.UserID)}}, nil
}

// ownSlip shows the actor the slip of all that is open between them and the other side of a trade.
func (b Trades) ownSlip(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	sale := core.SaleID(in.ID.Number(0))
	found, err := b.Market.Trade.Handovers(ctx, in.Actor,
		trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(found) == 0 {
		return kernel.Private(in.Tr.Text(msg.SlipNothing)), nil
	}
	partner := found[0].Other(in.Actor.UserID).User
	if partner == 0 {
		return kernel.Private(in.Tr.Text(msg.SlipNothing)), nil
	}
	return b.slip(ctx, in, partner, "")
}

// answerInThread stores the actor's answer about the trade of a thread. The thread is drawn again for both
// sides.
func (b Trades) answerInThread(
	ctx context.Context, in kernel.Input, sale core.SaleID, word trade.Word,
	answer func([]core.SaleID) ([]trade.Trade, error),
) (kernel.Reply, error) {
	if word == trade.SaidNotMet {
		found, err := b.Market.Trade.Handovers(ctx, in.Actor,
			trade.Query{Sales: []core.SaleID{sale}, Limit: 1})
		if err != nil {
			return kernel.Reply{}, err
		}
		if b.mustAsk(in.Actor.UserID, found, word) {
			return b.askWhetherWrong(in, found), nil
		}
	}
	said, err := answer([]core.SaleID{sale})
	if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return kernel.Private(saidNote(in.Tr, said[0], in.Actor.UserID)), nil
}
