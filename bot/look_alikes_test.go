package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
)

// establish makes a player an established trader.
func (w *world) establish(player string) {
	w.t.Helper()
	if _, err := w.store.Pool().Exec(w.t.Context(), "insert into traders (user_id, established_at, origin) values ($1, now(), 'moderator')", int64(w.actor(player).UserID)); err != nil {
		w.t.Fatal(err)
	}
	if err := w.market.Trust.FindTraders(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	if changed, err := w.market.Trust.LearnTraders(w.t.Context()); err != nil || !changed {
		w.t.Fatalf("learn the traders: changed %t, %v", changed, err)
	}
}

func TestANameThatLooksLikeAnEstablishedTradersIsMarkedAndReportedToThem(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.establish("maple")
	const mark = "looks like the name of an established trader, but isn't theirs"

	rowan.Slash("request post", discordtest.Str("item", "Oak Log"), discordtest.Int("quantity", 5), discordtest.Str("price", "5s"),
		discordtest.Str("ign", "mаple")).Button("Post").Press() // the а is Cyrillic
	dm := maple.NextDM()
	wants(t, "the message to the trader", dm, "a name that looks like yours on a request for Oak Log: **mаple**", "Others see a mark")
	dm.Button("Report…").Press().Modal.Submit(map[string]string{"Reason": "That's not me"})
	mod := w.actor("oldtamsin")
	mod.Moderator = true
	if reports, err := w.market.Moderation.Reports(t.Context(), mod, 0, 10); err != nil || len(reports) != 1 || reports[0].ItemName != "Oak Log" {
		t.Errorf("the reports are %+v, %v", reports, err)
	}
	card := maple.Slash("request show", maple.Pick("request show", "request", "Oak"))
	wants(t, "the card", card.View, "in game: mаple · ⚠️ "+mark)

	order, err := w.market.Trade.PostOrder(t.Context(), w.actor("rowan.ashdown"), coretest.OrderDraft(func(d *trade.OrderDraft) { d.BuyerContact = "rowan.ashdown" }))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.market.Trade.SendOffer(t.Context(), core.Actor{}, order.ID, coretest.OfferDraft(func(d *trade.OfferDraft) { d.SellerName = "ｍａｐｌｅ" }))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "the message to the buyer", rowan.NextDM(), "ｍａｐｌｅ · ⚠️ "+mark, "@fern · ⚠️ unverified contact")
	wants(t, "the message to the trader about an offer", maple.NextDM(), "in an offer of Iron Ore", "The buyer sees a mark")
}

func TestAModeratorLiftsTheMarkOfAName(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan, mod := w.Player(t, "rowan.ashdown"), w.Player(t, "oldtamsin")
	w.establish("maple")
	const mark = "looks like the name of an established trader"
	rowan.Slash("request post", discordtest.Str("item", "Oak Log"), discordtest.Int("quantity", 5), discordtest.Str("price", "5s"),
		discordtest.Str("ign", "rnaple")).Button("Post").Press()

	card := mod.Slash("request show", discordtest.Str("request", "1"))
	wants(t, "the card of a moderator", card.View, "rnaple · ⚠️ "+mark)
	allowed := card.Button("Don't mark the name").Press()
	wants(t, "allowing", allowed.View, "The name isn't marked any more.")
	for what, view := range map[string]*discordtest.View{"the card drawn again": allowed.View, "of its buyer": rowan.Slash("request show", discordtest.Str("request", "1")).View} {
		if strings.Contains(fmt.Sprint(*view), mark) {
			t.Errorf("%s still has the mark: %v", what, view)
		}
	}
	log := mod.Slash("moderate log")
	wants(t, "the log", log.View, "use a name that looks like an established trader's")
	wants(t, "undoing", log.Button("Undo: Oak Log").Press().View, "Undone.", "marked the name of")
	wants(t, "the card after the undo", mod.Slash("request show", discordtest.Str("request", "1")).View, "rnaple · ⚠️ "+mark)
}
