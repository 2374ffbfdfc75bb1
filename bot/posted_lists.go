package bot

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// Several requests at once: a form with a request in each line, a preview, and the list that is posted.

// severalRequests opens the form.
func (b listsBot) severalRequests(_ context.Context, in Input) (Reply, error) {
	return Reply{form: listForm(in.tr, map[string]string{})}, nil
}

// severalAgain opens the form with what was typed before.
func (b listsBot) severalAgain(ctx context.Context, in Input) (Reply, error) {
	d, err := b.loadDraft(ctx, in, in.id.Number(0))
	if err != nil {
		return Reply{}, err
	}
	return Reply{form: listForm(in.tr, d.Options)}, nil
}

func listForm(t translator, typed map[string]string) *discord.Modal {
	return &discord.Modal{ID: discord.NewCustomID("several-typed"), Title: t.plain(msg.ListTitle), Fields: []discord.Field{
		{Name: "name", Label: t.plain(msg.ListName), Hint: t.plain(msg.ListNameHint), Value: typed["name"], MaxLength: core.MaxListName},
		{
			Name: "lines", Label: t.plain(msg.ListLines), Hint: t.plain(msg.ListLinesHint, t.game.Example), Value: typed["lines"],
			Long: true, MaxLength: core.MaxListText,
		},
		{
			Name: "category", Label: t.plain(msg.ListCategory),
			Options: t.options(categoryChoices(t.game), orElse(typed["category"], string(t.game.Default))),
		},
		{Name: "importance", Label: t.plain(msg.FieldImportance), Options: t.options(importanceChoices(), orElse(typed["importance"], string(core.Medium)))},
		{Name: "ign", Label: t.plain(msg.FieldInGame), Value: typed["ign"], Optional: true, MaxLength: core.MaxInGameName},
	}}
}

func listDraft(in Input) core.ListDraft {
	return core.ListDraft{
		Name: in.text("name"), Text: in.text("lines"), BuyerContact: in.Actor.Username, InGameName: in.text("ign"),
		Category: core.Category(in.text("category")), Importance: core.Importance(in.text("importance")),
	}
}

// severalTyped shows what the form would post, or what is wrong of each line. Nothing is posted before the user confirms.
func (b listsBot) severalTyped(ctx context.Context, in Input) (Reply, error) {
	id, err := b.keep(ctx, in, draft{Options: in.fields})
	if err != nil {
		return Reply{}, err
	}
	again := button(discord.NewCustomID("several", id), discordgo.SecondaryButton, in.tr.plain(msg.Edit))
	drop := button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel))
	list, err := b.market.PreviewList(ctx, in.Actor, listDraft(in))
	if core.KindOf(err) == core.Invalid {
		reply := in.tr.listErrors(msg.ListWrong, err)
		b.listFixes(ctx, in, &reply, id)
		reply.rows, reply.redraw = append(reply.rows, row(again, drop)), true
		return reply, nil
	}
	if err != nil {
		return Reply{}, err
	}
	reply := private(in.tr.text(msg.ListPreview, len(list.Orders)))
	reply.cards = append(reply.cards, listCard(in.tr, list, ""))
	b.listFixes(ctx, in, &reply, id)
	post := button(discord.NewCustomID("post-several", id), discordgo.SuccessButton, in.tr.plain(msg.Post))
	reply.rows, reply.redraw = append(reply.rows, row(post, again, drop)), true
	return reply, nil
}

// postSeveral posts the list. The draft is the key: two presses post it once.
func (b listsBot) postSeveral(ctx context.Context, in Input) (Reply, error) {
	id := in.id.Number(0)
	d, err := b.loadDraft(ctx, in, id)
	if err != nil {
		return Reply{}, err
	}
	in = in.with(d.Options).repeated(id, "post")
	in.Actor.PriceConfirmed = in.id.Number(1) == confirmed
	list, err := b.market.PostList(ctx, in.Actor, listDraft(in))
	if asksAboutPrice(err) {
		reply := in.tr.listErrors(msg.ListUnusual, err)
		reply.redraw = true
		reply.rows = append(reply.rows, row(
			button(discord.NewCustomID("post-several", id, confirmed), discordgo.DangerButton, in.tr.plain(msg.PostAnyway)),
			button(discord.NewCustomID("several", id), discordgo.SecondaryButton, in.tr.plain(msg.Edit)),
			button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel)),
		))
		return reply, nil
	}
	if core.KindOf(err) == core.Invalid && !core.KeyReused(err) {
		reply := in.tr.listErrors(msg.ListWrong, err)
		reply.redraw = true
		reply.rows = append(reply.rows, row(
			button(discord.NewCustomID("several", id), discordgo.SecondaryButton, in.tr.plain(msg.Edit)),
			button(discord.NewCustomID("drop", id), discordgo.SecondaryButton, in.tr.plain(msg.Cancel)),
		))
		return reply, nil
	}
	if err != nil {
		return Reply{}, err
	}
	posted := make([]core.OrderID, len(list.Orders))
	for i, o := range list.Orders {
		posted[i] = o.ID
	}
	b.notePlace(ctx, in, posted...)
	b.wakeSync()
	reply := b.listReply(in, list, in.tr.text(msg.ListPosted, len(list.Orders)))
	reply.redraw = true
	return reply, nil
}

// listButton shows a list as it is now.
func (b listsBot) listButton(ctx context.Context, in Input) (Reply, error) {
	list, err := b.market.PostedList(ctx, in.Actor, core.ListID(in.id.Number(0)))
	if err != nil {
		return Reply{}, err
	}
	reply := b.listReply(in, list, "")
	reply.redraw = true
	return reply, nil
}

func (b listsBot) listReply(in Input, list core.PostedList, note discord.Markdown) Reply {
	t := in.tr
	address := b.pageURL(fmt.Sprintf("/lists/%d", list.ID))
	reply := private(note)
	reply.cards = append(reply.cards, listCard(t, list, address))
	options := make([]discordgo.SelectMenuOption, 0, len(list.Orders))
	for _, o := range list.Orders {
		options = append(options, discordgo.SelectMenuOption{Label: t.orderLabel(o), Value: fmt.Sprint(o.ID), Description: t.orderHint(o)})
	}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(discord.NewCustomID("open"), t.plain(msg.PickOrder), options))
	}
	var buttons []discordgo.MessageComponent
	if b.offersOnList(in.Actor, list) {
		buttons = append(buttons, button(discord.NewCustomID("list-offer", list.ID), discordgo.PrimaryButton, t.plain(msg.ListOffer)))
	}
	buttons = append(buttons, button(discord.NewCustomID("list", list.ID), discordgo.SecondaryButton, t.plain(msg.ListRefresh)))
	reply.rows = append(reply.rows, row(append(buttons, webLink(address, t.plain(msg.OpenWeb))...)...))
	return reply
}

// listLinesShown is how many lines of a list a message shows. With the longest names they fit into an embed.
const listLinesShown = 25

// listCard shows a list with its progress.
func listCard(t translator, list core.PostedList, address string) *discord.Card {
	progress := list.Progress()
	text := bar(progress.Percent()) + " " + t.text(msg.ListProgress, progress.Sold, progress.Wanted, progress.Done, progress.Orders)
	total := new(big.Int) // of 50 lines it passes a Copper
	for i, o := range list.Orders {
		total.Add(total, big.NewInt(int64(o.TotalValue())))
		if i < listLinesShown {
			line := t.text(msg.ListLine, o.Quantity, o.ItemName, o.MaxPrice)
			if list.ID != 0 {
				line += " · " + t.leftOf(o)
			}
			text += "\n" + line
		}
	}
	if more := len(list.Orders) - listLinesShown; more > 0 {
		text += "\n" + t.text(msg.AndMore, more)
	}
	text += "\n" + t.text(msg.ListTotal, t.sum(total))
	return &discord.Card{Title: string(discord.ClipMarkdown(discord.Escape(list.Name), 256)), URL: address, Color: colourUsual, Description: string(text)}
}

var lineOfField = regexp.MustCompile(`^lines\[(\d+)\]$`)

// listErrorsShown is how many lines with errors a message names.
const listErrorsShown = 12

// listErrors says what is wrong, by line, and of prices that are asked about of which item.
func (t translator) listErrors(title msg.Key, err error) Reply {
	var failed *core.Error
	if !errors.As(err, &failed) {
		return t.errorReply(err)
	}
	text := t.text(title, len(failed.Fields))
	for i, field := range failed.Fields {
		if i == listErrorsShown {
			text += "\n" + t.text(msg.AndMore, len(failed.Fields)-i)
			break
		}
		what := discord.ClipMarkdown(discord.Escape(t.core(field.Text)), 120)
		if i < len(failed.Prices) {
			what = "**" + discord.Escape(discord.Clip(failed.Prices[i].ItemName, stockNameShown)) + "** · " + what
		}
		if m := lineOfField.FindStringSubmatch(field.Field); m != nil {
			number, _ := strconv.Atoi(m[1])
			text += "\n- " + t.text(msg.ListLineWrong, number, what)
		} else {
			text += "\n- " + what
		}
	}
	return private(text)
}
