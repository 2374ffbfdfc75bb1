package months

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// twin runs the same operations on PostgreSQL and on a Memory. Numbers of notices and messages differ, so they
// are compared by their order.
type twin struct {
	t       *testing.T
	random  *rand.Rand
	now     time.Time
	store   *postgres.Store
	memory  *Memory
	users   []core.UserID
	orders  []core.OrderID
	offers  []core.OfferID
	notices [2][]core.NoticeID // stored, in the order in which they were added
	sent    [2][]core.DeliveryID
	acts    []string
}

const (
	inPostgres = 0
	inMemory   = 1
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newTwin(t *testing.T, seed uint64) *twin {
	w := &twin{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return w.now }
	store, err := postgres.Open(t.Context(), pgtest.New(t),
		postgres.Options{MaxConns: 2, Now: clock, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(store.Close)
	w.store, w.memory = store, NewMemory(clock)
	m := market.New(store, market.Options{Now: clock})
	var actors []core.Actor
	for i := range 3 {
		user, err := m.People.SignIn(t.Context(), people.Profile{DiscordID: fmt.Sprint(100 + i), Username: fmt.Sprint("user", i),
			DisplayName: fmt.Sprint("user", i)})
		must(t, err)
		actors, w.users = append(actors, user.Actor()), append(w.users, user.ID)
		w.memory.AddReader(notify.Mailbox{User: user.ID})
	}
	for i := range 3 {
		order, err := m.Trade.PostOrder(t.Context(), actors[0], trade.OrderDraft{ItemName: fmt.Sprint("Iron ", i), Quantity: 50,
			MaxPrice: 100, Category: "Miner", BuyerContact: "user0"})
		must(t, err)
		w.orders = append(w.orders, order.ID)
		w.memory.requests[order.ID] = &request{open: true, updated: w.now}
		for _, seller := range actors[1:] {
			answer, err := m.Trade.SendOffer(t.Context(), seller, order.ID,
				trade.OfferDraft{SellerName: "A seller", SellerContact: "seller", Message: "I have some", Quantity: 5})
			must(t, err)
			w.offers = append(w.offers, answer.Offer.ID)
			w.memory.offers[answer.Offer.ID] = 5
		}
	}
	w.sql("delete from notices")
	w.sql("delete from river_job")
	return w
}

func (w *twin) sql(statement string, args ...any) {
	w.t.Helper()
	_, err := w.store.Pool().Exec(w.t.Context(), statement, args...)
	must(w.t, err)
}

// both runs an act in a transaction of each store and compares what it saw. Some acts are taken back.
func (w *twin) both(name string, do func(tx channels.DeliveryTx, in int) (saw string, err error)) {
	w.t.Helper()
	w.acts = append(w.acts, name)
	back := error(nil)
	if w.random.IntN(8) == 0 {
		back = errors.New("taken back")
	}
	var saw [2]string
	act := func(tx channels.DeliveryTx, in int) (err error) {
		if saw[in], err = do(tx, in); err == nil {
			err = back
		}
		return err
	}
	first := w.store.Atomically(w.t.Context(), func(tx market.Tx) error { return act(tx, inPostgres) })
	second := w.memory.Atomically("", func(tx *Tx) error { return act(tx, inMemory) })
	for _, err := range []error{first, second} {
		if !errors.Is(err, back) {
			w.t.Fatalf("%s: %v", w.last(), err)
		}
	}
	if saw[0] != saw[1] {
		w.t.Fatalf("%s:\nPostgreSQL saw %s\nmemory saw     %s", w.last(), saw[0], saw[1])
	}
	w.compare()
}

func (w *twin) last() string { return fmt.Sprint("act ", len(w.acts), ", ", w.acts[len(w.acts)-1]) }

// notice and message are the places of numbers.
func (w *twin) notice(in int, id core.NoticeID) int    { return slices.Index(w.notices[in], id) }
func (w *twin) message(in int, id core.DeliveryID) int { return slices.Index(w.sent[in], id) }

func (w *twin) list(in int, notices []notify.Notice) string {
	var out strings.Builder
	for _, n := range notices {
		fmt.Fprintf(&out, " %d:%s:%s", w.notice(in, n.ID), n.Kind, n.State)
	}
	return out.String()
}

func at(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (w *twin) shown(in int, d channels.Delivery) string {
	var open []core.OfferID
	for _, o := range d.Offers {
		open = append(open, o.Offer.ID)
	}
	var wanted []core.OrderID
	for _, o := range d.Watched {
		if o.Open(w.now) && !slices.Contains(wanted, o.ID) {
			wanted = append(wanted, o.ID)
		}
	}
	slices.Sort(open)
	slices.Sort(wanted)
	return fmt.Sprint(w.message(in, d.ID), d.Kind, w.list(in, d.Notices), slices.Compact(open), wanted, d.MessageID, d.ChannelID,
		at(d.StartedAt), at(d.SentAt), d.CausedBy)
}

func (w *twin) user() core.UserID { return w.users[w.random.IntN(len(w.users))] }

var drawn = []notify.Kind{notify.NoticeOfferReceived, notify.NoticeOfferReceived, notify.NoticeOfferAccepted, notify.NoticeOfferDeclined,
	notify.NoticeRequestWatched, notify.NoticeOrderExpiring, notify.NoticeOrderFilled, notify.NoticeUserBlocked, notify.NoticeTest,
	notify.NoticeDMFailed}

func (w *twin) add() {
	notices := make([]notify.Notice, 1+w.random.IntN(3))
	for i := range notices {
		n := notify.Notice{User: w.user(), Kind: drawn[w.random.IntN(len(drawn))], Quantity: 5, CreatedAt: w.now, State: notify.NoticePending}
		if w.random.IntN(2) == 0 {
			n.CausedBy = w.user()
		}
		switch n.Kind {
		case notify.NoticeOfferReceived:
			n.OfferID, n.Quantity = w.offers[w.random.IntN(len(w.offers))], 4+w.random.IntN(3)
		case notify.NoticeRequestWatched, notify.NoticeOrderExpiring:
			n.OrderID = w.orders[w.random.IntN(len(w.orders))]
		}
		n.HoldUntil = []time.Time{{}, {}, {}, w.now.Add(10 * time.Second), w.now.Add(time.Hour)}[w.random.IntN(5)]
		notices[i] = n
	}
	w.both("add", func(tx channels.DeliveryTx, _ int) (string, error) {
		return "", notify.AddNotices(w.t.Context(), tx, slices.Clone(notices))
	})
}

// deliver does what an attempt does with the store.
func (w *twin) deliver() {
	if len(w.notices[0]) == 0 {
		return
	}
	place := w.random.IntN(len(w.notices[0]))
	fresh, most := w.now.Add(-time.Duration(w.random.IntN(300))*time.Second), []int{1, 2, 10, 1000}[w.random.IntN(4)]
	digest, all, start := w.random.IntN(3) == 0, w.random.IntN(2) == 0, w.random.IntN(2) == 0
	quotas := core.Quotas{DMPair: core.Quota{Limit: w.random.IntN(4), Per: time.Hour}, DMReader: core.Quota{Limit: w.random.IntN(4), Per: time.Hour}}
	w.both("deliver", func(tx channels.DeliveryTx, in int) (string, error) {
		ctx := w.t.Context()
		box, n, err := tx.LockMailbox(ctx, w.notices[in][place])
		if err != nil {
			return "", err
		}
		line, err := tx.Line(ctx, box.User, w.now)
		if err != nil {
			return "", err
		}
		times, err := tx.MessageTimes(ctx, n, n.Kind.PairKinds(), quotas)
		if err != nil {
			return "", err
		}
		saw := fmt.Sprint(box.ChannelID, at(box.BusyUntil), at(box.NotBefore), at(box.LimitedUntil), box.Closed, box.Settings, n.State, n.Reason,
			w.list(in, line), times.Pair, times.All)
		if n.State != notify.NoticePending {
			return saw, nil
		}
		if next := notify.First(line); next.ID != 0 {
			n = next
		}
		var d channels.Delivery
		if digest {
			d, err = tx.DigestFor(ctx, n, fresh, min(most, 3), all)
		} else {
			d, err = tx.DeliveryFor(ctx, n, fresh, most)
		}
		if err != nil {
			return "", err
		}
		saw += w.shown(in, d)
		if start && len(d.Notices) > 0 {
			d.To = box
			if d, err = tx.StartDelivery(ctx, d, w.now); err != nil {
				return "", err
			}
			box.BusyUntil = w.now.Add(notify.DeliveryLease)
			err = tx.SaveMailbox(ctx, box)
		}
		return saw, err
	})
}

// finish notes that a message was sent, or that its reader takes none.
func (w *twin) finish() {
	if len(w.sent[0]) == 0 {
		return
	}
	place, way := w.random.IntN(len(w.sent[0])), w.random.IntN(4)
	m := w.memory.sent[place]
	var told []int
	for _, n := range m.notices {
		told = append(told, w.notice(inMemory, n.ID))
	}
	if len(told) == 0 {
		return
	}
	w.both("finish", func(tx channels.DeliveryTx, in int) (string, error) {
		ctx := w.t.Context()
		box, _, err := tx.LockMailbox(ctx, w.notices[in][told[0]])
		if err != nil {
			return "", err
		}
		var ids []core.NoticeID
		for _, n := range told {
			ids = append(ids, w.notices[in][n])
		}
		box.BusyUntil = time.Time{}
		switch way {
		case 0:
			box.Closed, box.ClosedAt = "closed", w.now
			err = tx.SettleNotices(ctx, ids, notify.NoticeRefused, "closed", w.now)
		case 1:
			box.NotBefore, box.LimitedUntil = w.now.Add(time.Minute), w.now.Add(time.Hour)
		default:
			box.ChannelID = fmt.Sprint("channel ", box.User)
			d := channels.Delivery{ID: w.sent[in][place], ChannelID: box.ChannelID, MessageID: fmt.Sprint("message ", place)}
			if err = tx.FinishDelivery(ctx, d, w.now); err == nil {
				err = tx.SettleNotices(ctx, ids, notify.NoticeDelivered, "", w.now)
			}
		}
		if err != nil {
			return "", err
		}
		return "", tx.SaveMailbox(ctx, box)
	})
}

func (w *twin) settings() {
	user, s := w.user(), notify.Settings{QuietFrom: w.random.IntN(1440), QuietTo: w.random.IntN(1440), Muted: []notify.Kind{}}
	if w.random.IntN(3) == 0 {
		s.Muted = []notify.Kind{notify.NoticeOfferDeclined, notify.NoticeRequestWatched}
	}
	w.both("settings", func(tx channels.DeliveryTx, _ int) (string, error) {
		return "", tx.SaveNoticeSettings(w.t.Context(), user, s)
	})
}

func (w *twin) open() {
	user := w.user()
	w.both("open", func(tx channels.DeliveryTx, _ int) (string, error) { return "", tx.OpenMailbox(w.t.Context(), user) })
}

// change has the subject of notices change: an offer ends, a request closes or is edited, a message is acted on.
func (w *twin) change() {
	w.acts = append(w.acts, "change")
	offer, order := w.offers[w.random.IntN(len(w.offers))], w.orders[w.random.IntN(len(w.orders))]
	switch w.random.IntN(4) {
	case 0:
		w.sql("delete from offers where id = $1", offer)
		delete(w.memory.offers, offer)
	case 1:
		w.sql("update orders set updated_at = $2 where id = $1", order, w.now)
		w.memory.requests[order].updated = w.now
	case 2:
		w.sql("update orders set expires_at = $2 where id = $1", order, w.now)
		w.memory.requests[order].open = false
	case 3:
		if len(w.sent[0]) > 0 {
			place := w.random.IntN(len(w.sent[0]))
			w.sql("update deliveries set acted_at = $2 where id = $1", w.sent[0][place], w.now)
			w.memory.sent[place].acted = w.now
		}
	}
}

// compare compares everything that is stored.
func (w *twin) compare() {
	w.t.Helper()
	w.number()
	var stored, kept strings.Builder
	w.rows(&stored, `select id, user_id, state, reason, coalesce(delivery_id, 0), settled_at from notices order by id`,
		func(rows pgx.Rows) (string, error) {
			var id core.NoticeID
			var user core.UserID
			var state, reason string
			var message core.DeliveryID
			var settled *time.Time
			err := rows.Scan(&id, &user, &state, &reason, &message, &settled)
			return fmt.Sprint("notice ", w.notice(0, id), user, state, reason, w.message(0, message), settled != nil), err
		})
	for _, n := range w.memory.notices {
		if n.User == 0 {
			continue
		}
		message := core.DeliveryID(0)
		if n.message != nil {
			message = n.message.id
		}
		fmt.Fprintln(&kept, fmt.Sprint("notice ", w.notice(1, n.ID), n.User, string(n.State), n.Reason, w.message(1, message), !n.SettledAt.IsZero()))
	}
	w.rows(&stored, `select (args ->> 'notice')::bigint, state::text, priority, scheduled_at from river_job order by id`,
		func(rows pgx.Rows) (string, error) {
			var id core.NoticeID
			var state string
			var priority int16
			var due time.Time
			err := rows.Scan(&id, &state, &priority, &due)
			return fmt.Sprint("job ", w.notice(0, id), state, priority, at(due)), err
		})
	for _, j := range w.memory.jobs {
		fmt.Fprintln(&kept, fmt.Sprint("job ", w.notice(1, j.Notice), string(j.State), int16(j.Priority), at(j.At)))
	}
	w.rows(&stored, `select id, user_id, kind, coalesce(caused_by, 0), started_at, sent_at is not null, message_id from deliveries order by id`,
		func(rows pgx.Rows) (string, error) {
			var id core.DeliveryID
			var user, by core.UserID
			var kind, message string
			var started time.Time
			var sent bool
			err := rows.Scan(&id, &user, &kind, &by, &started, &sent, &message)
			return fmt.Sprint("message ", w.message(0, id), user, kind, by, at(started), sent, message), err
		})
	for _, m := range w.memory.sent {
		fmt.Fprintln(&kept, fmt.Sprint("message ", w.message(1, m.id), m.reader, string(m.kind), m.causedBy, at(m.started), !m.sent.IsZero(), m.number))
	}
	if stored.String() != kept.String() {
		a, b := strings.Split(stored.String(), "\n"), strings.Split(kept.String(), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				w.t.Fatalf("after %s:\nPostgreSQL has %s\nmemory has     %s", w.last(), a[i], b[i])
			}
		}
		w.t.Fatalf("after %s PostgreSQL has %d rows and memory %d", w.last(), len(a), len(b))
	}
}

// number gives places to what was added.
func (w *twin) number() {
	notices, err := numbers[core.NoticeID](w.t.Context(), w.store, "select id from notices order by id")
	must(w.t, err)
	sent, err := numbers[core.DeliveryID](w.t.Context(), w.store, "select id from deliveries order by id")
	must(w.t, err)
	w.notices, w.sent = [2][]core.NoticeID{notices}, [2][]core.DeliveryID{sent}
	for _, n := range w.memory.notices {
		if n.User != 0 {
			w.notices[inMemory] = append(w.notices[inMemory], n.ID)
		}
	}
	for _, m := range w.memory.sent {
		w.sent[inMemory] = append(w.sent[inMemory], m.id)
	}
}

func numbers[ID ~int64](ctx context.Context, store *postgres.Store, query string) ([]ID, error) {
	rows, err := store.Pool().Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[ID])
}

func (w *twin) rows(out *strings.Builder, query string, show func(pgx.Rows) (string, error)) {
	w.t.Helper()
	rows, err := w.store.Pool().Query(w.t.Context(), query)
	must(w.t, err)
	shown, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) { return show(rows) })
	must(w.t, err)
	for _, line := range shown {
		fmt.Fprintln(out, line)
	}
}

// TestMemoryDoesWhatPostgreSQLDoes runs random acts, PARITY_ACTS of them from PARITY_SEED on, on both stores.
func TestMemoryDoesWhatPostgreSQLDoes(t *testing.T) {
	t.Parallel()
	seed, acts := number(t, "PARITY_SEED", rand.Uint64()), number(t, "PARITY_ACTS", 400)
	t.Logf("PARITY_SEED=%d", seed)
	w := newTwin(t, seed)
	for range acts {
		w.now = w.now.Add(time.Duration(w.random.IntN(90)) * time.Second)
		switch w.random.IntN(12) {
		case 0, 1, 2, 3:
			w.add()
		case 4, 5, 6:
			w.deliver()
		case 7, 8, 9:
			w.finish()
		case 10:
			if w.random.IntN(3) == 0 {
				w.settings()
			} else {
				w.open()
			}
		case 11:
			w.change()
		}
	}
	if len(w.notices[0]) < 50 || len(w.sent[0]) < 10 {
		t.Errorf("little happened: %d notices, %d messages", len(w.notices[0]), len(w.sent[0]))
	}
}
