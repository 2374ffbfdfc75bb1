package items

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tradepost/core"
	"tradepost/core/game"
)

// CodePriceUnusual is the code of the Conflict about a price that is far from the known price.
// Actor.PriceConfirmed takes it.
const CodePriceUnusual = "price_unusual"

// farFactor is the ratio to the known price from which a price is far above or far below it. Coins are 1000
// times each other, so that a mistyped coin is beyond, and a bargain is not.
const farFactor = 30

// PriceSource says where a known price comes from.
type PriceSource string

// The sources of a known price, the best first.
const (
	PriceTraded  PriceSource = "traded"  // the item's usual price
	PriceAsked   PriceSource = "asked"   // the median price of other buyers' open requests
	PriceSimilar PriceSource = "similar" // the same of items of its kind, else of its profession and level
)

// PriceSources lists every source of a known price.
var PriceSources = []PriceSource{PriceTraded, PriceAsked, PriceSimilar}

// KnownPrice is the known price of an item and its source. It is zero for unknown.
type KnownPrice struct {
	Price core.Copper
	From  PriceSource
}

// Far reports whether a price is at least farFactor times the known price, or at most that fraction of it.
func (k KnownPrice) Far(price core.Copper) bool {
	return k.Price > 0 && (k.Beyond(price) || price <= k.Price/farFactor)
}

// Beyond reports whether a price is so far above the known price that rankings leave it out.
func (k KnownPrice) Beyond(price core.Copper) bool { return k.Price > 0 && price/farFactor >= k.Price }

// UnusualPrice is a price that is far from the known price, and the price that was probably meant.
type UnusualPrice struct {
	Field        string // of the draft, by its name in JSON
	ItemName     string
	Typed, Meant core.Copper
	Known        KnownPrice
}

// unusual returns nil for a price that is not far from the known price.
func (k KnownPrice) unusual(field, itemName string, price core.Copper, game game.Game) *UnusualPrice {
	if price <= 0 || !k.Far(price) {
		return nil
	}
	return &UnusualPrice{Field: field, ItemName: itemName, Typed: price,
		Meant: meantPrice(game, price, k.Price), Known: k}
}

// Times returns the ratio between the price and the known price, the larger divided by the smaller.
func (u UnusualPrice) Times() int {
	more, less := max(u.Typed, u.Known.Price), min(u.Typed, u.Known.Price)
	return int((more + less/2) / less)
}

// Question asks whether the price is meant.
func (u UnusualPrice) Question(game game.Game) core.Text {
	times, meant := u.Times(), game.Format(u.Meant)
	if u.Typed > u.Known.Price {
		switch u.Known.From {
		case PriceAsked:
			return core.NewText("price_above_asked", "times", times, "price", meant)
		case PriceSimilar:
			return core.NewText("price_above_similar", "times", times, "price", meant)
		case PriceTraded:
		}
		return core.NewText("price_above_traded", "times", times, "price", meant)
	}
	switch u.Known.From {
	case PriceAsked:
		return core.NewText("price_below_asked", "times", times, "price", meant)
	case PriceSimilar:
		return core.NewText("price_below_similar", "times", times, "price", meant)
	case PriceTraded:
	}
	return core.NewText("price_below_traded", "times", times, "price", meant)
}

// meantPrice returns the price that was probably meant: the same amount in other coins where that comes near
// the known price, else the known price.
func meantPrice(g game.Game, price, known core.Copper) core.Copper {
	best, bestOff := known, math.Log(farFactor)
	consider := func(other core.Copper) {
		if off := math.Abs(math.Log(float64(other) / float64(known))); 0 < other && other <= core.MaxPrice &&
			off < bestOff {
			best, bestOff = other, off
		}
	}
	for _, a := range g.Coins {
		for _, b := range g.Coins {
			if b.Worth == 0 || a.Worth <= b.Worth || a.Worth%b.Worth != 0 {
				continue
			}
			ratio := a.Worth / b.Worth
			if price%ratio == 0 {
				consider(price / ratio)
			}
			if price <= core.MaxPrice/ratio {
				consider(price * ratio)
			}
		}
	}
	return best
}

// UnusualPrices are the prices that CodePriceUnusual asks about, as the detail of its error.
type UnusualPrices []UnusualPrice

func (u UnusualPrices) Error() string { return fmt.Sprintf("%d unusual prices", len(u)) }

// UnusualPricesOf returns the prices that an error asks about; none where it asks about none.
func UnusualPricesOf(err error) []UnusualPrice {
	var prices UnusualPrices
	_ = errors.As(err, &prices)
	return prices
}

// unusualPrices returns the Conflict that asks about prices, nil for none. Of several, each is named under
// its field.
func unusualPrices(prices []UnusualPrice, game game.Game) error {
	if len(prices) == 0 {
		return nil
	}
	err := core.NewError(core.Conflict, prices[0].Question(game))
	err.Code, err.Detail = CodePriceUnusual, UnusualPrices(prices)
	for _, p := range prices {
		text := p.Question(game)
		err.Fields = append(err.Fields, core.FieldError{Field: p.Field, Message: text.String(), Text: text})
	}
	return err
}

// How many items a price is compared with, and by how many levels they differ at most.
const (
	maxNeighbours   = 20
	neighbourLevels = 25
	neighboursAsked = 3 // buyers that are enough to know the price of a neighbour
)

// nearItems returns the items for comparison with an item without a price: the nearest of its kind, and the
// nearest that the same profession makes at a similar level.
func (x *Index) nearItems(item Item) [2][]Item {
	var groups [2][]Item
	for at := range x.Items {
		other := x.Items[at].Item
		switch {
		case other.ID == item.ID || !other.Known() || other.Gone():
		case item.Kind != "" && other.Kind == item.Kind:
			groups[0] = append(groups[0], other)
		case len(item.MadeBy) == 1 && slices.Equal(item.MadeBy, other.MadeBy) &&
			levelsApart(item, other) <= neighbourLevels:
			groups[1] = append(groups[1], other)
		}
	}
	for i, items := range groups {
		slices.SortFunc(items, func(a, b Item) int {
			return cmp.Or(cmp.Compare(levelsApart(item, a), levelsApart(item, b)), cmp.Compare(a.ID, b.ID))
		})
		groups[i] = items[:min(len(items), maxNeighbours)]
	}
	return groups
}

// neighbours returns the names of the nearItems.
func (x *Index) neighbours(item Item) (names [2][]string) {
	for i, items := range x.nearItems(item) {
		for _, other := range items {
			for _, name := range other.Names {
				names[i] = append(names[i], name.Name)
			}
		}
	}
	return names
}

// levelsApart returns by how many levels two items differ; an item without a level is far from all others.
func levelsApart(a, b Item) int {
	if a.MadeAt == nil || b.MadeAt == nil {
		return math.MaxInt
	}
	return max(*a.MadeAt-*b.MadeAt, *b.MadeAt-*a.MadeAt)
}
