package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// What is assumed of people: docs/simulation.md lists it.
const (
	buyersWait = 7 * 24 * time.Hour // then they close what is not filled
	ofFive     = 2                  // of five people so many buy
	answerLag  = 30 * time.Minute   // on average, of somebody who is awake, to a message
	wakesAt    = 8                  // in one's own time; everybody sleeps from midnight
)

var (
	bulk  = []int{50, 100, 200, 500, 1000}
	zones = []int{1, 1, 1, -5, -5} // hours from UTC
	// byHour is how likely a visit or a request is in each hour of one's own day.
	byHour = []int{2, 1, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 5, 4, 4, 5, 6, 8, 10, 12, 12, 11, 8, 5}
)

// settle brings in the items and the people, and what each will do.
func (w *world) settle(ctx context.Context) error {
	// The queue finds its jobs by their state, which nothing keeps up to date here.
	if _, err := w.store.Pool().Exec(ctx, "create index on river_job (scheduled_at)"); err != nil {
		return err
	}
	for after := ""; ; {
		page, err := w.market.Items.Catalogue(ctx, items.CatalogueQuery{After: after})
		if err != nil {
			return err
		}
		for _, i := range page.Items {
			if len(i.MadeBy) > 0 && i.Known() {
				w.items = append(w.items, i)
			}
		}
		if after = page.Next; after == "" {
			break
		}
	}
	w.random.Shuffle(len(w.items), func(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] })
	sum := 0.0
	for n, item := range w.items {
		if w.uses {
			sum += float64(len(item.UsedBy))
		} else {
			sum += math.Pow(float64(n+1)+w.head, -w.skew)
		}
		w.weights = append(w.weights, sum)
	}
	for n := range w.traders {
		if err := w.join(ctx, n, rand.New(rand.NewPCG(w.seed, uint64(n)+1))); err != nil {
			return err
		}
	}
	for _, hours := range []int{1, 2, 4, 8, 16} { // of the first day on which requests are posted
		w.after(w.begin.Add(time.Duration(24+hours)*time.Hour), w.vacuum)
	}
	w.trustHourly()
	for day := range w.days + 1 + int(buyersWait/(24*time.Hour)) {
		w.after(w.begin.AddDate(0, 0, day), w.vacuum)
	}
	return w.vacuum(ctx)
}

// vacuum does what PostgreSQL does by itself when it is not told to be fast: without statistics it chooses
// plans for empty tables.
func (w *world) vacuum(ctx context.Context) error {
	_, err := w.store.Pool().Exec(ctx, "vacuum analyze orders, offers, notices, deliveries, mailboxes, stock, watches, watch_keys, watch_turns, alert_rounds, river_job, changes, users")
	return err
}

func (w *world) join(ctx context.Context, n int, random *rand.Rand) error {
	name := fmt.Sprintf("player_%d", n)
	user, err := w.market.People.SignIn(ctx,
		people.Profile{DiscordID: discordID(n), Username: name, DisplayName: name})
	if err != nil {
		return err
	}
	p := &person{Actor: user.Actor(), zone: zones[random.IntN(len(zones))], offered: map[core.OrderID]bool{}}
	w.byID[p.UserID] = p
	w.people = append(w.people, p)
	if n%5 < ofFive {
		p.standing = float64(n/5%100) < 100*w.standing
		for day := range w.days {
			for range times(random, w.posts) {
				draft := w.request(random, p)
				w.after(w.hours(random, p, day),
					func(ctx context.Context) error { return w.post(ctx, p, draft) })
			}
		}
		return nil
	}
	p.goods = map[string]int{}
	var has []items.Item
	for range w.goods {
		item := w.anItem(random)
		if p.goods[item.Name] == 0 {
			w.sellers[item.Name]++
		}
		p.goods[item.Name] = bulk[random.IntN(len(bulk))]
		has = append(has, item)
	}
	for day := range w.days + int(buyersWait/(24*time.Hour)) {
		for range times(random, w.visits) {
			w.after(w.hours(random, p, day), func(ctx context.Context) error { return w.visit(ctx, p) })
		}
	}
	w.refill(p)
	switch {
	case !w.alerts:
		return nil
	case n%5 < 4: // two of three sellers list what they have
		p.lists = true
		return w.listGoods(ctx, p)
	}
	return w.watch(ctx, p, has, n%10 == 4)
}

// listGoods says what a seller has, for matching only.
func (w *world) listGoods(ctx context.Context, p *person) error {
	var drafts []match.StockDraft
	for _, name := range slices.Sorted(maps.Keys(p.goods)) {
		drafts = append(drafts, match.StockDraft{ItemName: name, Quantity: p.goods[name], Price: 1})
	}
	_, err := w.market.Match.SaveStock(ctx, p.Actor, drafts)
	return err
}

// watch has a seller watch the items that they have, and a wide watcher the profession that makes the first
// of them as well.
func (w *world) watch(ctx context.Context, p *person, has []items.Item, wide bool) error {
	draft := match.SearchDraft{Bell: match.BellOn, Name: "What I have"}
	for _, item := range has {
		draft.Items = append(draft.Items, item.ID)
	}
	profession := has[0].Proposal(game.Standard()).Category
	if _, err := w.market.Match.AddSearch(ctx, p.Actor, draft); err != nil || !wide || profession == "" {
		return err
	}
	_, err := w.market.Match.AddSearch(ctx, p.Actor,
		match.SearchDraft{Bell: match.BellOn, Name: "My profession", Categories: []game.Category{profession}})
	return err
}

// anItem draws an item: the n-th in proportion to a power of n.
func (w *world) anItem(random *rand.Rand) items.Item {
	at := random.Float64() * w.weights[len(w.weights)-1]
	i, _ := slices.BinarySearch(w.weights, at)
	return w.items[min(i, len(w.items)-1)]
}

// request draws what a buyer asks for.
func (w *world) request(random *rand.Rand, p *person) trade.OrderDraft {
	item := w.anItem(random)
	draft := trade.OrderDraft{ItemName: item.Name, Quantity: bulk[random.IntN(len(bulk))],
		MaxPrice: core.Copper(1000 + random.IntN(9000)), BuyerContact: p.Username}
	if proposal := item.Proposal(game.Standard()); proposal.Category != "" {
		draft.Category = proposal.Category
	}
	return draft
}

// hours draws a time of a person's day.
func (w *world) hours(random *rand.Rand, p *person, day int) time.Time {
	total := 0
	for _, n := range byHour {
		total += n
	}
	n, hour := random.IntN(total), 0
	for n >= byHour[hour] {
		n -= byHour[hour]
		hour++
	}
	at := time.Duration(hour-p.zone)*time.Hour + time.Duration(random.IntN(3600))*time.Second
	return w.begin.AddDate(0, 0, day+1).Add(at)
}

// times draws how often something happens in a day that happens so often on average.
func times(random *rand.Rand, average float64) int {
	n := int(average)
	if random.Float64() < average-float64(n) {
		n++
	}
	return n
}
