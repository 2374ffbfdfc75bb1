package kernel

import (
	"slices"

	"tradepost/bot/discord"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// The texts of a request as trade.Fields declares them. Each has its label and its hint in the texts of the
// bot: field_ign, hint_ign.

// ContactOption is the option of the buyer's contact. Left out, it is the user's own name.
const ContactOption = "contact"

// TextField returns the field of a form for a text of a request.
func (t Translator) TextField(f trade.Field, value string) discord.Field {
	return discord.Field{
		Name: f.Option, Label: t.Plain(fieldLabel(f)), Hint: t.Plain(msg.Key("hint_" + f.Option)),
		Value: value,
		Long:  f.Kind == trade.ProseText, Optional: !f.Required || f.Option == ContactOption,
		MaxLength: f.Limit,
	}
}

func fieldLabel(f trade.Field) msg.Key { return msg.Key("field_" + f.Option) }

// detail is a text that a card shows with its label.
type detail struct {
	label msg.Key
	text  discord.Markdown
}

// detailsOf returns the details of an order, without those that contactOf shows.
func detailsOf(o trade.Order) []detail {
	var details []detail
	for _, f := range trade.Fields {
		text, inContact := f.Of(o), slices.Contains([]string{ContactOption, "ign"}, f.Option)
		if f.OnCard && text != "" && !inContact {
			details = append(details, detail{fieldLabel(f), discord.Escape(text)})
		}
	}
	return details
}

// inRow returns the texts of an order that a line of a list shows.
func inRow(o trade.Order) discord.Markdown {
	var line discord.Markdown
	for _, f := range trade.Fields {
		if text := f.Of(o); f.InRow && text != "" {
			line += " · " + discord.Escape(text)
		}
	}
	return line
}
