package kernel

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// CategoryOptions returns the professions of the game as options of a select.
func (t Translator) CategoryOptions(chosen string) []discordgo.SelectMenuOption {
	return selectOf(t.Game.Categories(), t.Category, chosen)
}

// ImportanceOptions returns how soon a request can be needed, as options of a select.
func (t Translator) ImportanceOptions(chosen string) []discordgo.SelectMenuOption {
	return selectOf(game.Importances, func(i game.Importance) string { return t.Choice(string(i)) }, chosen)
}

func selectOf[T ~string](values []T, name func(T) string, chosen string) []discordgo.SelectMenuOption {
	options := make([]discordgo.SelectMenuOption, len(values))
	for i, value := range values {
		options[i] = discordgo.SelectMenuOption{Label: name(value), Value: string(value),
			Default: string(value) == chosen}
	}
	return options
}

// Translator writes the bot's messages in a user's language.
type Translator struct {
	msg.Printer
	Game   game.Game
	emojis map[string]string // the ids of the application's emojis by name; nil where there are none

	commands discord.CommandIDs // nil where they are not known
}

// TranslatorFor returns the translator for any language that has a file, without emojis and links to
// commands.
func TranslatorFor(locale string, game game.Game) Translator {
	return Translator{Printer: msg.For(locale), Game: game}
}

// Text returns a message as markdown: of pairs, names and values, string values are escaped, Markdown values
// are not.
func (t Translator) Text(key msg.Key, pairs ...any) discord.Markdown {
	escaped := slices.Clone(pairs)
	for i := 1; i < len(pairs); i += 2 {
		switch v := pairs[i].(type) {
		case string:
			escaped[i] = discord.Escape(v)
		case core.Copper:
			escaped[i] = t.amount(v)
		}
	}
	return discord.Markdown(t.mentioned(t.Sprint(key, escaped...)))
}

// amount writes money as the language does: "1.240p 500g" in German.
func (t Translator) amount(c core.Copper) string { return t.Game.Print(c, t.Count) }

// Plain returns a message for places without markdown: labels, titles of forms, completions.
func (t Translator) Plain(key msg.Key, pairs ...any) string {
	shown := slices.Clone(pairs)
	for i := 1; i < len(pairs); i += 2 {
		if amount, ok := pairs[i].(core.Copper); ok {
			shown[i] = t.amount(amount)
		}
	}
	return t.Sprint(key, shown...)
}

// Core returns a message of the core in this language.
func (t Translator) Core(text core.Text) string { return text.In(t.Printer) }

// Stored translates a known message that was stored in English.
func (t Translator) Stored(english string, known ...core.Text) string {
	for _, text := range known {
		if text.String() == english {
			return t.Core(text)
		}
	}
	return english
}

// Category returns the name of a category in this language, or the game's own name.
func (t Translator) Category(c game.Category) string {
	return t.Printer.Category(string(c))
}

// Choice is the name of an importance or another fixed value.
func (t Translator) Choice(value string) string { return cmp.Or(t.Choices[value], value) }

// ErrorReply explains an error to the user, with a hint about the next step.
func (t Translator) ErrorReply(err error) Reply {
	var failed *core.Error
	if !errors.As(err, &failed) {
		return Private(t.Text(msg.InternalError))
	}
	sentence := func(field string, text core.Text, message string) string {
		if text.Code == "" {
			text = core.Text{Plain: message}
		}
		said := string(discord.Escape(t.Core(text)))
		if len(text.Args) == 0 {
			said = t.inError(said)
		}
		if label := fieldLabels[field]; label != "" && suspicious[text.Code] {
			said = "**" + string(t.Text(label)) + ":** " + said
		}
		return said
	}
	var lines []string
	if len(failed.Fields) > 1 {
		for _, f := range failed.Fields {
			lines = append(lines, "- "+sentence(f.Field, f.Text, f.Message))
		}
	} else {
		field := ""
		if len(failed.Fields) == 1 {
			field = failed.Fields[0].Field
		}
		lines = append(lines, sentence(field, failed.Text, failed.Message))
	}
	if hint := hintAfter(t, failed); hint != "" {
		lines = append(lines, string(hint))
	}
	return Private(discord.Markdown(strings.Join(lines, "\n")))
}

// suspicious lists the errors with a sentence that does not name the field.
var suspicious = map[string]bool{"suspicious_post": true, "suspicious_message": true}

// fieldLabels name the fields that may have suspicious content.
var fieldLabels = map[string]msg.Key{
	"itemName": msg.FieldItem, "description": msg.FieldDescription, "name": msg.ListName,
	"note": msg.FieldNote, "notes": msg.FieldNotes,
	"message": msg.FieldMessage, "place": msg.SlipPlace, "inGameName": msg.FieldIgn,
}

// hintAfter returns the hint for an error. A message that ends in a full stop already contains a hint.
func hintAfter(t Translator, failed *core.Error) discord.Markdown {
	if strings.HasSuffix(failed.Message, ".") {
		return ""
	}
	if key := hints[failed.Text.Code]; key != "" {
		return t.Text(key)
	}
	switch failed.Kind {
	case core.Invalid:
		return t.Text(msg.HintInvalid)
	case core.TooMany, core.Unavailable:
		if failed.RetryAfter > 0 {
			wait := core.RoundUp(failed.RetryAfter)
			return t.Text(msg.HintLaterAt, "wait", wait.In(t.Printer))
		}
		return t.Text(msg.HintLater)
	case core.NotFound, core.Conflict, core.Forbidden,
		core.Unauthenticated: // only what fits the error itself
	}
	return ""
}

// hints maps error codes to the next step: the place that shows the subject of the error, to users who may
// see it.
var hints = map[string]msg.Key{
	"request_not_found": msg.HintGone, "offer_gone": msg.HintGone, "list_not_found": msg.HintGone,

	"request_closed": msg.HintConflict, "request_expired": msg.HintConflict,
	"request_overdrawn": msg.HintConflict, "offer_taken": msg.HintConflict,
	"undo_request_not_open": msg.HintConflict,

	"buyer_only": msg.HintForbidden, "own_request": msg.SeeOthers, "offer_exists": msg.HintOwnOffers,
	"not_accepted_from_you": msg.SeeOthers,

	"watch_gone": msg.HintWatches, "stock_gone": msg.HintStockList,

	"report_settled": msg.HintReports, "dispute_settled": msg.HintDisputes, "dispute_gone": msg.HintDisputes,
	"item_decided":         msg.HintNames,
	"user_already_blocked": msg.HintBlocked, "user_not_blocked": msg.HintBlocked,
	"ring_not_found": msg.HintRings, "ring_already": msg.HintRings, "ring_not_proposed": msg.HintRings,
}
