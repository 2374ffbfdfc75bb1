package main

import (
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

func TestASeedIsPlayedAlikeTwice(t *testing.T) {
	t.Parallel()
	var shown [2]string
	for i := range shown {
		var out strings.Builder
		r, err := play(t.Context(), pgtest.New(t), plan{traders: 20, days: 2, rows: 6, visits: 1, posts: 1, alerts: true, seed: 1})
		if err == nil {
			err = report(&out, []result{r})
		}
		if err != nil {
			t.Fatal(err)
		}
		shown[i] = out.String()
		if r.posted == 0 || len(r.toFilled) != r.posted {
			t.Errorf("of %d requests %d are accounted for", r.posted, len(r.toFilled))
		}
	}
	if shown[0] != shown[1] {
		t.Errorf("a seed gives\n%s\nand\n%s", shown[0], shown[1])
	}
}
