package match

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/commands"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/market"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Whatever trade.Fields declares as a filter of the board is an option of a watch: here the description.
func TestAWatchTakesEveryTextOfTheBoardsFilter(t *testing.T) {
	description := &trade.Fields[1]
	before := *description
	t.Cleanup(func() { *description = before })
	description.OnBoard, description.Filter = true, func(f *trade.TextFilter) *string { return &f.Item }

	g := game.Standard()
	b := Match{Kernel: &kernel.Kernel{Drawer: kernel.Drawer{Market: market.New(nil, market.Options{Game: g}), Game: g}}}
	tr := kernel.Translator{Printer: msg.For("en-US"), Game: g}
	draft, err := b.watchDraft(t.Context(), kernel.Input{Tr: tr, Options: map[string]string{"description": "Any grade"}})
	if err != nil || draft.Texts.Item != "Any grade" {
		t.Errorf("the draft is %+v, %v", draft, err)
	}
	noOptions := func(game.Game, bool) []*discordgo.ApplicationCommandOption { return nil }
	found := false
	for _, c := range commands.Tree(g, core.AllFeatures(), msg.NewOffered(nil), noOptions) {
		for _, s := range c.Options {
			for _, o := range s.Options {
				found = found || c.Name == "watch" && s.Name == "add" && o.Name == "description"
			}
		}
	}
	if !found {
		t.Error("/watch add has no option for it")
	}
}
