package trades

import (
	"context"
	"fmt"
	"slices"
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

// handoverDM asks one side what happened in their trades with one partner. Their earlier answers stay in it.
func (b Trades) handoverDM(t kernel.Translator, d channels.Delivery) (r kernel.Reply) {
	partner := partnerOf(t, d)
	e := &discord.Card{URL: b.PageURL("/trades"), Color: kernel.ColourUsual}
	if len(d.Trades) > 0 {
		e.URL = b.TradeURL(d.Trades[0])
	}
	r = kernel.Reply{Cards: []*discord.Card{e}}
	var list discord.Markdown
	for _, h := range d.Trades {
		list = kernel.Joined(list, handoverLines(t, h, d.To.User, b.Now(), len(d.Trades)))
	}
	e.Description = string(list)
	waiting := waitingHandovers(d)
	defer func() { r.Rows = append(r.Rows, b.disputeRows(t, d)...) }()
	switch len(waiting) {
	case 0:
		r.Text, e.Color = t.Text(msg.HandoverAnswered), kernel.ColourDone
		if slices.ContainsFunc(d.Trades,
			func(h trade.Trade) bool { return h.State == trust.HandoverAgreed }) {
			r.Text = t.Text(msg.NotedWaiting)
		}
		return r
	case 1:
		r.Text = t.Text(msg.HandoverPrompt, "partner", partner)
	default:
		r.Text = t.Text(msg.HandoverPrompts, "partner", partner, "count", len(waiting))
	}
	e.Description = string(kernel.Joined(discord.Markdown(e.Description), t.Text(msg.HandoverNotAll)))
	r.Rows = b.handoverButtons(t, d, waiting, b.Now().After(waiting[0].AgreedBy))
	return r
}

// partnerOf mentions the partner that the message is about.
func partnerOf(t kernel.Translator, d channels.Delivery) discord.Markdown {
	for _, n := range d.Notices {
		if n.Contact != "" {
			return kernel.Mention(n.Contact, d.Accounts[n.CausedBy])
		}
	}
	return t.Text(msg.DeletedUser)
}

// waitingHandovers returns the handovers of a message that its reader has not answered.
func waitingHandovers(d channels.Delivery) (waiting []trade.Trade) {
	for _, h := range d.Trades {
		if side := h.SideOf(d.To.User); side != "" && h.State == trust.HandoverAgreed &&
			h.On(side).Word == "" {
			waiting = append(waiting, h)
		}
	}
	return waiting
}

// handoverButtons are the answers to all that a message asks about, and where there are several a list of
// those that did not happen.
func (b Trades) handoverButtons(
	t kernel.Translator, d channels.Delivery, waiting []trade.Trade, asked bool,
) []discordgo.MessageComponent {
	view, shown := kernel.DeliveryView(d.ID), 0
	if d.Thread != "" && len(waiting) == 1 {
		view = tradeView(waiting[0].Sale)
	}
	later := asked
	options := make([]discordgo.SelectMenuOption, len(waiting))
	for i, h := range waiting {
		shown += int(h.Sale) + int(max(h.On(h.SideOf(d.To.User)).TookBackAt.Unix(), 0))
		later = later && h.MayPostpone(d.To.User, b.Now()) == nil &&
			h.On(h.SideOf(d.To.User)).Messages < core.LimitTradeMessages.Limit
		options[i] = discordgo.SelectMenuOption{Label: t.Plain(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName),
			Value: fmt.Sprint(int64(h.Sale))}
	}
	met := t.Plain(msg.WeMet)
	if len(waiting) > 1 {
		met = t.Plain(msg.WeMetAll, "count", len(waiting))
	}
	buttons := []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("met", view).At(shown),
		discordgo.SuccessButton, met)}
	slip := slipOf(t, waiting[0], d.To.User)
	if later {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("later", view).At(shown),
			discordgo.SecondaryButton, t.Plain(msg.AskLater)))
	}
	if len(waiting) == 1 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("not-met", view).At(shown),
			discordgo.DangerButton, t.Plain(msg.NotMet)))
		return []discordgo.MessageComponent{kernel.Row(append(buttons, slip...)...)}
	}
	return []discordgo.MessageComponent{kernel.Row(append(buttons, slip...)...),
		kernel.ChooseSome(discord.NewCustomID("not-met", view).At(shown), t.Plain(msg.PickNotMet), options)}
}

// addHandover adds to the message of an accept by when the two meet, with the answers, and for the buyer a
// list to change the time.
func (b Trades) addHandover(t kernel.Translator, d channels.Delivery, r *kernel.Reply) {
	if len(d.Trades) != 1 {
		return
	}
	h, reader := d.Trades[0], d.To.User
	r.Cards[0].Description = string(kernel.Joined(discord.Markdown(r.Cards[0].Description),
		handoverLines(t, h, reader, b.Now(), 1)))
	if waiting := waitingHandovers(d); len(waiting) == 1 {
		r.Rows = append(r.Rows, b.handoverButtons(t, d, waiting, false)...)
	}
	r.Cards[0].Description = string(kernel.Joined(discord.Markdown(r.Cards[0].Description),
		b.MeetingLine(t, h, reader)))
	r.Rows = append(r.Rows, b.MeetingRow(t, h, reader, kernel.DeliveryView(d.ID))...)
	if d.AsksHours {
		r.Rows = b.AskHours(t, h, r.Rows)
	}
	r.Rows = append(r.Rows, b.disputeRows(t, d)...)
	if _, err := h.AgreeBy(reader, b.Now().Add(trade.AgreedWithin), b.Now()); err == nil {
		r.AskAgreedBy(t, h.Sale, kernel.DeliveryView(d.ID))
	}
}

// handoverLine is a handover in one line, as one of its sides sees it.
func handoverLine(t kernel.Translator, h trade.Trade, reader core.UserID, now time.Time) discord.Markdown {
	sum := t.Coins(h.Total())
	switch h.SideOf(reader) {
	case trust.BuyerSide:
		sum = t.Text(msg.YouPay, "sum", sum)
	case trust.SellerSide:
		sum = t.Text(msg.YouGet, "sum", sum)
	}
	return "**" + t.Text(msg.OfferTitle, "quantity", h.Quantity,
		"item", h.ItemName) + "** · " + sum + " · " +
		handoverStatus(t, h, reader, now)
}

// handoverStatus returns the progress of a handover, as one of its sides sees it.
func handoverStatus(
	t kernel.Translator, h trade.Trade, reader core.UserID, now time.Time,
) discord.Markdown {
	side := h.SideOf(reader)
	switch state, _ := h.Outcome(now); {
	case state == trust.HandoverAgreed && h.On(side).Word == trade.SaidMet:
		return t.Text(msg.YouSaidMet)
	case state == trust.HandoverAgreed && h.On(side).Word == trade.SaidNotMet:
		return t.Text(msg.YouSaidNotMet)
	case state == trust.HandoverAgreed && h.On(side.Other()).Word == trade.SaidMet:
		return t.Text(msg.TheySaidMet)
	case state == trust.HandoverAgreed && h.On(side.Other()).Word == trade.SaidNotMet:
		return t.Text(msg.TheySaidNotMet)
	case state == trust.HandoverAgreed:
		return t.Text(msg.AgreedBy, "date", kernel.Moment(h.AgreedBy), "time", kernel.Timestamp(h.AgreedBy))
	case state == trust.HandoverDisputed:
		status := t.Text(stateKey(h))
		for _, said := range []msg.Key{yourWords[h.On(side).Word], theirWords[h.On(side.Other()).Word]} {
			if said != "" {
				status += " · " + t.Text(said)
			}
		}
		return status
	case h.Ruled(now):
		return t.Text(msg.RuledByModerator, "state", t.Text(handoverStateKey(state)))
	default:
		return t.Text(handoverStateKey(state))
	}
}

// handoverLines is a handover in one line, with a moderator's decision about it below. Among others the
// reason is short.
func handoverLines(
	t kernel.Translator, h trade.Trade, reader core.UserID, now time.Time, among int,
) discord.Markdown {
	line := handoverLine(t, h, reader, now)
	if !h.Ruled(now) {
		return line
	}
	line = kernel.Joined(line, ruledAgainst(t, h, reader))
	switch {
	case h.RulingReason == "":
		return line
	case among > 1:
		return kernel.Joined(line,
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(h.RulingReason)), shortReason))
	}
	return kernel.Joined(line, t.Text(msg.ReasonGiven, "reason", discord.Quote(h.RulingReason)))
}

// shortReason is how much of a reason a list shows.
const shortReason = 120

// ruledAgainst says whose record a moderator's decision counts against, to a side; to both where the reader
// is zero.
func ruledAgainst(t kernel.Translator, h trade.Trade, reader core.UserID) discord.Markdown {
	switch h.Against {
	case "":
		return t.Text(msg.RuledAgainstNeither)
	case h.SideOf(reader):
		return t.Text(msg.RuledAgainstYou)
	}
	return t.Text(msg.RuledAgainst, "trader", t.PartyName(h.On(h.Against)))
}

// yourWords and theirWords are the words of the two sides, as one of them reads them.
var (
	yourWords  = map[trade.Word]msg.Key{trade.SaidMet: msg.YouSaidMet, trade.SaidNotMet: msg.YouSaidNotMet}
	theirWords = map[trade.Word]msg.Key{trade.SaidMet: msg.TheySaidMet, trade.SaidNotMet: msg.TheySaidNotMet}
)

// stateKey is the stored state of a handover, with whether a moderator looks at a dispute.
func stateKey(h trade.Trade) msg.Key {
	if h.State == trust.HandoverDisputed && !h.LookedAt.IsZero() {
		return msg.HandoverLookedAt
	}
	return handoverStateKey(h.State)
}

func handoverStateKey(state trust.HandoverState) msg.Key {
	switch state {
	case trust.HandoverMet:
		return msg.HandoverMet
	case trust.HandoverCancelled:
		return msg.HandoverCancelled
	case trust.HandoverDisputed:
		return msg.HandoverDisputed
	case trust.HandoverUnconfirmed:
		return msg.HandoverUnconfirmed
	case trust.HandoverAgreed:
	}
	return msg.HandoverAgreed
}

// sayButton stores the answer of a direct message's reader, about all trades that it asks about or about the
// picked ones.
func (b Trades) sayButton(word trade.Word) kernel.Handler {
	return func(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
		return b.answerHandovers(ctx, in, word, func(sales []core.SaleID) ([]trade.Trade, error) {
			return b.Market.Trade.SayHandovers(ctx, in.Actor, sales, word)
		})
	}
}

// sayOfOne stores the actor's answer about the one trade that a button names. Before the agreed time, the
// answer that it does not happen cancels it.
func (b Trades) sayOfOne(word trade.Word) kernel.Handler {
	return func(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
		view := in.ID.Word(1)
		if word == trade.SaidNotMet {
			found, err := b.Market.Trade.Handovers(ctx, in.Actor,
				trade.Query{Sales: []core.SaleID{core.SaleID(in.ID.Number(0))}, Limit: 1})
			if err != nil {
				return b.ErrorOn(ctx, in, view, err)
			}
			if b.mustAsk(in.Actor.UserID, found, word) {
				return b.askWhetherWrong(in, found), nil
			}
		}
		said, err := b.Market.Trade.SayHandovers(ctx, in.Actor,
			[]core.SaleID{core.SaleID(in.ID.Number(0))}, word)
		if err != nil {
			return b.ErrorOn(ctx, in, view, err)
		}
		return b.Redraw(ctx, in, view, saidNote(in.Tr, said[0], in.Actor.UserID))
	}
}

func (b Trades) laterButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.answerHandovers(ctx, in, "", func(sales []core.SaleID) ([]trade.Trade, error) {
		return b.Market.Trade.PostponeHandovers(ctx, in.Actor, sales)
	})
}

func (b Trades) answerHandovers(
	ctx context.Context, in kernel.Input, word trade.Word,
	answer func([]core.SaleID) ([]trade.Trade, error),
) (kernel.Reply, error) {
	view := in.ID.Word(0)
	kind, delivery, _ := kernel.ParseView(view)
	if kind == 'a' {
		return b.answerInThread(ctx, in, core.SaleID(delivery), word, answer)
	}
	d, err := b.Market.Channels.Delivery(ctx, in.Actor, core.DeliveryID(delivery))
	if err != nil {
		return kernel.Reply{}, err
	}
	var sales []core.SaleID
	var answered []trade.Trade
	for _, h := range waitingHandovers(d) {
		if len(in.Values) == 0 || slices.Contains(in.Values, fmt.Sprint(int64(h.Sale))) {
			sales, answered = append(sales, h.Sale), append(answered, h)
		}
	}
	if b.mustAsk(in.Actor.UserID, answered, word) {
		return b.askWhetherWrong(in, answered), nil
	}
	if len(sales) == 0 { // pressed again, or answered on the page
		return b.Redraw(ctx, in, view, in.Tr.Text(msg.HandoverAnswered))
	}
	said, err := answer(sales)
	if err != nil {
		return b.ErrorOn(ctx, in, view, err)
	}
	return b.Redraw(ctx, in, view, saidNote(in.Tr, said[0], in.Actor.UserID))
}

// saidNote reports the result of an answer.
func saidNote(t kernel.Translator, h trade.Trade, reader core.UserID) discord.Markdown {
	side := h.SideOf(reader)
	switch {
	case h.State == trust.HandoverAgreed && h.On(side).Word == "" &&
		h.On(side).TookBackAt.After(h.On(side).LaterAt):
		return t.Text(msg.NotedTakenBack)
	case h.State == trust.HandoverAgreed && h.On(side).Word == "":
		return t.Text(msg.NotedLater, "time", kernel.Timestamp(h.On(side).LaterAt.Add(trade.LaterFor)))
	case h.State == trust.HandoverAgreed:
		return t.Text(msg.NotedWaiting)
	case h.State == trust.HandoverDisputed:
		return t.Text(msg.NotedDisputed)
	case h.State == trust.HandoverCancelled:
		return t.Text(msg.NotedCancelled)
	}
	return t.Text(msg.NotedMet)
}

// acceptedDM is the message about an accepted offer.
func (b Trades) acceptedDM(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	return b.agreedDM(t, d, n, t.Text(msg.OfferAcceptedDM, "quantity", n.Quantity, "item", n.ItemName),
		kernel.SoldTrade(n, d.Accounts))
}

// standingAcceptedDM is the message about an offer that was accepted as it came.
func (b Trades) standingAcceptedDM(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	return b.agreedDM(t, d, n, t.Text(msg.StandingAcceptedDM, "quantity", n.Quantity, "item", n.ItemName),
		kernel.BoughtTrade(n, d.Accounts))
}

// listingSoldDM is the message about what a listing has sold without asking the reader.
func (b Trades) listingSoldDM(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	return b.agreedDM(t, d, n, t.Text(msg.ListingSoldDM, "quantity", n.Quantity, "item", n.ItemName),
		kernel.SoldTrade(n, d.Accounts))
}

// askAcceptedDM is the message about a seller's yes to the reader's ask.
func (b Trades) askAcceptedDM(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	return b.agreedDM(t, d, n, t.Text(msg.AskAcceptedDM, "quantity", n.Quantity, "item", n.ItemName),
		kernel.BoughtTrade(n, d.Accounts))
}

// agreedDM is the message about an accept, with its receipt and handover.
func (b Trades) agreedDM(
	t kernel.Translator, d channels.Delivery, n notify.Notice, text discord.Markdown, agreed trade.Trade,
) kernel.Reply {
	r := kernel.Reply{Text: text, Cards: []*discord.Card{b.Receipt(t, agreed, n.User)}}
	if n.Contact != "" {
		r.Cards[0].Description = string(t.Text(msg.NextSteps, "contact", t.ReachShort(agreed, n.User)))
	}
	b.addHandover(t, d, &r)
	for _, h := range d.Trades { // neither side was asked: both can undo it
		reader := core.Actor{UserID: n.User}
		if h.Sale == n.Sale && h.Crossed != 0 && h.Undo().May(reader, b.Now()) == nil {
			r.Undoable(t, kernel.UndoID(core.UndoSale, h.Sale, kernel.DeliveryView(d.ID)))
		}
	}
	return r
}

// handoverNotice is a message about what happened in one handover.
func (b Trades) handoverNotice(t kernel.Translator, d channels.Delivery, n notify.Notice) kernel.Reply {
	e := b.NoticeCard(n)
	text := b.handoverNews(t, d, n, e)
	return kernel.Reply{Text: text, Cards: []*discord.Card{e}, Rows: b.disputeRows(t, d)}
}

// handoverNews reports the event in one handover, and adds the next steps to its card.
func (b Trades) handoverNews(
	t kernel.Translator, d channels.Delivery, n notify.Notice, e *discord.Card,
) discord.Markdown {
	partner := partnerOf(t, d)
	var h trade.Trade
	for _, one := range d.Trades {
		if one.Sale == n.Sale {
			h = one
		}
	}
	switch n.Kind {
	case notify.NoticeHandoverCancelled:
		e.Description, e.Color = string(t.Text(msg.HandoverCancelledNext)), kernel.ColourDone
		return t.Text(msg.HandoverCancelledDM, "partner", partner, "quantity", n.Quantity, "item", n.ItemName)
	case notify.NoticeHandoverDisputed:
		e.Description, e.Color = string(handoverLines(t, h, n.User, b.Now(), 1)), kernel.ColourHigh
		switch {
		case h.Ruled(b.Now()):
			e.Color = kernel.ColourUsual
			return t.Text(msg.HandoverSettledDM, "quantity", n.Quantity, "item", n.ItemName)
		case h.State != trust.HandoverDisputed:
			e.Color = kernel.ColourUsual
			return t.Text(msg.HandoverNoDisputeDM, "partner", partner, "quantity", n.Quantity,
				"item", n.ItemName)
		case h.LookedAt.IsZero():
			e.Description = string(kernel.Joined(discord.Markdown(e.Description),
				t.Text(msg.HandoverDisputedNext)))
		}
		return t.Text(msg.HandoverDisputedDM, "partner", partner, "quantity", n.Quantity, "item", n.ItemName)
	default:
		if n.Message == "" { // a decision has a reason: this one was undone
			e.Description = string(handoverLine(t, h, n.User, b.Now()))
			return t.Text(msg.HandoverReopenedDM, "quantity", n.Quantity, "item", n.ItemName)
		}
		e.Description = string(handoverLine(t, h, n.User, b.Now()))
		if h.Ruled(b.Now()) {
			e.Description = string(kernel.Joined(discord.Markdown(e.Description), ruledAgainst(t, h, n.User)))
		}
		e.Description = string(kernel.Joined(discord.Markdown(e.Description),
			t.Text(msg.ReasonGiven, "reason", discord.Quote(n.Message))))
		return t.Text(msg.HandoverSettledDM, "quantity", n.Quantity, "item", n.ItemName)
	}
}
