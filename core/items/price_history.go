package items

import (
	"slices"
	"time"

	"tradepost/core"
)

// The history of prices is for programs. It shows whole days whose trades are settled, and is read from the
// same fills for all items together.
const (
	// historyDays is how far back the history goes at least. It begins with a Monday.
	historyDays = 90
	week        = 7 * core.Day
)

// PricePeriod is a time with the price that an item was traded for: a day that passes the rule of PriceOf by
// itself, or those days of a week that don't, when they pass it together. So each trade is in one period at
// most, and no two periods can be subtracted from one another to find a trade of people who do not want it
// known.
type PricePeriod struct {
	From, To time.Time // midnights in UTC; To is the end
	Price    Price
}

// Week reports whether a period is made of the days of a week that have no price by themselves.
func (p PricePeriod) Week() bool { return p.To.Sub(p.From) > core.Day }

// midnight returns the last midnight in UTC.
func midnight(t time.Time) time.Time { return t.UTC().Truncate(core.Day) }

// mondayOf returns the midnight that the week of a time begins with.
func mondayOf(t time.Time) time.Time {
	day := midnight(t)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// historyFrom returns the Monday that the history begins with.
func historyFrom(asOf time.Time) time.Time { return mondayOf(asOf.AddDate(0, 0, -historyDays)) }

// pricePeriods returns the periods from a Monday on, the oldest first, of fills that are settled and the
// latest first. A day or week is among them core.SettledAfter its end: what was accepted without a handover
// is settled by then.
func pricePeriods(fills []Fill, young bool, from, asOf time.Time) (periods []PricePeriod) {
	add := func(fills []Fill, from, to time.Time) bool {
		price, known := PriceOf(fills, young)
		if known {
			periods = append(periods, PricePeriod{From: from, To: to, Price: price})
		}
		return known
	}
	shown := func(end time.Time) bool { return !end.Add(core.SettledAfter).After(asOf) }
	for monday := from; shown(monday.Add(core.Day)); monday = monday.Add(week) {
		var rest []Fill
		for day := monday; day.Before(monday.Add(week)); day = day.Add(core.Day) {
			if of := fillsWithin(fills, day, day.Add(core.Day)); !shown(day.Add(core.Day)) ||
				!add(of, day, day.Add(core.Day)) {
				rest = append(slices.Clip(of), rest...) // the latest first
			}
		}
		if shown(monday.Add(week)) {
			add(rest, monday, monday.Add(week))
		}
	}
	slices.SortStableFunc(periods, func(a, b PricePeriod) int { return a.From.Compare(b.From) })
	return periods
}

// fillsWithin returns the fills from a time until before another, of fills that are the latest first.
func fillsWithin(fills []Fill, from, to time.Time) []Fill {
	before := fills[len(Since(fills, to.Add(-time.Nanosecond))):]
	return Since(before, from.Add(-time.Nanosecond))
}

// ItemHistory is an item with its prices by day and week, the oldest first.
type ItemHistory struct {
	Item    Item
	Periods []PricePeriod // never empty
}

// PriceHistory has the prices of items by day and by week.
type PriceHistory struct {
	AsOf  time.Time // the midnight in UTC up to which trades are settled
	From  time.Time // the Monday it begins with
	Young bool      // see Prices
	Items []ItemHistory
}

// readHistory is a history as it was read, with the periods of all items.
type readHistory struct {
	asOf, from time.Time
	young      bool
	periods    map[core.ItemID][]PricePeriod
}
