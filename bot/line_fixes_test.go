package bot_test

import "testing"

// A name that was typed nearly right, and a price that was left out, are put right by a press each.
func TestLinesOfAListArePutRightByAPress(t *testing.T) {
	t.Parallel()
	w := withTrades(t)
	maple := w.Player(t, "maple")
	typed := maple.Slash("request several").Modal.Submit(map[string]string{
		"Name of the list": "Guild hall", "One request per line, up to 50": "5x Caric Adathril Or 310c\n\n20x Caric Adathril Ore\n7x Moon Dust",
		"Category for items we don't know": "Miner", "Importance": "Medium", "In-game name": "",
	})
	wants(t, "what is wrong", typed.View, "Nothing was posted", "Line 3: Write the price per unit", "Line 4: Write the price per unit",
		"Line 1: No item is called Caric Adathril Or. Did you mean Caric Adathril Ore?")
	named := typed.Button("Line 1: Caric Adathril Ore x5 310c").Press()
	priced := named.Button("Line 3: Caric Adathril Ore x20 300c (usual price)").Press()
	wants(t, "a line of which nothing is known", priced.View, "Line 4: Write the price per unit")
	again := priced.Button("Edit").Press().Modal.Submit(map[string]string{
		"One request per line, up to 50": "5x Caric Adathril Or 310c\n20x Caric Adathril Ore 300c",
	})
	wants(t, "a preview", again.View, "This posts 2 requests", "Did you mean Caric Adathril Ore?")
	again.Button("Line 1: Caric Adathril Ore x5 310c").Press().Button("Post").Press()
	for _, o := range w.openOrders() {
		if o.ItemName != "Caric Adathril Ore" {
			t.Errorf("posted is %+v", o)
		}
	}
	if orders := w.openOrders(); len(orders) != 2 {
		t.Errorf("open are %+v", orders)
	}
}

func TestLinesOfStockArePutRightByAPress(t *testing.T) {
	t.Parallel()
	w := withTrades(t)
	maple := w.Player(t, "maple")
	typed := maple.Slash("have").Button("Paste lines").Press().Modal.Submit(map[string]string{
		"One line per item": "Caric Adathril Or 5",
	})
	wants(t, "the preview", typed.View, "We understood 0 of 1 lines")
	fixed := typed.Button("Line 1: Caric Adathril Ore x5 300c (usual price)").Press()
	wants(t, "the line that was put right", fixed.View, "1 of 1 line", "5 × Caric Adathril Ore")
	wants(t, "saved", fixed.Button("Save, shown to buyers").Press().View, "1 item is in your stock", "5 × Caric Adathril Ore")
}
