package bot

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// fillShown is how many requests a message lists.
const fillShown = 10

// fill lists the open requests that the actor can fill, what they have first, then by what they would earn.
func (b matchBot) fill(ctx context.Context, in Input) (Reply, error) {
	orders, err := b.market.Fill(ctx, in.Actor)
	if err != nil {
		return Reply{}, err
	}
	if len(orders) == 0 {
		text, err := b.nothingToFill(ctx, in, "")
		return private(text), err
	}
	var more discord.Markdown
	items, options := make([]discord.CardItem, 0, fillShown), make([]discordgo.SelectMenuOption, 0, fillShown)
	for _, o := range orders[:min(len(orders), fillShown)] {
		items = append(items, discord.CardItem{
			Text: fillLine(in.tr, o), Button: button(discord.NewCustomID("make-offer", o.ID, 0, o.Can), discordgo.PrimaryButton, in.tr.plain(msg.Offer)),
		})
		options = append(options, discordgo.SelectMenuOption{Label: in.tr.plain(msg.OfferTitle, o.Can, discord.Clip(o.ItemName, stockNameShown)), Value: fmt.Sprint(o.ID)})
	}
	if rest := len(orders) - fillShown; rest > 0 {
		more = in.tr.text(msg.AndMore, rest)
	}
	reply := private("")
	reply.cards = []*discord.Card{{Title: string(in.tr.text(msg.FillTitle)), URL: b.pageURL("/stock"), Color: colourUsual, Items: items, Footer: more}}
	reply.rows = append(reply.rows, choose(discord.NewCustomID("open"), in.tr.plain(msg.FillPick), options))
	if link := webLink(b.pageURL("/stock"), in.tr.plain(msg.OpenWeb)); len(link) > 0 {
		reply.rows = append(reply.rows, row(link...))
	}
	return reply, nil
}

func fillLine(t translator, o core.FillableOrder) discord.Markdown {
	how := msg.FillByMaking
	if o.FromStock {
		how = msg.FillFromStock
	}
	return importanceMarks[o.Importance] + " **" + t.text(msg.OfferTitle, o.Can, discord.Clip(o.ItemName, stockNameShown)) + "**\n" + t.text(msg.FillEarns, t.coins(o.Earns())) + " · " + t.text(how)
}

// nothingToFill says why a user finds nothing to fill, and what to do about it. Narrowed says it where other filters apply, too; else it
// is empty.
func (d *Drawer) nothingToFill(ctx context.Context, in Input, narrowed discord.Markdown) (discord.Markdown, error) {
	stock, err := d.market.Stock(ctx, in.Actor)
	if err != nil {
		return "", err
	}
	skills, err := d.market.Skills(ctx, in.Actor)
	switch {
	case err != nil:
		return "", err
	case len(stock)+len(skills) == 0:
		return in.tr.text(msg.FillUnset), nil
	case narrowed != "":
		return narrowed, nil
	}
	return in.tr.text(msg.FillNone), nil
}
