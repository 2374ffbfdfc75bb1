// Package months delivers notices in simulated time: months of mailboxes, quotas, digests, waves, outages of
// Discord, restarts and clocks that step. What delivers is the core's, on a store that is kept in memory and
// held against PostgreSQL.
package months

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Memory keeps what channels.DeliveryTx reads and saves, by the rules of the statements in sql/queries. It
// knows no threads and draws no message again.
type Memory struct {
	now func() time.Time

	mu       sync.Mutex
	boxes    map[core.UserID]*box
	notices  []*notice            // by number, from 1
	sent     []*message           // by number, from 1
	jobs     []*Job               // in the order in which they were added
	offers   map[core.OfferID]int // what is offered, of the live ones
	requests map[core.OrderID]*request
}

type box struct {
	notify.Mailbox
	by      string    // the process that leases it
	waiting []*notice // the pending notices of its reader, oldest first
}

type notice struct {
	notify.Notice
	message *message // that it was given to; nil for none
}

type message struct {
	id                core.DeliveryID
	reader            core.UserID
	kind              notify.Kind
	causedBy          core.UserID
	started           time.Time
	sent, acted       time.Time
	channelID, number string // of Discord's
	notices           []*notice
}

type request struct {
	open    bool
	updated time.Time
}

// JobState is one of River's.
type JobState string

// The states of a job.
const (
	Available JobState = "available"
	Scheduled JobState = "scheduled"
	Running   JobState = "running"
)

// Job is the job of a notice.
type Job struct {
	coretest.Job
	State   JobState
	by      string // the process that works on it
	created time.Time
}

// NewMemory returns an empty store that reads the time from now.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, boxes: map[core.UserID]*box{}, offers: map[core.OfferID]int{},
		requests: map[core.OrderID]*request{}}
}

// Atomically runs a transaction of a process. It takes back what the transaction did when that fails.
func (m *Memory) Atomically(process string, do func(*Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &Tx{Memory: m, process: process, given: map[core.NoticeID]*message{}}
	err := do(t)
	if err != nil {
		for _, back := range slices.Backward(t.back) {
			back()
		}
	}
	return err
}

// Tx is a transaction.
type Tx struct {
	*Memory

	process string
	given   map[core.NoticeID]*message
	back    []func() // what takes the transaction back, in the order in which it was done
}

var _ channels.DeliveryTx = (*Tx)(nil)

// set changes a value until the transaction is taken back.
func set[T any](t *Tx, at *T, to T) {
	before := *at
	t.back = append(t.back, func() { *at = before })
	*at = to
}

func missing(what string, id any) error {
	return &core.Error{Kind: core.NotFound, Message: fmt.Sprintf("There is no %s %v", what, id)}
}

// AddReader adds the mailbox of a user.
func (m *Memory) AddReader(b notify.Mailbox) { m.boxes[b.User] = &box{Mailbox: b} }

func (m *Memory) notice(id core.NoticeID) *notice {
	if id < 1 || int(id) > len(m.notices) {
		return nil
	}
	return m.notices[id-1]
}

// LockMailbox implements channels.DeliveryTx.
func (t *Tx) LockMailbox(_ context.Context, id core.NoticeID) (notify.Mailbox, notify.Notice, error) {
	n := t.notice(id)
	if n == nil {
		return notify.Mailbox{}, notify.Notice{}, missing("notice", id)
	}
	t.given[id] = n.message
	return t.boxes[n.User].Mailbox, n.Notice, nil
}

// SaveMailbox implements channels.DeliveryTx.
func (t *Tx) SaveMailbox(_ context.Context, b notify.Mailbox) error {
	kept := t.boxes[b.User]
	b.Settings = kept.Settings
	set(t, &kept.Mailbox, b)
	by := ""
	if !b.BusyUntil.IsZero() {
		by = t.process
	}
	set(t, &kept.by, by)
	return nil
}

// waits reports whether a notice waits in the line of its reader for a message.
func (n *notice) waits(now time.Time) bool {
	return n.State == notify.NoticePending && n.message == nil && !n.HoldUntil.After(now)
}

// Line implements channels.DeliveryTx.
func (t *Tx) Line(_ context.Context, reader core.UserID, now time.Time) (line []notify.Notice, err error) {
	for _, alert := range []bool{false, true} {
		for _, n := range t.boxes[reader].waiting {
			if (n.Kind == notify.NoticeRequestWatched) == alert && n.waits(now) {
				line = append(line, n.Notice)
				break
			}
		}
	}
	return line, nil
}

// due is until when others may be held that come with a notice.
func (t *Tx) due(n notify.Notice) time.Time {
	if now := t.now(); now.After(n.HoldUntil) {
		return now
	}
	return n.HoldUntil
}

// DeliveryFor implements channels.DeliveryTx.
func (t *Tx) DeliveryFor(
	_ context.Context, n notify.Notice, fresh time.Time, most int,
) (channels.Delivery, error) {
	m := t.messageFor(n, fresh, most)
	d := channels.Delivery{Kind: n.Kind, CausedBy: n.CausedBy}
	if m != nil {
		d = m.delivery()
	}
	if m == nil || m.number != "" { // one that may be out there keeps what it says
		if !slices.ContainsFunc(d.Notices, func(other notify.Notice) bool { return other.ID == n.ID }) {
			d.Notices = append(d.Notices, n)
		}
		by := core.UserID(0)
		if n.Kind == notify.NoticeHandoverPrompt {
			by = n.CausedBy
		}
		d.Notices = t.gather(d.Notices, n, most-len(d.Notices), func(other *notice) bool {
			return other.Kind == n.Kind && (by == 0 || other.CausedBy == by)
		})
	}
	t.addSubjects(&d)
	return d, nil
}

// gather adds others of a reader's line, oldest first.
func (t *Tx) gather(
	to []notify.Notice, n notify.Notice, room int, with func(*notice) bool,
) []notify.Notice {
	for _, other := range t.boxes[n.User].waiting {
		if room > 0 && other.ID != n.ID && other.waits(t.due(n)) && with(other) {
			to = append(to, other.Notice)
			room--
		}
	}
	slices.SortFunc(to, func(a, b notify.Notice) int { return int(a.ID - b.ID) })
	return to
}

func (t *Tx) messageFor(n notify.Notice, fresh time.Time, most int) *message {
	var undecided *message
	for _, other := range t.boxes[n.User].waiting {
		if m := other.message; m != nil && m.number == "" && (undecided == nil || m.id < undecided.id) {
			undecided = m
		}
	}
	switch {
	case undecided != nil:
		return undecided
	case t.given[n.ID] != nil:
		return t.given[n.ID]
	case most == 1:
		return nil
	}
	for _, m := range slices.Backward(t.sent) {
		if m.reader == n.User && m.kind == n.Kind && m.number != "" &&
			(n.Kind != notify.NoticeHandoverPrompt || n.CausedBy == 0 || m.causedBy == n.CausedBy) {
			if m.sent.After(fresh) && m.acted.IsZero() && len(m.notices) < most && t.unchanged(m) {
				return m
			}
			return nil
		}
	}
	return nil
}

// unchanged reports whether everything that a message tells of is still as it says.
func (t *Tx) unchanged(m *message) bool {
	return !slices.ContainsFunc(m.notices, func(n *notice) bool {
		if n.State == notify.NoticePending {
			return false
		}
		of := t.requests[n.OrderID]
		return n.Kind == notify.NoticeOfferReceived && t.offers[n.OfferID] < n.Quantity ||
			n.Kind == notify.NoticeOrderExpiring && (of == nil || of.updated.After(m.sent))
	})
}

func (m *message) delivery() channels.Delivery {
	d := channels.Delivery{ID: m.id, Kind: m.kind, ChannelID: m.channelID, MessageID: m.number,
		StartedAt: m.started, SentAt: m.sent}
	for _, n := range m.notices {
		d.Notices = append(d.Notices, n.Notice)
	}
	return d
}

// addSubjects adds what is still open of what a message is about.
func (t *Tx) addSubjects(d *channels.Delivery) {
	for _, n := range d.Notices {
		switch n.Kind {
		case notify.NoticeOfferReceived:
			if quantity, live := t.offers[n.OfferID]; live {
				d.Offers = append(d.Offers, trade.OpenOffer{Offer: trade.Offer{ID: n.OfferID, Quantity: quantity}})
			}
		case notify.NoticeRequestWatched:
			if r := t.requests[n.OrderID]; r != nil && r.open {
				d.Watched = append(d.Watched, trade.Order{ID: n.OrderID, Status: trade.Active, ExpiresAt: farAhead})
			}
		}
	}
}

var farAhead = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// SentDelivery implements channels.DeliveryTx.
func (t *Tx) SentDelivery(_ context.Context, n notify.Notice) (channels.Delivery, error) {
	m := t.notice(n.ID).message
	if m == nil {
		return channels.Delivery{}, nil
	}
	d := m.delivery()
	t.addSubjects(&d)
	return d, nil
}

// MessageTimes implements channels.DeliveryTx.
func (t *Tx) MessageTimes(
	_ context.Context, n notify.Notice, kinds []notify.Kind, q core.Quotas,
) (times notify.MessageTimes, err error) {
	since := n.CreatedAt.Add(-q.DMPair.Per - notify.NoticeLifetime)
	for _, m := range t.sent {
		if m.reader != n.User {
			continue
		}
		if m.kind != notify.NoticeDigest {
			times.All = append(times.All, m.started)
		}
		if slices.Contains(kinds, m.kind) && m.causedBy == n.CausedBy && m.started.After(since) {
			times.Pair = append(times.Pair, m.started)
		}
	}
	newest := func(times []time.Time, most int) []time.Time {
		slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
		return times[:min(most, len(times))]
	}
	times.All, times.Pair = newest(times.All, q.DMReader.Limit), newest(times.Pair, q.DMPair.Limit)
	return times, nil
}

// DigestFor implements channels.DeliveryTx.
func (t *Tx) DigestFor(
	_ context.Context, n notify.Notice, since time.Time, most int, all bool,
) (channels.Delivery, error) {
	d := channels.Delivery{Kind: notify.NoticeDigest}
	for _, m := range slices.Backward(t.sent) {
		if m.reader == n.User && m.kind == notify.NoticeDigest && m.number != "" && m.sent.After(since) {
			d = m.delivery()
			break
		}
	}
	if room := most - len(d.Notices); room > 0 {
		kinds := n.Kind.PairKinds()
		d.Notices = t.gather(append(d.Notices, n), n, room-1, func(other *notice) bool {
			return all || other.CausedBy == n.CausedBy && slices.Contains(kinds, other.Kind)
		})
	}
	t.addSubjects(&d)
	return d, nil
}

// StartDelivery implements channels.DeliveryTx.
func (t *Tx) StartDelivery(
	_ context.Context, d channels.Delivery, now time.Time,
) (channels.Delivery, error) {
	if d.ID == 0 {
		d.ID = core.DeliveryID(len(t.sent) + 1)
		set(t, &t.sent, append(t.sent, &message{id: d.ID, reader: d.To.User, kind: d.Kind,
			causedBy: d.CausedBy, started: now}))
	}
	m := t.sent[d.ID-1]
	for _, listed := range d.Notices {
		n := t.notice(listed.ID)
		if n.message == m {
			continue
		}
		if before := n.message; before != nil {
			set(t, &before.notices, slices.DeleteFunc(slices.Clone(before.notices),
				func(o *notice) bool { return o == n }))
		}
		set(t, &n.message, m)
		at, _ := slices.BinarySearchFunc(m.notices, n, func(a, b *notice) int { return int(a.ID - b.ID) })
		set(t, &m.notices, slices.Insert(slices.Clone(m.notices), at, n))
	}
	return d, nil
}

// FinishDelivery implements channels.DeliveryTx.
func (t *Tx) FinishDelivery(_ context.Context, d channels.Delivery, now time.Time) error {
	m := t.sent[d.ID-1]
	set(t, &m.channelID, d.ChannelID)
	set(t, &m.number, d.MessageID)
	if m.sent.IsZero() {
		set(t, &m.sent, now)
	}
	return nil
}

// SettleNotices implements channels.DeliveryTx.
func (t *Tx) SettleNotices(
	_ context.Context, ids []core.NoticeID, state notify.State, reason string, now time.Time,
) error {
	for _, id := range ids {
		n := t.notice(id)
		if n == nil || n.State != notify.NoticePending {
			continue
		}
		set(t, &n.State, state)
		set(t, &n.Reason, reason)
		set(t, &n.SettledAt, now)
		b := t.boxes[n.User]
		set(t, &b.waiting, slices.DeleteFunc(slices.Clone(b.waiting), func(o *notice) bool { return o == n }))
	}
	return nil
}

// AddNotices implements notify.Tx.
func (t *Tx) AddNotices(_ context.Context, notices []notify.Notice) error {
	for _, n := range notices {
		b := t.boxes[n.User]
		if n.Kind == notify.NoticeRequestWatched && slices.ContainsFunc(t.notices, func(o *notice) bool {
			return o.Kind == n.Kind && o.OrderID == n.OrderID && o.User == n.User
		}) {
			n.User = 0 // a second alert about a request; its number is gone
		}
		if n.State == notify.NoticePending && b != nil {
			switch {
			case slices.Contains(b.Settings.Muted, n.Kind):
				n.State, n.Reason, n.SettledAt = notify.NoticeRefused, notify.NoticeMuted, n.CreatedAt
			case b.Closed != "" && !n.Kind.SentWhileClosed():
				n.State, n.Reason, n.SettledAt = notify.NoticeRefused, b.Closed, n.CreatedAt
			}
		}
		n.ID = core.NoticeID(len(t.notices) + 1)
		added := &notice{Notice: n}
		if n.User == 0 {
			added.State = notify.NoticeRefused
		}
		set(t, &t.notices, append(t.notices, added))
		if added.State != notify.NoticePending {
			continue
		}
		job := coretest.NewJob(n, len(b.waiting) > 0, t.now())
		state := Available
		if n.HoldUntil.After(t.now()) {
			state = Scheduled
		}
		set(t, &t.jobs, append(slices.Clip(t.jobs), &Job{Job: job, State: state, created: t.now()}))
		set(t, &b.waiting, append(slices.Clip(b.waiting), added))
	}
	return nil
}

// SaveNoticeSettings implements notify.Tx.
func (t *Tx) SaveNoticeSettings(_ context.Context, user core.UserID, s notify.Settings) error {
	b, now := t.boxes[user], t.now()
	set(t, &b.Settings, s)
	for _, j := range t.jobs {
		if n := t.notice(j.Notice); n.User == user && n.State == notify.NoticePending && j.State != Running &&
			j.At.After(now) {
			set(t, &j.State, Available)
			set(t, &j.At, now)
		}
	}
	return nil
}

// OpenMailbox implements core.WriteTx.
func (t *Tx) OpenMailbox(_ context.Context, user core.UserID) error {
	b := t.boxes[user]
	set(t, &b.Closed, "")
	set(t, &b.ClosedAt, time.Time{})
	return nil
}

// RedrawOffers implements notify.Tx: nothing is drawn again.
func (t *Tx) RedrawOffers(context.Context, notify.RedrawnOffers) error { return nil }

// Claim implements core.WriteTx: no write here has a key.
func (t *Tx) Claim(context.Context, core.Claim) (*core.Claim, error) { return nil, nil }

// SaveAnswer implements core.WriteTx.
func (t *Tx) SaveAnswer(context.Context, core.Claim) error { return nil }

// TradeThread implements channels.DeliveryTx: there are no threads.
func (t *Tx) TradeThread(context.Context, core.SaleID) (*channels.TradeThread, error) {
	return nil, nil
}

// GiveUpTradeThread implements channels.DeliveryTx.
func (t *Tx) GiveUpTradeThread(context.Context, core.SaleID, time.Time) (bool, error) {
	return false, nil
}

// EndTradeThread implements channels.DeliveryTx.
func (t *Tx) EndTradeThread(context.Context, core.SaleID) error { return nil }
