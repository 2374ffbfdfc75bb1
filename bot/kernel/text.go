package kernel

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tradepost/bot/discord"
	"tradepost/core"
)

// CannotPostHere lists the permissions that the bot needs in a channel.
var CannotPostHere = core.NewText("board_cannot_post")

// MentionChannel returns a link to a channel.
func MentionChannel(id string) discord.Markdown { return discord.Markdown("<#" + id + ">") }

// Username shows a Discord username. It is a name to copy and no mention.
func Username(name string) discord.Markdown {
	return "@" + discord.Escape(strings.TrimPrefix(name, "@"))
}

// Moment shows a time of day and its date in the reader's own time zone and language.
func Moment(at time.Time) discord.Markdown {
	return discord.Markdown("<t:" + strconv.FormatInt(at.Unix(), 10) + ":f>")
}

// MaxButtonLabel is Discord's limit, in characters.
const MaxButtonLabel = 80

// Cut shortens a text to a number of characters.
func Cut(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most-1]) + "…"
}

// ContainsWords reports whether a label contains every typed word.
func ContainsWords(label, text string) bool {
	label = strings.ToLower(label)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(label, word) {
			return false
		}
	}
	return true
}

// Joined puts one text under another.
func Joined(a, b discord.Markdown) discord.Markdown {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// OrElse returns the text, or the usual one when it is blank.
func OrElse(text, usual string) string {
	if strings.TrimSpace(text) == "" {
		return usual
	}
	return text
}

// JoinedWith joins texts.
func JoinedWith(parts []discord.Markdown, between discord.Markdown) (all discord.Markdown) {
	for i, part := range parts {
		if i > 0 {
			all += between
		}
		all += part
	}
	return all
}

// IDText writes an ID as a number.
func IDText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }

// Timestamp shows a moment in the user's own time zone and language, such as "in 3 days".
func Timestamp(at time.Time) discord.Markdown {
	return discord.Markdown(fmt.Sprintf("<t:%d:R>", at.Unix()))
}

// TimeOfDay shows the time of day of a moment in the user's own time zone and language.
func TimeOfDay(at time.Time) discord.Markdown {
	return discord.Markdown(fmt.Sprintf("<t:%d:t>", at.Unix()))
}

// Day shows the day of a moment in the user's own time zone and language.
func Day(at time.Time) discord.Markdown {
	return discord.Markdown(fmt.Sprintf("<t:%d:D>", at.Unix()))
}
