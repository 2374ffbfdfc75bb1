package main

import (
	"cmp"
	"slices"
	"time"
)

// parts returns how a request came to be filled now.
func (w want) parts(now time.Time, sellers int) parts {
	p := parts{toOffer: w.offeredAt.Sub(w.at), toFilled: now.Sub(w.offeredAt), enough: w.enoughAt.Sub(w.at),
		looks: w.looked, sellers: sellers, trades: w.trades}
	if !w.alertedAt.IsZero() {
		p.toAlert = w.alertedAt.Sub(w.at)
	}
	return p
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
