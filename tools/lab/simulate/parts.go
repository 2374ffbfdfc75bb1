package main

import (
	"cmp"
	"slices"
	"time"
)

// parts returns how a request came to be filled now.
func (w want) parts(now time.Time, sellers int) parts {
	p := parts{toOffer: w.offeredAt.Sub(w.at), toFilled: now.Sub(w.offeredAt), enough: w.enoughAt.Sub(w.at),
		looks: w.looked, sellers: sellers, trades: w.trades,
		short: w.short}
	if !w.alertedAt.IsZero() {
		p.toAlert = w.alertedAt.Sub(w.at)
	}
	return p
}

// goal is how soon nine of ten requests are to be agreed.
const goal = 8 * time.Hour

// slow counts the requests that were agreed later than that: because sellers who take the price did not have
// as much, because enough was offered too late although they had it, and because the buyer answered late.
func slow(all []parts) (short, offered, answered int) {
	for _, p := range all {
		switch {
		case p.toOffer+p.toFilled <= goal:
		case p.short:
			short++
		case p.enough > goal:
			offered++
		default:
			answered++
		}
	}
	return short, offered, answered
}

// willing returns how much sellers have of a request's item who take its price.
func (w *world) willing(wanted *want) (many int) {
	for _, p := range w.people {
		if g := of(p.goods, wanted.item); g != nil && p != wanted.buyer && g.least <= wanted.MaxPrice {
			many += g.many
		}
	}
	return many
}

// middle is the median of what is read from the parts.
func middle[T cmp.Ordered](all []parts, of func(parts) T) T {
	var values []T
	for _, p := range all {
		values = append(values, of(p))
	}
	slices.Sort(values)
	return at(values, 50)
}
