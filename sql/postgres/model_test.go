package postgres_test

import (
	"maps"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// model is a simple model of the market: maps, and the rules of the specification and its
// decisions written down a second time. It is slow, alone and easy to believe.
type model struct {
	now     time.Time
	orders  map[core.OrderID]*modelOrder
	offers  map[core.OfferID]*modelOffer
	sent    map[core.OfferID]*modelSent
	notices map[noticeKey]int
	waiting map[core.OrderID]map[core.OfferID]*modelOffer // lapsed with a closing that can be undone
}

type modelOrder struct {
	owner           core.UserID
	version         int
	quantity, sold  int
	price           core.Copper
	status          trade.Status
	reason          trade.CloseReason
	expires, warned time.Time
	sales           []int
}

type modelOffer struct {
	order    core.OrderID
	seller   core.UserID // zero for a visitor
	quantity int
	price    core.Copper
}

type modelSent struct {
	seller             core.UserID
	order              core.OrderID
	quantity, accepted int
	state              trade.OfferState
}

type noticeKey struct {
	user core.UserID
	kind notify.Kind
}

func newModel(now time.Time) *model {
	return &model{
		now: now, orders: map[core.OrderID]*modelOrder{}, offers: map[core.OfferID]*modelOffer{},
		sent: map[core.OfferID]*modelSent{}, notices: map[noticeKey]int{},
		waiting: map[core.OrderID]map[core.OfferID]*modelOffer{},
	}
}

// own returns an order for its buyer, and an error for others.
func (m *model) own(id core.OrderID, by core.UserID) (*modelOrder, core.ErrorKind) {
	switch o := m.orders[id]; {
	case by == 0:
		return nil, core.Unauthenticated
	case o == nil:
		return nil, core.NotFound
	case o.owner != by:
		return nil, core.Forbidden
	default:
		return o, 0
	}
}

func (m *model) notify(user core.UserID, kind notify.Kind) {
	if user != 0 {
		m.notices[noticeKey{user, kind}]++
	}
}

func (o *modelOrder) open(now time.Time) bool {
	return o.status == trade.Active && now.Before(o.expires)
}

func (m *model) post(id core.OrderID, by core.UserID, quantity int, price core.Copper) {
	m.orders[id] = &modelOrder{
		owner: by, version: 1, quantity: quantity, price: price, status: trade.Active, expires: m.now.Add(365 * 24 * time.Hour),
	}
}

func (m *model) edit(id core.OrderID, by core.UserID, version, quantity int, price core.Copper) core.ErrorKind {
	o, refused := m.own(id, by)
	switch {
	case refused != 0:
		return refused
	case o.status == trade.Fulfilled || version != o.version:
		return core.Conflict
	case quantity < 1 || quantity < o.sold:
		return core.Invalid
	}
	o.quantity, o.price = quantity, price
	m.changed(id, o)
	return 0
}

func (m *model) close(id core.OrderID, by core.UserID) core.ErrorKind {
	o, refused := m.own(id, by)
	if refused != 0 {
		return refused
	}
	if o.status == trade.Fulfilled {
		return core.Conflict
	}
	o.version++
	o.status, o.reason = trade.Fulfilled, trade.ClosedEarly
	m.lapseUndoably(id)
	return 0
}

// undoClose is possible until time passes, which it does by days.
func (m *model) undoClose(id core.OrderID, by core.UserID) core.ErrorKind {
	o, refused := m.own(id, by)
	waiting, possible := m.waiting[id]
	switch {
	case refused != 0:
		return refused
	case o.status == trade.Active || o.reason == trade.Filled || !possible || !m.now.Before(o.expires):
		return core.Conflict
	}
	o.version++
	o.status, o.reason = trade.Active, trade.NotClosed
	for offer, f := range waiting {
		m.offers[offer] = f
		if s := m.sent[offer]; s != nil {
			s.state = trade.OfferOpen
		}
	}
	delete(m.waiting, id)
	return 0
}

func (m *model) lapseUndoably(on core.OrderID) {
	m.waiting[on] = map[core.OfferID]*modelOffer{}
	for id, f := range m.offers {
		if f.order == on {
			m.waiting[on][id] = f
			m.end(id, trade.OfferLapsed)
		}
	}
}

// endClosing notifies the sellers whose offers lapsed with a closing.
func (m *model) endClosing(of core.OrderID) {
	for _, f := range m.waiting[of] {
		m.notify(f.seller, notify.NoticeOfferLapsed)
	}
	delete(m.waiting, of)
}

func (m *model) renew(id core.OrderID, by core.UserID) core.ErrorKind {
	o, refused := m.own(id, by)
	if refused != 0 {
		return refused
	}
	if o.status == trade.Fulfilled {
		return core.Conflict
	}
	o.version++
	o.expires = m.now.Add(365 * 24 * time.Hour)
	return 0
}

func (m *model) delete(id core.OrderID, by core.UserID) core.ErrorKind {
	if _, refused := m.own(id, by); refused != 0 {
		return refused
	}
	m.endClosing(id)
	m.lapse(id)
	delete(m.orders, id)
	for _, s := range m.sent {
		if s.order == id {
			s.order = 0
		}
	}
	return 0
}

// mayOffer returns the error of an invalid offer; a valid one is stored with offered.
func (m *model) mayOffer(on core.OrderID, by core.UserID, quantity int) core.ErrorKind {
	o := m.orders[on]
	switch {
	case o == nil:
		return core.NotFound
	case !o.open(m.now):
		return core.Conflict
	case o.owner == by:
		return core.Forbidden
	case quantity < 1 || quantity > o.quantity:
		return core.Invalid
	}
	return 0
}

func (m *model) offered(id core.OfferID, on core.OrderID, by core.UserID, quantity int) {
	for earlier, f := range m.offers {
		if by != 0 && f.order == on && f.seller == by {
			delete(m.offers, earlier)
			m.sent[earlier].state = trade.OfferReplaced
		}
	}
	m.offers[id] = &modelOffer{order: on, seller: by, quantity: quantity, price: m.orders[on].price}
	if by != 0 {
		m.sent[id] = &modelSent{seller: by, order: on, quantity: quantity, state: trade.OfferOpen}
	}
	m.notify(m.orders[on].owner, notify.NoticeOfferReceived)
}

func (m *model) accept(id core.OfferID, by core.UserID, quantity int) core.ErrorKind {
	f := m.offers[id]
	if by == 0 {
		return core.Unauthenticated
	}
	if f == nil {
		return core.NotFound
	}
	o, refused := m.own(f.order, by)
	switch {
	case refused != 0:
		return refused
	case !o.open(m.now):
		return core.Conflict
	case quantity < 1 || quantity > f.quantity || quantity > o.quantity-o.sold:
		return core.Invalid
	}
	f.quantity -= quantity
	if s := m.sent[id]; s != nil {
		s.accepted += quantity
		if f.quantity == 0 {
			s.state = trade.OfferAccepted
		}
	}
	if f.quantity == 0 {
		delete(m.offers, id)
	}
	m.notify(f.seller, notify.NoticeOfferAccepted)
	m.sold(f.order, o, quantity)
	return 0
}

func (m *model) sell(id core.OrderID, by core.UserID, quantity int) core.ErrorKind {
	o, refused := m.own(id, by)
	switch {
	case refused != 0:
		return refused
	case !o.open(m.now):
		return core.Conflict
	case quantity < 1 || quantity > o.quantity-o.sold:
		return core.Invalid
	}
	m.sold(id, o, quantity)
	return 0
}

func (m *model) sold(id core.OrderID, o *modelOrder, quantity int) {
	o.sold += quantity
	o.sales = append(o.sales, quantity)
	m.changed(id, o)
}

func (m *model) changed(id core.OrderID, o *modelOrder) {
	o.version++
	if o.sold > 0 && o.sold == o.quantity {
		o.status, o.reason = trade.Fulfilled, trade.Filled
		m.notify(o.owner, notify.NoticeOrderFilled)
		m.lapseUndoably(id)
	}
}

func (m *model) remove(id core.OfferID, by core.UserID) core.ErrorKind {
	f := m.offers[id]
	switch {
	case by == 0:
		return core.Unauthenticated
	case f == nil:
		return core.NotFound
	case m.orders[f.order].owner == by:
		m.end(id, trade.OfferDeclined)
		m.notify(f.seller, notify.NoticeOfferDeclined)
	case f.seller == by:
		m.end(id, trade.OfferWithdrawn)
		m.notify(m.orders[f.order].owner, notify.NoticeOfferWithdrawn)
	default:
		return core.Forbidden
	}
	return 0
}

func (m *model) end(id core.OfferID, state trade.OfferState) {
	delete(m.offers, id)
	if s := m.sent[id]; s != nil {
		s.state = state
	}
}

func (m *model) lapse(on core.OrderID) {
	for _, id := range slices.Collect(maps.Keys(m.offers)) {
		if f := m.offers[id]; f.order == on {
			m.end(id, trade.OfferLapsed)
			m.notify(f.seller, notify.NoticeOfferLapsed)
		}
	}
}

// pass advances the clock and runs the jobs that are due.
func (m *model) pass(d time.Duration) {
	m.now = m.now.Add(d)
	for id := range m.waiting {
		m.endClosing(id)
	}
	for id, o := range m.orders {
		if o.status != trade.Active {
			continue
		}
		if !m.now.Before(o.expires) {
			m.lapse(id)
		} else if !m.now.Add(7*24*time.Hour).Before(o.expires) && o.warned != o.expires {
			o.warned = o.expires
			m.notify(o.owner, notify.NoticeOrderExpiring)
		}
	}
}
