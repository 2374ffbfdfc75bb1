package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// TradeThreads stores the private threads in which the two sides of a trade have its receipt.
type TradeThreads interface {
	// DueTradeThreads returns threads that are to be made, drawn again or archived, without their handovers.
	DueTradeThreads(ctx context.Context, now time.Time, most int) ([]core.TradeThread, error)
	// StartTradeThread begins an attempt on a thread that is due, and returns it with its handover, read after the start: a later
	// change makes it due again. It returns false while another attempt is running.
	StartTradeThread(ctx context.Context, due core.TradeThread, now time.Time) (core.TradeThread, bool, error)
	// SaveTradeThread notes where a thread is. It returns false for one that was given up or forgotten meanwhile.
	SaveTradeThread(ctx context.Context, t core.TradeThread) (bool, error)
	// OpenTradeThread notes that the receipt is in a thread, which settles the notices that it tells. It returns false as SaveTradeThread.
	OpenTradeThread(ctx context.Context, t core.TradeThread, now time.Time) (bool, error)
	// LeaveTradeThread ends an attempt that began at a time. The thread is due again at another one; zero for not by itself.
	LeaveTradeThread(ctx context.Context, sale core.SaleID, began, due time.Time) error
	RemoveTradeThread(ctx context.Context, sale core.SaleID) error
	// AcceptWasDelivered reports whether a direct message has told of the accept already.
	AcceptWasDelivered(ctx context.Context, sale core.SaleID) (bool, error)
	// ThreadPlaces returns the channels in which the order of a sale was shown or posted.
	ThreadPlaces(ctx context.Context, sale core.SaleID) ([]core.ThreadPlace, error)
	// Mailbox returns how a user is reached.
	Mailbox(ctx context.Context, user core.UserID) (core.Mailbox, error)
}

// Places stores where orders were posted.
type Places interface {
	// SaveOrderPlaces stores in which channel of a server orders were posted.
	SaveOrderPlaces(ctx context.Context, orders []core.OrderID, p core.ThreadPlace) error
}

// notePlace stores where orders were posted, so that their trades can have threads there. They are worth posting without.
func (k *Kernel) notePlace(ctx context.Context, in Input, orders ...core.OrderID) {
	if !k.features.Threads || in.i.GuildID == "" || len(orders) == 0 {
		return
	}
	place := core.ThreadPlace{GuildID: in.i.GuildID, ChannelID: in.i.ChannelID, Locale: in.i.GuildLanguage()}
	if err := k.places.SaveOrderPlaces(ctx, orders, place); err != nil {
		k.log.Warn("place of a request not noted", "orders", orders, "error", err)
	}
}

// tradeView names a trade in the custom IDs of a thread, where both sides press the same buttons.
func tradeView(sale core.SaleID) string { return fmt.Sprintf("a%d", sale) }

// ownReceiptID is on the receipt of every thread: it shows each side their own, and the message is found again by it.
func ownReceiptID(sale core.SaleID) discord.CustomID {
	return discord.NewCustomID("own-receipt", int64(sale))
}

// threadReceipt is the message with which a thread begins, as its trade is now.
func (b tradesBot) threadReceipt(t translator, th core.TradeThread, r core.Receipt) Reply {
	reply := Reply{public: true}
	if th.Handover == nil {
		reply.text = t.text(msg.ThreadUndone)
		return reply
	}
	h := *th.Handover
	e := &discord.Card{
		Title: string(t.text(msg.OfferTitle, h.Quantity, h.ItemName)), URL: b.orderURL(h.Order), Color: colourUsual,
		Description: string(b.threadState(t, h, r)),
	}
	add := func(name msg.Key, value discord.Markdown) {
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(value), Inline: true})
	}
	add(msg.ThreadBuyer, inThread(t, r.Buyer))
	add(msg.ThreadSeller, inThread(t, r.Seller))
	add(msg.ThreadPays, t.text(msg.ReceiptSum, h.Quantity, t.coins(h.UnitPrice), t.coins(h.Total())))
	reply.cards = []*discord.Card{e}
	switch {
	case th.Ended:
		reply.text, e.Color = t.text(msg.ThreadEnded), colourDone
		return reply
	case th.Over():
		reply.text, e.Color = t.text(msg.ThreadOver), colourDone
		return reply
	}
	reply.text = discord.Markdown("<@"+r.Buyer.Account.DiscordID+"> <@"+r.Seller.Account.DiscordID+"> ") + t.text(msg.ThreadOpened)
	var buttons []discordgo.MessageComponent
	if h.State == core.HandoverAgreed || h.State == core.HandoverDisputed && h.LookedAt.IsZero() {
		buttons = b.tradeButtons(t, h)
	}
	if len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	more := []discordgo.MessageComponent{
		button(ownReceiptID(h.Sale), discordgo.SecondaryButton, t.plain(msg.OwnReceipt)),
		button(discord.NewCustomID("own-slip", int64(h.Sale)), discordgo.SecondaryButton, t.plain(msg.SlipButton)),
	}
	reply.rows = append(reply.rows, row(append(more, webLink(b.orderURL(h.Order), t.plain(msg.OpenWeb))...)...))
	return reply
}

// tradeButtons are what both sides of a trade can say about it in its thread.
func (b tradesBot) tradeButtons(t translator, h core.Handover) []discordgo.MessageComponent {
	// What was said last is part of the buttons: a word that a side says again later is another write.
	shown := lastWord(h)
	press := func(action string) discord.CustomID { return discord.NewCustomID(action, tradeView(h.Sale)).At(shown) }
	buttons := []discordgo.MessageComponent{button(press("met"), discordgo.SuccessButton, t.plain(msg.WeMet))}
	not := msg.CallOff
	if h.Buyer.Word == core.SaidMet || h.Seller.Word == core.SaidMet {
		not = msg.NotMet
	}
	if !b.now().Before(h.AgreedBy) {
		not = msg.NotMet
		if b.mayPostpone(h, h.Buyer) || b.mayPostpone(h, h.Seller) {
			buttons = append(buttons, button(press("later"), discordgo.SecondaryButton, t.plain(msg.AskLater)))
		}
	}
	buttons = append(buttons, button(press("not-met"), discordgo.DangerButton, t.plain(not)))
	if h.State == core.HandoverDisputed {
		takeBack := discord.NewCustomID("take-back", h.Sale, tradeView(h.Sale)).At(shown)
		buttons = append(buttons, button(takeBack, discordgo.SecondaryButton, t.plain(msg.TakeBack)))
	}
	return buttons
}

func (b tradesBot) mayPostpone(h core.Handover, side core.HandoverSide) bool {
	return h.MayPostpone(side.User, b.now()) == nil && side.Messages < core.MaxHandoverMessages
}

// threadState says how far a trade has come, for both sides.
func (b tradesBot) threadState(t translator, h core.Handover, r core.Receipt) discord.Markdown {
	text := t.agreedLine(h.AgreedBy)
	if h.State != core.HandoverAgreed {
		text = t.text(msg.ThreadState, t.text(stateKey(h)))
	}
	if h.State.Over() {
		return text
	}
	for _, side := range core.Sides {
		party := r.Buyer
		if side == core.SellerSide {
			party = r.Seller
		}
		switch h.On(side).Word {
		case core.SaidMet:
			text = joined(text, t.text(msg.ThreadSaidMet, t.partyName(party)))
		case core.SaidNotMet:
			text = joined(text, t.text(msg.ThreadSaidNotMet, t.partyName(party)))
		}
	}
	return text
}

// inThread is a side of a trade as its thread shows it.
func inThread(t translator, p core.Party) discord.Markdown {
	if p.Account.DiscordID == "" {
		return t.text(msg.DeletedUser)
	}
	name := discord.Markdown("<@" + p.Account.DiscordID + ">")
	if p.InGameName != "" {
		name = joined(name, t.marked(t.text(msg.InGame, p.InGameName), p.LookAlike.Name))
	}
	return name
}

// ownReceipt shows the actor their own receipt of a trade.
func (b tradesBot) ownReceipt(ctx context.Context, in Input) (Reply, error) {
	sale := core.SaleID(in.id.Number(0))
	found, err := b.market.Receipts(ctx, in.Actor, core.ReceiptQuery{Before: sale + 1, Limit: 1})
	if err != nil {
		return Reply{}, err
	}
	if len(found) == 0 || found[0].ID != sale {
		return private(in.tr.text(msg.NoReceipts)), nil
	}
	return Reply{cards: []*discord.Card{b.receipt(in.tr, found[0], in.Actor.UserID)}}, nil
}

// ownSlip shows the actor the slip of all that is open between them and the other side of a trade.
func (b tradesBot) ownSlip(ctx context.Context, in Input) (Reply, error) {
	sale := core.SaleID(in.id.Number(0))
	found, err := b.market.Handovers(ctx, in.Actor, core.HandoverQuery{Sales: []core.SaleID{sale}, Limit: 1})
	if err != nil {
		return Reply{}, err
	}
	if len(found) == 0 {
		return private(in.tr.text(msg.SlipNothing)), nil
	}
	partner := found[0].On(found[0].SideOf(in.Actor.UserID).Other()).User
	if partner == 0 {
		return private(in.tr.text(msg.SlipNothing)), nil
	}
	return b.slip(ctx, in, partner, "")
}

// answerInThread stores what the actor says about the trade of a thread. The thread is drawn again for both sides.
func (b tradesBot) answerInThread(ctx context.Context, in Input, sale core.SaleID, word core.Word, answer func([]core.SaleID) ([]core.Handover, error)) (Reply, error) {
	if word == core.SaidNotMet {
		found, err := b.market.Handovers(ctx, in.Actor, core.HandoverQuery{Sales: []core.SaleID{sale}, Limit: 1})
		if err != nil {
			return Reply{}, err
		}
		if len(found) > 0 && found[0].Contradicts(in.Actor.UserID, word) {
			return b.askWhetherWrong(ctx, in, found), nil
		}
	}
	said, err := answer([]core.SaleID{sale})
	if err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	return private(saidNote(in.tr, said[0], in.Actor.UserID)), nil
}
