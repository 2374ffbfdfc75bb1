package match

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// stockColumns lists the columns of stock, in the order of db.Stock.
var stockColumns = func() string {
	var columns []string
	for field := range reflect.TypeFor[db.Stock]().Fields() {
		columns = append(columns, "stock."+field.Tag.Get("db"))
	}
	return strings.Join(columns, ", ")
}()

// listingText is what a search looks at. The index stock_listed_text is on this expression.
const listingText = "lower(item_name || ' ' || note)"

// listingConditions are the conditions for a row of stock to be in a list of listings.
func listingConditions(q match.ListingQuery) *conditions {
	c := &conditions{}
	c.that("public and quantity > 0")
	c.that("touched_at > ?", q.Now.Add(-match.StockLifetime))
	c.that("(shown_until is null or shown_until > ?)", q.Now)
	c.that("users.blocked_at is null and users.leaving_at is null")
	if q.For != 0 {
		const blocks = "not exists (select from blocked_sellers b where "
		c.that(blocks+"b.buyer_id = ? and b.seller_id = stock.user_id)", int64(q.For))
		c.that(blocks+"b.buyer_id = stock.user_id and b.seller_id = ?)", int64(q.For))
	}
	if len(q.IDs) > 0 {
		c.that("stock.id = any(?::bigint[])", kernel.Raw(q.IDs))
	}
	if len(q.Categories) > 0 {
		categories := kernel.Texts(q.Categories)
		if slices.Contains(q.Categories, q.Usual) {
			categories = append(categories, "")
		}
		c.that("category = any(?::text[])", categories)
	}
	if q.MinQuantity > 0 {
		c.that("quantity >= ?", q.MinQuantity)
	}
	if !q.Since.IsZero() {
		c.that("stock.created_at > ?", q.Since)
	}
	if q.Named != nil {
		c.that("item_key(item_name) = any(array(select item_key(n) from unnest(?::text[]) n))", q.Named)
	}
	for word := range strings.FieldsSeq(strings.ReplaceAll(q.Text, "-", " ")) {
		c.that(listingText+" like lower(?::text)", contains(word))
	}
	if q.MaxPrice > 0 {
		c.that("price <= ?", int64(q.MaxPrice))
	}
	return c
}

// listingsQuery reads one listing more than the page has, which shows whether there is another page, and how
// many match in all.
func listingsQuery(q match.ListingQuery) (string, []any) {
	c := listingConditions(q)
	total := "(select count(*) from (select from stock join users on users.id = stock.user_id" + c.where() +
		" limit " + strconv.Itoa(match.MaxExactTotal+1) + ") counted)"
	sort := " order by touched_at desc, id desc"
	if q.Sort == match.Cheapest {
		sort = " order by price, id desc"
	}
	if at := q.After; at != nil {
		if q.Sort == match.Cheapest {
			c.that("price >= ?", at.Key)
			c.that("(price > ? or stock.id < ?)", at.Key, at.ID)
		} else {
			c.that("(touched_at, stock.id) < (?, ?)", time.UnixMicro(at.Key).UTC(), at.ID)
		}
	}
	now := c.numbered("?", q.Now)
	return "select " + stockColumns + ", username, display_name, avatar," +
		" coalesce((select sum(o.quantity - o.sold) from orders o where o.listing_id = stock.id" +
		" and o.status = 'active' and o.expires_at > " + now + "), 0)::integer, " + total + "::integer" +
		" from (select stock.*, users.username, users.display_name, users.avatar" +
		" from stock join users on users.id = stock.user_id" + c.where() +
		strings.ReplaceAll(sort, "id desc", "stock.id desc") +
		" limit " + strconv.Itoa(q.Limit+1) + ") stock" + sort, c.args
}

// Listings returns a page of the stock that is shown for sale.
func (s *Store) Listings(ctx context.Context, q match.ListingQuery) (match.ListingPage, error) {
	return kernel.ReadPublic(ctx, s.DB, func(
		ctx context.Context, from kernel.Source,
	) (page match.ListingPage, err error) {
		sql, args := listingsQuery(q)
		err = kernel.ForValues(ctx, from, sql, args, func(rows pgx.Rows) error {
			page.Listings, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (match.Listing, error) {
				var r db.Stock
				var l match.Listing
				to := []any{}
				at := reflect.ValueOf(&r).Elem()
				for i := range at.NumField() {
					to = append(to, at.Field(i).Addr().Interface())
				}
				to = append(to, &l.Seller.Username, &l.Seller.DisplayName, &l.Seller.Avatar, &l.Asked,
					&page.Total)
				err := row.Scan(to...)
				l.Stock = StockOf(r)
				return l, err
			})
			return err
		})
		if page.AtLeast = page.Total > match.MaxExactTotal; page.AtLeast {
			page.Total = match.MaxExactTotal
		}
		if len(page.Listings) > q.Limit {
			page.Listings = slices.Clip(page.Listings[:q.Limit])
			next := match.ListingCursor(q.Sort, page.Listings[q.Limit-1])
			page.Next = &next
		}
		return page, err
	})
}

func listing(r db.ListingRow) match.LockedListing {
	return match.LockedListing{
		Listing: match.Listing{
			Stock:  StockOf(r.Stock),
			Seller: people.Account{Username: r.Username, DisplayName: r.DisplayName, Avatar: r.Avatar},
			Asked:  int(r.Asked),
		},
		Away: r.Away, Apart: r.Apart, Asks: r.Asks,
	}
}

// Listing returns a listing with the facts that decide whether a buyer may ask.
func (s *Store) Listing(
	ctx context.Context, id core.StockID, buyer core.UserID, now time.Time,
) (match.LockedListing, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (match.LockedListing, error) {
		row, err := q.Listing(ctx, db.ListingParams{ID: id, BuyerID: int64(buyer), Now: now})
		return listing(row), listingNotFound(err)
	})
}

// LockListing locks stock and returns it with the facts that decide whether a buyer may ask.
func (t *Tx) LockListing(
	ctx context.Context, id core.StockID, buyer core.UserID, now time.Time,
) (match.LockedListing, error) {
	if _, err := t.Q.LockListing(ctx, id); err != nil {
		return match.LockedListing{}, kernel.Translate(listingNotFound(err))
	}
	row, err := t.Q.Listing(ctx, db.ListingParams{ID: id, BuyerID: int64(buyer), Now: now})
	return listing(row), kernel.Translate(listingNotFound(err))
}

// ShowListing stores whether locked stock is for sale, until when, and how many without asking.
func (t *Tx) ShowListing(ctx context.Context, s match.Stock) error {
	t.NoteUsers(s.User)
	return t.Q.ShowListing(ctx, db.ShowListingParams{
		ID: s.ID, Public: s.Public, ShownUntil: kernel.TimeOrNull(s.Until), SellsDaily: s.SellsDaily,
	})
}

// listingNotFound gives a missing listing a sentence of its own.
func listingNotFound(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return kernel.NotFound(core.NewText("listing_gone"))
	}
	return err
}

// Asks returns the open asks that a user has made, and those for their listings, the oldest first.
func (s *Store) Asks(ctx context.Context, user core.UserID, now time.Time) ([]match.Ask, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]match.Ask, error) {
		rows, err := q.Asks(ctx, int64(user), now)
		return kernel.Convert(rows, func(r db.AsksRow) match.Ask {
			return match.Ask{
				Order:  tradestore.Order(r.Order),
				Buyer:  people.Account{Username: r.Buyer, DisplayName: r.BuyerName, Avatar: r.BuyerAvatar},
				Seller: people.Account{Username: r.Seller, DisplayName: r.SellerName, Avatar: r.SellerAvatar},
				Of:     r.SellerID,
			}
		}), err
	})
}

// ListingsOfLines returns up to limit listings for each line, by the names of its item, the cheapest first.
func (s *Store) ListingsOfLines(
	ctx context.Context, lines [][]string, buyer core.UserID, limit int, now time.Time,
) (map[int][]match.PlanListing, error) {
	p := db.ListingsOfLinesParams{DayAgo: now.Add(-core.Day), ForUser: int64(buyer), Now: now,
		Since: now.Add(-match.StockLifetime), Most: int32(limit)}
	for i, names := range lines {
		for _, name := range names {
			p.Lines, p.Names = append(p.Lines, i), append(p.Names, name)
		}
	}
	return kernel.Read(ctx, s.DB, func(
		ctx context.Context, q *db.Queries,
	) (map[int][]match.PlanListing, error) {
		rows, err := q.ListingsOfLines(ctx, p)
		found := make(map[int][]match.PlanListing, len(lines))
		for _, r := range rows {
			found[r.Line] = append(found[r.Line], match.PlanListing{
				Listing: match.Listing{
					Stock: StockOf(r.Stock),
					Seller: people.Account{Username: r.Username, DisplayName: r.DisplayName,
						Avatar: r.Avatar},
					Asked: int(r.Asked),
				},
				Unasked: match.Unasked{Today: r.Today, BuyerUndid: r.BuyerUndid, SellerUndid: r.SellerUndid},
			})
		}
		return found, err
	})
}

// LockPlanned locks a buyer, the sellers of some listings, and the listings.
func (t *Tx) LockPlanned(ctx context.Context, buyer core.UserID, listings []core.StockID) error {
	ids := kernel.Raw(listings)
	if err := t.Q.LockPlanned(ctx, int64(buyer), ids); err != nil {
		return kernel.Translate(err)
	}
	return kernel.Translate(t.Q.LockStocks(ctx, ids))
}

// Unasked returns how many a locked listing sells to a buyer without asking.
func (t *Tx) Unasked(
	ctx context.Context, id core.StockID, buyer core.UserID, now time.Time,
) (match.Unasked, error) {
	r, err := t.Q.Unasked(ctx, db.UnaskedParams{DayAgo: now.Add(-core.Day), BuyerID: int64(buyer), ID: id})
	return match.Unasked{Today: r.Today, BuyerUndid: r.BuyerUndid, SellerUndid: r.SellerUndid},
		kernel.Translate(listingNotFound(err))
}
