package offers

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// terms sets which offers are accepted automatically on a request, and who may offer.
type terms struct{ *kernel.Kernel }

// standingForm asks which offers on a request are accepted automatically.
func (b terms) standingForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	usual, err := b.usualSellers(ctx, in)
	if err != nil {
		return kernel.Reply{}, err
	}
	t := in.Tr
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("standing-set", in.ID.Number(0)).OpenedBy(in.Interaction),
		Title: t.Plain(msg.StandingTitle), Fields: []discord.Field{
			{Name: "sellers", Label: t.Plain(msg.FieldSellers), Options: sellersOptions(t, usual)},
			{Name: "take", Label: t.Plain(msg.FieldTake), Hint: t.Plain(msg.HintTake), Optional: true,
				MaxLength: 12},
			{Name: "from-others", Label: t.Plain(msg.FieldFromOthers), Optional: true, MaxLength: 12},
			{Name: "days", Label: t.Plain(msg.FieldDays), Value: fmt.Sprint(standingDays), Optional: true,
				MaxLength: 3},
		}}}, nil
}

// leastForm asks who may offer on a request.
func (b terms) leastForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	asked, err := b.Market.Trade.Terms(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	t := in.Tr
	options := append([]discordgo.SelectMenuOption{{Label: t.Plain(msg.SellersAll), Value: everySeller,
		Default: asked.Least.Sellers == ""}}, sellersOptions(t, asked.Least.Sellers)...)
	upTo := ""
	if asked.Least.NewUpTo > 0 {
		upTo = fmt.Sprint(asked.Least.NewUpTo)
	}
	return kernel.Reply{Form: &discord.Modal{
		ID:    discord.NewCustomID("least-set", in.ID.Number(0)).OpenedBy(in.Interaction),
		Title: t.Plain(msg.LeastButton), Fields: []discord.Field{
			{Name: "sellers", Label: t.Plain(msg.FieldLeastSellers), Options: options},
			{Name: "new-up-to", Label: t.Plain(msg.FieldNewUpTo), Value: upTo, Optional: true, MaxLength: 12},
		}}}, nil
}

// everySeller is the choice of the form that requires nothing.
const everySeller = "all"

// usualSellers returns the sellers that a buyer asks for who does not say which.
func (b terms) usualSellers(ctx context.Context, in kernel.Input) (trade.Sellers, error) {
	asked, err := b.Market.Trade.Terms(ctx, in.Actor, core.OrderID(in.ID.Number(0)))
	usual, _ := trade.UsualSellers(asked.Young, 0)
	return usual, err
}

func sellersOptions(t kernel.Translator, chosen trade.Sellers) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, len(trade.AllSellers))
	for i, s := range trade.AllSellers {
		options[i] = discordgo.SelectMenuOption{Label: t.Choice("sellers-" + string(s)), Value: string(s),
			Default: s == chosen}
	}
	return options
}

// termsSubmitted applies a form about the terms of a request, and shows the request again.
func (b terms) termsSubmitted(set kernel.OrderHandler) kernel.Handler {
	return func(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
		id := core.OrderID(in.ID.Number(0))
		listed, err := b.Market.Trade.Order(ctx, in.Actor, id)
		if err != nil {
			return kernel.Reply{}, err
		}
		if in.Fields["sellers"] == everySeller {
			in.Fields = nil
		}
		reply, err := set(ctx, in, listed.Order)
		if err != nil {
			return b.ErrorOn(ctx, in, kernel.OrderView(id), err)
		}
		return b.Redraw(ctx, in, kernel.OrderView(id), reply.Text)
	}
}
