package postgres_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/core/trust"
)

// honestMarket has sixteen people trade with each other, of whom moderators vouched for four.
func (r trader) honestMarket() []core.Actor {
	r.T.Helper()
	honest := r.people("honest", 16)
	r.vouched(honest[:4]...)
	for i, seller := range honest {
		for _, step := range []int{1, 3, 4} {
			r.trades(honest[(i+step)%len(honest)], seller, "")
		}
		r.Clock.Forward(time.Hour)
	}
	return honest
}

func (r trader) proposals() []trust.ProposedRing {
	r.T.Helper()
	r.Clock.Forward(time.Hour) // trust is computed again
	must(r.T, r.Trust.FindTraders(r.T.Context()))
	rings, err := r.Trust.ProposedRings(r.T.Context(), r.Moderator())
	must(r.T, err)
	return rings
}

func TestARingIsFoundSetAsideAndCountsAgain(t *testing.T) {
	t.Parallel()
	r, iron := newPricedMarket(t)
	r.Market = market.New(r.Store, market.Options{Now: r.Clock.Now, Forms: coretest.Forms,
		Features: core.Features{Items: true, Prices: true, Handover: true}})
	mod := r.Moderator()
	meets := func(seller, buyer core.Actor, price core.Copper, apart time.Duration) {
		t.Helper()
		sale := r.agrees(seller, buyer, "Iron Ore", price)
		for _, side := range []core.Actor{seller, buyer} {
			_, err := r.Trade.SayHandovers(t.Context(), side, []core.SaleID{sale}, trade.SaidMet)
			must(t, err)
			r.Clock.Forward(apart)
		}
	}
	price := func() string {
		t.Helper()
		got, err := r.Items.Prices(t.Context(), iron, false)
		must(t, err)
		if p := got.Windows[0].Price; p != nil {
			return fmt.Sprint(p.Median, " from ", p.Fills)
		}
		return "none"
	}
	honest, puppets := r.people("honest", 12), r.people("puppet", 5)
	r.vouched(honest[0]) // the market stays young: all trades count
	for i, seller := range honest {
		for _, step := range []int{1, 3} {
			meets(seller, honest[(i+step)%len(honest)], 100, 10*time.Minute)
		}
	}
	before := price()
	for i, seller := range puppets {
		for j, buyer := range puppets[:i] {
			apart := 20 * time.Second
			if (i+j)%3 == 0 {
				apart = time.Minute
			}
			paid := core.Copper(1)
			if (i+j)%4 == 0 {
				paid = 400
			}
			meets(seller, buyer, paid, apart)
		}
	}
	meets(honest[5], puppets[0], 100, 20*time.Second)
	moved := price()
	if moved == before {
		t.Fatalf("the puppets have not moved the price %s", before)
	}

	rings := r.proposals()
	want := trust.RingFacts{Accounts: 5, Trades: 11, Inside: 10, OneCopper: 8, SameMinute: 7}
	if len(rings) != 1 || rings[0].RingFacts != want || len(rings[0].Members) != 5 || rings[0].Members[4].Username != "puppet4" {
		t.Fatalf("the proposals are %+v, want one of the puppets with %+v", rings, want)
	}
	if again := r.proposals(); len(again) != 1 || again[0].ID != rings[0].ID {
		t.Errorf("once more the proposals are %+v, want %d again", again, rings[0].ID)
	}
	wantKind(t, r.Trust.DismissRing(t.Context(), r.Ann, rings[0].ID), core.Forbidden)
	_, err := r.Trust.SetAside(t.Context(), core.Actor{}, rings[0].ID)
	wantKind(t, err, core.Unauthenticated)
	_, err = r.Trust.ProposedRings(t.Context(), r.Ann)
	wantKind(t, err, core.Forbidden)
	member := puppets[0]
	member.Moderator = true
	_, err = r.Trust.SetAside(t.Context(), member, rings[0].ID)
	wantKind(t, err, core.Forbidden)
	wantKind(t, r.Trust.DismissRing(t.Context(), member, rings[0].ID), core.Forbidden)

	aside, err := r.Trust.SetAside(t.Context(), mod, rings[0].ID)
	if err != nil || len(aside) != 5 {
		t.Fatalf("%+v are set aside, %v", aside, err)
	}
	_, err = r.Trust.SetAside(t.Context(), mod, rings[0].ID)
	wantKind(t, err, core.NotFound)
	if got := price(); got != before {
		t.Errorf("without the ring the price is %s, want %s", got, before)
	}
	if again := r.proposals(); len(again) != 0 {
		t.Errorf("those set aside are proposed: %+v", again)
	}
	set, err := r.Trust.Rings(t.Context(), mod)
	if err != nil || len(set) != 1 || len(set[0].Members) != 5 ||
		set[0].Reason != "90 % of their 11 trades are with each other; 8 of 10 trades between them were at the lowest price there is; "+
			"both confirmed 7 of 10 trades between them within one minute" {
		t.Fatalf("set aside are %+v, %v", set, err)
	}
	must(t, r.Trust.CountAgain(t.Context(), mod, set[0].ID))
	if got := price(); got != moved {
		t.Errorf("once they count again the price is %s, want %s", got, moved)
	}
	r.CheckInvariants()
}

func TestADismissedRingIsNotProposedAgain(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	honest, puppets := r.honestMarket(), r.people("puppet", 5)
	among := func(puppets []core.Actor) {
		for i, puppet := range puppets {
			for _, other := range puppets[:i] {
				order := r.Post(puppet, func(d *trade.OrderDraft) { d.MaxPrice = 1 })
				_, err := r.Trade.AcceptOffer(t.Context(), puppet, r.OfferOn(other, order, 1).ID, 1)
				must(t, err)
			}
			r.Clock.Forward(time.Hour)
		}
	}
	among(puppets[:4])
	r.Clock.Forward(core.SettledAfter)
	rings := r.proposals()
	if len(rings) != 1 || rings[0].OneCopper != 6 {
		t.Fatalf("the proposals are %+v", rings)
	}
	must(t, r.Trust.DismissRing(t.Context(), r.Moderator(), rings[0].ID))
	wantKind(t, r.Trust.DismissRing(t.Context(), r.Moderator(), rings[0].ID), core.NotFound)
	_, err := r.Trust.SetAside(t.Context(), r.Moderator(), rings[0].ID)
	wantKind(t, err, core.NotFound)
	if n := r.Value("select count(*) from audit_entries where action = 'user_not_in_ring' and reason = ''"); n != 4 {
		t.Errorf("%d decisions are logged, want one for each account", n)
	}
	among(puppets[:4]) // more trades of the same accounts
	r.Clock.Forward(core.SettledAfter)
	if again := r.proposals(); len(again) != 0 {
		t.Errorf("the same accounts are proposed again: %+v", again)
	}
	among(puppets)
	r.Clock.Forward(core.SettledAfter)
	again := r.proposals()
	if len(again) != 1 || len(again[0].Members) != 5 || again[0].ID == rings[0].ID {
		t.Errorf("with another member the proposals are %+v", again)
	}
	if n := r.Value("select count(*) from proposed_rings"); n != 1 {
		t.Errorf("%d proposals are stored: the job no longer makes the first", n)
	}
	// Once they trade with others as much, they are no ring.
	for _, puppet := range puppets {
		for _, other := range honest {
			r.trades(puppet, other, "")
		}
		r.Clock.Forward(time.Hour)
	}
	r.Clock.Forward(core.SettledAfter)
	if again := r.proposals(); len(again) != 0 {
		t.Errorf("accounts that trade with everybody are proposed: %+v", again)
	}
	if n := r.Value("select count(*) from proposed_rings"); n != 0 {
		t.Errorf("%d proposals are stored", n)
	}
	r.CheckInvariants()
}

func TestAProposalWithAMemberWhoIsSetAsideIsNotListed(t *testing.T) {
	t.Parallel()
	r := newTrader(t)
	mod, people := r.Moderator(), r.people("trader", 4)
	_, err := r.Trust.SetAside(t.Context(), mod, r.proposed(people[0], people[1]))
	must(t, err)
	late, err := coretest.Propose(t.Context(), r.Store.Atomically, r.Store, people[0].UserID, people[1].UserID)
	if err != nil || late != 0 {
		t.Errorf("what the job computed before is listed as %d, %v", late, err)
	}
	id := core.ProposedRingID(r.Value("select id from proposed_rings"))
	_, err = r.Trust.SetAside(t.Context(), mod, id)
	wantKind(t, err, core.Conflict)
	// An account that is deleted leaves its proposal.
	r.proposed(people[2], people[3])
	must(t, r.DeleteUser(t.Context(), people[2].UserID))
	rings, err := r.Trust.ProposedRings(t.Context(), mod)
	if err != nil || len(rings) != 1 || !slices.Equal([]core.UserID{people[3].UserID}, []core.UserID{rings[0].Members[0].ID}) {
		t.Errorf("without an account the proposals are %+v, %v", rings, err)
	}
}
