package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tradepost/core"
	"tradepost/core/trade"
	"tradepost/sql/pgtest"
)

// atOnce runs do n times concurrently and returns the errors by number.
func atOnce(n int, do func(i int) error) []error {
	var (
		start = make(chan struct{})
		errs  = make([]error, n)
		wait  sync.WaitGroup
	)
	for i := range n {
		wait.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	wait.Wait()
	return errs
}

func TestOfManyAcceptsAtOnceAsManySucceedAsThereAreItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const accepts, rounds, lanes = 64, 200, 4
	var lane sync.WaitGroup
	var next atomic.Int64
	for range lanes {
		lane.Go(func() {
			for round := next.Add(1); round <= rounds; round = next.Add(1) {
				w.acceptRound(int(round), accepts)
			}
		})
	}
	lane.Wait()
	w.CheckInvariants()
}

func (w *world) acceptRound(round, accepts int) {
	t := w.T
	items := 1 + round%(accepts+8) // now and then more than are asked for
	order, err := w.Trade.PostOrder(t.Context(), w.Ann, trade.OrderDraft{ItemName: fmt.Sprint("Round ", round), Quantity: items, MaxPrice: 1, BuyerContact: "ann"})
	if err != nil {
		t.Error(err)
		return
	}
	var offers []core.OfferID
	for i := range 1 + round%4 {
		by := core.Actor{Address: "::1"}
		if i == 0 {
			by = w.Bob
		}
		sent, err := w.Trade.SendOffer(t.Context(), by, order.ID, trade.OfferDraft{SellerName: "S", SellerContact: "s", Message: "m", Quantity: items})
		if err != nil {
			t.Error(err)
			return
		}
		offers = append(offers, sent.Offer.ID)
	}
	errs := atOnce(accepts, func(i int) error {
		_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offers[i%len(offers)], 1)
		return err
	})
	succeeded := count(errs, func(err error) bool { return err == nil })
	if want := min(items, accepts); succeeded != want {
		t.Errorf("round %d: %d of %d accepts succeeded, want %d", round, succeeded, accepts, want)
	}
	for _, err := range errs {
		switch core.KindOf(err) {
		case 0, core.Conflict, core.NotFound, core.Invalid:
			if err != nil && core.KindOf(err) == 0 {
				t.Errorf("round %d: %v", round, err)
			}
		default:
			t.Errorf("round %d: refused as %s", round, core.KindOf(err))
		}
	}
	after, err := w.Store.Order(t.Context(), order.ID)
	if err != nil || after.Sold != succeeded || (after.Status == trade.Fulfilled) != (succeeded == items) {
		t.Errorf("round %d: %d accepts, order %+v, %v", round, succeeded, after, err)
	}
}

func TestAcceptRacesEveryOtherWriteOnItsOffer(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(w *world, ctx context.Context, order trade.Order, offer trade.Offer) error{
		"the buyer deletes the request": func(w *world, ctx context.Context, order trade.Order, _ trade.Offer) error {
			return w.Trade.DeleteOrder(ctx, w.Ann, order.ID)
		},
		"the buyer closes the request": func(w *world, ctx context.Context, order trade.Order, _ trade.Offer) error {
			_, err := w.Trade.CloseOrder(ctx, w.Ann, order.ID)
			return err
		},
		"the buyer asks for less": func(w *world, ctx context.Context, order trade.Order, _ trade.Offer) error {
			less := 2
			_, err := w.Trade.EditOrder(ctx, w.Ann, order.ID, trade.OrderEdit{Version: order.Version, Quantity: &less})
			return err
		},
		"the buyer deletes the offer": func(w *world, ctx context.Context, _ trade.Order, offer trade.Offer) error {
			return w.Trade.DeleteOffer(ctx, w.Ann, offer.ID)
		},
		"the seller withdraws": func(w *world, ctx context.Context, _ trade.Order, offer trade.Offer) error {
			return w.Trade.DeleteOffer(ctx, w.Bob, offer.ID)
		},
		"the seller makes another offer": func(w *world, ctx context.Context, order trade.Order, _ trade.Offer) error {
			_, err := w.Trade.SendOffer(ctx, w.Bob, order.ID, trade.OfferDraft{SellerName: "B", Message: "m", Quantity: 1})
			return err
		},
		"the buyer logs a sale": func(w *world, ctx context.Context, order trade.Order, _ trade.Offer) error {
			_, err := w.Trade.LogSale(ctx, w.Ann, order.ID, trade.SaleDraft{Quantity: 8})
			return err
		},
		"the same is accepted again": func(w *world, ctx context.Context, _ trade.Order, offer trade.Offer) error {
			_, err := w.Trade.AcceptOffer(ctx, w.Ann, offer.ID, 3)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			won := [2]int{}
			for range 40 {
				order := w.Post(w.Ann)
				offer := w.OfferOn(w.Bob, order, 3)
				errs := atOnce(2, func(i int) error {
					if i == 0 {
						_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 3)
						return err
					}
					return other(w, t.Context(), order, offer)
				})
				for i, err := range errs {
					if err == nil {
						won[i]++
					} else if k := core.KindOf(err); k != core.Conflict && k != core.NotFound && k != core.Invalid {
						t.Fatalf("%d: %v", i, err)
					}
				}
				if errs[0] != nil && errs[1] != nil {
					t.Fatalf("both were refused: %v", errs)
				}
			}
			w.CheckInvariants()
			t.Logf("the accept went through %d times, the other %d times", won[0], won[1])
		})
	}
}

func TestOneOfConcurrentEditsReturnsConflict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 50 {
		order := w.Post(w.Ann)
		errs := atOnce(2, func(i int) error {
			name := fmt.Sprint("Name ", i)
			_, err := w.Trade.EditOrder(t.Context(), w.Ann, order.ID, trade.OrderEdit{Version: order.Version, ItemName: &name})
			return err
		})
		refused := count(errs, func(err error) bool { return core.KindOf(err) == core.Conflict })
		if refused != 1 || count(errs, func(err error) bool { return err == nil }) != 1 {
			t.Fatalf("errors = %v", errs)
		}
	}
}

func TestASellersOffersAtOnceLeaveOneStanding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 20 {
		order := w.Post(w.Ann)
		for i, err := range atOnce(8, func(i int) error {
			_, err := w.Trade.SendOffer(t.Context(), w.Bob, order.ID, trade.OfferDraft{SellerName: "B", Message: "m", Quantity: i + 1})
			return err
		}) {
			if err != nil {
				t.Fatalf("offer %d: %v", i, err)
			}
		}
		if n := w.Value("select count(*) from offers where order_id = $1", order.ID); n != 1 {
			t.Fatalf("%d offers are open", n)
		}
	}
	w.CheckInvariants()
}

// A write locks the order before its offer: otherwise two writes could wait for each other.
func TestAnOrderIsLockedBeforeItsOffer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.Post(w.Ann)
	offer := w.OfferOn(w.Bob, order, 3)
	holder := connect(t, w.DSN)
	tx, err := holder.Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "select from orders where id = $1 for update", order.ID)
	must(t, err)

	accepted := make(chan error, 1)
	go func() {
		_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 3)
		accepted <- err
	}()
	w.waitUntilSomebodyWaits()
	if _, err := tx.Exec(t.Context(), "select from offers where id = $1 for update nowait", offer.ID); err != nil {
		t.Errorf("the offer was locked before its order: %v", err)
	}
	// What the holder does while the other waits is what the other sees.
	_, err = tx.Exec(t.Context(), "update offers set quantity_offered = 2 where id = $1", offer.ID)
	must(t, err)
	must(t, tx.Commit(t.Context()))
	wantKind(t, <-accepted, core.Invalid)
}

// waitUntilSomebodyWaits returns once a statement on the world's database waits for a lock.
func (w *world) waitUntilSomebodyWaits() {
	w.T.Helper()
	watcher := connect(w.T, w.DSN)
	for waiting := false; !waiting; {
		must(w.T, watcher.QueryRow(w.T.Context(),
			"select exists(select from "+pgtest.Sessions()+" where datname = current_database() and wait_event_type = 'Lock')").Scan(&waiting))
	}
}
