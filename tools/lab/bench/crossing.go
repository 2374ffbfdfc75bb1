package main

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

//go:embed crossing.sql
var standing string

const (
	crossedRows = 300
	// rowsAreSlow is the goal of the issue for *For me* and crossing among 100,000 rows of each side.
	rowsAreSlow = 50 * time.Millisecond
)

// crossing measures *For me*, a request and a listing that stand, and posts, where 100,000 listings and 25,000
// of 100,000 requests stand.
func (a *alertBench) crossing(ctx context.Context) error {
	if err := a.manyListings(ctx); err != nil {
		return err
	}
	var listings, requests int
	if err := a.store.Pool().QueryRow(ctx, `select (select count(*) from stock where public and sells_daily > 0),
		(select count(*) from orders where status = 'active')`).Scan(&listings, &requests); err != nil {
		return err
	}
	among := fmt.Sprintf("%s requests, %s listings that stand", count(float64(requests)), count(float64(listings)))
	took, listed, err := a.fillLists(ctx)
	if err != nil {
		return err
	}
	a.foundTimes(fmt.Sprintf("For me among %s (%d listed)", among, listed), "p99 < 50 ms", took, rowsAreSlow)
	if err := a.requestsCross(ctx, among); err != nil {
		return err
	}
	if err := a.listingsCross(ctx, among); err != nil {
		return err
	}
	const everything = "all,listings,crossing,tokens,webhooks"
	if err := a.compareFeatures(ctx, "posts a second with everything on, of those without", everything, false); err != nil {
		return err
	}
	return a.compareFeatures(ctx, "the same, and every fourth post also buys from listings", everything, true)
}

// requestsCross measures requests that begin to take offers as they come, and trade.
func (a *alertBench) requestsCross(ctx context.Context, among string) error {
	rows, err := a.store.Pool().Query(ctx, `select id, user_id, quantity from orders where status = 'active' and id % 4 = 1
		order by id limit $1`, 20+crossedRows)
	if err != nil {
		return err
	}
	type row struct {
		order core.OrderID
		owner core.UserID
		n     int
	}
	var all []row
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.order, &r.owner, &r.n); err != nil {
			return err
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var took []time.Duration
	for n, r := range all {
		began := time.Now()
		if _, err := a.market.Trade.SetStanding(ctx, core.Actor{UserID: r.owner}, r.order, trade.StandingDraft{
			Sellers: trade.SellersAnybody, FromOthers: r.n, Until: time.Now().Add(20 * core.Day)}); err != nil {
			return err
		}
		if n >= 20 {
			took = append(took, time.Since(began))
		}
	}
	return a.foundCrossed(ctx, "a request begins to stand among "+among, took)
}

// listingsCross measures listings that begin to sell without asking, and trade.
func (a *alertBench) listingsCross(ctx context.Context, among string) error {
	var took []time.Duration
	for n := range 20 + crossedRows {
		seller := core.Actor{UserID: core.UserID(1 + n%64), PriceConfirmed: true}
		item := a.items[n*41%len(a.items)]
		began := time.Now()
		if _, err := a.market.Match.SaveStock(ctx, seller, []match.StockDraft{{ItemName: item.Name, Quantity: 200,
			Price: core.Copper(1 + n*7919%100_000), Public: true, SellsDaily: 200}}); err != nil {
			return err
		}
		if n >= 20 {
			took = append(took, time.Since(began))
		}
	}
	return a.foundCrossed(ctx, "a listing begins to stand among "+among, took)
}

// foundCrossed notes how long rows took, and how many trades they made.
func (a *alertBench) foundCrossed(ctx context.Context, what string, took []time.Duration) error {
	var trades int
	if err := a.store.Pool().QueryRow(ctx, `select count(*) from order_updates where crossed_with is not null
		and created_at > $1`, a.crossedBefore).Scan(&trades); err != nil {
		return err
	}
	a.crossedBefore = time.Now()
	a.foundTimes(fmt.Sprintf("%s (%.1f trades each)", what, float64(trades)/float64(20+crossedRows)), "p99 < 50 ms", took,
		rowsAreSlow)
	return nil
}

// standsInPost has a post take offers as they come.
const standsInPost = `,"standing":"anybody"`
