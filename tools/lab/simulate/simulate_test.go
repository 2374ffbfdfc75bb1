package main

import (
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

func TestASeedIsPlayedAlikeTwice(t *testing.T) {
	t.Parallel()
	var shown [2]string
	for i := range shown {
		var out strings.Builder
		r, err := play(t.Context(), seeded(t), plan{
			traders: 20, days: 2, rows: 6, goods: 8, skew: 1.1, visits: 1, posts: 1, alerts: true, quota: core.Quota{Limit: 3, Per: 24 * time.Hour}, seed: 1,
		})
		if err == nil {
			err = report(&out, []pair{{r, r}})
		}
		if err != nil {
			t.Fatal(err)
		}
		shown[i] = out.String()
		if r.posted == 0 || len(r.toFilled) != r.posted {
			t.Errorf("of %d requests %d are accounted for", r.posted, len(r.toFilled))
		}
		for _, p := range r.parts {
			if p.toOffer+p.toFilled > buyersWait || p.enough > p.toOffer+p.toFilled || p.looks == 0 || p.sellers == 0 {
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
