package requests

import (
	"context"
	"maps"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// askAboutPrice adds to a preview the question whether its price is meant, with a button for the price that
// probably is. Posting is then the answer that it is meant. A preview without the question is asked about
// when it is posted.
func (b Requests) askAboutPrice(
	ctx context.Context, in kernel.Input, reply *kernel.Reply, draft int64, order trade.Order,
	post discordgo.MessageComponent,
) discordgo.MessageComponent {
	asked, err := b.Market.Items.UnusualPrice(ctx, in.Actor, order.ItemName, order.MaxPrice)
	if err != nil {
		b.Log.Warn("price of a preview not compared", "item", order.ItemName, "error", err)
	}
	if err != nil || asked == nil {
		return post
	}
	reply.Text = kernel.Joined(reply.Text, "⚠️ "+discord.Escape(in.Tr.Core(asked.Question(b.Game))))
	use := discord.NewCustomID("use-price", draft, int64(asked.Meant))
	reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(use, discordgo.PrimaryButton,
		in.Tr.Plain(msg.UseItem, "value", asked.Meant))))
	return kernel.Button(discord.NewCustomID("post", draft, kernel.Confirmed), discordgo.DangerButton,
		in.Tr.Plain(msg.PostAt, "price", asked.Typed))
}

// editPrice repeats an edit with the price of a button.
func (b Requests) editPrice(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.LoadDraft(ctx, in, in.ID.Number(2))
	if err != nil {
		return kernel.Reply{}, err
	}
	changes := maps.Clone(d.Options)
	changes["price"] = b.Game.Format(core.Copper(in.ID.Number(3)))
	in.Actor.PriceConfirmed = true
	return b.edited(ctx, in, core.OrderID(in.ID.Number(0)), int(in.ID.Number(1)), changes)
}
