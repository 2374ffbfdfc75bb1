package match_test

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/schema"
)

// The statements of a program before 00330, word for word.
const (
	olderLockUser  = `select * from users where id = $1 for update`
	olderAddSearch = `insert into saved_searches (user_id, name, categories, words, importance, level, min_price, max_price, for_me, sort, view, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
returning id`
	olderSaveSearch = `update saved_searches set name = $1, categories = $2, words = $3, importance = $4, level = $5,
    min_price = $6, max_price = $7, for_me = $8, sort = $9, view = $10, updated_at = $11
where id = $12 and user_id = $13`
	olderDeleteSearch = `delete from saved_searches where id = $1 and user_id = $2 returning id`
	olderSearches     = `select id, user_id, name, categories, words, importance, level, min_price, max_price, for_me, sort, view, created_at, updated_at from saved_searches where user_id = $1 order by lower(name), id`
	olderAddWatch     = `insert into watches (user_id, name, items, kind, categories, words, terms, importance, level, min_price, max_price, for_me, min_quantity,
    way, pause_minutes, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    $14, $15, $16, $17)
returning id`
	olderSaveWatch = `update watches set name = $1, items = $2, kind = $3, categories = $4, words = $5, terms = $6,
    importance = $7, level = $8, min_price = $9, max_price = $10, for_me = $11,
    min_quantity = $12, way = $13, pause_minutes = $14, paused_at = $15,
    snoozed_until = $16, updated_at = $17
where id = $18 and user_id = $19`
	olderSaveWatchKeys = `with gone as (delete from watch_keys where watch_id = $2 and key <> all($1::text[]))
insert into watch_keys (key, watch_id) select unnest($1::text[]), $2 on conflict do nothing`
	olderDeleteWatch = `delete from watches where id = $1 and user_id = $2 returning id`
	olderWatches     = `select id, user_id, name, items, kind, categories, words, terms, importance, level, min_price, max_price, for_me, min_quantity, way, pause_minutes, paused_at, snoozed_until, alerted_at, created_at, updated_at from watches where user_id = $1 order by lower(name), id`
	olderWatchers    = `select w.id, w.user_id, w.name, w.items, w.kind, w.categories, w.words, w.terms, w.importance, w.level, w.min_price, w.max_price, w.for_me, w.min_quantity, w.way, w.pause_minutes, w.paused_at, w.snoozed_until, w.alerted_at, w.created_at, w.updated_at, m.muted, m.quiet_from, m.quiet_to, m.time_zone, m.closed, t.alerted_at as turn_at,
    coalesce(t.messages, '{}')::timestamptz[] as messages, can.fill::boolean as can_fill
from watches w
cross join lateral (select user_id, channel_id, busy_until, closed, closed_at, muted, quiet_from, quiet_to, time_zone, busy_by, not_before from mailboxes where mailboxes.user_id = w.user_id offset 0) m
left join lateral (select user_id, alerted_at, messages from watch_turns where watch_turns.user_id = w.user_id offset 0) t on true
cross join lateral (select exists (
    select from skills s where s.user_id = w.user_id and s.category = $1 and s.level >= $2::integer) as fill offset 0) can
where w.id = any(array(select k.watch_id from watch_keys k where k.key = any($3::text[])))
    and w.user_id <> $4 and w.paused_at is null and w.updated_at <= $5
    and (w.kind = '' or w.kind = $6)
    and (cardinality(w.categories) = 0 or $1::text = any(w.categories)) and (cardinality(w.importance) = 0 or $7::text = any(w.importance))
    and (w.level = 0 or $2::integer <= w.level)
    and w.min_price <= $8::bigint and (w.max_price = 0 or $8::bigint <= w.max_price) and w.min_quantity <= $9::integer
    and (not w.for_me or can.fill)
    and (cardinality(w.terms) = 0 or not exists (select from unnest(w.terms) term where strpos($10::text, term) = 0 and not (char_length(term) >= 3
        and exists (select from unnest($11::text[]) part where starts_with(part, term)))))
    and w.user_id not in (select u.id from users u where u.blocked_at is not null or u.leaving_at is not null)
    and w.user_id not in (select b.seller_id from blocked_sellers b where b.buyer_id = $4)
    and w.user_id not in (select x.user_id from muted_buyers x where x.buyer_id = $4)
    and w.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.order_id = $12::bigint)
    and w.user_id not in (select n.user_id from notices n where n.kind = 'request_watched' and n.caused_by = $4::bigint
        and n.created_at > $13 and lower(n.item_name) = lower($14::text)
        and not exists (select from orders o where o.id = n.order_id and o.status = 'active'))
order by can.fill desc, t.alerted_at nulls first, w.user_id, w.id limit $15`
	olderNoteAlerts = `with turns as (
    insert into watch_turns (user_id, alerted_at, messages)
    select r.user_id, case when r.turn then $3::timestamptz end, case when $4::integer > 0 then array[r.at] else '{}' end from (
        select unnest($5::bigint[]) as user_id, unnest($6::boolean[]) as turn, unnest($7::timestamptz[]) as at) r
    order by r.user_id
    on conflict (user_id) do update set alerted_at = coalesce(excluded.alerted_at, watch_turns.alerted_at),
        messages = array(select distinct at from unnest(watch_turns.messages || excluded.messages) at order by at desc limit $4::integer)
)
update watches set alerted_at = a.alerted_at from (
    select unnest($1::bigint[]) as id, unnest($2::timestamptz[]) as alerted_at) a
where watches.id = a.id`
)

// olderProgram is a program before 00330, with a connection of its own.
type olderProgram struct {
	t    *testing.T
	conn *pgx.Conn
}

// list returns a user's searches as the program reads them, those with a bell or those without.
func (p olderProgram) list(user core.UserID, bell match.Bell) []match.SavedSearch {
	p.t.Helper()
	statement := olderSearches
	if bell {
		statement = olderWatches
	}
	rows, _ := p.conn.Query(p.t.Context(), statement, user) // its error comes again
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (s match.SavedSearch, err error) {
		s.Bell = bell
		if !bell {
			return s, r.Scan(&s.ID, &s.Owner, &s.Name, &s.Categories, &s.Text, &s.Importance, &s.Level, &s.MinPrice, &s.MaxPrice, &s.ForMe, &s.Sort,
				&s.View, &s.CreatedAt, &s.UpdatedAt)
		}
		var terms []string
		var minutes int
		var paused, snoozed, alerted *time.Time
		err = r.Scan(&s.ID, &s.Owner, &s.Name, &s.Items, &s.Kind, &s.Categories, &s.Text, &terms, &s.Importance, &s.Level, &s.MinPrice, &s.MaxPrice,
			&s.ForMe, &s.MinQuantity, &s.Way, &minutes, &paused, &snoozed, &alerted, &s.CreatedAt, &s.UpdatedAt)
		s.Pause = time.Duration(minutes) * time.Minute
		for at, from := range map[*time.Time]*time.Time{&s.PausedAt: paused, &s.SnoozedUntil: snoozed, &s.AlertedAt: alerted} {
			if from != nil {
				*at = *from
			}
		}
		return s, err
	})
	if err != nil {
		p.t.Errorf("%s: %v", statement, err)
	}
	return list
}

// save stores a search as the program does, one without an id as a new one.
func (p olderProgram) save(s match.SavedSearch) (core.SearchID, error) {
	p.t.Helper()
	ctx := p.t.Context()
	items, categories, importance := append([]core.ItemID{}, s.Items...), append([]game.Category{}, s.Categories...), append([]game.Importance{}, s.Importance...)
	orNull := func(at time.Time) *time.Time {
		if at.IsZero() {
			return nil
		}
		return &at
	}
	var err error
	switch {
	case !bool(s.Bell) && s.ID == 0:
		err = p.conn.QueryRow(ctx, olderAddSearch, s.Owner, s.Name, categories, s.Text, importance, s.Level, s.MinPrice, s.MaxPrice, s.ForMe, s.Sort, s.View,
			s.CreatedAt, s.UpdatedAt).Scan(&s.ID)
	case !bool(s.Bell):
		_, err = p.conn.Exec(ctx, olderSaveSearch, s.Name, categories, s.Text, importance, s.Level, s.MinPrice, s.MaxPrice, s.ForMe, s.Sort, s.View, s.UpdatedAt,
			s.ID, s.Owner)
	case s.ID == 0:
		err = p.conn.QueryRow(ctx, olderAddWatch, s.Owner, s.Name, items, s.Kind, categories, s.Text, s.Terms(), importance, s.Level, s.MinPrice, s.MaxPrice,
			s.ForMe, s.MinQuantity, s.Way, int(s.Pause/time.Minute), s.CreatedAt, s.UpdatedAt).Scan(&s.ID)
	default:
		_, err = p.conn.Exec(ctx, olderSaveWatch, s.Name, items, s.Kind, categories, s.Text, s.Terms(), importance, s.Level, s.MinPrice, s.MaxPrice, s.ForMe,
			s.MinQuantity, s.Way, int(s.Pause/time.Minute), orNull(s.PausedAt), orNull(s.SnoozedUntil), s.UpdatedAt, s.ID, s.Owner)
	}
	if err == nil && bool(s.Bell) {
		_, err = p.conn.Exec(ctx, olderSaveWatchKeys, s.Keys(coretest.Forms, game.Standard()), s.ID)
	}
	return s.ID, err
}

// delete returns how many rows there were.
func (p olderProgram) delete(s match.SavedSearch) int64 {
	p.t.Helper()
	statement := olderDeleteSearch
	if s.Bell {
		statement = olderDeleteWatch
	}
	return p.exec(statement, s.ID, s.Owner)
}

func (p olderProgram) exec(statement string, args ...any) int64 {
	p.t.Helper()
	done, err := p.conn.Exec(p.t.Context(), statement, args...)
	if err != nil {
		p.t.Errorf("%s: %v", statement, err)
	}
	return done.RowsAffected()
}

// locking does something in a transaction that has locked a user, as the program does before it saves.
func (p olderProgram) locking(user core.UserID, do func()) {
	p.t.Helper()
	p.exec("begin")
	p.exec(olderLockUser, user)
	do()
	p.exec("commit")
}

// watchers returns the searches that the program alerts to a request.
func (p olderProgram) watchers(o match.WatchedOrder, now time.Time) []core.SearchID {
	p.t.Helper()
	rows, err := p.conn.Query(p.t.Context(), "select id from ("+olderWatchers+") found order by id", o.Category, o.LevelRequired(), o.Keys(coretest.Forms), o.Owner,
		now, o.Kind, o.Importance, o.MaxPrice, o.Quantity, o.Content(), o.CategoryWords(), int64(o.ID), now, o.ItemName, 100)
	must(p.t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[core.SearchID])
	must(p.t, err)
	return found
}

// asOlder leaves out what an older program does not know of a search.
func asOlder(s match.SavedSearch) match.SavedSearch {
	if s.Bell {
		s.Sort, s.View = "", ""
		return s
	}
	s.Items, s.Kind, s.MinQuantity, s.Way, s.Pause = nil, "", 0, "", 0
	s.PausedAt, s.SnoozedUntil, s.AlertedAt = time.Time{}, time.Time{}, time.Time{}
	return s
}

// bothSee fails the test unless an older program and this one see as many searches of a user, and the same.
func (w *world) bothSee(older olderProgram, who core.Actor, searches, watches int) {
	w.T.Helper()
	for bell, want := range map[match.Bell]int{match.BellOff: searches, match.BellOn: watches} {
		newer, err := w.Match.Searches(w.T.Context(), who, bell)
		must(w.T, err)
		for i := range newer {
			newer[i] = asOlder(newer[i])
		}
		if len(newer) != want {
			w.T.Errorf("bell %t: there are %d searches, want %d", bell, len(newer), want)
		}
		storetest.Same(w.T, older.list(who.UserID, bell), newer)
	}
}

// oneOf returns a search for iron as a program makes it.
func oneOf(who core.Actor, bell match.Bell, name string, now time.Time) match.SavedSearch {
	return match.SavedSearch{
		Owner: who.UserID, CreatedAt: now, UpdatedAt: now,
		SearchDraft: match.SearchDraft{Bell: bell, Name: name, Text: "iron", MinPrice: 5, Sort: match.HighestPay, Way: match.WayDirect, Pause: time.Minute},
	}
}

var bells = []match.Bell{match.BellOff, match.BellOn}

func TestAnOlderProgramAndThisOneHaveTheSameSavedSearches(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	ctx, older, now := t.Context(), olderProgram{t, connect(t, pgtest.Serving(w.DSN))}, w.Clock.Now()
	ids := map[match.Bell][]core.SearchID{}
	for _, bell := range bells {
		id, err := older.save(oneOf(w.Bob, bell, "Theirs", now))
		must(t, err)
		ids[bell] = append(ids[bell], id)
	}
	w.bothSee(older, w.Bob, 1, 1)

	// This program adds some with every field, with ids that follow the older one's.
	draft := match.SearchDraft{
		Name: "Mine", Categories: []game.Category{"Miner"}, Text: "iron ore", Importance: []game.Importance{game.High}, Level: 9, MinPrice: 1, MaxPrice: 900,
		ForMe: true, MinQuantity: 2, Way: match.WayDigest, Pause: time.Hour, Sort: match.TotalValue, View: match.ListView,
	}
	for _, bell := range bells {
		draft.Bell = bell
		mine, err := w.Match.AddSearch(ctx, w.Bob, draft)
		must(t, err)
		id, err := older.save(oneOf(w.Bob, bell, "Theirs, too", now))
		must(t, err)
		ids[bell] = append(ids[bell], mine.ID, id)
	}
	w.bothSee(older, w.Bob, 3, 3)
	if want := []core.SearchID{1, 2, 3}; !slices.Equal(ids[match.BellOff], want) || !slices.Equal(ids[match.BellOn], want) {
		t.Errorf("the ids are %v, want %v of each", ids, want)
	}

	// Each edits the searches that the other added.
	mine := func(bell match.Bell, id core.SearchID) match.SavedSearch {
		t.Helper()
		list, err := w.Match.Searches(ctx, w.Bob, bell)
		must(t, err)
		return list[slices.IndexFunc(list, func(s match.SavedSearch) bool { return s.ID == id })]
	}
	for _, bell := range bells {
		edited := mine(bell, 2)
		edited.Name, edited.Text, edited.ForMe, edited.PausedAt = "Edited", "iron", false, now
		_, err := older.save(edited)
		must(t, err)
		if got := mine(bell, 2); got.Name != "Edited" || got.Text != "iron" || got.ForMe || got.Paused() != bool(bell) || got.MinQuantity != 2 || got.View != match.ListView {
			t.Errorf("edited by the older program it is %+v", got)
		}
		draft.Bell, draft.Name = bell, "Edited here"
		_, err = w.Match.EditSearch(ctx, w.Bob, 1, draft)
		must(t, err)
	}
	_, err := w.Match.SnoozeBell(ctx, w.Bob, 3, match.SnoozeHour)
	must(t, err)
	w.bothSee(older, w.Bob, 3, 3)
	if _, err := older.save(oneOf(w.Bob, match.BellOff, "EDITED here", now)); err == nil {
		t.Error("the older program saves a second search of the name")
	}
	draft.Bell, draft.Name = match.BellOff, "theirs, TOO"
	_, err = w.Match.AddSearch(ctx, w.Bob, draft)
	wantKind(t, err, core.Conflict)

	// Each deletes one of the other. One with the same id and another bell stays.
	if n := older.delete(mine(match.BellOff, 2)); n != 1 {
		t.Errorf("the older program deletes %d", n)
	}
	w.bothSee(older, w.Bob, 2, 3)
	_, err = w.Match.EditSearch(ctx, w.Bob, 2, draft)
	wantKind(t, err, core.NotFound)
	must(t, w.Match.DeleteSearch(ctx, w.Bob, match.BellOn, 1))
	w.bothSee(older, w.Bob, 2, 2)
	if n := w.Value("select count(*) from watch_keys where watch_id = 1"); n != 0 {
		t.Errorf("a deleted search has %d keys", n)
	}
	must(t, w.Match.DeleteSearch(ctx, w.Bob, match.BellOff, 3))
	if n := older.delete(mine(match.BellOn, 3)); n != 1 {
		t.Errorf("the older program deletes %d", n)
	}
	w.bothSee(older, w.Bob, 1, 1)
}

func TestBellsOfAnOlderProgramRingAndItRingsThoseOfThisOne(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	older, now := olderProgram{t, connect(t, pgtest.Serving(w.DSN))}, w.Clock.Now()
	dan := w.SignUp("dan") // has searches with the same ids, without a bell
	for _, s := range []match.SavedSearch{oneOf(w.Bob, match.BellOn, "Iron", now), oneOf(dan, match.BellOff, "Iron", now)} {
		_, err := older.save(s)
		must(t, err)
	}
	for who, bell := range map[core.Actor]match.Bell{w.Cat: match.BellOn, dan: match.BellOff} {
		_, err := w.Match.AddSearch(t.Context(), who, match.SearchDraft{Bell: bell, Name: "Iron, too", Text: "iron"})
		must(t, err)
	}
	if people, err := w.Match.Audience(t.Context(), w.Ann, coretest.OrderDraft()); err != nil || people != 1 {
		t.Errorf("%d will be alerted, want 1, for a few: %v", people, err)
	}
	order := w.Post(w.Ann)
	request := match.WatchedOrder{Order: order}
	if got := older.watchers(request, now); !slices.Equal(got, []core.SearchID{1, 2}) {
		t.Errorf("the older program finds %v", got)
	}
	for i, who := range []core.Actor{w.Bob, w.Cat} {
		if got := w.alerts(who); len(got) != 1 || got[0].OrderID != order.ID || got[0].Search != core.SearchID(1+i) {
			t.Errorf("%s is alerted by %+v", who.Username, got)
		}
	}
	if got := w.alerts(dan); len(got) != 0 {
		t.Errorf("without a bell, alerted by %+v", got)
	}
	for _, who := range []core.Actor{w.Bob, w.Cat} {
		if got := older.list(who.UserID, match.BellOn); !got[0].AlertedAt.Equal(now) {
			t.Errorf("the older program reads %s for when this one alerted, want %s", got[0].AlertedAt, now)
		}
	}
	later := now.Add(time.Minute)
	older.exec(olderNoteAlerts, []int64{1, 2}, []time.Time{later, later}, now, 1, []int64{int64(w.Bob.UserID)}, []bool{true}, []time.Time{later})
	for _, who := range []core.Actor{w.Bob, w.Cat} {
		if got, err := w.Match.Searches(t.Context(), who, match.BellOn); err != nil || !got[0].AlertedAt.Equal(later) {
			t.Errorf("this program reads %+v for when the older one alerted, want %s: %v", got, later, err)
		}
	}
	if n := w.Value("select count(*) from searches where not bell and alerted_at is not null"); n != 0 {
		t.Errorf("%d searches without a bell have alerted", n)
	}
}

// waits is whether a session waits for another's lock.
const waits = "exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')"

func TestAnOlderProgramAndThisOneWaitForOneAnotherAtTheLimit(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	older, now := olderProgram{t, connect(t, pgtest.Serving(w.DSN))}, w.Clock.Now()
	for _, bell := range bells {
		for i := range core.MaxSearches - 2 {
			_, err := older.save(oneOf(w.Bob, bell, fmt.Sprint("Search ", i), now))
			must(t, err)
		}
		done := make(chan error, 1)
		older.locking(w.Bob.UserID, func() {
			_, err := older.save(oneOf(w.Bob, bell, "Theirs", now))
			must(t, err)
			go func() {
				_, err := w.Match.AddSearch(t.Context(), w.Bob, match.SearchDraft{Bell: bell, Name: "Mine", Text: "iron"})
				done <- err
			}()
			w.Eventually(waits)
		})
		must(t, <-done)
		_, err := w.Match.AddSearch(t.Context(), w.Bob, match.SearchDraft{Bell: bell, Name: "One more", Text: "iron"})
		wantKind(t, err, core.Conflict)

		must(t, w.Match.DeleteSearch(t.Context(), w.Bob, bell, core.SearchID(1)))
		counted := make(chan int, 1)
		must(t, w.Store.Atomically(t.Context(), func(tx market.Tx) error {
			if _, err := tx.LockSearches(t.Context(), w.Bob.UserID); err != nil {
				return err
			}
			s := oneOf(w.Bob, bell, "Mine, too", now)
			if _, err := tx.SaveSearch(t.Context(), s, s.Keys(coretest.Forms, game.Standard())); err != nil {
				return err
			}
			go func() {
				var n int
				older.locking(w.Bob.UserID, func() { n = len(older.list(w.Bob.UserID, bell)) })
				counted <- n
			}()
			w.Eventually(waits)
			return nil
		}))
		if n := <-counted; n != core.MaxSearches {
			t.Errorf("bell %t: the older program counts %d, and may add another", bell, n)
		}
	}
	w.bothSee(older, w.Bob, core.MaxSearches, core.MaxWatches)
}

func TestAnOlderProgramAndThisOneLoseNoEditOfOneAnother(t *testing.T) {
	t.Parallel()
	w := withItems(t, market.Options{})
	now := w.Clock.Now()
	programs := []olderProgram{{t, connect(t, pgtest.Serving(w.DSN))}, {t, connect(t, pgtest.Serving(w.DSN))}}
	for _, bell := range bells {
		_, err := programs[0].save(oneOf(w.Bob, bell, "Iron", now))
		must(t, err)
	}
	const edits = 25
	for _, err := range storetest.AtOnce(2*len(programs), func(i int) (err error) {
		for n := range edits {
			bell := bells[n%2]
			if i < len(programs) {
				programs[i].locking(w.Bob.UserID, func() {
					for _, s := range programs[i].list(w.Bob.UserID, bell) {
						s.MinPrice++
						_, err = programs[i].save(s)
					}
				})
			} else {
				err = w.Store.Atomically(t.Context(), func(tx market.Tx) error {
					list, err := tx.LockSearches(t.Context(), w.Bob.UserID)
					for _, s := range list {
						if s.Bell == bell {
							s.MinPrice++
							_, err = tx.SaveSearch(t.Context(), s, s.Keys(coretest.Forms, game.Standard()))
						}
					}
					return err
				})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}) {
		must(t, err)
	}
	w.bothSee(programs[0], w.Bob, 1, 1)
	if n := w.Value("select sum(min_price) from searches"); n != 2*5+2*len(programs)*edits {
		t.Errorf("after %d edits the prices are %d", 2*len(programs)*edits, n)
	}
}

// The older program serves as a role that owns nothing, and is in the middle of a write while another migrates.
func TestSavedSearchesBecomeOneTableBesideAnOlderProgram(t *testing.T) {
	t.Parallel()
	dsn, now := pgtest.Empty(t), time.Now().UTC().Truncate(time.Microsecond)
	owner, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{})
	must(t, err)
	defer owner.Close()
	serving, err := pgconnect.Open(t.Context(), pgtest.Serving(dsn), pgconnect.Options{})
	must(t, err)
	defer serving.Close()
	storetest.MigrateTo(t, owner, schema.Versions{Market: 320, Queue: 6})
	must(t, schema.Grant(t.Context(), owner, serving))
	older := olderProgram{t, connect(t, pgtest.Serving(dsn))}
	who := core.Actor{UserID: 1}
	older.exec("insert into users (discord_id, username, display_name, created_at, updated_at) values ('1', 'ann', 'Ann', now(), now())")
	for _, bell := range bells {
		for i := range 3 {
			_, err := older.save(oneOf(who, bell, fmt.Sprint("Before ", i), now))
			must(t, err)
		}
		older.delete(match.SavedSearch{ID: 3, Owner: who.UserID, SearchDraft: match.SearchDraft{Bell: bell}}) // and its id is never given again
	}
	migrated := make(chan error, 1)
	older.locking(who.UserID, func() {
		for _, bell := range bells {
			_, err := older.save(oneOf(who, bell, "Meanwhile", now))
			must(t, err)
		}
		go func() { migrated <- schema.Migrate(t.Context(), owner, slog.New(slog.DiscardHandler)) }()
		for waiting := false; !waiting; {
			must(t, owner.QueryRow(t.Context(), "select "+waits).Scan(&waiting))
		}
	})
	must(t, <-migrated)

	want := []core.SearchID{1, 2, 4, 5}
	for _, bell := range bells { // with the statements that its connection has prepared
		_, err := older.save(oneOf(who, bell, "After", now))
		must(t, err)
	}
	must(t, schema.Grant(t.Context(), owner, serving))
	store, err := postgres.Open(t.Context(), pgtest.Serving(dsn), postgres.Options{Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	defer store.Close()
	searches, err := store.Searches(t.Context(), who.UserID)
	must(t, err)
	for _, bell := range bells {
		var ids []core.SearchID
		for _, s := range searches {
			if s.Bell == bell {
				ids = append(ids, s.ID)
				if s.Text != "iron" || s.MinPrice != 5 || bool(bell) && s.Pause != time.Minute || !bool(bell) && s.Sort != match.HighestPay {
					t.Errorf("bell %t: %+v", bell, s)
				}
			}
		}
		slices.Sort(ids)
		if !slices.Equal(ids, want) {
			t.Errorf("bell %t: the searches have the ids %v, want %v", bell, ids, want)
		}
	}
	if keys := older.exec("select from watch_keys"); keys != int64(len(want)) {
		t.Errorf("there are %d keys", keys)
	}
}
