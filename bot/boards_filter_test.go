package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/trade"
)

func TestABoardForSomeRequests(t *testing.T) {
	t.Parallel()
	w := open(t)
	level := func(n int) func(*trade.OrderDraft) { return func(d *trade.OrderDraft) { d.LevelRequirement = &n } }
	pays := func(gold core.Copper) func(*trade.OrderDraft) {
		return func(d *trade.OrderDraft) { d.MaxPrice = gold * 1_000_000 }
	}
	w.post("juniper_fox", item("Old Ore"), in("Miner"), level(20), pays(600))
	w.post("juniper_fox", item("Old Pie"), in("Chef"), level(20), pays(600))
	w.Advance(time.Second)
	maple := w.Player(t, "maple").In("request-board")
	wants(t, "swapped levels", maple.Slash("board here", discordtest.Int("level-from", 30), discordtest.Int("level-to", 10)).View, "must not be below")
	set := maple.Slash("board here", discordtest.Str("category", "Miner"), discordtest.Str("category-2", "Blacksmith"), discordtest.Str("min-price", "500g"),
		discordtest.Int("level-from", 10), discordtest.Int("level-to", 30))
	wants(t, "the answer", set.View, "Miner, Blacksmith", "500g", "level 10 to 30")
	maple.WaitMessage("what was open", holding("Old Ore"))
	w.post("rowan.ashdown", item("Cheap Ore"), in("Miner"), level(20), pays(400))
	w.post("rowan.ashdown", item("Easy Ore"), in("Miner"), level(5), pays(600))
	w.post("rowan.ashdown", item("Hard Ore"), in("Miner"), level(40), pays(600))
	w.post("rowan.ashdown", item("Free Ore"), in("Miner"), pays(600)) // wants no level
	w.post("rowan.ashdown", item("Sword"), in("Blacksmith"), level(30), pays(500))
	maple.WaitMessage("the last one", holding("Sword"))
	for _, name := range []string{"Old Pie", "Cheap Ore", "Easy Ore", "Hard Ore", "Free Ore"} {
		if slices.ContainsFunc(publicMessages(maple), holding(name)) {
			t.Errorf("%s is shown", name)
		}
	}
	wants(t, "the list", maple.Slash("board list").View, "<#"+w.Channel("request-board").ID()+">", "Miner, Blacksmith")
	tavern := w.Player(t, "maple").In("tavern")
	tavern.Slash("board here", discordtest.Bool("open", false))
	w.post("juniper_fox", item("Rope"))
	tavern.WaitMessage("a new one", holding("Rope"))
	if slices.ContainsFunc(publicMessages(tavern), holding("Old Ore")) {
		t.Error("what was open is shown although it was not wanted")
	}
}

func TestABoardInAForum(t *testing.T) {
	t.Parallel()
	w := open(t)
	forum := w.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner", "Chef", "Open", "Closed").NeedTag()
	maple := w.Player(t, "maple")
	wants(t, "the answer", maple.Slash("board here", discordtest.ChannelOption("forum", "requests")).View, "<#"+forum.ID()+">")
	order := w.post("juniper_fox", item("Copper Ore"), in("Miner"))
	w.post("juniper_fox", item("Apple Pie"), in("Chef"))
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 2)
	posts := forum.Threads()
	if len(posts) != 2 || !strings.Contains(posts[0].Name(), "Copper Ore") || fmt.Sprint(posts[0].Tags()) != "[Miner Open]" {
		t.Fatalf("there are %d posts, the first is %q with %v", len(posts), posts[0].Name(), posts[0].Tags())
	}
	card := maple.In(posts[0].ID()).WaitMessage("the card", holding("Copper Ore"))
	if form := card.Button("Offer to Fulfill").PressAs(w.Player(t, "rowan.ashdown")).Modal; form == nil {
		t.Error("the button opens no form")
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), order.ID); err != nil {
		t.Fatal(err)
	}
	card.WaitFor("the end", holding("closed early"))
	w.WaitRequests(t, "PATCH /channels/{channel_id}", 1)
	if !posts[0].Archived() || fmt.Sprint(posts[0].Tags()) != "[Miner Closed]" {
		t.Errorf("the closed one is archived: %v, with %v", posts[0].Archived(), posts[0].Tags())
	}
	if posts[1].Archived() {
		t.Error("the other one is archived too")
	}
}

func TestAForumPostIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	forum := w.HomeServer().AddChannel("requests", discordtest.ForumChannel)
	maple := w.Player(t, "maple")
	maple.Slash("board here", discordtest.ChannelOption("forum", "requests"))
	w.Fail("POST /channels/{channel_id}/threads", 1, discordtest.Losing())
	w.post("juniper_fox", item("Rope"))
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 1)
	w.Advance(time.Second) // after so long an earlier attempt is looked for
	w.WaitRequests(t, "GET /guilds/{guild_id}/threads/active", 1)
	w.post("juniper_fox", item("Twine"))
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 2)
	if n := len(forum.Threads()); n != 2 {
		t.Errorf("%d posts for two requests", n)
	}
	forum.DenyBot(discordgo.PermissionSendMessages)
	w.post("juniper_fox", item("String"))
	maple.WaitDM("the complaint", holding("can't be updated"))
}
