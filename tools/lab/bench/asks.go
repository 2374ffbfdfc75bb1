package main

import (
	"context"
	"fmt"
	"net/url"
	"sync/atomic"

	"tradepost/bot/discordtest"
	"tradepost/cmd/capacity/model"
	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
)

// askData is what requests are written with.
type askData struct {
	pages   []string // paths that begin anywhere in the list
	ids     []int64  // of open requests
	ropes   []rope   // requests that accepting never fills
	cookies []string
	posted  *atomic.Int64
	market  *market.Market
	readers []core.UserID // of direct messages; empty unless they are measured
}

func (b *bench) askData(ctx context.Context) (d askData, err error) {
	d = askData{cookies: b.cookies, posted: &b.posted, market: market.New(b.store, market.Options{})}
	if d.pages, err = b.pagesFrom(ctx, match.Newest, open); err != nil {
		return d, err
	}
	if d.ids, err = b.ids(ctx, open, 1000); err != nil {
		return d, err
	}
	d.ropes, err = b.ropes(ctx)
	return d, err
}

// invite makes users whom direct messages reach.
func (d *askData) invite(ctx context.Context, discord *discordtest.Discord, many int) error {
	return play(func(t discordtest.TB) {
		for i := range many {
			name := fmt.Sprintf("reader%d", i)
			discord.Invite(name)
			player := discord.Player(t, name)
			user, err := d.market.People.SignIn(ctx,
				people.Profile{DiscordID: player.ID(), Username: player.Username()})
			if err != nil {
				t.Fatalf("sign in: %v", err)
			}
			d.readers = append(d.readers, user.ID)
		}
	})
}

// sendTo causes a direct message.
func (d askData) sendTo(ctx context.Context, n int) error {
	return d.market.Notify.SendTest(ctx, core.Actor{UserID: d.readers[n%len(d.readers)]})
}

var (
	someFilters = []string{"importance=urgent", "level=120", "minPrice=10000&maxPrice=1000000",
		"category=Miner", "category=Chef&sort=price"}
	someWords = []string{"iron", "wild mushroom", "obsidian", "velvet", "kraken", "guild hall"}
	ownLists  = []string{"/api/me", "/api/me/orders", "/api/me/offers", "/api/me/notices"}
)

// asksFor has how the n-th request of each kind is written, and the status of its answer. Commands and
// messages are no requests of the page.
var asksFor = map[model.Kind]func(d askData, n int) (asked ask, want int){
	model.Document:  func(askData, int) (ask, int) { return read("/") },
	model.FirstPage: func(askData, int) (ask, int) { return read("/api/orders") },
	model.Counts:    func(askData, int) (ask, int) { return read("/api/orders/counts") },
	model.AnyPage:   func(d askData, n int) (ask, int) { return read(d.pages[n%len(d.pages)]) },
	model.Filter: func(_ askData, n int) (ask,
		int) {
		return read("/api/orders?" + someFilters[n%len(someFilters)])
	},
	model.Search: func(_ askData, n int) (ask, int) {
		return read("/api/orders?q=" + url.QueryEscape(someWords[n%len(someWords)]))
	},
	model.OneRequest: func(d askData, n int) (ask, int) {
		return read(fmt.Sprintf("/api/orders/%d", d.ids[n%len(d.ids)]), d.cookie(n))
	},
	model.OwnLists: func(d askData, n int) (ask, int) { return read(ownLists[n%len(ownLists)], d.cookie(n)) },
	model.Offer: func(d askData, n int) (ask, int) {
		r := d.ropes[n%512]
		if r.Owner == int64(n%signedIn+1) {
			r = d.ropes[(n+1)%512]
		}
		return request("POST", fmt.Sprintf("/api/orders/%d/offers", r.Order),
			`{"sellerName":"Ropemaker","message":"I have a lot of it","quantityOffered":1}`,
			[]string{d.cookie(n)}), 201
	},
	model.Post: func(d askData, n int) (ask, int) {
		return request("POST", "/api/orders",
			fmt.Sprintf(`{"itemName":"Copper Ore","quantity":50,"maxPricePerUnit":%d,"description":"For the evening.","buyerContact":"player","confirmPrice":true,"category":"Miner"}`,
				100+d.posted.Add(1)), []string{d.cookie(n)}), 201
	},
	model.Accept: func(d askData, n int) (ask, int) {
		r := d.ropes[n%512]
		return request("POST", fmt.Sprintf("/api/offers/%d/accept", r.Offer), `{"quantity":1}`,
			[]string{d.cookies[r.Owner-1]}), 200
	},
}

func (d askData) cookie(n int) string { return d.cookies[n%signedIn] }

func read(path string, headers ...string) (ask, int) {
	return get(path, append(headers, gzipped)...), 200
}
