package main

import (
	"context"
	"fmt"
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
	buyersWait = 7 * core.Day                             // then they close what is not filled
	meetWithin = trade.AgreedWithin + trade.ConfirmWithin // then the program asks about a trade no more
	neverMet   = buyersWait + meetWithin                  // what a request counts as that was not handed over
	answerLag  = 30 * time.Minute                         // on average, of a person who is awake, to a message
	wakesAt    = 8                                        // in one's own time; everybody sleeps from midnight
)

var zones = []int{1, 1, 1, -5, -5} // hours from UTC

// kind is what a person does in the market, and how they hear of requests where there are alerts.
type kind struct {
	buys, sells bool
	lists       bool // what they have: of three sellers two do, the third has a saved search with a bell
	wide        bool // and half of these one more, for a profession
}

// kindOf returns what the n-th person does: of five one buys, two sell and two do both.
func kindOf(n int) kind {
	k := kind{buys: n%5 == 0 || n%5 >= 3, sells: n%5 != 0}
	switch third := n / 5 % 6; {
	case !k.sells:
	case third%3 < 2:
		k.lists = true
	default:
		k.wide = third >= 3
	}
	return k
}

// person buys or sells, or both.
type person struct {
	core.Actor
	kind
	n        int
	zone     int
	usual    time.Duration // the time of their own day that they usually play at
	sessions []session
	searches bool    // for what they have, whenever they play
	standing float64 // of a buyer: offers are accepted as they come where so many percent of buyers do that
	goods    []*good
	offered  map[core.OrderID]bool
}

// request is what a buyer asks for.
type request struct {
	n    int // of the buyer's
	item int
	at   time.Time
	trade.OrderDraft
}

// settle brings in the items and the people, and what each will do.
func (w *world) settle(ctx context.Context) error {
	// The queue finds its jobs by their state, which nothing keeps up to date here.
	if _, err := w.store.Pool().Exec(ctx, "create index on river_job (scheduled_at)"); err != nil {
		return err
	}
	if err := w.knowItems(ctx); err != nil {
		return err
	}
	for n := range w.traders {
		p, err := w.join(ctx, n)
		if err != nil {
			return err
		}
		w.playsLater(p)
		if p.buys {
			w.asksLater(p)
		}
		if err := w.tellHours(ctx, p); err != nil {
			return err
		}
		if !w.alerts || !p.sells {
			continue
		}
		hears := w.watch
		if p.lists {
			hears = func(ctx context.Context, p *person) error { return w.listGoods(ctx, p, p.goods) }
		}
		if err := hears(ctx, p); err != nil {
			return err
		}
	}
	for _, hours := range []int{1, 2, 4, 8, 16} { // of the first day on which requests are posted
		w.after(w.begin.Add(time.Duration(24+hours)*time.Hour), w.vacuum)
	}
	w.trustHourly()
	for day := range w.days + 1 + int(buyersWait/core.Day) {
		w.after(w.begin.AddDate(0, 0, day), w.vacuum)
	}
	return w.vacuum(ctx)
}

// vacuum does what PostgreSQL does by itself when it is not told to be fast: without statistics it chooses
// plans for empty tables.
func (w *world) vacuum(ctx context.Context) error {
	_, err := w.store.Pool().Exec(ctx, `vacuum analyze orders, offers, notices, deliveries, mailboxes, stock,
		watches, watch_keys, watch_turns, alert_rounds, river_job, changes, users, order_updates, handovers`)
	return err
}

// knowItems reads the items of the catalogue, and draws how popular each is and what it usually costs.
func (w *world) knowItems(ctx context.Context) error {
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
	draw(w.seed, "items").Shuffle(len(w.items),
		func(i, j int) { w.items[i], w.items[j] = w.items[j], w.items[i] })
	if w.plan.items > 0 {
		w.items = w.items[:min(w.plan.items, len(w.items))]
	}
	w.demand, w.supplied = w.asked.weigh(len(w.items)), w.offered().weigh(len(w.items))
	if w.uses {
		w.demand = byUses(w.items)
		w.supplied = w.demand
	}
	w.sellers, w.usual = make([]int, len(w.items)), make([]float64, len(w.items))
	for i := range w.items {
		w.usual[i] = usualPrice(draw(w.seed, "price", i))
	}
	return nil
}

// byUses weighs items by how many professions use them.
func byUses(all []items.Item) []float64 {
	weights, sum := make([]float64, len(all)), 0
	for i, item := range all {
		sum += len(item.UsedBy)
		weights[i] = float64(sum)
	}
	return weights
}

// join has the n-th person sign in, and draws who they are.
func (w *world) join(ctx context.Context, n int) (*person, error) {
	name := fmt.Sprintf("player_%d", n)
	user, err := w.market.People.SignIn(ctx,
		people.Profile{DiscordID: discordID(n), Username: name, DisplayName: name})
	if err != nil {
		return nil, err
	}
	self := draw(w.seed, "person", n)
	p := &person{Actor: user.Actor(), kind: kindOf(n), n: n, offered: map[core.OrderID]bool{},
		zone: zones[self.IntN(len(zones))], standing: self.Float64()}
	p.searches = self.Float64() < w.searches
	p.usual = usualTime(draw(w.seed, "sessions", n))
	p.PriceConfirmed = true // where the program asks whether they mean a price
	p.sessions = sessionsOf(draw(w.seed, "sessions", n), w.begin.Add(core.Day),
		w.days+int(neverMet/core.Day), w.plan.sessions, p.zone)
	if p.sells {
		p.goods = goodsOf(draw(w.seed, "goods", n), w.plan.goods, w.supplied, w.usual)
		for _, g := range p.goods {
			w.sellers[g.item]++
		}
	}
	w.byID[p.UserID] = p
	w.people = append(w.people, p)
	return p, nil
}

// playsLater plans what a seller does whenever they begin to play.
func (w *world) playsLater(p *person) {
	if !p.sells {
		return
	}
	end := w.begin.Add(core.Day + time.Duration(w.days)*core.Day + buyersWait)
	for k, s := range p.sessions {
		if s.from.Before(end) {
			w.after(s.from, func(ctx context.Context) error { return w.comes(ctx, p, k) })
		}
	}
}

// asksLater plans what a buyer asks for.
func (w *world) asksLater(p *person) {
	for _, r := range w.requestsOf(p) {
		w.after(r.at, func(ctx context.Context) error { return w.post(ctx, p, r) })
	}
}

// requestsOf draws what a buyer asks for: nothing that they have.
func (w *world) requestsOf(p *person) []request {
	var all []request
	random := draw(w.seed, "requests", p.n)
	for day := range w.days {
		for range times(random, w.posts) {
			r := request{n: len(all), item: pick(random, w.demand)}
			for range 10 {
				if of(p.goods, r.item) == nil {
					break
				}
				r.item = pick(random, w.demand)
			}
			item := w.items[r.item]
			r.OrderDraft = trade.OrderDraft{ItemName: item.Name, Quantity: bulk[random.IntN(len(bulk))],
				MaxPrice: priceOf(random, w.usual[r.item]), BuyerContact: p.Username}
			if proposal := item.Proposal(game.Standard()); proposal.Category != "" {
				r.Category = proposal.Category
			}
			r.at = w.begin.AddDate(0, 0, day+1).Add(hourOfDay(random) - time.Duration(p.zone)*time.Hour)
			all = append(all, r)
		}
	}
	return all
}

// listGoods says what a seller has, for matching only.
func (w *world) listGoods(ctx context.Context, p *person, goods []*good) error {
	var drafts []match.StockDraft
	for _, g := range goods {
		if g.many > 0 {
			d := match.StockDraft{ItemName: w.items[g.item].Name, Quantity: g.many, Price: g.least}
			if w.listed > 0 {
				d = w.stands(p, g, d)
			}
			drafts = append(drafts, d)
		}
	}
	if len(drafts) == 0 {
		return nil
	}
	if _, err := w.market.Match.SaveStock(ctx, p.Actor, drafts); err != nil {
		return err
	}
	return w.crossed(ctx, p)
}

// watch has a seller watch the items that they have, and a wide watcher the profession that makes the first
// of them as well.
func (w *world) watch(ctx context.Context, p *person) error {
	draft := match.SearchDraft{Bell: match.BellOn, Name: "What I have"}
	for _, g := range p.goods {
		draft.Items = append(draft.Items, w.items[g.item].ID)
	}
	profession := w.items[p.goods[0].item].Proposal(game.Standard()).Category
	if _, err := w.market.Match.AddSearch(ctx, p.Actor, draft); err != nil || !p.wide || profession == "" {
		return err
	}
	_, err := w.market.Match.AddSearch(ctx, p.Actor,
		match.SearchDraft{Bell: match.BellOn, Name: "My profession", Categories: []game.Category{profession}})
	return err
}
