package trade_test

import (
	"fmt"
	"testing"
	"testing/quick"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// on returns an offer on an order of which 100 are left.
func on(id core.OfferID, seller core.UserID, quantity int) trade.OpenOffer {
	return trade.OpenOffer{
		Order: trade.Order{ID: 7, Owner: 1, OrderDraft: trade.OrderDraft{Quantity: 120, MaxPrice: 250}, Sold: 20},
		Offer: trade.Offer{ID: id, OrderID: 7, Seller: seller, Quantity: quantity, Price: 250},
	}
}

// sellers are known to the buyer: by the number of the seller.
var sellers = map[core.UserID]trust.Acquaintance{
	2: {Record: trust.Record{Trusted: true, Kept: 100}},
	3: {Record: trust.Record{Trusted: true, Kept: 90}},
	4: {Record: trust.Record{Kept: trust.NoShare}},
	5: {Record: trust.Record{Kept: 100}, Met: 3},
	6: {Record: trust.Record{Trusted: true, Kept: 60}, Met: 9},
	7: {Record: trust.Record{Trusted: true, Kept: 98}, Met: 1},
}

func inWords(choices []trade.Choice) string {
	var text string
	for _, c := range choices {
		text += fmt.Sprintf("%d%v ", c.Offer.ID, c.Why)
	}
	return text
}

func TestTheOfferToChooseFirstIsFirst(t *testing.T) {
	t.Parallel()
	cheaper := on(13, 4, 10)
	cheaper.Offer.Price = 240
	for name, test := range map[string]struct {
		offers []trade.OpenOffer
		want   string
	}{
		"alone":                     {[]trade.OpenOffer{on(10, 4, 10)}, "10[] "},
		"of a kind, the oldest":     {[]trade.OpenOffer{on(12, 4, 10), on(11, 8, 10)}, "11[earliest] 12[] "},
		"of a kind, the cheaper":    {[]trade.OpenOffer{cheaper, on(12, 4, 10)}, "13[cheaper] 12[earliest] "},
		"met before bringing all":   {[]trade.OpenOffer{on(12, 5, 10), on(11, 3, 100)}, "12[met] 11[all earliest] "},
		"both met, who brings all":  {[]trade.OpenOffer{on(12, 5, 10), on(11, 7, 100)}, "11[met all reliable earliest] 12[met] "},
		"both met, the more often":  {[]trade.OpenOffer{on(12, 5, 10), on(11, 7, 10)}, "12[met] 11[met reliable earliest] "},
		"all before reliable":       {[]trade.OpenOffer{on(12, 4, 100), on(11, 2, 99)}, "12[all] 11[reliable earliest] "},
		"reliable, known, new":      {[]trade.OpenOffer{on(11, 4, 10), on(12, 3, 10), on(13, 2, 10)}, "13[reliable] 12[] 11[earliest] "},
		"a visitor with all is not": {[]trade.OpenOffer{on(11, 0, 200), on(12, 4, 10)}, "12[] 11[all earliest] "},
		"who missed is last":        {[]trade.OpenOffer{on(11, 6, 200), on(12, 0, 10)}, "12[] 11[missed met all earliest] "},
	} {
		if got := inWords(trade.BestFirst(test.offers, sellers)); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestTheOrderOfChoicesIsThatOfTheOffersThemselves(t *testing.T) {
	t.Parallel()
	// Whatever order the store returns: the choices are the same.
	same := func(seed []uint8) bool {
		var offers, backward []trade.OpenOffer
		for i, n := range seed {
			o := on(core.OfferID(i+1), core.UserID(n%8), int(n)/2+1)
			offers, backward = append(offers, o), append([]trade.OpenOffer{o}, backward...)
		}
		return inWords(trade.BestFirst(offers, sellers)) == inWords(trade.BestFirst(backward, sellers))
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}
