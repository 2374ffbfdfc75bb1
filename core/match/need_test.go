package match

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
)

func seller(user int) Watcher {
	w := watcher(user)
	w.ID, w.Has = 0, 50
	return w
}

func TestARequestNeedsFewSellersOrAllOnceAThirdOfItsLifeIsOver(t *testing.T) {
	t.Parallel()
	named := func(change func(*SearchDraft)) Watcher {
		w := watcher(1)
		change(&w.SearchDraft)
		return w
	}
	profession := named(func(d *SearchDraft) { d.Categories = []game.Category{"Miner"} })
	forLevels := named(func(d *SearchDraft) { d.ForMe, d.Level = true, 200 })
	third := NeedsAllAfter
	for name, tt := range map[string]struct {
		watcher Watcher
		have    int
		enough  bool
		after   time.Duration
		want    bool
	}{
		"one of thirty who have it":                  {watcher: seller(1), have: 30, want: true},
		"one of thirty-one":                          {watcher: seller(1), have: 31},
		"a profession, and thirty have it":           {watcher: profession, have: 30},
		"a profession, and twenty-nine have it":      {watcher: profession, have: 29, want: true},
		"levels, and nobody has it":                  {watcher: forLevels, want: true},
		"levels, and many have it":                   {watcher: forLevels, have: 31},
		"a third of its life is over":                {watcher: seller(1), have: 31, after: third, want: true},
		"a moment before that":                       {watcher: seller(1), have: 31, after: third - time.Microsecond},
		"a third is over, and enough was offered":    {watcher: seller(1), have: 31, after: third, enough: true},
		"few have it, and enough was offered":        {watcher: seller(1), have: 3, enough: true, want: true},
		"a bell for an item":                         {watcher: named(func(d *SearchDraft) { d.Items = []core.ItemID{1} }), have: 31, want: true},
		"a bell for a kind":                          {watcher: named(func(d *SearchDraft) { d.Kind = "Ore" }), have: 31, want: true},
		"a bell for words":                           {watcher: named(func(d *SearchDraft) { d.Text = "iron" }), have: 31, want: true},
		"a bell for a price":                         {watcher: named(func(d *SearchDraft) { d.MinPrice, d.ForMe = 6000, true }), have: 31, want: true},
		"a bell for a quantity in a profession":      {watcher: named(func(d *SearchDraft) { d.MinQuantity = 500 }), have: 31, want: true},
		"a bell for an item, and enough was offered": {watcher: named(func(d *SearchDraft) { d.Items = []core.ItemID{1} }), have: 31, enough: true, want: true},
	} {
		need := Need{Have: tt.have, Enough: tt.enough, Since: alertNoon, Until: alertNoon.Add(365 * core.Day)}
		if got := need.Of(tt.watcher, alertNoon.Add(tt.after)); got != tt.want {
			t.Errorf("%s: needed is %v", name, got)
		}
	}
	if short := (Need{Since: alertNoon, Until: alertNoon.Add(3 * time.Hour)}); !short.AllAt().Equal(alertNoon.Add(time.Hour)) {
		t.Errorf("a request of three hours needs all at %s", short.AllAt())
	}
}

func TestWhoIsNotNeededHearsOnceADayAndABellByHandAtOnce(t *testing.T) {
	t.Parallel()
	need := Need{Have: 40, Since: alertNoon, Until: alertNoon.Add(core.Day)}
	byHand := watcher(1)
	byHand.Items = []core.ItemID{1}
	round := AlertRound{Since: alertNoon, NextWaveAt: alertNoon, DueAt: alertNoon}
	all := need.gathered([]Watcher{seller(1), byHand, seller(2), seller(3)}, alertNoon)
	alerts, next := round.Plan(all, false, alertNoon)
	if len(alerts) != 3 || next != nil {
		t.Fatalf("%d hear, then %+v", len(alerts), next)
	}
	for _, a := range alerts {
		evening := alertNoon.Add((digestHour - 12) * time.Hour)
		if a.Owner == 1 && (!a.Turn || a.ID != byHand.ID) || a.Owner != 1 && (a.Turn || !a.MessageAt.Equal(evening)) {
			t.Errorf("%d hears at %s by %d", a.Owner, a.MessageAt, a.ID)
		}
	}
	rest := round.rests(need, alertNoon)
	if rest == nil || !rest.Resting || !rest.DueAt.Equal(need.AllAt()) {
		t.Fatalf("the round goes on as %+v", rest)
	}
	if again := rest.rests(need, rest.DueAt); again != nil {
		t.Errorf("after its rest it goes on as %+v", again)
	}
	if late := round.rests(need, need.AllAt()); late != nil {
		t.Errorf("after a third of the request's life it rests as %+v", late)
	}
}

// Whatever is known of them: more have it, and nobody more is needed; later, and nobody less is.
func TestANeedFallsWithThoseWhoHaveItAndGrowsWithTime(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 40))
	for range 20_000 {
		w := seller(1)
		if random.IntN(2) == 0 {
			w = watcher(1)
			w.SearchDraft = randomWatch(random)
		}
		now := alertNoon.Add(time.Duration(random.Int64N(int64(4 * core.Day))))
		need := Need{Have: random.IntN(60), Enough: random.IntN(2) == 0, Since: alertNoon,
			Until: alertNoon.Add(time.Duration(1 + random.Int64N(int64(30*core.Day))))}
		needed, more := need.Of(w, now), need
		more.Have++
		if !needed && more.Of(w, now) || needed && !need.Of(w, now.Add(time.Hour)) {
			t.Fatalf("%+v needs %+v at %s: %v", need, w, now, needed)
		}
		if w.ID != 0 && w.Named() && !needed {
			t.Fatalf("a bell by hand does not ring: %+v", w)
		}
	}
}

func TestAlertsAreRankedByWorthTrustAndScarcity(t *testing.T) {
	t.Parallel()
	type alert struct {
		name     string
		have     int
		quantity int
		price    core.Copper
		trust    float64
	}
	alerts := []alert{
		{"much, for someone known, and only I have it", 1, 200, 5000, 1},
		{"less of it", 1, 100, 5000, 1},
		{"for someone unknown", 1, 100, 5000, 0},
		{"that five have", 5, 100, 5000, 0},
		{"that thirty have", 30, 100, 5000, 0},
		{"for a quarter of that", 30, 100, 1250, 0},
		{"for nothing that counts", 31, 1, 1, 0},
	}
	ranks := make([]int64, len(alerts))
	for i, a := range alerts {
		ranks[i] = -Need{Have: a.have}.Rank(a.quantity, a.price, a.trust)
		if i > 0 && ranks[i] <= ranks[i-1] {
			t.Errorf("%s is not before %s: %v", alerts[i-1].name, a.name, ranks)
		}
	}
	if most := (Need{}).Rank(core.MaxQuantity, core.MaxPrice, 9); most <= 0 {
		t.Errorf("the dearest request has the rank %d", most)
	}
	if !slices.IsSorted(ranks) {
		t.Errorf("ranks %v", ranks)
	}
}
