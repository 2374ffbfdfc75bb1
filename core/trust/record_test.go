package trust_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// settled is a handover with a partner that ended some days ago, a day after the accept.
func settled(partner core.UserID, state trust.HandoverState, daysAgo int, change ...func(*trust.SettledHandover)) trust.SettledHandover {
	at := coretest.Noon.AddDate(0, 0, -daysAgo)
	h := trust.SettledHandover{
		Trader: 1, Partner: partner, PartnerEstablished: true, State: state, SettledAt: at, AcceptedAt: at.Add(-24 * time.Hour), Quantity: 5,
	}
	for _, c := range change {
		c(&h)
	}
	return h
}

func against(h *trust.SettledHandover) { h.Against = true }

func unknown(h *trust.SettledHandover) { h.PartnerEstablished = false }

func trusted(h *trust.SettledHandover) { h.Trusted = true }

func in(circle core.UserID) func(*trust.SettledHandover) {
	return func(h *trust.SettledHandover) { h.PartnerCircle = circle }
}

func left(n core.UserID) func(*trust.SettledHandover) {
	return func(h *trust.SettledHandover) { h.Partner, h.FormerPartner = 0, n }
}

func TestARecordHasFourFacts(t *testing.T) {
	const met, cancelled, unconfirmed = trust.HandoverMet, trust.HandoverCancelled, trust.HandoverUnconfirmed
	for name, c := range map[string]struct {
		handovers []trust.SettledHandover
		want      trust.Record
	}{
		"nobody": {nil, trust.Record{Kept: trust.NoShare}},
		"three partners": {
			[]trust.SettledHandover{settled(2, met, 1), settled(3, met, 2), settled(4, met, 3)},
			trust.Record{Partners: 3, Met: 3, Kept: 100, MeetsIn: 24 * time.Hour},
		},
		"one partner a hundred times is one partner": {
			[]trust.SettledHandover{settled(2, met, 1), settled(2, met, 2), settled(2, met, 3), settled(2, met, 4)},
			trust.Record{Partners: 1, Met: 4, Kept: 100, MeetsIn: 24 * time.Hour},
		},
		"others are counted apart": {
			[]trust.SettledHandover{settled(2, met, 1), settled(3, met, 2, unknown), settled(4, met, 3, unknown)},
			trust.Record{Partners: 1, Others: 2, Met: 3, Kept: 100, MeetsIn: 24 * time.Hour},
		},
		"what was cancelled or not confirmed counts for neither": {
			[]trust.SettledHandover{settled(2, met, 1), settled(3, cancelled, 2), settled(4, unconfirmed, 3)},
			trust.Record{Partners: 1, Met: 1, Kept: 100, MeetsIn: 24 * time.Hour},
		},
		"a no-show counts, a partner once": {
			[]trust.SettledHandover{settled(2, met, 1), settled(3, met, 1), settled(4, cancelled, 2, against), settled(4, cancelled, 3, against)},
			trust.Record{Partners: 2, Met: 2, Kept: 66, MeetsIn: 24 * time.Hour},
		},
		"a no-show counts for half a year": {
			[]trust.SettledHandover{settled(2, met, 1), settled(4, cancelled, 180, against), settled(5, cancelled, 179, against)},
			trust.Record{Partners: 1, Met: 1, Kept: 50, MeetsIn: 24 * time.Hour},
		},
		"only no-shows": {[]trust.SettledHandover{settled(2, cancelled, 1, against)}, trust.Record{Kept: 0}},
		"partners who have left stay different": {
			[]trust.SettledHandover{settled(0, met, 1, left(1)), settled(0, met, 1, left(1)), settled(0, met, 2, left(2)), settled(2, met, 3)},
			trust.Record{Partners: 3, Met: 4, Kept: 100, MeetsIn: 24 * time.Hour},
		},
	} {
		for i := range c.handovers {
			c.handovers[i].Trusted = true
		}
		c.want.Trusted = len(c.handovers) > 0
		if got := trust.RecordOf(c.handovers, coretest.Noon); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	var nine []trust.SettledHandover // of a puppet that sold to nine established traders
	for i := range 9 {
		nine = append(nine, settled(core.UserID(2+i), met, 1))
	}
	if r := trust.RecordOf(nine, coretest.Noon); r.Partners != 0 || r.Others != 9 || r.Met != 9 {
		t.Errorf("nine established partners of a trader who is not trusted are %d partners and %d others", r.Partners, r.Others)
	}
	if r := trust.RecordOf([]trust.SettledHandover{settled(2, met, 1)}, coretest.Noon); !r.New() {
		t.Errorf("a trader whom nobody knows is not new: %+v", r)
	}
	if r := trust.RecordOf([]trust.SettledHandover{settled(2, met, 1, trusted)}, coretest.Noon); r.New() {
		t.Errorf("a trader whom others know is new: %+v", r)
	}
	var friends []trust.SettledHandover // five who mostly trade among themselves, and one of another circle
	for i := range 5 {
		friends = append(friends, settled(core.UserID(20+i), met, 1, in(20), trusted))
	}
	friends = append(friends, settled(30, met, 1, in(30)))
	if r := trust.RecordOf(friends, coretest.Noon); r.Partners != 4 || r.Others != 2 {
		t.Errorf("five partners of one circle and one of another are %d partners and %d others", r.Partners, r.Others)
	}
	slow := settled(3, met, 1, func(h *trust.SettledHandover) { h.AcceptedAt = h.SettledAt.Add(-100 * time.Hour) })
	if got := trust.RecordOf([]trust.SettledHandover{slow, settled(2, met, 1), settled(4, met, 1)}, coretest.Noon); got.MeetsIn != 24*time.Hour {
		t.Errorf("usually %v", got.MeetsIn)
	}
}

func TestADisputeSaysWhichSideIsNew(t *testing.T) {
	known, unknown := trust.Record{Trusted: true}, trust.Record{Met: 9}
	for _, tt := range []struct {
		records trust.Records
		want    trust.Side
	}{
		{trust.Records{1: known, 2: unknown}, trust.SellerSide},
		{trust.Records{1: unknown, 2: known}, trust.BuyerSide},
		{trust.Records{1: known, 2: known}, ""},
		{trust.Records{1: unknown, 2: unknown}, ""},
		{trust.Records{1: known}, ""}, // the seller has left
	} {
		d := trade.Dispute{Trade: trade.Trade{Buyer: trade.Party{User: 1}, Seller: trade.Party{User: 2}}, Records: tt.records}
		if got := d.NewSide(); got != tt.want {
			t.Errorf("with %+v the new side is %q, want %q", tt.records, got, tt.want)
		}
	}
}

func TestAStandingAcceptanceIsWithinItsLimits(t *testing.T) {
	order := coretest.Order(func(o *trade.Order) { o.Quantity, o.Sold = 100, 20 })
	draft := trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: 60, FromOthers: 20, Until: coretest.Noon.Add(time.Hour)}
	if err := draft.Validate(order, coretest.Noon); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*trade.StandingDraft){
		"more than is left":  func(d *trade.StandingDraft) { d.FromPartners = 81 },
		"nothing":            func(d *trade.StandingDraft) { d.FromPartners, d.FromOthers = 0, 0 },
		"less than nothing":  func(d *trade.StandingDraft) { d.FromOthers = -1 },
		"of unknown sellers": func(d *trade.StandingDraft) { d.Sellers = "friends" },
		"of anybody twice":   func(d *trade.StandingDraft) { d.Sellers = trade.SellersAnybody },
		"in the past":        func(d *trade.StandingDraft) { d.Until = coretest.Noon },
		"for ever":           func(d *trade.StandingDraft) { d.Until = coretest.Noon.AddDate(1, 0, 0) },
	} {
		d := draft
		change(&d)
		if core.KindOf(d.Validate(order, coretest.Noon)) != core.Invalid {
			t.Errorf("%s: valid", name)
		}
	}
}
