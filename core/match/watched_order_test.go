package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
)

var alertNoon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func oresIndex() *items.Index {
	named := func(id core.ItemID, name, kind string) items.Item {
		return items.Item{ID: id, Name: name, Kind: kind, State: items.Listed, Names: []items.Name{{Key: core.TextForms{}.FoldItem(name), Name: name}}}
	}
	merged := named(3, "Irn Ore", "")
	merged.State, merged.MergedInto = items.Merged, 1
	return items.NewIndex([]items.Item{named(1, "Iron Ore", "Ore"), named(2, "Oak Log", "Log"), merged}, nil, core.TextForms{})
}

func randomWatch(random *rand.Rand) SearchDraft {
	pick := func(n int) bool { return random.IntN(n) == 0 }
	d := SearchDraft{Bell: BellOn}
	if pick(3) {
		d.Items = []core.ItemID{core.ItemID(1 + random.IntN(3))}
	}
	if pick(4) {
		d.Kind = []string{"Ore", "Log"}[random.IntN(2)]
	}
	if pick(3) {
		d.Categories = []game.Category{[]game.Category{"Miner", "Woodcutter", "Chef"}[random.IntN(3)]}
	}
	if pick(3) {
		d.Text = []string{"ore", "iron ore", "miner", "wood", "or", "maple", "ëxotic"}[random.IntN(7)]
	}
	if pick(4) {
		d.MinPrice = core.Copper(random.IntN(400))
	}
	if pick(4) {
		d.MinQuantity = random.IntN(600)
	}
	if pick(4) {
		d.Level = 1 + random.IntN(200)
	}
	if pick(4) {
		d.Importance = []game.Importance{game.High}
	}
	d.ForMe = pick(4)
	return d
}

func randomOrder(random *rand.Rand) trade.Order {
	o := trade.Order{OrderDraft: trade.OrderDraft{
		ItemName: []string{"Iron Ore", "irn ore", "Oak Log", "Moon Pearl", "ËXOTIC Core"}[random.IntN(5)], Quantity: 1 + random.IntN(600), MaxPrice: core.Copper(1 + random.IntN(400)),
		Category: []game.Category{"Miner", "Woodcutter", "Chef"}[random.IntN(3)], Importance: game.Importances[random.IntN(4)], BuyerContact: "maple",
	}}
	if random.IntN(2) == 0 {
		level := 1 + random.IntN(200)
		o.LevelRequirement = &level
	}
	return o
}

// A request that fits a watch has one of its keys: or else the database would not look at the watch.
func TestARequestThatFitsAWatchHasOneOfItsKeys(t *testing.T) {
	t.Parallel()
	random, items, fitting := rand.New(rand.NewPCG(1, 1)), oresIndex(), 0
	for range 20_000 {
		watch, order := randomWatch(random), asWatched(items, randomOrder(random))
		skills := []people.Skill{{Category: "Miner", Level: random.IntN(200)}}
		if !watch.Fits(order, skills) {
			continue
		}
		fitting++
		keys := order.Keys(core.TextForms{})
		if !slices.ContainsFunc(watch.Keys(core.TextForms{}, game.Standard()), func(key string) bool { return slices.Contains(keys, key) }) {
			t.Fatalf("%+v fits %+v, which has none of %q", order, watch, watch.Keys(core.TextForms{}, game.Standard()))
		}
	}
	if fitting < 500 {
		t.Errorf("only %d fit", fitting)
	}
}

func watcher(user int) Watcher {
	return Watcher{SavedSearch: SavedSearch{ID: core.SearchID(user), Owner: core.UserID(user), SearchDraft: SearchDraft{Bell: BellOn, Way: WayDirect}}}
}

func watchers(n int) []Watcher {
	all := make([]Watcher, n)
	for i := range all {
		all[i] = watcher(i + 1)
	}
	return all
}

func TestThePauseAfterAFailedRoundGrowsToTenMinutes(t *testing.T) {
	t.Parallel()
	round := AlertRound{DueAt: alertNoon}
	var pauses []time.Duration
	for range 12 {
		now := round.DueAt
		round = round.failed(now)
		pauses = append(pauses, round.DueAt.Sub(now))
	}
	if pauses[0] != alertRetry || pauses[1] != 2*alertRetry || pauses[11] != MaxAlertRetry || !slices.IsSorted(pauses) {
		t.Errorf("pauses: %v", pauses)
	}
}

func TestManyHearInWavesAndTheRestInTheirDigest(t *testing.T) {
	t.Parallel()
	all, now := watchers(5000), alertNoon
	for i := range all {
		all[i].Skills = i%2 == 1
		all[i].WaitedSince = now.Add(-time.Duration(i) * time.Minute)
	}
	round := &AlertRound{Order: 7, Since: now, NextWaveAt: now, DueAt: now}
	heard := map[core.UserID]bool{}
	var sizes []int
	for steps := 0; round != nil; steps++ {
		if steps > 20 {
			t.Fatal("it does not end")
		}
		now = later(now, round.DueAt)
		left := slices.DeleteFunc(slices.Clone(all), func(w Watcher) bool { return heard[w.Owner] })
		var alerts []Alert
		alerts, round = round.Plan(left, false, now)
		if len(alerts) > alertStep {
			t.Fatalf("%d in one step", len(alerts))
		}
		size := 0
		for _, a := range alerts {
			if heard[a.Owner] {
				t.Fatalf("%d hears twice", a.Owner)
			}
			heard[a.Owner] = true
			if a.Turn {
				size++
				if !a.Skills {
					t.Errorf("%d is among the first and cannot fill it", a.Owner)
				}
			} else if a.HoldUntil.Hour() != digestHour {
				t.Errorf("%d hears at %s", a.Owner, a.HoldUntil)
			}
		}
		if size > 0 {
			sizes = append(sizes, size)
		}
		if len(sizes) == 1 && size > 0 && !heard[5000] {
			t.Error("who waited longest is not in the first wave")
		}
	}
	if fmt.Sprint(sizes) != "[10 10 10]" || len(heard) != 5000 {
		t.Errorf("waves of %d, %d heard", sizes, len(heard))
	}
	if now.Sub(alertNoon) < 3*WavePause {
		t.Errorf("the rest heard after %s", now.Sub(alertNoon))
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func TestFewHearAtOnceAndNoWaveGoesOutWhileEnoughIsOffered(t *testing.T) {
	t.Parallel()
	round := AlertRound{Since: alertNoon, NextWaveAt: alertNoon, DueAt: alertNoon}
	alerts, next := round.Plan(watchers(WaveSize), false, alertNoon)
	if len(alerts) != WaveSize || next != nil {
		t.Errorf("%d of ten hear, then %+v", len(alerts), next)
	}
	if alerts, next := round.Plan(watchers(WaveSize+1), false, alertNoon); len(alerts) != WaveSize || next == nil || !next.DueAt.Equal(alertNoon.Add(WavePause)) {
		t.Errorf("%d of eleven hear, then %+v", len(alerts), next)
	}
	round.Waves = 1
	if alerts, next := round.Plan(watchers(20), true, alertNoon); len(alerts) != 0 || next == nil || next.Waves != 2 {
		t.Errorf("with enough offered %d hear, then %+v", len(alerts), next)
	}
	round.NextWaveAt = alertNoon.Add(time.Minute)
	if alerts, next := round.Plan(watchers(20), false, alertNoon); len(alerts) != 0 || next == nil || next.Waves != 1 {
		t.Errorf("before its time %d hear, then %+v", len(alerts), next)
	}
}

func TestAnAlertIsHeldForThePauseTheSnoozeTheQuietHoursAndTheDigest(t *testing.T) {
	t.Parallel()
	held := func(change func(*Watcher)) time.Duration {
		w := watcher(1)
		change(&w)
		until := w.heldUntil(alertNoon)
		if until.IsZero() {
			return 0
		}
		return until.Sub(alertNoon)
	}
	for name, c := range map[string]struct {
		change func(*Watcher)
		want   time.Duration
	}{
		"nothing":              {func(*Watcher) {}, 0},
		"a pause since":        {func(w *Watcher) { w.Pause, w.AlertedAt = time.Hour, alertNoon.Add(-20*time.Minute) }, 40 * time.Minute},
		"a pause that is over": {func(w *Watcher) { w.Pause, w.AlertedAt = time.Hour, alertNoon.Add(-2*time.Hour) }, 0},
		"one that is held":     {func(w *Watcher) { w.Pause, w.AlertedAt = time.Hour, alertNoon.Add(5*time.Minute) }, 5 * time.Minute},
		"a snooze":             {func(w *Watcher) { w.SnoozedUntil = alertNoon.Add(time.Hour) }, time.Hour},
		"a digest":             {func(w *Watcher) { w.Way = WayDigest }, 6 * time.Hour},
		"a digest in Berlin":   {func(w *Watcher) { w.Way, w.Settings.TimeZone = WayDigest, "Europe/Berlin" }, 4 * time.Hour},
		"quiet hours":          {func(w *Watcher) { w.Settings.QuietFrom, w.Settings.QuietTo = 11*60, 13*60 }, time.Hour},
		"a snooze in quiet hours": {func(w *Watcher) {
			w.Settings.QuietFrom, w.Settings.QuietTo, w.SnoozedUntil = 11*60, 13*60, alertNoon.Add(2*time.Hour)
		}, 2 * time.Hour},
	} {
		if got := held(c.change); got != c.want {
			t.Errorf("for %s it is held for %s, want %s", name, got, c.want)
		}
	}
	if got := SnoozeTomorrow.until(notify.Settings{TimeZone: "America/New_York"}, alertNoon); !got.Equal(time.Date(2026, 5, 2, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("tomorrow is %s", got)
	}
}

func TestAUserIsAlertedOnceByTheirSoonestWatch(t *testing.T) {
	t.Parallel()
	slow, quick, inbox := watcher(1), watcher(1), watcher(1)
	slow.Way, quick.ID, inbox.ID, inbox.Way = WayDigest, 2, 3, WayInbox
	round := AlertRound{Since: alertNoon, NextWaveAt: alertNoon}
	alerts, _ := round.Plan([]Watcher{slow, inbox, quick}, false, alertNoon)
	if len(alerts) != 1 || alerts[0].ID != 2 || !alerts[0].Turn {
		t.Errorf("alerted by %+v", alerts)
	}
	muted := watcher(2)
	muted.Settings.Muted = []notify.Kind{notify.NoticeRequestWatched}
	if alerts, _ := round.Plan([]Watcher{inbox, muted}, false, alertNoon); len(alerts) != 2 || alerts[0].Turn || alerts[1].Turn {
		t.Errorf("who wants no message is messaged: %+v", alerts)
	}
}

// A month of requests that many equals watch: their waits differ little.
func TestWavesAreFairOverAMonth(t *testing.T) {
	t.Parallel()
	all, now := watchers(1000), alertNoon
	waits := make([][]float64, len(all))
	for range 30 * 12 { // a request every two hours, with three waves each
		round := AlertRound{Since: now, NextWaveAt: now}
		heard := map[core.UserID]bool{}
		for wave := range MaxWaves {
			at := now.Add(time.Duration(wave) * WavePause)
			left := slices.DeleteFunc(slices.Clone(all), func(w Watcher) bool { return heard[w.Owner] })
			alerts, next := round.Plan(left, false, at)
			for _, a := range alerts {
				i := int(a.Owner) - 1
				heard[a.Owner] = true
				if !all[i].WaitedSince.IsZero() {
					waits[i] = append(waits[i], at.Sub(all[i].WaitedSince).Hours())
				}
				all[i].WaitedSince = at
			}
			if next == nil {
				break
			}
			round = *next
		}
		now = now.Add(2 * time.Hour)
	}
	var means []float64
	for _, w := range waits {
		if len(w) == 0 {
			t.Fatal("somebody was never alerted again")
		}
		sum := 0.0
		for _, hours := range w {
			sum += hours
		}
		means = append(means, sum/float64(len(w)))
	}
	if g := gini(means); g > 0.2 {
		t.Errorf("the Gini coefficient of waits is %.2f", g)
	}
}

func gini(values []float64) float64 {
	slices.Sort(values)
	sum, weighted := 0.0, 0.0
	for i, v := range values {
		sum += v
		weighted += float64(i+1) * v
	}
	n := float64(len(values))
	return 2*weighted/(n*sum) - (n+1)/n
}

// However many requests fit, no 24 hours have more messages than the quota.
func TestAlertsOfAPersonStayWithinTheirQuota(t *testing.T) {
	t.Parallel()
	random, quota := rand.New(rand.NewPCG(1, 2)), core.Quota{Limit: 3, Per: core.Day}
	for range 50 {
		var sent []time.Time // newest first
		now, heldOnes, atOnce := alertNoon, 0, 0
		for range 200 {
			now = now.Add(time.Duration(random.IntN(3*3600)) * time.Second)
			w := watcher(1)
			w.Quota, w.Messages = quota, sent[:min(len(sent), quota.Limit)]
			if random.IntN(5) == 0 {
				w.Way = WayDigest
			}
			round := AlertRound{Since: now, NextWaveAt: now}
			alerts, _ := round.Plan([]Watcher{w}, false, now)
			at := alerts[0].MessageAt
			if alerts[0].Turn != at.Equal(now) || !alerts[0].HoldUntil.IsZero() && !at.Equal(alerts[0].HoldUntil) {
				t.Fatalf("the message of %+v", alerts[0])
			}
			if alerts[0].Turn {
				atOnce++
			} else {
				heldOnes++
			}
			if !slices.ContainsFunc(sent, at.Equal) {
				sent = append(sent, at)
				slices.SortFunc(sent, func(a, b time.Time) int { return b.Compare(a) })
			}
		}
		for i := quota.Limit; i < len(sent); i++ {
			if within := sent[i-quota.Limit].Sub(sent[i]); within < quota.Per {
				t.Fatalf("%d messages within %s", quota.Limit+1, within)
			}
		}
		if atOnce < 5 || heldOnes < 20 {
			t.Errorf("%d at once and %d held", atOnce, heldOnes)
		}
	}
}
