package main

import (
	"context"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// What puppets try.
const (
	forgedTimes = 4        // the usual price, which they pay each other
	fromEach    = 3        // a puppet buys of so many and sells to as many: five trades count for a price
	mostDays    = 10       // what is not done by then is not done
	forgedName  = "Zircon" // what their own names of items begin with
	forgedNames = 3
)

// trick is a trade that puppets want to make with each other.
type trick struct {
	buyer, seller core.Actor
	item          string
	price         core.Copper
}

// play has puppets do all that they want, over as many days as their limits take, and returns what shows a
// week later: odds come from requests of a week before.
func (a *arena) play(ctx context.Context) (f figures, err error) {
	began := a.clock()
	if err := a.puppetsAct(ctx, &f); err != nil {
		return f, err
	}
	a.forward(began.Add((mostDays + 8) * core.Day).Sub(a.clock()))
	if err := a.learn(ctx); err != nil {
		return f, err
	}
	if err := a.look(ctx, &f); err != nil || a.puppets == 0 {
		return f, err
	}
	return f, a.puppetsShow(ctx, &f)
}

func (a *arena) puppetsAct(ctx context.Context, f *figures) error {
	for n := range a.attack.puppets {
		p, err := a.signUp(ctx, discordID(a.clock(), n), fmt.Sprintf("puppet_%d", n))
		if err != nil {
			return err
		}
		a.accounts = append(a.accounts, p)
	}
	todo := append(a.honestEdges(), a.tricks()...)
	for ; a.days < mostDays && len(a.accounts) > 0 && (len(todo) > 0 || a.days == 0); a.days++ {
		began := a.clock()
		for n, p := range a.accounts { // what everybody watches for
			name := fmt.Sprintf("%s Ore %c", forgedName, 'A'+n%forgedNames)
			if _, err := a.post(ctx, p, name, usualPrice, 1); err != nil && !limited(err) {
				return err
			}
		}
		var err error
		if todo, err = a.tryAll(ctx, todo); err != nil {
			return err
		}
		for range 2 * time.Hour / match.DrawPause { // in which all that is due comes
			a.forward(match.DrawPause)
			if _, err := a.market.Match.AlertWatchers(ctx, 10_000); err != nil {
				return err
			}
		}
		if err := a.market.Trust.FindTraders(ctx); err != nil {
			return err
		}
		today, err := a.messagedSince(ctx, began)
		if err != nil {
			return err
		}
		f.messaged = max(f.messaged, today)
		if err := a.deletePosts(ctx); err != nil {
			return err
		}
		a.forward(began.Add(core.Day).Sub(a.clock()))
	}
	return nil
}

// tryAll makes the trades that limits allow now, and returns the others.
func (a *arena) tryAll(ctx context.Context, todo []trick) (left []trick, err error) {
	if err := a.analyze(ctx); err != nil {
		return nil, err
	}
	spent := map[core.UserID]bool{}
	for _, t := range todo {
		if spent[t.buyer.UserID] {
			left = append(left, t)
			continue
		}
		trades := a.trades
		if a.attack.crossing {
			trades = a.crosses
		}
		if a.attack.planning {
			trades = a.buysByPlan
		}
		switch err := trades(ctx, t.buyer, t.seller, t.item, t.price, 10); {
		case limited(err):
			left, spent[t.buyer.UserID] = append(left, t), true
		case err != nil:
			return nil, err
		}
	}
	return left, nil
}

// limited reports whether a limit or a rule refused what was tried.
func limited(err error) bool {
	switch core.KindOf(err) {
	case core.TooMany, core.Conflict, core.Forbidden, core.Invalid:
		return err != nil
	}
	return false
}

// honestEdges are the trades that three of the puppets make with honest people, one each.
func (a *arena) honestEdges() (edges []trick) {
	for n := range a.edges {
		edges = append(edges, trick{a.people[n%len(a.people)], a.accounts[n%min(3, len(a.accounts))], cheapItem, 1})
	}
	return edges
}

// tricks are the trades of puppets among themselves: as many as count, of all that is attacked.
func (a *arena) tricks() (all []trick) {
	for i, buyer := range a.accounts {
		for step := range min(fromEach, len(a.accounts)-1) {
			seller := a.accounts[(i+step+1)%len(a.accounts)]
			for _, n := range a.fills {
				all = append(all, trick{buyer, seller, attacked[n], forgedTimes * usualPrice})
			}
			all = append(all, trick{buyer, seller, oddsItem, lowPrice})
		}
	}
	return all
}

// messagedSince counts the people messaged about requests of puppets.
func (a *arena) messagedSince(ctx context.Context, since time.Time) (n int, err error) {
	ids := make([]int64, len(a.accounts))
	for i, p := range a.accounts {
		ids[i] = int64(p.UserID)
	}
	err = a.store.Pool().QueryRow(ctx, `select count(distinct (user_id, caused_by)) from notices
where kind = 'request_watched' and reason not in ('inbox', 'reach') and created_at >= $1 and caused_by = any($2)`, since, ids).Scan(&n)
	return n, err
}

// deletePosts makes room for the next day's requests.
func (a *arena) deletePosts(ctx context.Context) error {
	for _, p := range a.accounts {
		mine, err := a.market.Match.OwnOrders(ctx, p, match.OrderQuery{Limit: core.PageSize})
		if err != nil {
			return err
		}
		for _, o := range mine.Orders {
			if err := a.market.Trade.DeleteOrder(ctx, p, o.Order.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// puppetsShow adds what shows of the puppets themselves.
func (a *arena) puppetsShow(ctx context.Context, f *figures) (err error) {
	if f.names, err = a.completed(ctx, forgedName); err != nil {
		return err
	}
	ids := make([]int64, len(a.accounts))
	for i, p := range a.accounts {
		ids[i] = int64(p.UserID)
	}
	if err := a.store.Pool().QueryRow(ctx, `select count(*) from order_updates
where crossed_with is not null and seller_id = any($1)`, ids).Scan(&f.crossed); err != nil {
		return err
	}
	best, most := a.accounts[0], 0
	for _, p := range a.accounts {
		records, err := a.market.Trust.Records(ctx, p.UserID)
		if err != nil {
			return err
		}
		r := records[p.UserID]
		f.partners = max(f.partners, r.Partners)
		if r.Partners+r.Others > most {
			most, best = r.Partners+r.Others, p
		}
	}
	buyer := a.people[len(a.people)-1] // has met no puppet
	order, err := a.post(ctx, buyer, attacked[a.fills[0]], usualPrice, 50)
	if err != nil {
		return err
	}
	if _, err := a.market.Trade.SetStanding(ctx, buyer, order.ID, trade.StandingDraft{FromPartners: 50,
		Until: a.clock().Add(core.Day)}); err != nil {
		return err
	}
	if a.attack.crossing {
		best.PriceConfirmed = true
		if _, err := a.market.Match.SaveStock(ctx, best, []match.StockDraft{{ItemName: attacked[a.fills[0]], Quantity: 50,
			Price: 1, Public: true, SellsDaily: 50}}); err != nil {
			return err
		}
		sales, _, err := a.store.Sales(ctx, order.ID, 1)
		if err != nil {
			return err
		}
		f.accepted = len(sales) > 0
		return a.market.Trade.DeleteOrder(ctx, buyer, order.ID)
	}
	sent, err := a.market.Trade.SendOffer(ctx, best, order.ID,
		trade.OfferDraft{SellerName: best.Username, Message: "Here", Quantity: 50})
	if err != nil && !limited(err) {
		return err
	}
	f.accepted = err == nil && sent.Accepted > 0
	return a.market.Trade.DeleteOrder(ctx, buyer, order.ID)
}
