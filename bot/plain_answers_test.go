package bot_test

import (
	"slices"
	"strings"
	"testing"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

func TestSuspiciousContentNamesItsField(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown").SetLocale("de")
	wants(t, "a request", maple.Slash("request post", discordtest.Str("item", "Rope"), discordtest.Int("quantity", 5), discordtest.Str("price", "1s"),
		discordtest.Str("description", "free money")).View, "**Description:** Your post contains suspicious content. Please revise.")
	form := rowan.ForgePress(rowan.Slash("request browse").View, "1|make-offer|1").Modal
	wants(t, "an offer", form.Submit(map[string]string{"Nachricht": "Click here"}).View, "**Nachricht:** Deine Nachricht enthält verdächtigen Inhalt.")
	if o := w.order("maple", order.ID); o.Offers != 0 {
		t.Errorf("%d offers are open", o.Offers)
	}
}

func TestADeclineThatIsUndoneIsOneMessage(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown") // before the messages that they wait for
	offer := w.offer("rowan.ashdown", w.post("maple"), 20)
	declined := maple.NextDM().Button("Decline").Press()
	heard := rowan.WaitDM("that it was declined", holding("was declined"))
	undone := declined.Button("Undo").Press()
	heard = heard.WaitFor("that it is open again", holding("is open again"))
	wants(t, "the seller's message", heard, "The offer of 20 × Iron Ore is open again", "It can be accepted again.")
	if strings.Contains(heard.Text(), "agreed") {
		t.Errorf("nothing was agreed: %q", heard.Text())
	}
	wants(t, "the buyer's message", undone.View, "the offer is open again")
	if err := w.market.Trade.DeleteOffer(t.Context(), w.actor("maple"), offer.ID); err != nil {
		t.Fatal(err)
	}
	rowan.WaitDM("that it was declined again", func(v *discordtest.View) bool { return strings.Contains(v.Text(), "was declined") })
	if n := len(rowan.DMs()); n != 2 {
		t.Errorf("the seller has %d messages for two declines, one undone", n)
	}
	page, err := w.market.Notify.Notices(t.Context(), w.actor("rowan.ashdown"), 0, 10)
	if err != nil || len(page.Notices) != 2 || page.Notices[1].Kind != notify.NoticeOfferReopened || page.Notices[0].Kind != notify.NoticeOfferDeclined {
		t.Errorf("the inbox has %+v, %v", page.Notices, err)
	}
}

func TestPeopleAreMentionedWhereTheyCanBePressed(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan, juniper := w.Player(t, "maple"), w.Player(t, "rowan.ashdown"), w.Player(t, "juniper_fox")
	offer := w.offer("rowan.ashdown", order, 20)
	if _, err := w.market.Trade.SendOffer(t.Context(), core.Actor{Address: "192.0.2.1"}, order.ID, trade.OfferDraft{
		SellerName: "Fern", SellerContact: "juniper_fox", Message: "Mine", Quantity: 3,
	}); err != nil {
		t.Fatal(err)
	}
	inbox := w.at(maple, "Settings").Button("Open the inbox").Press()
	wants(t, "the inbox", inbox.View, "20 × Iron Ore. <@"+rowan.ID()+">", "3 × Iron Ore. @juniper\\_fox")
	if strings.Contains(inbox.Text(), "<@"+juniper.ID()+">") {
		t.Error("a contact that a visitor typed is a mention")
	}
	if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("maple"), offer.ID, 5); err != nil {
		t.Fatal(err)
	}
	wants(t, "the seller's inbox", w.at(rowan, "Settings").Button("Open the inbox").Press().View, "accepted 5 × Iron Ore from your offer! <@"+maple.ID()+">")
	wants(t, "the seller's offers", rowan.Slash("offer mine").View, "5 of 20 accepted", "write to <@"+maple.ID()+">")
}

func TestAnAlertMentionsTheBuyer(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name\nIron Ore\n")
	w.bot = w.start()
	w.WaitForBot(t)
	rowan, maple := w.Player(t, "rowan.ashdown"), w.Player(t, "maple")
	w.watches(rowan, map[string]string{"Item": "Iron Ore"})
	w.post("maple")
	w.alertWatchers()
	wants(t, "the alert", rowan.WaitDM("the alert", holding("Wanted:")), "<@"+maple.ID()+"> (@maple)")
}

func TestGermanNamesProfessions(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name,made_by,made_at_level\nCaric Adathril Ore,Miner,180\n")
	w.bot = w.start()
	w.WaitForBot(t)
	rowan := w.Player(t, "rowan.ashdown").SetLocale("de")
	choices := rowan.Complete("request post", "item", "adath")
	if len(choices) != 1 || choices[0].Name != "Caric Adathril Ore · Bergmann 180" {
		t.Fatalf("completed are %+v", choices)
	}
	for _, typed := range []string{"Caric Adathril Ore · Bergmann 180", "Caric Adathril Ore"} {
		preview := rowan.Slash("request post", discordtest.Str("item", typed), discordtest.Int("quantity", 5), discordtest.Str("price", "1s"))
		wants(t, typed, preview.View, "### [Caric Adathril Ore]", "Bergmann 180")
		if strings.Contains(preview.Text(), "Miner") || slices.ContainsFunc(preview.Buttons(), func(l string) bool { return strings.Contains(l, "Miner") }) {
			t.Errorf("%q is previewed with an English profession: %s %q", typed, preview.Text(), preview.Buttons())
		}
	}
}

func TestThePreviewMatchesThePostedCard(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	preview := maple.Slash("request post", discordtest.Str("item", "Rope"), discordtest.Int("quantity", 12), discordtest.Str("price", "3g"),
		discordtest.Str("description", "long ones"), discordtest.Str("importance", "high"), discordtest.Str("ign", "Maple_of_Harbour"))
	preview.Button("Post").Press()
	seen := rowan.Slash("request show", discordtest.Str("request", "1"), discordtest.Bool("share", true))
	lines := func(v *discordtest.View) []string {
		return strings.Split(strings.NewReplacer(" · Tradepost · request #1", "", "https://market.example/requests/1", "").Replace(v.Text()), "\n")
	}
	want := lines(seen.View)
	if got := lines(preview.View); !slices.Equal(withoutTimes(got[1:]), withoutTimes(want)) {
		t.Errorf("the preview is\n%s\nothers see\n%s", strings.Join(got[1:], "\n"), strings.Join(want, "\n"))
	}
}

// withoutTimes leaves out when something was posted and ends.
func withoutTimes(lines []string) (left []string) {
	for _, l := range lines {
		l, _, _ = strings.Cut(l, "Posted <t:")
		left = append(left, strings.NewReplacer("[", "", "]()", "", "]", "").Replace(l))
	}
	return left
}

func TestASellerIsNotAskedToReplaceAnOfferByOneThatIsRefused(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	w.withItems("name\nIron Ore\n")
	w.bot = w.start(func(o *bot.Options) { o.Features = core.AllFeatures() })
	w.WaitForBot(t)
	order := w.post("maple")
	w.offer("rowan.ashdown", order, 8)
	if err := w.market.Trade.SetLeastRecord(t.Context(), w.actor("maple"), order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted, NewUpTo: 5}); err != nil {
		t.Fatal(err)
	}
	send := func(quantity int64) *discordtest.Reply {
		return w.Player(t, "rowan.ashdown").Slash("offer send", discordtest.Str("request", "1"), discordtest.Int("quantity", quantity), discordtest.Str("message", "x"))
	}
	if refused := send(10); slices.Contains(refused.Buttons(), "Change my offer") {
		t.Errorf("it asks whether to replace: %s", refused.Text())
	}
	wants(t, "one that the terms take", send(4).View, "You offered 8", "Replace it with 4 × Iron Ore?")
}

func TestASharedCardSaysWhatIsLeftToPay(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple", func(d *trade.OrderDraft) { d.Quantity, d.MaxPrice = 10, 100 })
	rowan := w.Player(t, "rowan.ashdown")
	share := func() *discordtest.View {
		return rowan.Slash("request show", discordtest.Str("request", "1"), discordtest.Bool("share", true)).View
	}
	wants(t, "a new one", share(), "**Pays in all:** ⚪ **1s**")
	if _, err := w.market.Trade.LogSale(t.Context(), w.actor("maple"), order.ID, trade.SaleDraft{Quantity: 4}); err != nil {
		t.Fatal(err)
	}
	wants(t, "one that is partly bought", share(), "**Left to pay:** 🟤 **600c**")
}

func TestABoardListsWhatIsOpenInOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	var want []string
	for _, who := range []string{"maple", "juniper_fox", "maple", "juniper_fox", "maple"} {
		_, items := w.postMany(who, 1)
		want = append(want, items...)
	}
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	maple.WaitMessage("the last", holding(want[4]))
	var got []string
	for _, m := range maple.Messages() {
		for _, item := range want {
			if strings.Contains(m.Text(), item) {
				got = append(got, item)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the board lists %q, posted were %q", got, want)
	}
}

func TestABoardsMakerIsNotifiedWhenItsChannelIsDeleted(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	w.Channel("request-board").Delete()
	w.post("juniper_fox")
	maple.WaitDM("that the board ended", holding("The channel of one of your boards was deleted"))
	w.notice("maple", notify.NoticeBoardEnded, notify.NoticeDelivered)
}
