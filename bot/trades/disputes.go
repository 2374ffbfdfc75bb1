package trades

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

const (
	disputesShown     = 10
	tradesBeforeShown = 5 // earlier trades of the two sides of a dispute
)

// rulings are a moderator's possible decisions about a dispute, by their place in custom IDs.
var rulings = []struct {
	met     bool
	against trust.Side
	name    msg.Key
}{
	{true, "", msg.RulingMet},
	{true, trust.BuyerSide, msg.RulingMetBuyer},
	{true, trust.SellerSide, msg.RulingMetSeller},
	{false, "", msg.RulingNotMet},
	{false, trust.BuyerSide, msg.RulingNotMetBuyer},
	{false, trust.SellerSide, msg.RulingNotMetSeller},
}

// disputes lists the trades with contradicting sides.
func (b Disputes) disputes(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.listDisputes(ctx, in, "")
}

func (b Disputes) disputesButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	reply, err := b.listDisputes(ctx, in, "")
	reply.Redraw = true
	return reply, err
}

func (b Disputes) listDisputes(
	ctx context.Context, in kernel.Input, note discord.Markdown,
) (kernel.Reply, error) {
	found, err := b.Market.Trade.Disputes(ctx, in.Actor, 0, disputesShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(note)
	if len(found) == 0 {
		reply.Text = kernel.Joined(note, in.Tr.Text(msg.NoDisputes))
		return reply, nil
	}
	var text discord.Markdown
	options := make([]discordgo.SelectMenuOption, len(found))
	for i, d := range found {
		h := d.Trade
		text = kernel.Joined(text, "**"+in.Tr.Text(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName)+"** · "+
			kernel.Username(h.Buyer.Contact)+" · "+kernel.Username(h.Seller.Contact)+" · "+
			kernel.Timestamp(h.AgreedBy))
		options[i] = discordgo.SelectMenuOption{
			Label: discord.Clip(in.Tr.Plain(msg.OfferTitle, "quantity", h.Quantity,
				"item", h.ItemName)+fmt.Sprintf(" · #%d",
				h.Sale), discord.MaxOptionLabel), Value: fmt.Sprint(int64(h.Sale)),
		}
	}
	reply.Cards = []*discord.Card{{
		Title: string(in.Tr.Text(msg.DisputesTitle)), URL: b.PageURL("/moderation"), Color: kernel.ColourHigh,
		Description: string(text),
	}}
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("dispute-picked"),
		in.Tr.Plain(msg.PickDispute), options))
	return reply, nil
}

// disputePicked shows one dispute with both words, both records and the earlier trades between the two.
func (b Disputes) disputePicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.showDispute(ctx, in, core.SaleID(in.Picked()), "")
}

// lookAtDispute stores that a moderator looks at a dispute: its sides can't change their answers any more.
func (b Disputes) lookAtDispute(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.SaleID(in.ID.Number(0))
	if _, err := b.Market.Trade.LookAtDispute(ctx, in.Actor, id); core.KindOf(err) == core.Conflict {
		reply, listErr := b.listDisputes(ctx, in, in.Tr.ErrorReply(err).Text)
		reply.Redraw = true
		return reply, listErr
	} else if err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync() // the thread of the trade is drawn again
	return b.showDispute(ctx, in, id, in.Tr.Text(msg.DisputeNotedLook))
}

func (b Disputes) showDispute(
	ctx context.Context, in kernel.Input, id core.SaleID, note discord.Markdown,
) (kernel.Reply, error) {
	d, err := b.Market.Trade.Dispute(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	t, h := in.Tr, d.Trade
	e := &discord.Card{
		Title: string(t.Text(msg.OfferTitle, "quantity", h.Quantity,
			"item", h.ItemName)), URL: b.OrderURL(h.Order),
		Color: kernel.ColourHigh,
		Description: string(t.Coins(h.Total()) + " · " + t.Text(msg.DisputeTimes,
			"accepted", kernel.Moment(h.AcceptedAt),
			"agreed", kernel.Moment(h.AgreedBy))),
	}
	for _, side := range trust.Sides {
		name, s := msg.DisputeBuyer, h.On(side)
		if side == trust.SellerSide {
			name = msg.DisputeSeller
		}
		word := t.Text(msg.NotMet)
		if s.Word == trade.SaidMet {
			word = t.Text(msg.WeMet)
		}
		said := kernel.Mention(s.Contact, s.Account()) + "\n" + t.Text(msg.Quoted, "words", word) +
			" · " + kernel.Moment(s.SaidAt)
		if record, known := d.Records[s.User]; known {
			said += "\n" + t.Record(record)
		}
		e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(name)), Value: string(said),
			Inline: true})
	}
	if side := d.NewSide(); side != "" {
		e.Description = string(kernel.Joined(discord.Markdown(e.Description),
			t.Text(map[trust.Side]msg.Key{trust.BuyerSide: msg.DisputeNewBuyer,
				trust.SellerSide: msg.DisputeNewSeller}[side])))
	}
	history := t.Text(msg.DisputeNoHistory)
	for i, before := range d.Before {
		line := "**" + t.Text(msg.OfferTitle, "quantity", before.Quantity,
			"item", before.ItemName) + "** · " +
			t.Text(handoverStateKey(before.State)) + " · " + kernel.Timestamp(before.AcceptedAt)
		if i == 0 {
			history = line
		} else if i < tradesBeforeShown {
			history = kernel.Joined(history, line)
		}
	}
	e.Fields = append(e.Fields, &discord.CardField{Name: string(t.Text(msg.DisputeHistory)),
		Value: string(history)})
	options := make([]discordgo.SelectMenuOption, len(rulings))
	for i, r := range rulings {
		options[i] = discordgo.SelectMenuOption{Label: t.Plain(r.name), Value: fmt.Sprint(i)}
	}
	reply := kernel.Reply{Redraw: true, Text: note, Cards: []*discord.Card{e}}
	buttons := []discordgo.MessageComponent{kernel.Button(discord.NewCustomID("disputes"),
		discordgo.SecondaryButton, t.Plain(msg.Back))}
	aside := core.NotASide(in.Actor, h.Buyer.User, h.Seller.User)
	if aside != nil {
		reply.Text = kernel.Joined(note, t.ErrorReply(aside).Text)
	}
	if !h.LookedAt.IsZero() {
		e.Description = string(kernel.Joined(discord.Markdown(e.Description),
			t.Text(msg.DisputeLookedAt, "time", kernel.Timestamp(h.LookedAt))))
	} else if aside == nil {
		look := kernel.Button(discord.NewCustomID("look-at", h.Sale), discordgo.PrimaryButton,
			t.Plain(msg.LookAtDispute))
		buttons = append([]discordgo.MessageComponent{look}, buttons...)
	}
	if aside == nil {
		reply.Rows = append(reply.Rows,
			kernel.Choose(discord.NewCustomID("rule", h.Sale), t.Plain(msg.PickRuling), options))
	}
	reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	return reply, nil
}

// rulingPicked asks for the reason of a ruling.
func (b Disputes) rulingPicked(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return kernel.Reply{}, err
	}
	place, typed := in.Picked(), int64(0)
	if in.Word() == "" { // the form again
		place, typed = in.ID.Number(1), in.ID.Number(2)
	}
	return b.AskWhy(ctx, in, discord.NewCustomID("ruled", in.ID.Number(0), place).OpenedBy(in.Interaction),
		msg.PickRuling, msg.HintRuling, typed)
}

func (b Disputes) rulingSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	place := in.ID.Number(1)
	if place >= int64(len(rulings)) {
		return kernel.Private(in.Tr.Text(msg.Outdated)), nil
	}
	r := rulings[place]
	_, err := b.Market.Trade.RuleDispute(ctx, in.Actor, core.SaleID(in.ID.Number(0)),
		trade.DisputeRuling{Met: r.met, Against: r.against, Reason: in.Text("reason")})
	if err != nil {
		return b.WhyAgain(ctx, in, kernel.Reply{}, err, func(typed int64) discord.CustomID {
			return discord.NewCustomID("rule", in.ID.Number(0), place, typed)
		})
	}
	reply, err := b.listDisputes(ctx, in, in.Tr.Text(msg.DisputeSettled))
	reply.Redraw = true
	return reply, err
}

// Disputes has moderators decide on trades with contradicting sides.
type Disputes struct{ *kernel.Kernel }

// NewDisputes returns the handlers of disputes on a kernel.
func NewDisputes(k *kernel.Kernel) Disputes { return Disputes{k} }
