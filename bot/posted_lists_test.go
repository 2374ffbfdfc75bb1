package bot_test

import (
	"fmt"
	"slices"
	"testing"

	"tradepost/bot/discordtest"
	"tradepost/core/match"
	"tradepost/core/trade"
)

func TestSeveralRequestsArePostedFromOneForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	form := maple.Slash("request several").Modal
	wrong := form.Submit(map[string]string{
		"Name of the list": "Guild hall", "One request per line, up to 50": "50x Iron Ore 10s\nOak Log 5s", "Category for items we don't know": "Miner", "Importance": "Medium", "In-game name": "",
	})
	wants(t, "what is wrong", wrong.View, "Nothing was posted", "Line 2: Write how many you need")
	again := wrong.Button("Edit").Press().Modal
	preview := again.Submit(map[string]string{"One request per line, up to 50": "50x Iron Ore 10s\n20x Oak Log 5s"})
	wants(t, "the preview", preview.View, "This posts 2 requests", "Guild hall", "Iron Ore", "Oak Log", "0 of 70 bought")
	if page, _ := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{}); page.Total != 0 {
		t.Errorf("a preview posted %d requests", page.Total)
	}
	posted := preview.Button("Post").Press()
	wants(t, "the list", posted.View, "2 requests are posted", "Guild hall", "50 of 50 left", "0 of 2 requests done")
	maple.ForgePress(posted.View, "1|post-several|2")
	page, err := w.market.Match.BrowseOrders(t.Context(), match.OrderQuery{})
	if err != nil || page.Total != 2 {
		t.Errorf("pressed twice: %d requests, %v", page.Total, err)
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("maple"), page.Orders[0].ID); err != nil {
		t.Fatal(err)
	}
	wants(t, "the list after a while", posted.Button("Refresh").Press().View, "1 of 2 requests done")
}

func TestASellerOffersOnSeveralLinesOfAListInOneForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	rowan := w.Player(t, "rowan.ashdown")
	list, err := w.market.Trade.PostList(t.Context(), w.actor("maple"), trade.ListDraft{
		Name: "Guild hall", Text: "50x Iron Ore 10s\n20x Oak: Log 5s\n3x Tin 1g", BuyerContact: "maple",
	})
	if err != nil {
		t.Fatal(err)
	}
	card := rowan.Slash("request show", discordtest.Str("request", "Tin"))
	shown := card.Button("Whole list").Press()
	wants(t, "the list", shown.View, "Guild hall", "Iron Ore")
	form := shown.Button("Offer on several").Press().Modal
	lines := func(iron, oak, tin string) map[string]string {
		return map[string]string{
			"How many of each, after the colon": fmt.Sprintf("#%d Iron Ore (50 left): %s\n\n#%d Oak: Log (20 left): %s\n#%d Tin (3 left):%s",
				list.Orders[0].ID, iron, list.Orders[1].ID, oak, list.Orders[2].ID, tin),
			"Message": "Tonight", "Your name": "Rowan",
		}
	}
	wrong := form.Submit(lines("some", "", "9"))
	wants(t, "what can't be read", wrong.View, "Nothing was sent", "Line 1: Write how many")
	wrong = wrong.Button("Edit again").Press().Modal.Submit(lines("5", "", "9"))
	wants(t, "what is too much", wrong.View, "Nothing was sent", "Line 4")
	if sent, _ := w.market.Trade.SentOffers(t.Context(), w.actor("rowan.ashdown"), 0, 9); len(sent) != 0 {
		t.Errorf("some were sent: %+v", sent)
	}
	done := wrong.Button("Edit again").Press().Modal.Submit(lines("5", "", "2"))
	wants(t, "the answer", done.View, "2 offers were sent", "Iron Ore", "Tin")
	sent, err := w.market.Trade.SentOffers(t.Context(), w.actor("rowan.ashdown"), 0, 9)
	if err != nil || len(sent) != 2 || sent[0].Quantity+sent[1].Quantity != 7 {
		t.Errorf("sent %+v, %v", sent, err)
	}
	own := w.Player(t, "maple").Slash("request show", discordtest.Str("request", "Tin")).Button("Whole list").Press()
	if slices.Contains(own.View.Buttons(), "Offer on several") {
		t.Error("the buyer can offer on their own list")
	}
}
