package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/trade"
)

// plan says what is played.
type plan struct {
	traders, days, rows, goods int
	items                      int // the most asked for; 0 for all of the catalogue
	asked                      popularity
	supply                     float64 // how steep supply is, of how steep demand is
	uses                       bool    // items are asked for by how many professions use them, instead
	sessions                   float64 // of a person in a day
	searches                   float64 // which part of sellers searches for what they have, in each session
	restock                    float64 // how likely what was sold is made again, in each session
	arranged                   float64 // which part of trades is met at a time that the two agreed on
	posts                      float64 // of a buyer in a day
	before                     int     // trades of each person before the first day; 0 for zero trust

	features
	quota   core.Quota
	reach   core.Quota // DM_REACH
	vouches int        // by the one moderator, on a day
	seed    uint64
}

// features are what a market is played with and without: the rest of a plan is the world, which they do not
// change.
type features struct {
	alerts   bool    // saved searches with a bell, and stock
	needed   bool    // alerts that are inferred are messages only where a request needs their reader
	standing float64 // which part of buyers has offers accepted as they come
	terms    trade.Sellers
	listed   float64 // which part of listings sells without asking; sellers list only where some do
	hours    float64 // of which part of people the program knows when they play, and proposes a time to meet
	known    known
	another  bool // who reads of a time once it has passed presses for another one
}

// popularity says how often the n-th item is asked for: in proportion to (n + head) to the power of -skew.
type popularity struct{ skew, head float64 }

// parsePopularity reads 0.7 for n^-0.7, 1.07+3 for (n+3)^-1.07, and 0 for all alike.
func parsePopularity(text string) (p popularity, err error) {
	skew, head, found := strings.Cut(text, "+")
	if p.skew, err = strconv.ParseFloat(skew, 64); err == nil && found {
		p.head, err = strconv.ParseFloat(head, 64)
	}
	if err != nil || p.skew < 0 || p.head < 0 {
		return p, fmt.Errorf("popularity %q: want a number such as 0.7, or 1.07+3", text)
	}
	return p, nil
}

func (p popularity) String() string {
	switch {
	case p.skew == 0:
		return "all alike"
	case p.head == 0:
		return fmt.Sprintf("n^-%g", p.skew)
	}
	return fmt.Sprintf("(n+%g)^-%g", p.head, p.skew)
}

// offered returns how often the n-th item is for sale, by how often it is asked for.
func (p plan) offered() popularity { return popularity{p.asked.skew * p.supply, p.asked.head} }

// choices are the values that a run compares. The first of each is the base.
type choices struct {
	before             []int
	asked              []popularity
	sessions, supplies []float64
	alerts             []bool // whether inferred ones go to all, or to those who are needed
	standing           []float64
	terms              []trade.Sellers
	bothSides          []float64
	hours              []float64
	known              []known
	another            []bool
}

// worlds returns the plans to play: the base from each start, and beside the first of them one plan for each
// other value.
func (c choices) worlds(base plan) []plan {
	base.asked, base.sessions, base.supply = c.asked[0], c.sessions[0], c.supplies[0]
	var all []plan
	for _, base.before = range c.before {
		all = append(all, base)
	}
	for _, asked := range c.asked[1:] {
		p := all[0]
		p.asked = asked
		all = append(all, p)
	}
	for _, sessions := range c.sessions[1:] {
		p := all[0]
		p.sessions = sessions
		all = append(all, p)
	}
	for _, supply := range c.supplies[1:] {
		p := all[0]
		p.supply = supply
		all = append(all, p)
	}
	return all
}

// arms returns what each world is played with.
func (c choices) arms() []features {
	var all []features
	for _, standing := range c.standing {
		for _, terms := range c.terms {
			if standing == 0 && terms != c.terms[0] {
				continue
			}
			for _, needed := range c.alerts {
				all = append(all, features{alerts: true, needed: needed, standing: standing, terms: terms})
			}
		}
	}
	for _, part := range c.bothSides {
		if part > 0 {
			all = append(all, features{alerts: true, standing: part, terms: trade.SellersAnybody, listed: part})
		}
	}
	for _, f := range all {
		if first := all[0]; f != first && f.listed == 0 {
			continue
		}
		for _, f.hours = range c.hours {
			for _, f.known = range c.known {
				for _, f.another = range c.another {
					if f.hours > 0 {
						all = append(all, f)
					}
				}
			}
		}
	}
	return all
}

// list reads values that are separated by commas.
func list[T any](text string, parse func(string) (T, error)) ([]T, error) {
	var all []T
	for _, one := range strings.Split(text, ",") {
		value, err := parse(strings.TrimSpace(one))
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

func number(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q: want a number from 0 up", text)
	}
	return n, nil
}

func percent(text string) (float64, error) {
	n, err := number(text)
	if err != nil || n > 100 {
		return 0, fmt.Errorf("%q: want a number from 0 to 100", text)
	}
	return n / 100, nil
}

// tradesBefore is how many trades of each person a grown market begins with.
const tradesBefore = 4

func startsFrom(text string) (before int, err error) {
	switch text {
	case "zero":
		return 0, nil
	case "grown":
		return tradesBefore, nil
	}
	return 0, fmt.Errorf("start %q: want zero or grown", text)
}

func alertsTo(text string) (needed bool, err error) {
	if text == "all" || text == "needed" {
		return text == "needed", nil
	}
	return false, fmt.Errorf("alerts %q: want all or needed", text)
}

func knownBy(text string) (known, error) {
	if by := known(text); by == knownUsual || by == knownFree || by == knownLearned {
		return by, nil
	}
	return "", fmt.Errorf("known %q: want usual, free or learned", text)
}

func whenLate(text string) (another bool, err error) {
	if text == "leave" || text == "another" {
		return text == "another", nil
	}
	return false, fmt.Errorf("late %q: want leave or another", text)
}

func sellersOf(text string) (trade.Sellers, error) {
	switch text {
	case "usual":
		return "", nil
	case "anybody":
		return trade.SellersAnybody, nil
	}
	return "", fmt.Errorf("terms %q: want usual or anybody", text)
}

// result is what a run has shown.
type result struct {
	plan
	posted, filled int
	// of all that were posted; those that were not filled count as the time that buyers wait
	toFilled []time.Duration
	// the same until all of it was handed over; those that were not count as neverMet
	toMet    []time.Duration
	parts    []parts           // of those that were filled
	waits    []time.Duration   // of trades that were met, from when they were agreed
	byWeek   [][]time.Duration // toFilled by the week in which the request was posted, unsorted
	messages []int             // with alerts that a seller got on a day, of each and every day
	trades   int               // accepts
	missed   int               // trades whose sides never played at once in time
	unheard  int               // offers beyond their sellers' reach
	crossed  int               // trades that neither side was asked about
	times    meetingTimes      // to meet, that were proposed
	raised   int               // prices of requests that were not filled
	grown    *grown            // nil while the market is young, and without limits on reach
	took     time.Duration     // to play it
}

// parts are how a request came to be filled.
type parts struct {
	toAlert  time.Duration // from the post to the first message about it; zero without any
	toOffer  time.Duration // from the post to the first offer
	toFilled time.Duration // from the first offer
	enough   time.Duration // from the post until as much was offered as is wanted
	looks    int           // how often the buyer looked at offers
	sellers  int           // who have the item
	trades   int
	short    bool // sellers who take the price did not have as much when it was posted
}
