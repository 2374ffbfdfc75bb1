package main

import (
	"slices"
	"strings"
	"testing"
)

var small = limits{
	Layers: []string{"core", "bot", "web"}, LeftOut: []string{"bot/standin"},
	Figures: []limit{
		{filesInPackage, 3, 1}, {methodsOfType, 3, 2}, {methodsOfIface, 2, 1}, {filesInCircle, 2, 0}, {mixedFiles, 1, 0},
		{circlesInPage, 1, 0}, {longLines, 1, 0}, {productLines, 69, 10}, {unwrapped, 69, 10}, {headless, 491.8, 10},
	},
}

func smallTree(t *testing.T) *tree {
	t.Helper()
	loaded, err := load("testdata/tree", small)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func TestFiguresOfASmallTree(t *testing.T) {
	t.Parallel()
	figures, err := smallTree(t).measure()
	if err != nil {
		t.Fatal(err)
	}
	want := []figure{
		{filesInPackage, 3, "core"},
		{methodsOfType, 3, "bot.Bot"},
		{methodsOfIface, 2, "core.Store"},
		{filesInCircle, 2, "core"},
		{mixedFiles, 1, "core/items/service.go"},
		{circlesInPage, 1, "dashboard/src/a.ts, dashboard/src/b.tsx"},
		{longLines, 1, "core/market.go"},
		{productLines, 69, ""},
		{unwrapped, 69, ""},
		{headless, 491.8, "3 in 61 words"},
	}
	if !slices.Equal(figures, want) {
		t.Errorf("measured\n%v\nwant\n%v", figures, want)
	}
	if table, err := small.compare(figures); err != nil || strings.Count(table, "\n") != 11 {
		t.Errorf("%v\n%s", err, table)
	}
}

func TestAFigureAboveItsLimitIsAnError(t *testing.T) {
	t.Parallel()
	figures, err := smallTree(t).measure()
	if err != nil {
		t.Fatal(err)
	}
	for i := range figures {
		larger := slices.Clone(figures)
		larger[i].value = small.Figures[i].Limit + 0.1
		if _, err := small.compare(larger); err == nil || !strings.Contains(err.Error(), larger[i].name) {
			t.Errorf("%s above its limit: %v", larger[i].name, err)
		}
	}
	for _, l := range []limits{
		{Figures: small.Figures[1:]},
		{Figures: append(slices.Clone(small.Figures), limit{Name: "no such figure"})},
	} {
		if _, err := l.compare(figures); err == nil {
			t.Errorf("%d limits for %d figures are no error", len(l.Figures), len(figures))
		}
	}
}

func TestArrowsAgainstTheOrderOfRooms(t *testing.T) {
	t.Parallel()
	drawn := rooms{"core": {Order: []string{"core/items", "core/trade", "core"}, Files: map[string]string{
		"core/order.go": "core/trade", "core/market.go:Market.Best": "core/trade",
		"core/market.go:Store": divided,
	}}}
	const want = `core: 5 files, 6 arrows, 2 against the order of 3 rooms
     2  core/trade -> core
  away from its type: core/market.go: Market.Best (core/trade), its type is in core
  core/market.go -> core/offer.go
      Market.Best (core/trade) -> Offer (core)
  core/order.go -> core/offer.go
      Order (core/trade) -> Offer (core)
      Order.Best (core/trade) -> Offer (core)
bot: 1 files, 0 arrows
web: 0 files, 0 arrows
`
	small := smallTree(t)
	if got := small.arrowsReport(drawn, true); got != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
	if err := small.unknown(drawn); err != nil {
		t.Error(err)
	}
	for _, entry := range []string{"core/gone.go", "core/order.go:Gone", "core/offer.go"} {
		stale := rooms{"core": {Order: drawn["core"].Order, Files: map[string]string{entry: "no/room"}}}
		if err := small.unknown(stale); err == nil || !strings.Contains(err.Error(), entry) {
			t.Errorf("%s in no room: %v", entry, err)
		}
	}
}

func TestEveryFigureHasALimit(t *testing.T) {
	t.Parallel()
	l, err := readLimits("limits.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range small.Figures {
		limits := func(l limit) bool { return l.Name == f.Name && l.Goal <= l.Limit }
		if !slices.ContainsFunc(l.Figures, limits) {
			t.Errorf("limits.json has no limit of %q that is at least its goal", f.Name)
		}
	}
	if _, err := readRooms("rooms.json"); err != nil {
		t.Error(err)
	}
}
