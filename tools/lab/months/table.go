package months

import (
	"fmt"
	"strings"

	"tradepost/core/notify"
)

// Table counts what months came to.
func Table(months []Result) string {
	var sum Result
	kinds, firstWith := map[string]int{}, map[string]uint64{}
	found := 0
	sum.Ended = map[notify.State]int{}
	for _, m := range months {
		sum.Notices += m.Notices
		sum.Messages += m.Messages
		sum.Digests += m.Digests
		sum.Requests += m.Requests
		sum.Outages += m.Outages
		sum.Limits += m.Limits
		sum.Restarts += m.Restarts
		sum.Kills += m.Kills
		sum.Steps += m.Steps
		sum.Waves += m.Waves
		sum.Bursts += m.Bursts
		for state, n := range m.Ended {
			sum.Ended[state] += n
		}
		if len(m.Findings) > 0 {
			found++
		}
		for _, f := range m.Findings {
			_, f, _ = strings.Cut(f, ": ")
			kind, _, _ := strings.Cut(f, ":")
			if kinds[kind]++; kinds[kind] == 1 {
				firstWith[kind] = m.Seed
			}
		}
	}
	var out strings.Builder
	row := func(what string, n int) { fmt.Fprintf(&out, "%10d  %s\n", n, what) }
	row("months", len(months))
	row("notices", sum.Notices)
	row("messages, digests included", sum.Messages)
	row("digests", sum.Digests)
	row("requests to Discord", sum.Requests)
	row("bursts", sum.Bursts)
	row("waves", sum.Waves)
	row("outages of Discord", sum.Outages)
	row("limits of Discord", sum.Limits)
	row("restarts", sum.Restarts)
	row("kills", sum.Kills)
	row("steps of the clock", sum.Steps)
	for _, state := range notify.States[1:] {
		row("notices "+string(state), sum.Ended[state])
	}
	row("months with findings", found)
	for kind, n := range kinds {
		fmt.Fprintf(&out, "%10d  %s, first in month %d\n", n, kind, firstWith[kind])
	}
	return out.String()
}
