package postgres

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
)

// A page is 60 rows of 21 columns. To scan them column by column takes longer than PostgreSQL needs to find them, so they
// are read here from the protocol as it comes: integers and times are 4 or 8 bytes in network order, a switch is one, texts are themselves.

// orderColumns are what readOrders reads, in its order.
const orderColumns = `id, user_id, version, item_name, quantity, max_price_per_unit, description, buyer_contact, ign,
level_requirement, category, importance, status, sold, close_reason, created_at, updated_at, expires_at, closed_at,
signed_in_only, hidden`

const (
	columnsOfOrder = 21
	binaryFormat   = 1
)

// isText tells which columns are texts; how those are sent makes no difference.
var isText = [columnsOfOrder]bool{3: true, 6: true, 7: true, 8: true, 10: true, 11: true, 12: true, 14: true}

// readOrders reads up to so many rows of orderColumns, each followed by the count of its offers where that was asked for.
func readOrders(rows pgx.Rows, most int, withOffers bool) ([]core.ListedOrder, error) {
	defer rows.Close()
	for i, field := range rows.FieldDescriptions() {
		if field.Format != binaryFormat && (i >= columnsOfOrder || !isText[i]) {
			return nil, fmt.Errorf("the column %s comes as text: pgx's simple protocol cannot be used", field.Name)
		}
	}
	orders := make([]core.ListedOrder, 0, most)
	r := rowReader{texts: make([]byte, 0, most*textsOfOrder), spans: make([]spans, 0, most), levels: make([]int, 0, most)}
	for rows.Next() {
		r.values, r.at, r.err = rows.RawValues(), 0, nil
		orders = append(orders, core.ListedOrder{})
		listed := &orders[len(orders)-1]
		r.order(&listed.Order)
		if withOffers {
			listed.Offers = int(r.int64())
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	r.tell(orders)
	return orders, rows.Err()
}

// rowReader reads the columns of one row after another.
type rowReader struct {
	values [][]byte
	at     int
	err    error

	// Of all rows, so that a page takes a few allocations and not a few a row.
	texts  []byte
	spans  []spans
	levels []int // its room is never outgrown, so pointers into it hold
}

// spans are where the texts of one row lie.
type spans struct{ item, description, contact, alias span }

// textsOfOrder is the room that the texts of an order take as a rule, in bytes.
const textsOfOrder = 128

// order reads all but the texts, which are told when they are all there.
func (r *rowReader) order(o *core.Order) {
	var s spans
	o.ID, o.Owner, o.Version = core.OrderID(r.int64()), core.UserID(r.int64()), r.int32()
	s.item = r.text()
	o.Quantity, o.MaxPrice = r.int32(), core.Copper(r.int64())
	s.description, s.contact, s.alias = r.text(), r.text(), r.text()
	if r.values[r.at] == nil {
		r.at++
	} else {
		r.levels = append(r.levels, r.int32())
		o.LevelRequirement = &r.levels[len(r.levels)-1]
	}
	o.Category, o.Importance = core.Category(r.word()), core.Importance(r.word())
	o.Status, o.Sold, o.CloseReason = core.Status(r.word()), r.int32(), core.CloseReason(r.word())
	o.CreatedAt, o.UpdatedAt, o.ExpiresAt, o.ClosedAt = r.time(), r.time(), r.time(), r.time()
	o.SignedInOnly, o.Hidden = r.bool(), r.bool()
	r.spans = append(r.spans, s)
}

// tell gives the orders their texts.
func (r *rowReader) tell(orders []core.ListedOrder) {
	all := string(r.texts)
	for i, s := range r.spans {
		o := &orders[i].Order
		o.ItemName, o.Description, o.BuyerContact, o.InGameName = s.item.of(all), s.description.of(all), s.contact.of(all), s.alias.of(all)
	}
}

var errColumn = errors.New("a column of an order does not have the size of its type")

func (r *rowReader) fixed(size int) []byte {
	value := r.values[r.at]
	r.at++
	if len(value) != size {
		r.err = errColumn
		return make([]byte, size)
	}
	return value
}

func (r *rowReader) int64() int64 { return int64(binary.BigEndian.Uint64(r.fixed(8))) }
func (r *rowReader) bool() bool   { return r.fixed(1)[0] != 0 }
func (r *rowReader) int32() int   { return int(int32(binary.BigEndian.Uint32(r.fixed(4)))) }

// epoch is where PostgreSQL's times begin, in microseconds since 1970.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// time reads a time; NULL is the zero one.
func (r *rowReader) time() time.Time {
	if r.values[r.at] == nil {
		r.at++
		return time.Time{}
	}
	return time.UnixMicro(r.int64() + epoch).UTC()
}

// span is where a text lies among the others.
type span struct{ from, to int }

func (s span) of(all string) string { return all[s.from:s.to] }

// text reads a text; NULL is the empty one.
func (r *rowReader) text() span {
	s := span{from: len(r.texts)}
	r.texts = append(r.texts, r.values[r.at]...)
	r.at++
	s.to = len(r.texts)
	return s
}

// word reads a text that is one of few; NULL is the empty one.
func (r *rowReader) word() string {
	value := r.values[r.at]
	r.at++
	if len(value) == 0 {
		return ""
	}
	if word, known := words()[string(value)]; known {
		return word
	}
	return string(value)
}

// words are the few, once the game is known.
var words = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	add := func(word string) { all[word] = word }
	for _, c := range core.Categories {
		add(string(c))
	}
	for _, i := range core.Importances {
		add(string(i))
	}
	for _, s := range []core.Status{core.Active, core.Fulfilled} {
		add(string(s))
	}
	for _, c := range []core.CloseReason{core.NotClosed, core.Filled, core.ClosedEarly} {
		add(string(c))
	}
	return all
})
