package lists

import (
	"context"
	"fmt"
	"math/big"
	"net/url"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Several requests at once: a form with a request in each line, a preview, and the list that is posted.

// severalRequests opens the form.
func (b Lists) severalRequests(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	return kernel.Reply{Form: listForm(in.Tr, map[string]string{})}, nil
}

// severalAgain opens the form with what was typed before.
func (b Lists) severalAgain(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	d, err := b.Begun(ctx, in, in.ID.Number(0))
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Reply{Form: listForm(in.Tr, d.Options)}, nil
}

func listForm(t kernel.Translator, typed map[string]string) *discord.Modal {
	fields := []discord.Field{
		{Name: "name", Label: t.Plain(msg.ListName), Hint: t.Plain(msg.ListNameHint),
			Value: typed["name"], MaxLength: trade.MaxListName},
		{
			Name: "lines", Label: t.Plain(msg.ListLines),
			Hint: t.Plain(msg.ListLinesHint, "price", t.Game.Example), Value: typed["lines"],
			Long: true, MaxLength: trade.MaxListText,
		},
		{
			Name: "category", Label: t.Plain(msg.ListCategory),
			Options: t.CategoryOptions(kernel.OrElse(typed["category"], string(t.Game.Default))),
		},
		{Name: "importance", Label: t.Plain(msg.FieldImportance),
			Options: t.ImportanceOptions(kernel.OrElse(typed["importance"], string(game.Medium)))},
	}
	for _, f := range trade.Fields {
		if f.InListForm {
			fields = append(fields, t.TextField(f, typed[f.Option]))
		}
	}
	return &discord.Modal{ID: discord.NewCustomID("several-typed"), Title: t.Plain(msg.ListTitle),
		Fields: fields}
}

func listDraft(in kernel.Input) trade.ListDraft {
	draft := trade.ListDraft{
		Name: in.Text("name"), Text: in.Text("lines"), BuyerContact: in.Actor.Username,
		Category: game.Category(in.Text("category")), Importance: game.Importance(in.Text("importance")),
	}
	for _, f := range trade.Fields {
		if f.InListForm {
			*f.List(&draft) = in.Text(f.Option)
		}
	}
	return draft
}

// severalTyped shows the requests that the form would post, or the errors of each line. Nothing is posted
// before the user confirms.
func (b Lists) severalTyped(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id, err := b.Keep(ctx, in, kernel.Draft{Options: in.Fields})
	if err != nil {
		return kernel.Reply{}, err
	}
	again := kernel.Button(discord.NewCustomID("several", id), discordgo.SecondaryButton,
		in.Tr.Plain(msg.Edit))
	drop := kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.Tr.Plain(msg.Cancel))
	list, err := b.Market.Trade.PreviewList(ctx, in.Actor, listDraft(in))
	if core.KindOf(err) == core.Invalid {
		reply := in.Tr.ListErrors(msg.ListWrong, err)
		b.listFixes(ctx, in, &reply, id)
		buttons := append([]discordgo.MessageComponent{again, drop}, b.planLink(in)...)
		reply.Rows, reply.Redraw = append(reply.Rows, kernel.Row(buttons...)), true
		return reply, nil
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := kernel.Private(in.Tr.Text(msg.ListPreview, "count", len(list.Orders)))
	reply.Cards = append(reply.Cards, listCard(in.Tr, list, ""))
	b.listFixes(ctx, in, &reply, id)
	post := kernel.Button(discord.NewCustomID("post-several", id), discordgo.SuccessButton,
		in.Tr.Plain(msg.Post))
	buttons := append([]discordgo.MessageComponent{post, again, drop}, b.planLink(in)...)
	reply.Rows, reply.Redraw = append(reply.Rows, kernel.Row(buttons...)), true
	return reply, nil
}

// maxAddress is the longest address that a button of Discord leads to.
const maxAddress = 512

// planLink leads to the page with the typed lines, which plans the cheapest way to get them. Lines that are
// too long for an address are typed there again.
func (b Lists) planLink(in kernel.Input) []discordgo.MessageComponent {
	if !b.Features.Listings {
		return nil
	}
	address := b.PageURL("/lists/new")
	long := address + "?lines=" + url.QueryEscape(in.Text("lines"))
	if address != "" && len(long) <= maxAddress {
		address = long
	}
	return kernel.WebLink(address, in.Tr.Plain(msg.ListPlan))
}

// postSeveral posts the list. The draft is the key: two presses post it once.
func (b Lists) postSeveral(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	id := in.ID.Number(0)
	d, err := b.LoadDraft(ctx, in, id)
	if err != nil {
		return kernel.Reply{}, err
	}
	in = in.With(d.Options).Repeated(id, "post")
	in.Actor.PriceConfirmed = in.ID.Number(1) == kernel.Confirmed
	list, err := b.Market.Trade.PostList(ctx, in.Actor, listDraft(in))
	if kernel.AsksAboutPrice(err) {
		reply := in.Tr.ListErrors(msg.ListUnusual, err)
		reply.Redraw = true
		reply.Rows = append(reply.Rows, kernel.Row(
			kernel.Button(discord.NewCustomID("post-several", id, kernel.Confirmed), discordgo.DangerButton,
				in.Tr.Plain(msg.PostAnyway)),
			kernel.Button(discord.NewCustomID("several", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.Edit)),
			kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.Cancel)),
		))
		return reply, nil
	}
	if core.KindOf(err) == core.Invalid && !core.KeyReused(err) {
		reply := in.Tr.ListErrors(msg.ListWrong, err)
		reply.Redraw = true
		reply.Rows = append(reply.Rows, kernel.Row(
			kernel.Button(discord.NewCustomID("several", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.Edit)),
			kernel.Button(discord.NewCustomID("drop", id), discordgo.SecondaryButton,
				in.Tr.Plain(msg.Cancel)),
		))
		return reply, nil
	}
	if err != nil {
		return kernel.Reply{}, err
	}
	posted := make([]core.OrderID, len(list.Orders))
	for i, o := range list.Orders {
		posted[i] = o.ID
	}
	b.NotePlace(ctx, in, posted...)
	b.WakeSync()
	reply := b.listReply(in, list, in.Tr.Text(msg.ListPosted, "count", len(list.Orders)))
	reply.Redraw = true
	return reply, nil
}

// listButton shows a list as it is now.
func (b Lists) listButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	list, err := b.Market.Trade.PostedList(ctx, in.Actor, core.ListID(in.ID.Number(0)))
	if err != nil {
		return kernel.Reply{}, err
	}
	reply := b.listReply(in, list, "")
	reply.Redraw = true
	return reply, nil
}

func (b Lists) listReply(in kernel.Input, list trade.PostedList, note discord.Markdown) kernel.Reply {
	t := in.Tr
	address := b.PageURL(fmt.Sprintf("/lists/%d", list.ID))
	reply := kernel.Private(note)
	reply.Cards = append(reply.Cards, listCard(t, list, address))
	options := make([]discordgo.SelectMenuOption, 0, len(list.Orders))
	for _, o := range list.Orders {
		options = append(options, discordgo.SelectMenuOption{Label: t.OrderLabel(o), Value: fmt.Sprint(o.ID),
			Description: t.OrderHint(o)})
	}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(discord.NewCustomID("open"), t.Plain(msg.PickOrder),
			options))
	}
	var buttons []discordgo.MessageComponent
	if b.offersOnList(in.Actor, list) {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("list-offer", list.ID),
			discordgo.PrimaryButton, t.Plain(msg.ListOffer)))
	}
	buttons = append(buttons, kernel.Button(discord.NewCustomID("list", list.ID), discordgo.SecondaryButton,
		t.Plain(msg.ListRefresh)))
	reply.Rows = append(reply.Rows, kernel.Row(append(buttons,
		kernel.WebLink(address, t.Plain(msg.OpenWeb))...)...))
	return reply
}

// listCard shows a list with its progress.
func listCard(t kernel.Translator, list trade.PostedList, address string) *discord.Card {
	progress := list.Progress()
	text := kernel.Bar(progress.Percent()) + " " + t.Text(msg.ListProgress, "bought", progress.Sold,
		"wanted", progress.Wanted,
		"done", progress.Done, "requests", progress.Orders)
	total := new(big.Int) // of 50 lines it passes a Copper
	for i, o := range list.Orders {
		total.Add(total, big.NewInt(int64(o.TotalValue())))
		if i < kernel.ListLinesShown {
			line := t.Text(msg.ListLine, "quantity", o.Quantity, "item", o.ItemName, "price", o.MaxPrice)
			if list.ID != 0 {
				line += " · " + t.LeftOf(o)
			}
			text += "\n" + line
		}
	}
	if more := len(list.Orders) - kernel.ListLinesShown; more > 0 {
		text += "\n" + t.Text(msg.AndMore, "count", more)
	}
	text += "\n" + t.Text(msg.ListTotal, "sum", t.Sum(total))
	return &discord.Card{Title: string(discord.ClipMarkdown(discord.Escape(list.Name), 256)), URL: address,
		Color: kernel.ColourUsual, Description: string(text)}
}
