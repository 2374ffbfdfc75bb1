package match_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// allPages walks a list to its end and returns what it met. between is called after each page but the last.
func (w *world) allPages(q match.OrderQuery, between func(page int)) []trade.ListedOrder {
	w.T.Helper()
	var met []trade.ListedOrder
	for page := 1; ; page++ {
		got, err := w.Match.BrowseOrders(w.T.Context(), q)
		must(w.T, err)
		met = append(met, got.Orders...)
		if got.Next == nil {
			return met
		}
		if page > 1000 {
			w.T.Fatal("the list has no end")
		}
		next, err := match.ParseCursor(got.Next.String())
		must(w.T, err)
		q.After = next
		between(page)
	}
}

// before compares two orders as a sorted list does.
func before(sort match.Sort, a, b trade.Order) int {
	newerFirst := cmp.Compare(b.ID, a.ID)
	switch sort {
	case match.HighestPay:
		return cmp.Or(cmp.Compare(b.MaxPrice, a.MaxPrice), newerFirst)
	case match.TotalValue:
		return cmp.Or(cmp.Compare(b.TotalValue(), a.TotalValue()), newerFirst)
	case match.EndingSoon:
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), newerFirst)
	default:
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), newerFirst)
	}
}

func TestPagesListEachOrderOnceDespiteNewPosts(t *testing.T) {
	t.Parallel()
	for _, sort := range match.Sorts {
		t.Run(string(sort), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			random := rand.New(rand.NewPCG(1, 2))
			vary := func(d *trade.OrderDraft) {
				d.MaxPrice, d.Quantity = core.Copper(random.IntN(3)+1), random.IntN(2)+1 // many ties
			}
			var first []trade.Order
			for range 40 {
				first = append(first, w.Post(w.Ann, vary))
				w.Clock.Forward(time.Duration(random.IntN(2)) * time.Second)
			}
			met := w.allPages(match.OrderQuery{Sort: sort, Limit: 7}, func(int) {
				w.Post(w.Bob, vary)
				w.Clock.Forward(time.Duration(random.IntN(2)) * time.Second)
			})
			for i := 1; i < len(met); i++ {
				if before(sort, met[i-1].Order, met[i].Order) >= 0 {
					t.Fatalf("%d comes before %d", met[i-1].ID, met[i].ID)
				}
			}
			for _, o := range first {
				if n := count(met, func(l trade.ListedOrder) bool { return l.ID == o.ID }); n != 1 {
					t.Errorf("order %d was met %d times", o.ID, n)
				}
			}
		})
	}
}

func TestPagingContinuesAfterADeletedLastOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var orders []trade.Order
	for range 6 {
		orders = append(orders, w.Post(w.Ann))
	}
	page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{Limit: 3})
	must(t, err)
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, page.Orders[2].ID))
	rest, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{Limit: 3, After: page.Next})
	must(t, err)
	if len(rest.Orders) != 3 || rest.Orders[0].ID != orders[2].ID || rest.Next != nil || rest.Total != 5 {
		t.Errorf("rest = %+v", rest)
	}
}

func TestListsContainTheMatchingOrders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.Post(w.Ann)
	w.Clock.Forward(trade.OrderLifetime - time.Hour)
	open, closed, filled := w.Post(w.Ann), w.Post(w.Ann), w.Post(w.Ann)
	others := w.Post(w.Bob)
	w.OfferOn(w.Bob, open, 1)
	w.OfferOn(w.Cat, open, 1)
	_, err := w.Trade.CloseOrder(t.Context(), w.Ann, closed.ID)
	must(t, err)
	_, err = w.Trade.LogSale(t.Context(), w.Ann, filled.ID, trade.SaleDraft{Quantity: 10})
	must(t, err)
	w.Clock.Forward(time.Hour) // now old has just expired

	for name, tt := range map[string]struct {
		list func() (match.OrderPage, error)
		want []core.OrderID
	}{
		"browse": {
			func() (match.OrderPage, error) { return w.Match.BrowseOrders(t.Context(), match.OrderQuery{}) },
			[]core.OrderID{others.ID, open.ID},
		},
		"my requests": {
			func() (match.OrderPage, error) {
				return w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{List: match.OpenOrders})
			},
			[]core.OrderID{open.ID},
		},
		"completed": {
			func() (match.OrderPage, error) {
				return w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{List: match.FulfilledOrders})
			},
			[]core.OrderID{filled.ID, closed.ID},
		},
		"expired": {
			func() (match.OrderPage, error) {
				return w.Match.OwnOrders(t.Context(), w.Ann, match.OrderQuery{List: match.ExpiredOrders})
			},
			[]core.OrderID{old.ID},
		},
	} {
		page, err := tt.list()
		must(t, err)
		var got []core.OrderID
		for _, o := range page.Orders {
			got = append(got, o.ID)
			wantOffers := 0
			if o.ID == open.ID && name == "my requests" {
				wantOffers = 2
			}
			if o.Offers != wantOffers {
				t.Errorf("%s: order %d has %d offers, want %d", name, o.ID, o.Offers, wantOffers)
			}
		}
		if !slices.Equal(got, tt.want) || page.Total != len(tt.want) {
			t.Errorf("%s lists %v of %d, want %v", name, got, page.Total, tt.want)
		}
	}
	counts, err := w.Counts(t.Context(), w.Ann)
	must(t, err)
	if counts.Active != 1 || counts.Fulfilled != 2 || counts.Expired != 1 {
		t.Errorf("counts = %+v", counts)
	}
}

func TestWordsAreFoundAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	named := func(name, description string) core.OrderID {
		return w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName, d.Description = name, description }).ID
	}
	ore := named("Iron Ore", "for my anvil")
	ingot := named("Ingot", "IRON, 100% pure")
	snake := named("snake_case", `back\slash`)
	umlaut := named("Überzieher", "Größe 5")
	for text, want := range map[string][]core.OrderID{
		"":             {umlaut, snake, ingot, ore},
		"iro":          {ingot, ore},
		"IRON ore":     {ore},
		"ore iron":     {ore},
		"anvil iron":   {ore},
		"r":            {umlaut, ingot, ore},
		"on":           {ingot, ore},
		"100%":         {ingot},
		"%":            {ingot},
		"_":            {snake},
		"e_c":          {snake},
		"exc":          nil,
		`\`:            {snake},
		`k\s`:          {snake},
		"über":         {umlaut},
		"ÜBER":         {umlaut},
		"größe":        {umlaut},
		"iron missing": nil,
		"iron-ore":     {ore},
		"ann":          {umlaut, snake, ingot, ore}, // the buyer
		"miner ingot":  {ingot},                     // the profession
		"iner":         nil,
		"'; drop":      nil,
	} {
		page, err := w.Match.BrowseOrders(t.Context(), match.OrderQuery{OrderFilter: match.OrderFilter{Text: text}})
		must(t, err)
		var got []core.OrderID
		for _, o := range page.Orders {
			got = append(got, o.ID)
		}
		if !slices.Equal(got, want) || page.Total != len(want) {
			t.Errorf("%q finds %v, want %v", text, got, want)
		}
	}
}

func TestFiltersAndSortsHoldTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	var all []trade.Order
	for range 150 {
		all = append(all, w.Post(w.Ann, func(d *trade.OrderDraft) {
			d.ItemName = pick("Iron", "Oak", "Silver") + " " + pick("Ore", "Log", "Bar")
			d.Description = pick("", "for iron works", "100% oak")
			d.MaxPrice, d.Quantity = core.Copper(random.IntN(20)+1), random.IntN(20)+1
			d.Category = game.Standard().Categories()[random.IntN(4)]
			d.Importance = game.Importances[random.IntN(4)]
			if level := random.IntN(6); level > 0 {
				d.LevelRequirement = &level
			}
		}))
		w.Clock.Forward(time.Duration(random.IntN(3)) * time.Second)
	}
	matches := func(f match.OrderFilter, o trade.Order) bool {
		for _, word := range f.Words() {
			if !strings.Contains(strings.ToLower(o.ItemName+" "+o.Description), word) {
				return false
			}
		}
		fits := f.ByCategory() == nil
		for _, s := range f.ByCategory() {
			fits = fits || o.Category == s.Category && (s.Level == 0 || o.LevelRequirement == nil || *o.LevelRequirement <= s.Level)
		}
		return fits &&
			(len(f.Importance) == 0 || slices.Contains(f.Importance, o.Importance)) &&
			(f.Level == 0 || o.LevelRequirement == nil || *o.LevelRequirement <= f.Level) &&
			o.MaxPrice >= f.MinPrice && (f.MaxPrice == 0 || o.MaxPrice <= f.MaxPrice)
	}
	for range 200 {
		q := match.OrderQuery{Sort: match.Sorts[random.IntN(4)], Limit: 11}
		q.Text = pick("", "", "iron", "o", "oak lo", "100%", "r")
		if random.IntN(2) == 0 {
			q.Categories = game.Standard().Categories()[random.IntN(4):][:1+random.IntN(3)]
		}
		if random.IntN(2) == 0 {
			q.Importance = game.Importances[random.IntN(3):][:2]
		}
		q.Level = random.IntN(6)
		if random.IntN(2) == 0 {
			for _, category := range game.Standard().Categories()[:random.IntN(4)] {
				q.Skills = append(q.Skills, people.Skill{Category: category, Level: 1 + random.IntN(5)})
			}
		}
		if random.IntN(2) == 0 {
			q.MinPrice, q.MaxPrice = core.Copper(random.IntN(10)), core.Copper(random.IntN(10)+10)
		}
		var want []core.OrderID
		perCategory := map[game.Category]int{}
		sorted := slices.SortedFunc(slices.Values(all), func(a, b trade.Order) int { return before(q.Sort, a, b) })
		anyCategory := q.OrderFilter
		anyCategory.Categories = nil
		for _, o := range sorted {
			if matches(q.OrderFilter, o) {
				want = append(want, o.ID)
			}
			if matches(anyCategory, o) {
				perCategory[o.Category]++
			}
		}
		asked := fmt.Sprintf("%s %+v", q.Sort, q.OrderFilter)
		var got []core.OrderID
		for _, o := range w.allPages(q, func(int) {}) {
			got = append(got, o.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n got %v\nwant %v", asked, got, want)
		}
		page, err := w.Match.BrowseOrders(t.Context(), q)
		must(t, err)
		counts, err := w.Match.CountOrders(t.Context(), q.OrderFilter)
		must(t, err)
		sum := 0
		for category, n := range counts.ByCategory {
			sum += n
			if n != perCategory[category] {
				t.Fatalf("%s: %d in %s, want %d", asked, n, category, perCategory[category])
			}
		}
		if page.Total != len(want) || counts.All != sum || len(counts.ByCategory) != len(game.Standard().Categories()) {
			t.Fatalf("%s: total %d, want %d; counts %+v", asked, page.Total, len(want), counts)
		}
	}
}

func TestItemsAreSuggestedByHowOftenTheyAreOrdered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := func(by core.Actor, name string) trade.Order {
		return w.Post(by, func(d *trade.OrderDraft) { d.ItemName = name })
	}
	suggests := func(who core.Actor, text string, want ...string) {
		t.Helper()
		got, err := w.Market.Match.ItemNames(t.Context(), who, text, 3)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%q suggests %q, want %q", text, got, want)
		}
	}
	for _, by := range []core.Actor{w.Ann, w.Bob} {
		must(t, w.Trust.Vouch(t.Context(), w.Moderator(), by.UserID))
		post(by, "Iron Ore")
		post(by, "Oak Log")
		post(by, "Iron 5%")
	}
	bar := post(w.Ann, "Iron Bar")
	post(w.Bob, "iron bar")
	post(w.Bob, "iron bar")
	visitor := core.Actor{}
	suggests(visitor, "", "Iron Bar", "Iron 5%", "Iron Ore")
	suggests(visitor, "BAR iron", "Iron Bar")
	suggests(visitor, "oa", "Oak Log")
	suggests(visitor, "%", "Iron 5%")
	suggests(visitor, "_")

	renamed := "Gold Bar"
	_, err := w.Trade.EditOrder(t.Context(), w.Ann, bar.ID, trade.OrderEdit{Version: 1, ItemName: &renamed})
	must(t, err)
	suggests(visitor, "bar")
	suggests(w.Ann, "bar", "Gold Bar")
	suggests(w.Bob, "bar", "iron bar")
}

// What one person writes is suggested to nobody else, nor what cannot be seen.
func TestOnlyNamesOfTwoTradersAreSuggestedToOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	visitor := core.Actor{}
	post := func(by core.Actor, name string) trade.Order {
		return w.Post(by, func(d *trade.OrderDraft) { d.ItemName = name })
	}
	suggests := func(what string, who core.Actor, want ...string) {
		t.Helper()
		got, err := w.Market.Match.ItemNames(t.Context(), who, "buy", 5)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q is suggested, want %q", what, got, want)
		}
	}
	for range 3 {
		post(w.Ann, "Buy at evil.example")
	}
	suggests("of one person", visitor)
	suggests("of one person", w.Bob)
	suggests("of oneself", w.Ann, "Buy at evil.example")

	other := post(w.Bob, "BUY AT EVIL.EXAMPLE")
	suggests("of two without trust", visitor)
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), w.Ann.UserID))
	suggests("of one who is known", visitor)
	must(t, w.Trust.Vouch(t.Context(), w.Moderator(), w.Bob.UserID))
	suggests("of two, as the first spells it", visitor, "Buy at evil.example")
	suggests("of two, as the first spells it", w.Bob, "Buy at evil.example")
	_, err := w.Trade.CloseOrder(t.Context(), w.Bob, other.ID)
	must(t, err)
	suggests("closed by the second", visitor)

	post(w.Bob, "Buy at evil.example")
	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Bob.UserID, "spam"))
	suggests("the second is blocked", visitor)
	must(t, w.Moderation.UnblockUser(t.Context(), w.Moderator(), w.Bob.UserID))
	suggests("unblocked", visitor, "Buy at evil.example")
	w.Clock.Forward(trade.OrderLifetime + time.Second)
	suggests("expired", visitor)
}
