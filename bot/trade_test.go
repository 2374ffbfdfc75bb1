package bot_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// wants fails the test unless the message contains every text.
func wants(t *testing.T, what string, v *discordtest.View, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(v.Text(), text) {
			t.Errorf("%s does not say %q but:\n%s", what, text, v.Text())
		}
	}
}

// offer makes an offer as a user, not through the bot.
func (w *world) offer(who string, order trade.Order, quantity int) trade.Offer {
	w.t.Helper()
	sent, err := w.market.Trade.SendOffer(w.t.Context(), w.actor(who), order.ID, coretest.OfferDraft(func(d *trade.OfferDraft) {
		d.SellerName, d.Quantity = who, quantity
	}))
	if err != nil {
		w.t.Fatalf("%s offers: %v", who, err)
	}
	return sent.Offer
}

// order returns an order as its owner sees it.
func (w *world) order(owner string, id core.OrderID) trade.ListedOrder {
	w.t.Helper()
	o, err := w.market.Trade.Order(w.t.Context(), w.actor(owner), id)
	if err != nil {
		w.t.Fatalf("order %d: %v", id, err)
	}
	return o
}

// openOrders are the orders that are for sale.
func (w *world) openOrders() []trade.ListedOrder {
	w.t.Helper()
	page, err := w.market.Match.BrowseOrders(w.t.Context(), match.OrderQuery{})
	if err != nil {
		w.t.Fatal(err)
	}
	return page.Orders
}

func TestAWholeTradeWithoutThePage(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")

	preview := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 500),
		discordtest.Str("price", "1p 500g"), discordtest.Str("importance", "urgent"))
	wants(t, "the preview", preview.View, "Nothing is posted yet", "Iron Ore", "**1p** 🟡 500g", "**750p**",
		"URGENT REQUEST: Buyer needs this item as soon as possible")
	if !preview.Private() || len(w.openOrders()) != 0 {
		t.Fatalf("the preview is private: %v; %d orders are open", preview.Private(), len(w.openOrders()))
	}
	posted := preview.Button("Post").Press()
	wants(t, "the answer", posted.View, "Your request is posted", "500 of 500 left")

	sent := rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 20),
		discordtest.Str("message", "tonight"))
	wants(t, "the answer to the seller", sent.View, "20 × Iron Ore", "**30p**")

	dm := maple.NextDM()
	wants(t, "the message to the buyer", dm, "20 × Iron Ore", "> tonight", "Rowan", "@rowan.ashdown", "✅ verified", "**30p**")
	part := dm.Button("Accept part…").Press()
	if got := part.Modal.Field("Quantity").Value; got != "20" {
		t.Errorf("the form proposes %q", got)
	}
	done := part.Modal.Submit(map[string]string{"Quantity": "5"})
	wants(t, "the message after that", done.View, "Accepted 5 × Iron Ore from Rowan", "@rowan.ashdown", "15 × Iron Ore")
	received := rowan.NextDM()
	wants(t, "the message to the seller", received, "accepted 5 × Iron Ore", "**7p** 🟡 500g", "@maple")
	wants(t, "the message after all", done.Button("Accept all 15").Press().View, "Accepted 15 × Iron Ore")

	mine := maple.Slash("request mine")
	list := mine.List("Open a request…")
	card := list.Choose(list.Labels()[0])
	sold := card.Button("Update Sales").Press().Modal.Submit(map[string]string{"Quantity sold": "480", "Notes": "the rest"})
	wants(t, "the card after the last sale", sold.View, "that was the last", "Request Completed!", "500 of 500 sold")
	filled := maple.WaitDM("the message that it is filled", holding("is filled"))
	wants(t, "it", filled, "Iron Ore", "500 × Iron Ore")

	history := maple.Slash("sales history", discordtest.Str("request", "iron"))
	wants(t, "the history", history.View, "Total 500 · sold 500 · left 0", "the rest", "Accepted offer from Rowan (rowan.ashdown)")
	if order := w.order("maple", 1); order.Status != trade.Fulfilled || order.CloseReason != trade.Filled || order.Sold != 500 {
		t.Errorf("the order is %+v", order.Order)
	}
}

// labelsIn returns the labels of the buttons and lists in a component, and those of its own.
func labelsIn(c discordtest.Component) (labels []string) {
	for _, inner := range c.Components {
		if inner.CustomID != "" || inner.URL != "" {
			labels = append(labels, inner.Label+inner.Placeholder)
		}
		labels = append(labels, labelsIn(inner)...)
	}
	return labels
}

func TestEachCardHasItsOwnControlsAfterAPartialAccept(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 20)
	maple := w.Player(t, "maple")
	dm := maple.NextDM()
	done := dm.Button("Accept part…").Press().Modal.Submit(map[string]string{"Quantity": "5"})
	cards := done.Cards()
	if len(cards) != 2 || len(labelsIn(discordtest.Component{Components: done.Components})) != len(labelsIn(cards[0]))+len(labelsIn(cards[1])) {
		t.Fatalf("%d cards, and controls outside of them: %q", len(cards), done.Buttons())
	}
	if got := labelsIn(cards[0]); !slices.Equal(got, []string{"Accept all 15", "Accept part…", "Decline", "Open on the web", "More…"}) {
		t.Errorf("the offer has the controls %q", got)
	}
	if got := labelsIn(cards[1]); !slices.Equal(got, []string{"Undo", "Call it off", "Meet by…"}) {
		t.Errorf("the receipt has the controls %q", got)
	}
	more := done.Button("More…").Press()
	wants(t, "the message after More", more.View, "Accepted 5 × Iron Ore")
	if got := labelsIn(more.Cards()[0]); !slices.Equal(got[4:], []string{"Report…", "Block seller", "Message settings"}) {
		t.Errorf("behind More are %q", got)
	}
	if got := labelsIn(more.Cards()[1]); !slices.Equal(got, []string{"Undo", "Call it off", "Meet by…"}) {
		t.Errorf("the receipt has the controls %q after More", got)
	}
	wants(t, "the settings", more.Button("Message settings").Press().View, "Choose which notices you get as direct messages")
	more.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": "He never comes"})
	blocked := more.Button("Block seller").Press()
	wants(t, "the block", blocked.View, "@rowan.ashdown is blocked and can't send you offers.")
	if slices.Contains(blocked.Buttons(), "Accept all 15") {
		t.Errorf("the offer can still be accepted: %q", blocked.Buttons())
	}
	wants(t, "an old button of the settings", maple.ForgePress(blocked.View, "1|settings|d1").View, "Choose which notices you get as direct messages")
}

func TestRepliesMentionNoOne(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	hostile := "@everyone <@" + rowan.ID() + "> [x](https://evil.example) **b** `c`"
	preview := maple.Slash("request post", discordtest.Str("item", hostile), discordtest.Int("quantity", 5), discordtest.Str("price", "1c"),
		discordtest.Str("description", hostile), discordtest.Str("ign", hostile[:40]), discordtest.Str("contact", "@here"))
	preview.Button("Post").Press()
	rowan.Slash("offer send", discordtest.Str("request", "1"), discordtest.Int("quantity", 2), discordtest.Str("message", hostile))
	dm := maple.NextDM()
	wants(t, "the message", dm, `> \@everyone \<\@`, `\[x\](https:\/\/evil.example) \*\*b\*\* \`+"`c")
	shared := rowan.Slash("request show", discordtest.Str("request", "1"), discordtest.Bool("share", true))
	if shared.Private() {
		t.Error("what is shared is private")
	}
	for _, v := range append(maple.Messages(), dm) {
		if len(v.Mentions) > 0 || v.MentionEveryone {
			t.Errorf("%q pings a user", v.Text())
		}
	}
	messages := 0
	for _, r := range w.Requests("* /interactions/**", "* /webhooks/**", "* /channels/**") {
		body := r.JSON("allowed_mentions")
		if data, ok := r.JSON("data").(map[string]any); ok && body == nil {
			body = data["allowed_mentions"]
		}
		if body == nil {
			continue
		}
		messages++
		parse, ok := body.(map[string]any)["parse"].([]any)
		if !ok || len(parse) != 0 {
			t.Errorf("%s allows mentions: %v", r.Route, body)
		}
	}
	if messages < 4 {
		t.Errorf("only %d messages were looked at", messages)
	}
}

func TestADraftOutlivesARestartAndIsPostedOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	preview := maple.Slash("request post", discordtest.Str("item", "Iron Ore"), discordtest.Int("quantity", 5), discordtest.Str("price", "1g"))
	if err := w.bot.stop(); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.Gateway().Wait(t, "the restart", func(c discordtest.Count) bool { return c.Ready == 1 })
	edited := preview.Button("Edit").Press().Modal.Submit(map[string]string{
		"Item": "Copper Ore", "Description": "at the *harbour*", "Category": "Miner",
	})
	wants(t, "the new preview", edited.View, "Copper Ore", `at the \*harbour\*`)
	detailed := edited.Button("Details").Press().Modal.Submit(map[string]string{
		"Level requirement": "120", "Importance": "High", "In-game name": "Maple",
	})
	wants(t, "the newer preview", detailed.View, "Copper Ore", "Miner · level 120+", "HIGH PRIORITY REQUEST", "in game: Maple")

	press := detailed.Button("Post")
	first, second := press.StartPress(), press.StartPress()
	first.Reply()
	second.Reply()
	maple.ForgePress(detailed.View, press.CustomID)
	orders := w.openOrders()
	if len(orders) != 1 {
		t.Fatalf("%d orders were posted", len(orders))
	}
	if o := orders[0]; o.ItemName != "Copper Ore" || o.Quantity != 5 || *o.LevelRequirement != 120 || o.Importance != game.High || o.BuyerContact != "maple" {
		t.Errorf("posted %+v", o.Order)
	}
	rowan := w.Player(t, "rowan.ashdown")
	if got := rowan.ForgePress(rowan.Slash("request browse").View, press.CustomID); !strings.Contains(got.Text(), "This draft has expired") || !got.Private() {
		t.Errorf("another user's draft is answered %q", got.Text())
	}
	if n := len(w.openOrders()); n != 1 {
		t.Errorf("then %d orders are open", n)
	}
}

func TestAnInvalidDraftCanBeCorrected(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	wrong := maple.Slash("request post", discordtest.Str("item", "Free  MONEY"), discordtest.Int("quantity", 5), discordtest.Str("price", "1g"))
	wants(t, "the error", wrong.View, "Your post contains suspicious content. Please revise.")
	if slices.Contains(wrong.Buttons(), "Post") {
		t.Error("it can be posted")
	}
	form := wrong.Button("Edit").Press().Modal
	if got := form.Field("Item").Value; got != "Free  MONEY" {
		t.Errorf("what was typed is lost: %q", got)
	}
	many := form.Submit(map[string]string{"Item": " ", "Quantity": "many", "Max price per unit": "1x"})
	wants(t, "the error", many.View, "- Item name is required", "- Invalid format. Use: 1p 500g 250s 100c", "change that and send it again")
	many = many.Button("Edit").Press().Modal.Submit(map[string]string{"Item": " ", "Quantity": "many", "Max price per unit": "0c"})
	wants(t, "the error", many.View, "- Item name is required", "- Quantity must be greater than 0", "- Max price must be greater than 0")
	right := many.Button("Edit").Press().Modal.Submit(map[string]string{"Item": "Rope", "Quantity": "1,500", "Max price per unit": "2g"})
	wants(t, "the preview", right.View, "Rope", "1,500 of 1,500 left")
	wants(t, "the end", right.Button("Cancel").Press().View, "Nothing was posted")
	if n := len(w.openOrders()); n != 0 {
		t.Errorf("%d orders were posted", n)
	}
}

func TestForgedOptionsAreRefused(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	forged := maple.ForgeSlash("request post", discordtest.Str("item", "Rope"), discordtest.Int("quantity", -5), discordtest.Str("price", "1g"),
		discordtest.Str("category", "King"), discordtest.Int("level", 900), discordtest.Str("status", "fulfilled"))
	wants(t, "the error", forged.View, "Quantity must be greater than 0", "Choose one of the 15 categories", "Level requirement must be between 1 and 500")
	order := w.post("maple")
	wants(t, "the answer", maple.ForgeSlash("request browse", discordtest.Str("sort", "; drop table")).View, "Sort must be newest, price, total or ending")
	wants(t, "the answer", maple.ForgeSlash("sales log", discordtest.Int("request", int64(order.ID)), discordtest.Int("quantity", 900)).View,
		"Cannot sell more than remaining quantity (500)")
}

func TestTheBotWorksInDirectMessagesAndWhereItWasInstalledByAUser(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").InDM()
	preview := maple.Slash("request post", discordtest.Str("item", "Rope"), discordtest.Int("quantity", 5), discordtest.Str("price", "1g"))
	wants(t, "the answer in the direct message", preview.Button("Post").Press().View, "Your request is posted")
	rowan := w.Player(t, "rowan.ashdown").InstallForMyself().InDM()
	wants(t, "the list", rowan.Slash("request browse").View, "Rope")
}

func TestRepliesComeInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	rowan := w.Player(t, "rowan.ashdown").SetLocale("de")
	wants(t, "the list", rowan.Slash("request browse").View, "Alle Gesuche", "1 offenes Gesuch", "Bergmann")
	wants(t, "the error", rowan.Slash("sales log", discordtest.Str("request", "1"), discordtest.Int("quantity", 1)).View, "Das kann nur der Käufer tun")
	w.Player(t, "maple").SetLocale("de").Slash("request mine") // so the market knows
	w.offer("rowan.ashdown", order, 20)
	wants(t, "the message", w.Player(t, "maple").FindDM("the offer", holding("Iron Ore")), "Du hast ein neues Angebot")
}

func TestAnEffectIsClaimedOncePerInteraction(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple := w.Player(t, "maple")
	w.Gateway().DuplicateNext(1)
	wants(t, "the answer", maple.Slash("sales log", discordtest.Str("request", "1"), discordtest.Int("quantity", 7)).View, "Logged 7 × Iron Ore")
	deadline := time.After(patience)
	for len(w.Requests("POST /interactions/{interaction_id}/{interaction_token}/callback")) < 2 {
		select {
		case <-deadline:
			t.Fatal("the second delivery was not answered")
		case <-time.After(10 * time.Millisecond):
		}
	}
	if o := w.order("maple", order.ID); o.Sold != 7 {
		t.Errorf("%d were sold", o.Sold)
	}
}

// slowToSay is a store that has the second of two deliveries of an accept begin when the first has saved it, and be answered before
// the first.
type slowToSay struct {
	market.Store
	deliveries atomic.Int32
	accepts    atomic.Int32
	saved      chan struct{}
	answered   func() bool
}

func (s *slowToSay) Offer(ctx context.Context, id core.OfferID) (trade.Offer, error) {
	if s.deliveries.Add(1) == 2 {
		<-s.saved
	}
	return s.Store.Offer(ctx, id)
}

func (s *slowToSay) Atomically(ctx context.Context, do func(market.Tx) error) error {
	var asked string
	err := s.Store.Atomically(ctx, func(tx market.Tx) error {
		foggy := &foggyTx{Tx: tx}
		err := do(foggy)
		asked = foggy.asked
		return err
	})
	if strings.HasPrefix(asked, `["accept offer"`) && s.accepts.Add(1) == 1 {
		close(s.saved)
		for end := time.Now().Add(patience); !s.answered() && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
	}
	return err
}

// Of a command that is delivered twice, the second delivery finds the offer gone that the first has accepted.
func TestACommandThatIsDeliveredTwiceIsNotRefused(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	const savedBefore = "This is saved already. Nothing happened twice."
	said := func(text string) bool { // in a first answer, or after a deferral where the machine is busy
		return slices.ContainsFunc(w.Requests("POST /interactions/**", "PATCH /webhooks/**"), func(r discordtest.Request) bool { return bytes.Contains(r.Body, []byte(text)) })
	}
	store := &slowToSay{Store: w.store, saved: make(chan struct{}), answered: func() bool { return said(savedBefore) }}
	start(t, w.Discord, w.marketOn(store), func(o *bot.Options) { o.Store = w.store })
	w.WaitForBot(t)
	order := w.post("maple")
	offer := w.offer("rowan.ashdown", order, 20)
	w.Gateway().DuplicateNext(1)
	w.Player(t, "maple").Slash("offer accept", discordtest.Str("offer", fmt.Sprint(offer.ID)))
	w.until("the second answer", func() bool { return said(savedBefore) })
	if o := w.order("maple", order.ID); o.Sold != 20 {
		t.Errorf("%d were sold", o.Sold)
	}
}

func TestAReceiptStaysWithBothSides(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	order := w.post("maple", func(d *trade.OrderDraft) { d.Quantity, d.InGameName = 20, "Maple of the Mill" })
	w.offer("rowan.ashdown", order, 20)
	done := maple.NextDM().Button("Accept all 20").Press() // which fills the request
	line := "Hi rowan.ashdown, I accepted your offer: 20 × Iron Ore at 250c each, 5s in total. When and where shall we meet? I'm Maple of the Mill in game."
	bought := []string{"20 × Iron Ore", "You buy from rowan.ashdown", "20 × 🟤 **250c** = ⚪ **5s**", "<@" + rowan.ID() + "> (@rowan.ashdown)", line}
	wants(t, "the buyer's message", done.View, bought...)
	received := rowan.WaitDM("that it was accepted", holding("The buyer accepted"))
	sold := []string{"20 × 🟤 **250c** = ⚪ **5s**", "<@" + maple.ID() + "> (@maple)", "in game: Maple of the Mill", "you accepted my offer: 20 × Iron Ore"}
	wants(t, "the seller's message", received, sold...)

	card := maple.Slash("request show", discordtest.Str("request", "1"))
	wants(t, "the card", card.View, "Request Completed!")
	wants(t, "the receipts of the card", card.Button("Receipts").Press().View, bought...)
	mine := rowan.Slash("offer mine").Button("Accepted (1)").Press()
	wants(t, "what was accepted", mine.View, "20 of 20 accepted, ⚪ **5s** in all · write to <@"+maple.ID()+">")
	list := mine.List("See a receipt…")
	wants(t, "the receipt of an offer", list.Choose(list.Labels()[0]).View, append(sold, "You sell to Maple")...)
	juniper := w.Player(t, "juniper_fox")
	wants(t, "the receipts for another user", juniper.ForgePress(juniper.Slash("request browse").View, fmt.Sprintf("1|receipts|%d", order.ID)).View, "No offers were accepted on this request")
}

func TestACardShowsWhoPostedIt(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.post("maple")
	w.post("maple", item("Oak Log"), func(d *trade.OrderDraft) { d.BuyerContact = "guild.bank" })
	own := rowan.Slash("request show", discordtest.Str("request", "1"), discordtest.Bool("share", true))
	wants(t, "the card", own.View, "<@"+maple.ID()+"> (@maple)")
	other := rowan.Slash("request show", discordtest.Str("request", "2"))
	wants(t, "the card with another contact", other.View, "<@"+maple.ID()+">", "@guild.bank ⚠️ unverified contact")
	for _, card := range []*discordtest.View{own.View, other.View} {
		wants(t, "the author", card, "-# maple\n")
		if pictures := card.Pictures(); len(pictures) != 1 || !strings.HasPrefix(pictures[0], "https://cdn.discordapp.com/") {
			t.Errorf("the card shows %q", pictures)
		}
		if len(card.Mentions) > 0 {
			t.Errorf("the card pings %v", card.Mentions)
		}
	}
}
