package bot

import (
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// The fields of a request: as options of the commands, in the forms, as users type them, and as core takes them. A field has one
// name in all of these. How a request is shown is in cards.go.

// orderOptions are the options of the commands that post and edit a request. An edit needs none of them, and takes
// a level of 0 for none.
func orderOptions(game core.Game, editing bool) []*discordgo.ApplicationCommandOption {
	least := 1
	if editing {
		least = 0
	}
	options := []*discordgo.ApplicationCommandOption{
		text("item", core.MaxItemName, required, suggested),
		number("quantity", 1, core.MaxQuantity, required),
		text("price", maxPriceText, required),
		text("category", 0, of(categoryChoices(game))),
		text("importance", 0, of(importanceChoices())),
		number("level", least, core.MaxLevel),
		text("description", core.MaxDescription),
		text("contact", core.MaxContact),
		text("ign", core.MaxInGameName),
		yes("signed-in-only"),
	}
	for _, option := range options {
		option.Required = option.Required && !editing
	}
	return options
}

// fieldsOfForm is how many fields a form has at most. It is Discord's limit.
const fieldsOfForm = 5

// orderDetails is the part of a request's form with the optional fields.
const orderDetails = 2

// orderForm asks for one part of the fields, in their order. What the first form has no room for is in the details.
func orderForm(t translator, to discord.CustomID, part int64, value func(name string) string) *discord.Modal {
	fields := []discord.Field{
		{Name: "item", Label: t.plain(msg.FieldItem), MaxLength: core.MaxItemName},
		{Name: "quantity", Label: t.plain(msg.FieldQuantity), Hint: t.plain(msg.HintQuantity), MaxLength: 12},
		{Name: "price", Label: t.plain(msg.FieldPrice), Hint: t.plain(msg.HintPrice, t.game.Example), MaxLength: maxPriceText},
		{
			Name: "description", Label: t.plain(msg.FieldDescription), Hint: t.plain(msg.HintDescription),
			Long: true, Optional: true, MaxLength: core.MaxDescription,
		},
		{
			Name: "category", Label: t.plain(msg.FieldCategory),
			Options: t.options(categoryChoices(t.game), orElse(value("category"), string(t.game.Default))),
		},
		{
			Name: "importance", Label: t.plain(msg.FieldImportance),
			Options: t.options(importanceChoices(), orElse(value("importance"), string(core.Medium))),
		},
		{Name: "level", Label: t.plain(msg.FieldLevel), Hint: t.plain(msg.HintLevel), Optional: true, MaxLength: 5},
		{Name: "contact", Label: t.plain(msg.FieldContact), Hint: t.plain(msg.HintContact), Optional: true, MaxLength: core.MaxContact},
		{Name: "ign", Label: t.plain(msg.FieldInGame), Optional: true, MaxLength: core.MaxInGameName},
	}
	for i := range fields {
		if fields[i].Options == nil {
			fields[i].Value = value(fields[i].Name)
		}
	}
	if part == orderDetails {
		return &discord.Modal{ID: to, Title: t.plain(msg.DetailsTitle), Fields: fields[fieldsOfForm:]}
	}
	return &discord.Modal{ID: to, Title: t.plain(msg.EditTitle), Fields: fields[:fieldsOfForm]}
}

// newOrderForm asks for one part of the fields of a request to be posted.
func newOrderForm(t translator, to discord.CustomID, part int64, value func(name string) string) *discord.Modal {
	form := orderForm(t, to, part, value)
	if part != orderDetails {
		form.Title = t.plain(msg.NewTitle)
	}
	return form
}

// concerns reports whether changes belong to a part of the form. What is in no form belongs to the details.
func concerns(t translator, changes map[string]string, part int64) bool {
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
func orderValues(o core.Order, game core.Game) map[string]string {
	values := map[string]string{
		"item": o.ItemName, "quantity": strconv.Itoa(o.Quantity), "price": game.Format(o.MaxPrice), "description": o.Description,
		"category": string(o.Category), "importance": string(o.Importance), "contact": o.BuyerContact, "ign": o.InGameName,
	}
	if o.LevelRequirement != nil {
		values["level"] = fmt.Sprint(*o.LevelRequirement)
	}
	return values
}

// orderDraft reads a draft from options.
func orderDraft(in Input) (core.OrderDraft, error) {
	price, priceErr := in.tr.game.ParseCopper("maxPricePerUnit", in.text("price"))
	d := core.OrderDraft{
		ItemName: in.text("item"), Quantity: in.quantity(), MaxPrice: price,
		Description: in.text("description"), BuyerContact: in.text("contact"), InGameName: in.text("ign"),
		LevelRequirement: in.level("level"),
		Category:         core.Category(in.text("category")), Importance: core.Importance(in.text("importance")),
		SignedInOnly: in.yes("signed-in-only"),
	}
	if d.BuyerContact == "" {
		d.BuyerContact = in.Actor.Username
	}
	return d, priceErr
}

// orderEdit reads an edit. An empty level or in-game name, and 0 or "-" as people write it, takes it away.
func orderEdit(in Input, version int, changes map[string]string) (core.OrderEdit, error) {
	in = in.with(changes)
	edit := core.OrderEdit{Version: version}
	word := func(name string) *string {
		if !in.has(name) {
			return nil
		}
		text := in.text(name)
		if text == "-" {
			text = ""
		}
		return &text
	}
	edit.ItemName, edit.Description, edit.InGameName = word("item"), word("description"), word("ign")
	if edit.BuyerContact = word("contact"); edit.BuyerContact != nil && *edit.BuyerContact == "" {
		edit.BuyerContact = &in.Actor.Username
	}
	if in.has("quantity") {
		n := in.quantity()
		edit.Quantity = &n
	}
	if in.has("category") {
		c := core.Category(in.text("category"))
		edit.Category = &c
	}
	if in.has("importance") {
		i := core.Importance(in.text("importance"))
		edit.Importance = &i
	}
	if in.has("level") {
		if text := in.text("level"); text == "" || text == "0" || text == "-" {
			edit.AnyLevel = true
		} else {
			edit.LevelRequirement = in.level("level")
		}
	}
	if in.has("signed-in-only") {
		only := in.yes("signed-in-only")
		edit.SignedInOnly = &only
	}
	if in.has("price") {
		price, err := in.tr.game.ParseCopper("maxPricePerUnit", in.text("price"))
		if err != nil {
			return edit, err
		}
		edit.MaxPrice = &price
	}
	return edit, nil
}
