package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/trade"
)

var noon = time.Date(2030, 1, 7, 12, 0, 0, 0, time.UTC)

func at0(h float64) time.Time { return noon.Add(lasting(h)) }

func playing(fromTo ...float64) (all []session) {
	for i := 0; i < len(fromTo); i += 2 {
		all = append(all, session{at0(fromTo[i]), at0(fromTo[i+1])})
	}
	return all
}

func TestWhatIsDrawnDoesNotDependOnOtherDraws(t *testing.T) {
	t.Parallel()
	first := draw(1, "goods", 7).Uint64()
	draw(1, "goods", 6).Uint64()
	if again := draw(1, "goods", 7).Uint64(); again != first {
		t.Errorf("%d, then %d", first, again)
	}
	for name, other := range map[string]uint64{
		"seed": draw(2, "goods", 7).Uint64(), "purpose": draw(1, "hours", 7).Uint64(),
		"key": draw(1, "goods", 8).Uint64(), "keys": draw(1, "goods", 7, 0).Uint64(),
	} {
		if other == first {
			t.Errorf("another %s gives the same", name)
		}
	}
}

func TestSessionsAreAsManyAndAsLongAsAssumed(t *testing.T) {
	t.Parallel()
	const days = 2000
	for _, aDay := range []float64{0.75, 1.5, 3} {
		all := sessionsOf(draw(1, "sessions", 1), noon, days, aDay, -5)
		var played time.Duration
		for i, s := range all {
			if i > 0 && !s.from.After(all[i-1].to) || s.to.Sub(s.from) < sessionLasts {
				t.Fatalf("session %d: %s to %s", i, s.from, s.to)
			}
			played += s.to.Sub(s.from)
		}
		// Sessions that touch are one, and what they share counts once.
		if daily := played.Hours() / days; daily > aDay*1.5*1.05 || daily < aDay*1.5*0.7 {
			t.Errorf("%g sessions a day: %.2f hours", aDay, daily)
		}
	}
}

func TestTwoMeetOnceBothPlayAtTheSameTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		a, b  []session
		after float64
		met   float64 // without meetingTakes; -1 for never
	}{
		"both play already":         {playing(0, 2), playing(1, 3), 1.5, 1.5},
		"the second comes":          {playing(0, 2), playing(1, 3), 0, 1},
		"too short to meet":         {playing(0, 2, 10, 12), playing(1.9, 3, 11, 13), 0, 11},
		"one has just left":         {playing(0, 1), playing(0, 1), 0.9, -1},
		"never both":                {playing(0, 1, 4, 5), playing(2, 3, 6, 7), 0, -1},
		"one of them never":         {playing(0, 1), nil, 0, -1},
		"at the second of many":     {playing(0, 1, 2, 3, 8, 9), playing(1.5, 1.8, 4, 5, 8.5, 9), 0, 8.5},
		"what was before is passed": {playing(0, 1, 20, 21), playing(0, 1, 20, 21), 5, 20},
	} {
		for _, both := range [][2][]session{{test.a, test.b}, {test.b, test.a}} {
			got, ok := meeting(both[0], both[1], at0(test.after))
			if want := at0(test.met).Add(meetingTakes); ok != (test.met >= 0) || ok && !got.Equal(want) {
				t.Errorf("%s: %s (%t), want %s", name, got, ok, want)
			}
		}
	}
}

func TestTwoAgreeOnATimeWhenBothAreFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b        int
		after, want float64 // in UTC, as all hours here
	}{
		{1, 1, 0, 4},      // 17 of both
		{1, 1, 6.2, 7.5},  // an hour ahead, at a half hour
		{1, 1, 10.6, 28},  // past midnight: the next day
		{1, -5, 0, 10},    // 23 of one and 17 of the other
		{-5, -5, 0, 10},   // 17 of both
		{1, -11, 0, 25.5}, // never: a day later
	} {
		if got := agreedTime(test.a, test.b, at0(test.after)); !got.Equal(at0(test.want)) {
			t.Errorf("%+v: %s, want %s", test, got, at0(test.want))
		}
	}
}

func TestPeoplePressTheHoursAroundTheirUsualTime(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		usual float64
		zone  int
		said  []hours.Preset
	}{
		{20, 1, []hours.Preset{hours.Evenings, hours.WeekendEvenings}},
		{18.99, -5, []hours.Preset{hours.Evenings, hours.WeekendEvenings}},
		{17.5, 1, []hours.Preset{hours.Evenings, hours.WeekendEvenings}},
		{9, 1, []hours.Preset{hours.Mornings, hours.WeekendDays}},
		{12, 1, []hours.Preset{hours.Afternoons, hours.WeekendDays}},
		{23.2, -5, []hours.Preset{hours.Evenings, hours.WeekendEvenings}},
		{0.5, 1, []hours.Preset{hours.Nights}},
		{6, 1, nil},
	} {
		var want hours.Week
		for _, preset := range test.said {
			want = want.With(preset.Of(map[int]string{1: "Africa/Lagos", -5: "America/Panama"}[test.zone], noon))
		}
		if got := usualHours(lasting(test.usual), test.zone, noon); got != want {
			t.Errorf("%+v: %v, want %v", test, got.List(), want.List())
		}
	}
	free := freeHours(1)
	if free.Count() != 7*7 || !free.Has(16) || free.Has(15) || !free.Has(22) || free.Has(23) {
		t.Errorf("free from 17 till midnight: %v", free.List())
	}
}

func TestNobodyAnswersAsleep(t *testing.T) {
	t.Parallel()
	random, sum := draw(1, "answers"), time.Duration(0)
	for range 2000 {
		night := noon.Add(lasting(14)) // 3 at night in zone 1
		at := answersAt(random, 1, night)
		if own := at.Add(time.Hour).Hour(); own < wakesAt || at.Before(night) {
			t.Fatalf("answers at %s", at)
		}
		sum += answersAt(random, 1, noon).Sub(noon)
	}
	if mean := sum / 2000; mean < answerLag*9/10 || mean > answerLag*11/10 {
		t.Errorf("answers after %s on average", mean)
	}
}

func TestPopularityIsReadAndWeighed(t *testing.T) {
	t.Parallel()
	for text, shown := range map[string]string{"0.7": "n^-0.7", "1.07+3": "(n+3)^-1.07", "0": "all alike"} {
		if p, err := parsePopularity(text); err != nil || p.String() != shown {
			t.Errorf("%s: %s, %v", text, p, err)
		}
	}
	for _, wrong := range []string{"", "much", "1+", "-1", "1+-3"} {
		if p, err := parsePopularity(wrong); err == nil {
			t.Errorf("%q: %s", wrong, p)
		}
	}
	weights := popularity{skew: 1}.weigh(1000)
	if sum := weights[999]; math.Abs(sum-7.485) > 0.001 {
		t.Errorf("harmonic number: %g", sum)
	}
	counts, random := make([]int, 1000), draw(1, "pick")
	for range 100_000 {
		counts[pick(random, weights)]++
	}
	if first, tenth := counts[0], counts[9]; first < 12_500 || first > 14_300 || tenth < 1200 || tenth > 1500 {
		t.Errorf("the first is asked for %d times, the tenth %d times", first, tenth)
	}
	steep := plan{asked: popularity{0.7, 3}, supply: 1.5}.offered()
	if math.Abs(steep.skew-1.05) > 1e-9 || steep.head != 3 {
		t.Errorf("steeper supply: %s", steep)
	}
}

func TestWhatSlowRequestsWaitFor(t *testing.T) {
	t.Parallel()
	short, offered, answered := slow([]parts{
		{toOffer: lasting(1), toFilled: lasting(7), enough: lasting(7)},
		{toOffer: lasting(1), toFilled: lasting(7), enough: lasting(7), short: true},
		{toOffer: lasting(1), toFilled: lasting(7.5), enough: lasting(8.1), short: true},
		{toOffer: lasting(1), toFilled: lasting(7.5), enough: lasting(8.1)},
		{toOffer: lasting(1), toFilled: lasting(7.5), enough: lasting(8)},
		{toOffer: lasting(1), toFilled: lasting(90), enough: lasting(2)},
	})
	if short != 1 || offered != 1 || answered != 2 {
		t.Errorf("%d, %d and %d", short, offered, answered)
	}
}

func TestSellersMakeAgainWhatTheySold(t *testing.T) {
	t.Parallel()
	goods := []*good{{item: 1, many: 20, sold: 80}, {item: 2, many: 50}, {item: 3, sold: 10}}
	if made := restock(draw(1, "restock"), goods, 0); len(made) > 0 || goods[0].many != 20 {
		t.Errorf("without a chance: %v", made)
	}
	made := restock(draw(1, "restock"), goods, 1)
	if len(made) != 2 || goods[0].many != 100 || goods[0].sold != 0 || goods[1].many != 50 || goods[2].many != 10 {
		t.Errorf("made %v of %v, %v, %v", made, *goods[0], *goods[1], *goods[2])
	}
}

func TestSellersOfferWhereItPaysBest(t *testing.T) {
	t.Parallel()
	request := func(id core.OrderID, price, least core.Copper) chance {
		return chance{trade.Order{ID: id, OrderDraft: trade.OrderDraft{MaxPrice: price}}, &good{least: least}}
	}
	var ids []core.OrderID
	for _, c := range worthwhile([]chance{request(1, 100, 100), request(2, 99, 100), request(3, 30, 20),
		request(4, 150, 100), request(5, 300, 100)}) {
		ids = append(ids, c.order.ID)
	}
	if want := []core.OrderID{5, 3, 4, 1}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
}

func TestBuyersPayMoreForWhatIsNotFilled(t *testing.T) {
	t.Parallel()
	price := core.Copper(1000)
	for range raises {
		price = raised(price)
	}
	if price < 1331 || price > 1333 || raised(1) != 2 {
		t.Errorf("1000 becomes %d, and 1 becomes %d", price, raised(1))
	}
}

func TestBuyersChooseByPriceAndRecord(t *testing.T) {
	t.Parallel()
	offer := func(id core.OfferID, price core.Copper, why ...trade.Reason) trade.Choice {
		return trade.Choice{Why: why, OpenOffer: trade.OpenOffer{
			Offer: trade.Offer{ID: id, Price: price},
			Order: trade.Order{OrderDraft: trade.OrderDraft{MaxPrice: 100}},
		}}
	}
	var ids []core.OfferID
	for _, c := range choose([]trade.Choice{ // as the program sorts them: by record
		offer(1, 100, trade.ReasonMet), offer(2, 98), offer(3, 80), offer(4, 100), offer(5, 50, trade.ReasonMissed),
	}) {
		ids = append(ids, c.Offer.ID)
	}
	if want := []core.OfferID{3, 1, 2, 4}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
}

func TestPeopleBuySellAndDoBoth(t *testing.T) {
	t.Parallel()
	var buy, sell, both, list, wide int
	for n := range 600 {
		k := kindOf(n)
		for _, is := range []struct {
			it  bool
			sum *int
		}{{k.buys, &buy}, {k.sells, &sell}, {k.buys && k.sells, &both}, {k.lists, &list}, {k.wide, &wide}} {
			if is.it {
				*is.sum++
			}
		}
		if k.lists && !k.sells || k.wide && (k.lists || !k.sells) {
			t.Fatalf("person %d: %+v", n, k)
		}
	}
	if got, want := []int{buy, sell, both, list, wide}, []int{360, 480, 240, 320, 80}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWorldsAreTheBaseFromEachStartAndOneChangeEach(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-start", "zero,grown", "-popularity", "0.7,0,1.07+3", "-sessions", "1.5,0.75,3",
		"-supply", "1,0.5,1.5", "-standing", "25,0,50", "-terms", "usual,anybody"})
	if err != nil {
		t.Fatal(err)
	}
	worlds := o.worlds(o.plan)
	if len(worlds) != 8 {
		t.Fatalf("%d worlds", len(worlds))
	}
	base := worlds[0]
	for i, p := range worlds {
		changes := 0
		for _, changed := range []bool{p.before != base.before, p.asked != base.asked, p.supply != base.supply,
			p.sessions != base.sessions} {
			if changed {
				changes++
			}
		}
		if changes > 1 || changes == 0 && i > 0 || p.traders != base.traders {
			t.Errorf("world %d differs in %d: %+v", i, changes, p)
		}
	}
	if arms := o.arms(); len(arms) != 5 || !arms[0].alerts || arms[0].standing != 0.25 {
		t.Errorf("played with %+v", arms)
	}
	both, err := parse([]string{"-alerts", "all,needed"})
	if arms := both.arms(); err != nil || len(arms) != 2 || arms[0].needed || !arms[1].needed || !arms[1].alerts {
		t.Errorf("played with %+v, %v", arms, err)
	}
	timed, err := parse([]string{"-both", "0,25", "-hours", "0,50,100", "-known", "usual,free", "-late", "leave,another"})
	arms := timed.arms()
	if err != nil || len(arms) != 2+2*2*2*2 || arms[1].hours != 0 || arms[2].hours != 0.5 || arms[2].listed != 0 ||
		arms[17].hours != 1 || arms[17].known != knownFree || !arms[17].another || arms[17].listed != 0.25 {
		t.Errorf("played with %+v, %v", arms, err)
	}
	for _, wrong := range [][]string{{"-hours", "101"}, {"-known", "guessed"}, {"-late", "never"}, {"-alerts", "some"}, {"-start", "old"}, {"-sessions", "-1"}, {"-standing", "101"},
		{"-popularity", "x"}, {"-supply", ""}, {"-terms", "friends"}} {
		if _, err := parse(wrong); err == nil {
			t.Errorf("%v is read", wrong)
		}
	}
}

func TestSeedsOfAPlanAreOneRow(t *testing.T) {
	t.Parallel()
	played := func(seed uint64, sessions float64, filled ...time.Duration) []pair {
		p := plan{seed: seed, sessions: sessions}
		without := result{plan: p, posted: 2, filled: 1, toFilled: filled, messages: []int{0, 1}}
		with := without
		with.standing = 0.5
		return []pair{{without, without}, {without, with}}
	}
	var rows []row
	rows = add(rows, played(1, 1.5, lasting(1), lasting(4)))
	rows = add(rows, played(2, 1.5, lasting(2), lasting(3)))
	rows = add(rows, played(1, 3, lasting(9)))
	if len(rows) != 4 || rows[0].seeds != 2 || rows[3].seeds != 1 || rows[1].with.posted != 4 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	if got := rows[1].with.toFilled; !slices.IsSorted(got) || len(got) != 4 || mean(rows[0].with.messages) != 0.5 {
		t.Errorf("together: %v, %v", got, rows[0].with.messages)
	}
	var out strings.Builder
	if err := report(&out, rows); err != nil {
		t.Fatal(err)
	}
	figures, _, _ := strings.Cut(out.String(), "\n\n")
	if got := strings.Join(strings.Fields(figures), " "); got != strings.TrimSpace(`
| | zero trust, 0 % | zero trust, 50 % | |--- |--: |--: | `+
		`| median to agreed, times sooner than without | 1.0 | 1.0 | `+
		`| median to met, times sooner than without | 0.0 | 0.0 | `+
		`| messages a seller and day, mean and p95 | 0.50 and 1 | 0.50 and 1 | `+
		`| p90 to agreed | 4 h 00 min | 4 h 00 min |`) {
		t.Errorf("today:\n%s", figures)
	}
	if s := sooner([]time.Duration{lasting(2)}, []time.Duration{lasting(1)}); s != 2 {
		t.Errorf("%g times sooner", s)
	}
}
