package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// What a grown market has behind it.

const (
	daysBefore   = 30 // over which people traded before the first day
	vouchesDaily = 2  // by the moderator, while the market is young
)

// grow has the people of a plan trade with each other before the first day: everybody as often on average,
// each buyer with a seller who was drawn. Both say that they met. It fails where the market stays young.
func grow(ctx context.Context, dsn string, p plan) error {
	w, closeIt, err := open(ctx, dsn, p, firstDay().AddDate(0, 0, -daysBefore), core.Quotas{})
	if err != nil {
		return err
	}
	defer closeIt()
	if err := w.knowItems(ctx); err != nil {
		return err
	}
	var buyers, sellers []*person
	for n := range p.traders {
		joined, err := w.join(ctx, n)
		if err != nil {
			return err
		}
		if joined.buys {
			buyers = append(buyers, joined)
		}
		if joined.sells {
			sellers = append(sellers, joined)
		}
	}
	random, trades := draw(p.seed, "before"), p.traders*p.before/2
	for day := range daysBefore {
		for range trades*(day+1)/daysBefore - trades*day/daysBefore {
			buyer, seller := buyers[random.IntN(len(buyers))], sellers[random.IntN(len(sellers))]
			item := pick(random, w.demand)
			price := priceOf(random, w.usual[item])
			if buyer == seller {
				continue
			}
			if err := w.traded(ctx, buyer, seller, w.items[item].Name, price); err != nil {
				return err
			}
		}
		if err := w.vacuum(ctx); err != nil {
			return err
		}
		w.now.Store(w.begin.AddDate(0, 0, day+1).Add(-time.Hour).UnixMicro())
		if err := w.market.Trust.FindTraders(ctx); err != nil {
			return err
		}
		w.vouches = vouchesDaily
		if err := w.look(ctx, true); err != nil {
			return err
		}
	}
	if w.result.grown == nil {
		return errors.New("the market is still young: play more traders, or from zero trust")
	}
	_, err = w.store.Pool().Exec(ctx, "delete from river_job") // messages that were read long ago
	return err
}

// traded has one buy of another, and both say that they met.
func (w *world) traded(ctx context.Context, buyer, seller *person, item string, price core.Copper) error {
	w.now.Add(time.Minute.Microseconds())
	order, err := w.market.Trade.PostOrder(ctx, buyer.Actor, trade.OrderDraft{ItemName: item,
		Quantity: bulk[0], MaxPrice: price, BuyerContact: buyer.Username})
	if core.KindOf(err) == core.Conflict {
		return nil // they just bought the same
	}
	if err != nil {
		return err
	}
	sent, err := w.market.Trade.SendOffer(ctx, seller.Actor, order.ID,
		trade.OfferDraft{SellerName: seller.Username, Message: "I have some", Quantity: bulk[0]})
	if err != nil {
		return err
	}
	done, err := w.market.Trade.AcceptOffer(ctx, buyer.Actor, sent.Offer.ID, bulk[0])
	if err != nil {
		return err
	}
	w.result.trades++
	for _, p := range []*person{buyer, seller} {
		_, err := w.market.Trade.SayHandovers(ctx, p.Actor, []core.SaleID{done.Sale.ID}, trade.SaidMet)
		if err != nil {
			return fmt.Errorf("%s says that they met: %w", p.Username, err)
		}
	}
	return nil
}
