package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// handoverDM asks one side what happened in their trades with one partner. What they said already stays in it.
func (b tradesBot) handoverDM(t translator, d core.Delivery) (r Reply) {
	partner := partnerOf(t, d)
	e := &discord.Card{URL: b.pageURL("/inbox"), Color: colourUsual}
	r = Reply{cards: []*discord.Card{e}}
	var list discord.Markdown
	for _, h := range d.Handovers {
		list = joined(list, b.handoverLine(t, h, d.To.User))
	}
	e.Description = string(list)
	waiting := waitingHandovers(d)
	defer func() { r.rows = append(r.rows, b.disputeRows(t, d)...) }()
	switch len(waiting) {
	case 0:
		r.text, e.Color = t.text(msg.HandoverAnswered), colourDone
		if slices.ContainsFunc(d.Handovers, func(h core.Handover) bool { return h.State == core.HandoverAgreed }) {
			r.text = t.text(msg.NotedWaiting)
		}
		return r
	case 1:
		r.text = t.text(msg.HandoverPrompt, partner)
	default:
		r.text = t.text(msg.HandoverPrompts, partner, len(waiting))
	}
	r.rows = b.handoverButtons(t, d, waiting, b.now().After(waiting[0].AgreedBy))
	return r
}

// partnerOf is who the message is about, whom the reader meets.
func partnerOf(t translator, d core.Delivery) discord.Markdown {
	for _, n := range d.Notices {
		if n.Contact != "" {
			return mention(n.Contact, d.Accounts[n.CausedBy])
		}
	}
	return t.text(msg.DeletedUser)
}

// waitingHandovers are those of a message that its reader has not answered.
func waitingHandovers(d core.Delivery) (waiting []core.Handover) {
	for _, h := range d.Handovers {
		if side := h.SideOf(d.To.User); side != "" && h.State == core.HandoverAgreed && h.On(side).Word == "" {
			waiting = append(waiting, h)
		}
	}
	return waiting
}

// handoverButtons are the answers to all that a message asks about, and where there are several a list of those that did not happen.
func (b tradesBot) handoverButtons(t translator, d core.Delivery, waiting []core.Handover, asked bool) []discordgo.MessageComponent {
	view, shown := deliveryView(d.ID), 0
	if d.Thread != "" && len(waiting) == 1 {
		view = tradeView(waiting[0].Sale)
	}
	later := asked
	options := make([]discordgo.SelectMenuOption, len(waiting))
	for i, h := range waiting {
		shown += int(h.Sale) + int(max(h.On(h.SideOf(d.To.User)).TookBackAt.Unix(), 0))
		later = later && h.MayPostpone(d.To.User, b.now()) == nil && h.On(h.SideOf(d.To.User)).Messages < core.MaxHandoverMessages
		options[i] = discordgo.SelectMenuOption{Label: t.plain(msg.OfferTitle, h.Quantity, h.ItemName), Value: fmt.Sprint(int64(h.Sale))}
	}
	met := t.plain(msg.WeMet)
	if len(waiting) > 1 {
		met = t.plain(msg.WeMetAll, len(waiting))
	}
	buttons := []discordgo.MessageComponent{button(discord.NewCustomID("met", view).At(shown), discordgo.SuccessButton, met)}
	slip := slipOf(t, waiting[0], d.To.User)
	if later {
		buttons = append(buttons, button(discord.NewCustomID("later", view).At(shown), discordgo.SecondaryButton, t.plain(msg.AskLater)))
	}
	if len(waiting) == 1 {
		buttons = append(buttons, button(discord.NewCustomID("not-met", view).At(shown), discordgo.DangerButton, t.plain(msg.NotMet)))
		return []discordgo.MessageComponent{row(append(buttons, slip...)...)}
	}
	return []discordgo.MessageComponent{row(append(buttons, slip...)...), chooseSome(discord.NewCustomID("not-met", view).At(shown), t.plain(msg.PickNotMet), options)}
}

// addHandover adds to the message of an accept by when the two meet, with the answers, and for the buyer a list to change the time.
func (b tradesBot) addHandover(t translator, d core.Delivery, r *Reply) {
	if len(d.Handovers) != 1 {
		return
	}
	h, reader := d.Handovers[0], d.To.User
	r.cards[0].Description = string(joined(discord.Markdown(r.cards[0].Description), b.handoverLine(t, h, reader)))
	if waiting := waitingHandovers(d); len(waiting) == 1 {
		r.rows = append(r.rows, b.handoverButtons(t, d, waiting, false)...)
	}
	r.rows = append(r.rows, b.disputeRows(t, d)...)
	if _, err := h.AgreeBy(reader, b.now().Add(core.AgreedWithin), b.now()); err == nil {
		r.askAgreedBy(t, h.Sale, deliveryView(d.ID))
	}
}

// handoverLine is a handover in one line, as one of its sides sees it.
func (b tradesBot) handoverLine(t translator, h core.Handover, reader core.UserID) discord.Markdown {
	return "**" + t.text(msg.OfferTitle, h.Quantity, h.ItemName) + "** · " + t.coins(h.Total()) + " · " + b.handoverStatus(t, h, reader)
}

// handoverStatus is how far a handover has come, as one of its sides sees it.
func (b tradesBot) handoverStatus(t translator, h core.Handover, reader core.UserID) discord.Markdown {
	side := h.SideOf(reader)
	switch state, _ := h.Outcome(b.now()); {
	case state == core.HandoverAgreed && h.On(side).Word == core.SaidMet:
		return t.text(msg.YouSaidMet)
	case state == core.HandoverAgreed && h.On(side).Word == core.SaidNotMet:
		return t.text(msg.YouSaidNotMet)
	case state == core.HandoverAgreed && h.On(side.Other()).Word == core.SaidMet:
		return t.text(msg.TheySaidMet)
	case state == core.HandoverAgreed && h.On(side.Other()).Word == core.SaidNotMet:
		return t.text(msg.TheySaidNotMet)
	case state == core.HandoverAgreed:
		return t.text(msg.AgreedBy, moment(h.AgreedBy), timestamp(h.AgreedBy))
	case state == core.HandoverDisputed:
		status := t.text(stateKey(h))
		for _, said := range []msg.Key{yourWords[h.On(side).Word], theirWords[h.On(side.Other()).Word]} {
			if said != "" {
				status += " · " + t.text(said)
			}
		}
		return status
	default:
		return t.text(handoverStateKey(state))
	}
}

// yourWords and theirWords are the words of the two sides, as one of them reads them.
var (
	yourWords  = map[core.Word]msg.Key{core.SaidMet: msg.YouSaidMet, core.SaidNotMet: msg.YouSaidNotMet}
	theirWords = map[core.Word]msg.Key{core.SaidMet: msg.TheySaidMet, core.SaidNotMet: msg.TheySaidNotMet}
)

// stateKey is the stored state of a handover, with whether a moderator looks at a dispute.
func stateKey(h core.Handover) msg.Key {
	if h.State == core.HandoverDisputed && !h.LookedAt.IsZero() {
		return msg.HandoverLookedAt
	}
	return handoverStateKey(h.State)
}

func handoverStateKey(state core.HandoverState) msg.Key {
	switch state {
	case core.HandoverMet:
		return msg.HandoverMet
	case core.HandoverCancelled:
		return msg.HandoverCancelled
	case core.HandoverDisputed:
		return msg.HandoverDisputed
	case core.HandoverUnconfirmed:
		return msg.HandoverUnconfirmed
	case core.HandoverAgreed:
	}
	return msg.HandoverAgreed
}

// sayButton stores what the reader of a direct message says about all that it asks, or about what was picked.
func (b tradesBot) sayButton(word core.Word) handler {
	return func(ctx context.Context, in Input) (Reply, error) {
		return b.answerHandovers(ctx, in, word, func(sales []core.SaleID) ([]core.Handover, error) {
			return b.market.SayHandovers(ctx, in.Actor, sales, word)
		})
	}
}

// sayOfOne stores what the actor says about the one trade that a button names. That it does not happen cancels it before the agreed time.
func (b tradesBot) sayOfOne(word core.Word) handler {
	return func(ctx context.Context, in Input) (Reply, error) {
		view := in.id.Word(1)
		if word == core.SaidNotMet {
			found, err := b.market.Handovers(ctx, in.Actor, core.HandoverQuery{Sales: []core.SaleID{core.SaleID(in.id.Number(0))}, Limit: 1})
			if err != nil {
				return b.errorOn(ctx, in, view, err)
			}
			if len(found) > 0 && found[0].Contradicts(in.Actor.UserID, word) {
				return b.askWhetherWrong(ctx, in, found), nil
			}
		}
		said, err := b.market.SayHandovers(ctx, in.Actor, []core.SaleID{core.SaleID(in.id.Number(0))}, word)
		if err != nil {
			return b.errorOn(ctx, in, view, err)
		}
		return b.redraw(ctx, in, view, saidNote(in.tr, said[0], in.Actor.UserID))
	}
}

func (b tradesBot) laterButton(ctx context.Context, in Input) (Reply, error) {
	return b.answerHandovers(ctx, in, "", func(sales []core.SaleID) ([]core.Handover, error) {
		return b.market.PostponeHandovers(ctx, in.Actor, sales)
	})
}

func (b tradesBot) answerHandovers(ctx context.Context, in Input, word core.Word, answer func([]core.SaleID) ([]core.Handover, error)) (Reply, error) {
	view := in.id.Word(0)
	kind, delivery, _ := parseView(view)
	if kind == 'a' {
		return b.answerInThread(ctx, in, core.SaleID(delivery), word, answer)
	}
	d, err := b.market.Delivery(ctx, in.Actor, core.DeliveryID(delivery))
	if err != nil {
		return Reply{}, err
	}
	var sales []core.SaleID
	var answered []core.Handover
	for _, h := range waitingHandovers(d) {
		if len(in.values) == 0 || slices.Contains(in.values, fmt.Sprint(int64(h.Sale))) {
			sales, answered = append(sales, h.Sale), append(answered, h)
		}
	}
	if slices.ContainsFunc(answered, func(h core.Handover) bool { return h.Contradicts(in.Actor.UserID, word) }) {
		return b.askWhetherWrong(ctx, in, answered), nil
	}
	if len(sales) == 0 { // pressed again, or answered on the page
		return b.redraw(ctx, in, view, in.tr.text(msg.HandoverAnswered))
	}
	said, err := answer(sales)
	if err != nil {
		return b.errorOn(ctx, in, view, err)
	}
	return b.redraw(ctx, in, view, saidNote(in.tr, said[0], in.Actor.UserID))
}

// saidNote says what came of an answer.
func saidNote(t translator, h core.Handover, reader core.UserID) discord.Markdown {
	side := h.SideOf(reader)
	switch {
	case h.State == core.HandoverAgreed && h.On(side).Word == "" && h.On(side).TookBackAt.After(h.On(side).LaterAt):
		return t.text(msg.NotedTakenBack)
	case h.State == core.HandoverAgreed && h.On(side).Word == "":
		return t.text(msg.NotedLater, timestamp(h.On(side).LaterAt.Add(core.LaterFor)))
	case h.State == core.HandoverAgreed:
		return t.text(msg.NotedWaiting)
	case h.State == core.HandoverDisputed:
		return t.text(msg.NotedDisputed)
	case h.State == core.HandoverCancelled:
		return t.text(msg.NotedCancelled)
	}
	return t.text(msg.NotedMet)
}

// agreedLine says by when the sides of an accept meet, in a line of its own.
func (t translator) agreedLine(by time.Time) discord.Markdown {
	return t.text(msg.ThreadAgreed, moment(by), timestamp(by))
}

// moment shows a time of day and its date in the reader's own time zone and language.
func moment(at time.Time) discord.Markdown {
	return discord.Markdown("<t:" + strconv.FormatInt(at.Unix(), 10) + ":f>")
}

// acceptedDM is the message about an accepted offer.
func (b tradesBot) acceptedDM(t translator, d core.Delivery, n core.Notice) Reply {
	return b.agreedDM(t, d, n, t.text(msg.OfferAcceptedDM, n.Quantity, n.ItemName), receiptOf(n, d.Accounts))
}

// standingAcceptedDM is the message about an offer that was accepted as it came.
func (b tradesBot) standingAcceptedDM(t translator, d core.Delivery, n core.Notice) Reply {
	return b.agreedDM(t, d, n, t.text(msg.StandingAcceptedDM, n.Quantity, n.ItemName), boughtReceipt(n, d.Accounts))
}

// agreedDM is the message about an accept, with its receipt and handover.
func (b tradesBot) agreedDM(t translator, d core.Delivery, n core.Notice, text discord.Markdown, agreed core.Receipt) Reply {
	r := Reply{text: text, cards: []*discord.Card{b.receipt(t, agreed, n.User)}}
	if n.Contact != "" {
		r.cards[0].Description = string(t.text(msg.NextSteps, t.reachShort(agreed, n.User)))
	}
	b.addHandover(t, d, &r)
	return r
}

// handoverNotice is a message about what happened in one handover.
func (b tradesBot) handoverNotice(t translator, d core.Delivery, n core.Notice) Reply {
	e := b.noticeCard(n)
	text := b.handoverNews(t, d, n, e)
	return Reply{text: text, cards: []*discord.Card{e}, rows: b.disputeRows(t, d)}
}

// handoverNews says what happened in one handover, and adds to its card what follows from it.
func (b tradesBot) handoverNews(t translator, d core.Delivery, n core.Notice, e *discord.Card) discord.Markdown {
	partner := partnerOf(t, d)
	var h core.Handover
	for _, one := range d.Handovers {
		if one.Sale == n.Sale {
			h = one
		}
	}
	switch n.Kind {
	case core.NoticeHandoverCancelled:
		e.Description, e.Color = string(t.text(msg.HandoverCancelledNext)), colourDone
		return t.text(msg.HandoverCancelledDM, partner, n.Quantity, n.ItemName)
	case core.NoticeHandoverDisputed:
		e.Description, e.Color = string(b.handoverLine(t, h, n.User)), colourHigh
		switch {
		case h.State != core.HandoverDisputed:
			e.Color = colourUsual
			return t.text(msg.HandoverNoDisputeDM, partner, n.Quantity, n.ItemName)
		case h.LookedAt.IsZero():
			e.Description = string(joined(discord.Markdown(e.Description), t.text(msg.HandoverDisputedNext)))
		}
		return t.text(msg.HandoverDisputedDM, partner, n.Quantity, n.ItemName)
	default:
		e.Description = string(joined(b.handoverLine(t, h, n.User), t.text(msg.ReasonGiven, discord.Quote(n.Message))))
		return t.text(msg.HandoverSettledDM, n.Quantity, n.ItemName)
	}
}
