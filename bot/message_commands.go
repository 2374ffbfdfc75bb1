package bot

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
)

// Commands in the menu of a message. Their names are also their paths.
const (
	offerOnThis = "Offer on this"
	reportThis  = "Report"
)

var (
	noRequestThere   = core.NewText("message_without_request", "That message shows no open request. Use this on a card of the market, on a board or one that was shared.")
	manyRequestThere = core.NewText("message_with_requests", "That message shows several requests. Open the one you mean from its list, and go on there.")
)

// onMessage is a command in the menu of a message.
func onMessage(name string) *discordgo.ApplicationCommand {
	c := group(name)
	c.Type = discordgo.MessageApplicationCommand
	return c
}

// shownThere is the order that the message of a message command shows.
func shownThere(in Input) (core.OrderID, error) {
	var order core.OrderID
	for _, text := range in.i.TargetIDs {
		id, ok := discord.ParseCustomID(text)
		switch {
		case !ok:
		case id.Action == "open", id.Action == "make-offer" && order != 0 && order != core.OrderID(id.Number(0)):
			return 0, core.NewError(core.Invalid, manyRequestThere)
		case id.Action == "make-offer":
			order = core.OrderID(id.Number(0))
		}
	}
	if order == 0 {
		return 0, core.NewError(core.Invalid, noRequestThere)
	}
	return order, nil
}

// offerOnMessage opens the form of an offer for the request that a message shows.
func (b offersBot) offerOnMessage(ctx context.Context, in Input) (Reply, error) {
	order, err := shownThere(in)
	if err != nil {
		return Reply{}, err
	}
	in.id = discord.NewCustomID("make-offer", order)
	return b.offerForm(ctx, in)
}

// reportOnMessage opens the form of a report about the request that a message shows.
func (b moderationBot) reportOnMessage(ctx context.Context, in Input) (Reply, error) {
	order, err := shownThere(in)
	if err != nil {
		return Reply{}, err
	}
	in.id = reportOn{order: order}.press("report")
	return b.reportForm(ctx, in)
}
