//go:build unix

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// countWrites adds the writes of a round.
func (g *ground) countWrites(of map[writeKind]int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.counts == nil {
		g.counts = map[writeKind]int{}
	}
	for kind, n := range of {
		g.counts[kind] += n
	}
}

// printWrites prints how often each kind of write was acknowledged, refused and left in doubt, by adapter.
func (g *ground) printWrites(to io.Writer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kinds := map[writeKind]bool{}
	for kind := range g.counts {
		kind.certainty = acknowledged
		kinds[kind] = true
	}
	fmt.Fprintf(to, "\n  acknowledged  refused  in doubt  write\n")
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b writeKind) int {
		return cmp.Or(cmp.Compare(a.op, b.op), cmp.Compare(a.adapter, b.adapter))
	}) {
		count := func(c certainty) int { return g.counts[writeKind{kind.adapter, kind.op, c}] }
		fmt.Fprintf(to, "  %12d  %7d  %8d  %s (%s)\n", count(acknowledged), count(refused), count(unknown),
			kind.op, kind.adapter)
	}
}
