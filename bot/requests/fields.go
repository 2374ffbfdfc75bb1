package requests

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// The fields of a request: as options of the commands, in the forms, as users type them, and as core takes
// them. A field has one name in all of these. trade.Fields declares the texts. How a request is shown is in
// kernel/cards.go.

// OrderOptions are the options of the commands that post and edit a request. An edit needs none of them,
// and takes a level of 0 for none.
func OrderOptions(game game.Game, editing bool) []*discordgo.ApplicationCommandOption {
	least := 1
	if editing {
		least = 0
	}
	texts := make([]*discordgo.ApplicationCommandOption, len(trade.Fields))
	for i, f := range trade.Fields {
		texts[i] = commands.Text(f.Option, f.Limit)
	}
	commands.Required(texts[0])
	commands.Suggested(texts[0])
	options := slices.Concat(texts[:1], []*discordgo.ApplicationCommandOption{
		commands.Number("quantity", 1, core.MaxQuantity, commands.Required),
		commands.Text("price", commands.MaxPriceText, commands.Required),
		commands.Text("category", 0, commands.Of(commands.CategoryChoices(game))),
		commands.Text("importance", 0, commands.Of(commands.ImportanceChoices())),
		commands.Number("level", least, core.MaxLevel),
	}, texts[1:], []*discordgo.ApplicationCommandOption{commands.Yes("signed-in-only")})
	for _, option := range options {
		option.Required = option.Required && !editing
	}
	return options
}

// fieldsOfForm limits the fields of a form. It is Discord's limit.
const fieldsOfForm = 5

// orderDetails is the part of a request's form with the optional fields.
const orderDetails = 2

// orderForm asks for one part of the fields, in their order. The details contain the fields for which the
// first form has no room.
func orderForm(
	t kernel.Translator, to discord.CustomID, part int64, value func(name string) string,
) *discord.Modal {
	texts := make([]discord.Field, len(trade.Fields))
	for i, f := range trade.Fields {
		texts[i] = t.TextField(f, "")
	}
	fields := slices.Concat(texts[:1], []discord.Field{
		{Name: "quantity", Label: t.Plain(msg.FieldQuantity), Hint: t.Plain(msg.HintQuantity), MaxLength: 12},
		{Name: "price", Label: t.Plain(msg.FieldPrice), Hint: t.Plain(msg.HintPrice, "price", t.Game.Example),
			MaxLength: commands.MaxPriceText},
	}, texts[1:2], []discord.Field{
		{
			Name: "category", Label: t.Plain(msg.FieldCategory),
			Options: t.CategoryOptions(kernel.OrElse(value("category"), string(t.Game.Default))),
		},
		{
			Name: "importance", Label: t.Plain(msg.FieldImportance),
			Options: t.ImportanceOptions(kernel.OrElse(value("importance"), string(game.Medium))),
		},
		{Name: "level", Label: t.Plain(msg.FieldLevel), Hint: t.Plain(msg.HintLevel), Optional: true,
			MaxLength: 5},
	}, texts[2:])
	for i := range fields {
		if fields[i].Options == nil {
			fields[i].Value = value(fields[i].Name)
		}
	}
	if part == orderDetails {
		return &discord.Modal{ID: to, Title: t.Plain(msg.DetailsTitle), Fields: fields[fieldsOfForm:]}
	}
	return &discord.Modal{ID: to, Title: t.Plain(msg.EditTitle), Fields: fields[:fieldsOfForm]}
}

// newOrderForm asks for one part of the fields of a request to be posted.
func newOrderForm(
	t kernel.Translator, to discord.CustomID, part int64, value func(name string) string,
) *discord.Modal {
	form := orderForm(t, to, part, value)
	if part != orderDetails {
		form.Title = t.Plain(msg.NewTitle)
	}
	return form
}

// concerns reports whether changes belong to a part of the form. Changes of a field without a form belong to
// the details.
func concerns(t kernel.Translator, changes map[string]string, part int64) bool {
	first := map[string]bool{}
	for _, field := range orderForm(t, discord.CustomID{}, 1, func(string) string { return "" }).Fields {
		first[field.Name] = true
	}
	for name := range changes {
		if first[name] == (part == 1) {
			return true
		}
	}
	return false
}

// orderValues are the fields of an order as one would type them.
func orderValues(o trade.Order, game game.Game) map[string]string {
	values := map[string]string{
		"quantity": strconv.Itoa(o.Quantity), "price": game.Format(o.MaxPrice),
		"category": string(o.Category), "importance": string(o.Importance),
	}
	for _, f := range trade.Fields {
		values[f.Option] = f.Of(o)
	}
	if o.LevelRequirement != nil {
		values["level"] = fmt.Sprint(*o.LevelRequirement)
	}
	return values
}

// orderDraft reads a draft from options.
func orderDraft(in kernel.Input) (trade.OrderDraft, error) {
	price, priceErr := in.Tr.Game.ParseCopper("maxPricePerUnit", in.Text("price"))
	d := trade.OrderDraft{
		Quantity: in.Quantity(), MaxPrice: price,
		LevelRequirement: in.Level("level"),
		Category:         game.Category(in.Text("category")),
		Importance:       game.Importance(in.Text("importance")),
		SignedInOnly:     in.Yes("signed-in-only"),
		NoPrograms:       in.Yes("no-programs"),
	}
	for _, f := range trade.Fields {
		*f.Draft(&d) = in.Text(f.Option)
	}
	if d.BuyerContact == "" {
		d.BuyerContact = in.Actor.Username
	}
	return d, priceErr
}

// orderEdit reads an edit. An empty level or text, and 0 or "-" as people write it, takes it away.
func orderEdit(in kernel.Input, version int, changes map[string]string) (trade.OrderEdit, error) {
	in = in.With(changes)
	edit := trade.OrderEdit{Version: version}
	for _, f := range trade.Fields {
		if !in.Has(f.Option) {
			continue
		}
		text := in.Text(f.Option)
		if text == "-" {
			text = ""
		}
		if text == "" && f.Option == kernel.ContactOption {
			text = in.Actor.Username
		}
		*f.Edit(&edit) = &text
	}
	if in.Has("quantity") {
		n := in.Quantity()
		edit.Quantity = &n
	}
	if in.Has("category") {
		c := game.Category(in.Text("category"))
		edit.Category = &c
	}
	if in.Has("importance") {
		i := game.Importance(in.Text("importance"))
		edit.Importance = &i
	}
	if in.Has("level") {
		if text := in.Text("level"); text == "" || text == "0" || text == "-" {
			edit.AnyLevel = true
		} else {
			edit.LevelRequirement = in.Level("level")
		}
	}
	if in.Has("signed-in-only") {
		only := in.Yes("signed-in-only")
		edit.SignedInOnly = &only
	}
	if in.Has("no-programs") {
		refused := in.Yes("no-programs")
		edit.NoPrograms = &refused
	}
	if in.Has("price") {
		price, err := in.Tr.Game.ParseCopper("maxPricePerUnit", in.Text("price"))
		if err != nil {
			return edit, err
		}
		edit.MaxPrice = &price
	}
	return edit, nil
}
