package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const (
	disputesShown     = 10
	tradesBeforeShown = 5 // earlier trades of the two sides of a dispute
)

// rulings are what a moderator can decide about a dispute, by their place in custom IDs.
var rulings = []struct {
	met     bool
	against core.Side
	name    msg.Key
}{
	{true, "", msg.RulingMet},
	{true, core.BuyerSide, msg.RulingMetBuyer},
	{true, core.SellerSide, msg.RulingMetSeller},
	{false, "", msg.RulingNotMet},
	{false, core.BuyerSide, msg.RulingNotMetBuyer},
	{false, core.SellerSide, msg.RulingNotMetSeller},
}

// disputes lists the trades whose sides contradict each other.
func (b disputesBot) disputes(ctx context.Context, in Input) (Reply, error) {
	return b.listDisputes(ctx, in, "")
}

func (b disputesBot) disputesButton(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.listDisputes(ctx, in, "")
	reply.redraw = true
	return reply, err
}

func (b disputesBot) listDisputes(ctx context.Context, in Input, note discord.Markdown) (Reply, error) {
	found, err := b.market.Disputes(ctx, in.Actor, 0, disputesShown)
	if err != nil {
		return Reply{}, err
	}
	reply := private(note)
	if len(found) == 0 {
		reply.text = joined(note, in.tr.text(msg.NoDisputes))
		return reply, nil
	}
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(found))
	for i, d := range found {
		h := d.Handover
		text = joined(text, "**"+in.tr.text(msg.OfferTitle, h.Quantity, h.ItemName)+"** · "+username(h.Buyer.Contact)+" · "+username(h.Seller.Contact)+" · "+timestamp(h.AgreedBy))
		options[i] = discordgo.SelectMenuOption{
			Label: discord.Clip(in.tr.plain(msg.OfferTitle, h.Quantity, h.ItemName)+fmt.Sprintf(" · #%d", h.Sale), discord.MaxOptionLabel), Value: fmt.Sprint(int64(h.Sale)),
		}
	}
	reply.cards = []*discord.Card{{
		Title: string(in.tr.text(msg.DisputesTitle)), URL: b.pageURL("/moderation"), Color: colourHigh, Description: string(text),
	}}
	reply.rows = append(reply.rows, choose(discord.NewCustomID("dispute-picked"), in.tr.plain(msg.PickDispute), options))
	return reply, nil
}

// disputePicked shows one dispute with both words, both records and what was between the two before.
func (b disputesBot) disputePicked(ctx context.Context, in Input) (Reply, error) {
	return b.showDispute(ctx, in, core.SaleID(in.picked()), "")
}

// lookAtDispute stores that a moderator looks at a dispute: its sides can't change their words any more.
func (b disputesBot) lookAtDispute(ctx context.Context, in Input) (Reply, error) {
	id := core.SaleID(in.id.Number(0))
	if _, err := b.market.LookAtDispute(ctx, in.Actor, id); core.KindOf(err) == core.Conflict {
		reply, listErr := b.listDisputes(ctx, in, in.tr.errorReply(err).text)
		reply.redraw = true
		return reply, listErr
	} else if err != nil {
		return Reply{}, err
	}
	b.wakeSync() // the thread of the trade is drawn again
	return b.showDispute(ctx, in, id, in.tr.text(msg.DisputeNotedLook))
}

func (b disputesBot) showDispute(ctx context.Context, in Input, id core.SaleID, note discord.Markdown) (Reply, error) {
	d, err := b.market.Dispute(ctx, in.Actor, id)
	if err != nil {
		return Reply{}, err
	}
	t, h := in.tr, d.Handover
	people := b.accounts(ctx, h.Buyer.User, h.Seller.User)
	e := &discord.Card{
		Title: string(t.text(msg.OfferTitle, h.Quantity, h.ItemName)), URL: b.orderURL(h.Order), Color: colourHigh,
		Description: string(t.coins(h.Total()) + " · " + t.text(msg.DisputeTimes, moment(h.AcceptedAt), moment(h.AgreedBy))),
	}
	for _, side := range core.Sides {
		name, s := msg.DisputeBuyer, h.On(side)
		if side == core.SellerSide {
			name = msg.DisputeSeller
		}
		word := t.text(msg.NotMet)
		if s.Word == core.SaidMet {
			word = t.text(msg.WeMet)
		}
		said := mention(s.Contact, people[s.User]) + "\n“" + word + "” · " + moment(s.SaidAt)
		if record, known := d.Records[s.User]; known {
			said += "\n" + t.record(record)
		}
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(name)), Value: string(said), Inline: true})
	}
	history := t.text(msg.DisputeNoHistory)
	for i, before := range d.Before {
		line := "**" + t.text(msg.OfferTitle, before.Quantity, before.ItemName) + "** · " + t.text(handoverStateKey(before.State)) + " · " + timestamp(before.AcceptedAt)
		if i == 0 {
			history = line
		} else if i < tradesBeforeShown {
			history = joined(history, line)
		}
	}
	e.Fields = append(e.Fields, &discord.CardField{Name: string(t.text(msg.DisputeHistory)), Value: string(history)})
	options := make([]discordgo.SelectMenuOption, len(rulings))
	for i, r := range rulings {
		options[i] = discordgo.SelectMenuOption{Label: t.plain(r.name), Value: fmt.Sprint(i)}
	}
	reply := Reply{redraw: true, text: note, cards: []*discord.Card{e}}
	buttons := []discordgo.MessageComponent{button(discord.NewCustomID("disputes"), discordgo.SecondaryButton, t.plain(msg.Back))}
	if h.LookedAt.IsZero() {
		look := button(discord.NewCustomID("look-at", h.Sale), discordgo.PrimaryButton, t.plain(msg.LookAtDispute))
		buttons = append([]discordgo.MessageComponent{look}, buttons...)
	} else {
		e.Description = string(joined(discord.Markdown(e.Description), t.text(msg.DisputeLookedAt, timestamp(h.LookedAt))))
	}
	reply.rows = append(reply.rows, choose(discord.NewCustomID("rule", h.Sale), t.plain(msg.PickRuling), options), row(buttons...))
	return reply, nil
}

// rulingPicked asks for the reason of a ruling.
func (b disputesBot) rulingPicked(ctx context.Context, in Input) (Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return Reply{}, err
	}
	place, typed := in.picked(), int64(0)
	if in.word() == "" { // the form again
		place, typed = in.id.Number(1), in.id.Number(2)
	}
	return b.askWhy(ctx, in, discord.NewCustomID("ruled", in.id.Number(0), place).OpenedBy(in.i), msg.PickRuling, msg.HintRuling, typed)
}

func (b disputesBot) rulingSubmitted(ctx context.Context, in Input) (Reply, error) {
	place := in.id.Number(1)
	if place >= int64(len(rulings)) {
		return private(in.tr.text(msg.Outdated)), nil
	}
	r := rulings[place]
	_, err := b.market.RuleDispute(ctx, in.Actor, core.SaleID(in.id.Number(0)), core.DisputeRuling{Met: r.met, Against: r.against, Reason: in.text("reason")})
	if err != nil {
		return b.whyAgain(ctx, in, Reply{}, err, func(typed int64) discord.CustomID {
			return discord.NewCustomID("rule", in.id.Number(0), place, typed)
		})
	}
	reply, err := b.listDisputes(ctx, in, in.tr.text(msg.DisputeSettled))
	reply.redraw = true
	return reply, err
}
