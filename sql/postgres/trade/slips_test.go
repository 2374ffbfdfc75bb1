package trade_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/trade"
)

// slip reads what is open between Ann and Bob as one of them sees it.
func (w *world) slip(reader, partner core.Actor) trade.Slip {
	w.T.Helper()
	s, err := w.Trade.Slip(w.T.Context(), reader, partner.UserID)
	must(w.T, err)
	return s
}

func TestASlipHasAllThatIsOpenBetweenTwo(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	named := func(d *trade.OrderDraft) { d.InGameName = "Annie#7"; d.Description = "By the bank" }
	done, err := w.Trade.AcceptOfferBy(t.Context(), w.Ann, w.OfferOn(w.Bob, w.Post(w.Ann, named), 4).ID, 4, w.Clock.Now().Add(40*time.Hour))
	must(t, err)
	sold, err := w.Trade.AcceptOfferBy(t.Context(), w.Bob, w.OfferOn(w.Ann, w.Post(w.Bob), 3).ID, 3, w.Clock.Now().Add(2*time.Hour))
	must(t, err)
	_, err = w.Trade.AcceptOffer(t.Context(), w.Ann, w.OfferOn(w.Cat, w.Post(w.Ann), 2).ID, 2)
	must(t, err)
	_, err = w.Trade.SetInGameName(t.Context(), w.Ann, " Ann#1 ")
	must(t, err)

	s := w.slip(w.Bob, w.Ann)
	if len(s.Lines) != 2 || s.Lines[0].Trade.Sale != sold.Sale.ID || s.Lines[1].Trade.Sale != done.Sale.ID {
		t.Fatalf("lines: %+v", s.Lines)
	}
	if s.Lines[1].Description != "By the bank" || s.Lines[1].Message == "" {
		t.Errorf("texts: %+v", s.Lines[1])
	}
	if !slices.Equal(s.Partner.InGameNames, []string{"Ann#1", "Annie#7"}) || s.Own.InGameNames != nil {
		t.Errorf("in-game names %q and %q", s.Partner.InGameNames, s.Own.InGameNames)
	}
	for _, other := range []core.Actor{w.Cat, w.Moderator()} {
		for _, side := range []core.Actor{w.Bob, other} {
			_, err := w.Trade.Slip(t.Context(), other, side.UserID)
			wantKind(t, err, core.NotFound)
		}
	}
	_, err = w.Trade.Slip(t.Context(), core.Actor{}, w.Ann.UserID)
	wantKind(t, err, core.Unauthenticated)
	partners, err := w.Trade.SlipPartners(t.Context(), w.Ann)
	must(t, err)
	if len(partners) != 2 || partners[0].User != w.Cat.UserID || partners[1].User != w.Bob.UserID || partners[1].Open != 2 {
		t.Errorf("partners: %+v", partners)
	}

	off := market.New(w.Store, market.Options{Now: w.Clock.Now, Forms: coretest.Forms})
	_, err = off.Trade.Slip(t.Context(), w.Bob, w.Ann.UserID)
	wantKind(t, err, core.NotFound)
	wantKind(t, off.Trade.SetMeetingPlace(t.Context(), w.Bob, w.Ann.UserID, "Here"), core.NotFound)
	_, err = off.Trade.SetInGameName(t.Context(), w.Bob, "Bob")
	wantKind(t, err, core.NotFound)
}

func TestASlipIsAnsweredAsAWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	first, second, third := w.accepts(1).ID, w.accepts(2).ID, w.accepts(3).ID
	w.Clock.Forward(trade.AgreedWithin)
	_, err := w.Trade.SayHandovers(t.Context(), w.Bob, []core.SaleID{second}, trade.SaidNotMet)
	must(t, err)
	w.Clock.Forward(trade.AnswerWithin)
	w.process()
	var failed *core.Error
	_, err = w.Trade.SayHandovers(t.Context(), w.Ann, []core.SaleID{third, second, 999, first}, trade.SaidMet)
	if !errors.As(err, &failed) || failed.Kind != core.Conflict || len(failed.Fields) != 2 || failed.Fields[0].Field != "sales[2]" ||
		failed.Fields[1].Field != "sales[3]" || failed.Fields[0].Message == failed.Fields[1].Message {
		t.Fatalf("%+v", failed)
	}
	if n := w.Value("select count(*) from handovers where buyer_word is not null"); n != 0 {
		t.Errorf("%d words are half saved", n)
	}
	for range 2 { // again changes nothing
		_, err = w.Trade.SayHandovers(t.Context(), w.Ann, []core.SaleID{third, first}, trade.SaidMet)
		must(t, err)
	}
	if s := w.slip(w.Bob, w.Ann); len(s.Lines) != 2 || len(s.Waiting(w.Clock.Now())) != 2 {
		t.Errorf("open for Bob: %+v", s.Lines)
	}
	if s := w.slip(w.Ann, w.Bob); len(s.Waiting(w.Clock.Now())) != 0 || s.Totals(w.Clock.Now()).Pay.Sign() != 0 {
		t.Errorf("still asks Ann: %+v", s)
	}
	_, err = w.Trade.SayHandovers(t.Context(), w.Bob, []core.SaleID{third, first}, trade.SaidMet)
	must(t, err)
	_, err = w.Trade.Slip(t.Context(), w.Bob, w.Ann.UserID)
	wantKind(t, err, core.NotFound)
	w.CheckInvariants()
}

func TestEitherSideSaysWhereTheyMeet(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	say := func(who, partner core.Actor, place string) error {
		return w.Trade.SetMeetingPlace(t.Context(), who, partner.UserID, place)
	}
	wantKind(t, say(w.Ann, w.Bob, "Here"), core.NotFound)
	w.accepts(1)
	must(t, say(w.Bob, w.Ann, "  By the   fountain "))
	if p := w.slip(w.Ann, w.Bob).Place; p.Text != "By the fountain" || p.SaidBy != w.Bob.UserID {
		t.Errorf("place: %+v", p)
	}
	must(t, say(w.Ann, w.Bob, "At the docks"))
	if p := w.slip(w.Bob, w.Ann).Place; p.Text != "At the docks" || p.SaidBy != w.Ann.UserID {
		t.Errorf("place: %+v", p)
	}
	data, err := w.ExportAccount(t.Context(), w.Bob)
	must(t, err)
	if len(data.Places) != 1 || data.Places[0].Partner != w.Ann.UserID {
		t.Errorf("exported: %+v", data.Places)
	}
	wantKind(t, say(w.Cat, w.Ann, "Here"), core.NotFound)
	wantKind(t, say(w.Ann, w.Bob, "Click here for free money"), core.Invalid)
	wantKind(t, say(w.Ann, w.Bob, strings.Repeat("x", core.MaxMeetingPlace+1)), core.Invalid)

	must(t, w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())", w.Ann.UserID, w.Bob.UserID))
	wantKind(t, say(w.Bob, w.Ann, "Somewhere else"), core.Forbidden)
	if s := w.slip(w.Ann, w.Bob); s.Place.Text != "" || s.CanSayPlace || len(s.Lines) != 1 {
		t.Errorf("after a block: %+v", s)
	}
	must(t, w.SQL("delete from blocked_sellers"))
	must(t, say(w.Bob, w.Ann, ""))
	if n := w.Value("select count(*) from meeting_places"); n != 0 {
		t.Errorf("%d places are left", n)
	}
	must(t, say(w.Bob, w.Ann, "By the fountain"))
	w.Clock.Forward(91 * 24 * time.Hour)
	must(t, w.Store.Cleanup(t.Context()))
	if n := w.Value("select count(*) from meeting_places"); n != 0 {
		t.Errorf("%d places are kept for ever", n)
	}
}

func TestAPartnerWhoLeavesIsOnNoSlip(t *testing.T) {
	t.Parallel()
	w := withHandovers(t)
	w.accepts(1)
	must(t, w.Trade.SetMeetingPlace(t.Context(), w.Bob, w.Ann.UserID, "By the fountain"))
	_, err := w.Trade.SetInGameName(t.Context(), w.Bob, "Bobby#9")
	must(t, err)
	must(t, w.DeleteUser(t.Context(), w.Bob.UserID))
	_, err = w.Trade.Slip(t.Context(), w.Ann, w.Bob.UserID)
	wantKind(t, err, core.NotFound)
	partners, err := w.Trade.SlipPartners(t.Context(), w.Ann)
	must(t, err)
	if found := w.Named("bobby#9"); len(partners) != 0 || len(found) != 0 || len(w.Named("fountain")) != 0 {
		t.Errorf("partners %+v, named in %q", partners, found)
	}
	w.CheckInvariants()
}
