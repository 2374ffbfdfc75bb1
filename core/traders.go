package core

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxSkeletons is how many skeletons of typed names are remembered; then all are forgotten.
const maxSkeletons = 10_000

// traders are the names of the established traders, as this process read them last. It is safe for concurrent use.
type traders struct {
	forms TextForms

	mu        sync.RWMutex
	names     []TraderName
	owners    map[string][]UserID // by the skeleton of a name
	skeletons map[string]string   // of names that were asked for
}

// learn replaces the names, and reports whether they are others than before.
func (t *traders) learn(names []TraderName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.Equal(names, t.names) {
		return false
	}
	t.names, t.owners = names, map[string][]UserID{}
	for _, n := range names {
		t.owners[n.Skeleton] = append(t.owners[n.Skeleton], n.User)
	}
	return true
}

// like returns the established traders whose name looks like this one, which another account or (zero) a visitor uses. A trader's own
// names, and what looks like them, are theirs.
func (t *traders) like(name string, usedBy UserID) []UserID {
	if name == "" {
		return nil
	}
	t.mu.RLock()
	known := len(t.owners) > 0
	skeleton, cached := t.skeletons[name]
	owners := t.owners[skeleton]
	t.mu.RUnlock()
	if !known {
		return nil
	}
	if !cached {
		skeleton = t.forms.nameSkeleton(name)
		t.mu.Lock()
		if t.skeletons == nil || len(t.skeletons) >= maxSkeletons {
			t.skeletons = map[string]string{}
		}
		t.skeletons[name] = skeleton
		owners = t.owners[skeleton]
		t.mu.Unlock()
	}
	if skeleton == "" || usedBy != 0 && slices.Contains(owners, usedBy) {
		return nil
	}
	return owners
}

func (t *traders) lookAlike(contact, name string, usedBy UserID) LookAlike {
	return LookAlike{Contact: len(t.like(contact, usedBy)) > 0, Name: len(t.like(name, usedBy)) > 0}
}

// FindTraders finds who has become an established trader, and stores by which names the established traders are known now. It is a
// periodic job.
func (m *Market) FindTraders(ctx context.Context) error {
	now := m.now()
	err := m.run.Atomically(ctx, func(tx Tx) error {
		if err := m.establish(ctx, tx, now); err != nil {
			return err
		}
		all, err := tx.Traders(ctx)
		if err != nil {
			return fmt.Errorf("read established traders: %w", err)
		}
		return tx.SaveTraderNames(ctx, namesOf(m.forms, all))
	})
	if err != nil {
		return fmt.Errorf("find established traders: %w", err)
	}
	return nil
}

// LearnTraders reads the names of the established traders, by which this Market marks what looks like them. It reports whether they are
// others than before.
func (m *Market) LearnTraders(ctx context.Context) (changed bool, err error) {
	names, err := m.store.TraderNames(ctx)
	if err != nil {
		return false, fmt.Errorf("read the names of established traders: %w", err)
	}
	return m.traders.learn(names), nil
}

// MarkLookAlikes returns the order with its names marked. Orders that a Market reads are.
func (m *Market) MarkLookAlikes(o Order) Order { return marks{m.traders}.order(o) }

// Limits of the notices to one trader about names that look like theirs.
const (
	LookAlikesADay     = 5
	lookAlikesCountFor = 24 * time.Hour
)

// typedName is a name that somebody uses on an order or an offer.
type typedName struct{ before, now string }

// notifyTraders notifies established traders of names that look like theirs: once about each name, and of LookAlikesADay names at most.
func (m *Market) notifyTraders(ctx context.Context, tx Tx, about Notice, names ...typedName) error {
	var notices []Notice
	var told []UserID
	for _, name := range names {
		if name.now == name.before {
			continue
		}
		for _, trader := range m.traders.like(name.now, about.CausedBy) {
			first, err := tx.AddLookAlike(ctx, trader, strings.TrimPrefix(name.now, "@"), about.CreatedAt, about.CreatedAt.Add(-lookAlikesCountFor), LookAlikesADay)
			if err != nil {
				return fmt.Errorf("name like that of trader %d: %w", trader, err)
			}
			if !first || slices.Contains(told, trader) { // told of the other name of the same post
				continue
			}
			n := about
			n.User, n.Name = trader, name.now
			notices, told = append(notices, n), append(told, trader)
		}
	}
	return addNotices(ctx, tx, notices)
}

// orderLookAlikes notifies the traders whose names those of an order look like. Names that it had before are left out.
func (m *Market) orderLookAlikes(ctx context.Context, tx Tx, before, o Order, now time.Time) error {
	n := noticeAbout(o, 0, NoticeLookAlike, now)
	n.CausedBy, n.Quantity = o.Owner, o.Quantity
	return m.notifyTraders(ctx, tx, n, typedName{before.BuyerContact, o.BuyerContact}, typedName{before.InGameName, o.InGameName})
}

// offerLookAlikes notifies the traders whose names those of an offer look like. They are told of what it is, and not what it says.
func (m *Market) offerLookAlikes(ctx context.Context, tx Tx, o Order, offer Offer, now time.Time) error {
	n := noticeAbout(o, 0, NoticeLookAlike, now)
	n.OfferID, n.CausedBy, n.Quantity, n.Price = offer.ID, offer.Seller, offer.Quantity, offer.Price
	return m.notifyTraders(ctx, tx, n, typedName{"", offer.SellerContact}, typedName{"", offer.SellerName})
}

// markingStore marks the names in what it reads for adapters that look like those of established traders.
type markingStore struct {
	Store
	marks
}

// marks marks names that look like those of established traders.
type marks struct{ traders *traders }

func (m marks) order(o Order) Order {
	o.LookAlike = m.traders.lookAlike(o.BuyerContact, o.InGameName, o.Owner)
	return o
}

func (m marks) offer(o Offer) Offer {
	o.LookAlike = m.traders.lookAlike(o.SellerContact, o.SellerName, o.Seller)
	return o
}

func (m marks) open(o OpenOffer) OpenOffer {
	o.Order, o.Offer = m.order(o.Order), m.offer(o.Offer)
	return o
}

func (m marks) receipt(r Receipt) Receipt {
	r.Buyer.LookAlike = m.traders.lookAlike(r.Buyer.Contact, r.Buyer.InGameName, r.Buyer.User)
	r.Seller.LookAlike = m.traders.lookAlike(r.Seller.Contact, r.Seller.Name, r.Seller.User)
	return r
}

func (m marks) delivery(d Delivery) Delivery {
	d.Offers, d.Receipts, d.Watched = mark(d.Offers, m.open), mark(d.Receipts, m.receipt), mark(d.Watched, m.order)
	return d
}

func (m marks) report(r Report) Report {
	if r.Order != nil {
		o := m.order(*r.Order)
		r.Order = &o
	}
	if r.Offer != nil {
		o := m.offer(*r.Offer)
		r.Offer = &o
	}
	return r
}

func mark[T any](values []T, one func(T) T) []T {
	for i, v := range values {
		values[i] = one(v)
	}
	return values
}

func (s markingStore) Orders(ctx context.Context, q OrderQuery) (OrderPage, error) {
	page, err := s.Store.Orders(ctx, q)
	for i, o := range page.Orders {
		page.Orders[i].Order = s.marks.order(o.Order)
	}
	return page, err
}

func (s markingStore) Order(ctx context.Context, id OrderID) (Order, error) {
	o, err := s.Store.Order(ctx, id)
	return s.marks.order(o), err
}

func (s markingStore) OrdersByID(ctx context.Context, ids []OrderID) ([]Order, error) {
	orders, err := s.Store.OrdersByID(ctx, ids)
	return mark(orders, s.marks.order), err
}

func (s markingStore) FillOrders(ctx context.Context, q FillQuery) (FillablePage, error) {
	page, err := s.Store.FillOrders(ctx, q)
	for i, o := range page.Orders {
		page.Orders[i].Order = s.marks.order(o.Order)
	}
	return page, err
}

func (s markingStore) Offers(ctx context.Context, id OrderID) ([]Offer, error) {
	offers, err := s.Store.Offers(ctx, id)
	return mark(offers, s.marks.offer), err
}

func (s markingStore) Offer(ctx context.Context, id OfferID) (Offer, error) {
	o, err := s.Store.Offer(ctx, id)
	return s.marks.offer(o), err
}

func (s markingStore) ReceivedOffers(ctx context.Context, buyer UserID, after ReceivedPlace, now time.Time, limit int) ([]OpenOffer, error) {
	offers, err := s.Store.ReceivedOffers(ctx, buyer, after, now, limit)
	return mark(offers, s.marks.open), err
}

func (s markingStore) Receipts(ctx context.Context, user UserID, q ReceiptQuery) ([]Receipt, error) {
	receipts, err := s.Store.Receipts(ctx, user, q)
	return mark(receipts, s.marks.receipt), err
}

func (s markingStore) OfferLink(ctx context.Context, key OfferLinkKey) (OfferLink, error) {
	link, err := s.Store.OfferLink(ctx, key)
	link.Order, link.Receipts = s.marks.order(link.Order), mark(link.Receipts, s.marks.receipt)
	return link, err
}

func (s markingStore) OpenReports(ctx context.Context, before ReportID, limit int) ([]Report, error) {
	reports, err := s.Store.OpenReports(ctx, before, limit)
	return mark(reports, s.marks.report), err
}

func (s markingStore) OpenReport(ctx context.Context, id ReportID) (Report, error) {
	r, err := s.Store.OpenReport(ctx, id)
	return s.marks.report(r), err
}

func (s markingStore) Notices(ctx context.Context, user UserID, before NoticeID, limit int) (NoticePage, error) {
	page, err := s.Store.Notices(ctx, user, before, limit)
	for i, n := range page.Notices {
		if n.Contact != "" {
			page.Notices[i].LookAlike = s.traders.lookAlike(n.Contact, n.Name, n.CausedBy)
		}
	}
	return page, err
}

func (s markingStore) Delivery(ctx context.Context, user UserID, id DeliveryID) (Delivery, error) {
	d, err := s.Store.Delivery(ctx, user, id)
	return s.marks.delivery(d), err
}
