package backup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/core/channels"
	"tradepost/sql/backup"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgtest"
)

// numbered is a column that a sequence numbers.
type numbered struct{ Table, Column string }

// numberedColumns lists every column of the schema with an identity or a serial.
func numberedColumns(t *testing.T, conn *pgx.Conn) []numbered {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
select c.table_name::text, c.column_name::text from information_schema.columns c
where c.table_schema = 'public' and c.table_name <> 'public_changes' -- which no backup has: its cursors end with the database
    and pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) is not null order by 1`)
	storetest.Must(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[numbered])
	storetest.Must(t, err)
	if len(columns) < 11 {
		t.Fatalf("only %d columns are numbered: %v", len(columns), columns)
	}
	return columns
}

// standing is how far the ids of each table have come: the highest that a row has or that was given.
func standing(t *testing.T, dsn string) map[string]int64 {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	ids := map[string]int64{}
	for _, c := range numberedColumns(t, conn) {
		var last int64
		storetest.Must(t, conn.QueryRow(t.Context(), fmt.Sprintf(
			"select greatest(coalesce(max(%s), 0), coalesce(pg_sequence_last_value(pg_get_serial_sequence('%s', '%s')::regclass), 0)) from %s",
			c.Column, c.Table, c.Column, c.Table)).Scan(&last))
		ids[c.Table] = last
	}
	return ids
}

// wantAMillionMore fails the test when the next id of a table is not a million above where it stood.
func wantAMillionMore(t *testing.T, dsn string, before map[string]int64) {
	t.Helper()
	conn := storetest.Connect(t, dsn)
	for _, c := range numberedColumns(t, conn) {
		var next int64
		storetest.Must(t, conn.QueryRow(t.Context(), fmt.Sprintf("select nextval(pg_get_serial_sequence('%s', '%s'))", c.Table, c.Column)).Scan(&next))
		if next <= before[c.Table]+1_000_000 {
			t.Errorf("the next id of %s is %d, before the restore it stood at %d", c.Table, next, before[c.Table])
		}
	}
}

func TestARestoreAdvancesEverySequenceByAMillion(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	offer := w.OfferOn(w.Bob, w.Post(w.Ann), 4)
	_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 3)
	storetest.Must(t, err)
	storetest.Must(t, w.SQL("alter sequence users_id_seq restart with 1")) // behind its rows, as after a manual restore
	file, before := written(t, w.DSN), standing(t, w.DSN)
	dsn := pgtest.Empty(t)
	_, err = restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
	wantAMillionMore(t, dsn, before)

	// The same backup again: what the market has given since must not be given again either.
	there := w.At(dsn)
	there.Post(there.Ann)
	there.Store.Close()
	before = standing(t, dsn)
	_, err = restore(t, dsn, file, backup.RestoreOptions{Replace: true})
	storetest.Must(t, err)
	wantAMillionMore(t, dsn, before)
}

func TestARestoreGivesNoIDsThatJSONCannotHold(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Post(w.Ann)
	storetest.Must(t, w.SQL("select setval('notices_id_seq', (1::bigint << 53) - 1000000)"))
	file := written(t, w.DSN)
	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, file, backup.RestoreOptions{})
	if err == nil || !strings.Contains(err.Error(), "notices_id_seq") {
		t.Errorf("restored with %v, want no room for ids", err)
	}
	if n := valueAt(t, dsn, "select count(*) from pg_class where relname = 'orders'"); n != 0 {
		t.Error("a restore that failed has left tables")
	}
}

func valueAt(t *testing.T, dsn, query string) (n int) {
	t.Helper()
	storetest.Must(t, storetest.Connect(t, dsn).QueryRow(t.Context(), query).Scan(&n))
	return n
}

func TestNoncesDoNotRepeatAfterARestore(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.OfferOn(w.Bob, w.Post(w.Ann), 2)
	sender := storetest.NewDMSender()
	queue := w.StartQueue(sender)
	first := sender.Next(t)
	w.Settled()
	storetest.Must(t, queue.Stop(t.Context()))
	if first.NoncePrefix == "" || !strings.HasPrefix(first.Nonce(), first.NoncePrefix+"-") {
		t.Errorf("nonce %q, prefix %q", first.Nonce(), first.NoncePrefix)
	}
	// A delivery begun by an older program keeps its nonce.
	storetest.Must(t, w.Notify.SendTest(t.Context(), w.Cat))
	storetest.Must(t, w.SQL("insert into deliveries (user_id, kind, started_at) values ($1, 'test', now())", w.Cat.UserID))
	storetest.Must(t, w.SQL("update notices set delivery_id = (select max(id) from deliveries) where user_id = $1", w.Cat.UserID))

	file := written(t, w.DSN)
	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
	there := w.At(dsn)
	sender = storetest.NewDMSender()
	there.StartQueue(sender)
	if old := sender.Next(t); old.Nonce() != fmt.Sprintf("tradepost-%d", old.ID) || old.To.User != w.Cat.UserID {
		t.Errorf("a message begun by an older program has the nonce %q", old.Nonce())
	}
	there.OfferOn(there.Cat, there.Post(there.Bob), 1)
	next := sender.Next(t)
	if next.NoncePrefix == "" || next.NoncePrefix == first.NoncePrefix || next.ID <= first.ID+1_000_000 {
		t.Errorf("before the restore %q, after it %q", first.Nonce(), next.Nonce())
	}
	there.Settled()

	storetest.Must(t, there.Store.SaveBoard(t.Context(), channels.Board{ChannelID: "1", GuildID: "2", CreatedBy: there.Ann.UserID, CreatedAt: there.Clock.Now()}))
	storetest.Must(t, there.Store.StartBoardPost(t.Context(), "1", there.Post(there.Ann), false, there.Clock.Now()))
	posts, err := there.Store.StaleBoardPosts(t.Context(), "1", channels.HeldEdits{}, there.Clock.Now(), 10)
	storetest.Must(t, err)
	if len(posts) != 1 || !strings.HasPrefix(posts[0].Nonce(), "b"+next.NoncePrefix+"-") {
		t.Errorf("posts %+v, want the prefix %s", posts, next.NoncePrefix)
	}
}
