package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// parts returns how a request came to be filled now.
func (w want) parts(now time.Time, sellers int) parts {
	p := parts{toOffer: w.offeredAt.Sub(w.at), toFilled: now.Sub(w.offeredAt), enough: w.enoughAt.Sub(w.at),
		looks: w.looked, sellers: sellers}
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

// printParts prints where the time of those that were filled goes: the median of each part.
func printParts(out io.Writer, name string, r result) {
	fmt.Fprintf(out, "%s: of %d filled, medians: first message %s, first offer %s, enough offered %s, from the first offer until filled %s; looks %d, sellers %d\n", name, len(r.parts),
		clock(middle(r.parts, func(p parts) time.Duration { return p.toAlert })),
		clock(middle(r.parts, func(p parts) time.Duration { return p.toOffer })),
		clock(middle(r.parts, func(p parts) time.Duration { return p.enough })),
		clock(middle(r.parts, func(p parts) time.Duration { return p.toFilled })),
		middle(r.parts, func(p parts) int { return p.looks }),
		middle(r.parts, func(p parts) int { return p.sellers }))
}
