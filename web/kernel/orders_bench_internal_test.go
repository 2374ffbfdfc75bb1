package kernel

import (
	"bytes"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// BenchmarkPageJSON writes a full page of orders.
func BenchmarkPageJSON(b *testing.B) {
	page := match.OrderPage{Total: 1000, Orders: make([]trade.ListedOrder, core.PageSize)}
	for i := range page.Orders {
		page.Orders[i].Order = coretest.Order()
	}
	var body bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		body.Reset()
		if err := huma.DefaultJSONFormat.Marshal(&body, ViewPage(page, ViewListedOrder, coretest.Noon)); err != nil {
			b.Fatal(err)
		}
	}
}
