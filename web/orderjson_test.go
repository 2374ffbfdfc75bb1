package web

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tradepost/core"
)

// awkward are texts that a writer of JSON may get wrong.
var awkward = []string{
	"", "Iron Ore", `a "quoted" \ word`, "<b>&amp;</b>", "tab\tfeed\nreturn\r\x00\x1f\x7f", "żółć 鉄 🪙", "\u2028and\u2029", "bad \xff\xfe utf-8 \xe2\x80",
	"\U0010ffff", "ends \\", `"`,
}

func drawOrder(random *rand.Rand) core.Order {
	text := func() string { return awkward[random.IntN(len(awkward))] }
	at := func() time.Time {
		return time.UnixMicro(random.Int64N(4e15)).UTC().Truncate([]time.Duration{time.Microsecond, time.Millisecond, time.Second}[random.IntN(3)])
	}
	o := core.Order{
		ID: core.OrderID(random.Int64()), Owner: core.UserID(random.Int64()), Version: random.IntN(100),
		ItemName: text(), Quantity: 1 + random.IntN(core.MaxQuantity), MaxPrice: core.Copper(random.Int64N(int64(core.MaxPrice))), Description: text(),
		BuyerContact: text(), InGameName: text(), Category: core.Categories[random.IntN(15)], Importance: core.Importances[random.IntN(4)],
		Status: core.Active, CreatedAt: at(), UpdatedAt: at(), ExpiresAt: at(),
	}
	o.Sold = random.IntN(o.Quantity + 1)
	if random.IntN(2) == 0 {
		level := 1 + random.IntN(500)
		o.LevelRequirement = &level
	}
	if random.IntN(2) == 0 {
		o.Status, o.CloseReason, o.ClosedAt = core.Fulfilled, core.ClosedEarly, at()
	}
	return o
}

func TestListsAreWrittenAsTheirShapeSays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	now := time.UnixMicro(2e15).UTC()
	for _, own := range []bool{false, true} {
		page := orderPage{now: now, own: own, OrderPage: core.OrderPage{Total: 12345, Orders: []core.ListedOrder{}}}
		shape := orderPageView{Total: 12345, Orders: []orderView{}}
		for range 500 {
			listed := core.ListedOrder{Order: drawOrder(random), Offers: random.IntN(5)}
			page.Orders = append(page.Orders, listed)
			if own {
				shape.Orders = append(shape.Orders, viewOwnOrder(listed, now))
			} else {
				shape.Orders = append(shape.Orders, viewOrder(listed.Order, now))
			}
		}
		if !own {
			page.Next = &core.Cursor{Sort: core.Newest, Key: 5, ID: 7}
			word := page.Next.String()
			shape.NextCursor = &word
		}
		want, err := json.Marshal(shape)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), decoded(t, page.appendJSON(nil))); diff != "" {
			t.Errorf("own %v, shape -, written +:\n%s", own, diff)
		}
	}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}
