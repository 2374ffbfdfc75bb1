package months

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
)

// number reads a number from the environment.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func playIn(t *testing.T, seed uint64) (r Result) {
	t.Helper()
	synctest.Test(t, func(*testing.T) { r = Play(seed) })
	return r
}

func TestAMonthRepeatsBySeed(t *testing.T) {
	t.Parallel()
	first, second := playIn(t, 7), playIn(t, 7)
	if a, b := fmt.Sprintf("%+v", first), fmt.Sprintf("%+v", second); a != b {
		t.Errorf("a seed gives two months:\n%s\n%s", a, b)
	}
	if first.Notices < 100 || first.Messages < 50 {
		t.Errorf("little happened: %+v", first)
	}
}

// In these months messages came twice: the clock was ahead when they were first tried, and stepped back while Discord
// was down.
func TestMonthsThatWereWrongOnce(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{221, 240, 255, 285} {
		for _, f := range playIn(t, seed).Findings {
			t.Errorf("month %d: %s", seed, f)
		}
	}
}

// TestMonths plays MONTHS months from MONTH_SEED on; with MONTHS_UNTIL_FOUND it stops at the first finding.
func TestMonths(t *testing.T) {
	from, many := number(t, "MONTH_SEED", 1), number(t, "MONTHS", 20)
	if os.Getenv("MONTHS_UNTIL_FOUND") != "" {
		for seed := from; seed < from+many; seed++ {
			if r := playIn(t, seed); len(r.Findings) > 0 {
				t.Fatalf("found after %d months: %s", seed-from+1, r.Findings[0])
			}
		}
		return
	}
	results := make([]Result, many)
	t.Run("months", func(t *testing.T) {
		for i := range results {
			t.Run(fmt.Sprint(from+uint64(i)), func(t *testing.T) {
				t.Parallel()
				results[i] = playIn(t, from+uint64(i))
				for _, f := range results[i].Findings {
					t.Error(f)
				}
			})
		}
	})
	if !slices.ContainsFunc(os.Args, func(arg string) bool { return arg == "-test.v=true" }) && os.Getenv("MONTHS") == "" {
		return
	}
	fmt.Print(Table(results))
}
