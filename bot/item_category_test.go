package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
)

func TestAnUntouchedCategoryFollowsTheItem(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nGoethite Iron Ore,Miner,85\nPlain Bread,Chef,3\n")
	w.bot = w.start()
	w.WaitForBot(t)
	maple := w.Player(t, "maple")
	preview := maple.Slash("request post", discordtest.Str("item", "Goethite Iron Ore"), discordtest.Int("quantity", 5), discordtest.Str("price", "4s"))
	wants(t, "the preview", preview.View, "Miner")
	form := preview.Button("Edit").Press().Modal
	again := form.Submit(map[string]string{"Item": "Plain Bread"})
	wants(t, "another item with an untouched category", again.View, "Chef")
	if strings.Contains(again.Text(), "Miner") { // it would say that a chef makes it, too
		t.Errorf("the category stays that of the first item: %s", again.Text())
	}
	chosen := again.Button("Edit").Press().Modal.Submit(map[string]string{"Category": "Merchant"})
	wants(t, "a category that was chosen", chosen.View, "Merchant")
}

func TestAKindSuggestsItsItemsAndAnUnknownNameSimilarOnes(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by,made_at_level\nGoethite Lump,Iron Ore,Miner,85\nMagnetite Iron Ore,Iron Ore,Miner,20\nPlain Bread,,Chef,3\nRustic Bread,,Chef,9\n")
	w.bot = w.start()
	w.WaitForBot(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown").SetLocale("de")
	post := func(p *discordtest.Player, name string) *discordtest.Reply {
		return p.Slash("request post", discordtest.Str("item", name), discordtest.Int("quantity", 5), discordtest.Str("price", "4s"))
	}
	kind := post(maple, "iron ore")
	wants(t, "a kind", kind.View, "**iron ore** can be several items. Pick one, or post it as typed.", "Merchant")
	list := kind.List("Which item?")
	if got := list.Labels(); !slices.Equal(slices.Sorted(slices.Values(got)), []string{"Goethite Lump · Miner 85", "Magnetite Iron Ore · Miner 20"}) {
		t.Errorf("the kind offers %q", got)
	}
	picked := list.Choose("Goethite Lump · Miner 85")
	wants(t, "what was picked", picked.View, "Goethite Lump", "Miner")
	if len(picked.Lists()) != 0 {
		t.Errorf("it still has the lists %q", picked.Lists())
	}
	wants(t, "the post", picked.Button("Post").Press().View, "Goethite Lump")
	wants(t, "a kind that is posted as typed", post(maple, "iron ore").Button("Post").Press().View, "iron ore")
	unknown := post(maple, "Moon Dust")
	wants(t, "what nothing is near", unknown.View, "The market doesn't know **Moon Dust**. You can post it as typed.")
	if len(unknown.Lists()) != 0 {
		t.Errorf("what nothing is near has %q", unknown.Lists())
	}
	near := post(rowan, "bread")
	wants(t, "an unknown name in German", near.View, "Der Markt kennt **bread** nicht.")
	if got := near.List("Welcher Gegenstand?").Labels(); len(got) != 2 {
		t.Errorf("near it are %q", got)
	}
	wants(t, "a kind in German", post(rowan, "Iron Ore").View, "**Iron Ore** kann mehrere Gegenstände meinen.")
}
