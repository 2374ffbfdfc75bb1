package bot_test

import (
	"testing"

	"tradepost/core"
)

func TestSeveralRequestsArePostedFromOneForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	maple := w.Player(t, "maple")
	form := maple.Slash("request several").Modal
	wrong := form.Submit(map[string]string{
		"Name of the list": "Guild hall", "A request in each line, up to 50": "50x Iron Ore 10s\nOak Log 5s", "Category of what the catalogue has none of": "Miner", "Importance": "Medium", "In-game name": "",
	})
	wants(t, "what is wrong", wrong.View, "Nothing was posted", "Line 2: Say how many you need")
	again := wrong.Button("Edit").Press().Modal
	preview := again.Submit(map[string]string{"A request in each line, up to 50": "50x Iron Ore 10s\n20x Oak Log 5s"})
	wants(t, "the preview", preview.View, "This posts 2 requests", "Guild hall", "Iron Ore", "Oak Log", "0 of 70 bought")
	if page, _ := w.market.BrowseOrders(t.Context(), core.OrderQuery{}); page.Total != 0 {
		t.Errorf("a preview posted %d requests", page.Total)
	}
	posted := preview.Button("Post").Press()
	wants(t, "the list", posted.View, "2 requests are posted", "Guild hall", "50 of 50 left", "0 of 2 requests done")
	maple.ForgePress(posted.View, "1|post-several|2")
	page, err := w.market.BrowseOrders(t.Context(), core.OrderQuery{})
	if err != nil || page.Total != 2 {
		t.Errorf("pressed twice: %d requests, %v", page.Total, err)
	}
	if _, err := w.market.CloseOrder(t.Context(), w.actor("maple"), page.Orders[0].ID); err != nil {
		t.Fatal(err)
	}
	wants(t, "the list after a while", posted.Button("Refresh").Press().View, "1 of 2 requests done")
}
