package lists

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Offers on several requests of a list: a form with a line for each request, to which the seller adds how
// many.

// listNameSize limits an item's name in a line of the form, so that all lines fit.
const listNameSize = 40

// offersOnList reports whether the actor can offer on a list.
func (b Lists) offersOnList(actor core.Actor, list trade.PostedList) bool {
	return actor.UserID != list.Owner &&
		slices.ContainsFunc(list.Orders, func(o trade.Order) bool { return o.Open(b.Now()) })
}

// listOfferForm asks how many of each request the seller offers.
func (b Lists) listOfferForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.ListID(in.ID.Number(0))
	list, err := b.Market.Trade.PostedList(ctx, in.Actor, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	switch {
	case in.Actor.UserID == list.Owner:
		return kernel.Reply{}, core.NewError(core.Forbidden, core.NewText("own_request"))
	case !b.offersOnList(in.Actor, list):
		return kernel.Private(in.Tr.Text(msg.ListClosed)), nil
	}
	var lines []string
	for _, o := range list.Orders {
		if o.Open(b.Now()) {
			lines = append(lines, in.Tr.Plain(msg.ListOfferLine, "number", discord.Markdown(fmt.Sprint(o.ID)),
				"item", discord.Clip(o.ItemName, listNameSize), "left", o.Remaining())+" ")
		}
	}
	values := map[string]string{"lines": strings.Join(lines, "\n"),
		"name": discord.Clip(in.Interaction.DisplayName(), core.MaxSellerName)}
	if typed := in.ID.Number(1); typed > 0 {
		d, err := b.LoadDraft(ctx, in, typed)
		if err != nil {
			return kernel.Reply{}, err
		}
		values = d.Options
	}
	return kernel.Reply{Form: &discord.Modal{ID: discord.NewCustomID("list-offered",
		id).OpenedBy(in.Interaction), Title: in.Tr.Plain(msg.ListOffer), Fields: []discord.Field{
		{Name: "lines", Label: in.Tr.Plain(msg.ListOfferLines), Value: values["lines"], Long: true,
			MaxLength: trade.MaxListText},
		{Name: "message", Label: in.Tr.Plain(msg.FieldMessage), Hint: in.Tr.Plain(msg.HintMessage),
			Value: values["message"], Long: true, MaxLength: core.MaxOfferMessage},
		{Name: "name", Label: in.Tr.Plain(msg.FieldYourName), Value: values["name"],
			MaxLength: core.MaxSellerName},
	}}}, nil
}

var offeredLine = regexp.MustCompile(`^#?(\d+)\b.*:\s*([^:]*)$`)

// readListOffer reads the lines of the form, and returns on which line each offer is. Lines without a
// number behind the colon are left out. It returns Invalid with every line that is wrong.
func readListOffer(text string) (lines []trade.ListOfferLine, numbers []int, err error) {
	var c core.Checks
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(discord.Visible(line))
		if line == "" {
			continue
		}
		field, m := fmt.Sprintf("lines[%d]", i+1), offeredLine.FindStringSubmatch(line)
		if m == nil {
			c.That(false, field, core.NewText("list_offer_line"))
			continue
		}
		if m[2] == "" {
			continue
		}
		id, known := kernel.Reference(m[1])
		quantity, ok := kernel.ParseQuantity(m[2])
		c.That(known && ok, field, core.NewText("list_offer_quantity"))
		lines, numbers = append(lines, trade.ListOfferLine{Order: core.OrderID(id), Quantity: quantity}),
			append(numbers, i+1)
	}
	return lines, numbers, c.Err()
}

// listOffered sends the offers, all of them or none.
func (b Lists) listOffered(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := core.ListID(in.ID.Number(0))
	lines, numbers, err := readListOffer(in.Text("lines"))
	var sent []trade.SendOfferResult
	if err == nil {
		sent, err = b.Market.Trade.OfferOnList(ctx, in.Actor, id,
			trade.ListOffer{SellerName: in.Text("name"), Message: in.Text("message"), Lines: lines})
		err = atTypedLines(err, numbers)
	}
	if core.KindOf(err) == core.Invalid && !core.KeyReused(err) {
		typed, keepErr := b.Keep(ctx, in, kernel.Draft{Options: in.Fields})
		if keepErr != nil {
			return kernel.Reply{}, keepErr
		}
		reply := in.Tr.ListErrors(msg.ListOfferWrong, err)
		reply.Rows = append(reply.Rows, kernel.Row(kernel.Button(discord.NewCustomID("list-offer", id, typed),
			discordgo.PrimaryButton, in.Tr.Plain(msg.EditAgain))))
		return reply, nil
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	total := new(big.Int)
	var text discord.Markdown
	for i, one := range sent {
		total.Add(total, big.NewInt(int64(kernel.Worth(one.Offer))))
		if i < kernel.ListLinesShown {
			text = kernel.Joined(text, in.Tr.Text(msg.ListLine, "quantity", one.Offer.Quantity,
				"item", discord.Clip(one.Order.ItemName, listNameSize), "price", one.Offer.Price))
		}
	}
	if more := len(sent) - kernel.ListLinesShown; more > 0 {
		text = kernel.Joined(text, in.Tr.Text(msg.AndMore, "count", more))
	}
	reply := kernel.Private(in.Tr.Text(msg.ListOfferSent, "count", len(sent), "sum", in.Tr.Sum(total)))
	reply.Cards = []*discord.Card{{Title: string(in.Tr.Text(msg.SentTitle)), URL: b.PageURL("/offers"),
		Color: kernel.ColourUsual, Description: string(text)}}
	return reply, nil
}

// atTypedLines names the lines as they are counted in the form, where those that are left out count too.
func atTypedLines(err error, numbers []int) error {
	var failed *core.Error
	if !errors.As(err, &failed) || len(failed.Fields) == 0 {
		return err
	}
	shown := *failed
	shown.Fields = slices.Clone(failed.Fields)
	for i, field := range shown.Fields {
		for n, number := range numbers {
			if field.Field == fmt.Sprintf("lines[%d]", n+1) {
				shown.Fields[i].Field = fmt.Sprintf("lines[%d]", number)
			}
		}
	}
	return &shown
}
