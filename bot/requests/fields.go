package requests

import (
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/trade"
)

// The fields of a request: as options of the commands, in the forms, as users type them, and as core takes
// them. A field has one name in all of these. How a request is shown is in kernel/cards.go.

// OrderOptions are the options of the commands that post and edit a request. An edit needs none of them,
// and takes a level of 0 for none.
func OrderOptions(game game.Game, editing bool) []*discordgo.ApplicationCommandOption {
	least := 1
	if editing {
		least = 0
	}
	options := []*discordgo.ApplicationCommandOption{
		commands.Text("item", core.MaxItemName, commands.Required, commands.Suggested),
		commands.Number("quantity", 1, core.MaxQuantity, commands.Required),
		commands.Text("price", commands.MaxPriceText, commands.Required),
		commands.Text("category", 0, commands.Of(commands.CategoryChoices(game))),
		commands.Text("importance", 0, commands.Of(commands.ImportanceChoices())),
		commands.Number("level", least, core.MaxLevel),
		commands.Text("description", core.MaxDescription),
		commands.Text("contact", core.MaxContact),
		commands.Text("ign", core.MaxInGameName),
		commands.Yes("signed-in-only"),
	}
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
	fields := []discord.Field{
		{Name: "item", Label: t.Plain(msg.FieldItem), MaxLength: core.MaxItemName},
		{Name: "quantity", Label: t.Plain(msg.FieldQuantity), Hint: t.Plain(msg.HintQuantity), MaxLength: 12},
		{Name: "price", Label: t.Plain(msg.FieldPrice), Hint: t.Plain(msg.HintPrice, t.Game.Example),
			MaxLength: commands.MaxPriceText},
		{
			Name: "description", Label: t.Plain(msg.FieldDescription), Hint: t.Plain(msg.HintDescription),
			Long: true, Optional: true, MaxLength: core.MaxDescription,
		},
		{
			Name: "category", Label: t.Plain(msg.FieldCategory),
			Options: t.Options(commands.CategoryChoices(t.Game),
				kernel.OrElse(value("category"), string(t.Game.Default))),
		},
		{
			Name: "importance", Label: t.Plain(msg.FieldImportance),
			Options: t.Options(commands.ImportanceChoices(),
				kernel.OrElse(value("importance"), string(game.Medium))),
		},
		{Name: "level", Label: t.Plain(msg.FieldLevel), Hint: t.Plain(msg.HintLevel), Optional: true,
			MaxLength: 5},
		{Name: "contact", Label: t.Plain(msg.FieldContact), Hint: t.Plain(msg.HintContact), Optional: true,
			MaxLength: core.MaxContact},
		{Name: "ign", Label: t.Plain(msg.FieldInGame), Optional: true, MaxLength: core.MaxInGameName},
	}
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
		"item": o.ItemName, "quantity": strconv.Itoa(o.Quantity), "price": game.Format(o.MaxPrice),
		"description": o.Description,
		"category":    string(o.Category), "importance": string(o.Importance), "contact": o.BuyerContact,
		"ign": o.InGameName,
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
		ItemName: in.Text("item"), Quantity: in.Quantity(), MaxPrice: price,
		Description: in.Text("description"), BuyerContact: in.Text("contact"), InGameName: in.Text("ign"),
		LevelRequirement: in.Level("level"),
		Category:         game.Category(in.Text("category")),
		Importance:       game.Importance(in.Text("importance")),
		SignedInOnly:     in.Yes("signed-in-only"),
	}
	if d.BuyerContact == "" {
		d.BuyerContact = in.Actor.Username
	}
	return d, priceErr
}

// orderEdit reads an edit. An empty level or in-game name, and 0 or "-" as people write it, takes it away.
func orderEdit(in kernel.Input, version int, changes map[string]string) (trade.OrderEdit, error) {
	in = in.With(changes)
	edit := trade.OrderEdit{Version: version}
	word := func(name string) *string {
		if !in.Has(name) {
			return nil
		}
		text := in.Text(name)
		if text == "-" {
			text = ""
		}
		return &text
	}
	edit.ItemName, edit.Description, edit.InGameName = word("item"), word("description"), word("ign")
	if edit.BuyerContact = word("contact"); edit.BuyerContact != nil && *edit.BuyerContact == "" {
		edit.BuyerContact = &in.Actor.Username
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
	if in.Has("price") {
		price, err := in.Tr.Game.ParseCopper("maxPricePerUnit", in.Text("price"))
		if err != nil {
			return edit, err
		}
		edit.MaxPrice = &price
	}
	return edit, nil
}

// The fields of a request: as options of the commands, in the forms, as users type them, and as core takes
// them. A field has one name in all of these. How a request is shown is in cards.go.
