package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
)

// withItems gives the market a catalogue.
func (w *world) withItems(file string) {
	w.t.Helper()
	w.market = market.New(w.store, market.Options{
		Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures(),
		Moderators: people.Moderators{Accounts: []string{w.Player(w.t, moderator).ID()}, Roles: []string{moderatorRole}},
	})
	rows, err := items.ReadRows([]byte(file), coretest.Forms)
	if err == nil {
		_, err = w.market.Items.Import(w.t.Context(), rows, false)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestAnItemIsCompletedOfferedAndProposedInDiscord(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nCaric Adathril Ore,Miner,180\nMasic Adathril Ore,Miner,294\n")
	w.bot = w.start()
	w.WaitForBot(t)
	maple := w.Player(t, "maple")
	choices := maple.Complete("request post", "item", "adath")
	if len(choices) != 2 || choices[0].Name != "Caric Adathril Ore · Miner 180" || choices[0].Value != "Caric Adathril Ore" {
		t.Errorf("completed are %+v", choices)
	}
	post := func(item string) *discordtest.Reply {
		return maple.Slash("request post", discordtest.Str("item", item), discordtest.Int("quantity", 5), discordtest.Str("price", "250c"))
	}
	near := post("Caric Adathril Oer")
	wants(t, "a near miss", near.View, "Caric Adathril Oer", "Did you mean **Caric Adathril Ore**?")
	meant := near.Button("Use Caric Adathril Ore").Press()
	wants(t, "what was meant", meant.View, "Caric Adathril Ore", "is made by Miner 180+", "Any level")
	filled := meant.Button("Use Miner 180+").Press()
	wants(t, "the proposal, once it is taken", filled.View, "Miner", "level 180+")
	filled.Button("Post").Press()
	label := post("Masic Adathril Ore · Miner 294")
	wants(t, "a label", label.View, "Masic Adathril Ore", "is made by Miner 294+")
	page, err := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	if err != nil || page.Total != 1 || page.Orders[0].Item != 1 || *page.Orders[0].LevelRequirement != 180 {
		t.Errorf("posted is %+v, %v", page.Orders, err)
	}
}

func TestAnItemIsLookedAtAndRequestedInDiscord(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,kind,made_by,made_at_level,used_by,region\nCaric Adathril Ore,Adathril Ore,Miner,180,Blacksmith,Mine of Mantuban\n")
	order := w.post("rowan.ashdown", item("caric adathril ORE"))
	w.bot = w.start()
	w.WaitForBot(t)
	maple := w.Player(t, "maple")
	look := maple.Slash("item look", maple.Pick("item look", "item", "Caric"))
	wants(t, "the item", look.View, "Caric Adathril Ore", "Adathril Ore · Mine of Mantuban", "Made by Miner · level 180+", "Used by Blacksmith",
		"1 open request", "[**caric adathril ORE**](https://market.example/items/1)")
	wants(t, "the title", look.View, "### [Caric Adathril Ore](https://market.example/items/1)")
	if pictures := look.Pictures(); len(pictures) != 1 || !strings.HasPrefix(pictures[0], "https://market.example/items/1/card.png?v=") {
		t.Errorf("the item shows %q", pictures)
	}
	form := look.Button("Post a request").Press().Modal
	if got := form.Field("Item").Value; got != "Caric Adathril Ore" {
		t.Errorf("the form begins with %q", got)
	}
	card := maple.Slash("request show", discordtest.Str("request", fmt.Sprint(order.ID)))
	wants(t, "the card", card.View, "](https://market.example/items/1)")
	wants(t, "an item that there is not", maple.Slash("item look", discordtest.Str("item", "Caric Adathril Oer")).View,
		"no item called “Caric Adathril Oer”", "Did you mean **Caric Adathril Ore**?")
	edited := w.Player(t, "rowan.ashdown").Slash("request edit", discordtest.Str("request", fmt.Sprint(order.ID)), discordtest.Str("item", "Caric Adathril Ore · Miner 180"))
	wants(t, "an edit by a label", edited.View, "Caric Adathril Ore")
	if got := w.order("rowan.ashdown", order.ID).ItemName; got != "Caric Adathril Ore" {
		t.Errorf("a label became the name %q", got)
	}
}
