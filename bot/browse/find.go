package browse

import (
	"context"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// findForm asks what to narrow a list by, with its present filters.
func (b Browse) findForm(_ context.Context, in kernel.Input) (kernel.Reply, error) {
	s, t := browsingOf(in.ID, b.Game), in.Tr
	price := func(c core.Copper) string {
		if c == 0 {
			return ""
		}
		return b.Game.Format(c)
	}
	level := ""
	if s.level > 0 {
		level = fmt.Sprint(s.level)
	}
	anything := discordgo.SelectMenuOption{Label: t.Plain(msg.AnyImportance), Value: anyImportance,
		Default: s.importance == ""}
	importance := append([]discordgo.SelectMenuOption{anything}, t.ImportanceOptions(string(s.importance))...)
	return kernel.Reply{Form: &discord.Modal{ID: s.press("found", b.Game), Title: t.Plain(msg.FindTitle),
		Fields: []discord.Field{
			{Name: "search", Label: t.Plain(msg.FieldSearch), Hint: t.Plain(msg.HintSearch), Value: s.text,
				Optional: true, MaxLength: commands.MaxSearchText},
			{Name: "importance", Label: t.Plain(msg.FieldImportance), Options: importance},
			{Name: "level", Label: t.Plain(msg.FieldOwnLevel), Value: level, Optional: true, MaxLength: 5},
			{Name: "min-price", Label: t.Plain(msg.FieldMinPrice), Value: price(s.minPrice), Optional: true,
				MaxLength: commands.MaxPriceText},
			{Name: "max-price", Label: t.Plain(msg.FieldPrice), Value: price(s.maxPrice), Optional: true,
				MaxLength: commands.MaxPriceText},
		}}}, nil
}

// anyImportance is the choice of the form that leaves the importance open.
const anyImportance = "any"

// found shows the list as the form narrows it. A level takes the place of the reader's own skills.
func (b Browse) found(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	s := browsingOf(in.ID, b.Game)
	s.page, s.importance = 0, game.Importance(in.Text("importance"))
	if s.importance == anyImportance {
		s.importance = ""
	}
	s.text = discord.Clip(discord.Visible(in.Text("search")), commands.MaxSearchText)
	s.level = 0
	if level := in.Level("level"); level != nil {
		s.level = max(*level, 0)
		if s.level > 0 {
			s = s.forEverybody()
		}
	}
	if err := b.readPrices(in, &s); err != nil {
		return kernel.Reply{}, err
	}
	return b.browseAgain(ctx, in, s)
}
