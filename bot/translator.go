package bot

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// translator writes the bot's messages in a user's language.
type translator struct {
	msg.Printer
	game   core.Game
	emojis map[string]string // the ids of the application's emojis by name; nil where there are none

	commands discord.CommandIDs // nil where they are not known
}

func translatorFor(locale string, game core.Game) translator {
	return translator{Printer: msg.For(locale), game: game}
}

// text returns a message as markdown: string arguments are escaped, Markdown arguments are not.
func (t translator) text(key msg.Key, args ...any) discord.Markdown {
	escaped := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case string:
			a = discord.Escape(v)
		case core.Copper:
			a = t.amount(v)
		}
		escaped[i] = a
	}
	return discord.Markdown(t.mentioned(t.Sprint(key, escaped...)))
}

// amount writes money as the language does: "1.240p 500g" in German.
func (t translator) amount(c core.Copper) string { return t.game.Print(c, t.Count) }

// plain returns a message for places without markdown: labels, titles of forms, completions.
func (t translator) plain(key msg.Key, args ...any) string {
	shown := make([]any, len(args))
	for i, a := range args {
		if amount, ok := a.(core.Copper); ok {
			a = t.amount(amount)
		}
		shown[i] = a
	}
	return t.Sprint(key, shown...)
}

// core returns a message of the core in this language, or in English when there is no translation.
func (t translator) core(text core.Text) string {
	args := make([]any, len(text.Args))
	for i, a := range text.Args {
		if wait, ok := a.(core.WaitTime); ok {
			a = t.plain(msg.Key("wait_"+wait.Unit), wait.Count)
		}
		args[i] = a
	}
	if own, ok := t.Error(text.Code, args...); ok {
		return own
	}
	return text.String()
}

// stored translates a known message that was stored in English.
func (t translator) stored(english string, known ...core.Text) string {
	for _, text := range known {
		if text.English == english {
			return t.core(text)
		}
	}
	return english
}

// category is the name of a category: the game's own, or that of this language.
func (t translator) category(c core.Category) string {
	return cmp.Or(t.Categories[string(c)], string(c))
}

// choice is the name of an importance or another fixed value.
func (t translator) choice(value string) string { return cmp.Or(t.Choices[value], value) }

// timestamp shows a moment in the user's own time zone and language, such as "in 3 days".
func timestamp(at time.Time) discord.Markdown {
	return discord.Markdown(fmt.Sprintf("<t:%d:R>", at.Unix()))
}

// day shows the day of a moment in the user's own time zone and language.
func day(at time.Time) discord.Markdown {
	return discord.Markdown(fmt.Sprintf("<t:%d:D>", at.Unix()))
}

// errorReply says why something was not done, and what to do next.
func (t translator) errorReply(err error) Reply {
	var failed *core.Error
	if !errors.As(err, &failed) {
		return private(t.text(msg.InternalError))
	}
	sentence := func(field string, text core.Text, message string) string {
		if text.Code == "" {
			text = core.Text{English: message}
		}
		said := string(discord.Escape(t.core(text)))
		if len(text.Args) == 0 {
			said = t.inError(said)
		}
		if label := fieldLabels[field]; label != "" && suspicious[text.Code] {
			said = "**" + string(t.text(label)) + ":** " + said
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
	if hint := t.hint(failed); hint != "" {
		lines = append(lines, string(hint))
	}
	return private(discord.Markdown(strings.Join(lines, "\n")))
}

// suspicious are the errors whose sentence does not say which field it is about.
var suspicious = map[string]bool{"suspicious_post": true, "suspicious_message": true}

// fieldLabels name the fields that may have suspicious content.
var fieldLabels = map[string]msg.Key{
	"itemName": msg.FieldItem, "description": msg.FieldDescription, "name": msg.ListName, "note": msg.FieldNote, "notes": msg.FieldNotes,
	"message": msg.FieldMessage, "place": msg.SlipPlace, "inGameName": msg.FieldInGame,
}

// hint is what to do after an error. A message that ends in a full stop already contains a hint.
func (t translator) hint(failed *core.Error) discord.Markdown {
	if strings.HasSuffix(failed.Message, ".") {
		return ""
	}
	if key := hints[failed.Text.Code]; key != "" {
		return t.text(key)
	}
	switch failed.Kind {
	case core.Invalid:
		return t.text(msg.HintInvalid)
	case core.TooMany, core.Unavailable:
		if failed.RetryAfter > 0 {
			wait := core.RoundUp(failed.RetryAfter)
			return t.text(msg.HintLaterAt, t.plain(msg.Key("wait_"+wait.Unit), wait.Count))
		}
		return t.text(msg.HintLater)
	case core.NotFound, core.Conflict, core.Forbidden, core.Unauthenticated: // only what fits the error itself
	}
	return ""
}

// hints are what to do after errors, by their codes: where to see what the error is about, for those who may see it.
var hints = map[string]msg.Key{
	"request_not_found": msg.HintGone, "offer_gone": msg.HintGone, "list_not_found": msg.HintGone,

	"request_closed": msg.HintConflict, "request_expired": msg.HintConflict, "request_overdrawn": msg.HintConflict, "offer_taken": msg.HintConflict,
	"undo_request_not_open": msg.HintConflict,

	"buyer_only": msg.HintForbidden, "own_request": msg.SeeOthers, "offer_exists": msg.HintOwnOffers,
	"not_accepted_from_you": msg.SeeOthers,

	"watch_gone": msg.HintWatches, "stock_gone": msg.HintStockList,

	"report_settled": msg.HintReports, "dispute_settled": msg.HintDisputes, "dispute_gone": msg.HintDisputes, "item_decided": msg.HintNames,
	"user_already_blocked": msg.HintBlocked, "user_not_blocked": msg.HintBlocked, "ring_not_found": msg.HintRings, "ring_already": msg.HintRings,
}
