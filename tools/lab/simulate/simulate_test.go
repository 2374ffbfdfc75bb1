package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// small is a plan that is played within seconds.
func small() plan {
	return plan{
		traders: 20, items: 30, days: 2, rows: 6, goods: 8, asked: popularity{skew: 1.1}, supply: 1, sessions: 2,
		searches: 0.25, restock: 0.5, posts: 1, features: features{alerts: true},
		quota: core.LimitDMAlerts.Quota, reach: core.LimitReach.Quota, seed: 1,
	}
}

func TestASeedIsPlayedAlikeTwice(t *testing.T) {
	t.Parallel()
	var shown [2]string
	for i := range shown {
		var out strings.Builder
		r, err := play(t.Context(), seeded(t), small())
		if err == nil {
			err = report(&out, []row{{pair{r, r}, 1}})
		}
		if err != nil {
			t.Fatal(err)
		}
		shown[i] = out.String()
		if r.posted == 0 || len(r.toFilled) != r.posted || len(r.toMet) != r.posted {
			t.Errorf("of %d requests %d and %d are accounted for", r.posted, len(r.toFilled), len(r.toMet))
		}
		if len(r.waits)+r.missed != r.trades || len(r.waits) == 0 {
			t.Errorf("of %d trades %d were met, and %d not", r.trades, len(r.waits), r.missed)
		}
		if unfilled := r.posted - r.filled; r.raised < raises*unfilled || unfilled == 0 {
			t.Errorf("prices of %d requests that were not filled were raised %d times", unfilled, r.raised)
		}
		for n := range r.toMet {
			if r.toMet[n] < r.toFilled[n] {
				t.Errorf("the %d-th soonest was handed over after %s, and agreed after %s", n, r.toMet[n], r.toFilled[n])
			}
		}
		for _, p := range r.parts {
			if p.toOffer+p.toFilled > buyersWait || p.enough > p.toOffer+p.toFilled || p.looks == 0 ||
				p.sellers == 0 || p.trades == 0 {
				t.Errorf("a request came to be filled like this: %+v", p)
			}
		}
		if most := at(r.messages, 100); most == 0 || most > 3 {
			t.Errorf("%d messages on a day", most)
		}
	}
	if shown[0] != shown[1] {
		t.Errorf("a seed gives\n%s\nand\n%s", shown[0], shown[1])
	}
}

// TestOffersAreTakenAsTheyCome has every buyer do that: nobody looks at an offer of people who they name.
func TestOffersAreTakenAsTheyCome(t *testing.T) {
	t.Parallel()
	p := small()
	p.standing, p.terms = 1, "anybody"
	r, err := play(t.Context(), seeded(t), p)
	if err != nil {
		t.Fatal(err)
	}
	atOnce := 0
	for _, of := range r.parts {
		if of.looks == 0 {
			atOnce++
		}
	}
	if atOnce < len(r.parts)/2 || atOnce == 0 {
		t.Errorf("of %d requests %d were agreed without a look", len(r.parts), atOnce)
	}
}

// TestBothSidesTradeWithoutAsking has every buyer and every listing stand.
func TestBothSidesTradeWithoutAsking(t *testing.T) {
	t.Parallel()
	p := small()
	p.standing, p.terms, p.listed = 1, "anybody", 1
	r, err := play(t.Context(), seeded(t), p)
	if err != nil {
		t.Fatal(err)
	}
	if r.crossed == 0 || r.crossed > r.trades {
		t.Errorf("of %d trades %d were crossed", r.trades, r.crossed)
	}
	t.Logf("%d of %d trades crossed, %d of %d requests agreed", r.crossed, r.trades, r.filled, r.posted)
}

// TestTwoMeetAtATimeThatIsProposed has the program know when everybody is free.
func TestTwoMeetAtATimeThatIsProposed(t *testing.T) {
	t.Parallel()
	played := map[bool]result{}
	for _, another := range []bool{false, true} {
		p := small()
		p.hours, p.known, p.another, p.posts = 1, knownFree, another, 3
		r, err := play(t.Context(), seeded(t), p)
		if err != nil {
			t.Fatal(err)
		}
		of := r.times
		if of.known != r.trades || of.proposed != r.trades {
			t.Errorf("of %d trades %d are of people who said when they play, and %d got a time", r.trades,
				of.known, of.proposed)
		}
		if of.came == 0 || of.came >= of.agreed || of.agreed > of.proposed || of.messages == 0 {
			t.Errorf("%d agreed, %d came, %d messages", of.agreed, of.came, of.messages)
		}
		if len(r.waits)+r.missed != r.trades || len(of.waits)+len(of.chance) != len(r.waits) ||
			len(of.waits) != of.came {
			t.Errorf("of %d trades %d were met and %d not: %d at their time, %d by chance", r.trades,
				len(r.waits), r.missed, len(of.waits), len(of.chance))
		}
		if at(of.waits, 50) >= at(of.chance, 50) || at(of.waits, 100) > 3*core.Day+meetingTakes && !another {
			t.Errorf("met after %s at their time (at most %s), and after %s by chance", at(of.waits, 50),
				at(of.waits, 100), at(of.chance, 50))
		}
		played[another] = r
	}
	if late, again := played[false].times, played[true].times; again.proposed-again.agreed >=
		late.proposed-late.agreed {
		t.Errorf("agreed on %d of %d times, and with another time on %d of %d", late.agreed, late.proposed,
			again.agreed, again.proposed)
	}
}

// TestAMarketThatKnowsNoHoursIsTheSame switches the feature on without anybody who takes part.
func TestAMarketThatKnowsNoHoursIsTheSame(t *testing.T) {
	t.Parallel()
	var shown [2]string
	for i, part := range []float64{0, 1e-12} {
		p := small()
		p.hours, p.known = part, knownUsual
		r, err := play(t.Context(), seeded(t), p)
		if err != nil {
			t.Fatal(err)
		}
		if r.times.known+r.times.proposed+r.times.messages > 0 {
			t.Errorf("of nobody: %+v", r.times)
		}
		shown[i] = fmt.Sprint(r.posted, r.filled, r.trades, r.missed, r.toFilled, r.toMet, r.waits, r.messages,
			r.parts)
	}
	if shown[0] != shown[1] {
		t.Errorf("without hours\n%s\nand with those of nobody\n%s", shown[0], shown[1])
	}
}

// TestHoursAreLearnedFromWhoMet has nobody say when they play, and everybody have it learned.
func TestHoursAreLearnedFromWhoMet(t *testing.T) {
	t.Parallel()
	p := small()
	p.hours, p.known, p.posts = 1, knownLearned, 2
	w, closeIt, err := open(t.Context(), seeded(t), p, firstDay(), p.quotas())
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	if err := w.playAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if met := count(t, w, "select coalesce(sum(n), 0) from play_hours, unnest(learned) n"); met != 2*len(w.result.waits) {
		t.Errorf("%d hours of %d trades that were met are counted", met, len(w.result.waits))
	}
	learned := 0
	for _, person := range w.people {
		of, err := w.market.People.PlayHours(t.Context(), person.Actor)
		if err != nil || !of.Said.Empty() {
			t.Fatalf("%s has said something: %+v, %v", person.Username, of, err)
		}
		learned += of.Learned.Count()
	}
	t.Logf("%d hours of %d people are learned", learned, len(w.people))
}

// TestAGrownMarketHasTrust plays what was before: people, trades that were met, and a market that is young no
// more. The same people play on.
func TestAGrownMarketHasTrust(t *testing.T) {
	t.Parallel()
	p, dsn := small(), seeded(t)
	p.traders, p.before = 60, tradesBefore
	if err := grow(t.Context(), dsn, p); err != nil {
		t.Fatal(err)
	}
	w, closeIt, err := open(t.Context(), dsn, p, firstDay(), p.quotas())
	if err != nil {
		t.Fatal(err)
	}
	defer closeIt()
	moderator := core.Actor{UserID: 1, Moderator: true, SignedInAt: w.clock()}
	list, err := w.market.Trust.VouchList(t.Context(), moderator)
	if err != nil || list.Young || list.Trusted == 0 {
		t.Errorf("trusted: %d, young: %t (%v)", list.Trusted, list.Young, err)
	}
	first, err := w.join(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if users := count(t, w, "select count(*) from users"); users != p.traders {
		t.Errorf("%s plays on: %d users of %d", first.Username, users, p.traders)
	}
	if met := count(t, w, "select count(*) from handovers where state = 'met'"); met < p.traders {
		t.Errorf("%d trades were met", met)
	}
	if jobs := count(t, w, "select count(*) from river_job"); jobs > 0 {
		t.Errorf("%d jobs are left of what was before", jobs)
	}
}

func count(t *testing.T, w *world, query string) (n int) {
	t.Helper()
	if err := w.store.Pool().QueryRow(context.Background(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// seeded is a database with the catalogue's items.
func seeded(t *testing.T) (dsn string) {
	dsn = pgtest.New(t)
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{MaxConns: 2})
	if err == nil {
		defer store.Close()
		_, err = newMarket(store, market.Options{Features: core.Features{Items: true}}).Items.Seed(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

func lasting(n float64) time.Duration { return time.Duration(n * float64(time.Hour)) }
