package bot

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/emojis"
	"tradepost/core"
)

const (
	emojisEvery = 5 * time.Minute  // how often a bot that waits for the gateway asks whether all are there
	emojiTime   = 10 * time.Minute // for one attempt to upload what is missing
)

// learnEmojis reads which emojis the application has, until all are there: what uploads them is the program with the gateway.
func (b *Bot) learnEmojis(ctx context.Context, appID string) {
	for len(b.pictures) > 0 && ctx.Err() == nil {
		known, err := b.readEmojis(ctx, appID)
		if err == nil && len(known) == len(b.pictures) {
			return
		}
		pause(ctx, emojisEvery)
	}
}

// readEmojis asks for the emojis of the application and shows those of ours from now on.
func (b *Bot) readEmojis(ctx context.Context, appID string) (known map[string]string, err error) {
	all, err := b.kernel.discord.Emojis(ctx, appID)
	if err != nil {
		return nil, err
	}
	known = map[string]string{}
	for name := range b.pictures {
		if id := all[name]; id != "" {
			known[name] = id
		}
	}
	b.kernel.emojis.Store(&known)
	return known, nil
}

// syncEmojis uploads the emojis that are missing. Messages have signs of Unicode in their place meanwhile, and where Discord takes
// none.
func (b *Bot) syncEmojis(ctx context.Context, appID string) {
	if len(b.pictures) == 0 {
		return
	}
	for ctx.Err() == nil {
		attempt, cancel := context.WithTimeout(ctx, emojiTime)
		uploaded := 0
		err := discord.Retry(attempt, func(ctx context.Context) error {
			known, err := b.readEmojis(ctx, appID)
			if err != nil {
				return err
			}
			for _, name := range slices.Sorted(maps.Keys(b.pictures)) {
				if known[name] != "" {
					continue
				}
				id, err := b.kernel.discord.CreateEmoji(ctx, appID, name, b.pictures[name])
				if err != nil {
					return err
				}
				uploaded++
				known = maps.Clone(known)
				known[name] = id
				b.kernel.emojis.Store(&known)
			}
			return nil
		})
		cancel()
		if uploaded > 0 {
			b.kernel.log.Info("emojis uploaded", "count", uploaded)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		b.kernel.log.Warn("emojis not uploaded, messages do without", "error", err)
		if !discord.IsTemporary(err) {
			return
		}
	}
}

// translator returns the translator for a language, with the emojis that there are, and commands that can be pressed.
func (d *Drawer) translator(locale string) translator {
	t := translatorFor(locale, d.game)
	if known := d.emojis.Load(); known != nil {
		t.emojis = *known
	}
	if ids := d.commandIDs.Load(); ids != nil {
		t.commands = *ids
	}
	return t
}

// emoji is an emoji in a text, or what stands for it where there is none.
func (t translator) emoji(name string, otherwise discord.Markdown) discord.Markdown {
	if id := t.emojis[name]; id != "" {
		return discord.Markdown("<:" + name + ":" + id + ">")
	}
	return otherwise
}

// professionEmoji is the name of the emoji of a profession; empty for one that the game does not have.
func (t translator) professionEmoji(c core.Category) string {
	for _, p := range t.game.Professions {
		if p.Name == c {
			return emojis.Profession(p.Icon)
		}
	}
	return ""
}

// categoryMarked is the name of a profession behind its emoji.
func (t translator) categoryMarked(c core.Category) discord.Markdown {
	name := discord.Escape(t.category(c))
	if mark := t.emoji(t.professionEmoji(c), ""); mark != "" {
		return mark + " " + name
	}
	return name
}

// categoryEmoji is the emoji of a profession beside an entry of a list; nil for none.
func (t translator) categoryEmoji(c core.Category) *discordgo.ComponentEmoji {
	name := t.professionEmoji(c)
	if id := t.emojis[name]; id != "" {
		return &discordgo.ComponentEmoji{Name: name, ID: id}
	}
	return nil
}

// professionPicture is the address of the picture of a profession; empty where there is none.
func (t translator) professionPicture(c core.Category) string {
	if id := t.emojis[t.professionEmoji(c)]; id != "" {
		return discord.EmojiURL(id)
	}
	return ""
}
