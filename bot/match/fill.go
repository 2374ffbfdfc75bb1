package match

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core/match"
	msg "tradepost/core/text"
)

// fillShown limits the requests that a message lists.
const fillShown = 10

// fill lists the open requests that the actor can fill: first the requests for items in their stock, then by
// earnings.
func (b Match) fill(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	orders, err := b.Market.Match.Fill(ctx, in.Actor)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(orders) == 0 {
		text, err := b.NothingToFill(ctx, in, "")
		return kernel.Private(text), err
	}
	var more discord.Markdown
	items, options := make([]discord.CardItem, 0, fillShown), make([]discordgo.SelectMenuOption, 0, fillShown)
	for _, o := range orders[:min(len(orders), fillShown)] {
		items = append(items, discord.CardItem{
			Text: fillLine(in.Tr, o), Button: kernel.Button(discord.NewCustomID("make-offer", o.ID, 0, o.Can),
				discordgo.PrimaryButton, in.Tr.Plain(msg.Offer)),
		})
		options = append(options, discordgo.SelectMenuOption{Label: in.Tr.Plain(msg.OfferTitle,
			"quantity", o.Can,
			"item", discord.Clip(o.ItemName, kernel.StockNameShown)), Value: fmt.Sprint(o.ID)})
	}
	if rest := len(orders) - fillShown; rest > 0 {
		more = in.Tr.Text(msg.AndMore, "count", rest)
	}
	reply := kernel.Private("")
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.FillTitle)), URL: b.PageURL("/stock"),
		Color: kernel.ColourUsual, Items: items, Footer: more}}
	reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), in.Tr.Plain(msg.FillPick),
		options))
	if link := kernel.WebLink(b.PageURL("/stock"), in.Tr.Plain(msg.OpenWeb)); len(link) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(link...))
	}
	return reply, nil
}

func fillLine(t kernel.Translator, o match.FillableOrder) discord.Markdown {
	how := msg.FillByMaking
	if o.FromStock {
		how = msg.FillFromStock
	}
	return kernel.ImportanceMarks[o.Importance] + " **" + t.Text(msg.OfferTitle, "quantity", o.Can,
		"item", discord.Clip(o.ItemName, kernel.StockNameShown)) + "**\n" + t.Text(msg.FillEarns,
		"sum", t.Coins(o.Earns())) + " · " + t.Text(how)
}
