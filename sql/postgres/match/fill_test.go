package match_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// byHand is what somebody can fill, found out order by order. Those beyond what is known are the last.
func byHand(orders []trade.Order, beyond []core.OrderID, seller core.UserID, blockedBy core.UserID, stock []match.Stock, skills []people.Skill, index []items.Item) (ids []string) {
	named := func(text string) *items.Item {
		for at, item := range index {
			for _, name := range item.Names {
				if name.Key == coretest.Forms.FoldItem(text) {
					return &index[at]
				}
			}
		}
		return nil
	}
	same := func(a, b string) bool {
		first, second := named(a), named(b)
		return coretest.Forms.FoldItem(a) == coretest.Forms.FoldItem(b) || first != nil && first == second
	}
	var found []match.FillableOrder
	for _, o := range orders {
		if o.Owner == seller || o.Owner == blockedBy || o.Hidden {
			continue
		}
		f := match.FillableOrder{Order: o}
		for _, s := range stock {
			if same(s.ItemName, o.ItemName) && s.Price <= o.MaxPrice && s.Quantity > 0 {
				f.FromStock, f.Can = true, min(o.Remaining(), s.Quantity)
			}
		}
		if item := named(o.ItemName); !f.FromStock && item != nil && item.MadeAt != nil {
			for _, s := range skills {
				if slices.Contains(item.MadeBy, s.Category) && s.Level >= *item.MadeAt && (o.LevelRequirement == nil || s.Level >= *o.LevelRequirement) {
					f.Can = o.Remaining()
				}
			}
		} else if !f.FromStock && item == nil && slices.ContainsFunc(skills, func(s people.Skill) bool {
			return s.Category == o.Category && (o.LevelRequirement == nil || s.Level >= *o.LevelRequirement)
		}) {
			f.Can = o.Remaining()
		}
		if f.Can > 0 {
			found = append(found, f)
		}
	}
	ranked := func(f match.FillableOrder) core.Copper {
		if slices.Contains(beyond, f.ID) {
			return 0
		}
		return f.Earns()
	}
	slices.SortFunc(found, func(a, b match.FillableOrder) int {
		if a.FromStock != b.FromStock {
			if a.FromStock {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(ranked(b), ranked(a)), cmp.Compare(b.ID, a.ID))
	})
	for _, f := range found {
		ids = append(ids, fmt.Sprint(f.ID, f.FromStock, f.Can))
	}
	return ids
}

// On 1,000 random boards, page by page and with a random filter.
func TestFillableOrdersMatchTryingEveryOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	random := rand.New(rand.NewPCG(1, 2))
	professions := []game.Category{"Miner", "Chef", "Blacksmith"}
	must(t, w.SQL("insert into blocked_sellers (buyer_id, seller_id, created_at) values ($1, $2, now())", w.Cat.UserID, w.Bob.UserID))
	boards := make([]randomBoard, 1000)
	var all []trade.Order
	for i := range boards {
		boards[i] = newBoard(random, i, professions, w)
		all = append(all, boards[i].orders...)
	}
	must(t, w.saveBoard(all))
	must(t, w.saveItems(boards))
	must(t, w.SQL("analyze orders"))
	now := w.Clock.Now()
	for i, board := range boards {
		index := items.NewIndex(board.items, nil, coretest.Forms)
		var stock []match.Stock
		for _, n := range random.Perm(12)[:random.IntN(4)] {
			stock = append(stock, match.Stock{
				StockDraft: match.StockDraft{ItemName: fmt.Sprint("Ding ", i, "x", n), Quantity: random.IntN(9), Price: core.Copper(1 + random.IntN(9))}, TouchedAt: now,
			})
		}
		var skills []people.Skill
		for _, p := range professions[:random.IntN(4)] {
			skills = append(skills, people.Skill{Category: p, Level: 1 + random.IntN(100)})
		}
		if random.IntN(2) == 0 {
			skills = append(skills, people.Skill{Category: ownCategory(i), Level: 1 + random.IntN(100)})
		}
		q := match.NewFillQuery(w.Bob.UserID, stock, skills, index, coretest.Forms, now)
		q.MinPrice, q.Limit = core.Copper(random.IntN(3)), 1+random.IntN(20)
		for _, o := range board.orders {
			if random.IntN(8) == 0 {
				q.Beyond = append(q.Beyond, o.ID)
			}
		}
		fits := slices.DeleteFunc(slices.Clone(board.orders), func(o trade.Order) bool { return o.MaxPrice < q.MinPrice })
		var ids []string
		total := 0
		for more := true; more; {
			page, err := w.Store.FillOrders(t.Context(), q)
			must(t, err)
			if q.After == nil {
				total = page.Total
			}
			for _, f := range page.Orders {
				ids = append(ids, fmt.Sprint(f.ID, f.FromStock, f.Can))
			}
			q.After, more = page.Next, page.Next != nil
		}
		if want := byHand(fits, q.Beyond, w.Bob.UserID, w.Cat.UserID, stock, skills, board.items); !slices.Equal(ids, want) || total != len(want) {
			t.Fatalf("board %d: %v can be filled, %d in all, want %v (stock %+v, skills %v)", i, ids, total, want, stock, skills)
		}
	}
	must(t, w.SQL("delete from orders"))
}

// Two entries of stock can name one item after a moderator merged what they named. The cheaper one counts.
func TestStockOfItemsThatWereMergedCountsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	named := func(id core.ItemID, name string, into core.ItemID) items.Item {
		item := items.Item{ID: id, Name: name, State: items.Listed, Names: []items.Name{{Key: coretest.Forms.FoldItem(name), Name: name}}}
		if into != 0 {
			item.State, item.MergedInto = items.Merged, into
		}
		return item
	}
	index := items.NewIndex([]items.Item{named(1, "Iron Ore", 0), named(2, "Irn Ore", 1)}, nil, coretest.Forms)
	must(t, w.saveBoard([]trade.Order{
		{ID: 1, Owner: w.Ann.UserID, OrderDraft: trade.OrderDraft{ItemName: "iron ore", Quantity: 20, MaxPrice: 9, Category: "Miner"}},
		{ID: 2, Owner: w.Ann.UserID, OrderDraft: trade.OrderDraft{ItemName: "Irn Ore", Quantity: 20, MaxPrice: 4, Category: "Miner"}},
		{ID: 3, Owner: w.Ann.UserID, OrderDraft: trade.OrderDraft{ItemName: "Iron Ore", Quantity: 20, MaxPrice: 3, Category: "Miner"}},
	}))
	now := w.Clock.Now()
	entries := []match.Stock{
		{StockDraft: match.StockDraft{ItemName: "Iron Ore", Quantity: 8, Price: 5}, TouchedAt: now},
		{StockDraft: match.StockDraft{ItemName: "Irn Ore", Quantity: 6, Price: 4}, TouchedAt: now},
	}
	for range 2 {
		page, err := w.Store.FillOrders(t.Context(), match.NewFillQuery(w.Bob.UserID, entries, nil, index, coretest.Forms, now))
		must(t, err)
		var found []string
		for _, f := range page.Orders {
			found = append(found, fmt.Sprint(f.ID, f.FromStock, f.Can))
		}
		if want := []string{"1 true 6", "2 true 6"}; !slices.Equal(found, want) || page.Total != 2 {
			t.Errorf("%v can be filled, %d in all, want %v", found, page.Total, want)
		}
		slices.Reverse(entries)
	}
}

// ownCategory is the profession that the requests of a board are for.
func ownCategory(board int) game.Category { return game.Category(fmt.Sprint("Board ", board)) }

// randomBoard has requests for items of its own, of which some are in no catalogue.
type randomBoard struct {
	items  []items.Item
	orders []trade.Order
}

func newBoard(random *rand.Rand, number int, professions []game.Category, w *world) (b randomBoard) {
	for i := range 12 {
		name, alias := fmt.Sprint("Thing ", number, "x", i), fmt.Sprint("Ding ", number, "x", i)
		item := items.Item{ID: core.ItemID(i + 1), Name: name, State: items.Listed, Names: []items.Name{
			{Key: coretest.Forms.FoldItem(name), Name: name}, {Key: coretest.Forms.FoldItem(alias), Name: alias},
		}}
		for _, p := range professions {
			if random.IntN(2) == 0 {
				item.MadeBy = append(item.MadeBy, p)
			}
		}
		if random.IntN(5) > 0 {
			item.MadeAt = new(1 + random.IntN(100))
		}
		b.items = append(b.items, item)
	}
	b.orders = make([]trade.Order, 1+random.IntN(30))
	for i := range b.orders {
		o := &b.orders[i]
		o.ID, o.Owner = core.OrderID(number*100+i+1), []core.UserID{w.Ann.UserID, w.Ann.UserID, w.Ann.UserID, w.Bob.UserID, w.Cat.UserID}[random.IntN(5)]
		o.ItemName = fmt.Sprint([]string{"thing  ", "DING "}[random.IntN(2)], number, "x", random.IntN(14))
		o.Quantity, o.MaxPrice, o.Category = 2+random.IntN(9), core.Copper(1+random.IntN(9)), ownCategory(number)
		o.Sold, o.Hidden = random.IntN(o.Quantity), random.IntN(9) == 0
		if random.IntN(2) == 0 {
			o.LevelRequirement = new(1 + random.IntN(100))
		}
	}
	return b
}

// saveItems adds the items of the boards to the catalogue.
func (w *world) saveItems(boards []randomBoard) error {
	var ids, of []int64
	var items, keys, names []string
	for _, b := range boards {
		for _, item := range b.items {
			ids, items = append(ids, int64(len(ids)+1)), append(items, item.Name)
			for _, name := range item.Names {
				of, keys, names = append(of, int64(len(ids))), append(keys, name.Key), append(names, name.Name)
			}
		}
	}
	return w.SQL(`with items as (
    insert into catalogue_items (id, name, state, created_at, updated_at) select id, name, 'listed', $6, $6 from unnest($1::bigint[], $2::text[]) i (id, name)
)
insert into catalogue_names (key, item_id, name, place) select key, item_id, name, 0 from unnest($3::bigint[], $4::text[], $5::text[]) n (item_id, key, name)`,
		ids, items, of, keys, names, w.Clock.Now())
}

// saveBoard makes the orders all that there are.
func (w *world) saveBoard(orders []trade.Order) error {
	var ids, owners, prices []int64
	var names, categories []string
	var quantities, sold []int
	var levels []*int
	var hidden []bool
	for _, o := range orders {
		ids, owners, prices, names = append(ids, int64(o.ID)), append(owners, int64(o.Owner)), append(prices, int64(o.MaxPrice)), append(names, o.ItemName)
		categories = append(categories, string(o.Category))
		quantities, sold, levels, hidden = append(quantities, o.Quantity), append(sold, o.Sold), append(levels, o.LevelRequirement), append(hidden, o.Hidden)
	}
	return w.SQL(`with gone as (delete from orders)
insert into orders (id, user_id, item_name, quantity, sold, progress, max_price_per_unit, level_requirement, hidden, buyer_contact, category, created_at, updated_at, expires_at)
select id, owner, name, quantity, sold, 100 * sold / quantity, price, level, hidden, 'ann', category, $10, $10, $10::timestamptz + interval '1 day'
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[], $5::int[], $6::bigint[], $7::int[], $8::bool[], $9::text[]) as o (id, owner, name, quantity, sold, price, level, hidden, category)`,
		ids, owners, names, quantities, sold, prices, levels, hidden, categories, w.Clock.Now())
}
