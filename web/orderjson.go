package web

import (
	"context"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
)

// Lists of orders are most of what is answered. They are written straight from the core's orders, field by field: with
// encoding/json, to look at each field by reflection takes longer than to read the page from the database.
// TestListsAreWrittenAsTheirShapeSays holds what is written here to the shape, orderView.

// orderPage is a page as it is answered. Its shape is orderPageView.
type orderPage struct {
	core.OrderPage
	now time.Time
	own bool // with the offers on each counted: for the buyer's eyes only
}

// Schema describes the shape.
func (orderPage) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[orderPageView](), true, "")
}

func (p orderPage) appendJSON(b []byte) []byte {
	b = append(b, `{"orders":[`...)
	for i := range p.Orders {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendOrder(b, &p.Orders[i].Order, p.now)
		if p.own {
			b = append(b[:len(b)-1], `,"offerCount":`...)
			b = append(strconv.AppendInt(b, int64(p.Orders[i].Offers), 10), '}')
		}
	}
	b = append(b, `],"total":`...)
	b = strconv.AppendInt(b, int64(p.Total), 10)
	b = append(b, `,"nextCursor":`...)
	if p.Next == nil {
		b = append(b, `null`...)
	} else {
		b = appendText(b, p.Next.String())
	}
	return append(b, "}\n"...)
}

func appendOrder(b []byte, o *core.Order, now time.Time) []byte {
	b = appendNumber(b, `{"id":`, o.ID)
	b = appendNumber(b, `,"userId":`, o.Owner)
	b = appendNumber(b, `,"version":`, o.Version)
	b = appendText(append(b, `,"itemName":`...), o.ItemName)
	b = appendNumber(b, `,"quantity":`, o.Quantity)
	b = appendNumber(b, `,"sold":`, o.Sold)
	b = appendNumber(b, `,"progress":`, o.Progress())
	b = appendNumber(b, `,"maxPricePerUnit":`, o.MaxPrice)
	b = append(appendNumber(b, `,"totalValue":"`, o.TotalValue()), '"')
	b = append(appendNumber(b, `,"remainingValue":"`, o.RemainingValue()), '"')
	b = appendText(append(b, `,"description":`...), o.Description)
	b = appendText(append(b, `,"buyerContact":`...), o.BuyerContact)
	b = appendTextOrNull(append(b, `,"ign":`...), o.InGameName)
	if o.LevelRequirement == nil {
		b = append(b, `,"levelRequirement":null`...)
	} else {
		b = appendNumber(b, `,"levelRequirement":`, *o.LevelRequirement)
	}
	b = appendText(append(b, `,"category":`...), string(o.Category))
	b = appendText(append(b, `,"importance":`...), string(o.Importance))
	b = strconv.AppendBool(append(b, `,"signedInOnly":`...), o.SignedInOnly)
	b = appendText(append(b, `,"status":`...), string(o.Status))
	b = appendTextOrNull(append(b, `,"closeReason":`...), string(o.CloseReason))
	b = strconv.AppendBool(append(b, `,"expired":`...), o.Expired(now))
	b = strconv.AppendBool(append(b, `,"hidden":`...), o.Hidden)
	b = appendTime(append(b, `,"createdAt":`...), o.CreatedAt)
	b = appendTime(append(b, `,"updatedAt":`...), o.UpdatedAt)
	b = appendTime(append(b, `,"expiresAt":`...), o.ExpiresAt)
	b = append(b, `,"closedAt":`...)
	if o.ClosedAt.IsZero() {
		return append(b, `null}`...)
	}
	return append(appendTime(b, o.ClosedAt), '}')
}

func appendNumber[N ~int | ~int64](b []byte, label string, n N) []byte {
	return strconv.AppendInt(append(b, label...), int64(n), 10)
}

func appendTime(b []byte, t time.Time) []byte {
	return append(t.AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}

func appendTextOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, `null`...)
	}
	return appendText(b, s)
}

const hexDigits = "0123456789abcdef"

// plain tells which bytes stand for themselves in a string of JSON.
var plain = func() (plain [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// appendText writes a string of JSON. Like encoding/json it replaces what is no UTF-8, and escapes the two line separators
// that JavaScript once stumbled over.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			b = append(b, s[done:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			default:
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
			}
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			b = append(b, s[done:i]...)
			if size == 1 {
				b = append(b, `\ufffd`...)
			} else {
				b = append(b, '\\', 'u', '2', '0', '2', hexDigits[r&0xf])
			}
			done = i + size
		}
		i += size
	}
	return append(append(b, s[done:]...), '"')
}

// written is a body that writes itself.
type written interface{ appendJSON([]byte) []byte }

// pageJSON returns a page of open orders as it is answered.
func (a *api) pageJSON(ctx context.Context, q core.OrderQuery) ([]byte, error) {
	page, err := a.market.BrowseOrders(ctx, q)
	if err != nil {
		return nil, err
	}
	return orderPage{OrderPage: page, now: a.now()}.appendJSON(nil), nil
}
