package kernel

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/items"
	msg "tradepost/core/text"
)

// Lines of a list or of stock that a press puts right: their item is called nearly as typed, or they say no
// price.

// LineFixesShown limits the fixes with a button in a preview.
const LineFixesShown = 5

// FixButton puts one line of a draft right.
func (t Translator) FixButton(
	action string, draft int64, number int, fix items.LineFix,
) discordgo.MessageComponent {
	key := msg.FixLine
	if fix.Usual {
		key = msg.FixLineUsual
	}
	label := Cut(t.Plain(key, "number", number, "line", fix.Line(t.Game)), MaxButtonLabel)
	return Button(discord.NewCustomID(action, draft, int64(number)), discordgo.PrimaryButton, label)
}

// ListLinesShown limits the lines of a list in a message. With the longest names they fit into an embed.
const ListLinesShown = 25

var lineOfField = regexp.MustCompile(`^lines\[(\d+)\]$`)

// listErrorsShown limits the lines with errors that a message names.
const listErrorsShown = 12

// ListErrors lists the errors by line, and names the item of each unusual price.
func (t Translator) ListErrors(title msg.Key, err error) Reply {
	var failed *core.Error
	if !errors.As(err, &failed) {
		return t.ErrorReply(err)
	}
	text, prices := t.Text(title, "count", len(failed.Fields)), items.UnusualPricesOf(err)
	for i, field := range failed.Fields {
		if i == listErrorsShown {
			text += "\n" + t.Text(msg.AndMore, "count", len(failed.Fields)-i)
			break
		}
		what := discord.ClipMarkdown(discord.Escape(t.Core(field.Text)), 120)
		if i < len(prices) {
			what = "**" + discord.Escape(discord.Clip(prices[i].ItemName, StockNameShown)) + "** · " + what
		}
		if m := lineOfField.FindStringSubmatch(field.Field); m != nil {
			number, _ := strconv.Atoi(m[1])
			text += "\n- " + t.Text(msg.ListLineWrong, "number", number, "problem", what)
		} else {
			text += "\n- " + what
		}
	}
	return Private(text)
}

// Confirmed is the argument of a button that keeps a price which was asked about.
const Confirmed = 1

// AsksAboutPrice reports whether an error asks about a price that is far from what is known.
func AsksAboutPrice(err error) bool {
	var failed *core.Error
	return errors.As(err, &failed) && failed.Code == items.CodePriceUnusual &&
		len(items.UnusualPricesOf(err)) > 0
}

// PriceChoices are a button for the price that was probably meant and one for the price as it was typed.
// Each adds it to the custom ID.
func (t Translator) PriceChoices(
	asked items.UnusualPrice, action string, args ...any,
) discordgo.MessageComponent {
	at := func(price core.Copper) discord.CustomID {
		return discord.NewCustomID(action, append(slices.Clone(args), int64(price))...)
	}
	return Row(
		Button(at(asked.Meant), discordgo.PrimaryButton, t.Plain(msg.UseItem, "value", asked.Meant)),
		Button(at(asked.Typed), discordgo.DangerButton, t.Plain(msg.KeepPrice, "price", asked.Typed)),
	)
}

// Sum is money of any amount.
func (t Translator) Sum(amount *big.Int) discord.Markdown {
	if amount.IsInt64() {
		return t.Coins(core.Copper(amount.Int64()))
	}
	return "**" + discord.Escape(t.Game.PrintSum(amount, t.Count)) + "**"
}
