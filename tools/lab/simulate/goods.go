package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"tradepost/core"
	"tradepost/core/trade"
)

// What people have, what it is worth to them, and how they choose.

const (
	spread   = 0.2  // of what buyers pay and sellers ask, which are log-normal
	undercut = 0.9  // the least that a seller takes is so much of the usual price, on average
	closeBy  = 0.05 // prices that differ by less are alike to those who choose

	raiseBy     = 0.1 // more is what a buyer pays for what is not filled,
	raisedAfter = core.Day
	raises      = 3 // times at most
)

var bulk = []int{50, 100, 200, 500, 1000}

// good is an item that a seller has.
type good struct {
	item  int
	many  int // that they have not offered to anybody
	sold  int // that they make again
	least core.Copper
}

// usualPrice draws the price of an item.
func usualPrice(random *rand.Rand) float64 { return 100 * math.Pow(100, random.Float64()) }

// priceOf draws what a person pays or takes for one of an item.
func priceOf(random *rand.Rand, usual float64) core.Copper {
	return core.Copper(max(1, math.Round(usual*math.Exp(spread*random.NormFloat64()))))
}

// raised is the next price of a request that is not filled.
func raised(price core.Copper) core.Copper {
	return core.Copper(math.Ceil(float64(price) * (1 + raiseBy)))
}

// goodsOf draws what a seller has: so many items, or fewer where the same is drawn twice.
func goodsOf(random *rand.Rand, n int, weights, usual []float64) []*good {
	var goods []*good
	for range n {
		g := &good{item: pick(random, weights), many: bulk[random.IntN(len(bulk))]}
		g.least = priceOf(random, undercut*usual[g.item])
		if of(goods, g.item) == nil {
			goods = append(goods, g)
		}
	}
	return goods
}

// of returns the goods of an item, nil for none.
func of(goods []*good, item int) *good {
	i := slices.IndexFunc(goods, func(g *good) bool { return g.item == item })
	if i < 0 {
		return nil
	}
	return goods[i]
}

// restock has a seller make again what they sold: each item with this chance. It returns what was made.
func restock(random *rand.Rand, goods []*good, chance float64) (made []*good) {
	for _, g := range goods {
		if again := random.Float64() < chance; again && g.sold > 0 {
			g.many, g.sold = g.many+g.sold, 0
			made = append(made, g)
		}
	}
	return made
}

// chance is a request that a seller can offer on.
type chance struct {
	order trade.Order
	good  *good
}

// worth is how much a request pays, of the least that its seller takes.
func (c chance) worth() float64 { return float64(c.order.MaxPrice) / float64(c.good.least) }

// worthwhile returns the requests that pay enough, the best paid first.
func worthwhile(all []chance) []chance {
	all = slices.DeleteFunc(all, func(c chance) bool { return c.order.MaxPrice < c.good.least })
	slices.SortStableFunc(all, func(a, b chance) int { return cmp.Compare(b.worth(), a.worth()) })
	return all
}

// choose returns the offers that a buyer takes, in this order. The cheaper come first; of prices that are
// close to each other the program's order holds, which is by record. Sellers who did not keep their word are
// left out.
func choose(offers []trade.Choice) []trade.Choice {
	offers = slices.DeleteFunc(slices.Clone(offers), func(c trade.Choice) bool {
		return slices.Contains(c.Why, trade.ReasonMissed)
	})
	step := func(c trade.Choice) int {
		return int(math.Log(float64(c.Offer.Price)/float64(c.Order.MaxPrice)) / closeBy)
	}
	slices.SortStableFunc(offers, func(a, b trade.Choice) int { return cmp.Compare(step(a), step(b)) })
	return offers
}
