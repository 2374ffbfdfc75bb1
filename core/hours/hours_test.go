package hours_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
)

// monday is a Monday at midnight.
var monday = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

func week(t *testing.T, list ...int) hours.Week {
	t.Helper()
	w, err := hours.Of(list)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOneTimeIsProposedInTheSoonestHourThatBothShare(t *testing.T) {
	t.Parallel()
	evening := func(now time.Time) bool { return now.UTC().Hour() == 20 && now.Minute() < 30 }
	for name, tt := range map[string]struct {
		a, b  []int
		quiet func(time.Time) bool
		after time.Duration // since Monday; zero for any
		now   time.Duration
		want  time.Duration // zero for none
	}{
		"an hour of today":                   {a: []int{20, 30}, b: []int{20}, now: 9 * time.Hour, want: 20 * time.Hour},
		"the second half of this hour":       {a: []int{20}, b: []int{20}, now: 20 * time.Hour, want: 20*time.Hour + 30*time.Minute},
		"too late for this hour":             {a: []int{20}, b: []int{20}, now: 20*time.Hour + 1},
		"no hour is shared":                  {a: []int{20}, b: []int{21}, now: 9 * time.Hour},
		"one has said nothing":               {a: []int{20}, now: 9 * time.Hour, want: 20 * time.Hour},
		"the other has said nothing":         {b: []int{20, 45}, quiet: evening, now: 9 * time.Hour, want: 45 * time.Hour},
		"nobody has said anything":           {now: 9 * time.Hour},
		"an hour further ahead than it may":  {a: []int{100}, b: []int{100}, now: 9 * time.Hour},
		"after the time that does not work":  {a: []int{20}, b: []int{20}, now: 9 * time.Hour, after: 20 * time.Hour, want: 20*time.Hour + 30*time.Minute},
		"another day after the last of one":  {a: []int{20, 44}, b: []int{20, 44}, now: 9 * time.Hour, after: 20*time.Hour + 30*time.Minute, want: 44 * time.Hour},
		"not while one wants no messages":    {a: []int{20}, b: []int{20}, quiet: evening, now: 9 * time.Hour},
		"over the end of the week":           {a: []int{1}, b: []int{1}, now: 6*24*time.Hour + 22*time.Hour, want: 7*24*time.Hour + time.Hour},
		"half an hour ahead, to the instant": {a: []int{9}, b: []int{9}, now: 9 * time.Hour, want: 9*time.Hour + 30*time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var after, want time.Time
			if tt.after != 0 {
				after = monday.Add(tt.after)
			}
			if tt.want != 0 {
				want = monday.Add(tt.want)
			}
			got := hours.Next(hours.Player{Week: week(t, tt.a...)}, hours.Player{Week: week(t, tt.b...), Quiet: tt.quiet}, after, monday.Add(tt.now))
			if !got.Equal(want) {
				t.Errorf("proposes %s, want %s", got, want)
			}
		})
	}
}

// model finds the time minute by minute, from sets of hours and of quiet minutes of the day.
func model(a, b map[int]bool, quiet [2]map[int]bool, after, now time.Time) time.Time {
	for at := now.Truncate(time.Minute); !at.After(now.Add(72 * time.Hour)); at = at.Add(time.Minute) {
		day := map[time.Weekday]int{time.Monday: 0, time.Tuesday: 1, time.Wednesday: 2, time.Thursday: 3, time.Friday: 4, time.Saturday: 5, time.Sunday: 6}[at.Weekday()]
		hour := day*24 + at.Hour()
		minute := at.Hour()*60 + at.Minute()
		before := (minute + 24*60 - 10) % (24 * 60)
		switch {
		case at.Minute() != 0 && at.Minute() != 30, at.Sub(now) < 30*time.Minute, !at.After(after), len(a)+len(b) == 0,
			len(a) > 0 && !a[hour], len(b) > 0 && !b[hour],
			quiet[0][minute], quiet[1][minute], quiet[0][before], quiet[1][before]:
		default:
			return at
		}
	}
	return time.Time{}
}

// TestTheProposedTimeAgreesWithAModel compares 3,000 random pairs of people.
func TestTheProposedTimeAgreesWithAModel(t *testing.T) {
	t.Parallel()
	none, some := 0, 0
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 439))
		var lists [2][]int
		var sets [2]map[int]bool
		var quiet [2]map[int]bool
		var players [2]hours.Player
		for i := range players {
			sets[i], quiet[i] = map[int]bool{}, map[int]bool{}
			for range random.IntN(60) {
				h := random.IntN(hours.InWeek)
				lists[i], sets[i][h] = append(lists[i], h), true
			}
			from := random.IntN(24 * 60)
			for m := range random.IntN(2) * random.IntN(12*60) {
				quiet[i][(from+m)%(24*60)] = true
			}
			players[i] = hours.Player{Week: week(t, lists[i]...), Quiet: func(at time.Time) bool { return quiet[i][at.Hour()*60+at.Minute()] }}
		}
		now := monday.Add(time.Duration(random.Int64N(int64(14 * core.Day))))
		var after time.Time
		if random.IntN(2) == 0 {
			after = now.Add(time.Duration(random.Int64N(int64(2 * core.Day)))).Truncate(30 * time.Minute)
		}
		got, want := hours.Next(players[0], players[1], after, now), model(sets[0], sets[1], quiet, after, now)
		if !got.Equal(want) {
			t.Fatalf("pair %d at %s after %s: proposes %s, the model %s", seed, now, after, got, want)
		}
		if got.IsZero() {
			none++
		} else {
			some++
		}
	}
	if none < 300 || some < 300 {
		t.Errorf("%d pairs have a time and %d have none", some, none)
	}
}

func TestAWeekHasTheHoursThatItIsMadeOf(t *testing.T) {
	t.Parallel()
	for range 200 {
		want := []int{}
		for h := range hours.InWeek {
			if rand.IntN(3) == 0 {
				want = append(want, h)
			}
		}
		if got := week(t, want...).List(); !slices.Equal(got, want) {
			t.Fatalf("has %v, want %v", got, want)
		}
	}
	for _, h := range []int{-1, hours.InWeek} {
		if _, err := hours.Of([]int{h}); core.KindOf(err) != core.Invalid {
			t.Errorf("hour %d: %v", h, err)
		}
	}
}

func TestAMeetingIsAgreedOnceBothSayThatItsTimeWorks(t *testing.T) {
	t.Parallel()
	now, at := monday, monday.Add(20*time.Hour)
	m := hours.Meeting{At: at}
	m, err := m.Accept(true, at, now)
	if err != nil || m.Agreed() || !m.RemindAt().IsZero() {
		t.Fatalf("the buyer alone: %+v, %v", m, err)
	}
	both, err := m.Accept(false, at, now)
	if err != nil || !both.Agreed() || !both.RemindAt().Equal(at.Add(-10*time.Minute)) {
		t.Fatalf("both: %+v, %v", both, err)
	}
	if _, err := m.Accept(false, at.Add(time.Hour), now); core.KindOf(err) != core.Conflict {
		t.Errorf("a time that is not proposed: %v", err)
	}
	if _, err := m.Accept(false, at, at); core.KindOf(err) != core.Conflict {
		t.Errorf("a time that has come: %v", err)
	}
	other, err := both.Choose(false, at.Add(time.Hour), now)
	if err != nil || other.Buyer || !other.Seller || !other.At.Equal(at.Add(time.Hour)) {
		t.Errorf("the seller chooses another time: %+v, %v", other, err)
	}
	if same, err := m.Choose(false, at, now); err != nil || !same.Agreed() {
		t.Errorf("the seller chooses the time that the buyer has said works: %+v, %v", same, err)
	}
	for _, out := range []time.Time{now.Add(-time.Minute), now.Add(hours.MaxAhead + time.Hour)} {
		if _, err := m.Choose(true, out, now); core.KindOf(err) != core.Invalid {
			t.Errorf("%s: %v", out, err)
		}
	}
}

func TestPresetsAreOfTheUsersOwnZone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for zone, want := range map[string]int{"": 17, "Europe/Berlin": 16, "America/New_York": 22, "Asia/Kathmandu": 11, "Nowhere": 17} {
		if got := hours.Evenings.Of(zone, now); got.List()[0]%24 != want && !got.Has(want) || len(got.List()) != 35 {
			t.Errorf("%q: evenings begin at %v, want %d", zone, got.List(), want)
		}
	}
	for _, p := range hours.Presets {
		if p.Of("", now).Empty() {
			t.Errorf("%s has no hour", p)
		}
	}
}

func TestATimeIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 19, 0, 0, 0, time.UTC) // 20:00 in Berlin
	for typed, want := range map[string]string{
		"20:30": "2026-12-01T19:30:00Z", "20.30": "2026-12-01T19:30:00Z", " 19:30 ": "2026-12-02T18:30:00Z",
		"2026-12-03  08:15": "2026-12-03T07:15:00Z", "tonight": "", "25:00": "", "": "",
	} {
		at, ok := hours.TimeTyped(typed, "Europe/Berlin", now)
		if got := at.Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("%q is read as %s, %v", typed, got, ok)
		}
	}
}

func TestTheWeekThatSharesTheMostHours(t *testing.T) {
	t.Parallel()
	own := week(t, 1, 2, 3)
	for name, tt := range map[string]struct {
		others []hours.Week
		want   int
	}{
		"the one with more":       {[]hours.Week{week(t, 1), week(t, 2, 3, 9)}, 1},
		"none of two with as few": {[]hours.Week{week(t, 1), week(t, 2)}, -1},
		"one after two":           {[]hours.Week{week(t, 1), week(t, 2), week(t, 1, 2)}, 2},
		"nobody shares an hour":   {[]hours.Week{week(t, 8), {}}, -1},
		"nobody":                  {nil, -1},
	} {
		if got := hours.SharesMost(own, tt.others); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestHoursAreLearnedFromTwoMeetingsAroundOneHourOfAnyDays(t *testing.T) {
	t.Parallel()
	daily := func(list ...int) (all []int) {
		for _, h := range list {
			for day := range 7 {
				all = append(all, day*24+h)
			}
		}
		slices.Sort(all)
		return all
	}
	for name, tt := range map[string]struct {
		met  []int // hours of the week
		want []int
	}{
		"nobody was met":                      {},
		"one meeting":                         {met: []int{20}},
		"two in one hour of the week":         {met: []int{20, 20}, want: daily(20)},
		"two in one hour of two days":         {met: []int{20, 4*24 + 20}, want: daily(20)},
		"two in hours beside each other":      {met: []int{20, 2*24 + 21}, want: daily(20, 21)},
		"two hours apart":                     {met: []int{20, 24 + 22}},
		"on both sides of midnight":           {met: []int{23, 5 * 24}, want: daily(0, 23)},
		"one far from the two that are known": {met: []int{20, 20, 9}, want: daily(20)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts := make([]int16, hours.InWeek)
			for _, h := range tt.met {
				counts[h]++
			}
			if got := hours.Learned(counts).List(); !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
				t.Errorf("learned %v, want %v", got, tt.want)
			}
		})
	}
	if got := hours.Learned(nil); !got.Empty() {
		t.Errorf("learned %v from nothing", got)
	}
}

func TestEachSideProposesThreeOtherTimes(t *testing.T) {
	t.Parallel()
	always := hours.Player{Week: hours.Evenings.Of("", monday)}
	m := hours.Meeting{At: monday.Add(20 * time.Hour)}
	for n := range hours.MaxProposals {
		if left := m.Left(true); left != hours.MaxProposals-n {
			t.Errorf("the buyer has %d proposals left after %d", left, n)
		}
		var err error
		if n%2 == 0 {
			m, err = m.Propose(true, always, always, monday)
		} else {
			m, err = m.Choose(true, m.At.Add(time.Minute), monday)
		}
		if err != nil {
			t.Fatalf("proposal %d: %v", n+1, err)
		}
	}
	if _, err := m.Propose(true, always, always, monday); core.FirstText(err).Code != "meeting_proposed_often" {
		t.Errorf("the fourth has %v", err)
	}
	if _, err := m.Choose(true, m.At.Add(time.Hour), monday); core.FirstText(err).Code != "meeting_proposed_often" {
		t.Errorf("a fourth that is chosen has %v", err)
	}
	if same, err := m.Choose(true, m.At, monday); err != nil || !same.Buyer {
		t.Errorf("the time that is proposed cannot be chosen: %v", err)
	}
	if taken, err := m.Accept(true, m.At, monday); err != nil || !taken.Buyer {
		t.Errorf("it cannot be accepted: %v", err)
	}
	other, err := m.Propose(false, always, always, monday)
	if err != nil || other.Left(false) != hours.MaxProposals-1 || other.Left(true) != 0 {
		t.Errorf("the seller's first is %+v, %v", other, err)
	}
}
