package bot

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// confirmed is the argument of a button that keeps a price which was asked about.
const confirmed = 1

// asksAboutPrice reports whether an error asks about a price that is far from what is known.
func asksAboutPrice(err error) bool {
	var failed *core.Error
	return errors.As(err, &failed) && failed.Code == core.CodePriceUnusual && len(failed.Prices) > 0
}

// askAboutPrice adds to a preview the question whether its price is meant, with a button for the price that probably is. Posting is then
// the answer that it is meant. A preview without the question is asked about when it is posted.
func (b requestsBot) askAboutPrice(
	ctx context.Context, in Input, reply *Reply, draft int64, order core.Order, post discordgo.MessageComponent,
) discordgo.MessageComponent {
	asked, err := b.market.UnusualPrice(ctx, in.Actor, order.ItemName, order.MaxPrice)
	if err != nil {
		b.log.Warn("price of a preview not compared", "item", order.ItemName, "error", err)
	}
	if err != nil || asked == nil {
		return post
	}
	reply.text = joined(reply.text, "⚠️ "+discord.Escape(in.tr.core(asked.Question(b.game))))
	use := discord.NewCustomID("use-price", draft, int64(asked.Meant))
	reply.rows = append(reply.rows, row(button(use, discordgo.PrimaryButton, in.tr.plain(msg.UseItem, asked.Meant))))
	return button(discord.NewCustomID("post", draft, confirmed), discordgo.DangerButton, in.tr.plain(msg.PostAt, asked.Typed))
}

// priceChoices are a button for the price that was probably meant and one for the price as it was typed. Each adds it to the custom ID.
func (t translator) priceChoices(asked core.UnusualPrice, action string, args ...any) discordgo.MessageComponent {
	at := func(price core.Copper) discord.CustomID {
		return discord.NewCustomID(action, append(slices.Clone(args), int64(price))...)
	}
	return row(
		button(at(asked.Meant), discordgo.PrimaryButton, t.plain(msg.UseItem, asked.Meant)),
		button(at(asked.Typed), discordgo.DangerButton, t.plain(msg.KeepPrice, asked.Typed)),
	)
}

// editPrice repeats an edit with the price of a button.
func (b requestsBot) editPrice(ctx context.Context, in Input) (Reply, error) {
	d, err := b.loadDraft(ctx, in, in.id.Number(2))
	if err != nil {
		return Reply{}, err
	}
	changes := maps.Clone(d.Options)
	changes["price"] = b.game.Format(core.Copper(in.id.Number(3)))
	in.Actor.PriceConfirmed = true
	return b.edited(ctx, in, core.OrderID(in.id.Number(0)), int(in.id.Number(1)), changes)
}

// askAboutStockPrice asks whether the price of /have is meant.
func (b matchBot) askAboutStockPrice(ctx context.Context, in Input, err error) (Reply, error) {
	var failed *core.Error
	if !errors.As(err, &failed) {
		return Reply{}, err
	}
	id, err := b.keep(ctx, in, draft{Command: "have", Options: in.options})
	if err != nil {
		return Reply{}, err
	}
	reply := private("⚠️ " + discord.Escape(in.tr.core(failed.Prices[0].Question(b.game))))
	reply.rows = append(reply.rows, in.tr.priceChoices(failed.Prices[0], "have-price", id))
	return reply, nil
}

// stockPrice repeats /have with the price of a button.
func (b matchBot) stockPrice(ctx context.Context, in Input) (Reply, error) {
	d, err := b.loadDraft(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	in = in.with(d.Options)
	in.options["price"] = b.game.Format(core.Copper(in.id.Number(1)))
	in.Actor.PriceConfirmed = true
	reply, err := b.have(ctx, in)
	reply.redraw = true
	return reply, err
}
