package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/match"
)

// openForSale opens a market with the feature listings.
func openForSale(t *testing.T) *world {
	t.Helper()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nIron Ore,Miner,20\nOak Log,Woodcutter,1\nApple Pie,Chef,1\n")
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.EveryFeature()})
	w.bot = w.start(func(o *bot.Options) { o.Features, o.PublicURL = w.market.Features, "https://market.example" })
	w.WaitForBot(t)
	return w
}

// lists has a user list items for sale, not through the bot.
func (w *world) lists(who string, drafts ...match.StockDraft) {
	w.t.Helper()
	for i := range drafts {
		drafts[i].Public = true
		if drafts[i].Price == 0 {
			drafts[i].Price = 250
		}
	}
	if _, err := w.market.Match.SaveStock(w.t.Context(), w.actor(who), drafts); err != nil {
		w.t.Fatal(err)
	}
}

// unlists has a user remove an item from their stock.
func (w *world) unlists(who, item string) {
	w.t.Helper()
	stock, err := w.market.Match.Stock(w.t.Context(), w.actor(who))
	i := slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == item })
	if err != nil || i < 0 {
		w.t.Fatalf("%s has no %s: %+v, %v", who, item, stock, err)
	}
	w.must(w.market.Match.DeleteStock(w.t.Context(), w.actor(who), stock[i].ID))
}

func TestABoardShowsWhatIsForSaleAndFollowsIt(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Oak Log", Quantity: 7})
	w.Advance(time.Second)
	maple, rowan := w.Player(t, "maple").In("request-board"), w.Player(t, "rowan.ashdown")
	set := maple.Slash("board here", discordtest.Str("shows", "sale"), discordtest.Bool("open", false))
	wants(t, "the answer", set.View, "shows from now on: for sale · every profession", "<#"+w.Channel("request-board").ID()+">")
	until := w.Now().Add(3 * core.Day)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200, Note: "Best before noon", Until: until})
	card := maple.WaitMessage("the card", holding("Iron Ore"))
	wants(t, "the card", card, "Sells", "Miner", "**250c**", "200 of 200 left", "Best before noon", fmt.Sprintf("<t:%d:f>", until.Unix()), "@rowan.ashdown")
	if buttons := card.Buttons(); !slices.Equal(buttons, []string{"Ask for it", "Open on the web", "Report…"}) {
		t.Errorf("its buttons are %q", buttons)
	}
	if len(card.Mentions) > 0 || card.MentionEveryone {
		t.Errorf("the card pings %v", card.Mentions)
	}
	w.post("juniper_fox", item("Wanted Ore"))

	form := card.Button("Ask for it").PressAs(w.Player(t, "juniper_fox")).Modal
	if form == nil {
		t.Fatal("the button opens no form")
	}
	asked := form.Submit(map[string]string{"Quantity": "50", "In-game name": "Juni"})
	wants(t, "the ask", asked.View, "You asked for 50 × **Iron Ore**")
	if !asked.Private() {
		t.Error("the channel sees who asks")
	}
	card = card.WaitFor("what is left", holding("150 of 200 left"))
	rowan.NextDM().Button("Yes, 50").Press()
	card = card.WaitFor("the sale", holding("150 of 150 left"))
	wants(t, "the seller's own press", card.Button("Ask for it").PressAs(rowan).View, "your own listing")

	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 120, Price: 300})
	card = card.WaitFor("the new price", holding("120 of 120 left"))
	wants(t, "the cheaper card", card, "**300c**")
	if strings.Contains(card.Text(), "Best before noon") {
		t.Error("the note has stayed")
	}
	w.unlists("rowan.ashdown", "Iron Ore")
	card = card.WaitFor("its end", holding("no longer for sale"))
	if len(card.Buttons()) != 0 || strings.Contains(card.Text(), "rowan") {
		t.Errorf("what is gone still says\n%s\nwith %q", card.Text(), card.Buttons())
	}
	for _, name := range []string{"Oak Log", "Wanted Ore"} {
		if slices.ContainsFunc(publicMessages(maple), holding(name)) {
			t.Errorf("%s is shown", name)
		}
	}
}

func TestABoardOfBothSidesGathersThePastedListOfASeller(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Old Rope", Quantity: 7})
	w.Advance(time.Second)
	both, wanted := w.Player(t, "maple").In("request-board"), w.Player(t, "maple").In("tavern")
	both.Slash("board here", discordtest.Str("shows", "both"))
	wants(t, "a board of the usual side", wanted.Slash("board here", discordtest.Str("shows", "wanted")).View, "Every new request is shown here")
	both.WaitMessage("what was for sale", holding("Old Rope"))
	w.Advance(2 * time.Minute) // a seller's first in a while has a message of its own
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200}, match.StockDraft{ItemName: "Oak Log", Quantity: 3},
		match.StockDraft{ItemName: "Apple Pie", Quantity: 1, Note: "Still warm"})
	w.post("juniper_fox", item("Wanted Ore"))
	wanted.WaitMessage("the request", holding("Wanted Ore"))
	if cards := waitShown(both, []string{"Iron Ore", "Oak Log", "Apple Pie", "Wanted Ore"}); !slices.Equal(slices.Sorted(slices.Values(cards)), []int{1, 1, 1, 2}) {
		t.Errorf("the messages have %d cards", cards)
	}
	if n := len(publicMessages(wanted)); n != 1 {
		t.Errorf("the board of requests has %d messages", n)
	}
	shared := both.WaitMessage("the shared message", holding("Still warm"))
	if form := shared.Button("Ask for it").PressAs(w.Player(t, "juniper_fox")).Modal; form == nil {
		t.Error("a button of the shared message opens no form")
	}
	wants(t, "the list", both.Slash("board list").View, "<#"+w.Channel("request-board").ID()+"> · wanted and for sale · every profession",
		"<#"+w.Channel("tavern").ID()+"> · every request")
}

func TestAForumShowsWhatIsForSaleInPosts(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	forum := w.HomeServer().AddChannel("requests", discordtest.ForumChannel).AddTags("Miner", "Open", "Closed", "For sale")
	maple := w.Player(t, "maple")
	maple.Slash("board here", discordtest.ChannelOption("forum", "requests"), discordtest.Str("shows", "sale"), discordtest.Str("category", "Miner"))
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Oak Log", Quantity: 3}, match.StockDraft{ItemName: "Iron Ore", Quantity: 200})
	w.WaitRequests(t, "POST /channels/{channel_id}/threads", 1)
	posts := forum.Threads()
	if len(posts) != 1 || posts[0].Name() != "Sells: Iron Ore · 200 left · 250c each" || fmt.Sprint(posts[0].Tags()) != "[Miner Open For sale]" {
		t.Fatalf("there are %d posts, the first is %q with %v", len(posts), posts[0].Name(), posts[0].Tags())
	}
	w.unlists("rowan.ashdown", "Iron Ore")
	maple.In(posts[0].ID()).WaitMessage("the end", holding("no longer for sale"))
	w.WaitRequests(t, "PATCH /channels/{channel_id}", 1)
	if !posts[0].Archived() || fmt.Sprint(posts[0].Tags()) != "[Miner Closed For sale]" {
		t.Errorf("what is gone is archived: %v, with %v", posts[0].Archived(), posts[0].Tags())
	}
}

func TestWithoutListingsABoardHasNoSides(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, c := range w.Commands() {
		for _, s := range c.Options {
			for _, o := range s.Options {
				if c.Name == "board" && o.Name == "shows" {
					t.Error("the command offers a side")
				}
			}
		}
	}
}

// The form says that a press may agree at once, and the answer whether it did.
func TestAskingOnABoardForWhatIsSoldWithoutAskingIsAgreedAtOnce(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	maple, juniper := w.Player(t, "maple").In("request-board"), w.Player(t, "juniper_fox")
	maple.Slash("board here", discordtest.Str("shows", "sale"), discordtest.Bool("open", false))
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200, SellsDaily: 60})
	card := maple.WaitMessage("the card", holding("Iron Ore"))
	for _, ask := range []struct{ quantity, says string }{
		{"50", "Agreed: 50 × **Iron Ore**"}, {"20", "You asked for 20 × **Iron Ore**"},
	} {
		form := card.Button("Ask for it").PressAs(juniper).Modal
		if form == nil || !strings.Contains(fmt.Sprint(form), "up to 60 a day agreed at once") {
			t.Fatalf("the form is %+v", form)
		}
		wants(t, "the answer", form.Submit(map[string]string{"Quantity": ask.quantity}).View, ask.says)
	}
	card.WaitFor("what was sold and what is asked for", holding("130 of 150 left"))
}

func TestABoardForSaleSurvivesALongOutage(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here", discordtest.Str("shows", "sale"), discordtest.Bool("open", false))
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200}, match.StockDraft{ItemName: "Oak Log", Quantity: 7})
	ore := maple.WaitMessage("the ore", holding("Iron Ore"))
	maple.WaitMessage("the logs", holding("Oak Log"))
	w.lists("juniper_fox", match.StockDraft{ItemName: "Twine", Quantity: 3})
	twine := maple.WaitMessage("the twine", holding("Twine"))
	w.until("the bot has noted its messages", func() bool {
		var unsent int
		err := w.store.Pool().QueryRow(t.Context(), "select count(*) from board_posts where coalesce(message_id, '') = ''").Scan(&unsent)
		return err == nil && unsent == 0
	})
	w.must(w.bot.stop())
	w.Advance(2 * core.Day)
	w.unlists("rowan.ashdown", "Iron Ore")
	w.DeleteMessage(twine.ID)
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Apple Pie", Quantity: 12})
	w.bot = w.start(func(o *bot.Options) { o.Features, o.PublicURL = w.market.Features, "https://market.example" })
	maple.WaitMessage("what was listed meanwhile", holding("Apple Pie"))
	ore.WaitFor("what ended meanwhile", holding("no longer for sale"))
	w.lists("juniper_fox", match.StockDraft{ItemName: "Rope", Quantity: 4})
	maple.WaitMessage("what is listed after it", holding("Rope"))
	for name, want := range map[string]int{"Oak Log": 1, "Apple Pie": 1, "Rope": 1, "Iron Ore": 1, "Twine": 0} {
		shown := slices.DeleteFunc(publicMessages(maple), func(v *discordtest.View) bool { return v.Deleted || !holding(name)(v) })
		if len(shown) != want {
			t.Errorf("%s is shown %d times, want %d", name, len(shown), want)
		}
	}
}

func TestAServerThatInvitesTheBotAgainGetsItsBoardForSaleBack(t *testing.T) {
	t.Parallel()
	w := openForSale(t)
	maple := w.Player(t, "maple")
	away := w.NewServer("Emberfall", "market", maple).InviteBot(0)
	there := maple.In("market")
	there.Slash("board here", discordtest.Str("shows", "sale"), discordtest.Str("category", "Miner"), discordtest.Bool("open", false))
	away.RemoveBot()
	w.lists("rowan.ashdown", match.StockDraft{ItemName: "Iron Ore", Quantity: 200})
	maple.WaitDM("that the board ended", holding("no longer in the server"))
	away.InviteBot(0)
	back := there.Slash("board list").Button("Bring it back").Press()
	wants(t, "what is back", back.View, "It's all back", "for sale", "Miner")
	boards, err := w.store.Boards(t.Context())
	if err != nil || len(boards) != 1 || boards[0].Side != match.SaleSide {
		t.Fatalf("the boards are %+v, %v", boards, err)
	}
	w.Advance(time.Minute)
	w.post("juniper_fox", ofMiners, item("Wanted Ore"))
	w.lists("juniper_fox", match.StockDraft{ItemName: "Iron Ore", Quantity: 30})
	there.WaitMessage("a listing on the board", holding("30 of 30 left"))
	if slices.ContainsFunc(publicMessages(there), holding("Wanted Ore")) {
		t.Error("a board of what is for sale shows a request")
	}
}
