package trade_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// slipLine is an open handover of user 1, who buys or sells.
func slipLine(item string, quantity int, price core.Copper, buys bool) trade.SlipLine {
	h := handover(said{}, said{})
	if !buys {
		h.Buyer.User, h.Seller.User = 2, 1
	}
	h.ItemName, h.Quantity, h.UnitPrice = item, quantity, price
	return trade.SlipLine{Trade: h}
}

func TestASlipSumsUpWhatBothBring(t *testing.T) {
	t.Parallel()
	now := coretest.Noon.Add(agreed)
	answered, disputed, theirs := slipLine("Coal", 9, 9, true), slipLine("Coal", 9, 9, false), slipLine("Oak Log", 5, 40, false)
	answered.Trade.Buyer.Word, answered.Trade.Buyer.SaidAt = trade.SaidMet, now
	disputed.Trade.State = trust.HandoverDisputed
	disputed.Trade.Buyer.Word, disputed.Trade.Seller.Word = trade.SaidMet, trade.SaidNotMet
	theirs.Trade.Buyer.Word, theirs.Trade.Buyer.SaidAt = trade.SaidMet, now // the partner's word
	s := trade.Slip{Own: trade.SlipParty{User: 1}, Partner: trade.SlipParty{User: 2}, Lines: []trade.SlipLine{
		slipLine("Iron Ore", 50, 250, true), slipLine("iron ore", 20, 200, true), slipLine("Tin", 3, 1000, false), answered, disputed, theirs,
	}}
	totals := s.Totals(now)
	if got := fmt.Sprint(totals.Bring, totals.Get, totals.Pay, totals.Earn, totals.Net()); got != "[{Tin 3} {Oak Log 5}] [{Iron Ore 70}] 16500 3200 13300" {
		t.Errorf("totals: %s", got)
	}
	if waiting := s.Waiting(now); len(waiting) != 4 {
		t.Errorf("%d wait", len(waiting))
	}
	// Silence has spoken, though no job has stored it yet.
	if waiting := s.Waiting(now.Add(trade.ConfirmWithin + time.Hour)); len(waiting) != 0 {
		t.Errorf("%d wait after all was settled", len(waiting))
	}
}

func TestSumsOfASlipAreExactBeyondEveryCopper(t *testing.T) {
	t.Parallel()
	s := trade.Slip{Own: trade.SlipParty{User: 1}}
	for range trade.MaxSlipLines {
		s.Lines = append(s.Lines, slipLine("Crown", core.MaxQuantity, core.MaxPrice, false))
	}
	totals := s.Totals(coretest.Noon)
	if totals.Earn.String() != "199999999999800000000" || totals.Net().Sign() >= 0 || totals.Bring[0].Quantity != 200_000_000 {
		t.Errorf("totals: %+v", totals)
	}
	plain := func(n uint64) string { return fmt.Sprint(n) }
	game := game.Standard()
	for sum, want := range map[string]string{
		"199999999999800000000": "199999999999p 800g", "-199999999999800000001": "-199999999999p 800g 1c",
		"0": "0c", "-1500": "-1s 500c", "99999999999999999999000000000": "99999999999999999999p",
	} {
		n, _ := new(big.Int).SetString(sum, 10)
		if got := game.PrintSum(n, plain); got != want {
			t.Errorf("%s is %q, want %q", sum, got, want)
		}
	}
}
