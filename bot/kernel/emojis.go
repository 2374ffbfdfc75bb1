package kernel

import (
	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/emojis"
	"tradepost/core/game"
)

// emoji is an emoji in a text, or what stands for it where there is none.
func (t Translator) emoji(name string, otherwise discord.Markdown) discord.Markdown {
	if id := t.emojis[name]; id != "" {
		return discord.Markdown("<:" + name + ":" + id + ">")
	}
	return otherwise
}

// professionEmoji returns the name of a profession's emoji; it is empty if the game does not have the
// profession.
func (t Translator) professionEmoji(c game.Category) string {
	for _, p := range t.Game.Professions {
		if p.Name == c {
			return emojis.Profession(p.Icon)
		}
	}
	return ""
}

// CategoryMarked is the name of a profession behind its emoji.
func (t Translator) CategoryMarked(c game.Category) discord.Markdown {
	name := discord.Escape(t.Category(c))
	if mark := t.emoji(t.professionEmoji(c), ""); mark != "" {
		return mark + " " + name
	}
	return name
}

// CategoryEmoji is the emoji of a profession beside an entry of a list; nil for none.
func (t Translator) CategoryEmoji(c game.Category) *discordgo.ComponentEmoji {
	name := t.professionEmoji(c)
	if id := t.emojis[name]; id != "" {
		return &discordgo.ComponentEmoji{Name: name, ID: id}
	}
	return nil
}

// professionPicture is the address of the picture of a profession; empty where there is none.
func (t Translator) professionPicture(c game.Category) string {
	if id := t.emojis[t.professionEmoji(c)]; id != "" {
		return discord.EmojiURL(id)
	}
	return ""
}
