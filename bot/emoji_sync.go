package bot

import (
	"context"
	"maps"
	"slices"
	"time"

	"tradepost/bot/discord"
)

const (
	emojisEvery = 5 * time.Minute  // how often a bot that waits for the gateway asks whether all are there
	emojiTime   = 10 * time.Minute // for one attempt to upload what is missing
)

// learnEmojis reads which emojis the application has, until all are there: what uploads them is the program
// with the gateway.
func (b *Bot) learnEmojis(ctx context.Context, appID string) {
	for len(b.pictures) > 0 && ctx.Err() == nil {
		known, err := b.readEmojis(ctx, appID)
		if err == nil && len(known) == len(b.pictures) {
			return
		}
		pause(ctx, emojisEvery)
	}
}

// readEmojis fetches the emojis of the application and shows the market's own from now on.
func (b *Bot) readEmojis(ctx context.Context, appID string) (known map[string]string, err error) {
	all, err := b.kernel.Discord.Emojis(ctx, appID)
	if err != nil {
		return nil, err
	}
	known = map[string]string{}
	for name := range b.pictures {
		if id := all[name]; id != "" {
			known[name] = id
		}
	}
	b.kernel.Emojis.Store(&known)
	return known, nil
}

// syncEmojis uploads the emojis that are missing. Messages have signs of Unicode in their place meanwhile,
// and where Discord takes none.
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
				id, err := b.kernel.Discord.CreateEmoji(ctx, appID, name, b.pictures[name])
				if err != nil {
					return err
				}
				uploaded++
				known = maps.Clone(known)
				known[name] = id
				b.kernel.Emojis.Store(&known)
			}
			return nil
		})
		cancel()
		if uploaded > 0 {
			b.kernel.Log.Info("emojis uploaded", "count", uploaded)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		b.kernel.Log.Warn("emojis not uploaded, messages do without", "error", err)
		if !discord.IsTemporary(err) {
			return
		}
	}
}
