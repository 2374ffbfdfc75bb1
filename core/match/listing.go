package match

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// Listing is stock that is shown for sale, at one price for one.
type Listing struct {
	Stock
	Seller people.Account

	Asked int // how many are in open asks
}

// Left is how many can be asked for. What was sold has left the stock already.
func (l Listing) Left() int { return max(0, l.Quantity-l.Asked) }

// TotalValue is the price of all that can be asked for.
func (l Listing) TotalValue() core.Copper { return l.Price * core.Copper(l.Left()) }

// ListedUntil is when stock is shown no more, unless its seller touches it.
func (s Stock) ListedUntil() time.Time {
	gone := s.TouchedAt.Add(StockLifetime)
	if s.Until.IsZero() || s.Until.After(gone) {
		return gone
	}
	return s.Until
}

// Listed reports whether stock is shown for sale.
func (s Stock) Listed(now time.Time) bool {
	return s.Public && s.Quantity > 0 && now.Before(s.ListedUntil())
}

// LockedListing is a listing whose quantity and asks do not change until the transaction ends, with what
// decides whether a buyer may ask for it.
type LockedListing struct {
	Listing
	Away  bool // its seller or the buyer is blocked or leaving
	Apart bool // one of them has blocked the other
	Asks  bool // the buyer has an open ask for it
}

// AskDraft has the fields that a buyer fills in to ask for a listing.
type AskDraft struct {
	Quantity   int
	InGameName string
	PriceSeen  core.Copper // the price for one that they mean; zero for any
}

// Ask decides whether the actor may ask for so many of the listing, and returns the draft of the request. It
// fails with NotFound when it is not for sale, Forbidden for its seller, Conflict when its price has changed,
// the actor asks for it already or all of it is asked for, and Invalid when it has fewer left.
func (l LockedListing) Ask(
	draft AskDraft, by core.Actor, forms core.TextForms, now time.Time,
) (trade.OrderDraft, error) {
	if err := by.MayTrade(); err != nil {
		return trade.OrderDraft{}, err
	}
	switch {
	case by.UserID == l.User:
		return trade.OrderDraft{}, core.NewError(core.Forbidden, core.NewText("own_listing"))
	case !l.Listed(now) || l.Away || l.Apart:
		return trade.OrderDraft{}, ListingGone()
	case l.Asks:
		return trade.OrderDraft{}, core.NewError(core.Conflict, core.NewText("ask_open"))
	case draft.PriceSeen != 0 && draft.PriceSeen != l.Price:
		return trade.OrderDraft{}, core.NewError(core.Conflict, core.NewText("listing_price_changed"))
	case l.Left() == 0:
		return trade.OrderDraft{}, core.NewError(core.Conflict, core.NewText("listing_asked"))
	case draft.Quantity < 1 || draft.Quantity > l.Left():
		return trade.OrderDraft{}, core.NewFieldError("quantity",
			core.NewText("quantity_range", "most", l.Left()))
	}
	return l.request(draft, by, forms), nil
}

// request is the request that asks for some of the listing.
func (l Listing) request(draft AskDraft, by core.Actor, forms core.TextForms) trade.OrderDraft {
	return trade.OrderDraft{
		ItemName: l.ItemName, Quantity: draft.Quantity, MaxPrice: l.Price, BuyerContact: by.Username,
		InGameName: forms.Name(draft.InGameName), Category: l.Category, Importance: game.Medium,
		SignedInOnly: true,
	}
}

// mayAnswer decides whether the actor may say yes to so many of an ask for the listing, or no (zero). It
// fails with NotFound for others than its seller, and when they may not trade it any more, Conflict when the
// ask is over, and Invalid when fewer are left of the listing.
func (l LockedListing) mayAnswer(ask trade.Order, by core.Actor, accept int, now time.Time) error {
	switch {
	case by.UserID != l.User:
		return trade.OrderNotFound()
	case !ask.Open(now):
		return core.NewError(core.Conflict, core.NewText("ask_over"))
	case accept == 0:
		return nil
	case l.Gone(now) || l.Away || l.Apart:
		return ListingGone()
	case accept > l.Quantity:
		return core.NewFieldError("accept", core.NewText("listing_left", "left", l.Quantity))
	}
	return nil
}

// ListingGone returns the error about a listing that is not for sale, or not to this reader.
func ListingGone() *core.Error {
	return core.NewError(core.NotFound, core.NewText("listing_gone"))
}

// Ask is an open request for a listing.
type Ask struct {
	trade.Order
	Buyer  people.Account
	Seller people.Account
	Of     core.UserID // the seller
}

// OwnListing is a listing as its seller sees it.
type OwnListing struct {
	Stock
	Asks []Ask // the oldest first
}

// ListingFilter narrows a list of listings. Its zero value selects everything.
type ListingFilter struct {
	Categories []game.Category // any of these; empty for all
	Text       string          // words that all occur in the item's name or the note
	ItemID     core.ItemID     // an item of the catalogue, by any of its names; 0 for all
	Named      []string        // the names of ItemID; found out by the service; nil for any
	MaxPrice   core.Copper     // for one; 0 for no bound
	IDs        []core.StockID  // these alone, on one page; empty for all

	MinQuantity int       // 0 for any
	Since       time.Time // listed first after it; zero for any time
}

// Cheapest is the sort of listings by price, the lowest first. Newest is by when their sellers touched them.
const Cheapest Sort = "cheapest"

// ListingSorts lists the sorts of listings. Ties fall to the newer listing.
var ListingSorts = []Sort{Newest, Cheapest}

// ListingQuery asks for a page of listings.
type ListingQuery struct {
	ListingFilter
	Usual game.Category // of listings whose item no single profession makes
	For   core.UserID   // leaves out sellers that this buyer has blocked; zero for a visitor
	Sort  Sort          // empty for Newest
	After *Cursor
	Limit int
	Now   time.Time
}

// ListingPage is part of a list of listings.
type ListingPage struct {
	Listings []Listing
	Total    int // on all pages; MaxExactTotal at most
	AtLeast  bool
	Next     *Cursor // nil on the last page
}

// ListingCursor returns the place right after a listing in a list.
func ListingCursor(s Sort, l Listing) Cursor {
	if s == Cheapest {
		return Cursor{Sort: s, Key: int64(l.Price), ID: int64(l.ID)}
	}
	return Cursor{Sort: s, Key: l.TouchedAt.UnixMicro(), ID: int64(l.ID)}
}

func (q ListingQuery) normal(g game.Game, forms core.TextForms) (ListingQuery, error) {
	q.Text = forms.Line(q.Text)
	q.Categories = slices.Compact(slices.Sorted(slices.Values(q.Categories)))
	q.Usual = g.Default
	q.Sort = cmp.Or(q.Sort, Newest)
	if q.Limit == 0 {
		q.Limit = core.PageSize
	}
	most := max(core.PageSize, len(q.IDs))
	q.Limit = max(q.Limit, len(q.IDs))
	var c core.Checks
	for _, category := range q.Categories {
		c.That(g.HasCategory(category), "category", g.UnknownCategory())
	}
	c.That(core.Within(q.Text, core.MaxItemName), "q", core.TooLong("search_too_long", core.MaxItemName))
	c.That(0 <= q.MaxPrice && q.MaxPrice <= core.MaxPrice, "maxPrice", g.TooMuchMessage())
	c.That(slices.Contains(ListingSorts, q.Sort), "sort", unknownSort)
	c.That(q.After == nil || q.After.Sort == q.Sort, "cursor", core.BadCursorMessage)
	c.That(1 <= q.Limit && q.Limit <= most, "limit", core.NewText("limit_range", "most", core.PageSize))
	return q, c.Err()
}

// DueListing is a listing with watchers to alert now.
type DueListing struct {
	ID     core.StockID
	Seller core.UserID // zero once it is gone
}

func (d DueListing) String() string { return fmt.Sprint(int64(d.ID)) }

// asRequest returns stock as a request that has its fields, which saved searches are compared with.
func (s Stock) asRequest() trade.Order {
	return trade.Order{Owner: s.User, Status: trade.Active, OrderDraft: trade.OrderDraft{
		ItemName: s.ItemName, Quantity: s.Quantity, MaxPrice: s.Price, Description: s.Note,
		Category: s.Category, Importance: game.Medium,
	}}
}
