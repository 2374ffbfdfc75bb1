package postgres_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
)

// backup returns a backup of the database.
func backup(t *testing.T, dsn string) []byte {
	t.Helper()
	var file bytes.Buffer
	_, err := postgres.Backup(t.Context(), dsn, &file)
	must(t, err)
	return file.Bytes()
}

// pool connects to a database until the caller closes it, or the test ends.
func pool(t *testing.T, dsn string) *pgxpool.Pool {
	t.Helper()
	p, err := postgres.Connect(t.Context(), dsn, postgres.Options{MaxConns: 1})
	must(t, err)
	t.Cleanup(p.Close)
	return p
}

// restore puts a backup into the database.
func restore(t *testing.T, dsn string, file []byte, opts postgres.RestoreOptions) (postgres.Summary, error) {
	t.Helper()
	return postgres.Restore(t.Context(), dsn, bytes.NewReader(file), opts)
}

// at opens a market on another database, with the people of w.
func (w *world) at(dsn string) *world {
	w.t.Helper()
	there := &world{t: w.t, dsn: dsn, clock: w.clock, ann: w.ann, bob: w.bob, cat: w.cat}
	there.store = there.another(postgres.Options{})
	there.Market = core.New(there.store, core.Options{Now: w.clock.now})
	return there
}

// everything is every row that a backup holds, as text.
func everything(t *testing.T, dsn string) string {
	t.Helper()
	conn := connect(t, dsn)
	rows, err := conn.Query(t.Context(), `
select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p'
    and relname not in ('goose_db_version', 'river_migration', 'sessions') order by 1`)
	must(t, err)
	var tables []string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	must(t, rows.Err())
	var all strings.Builder
	for _, table := range tables {
		var text string
		must(t, conn.QueryRow(t.Context(), "select coalesce(string_agg(r::text, E'\\n' order by r::text), '') from "+table+" r").Scan(&text))
		fmt.Fprintf(&all, "%s\n%s\n", table, text)
	}
	return all.String()
}

func TestABackupIsRestoredAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order := w.post(w.ann, func(d *core.OrderDraft) { d.Description = "tab\there, back\\slash, 'quote', \"ünïcödé\" 🗡" })
	offer := w.offer(w.bob, order, 4)
	w.offer(core.Actor{Address: "192.0.2.1"}, order, 2)
	_, err := w.AcceptOffer(t.Context(), w.ann, offer.ID, 3)
	must(t, err)
	must(t, w.DeleteOrder(t.Context(), w.ann, w.post(w.ann).ID)) // a number that must not be given again
	must(t, w.sql("insert into sessions (token, data, expiry) values ('t', 'd', now() + interval '1 day')"))
	file := backup(t, w.dsn)

	dsn := pgtest.Empty(t)
	summary, err := restore(t, dsn, file, postgres.RestoreOptions{})
	must(t, err)
	if summary.Rows["orders"] != 1 || summary.Rows["offers"] != 2 || summary.Rows["order_updates"] != 1 || summary.Made.IsZero() {
		t.Errorf("restored %+v", summary)
	}
	if want, got := everything(t, w.dsn), everything(t, dsn); got != want {
		t.Errorf("restored:\n%s\nwant:\n%s", got, want)
	}
	if want, got := schema(t, w.dsn), schema(t, dsn); got != want {
		t.Errorf("the restored schema is:\n%s\nwant:\n%s", got, want)
	}
	there := w.at(dsn)
	there.keepsItsPromises()
	if n := there.value("select count(*) from sessions"); n != 0 {
		t.Errorf("%d sessions were restored", n)
	}
	if next := there.post(there.ann); next.ID != order.ID+2 {
		t.Errorf("the next request has number %d, the last was %d", next.ID, order.ID+1)
	}
	there.offer(there.cat, there.post(there.bob), 1)
	if n := there.value("select orders from items where key = 'iron ore'"); n != 3 {
		t.Errorf("%d requests for iron ore are counted, want 3: the triggers sleep", n)
	}
	there.keepsItsPromises()
}

func TestABackupUnderLoadIsOfOneMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var traders sync.WaitGroup
	wrote := make(chan struct{}, 10_000)
	for i := range 3 {
		buyer, seller := w.user(fmt.Sprint("buyer", i)), w.user(fmt.Sprint("seller", i))
		traders.Go(func() {
			for ctx.Err() == nil {
				order, err := w.PostOrder(ctx, buyer, core.OrderDraft{
					ItemName: "Iron Ore", Quantity: 2, MaxPrice: 5, BuyerContact: "b", Category: "Miner",
				})
				if err != nil {
					continue
				}
				sent, err := w.SendOffer(ctx, seller, order.ID, core.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 2})
				if err == nil {
					_, _ = w.AcceptOffer(ctx, buyer, sent.Offer.ID, 1)
					_, _ = w.LogSale(ctx, buyer, order.ID, core.SaleDraft{Quantity: 1})
				}
				select {
				case wrote <- struct{}{}:
				default:
				}
			}
		})
	}
	var orders int64
	for range 3 {
		for range 10 {
			<-wrote
		}
		dsn := pgtest.Empty(t)
		summary, err := restore(t, dsn, backup(t, w.dsn), postgres.RestoreOptions{}) // which checks every promise
		must(t, err)
		if summary.Rows["orders"] <= orders {
			t.Errorf("%d requests after %d: nothing was written meanwhile", summary.Rows["orders"], orders)
		}
		orders = summary.Rows["orders"]
	}
	stop()
	traders.Wait()
	w.keepsItsPromises()
}

func TestANoticeOwedWhenBackedUpIsDeliveredOnceAfterTheRestore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// One was being sent when the backup was made, by a process that will never come back; one was waiting.
	w.offer(w.bob, w.post(w.ann), 1)
	w.offer(w.ann, w.post(w.cat), 1)
	must(t, w.sql(`update river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = '{tradepost-1}' where id = (select min(id) from river_job)`))
	must(t, w.sql(`update mailboxes set busy_until = now() + interval '1 hour', busy_by = 'tradepost-1' where user_id = $1`, w.ann.UserID))
	file := backup(t, w.dsn)

	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, file, postgres.RestoreOptions{})
	must(t, err)
	there := w.at(dsn)
	courier := newLetters()
	there.startQueue(courier)
	readers := map[core.UserID]int{}
	for range 2 {
		readers[courier.next(t).To.User]++
	}
	there.settled()
	if readers[w.ann.UserID] != 1 || readers[w.cat.UserID] != 1 || len(courier.came) != 0 {
		t.Errorf("told %v, and %d more", readers, len(courier.came))
	}
	there.keepsItsPromises()
}

func TestADamagedBackupChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 50 {
		w.post(w.ann)
	}
	file := backup(t, w.dsn)
	flipped := func(at int) []byte {
		f := bytes.Clone(file)
		f[at] ^= 0x10
		return f
	}
	repacked := func(change func(name string, text []byte) (string, []byte)) []byte { return repack(t, file, change) }
	dsn := pgtest.New(t)
	before := everything(t, dsn)
	for name, tt := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":                          {nil, postgres.ErrNotABackup},
		"a text":                           {[]byte("-- PostgreSQL database dump"), postgres.ErrNotABackup},
		"another archive":                  {repacked(func(name string, text []byte) (string, []byte) { return "x" + name, text }), postgres.ErrNotABackup},
		"cut off at the end":               {file[:len(file)-1], postgres.ErrDamaged},
		"half of it":                       {file[:len(file)/2], postgres.ErrDamaged},
		"a bit flipped in the first half":  {flipped(len(file) / 3), postgres.ErrDamaged},
		"a bit flipped in the second half": {flipped(2 * len(file) / 3), postgres.ErrDamaged},
		"a bit flipped in the checksum":    {flipped(len(file) - 6), postgres.ErrDamaged},
		"more behind it":                   {append(bytes.Clone(file), "more"...), postgres.ErrDamaged},
		"another row in it": {repacked(func(name string, text []byte) (string, []byte) {
			return name, bytes.Replace(text, []byte("ann\tANN"), []byte("eve\tEVE"), 1)
		}), postgres.ErrDamaged},
		"a row that is none": {repacked(func(name string, text []byte) (string, []byte) {
			if strings.HasPrefix(name, "orders.") {
				return name, append([]byte("what"), text...)
			}
			return name, text
		}), postgres.ErrDamaged},
		"a table missing": {repacked(func(name string, text []byte) (string, []byte) {
			if strings.HasPrefix(name, "orders.") {
				return "", nil
			}
			return name, text
		}), postgres.ErrDamaged},
		"another's columns": {repacked(func(name string, text []byte) (string, []byte) {
			return name, bytes.Replace(text, []byte(`"item_name"`), []byte(`"items_name"`), 1)
		}), postgres.ErrDamaged},
	} {
		if _, err := restore(t, dsn, tt.file, postgres.RestoreOptions{}); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
	if after := everything(t, dsn); after != before {
		t.Errorf("left behind:\n%s", after)
	}
	var stages int
	must(t, connect(t, dsn).QueryRow(t.Context(), "select count(*) from pg_namespace where nspname = 'tradepost_restoring'").Scan(&stages))
	if stages != 0 {
		t.Error("the stage was left behind")
	}
	_, err := restore(t, dsn, file, postgres.RestoreOptions{})
	must(t, err)
}

// repack changes the files of a backup. One without a name is left out.
func repack(t *testing.T, file []byte, change func(name string, text []byte) (string, []byte)) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	must(t, err)
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	from, to := tar.NewReader(zip), tar.NewWriter(zipped)
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		text, err := io.ReadAll(from)
		must(t, err)
		if header.Name, text = change(header.Name, text); header.Name == "" {
			continue
		}
		header.Size = int64(len(text))
		must(t, to.WriteHeader(header))
		_, err = to.Write(text)
		must(t, err)
	}
	must(t, errors.Join(to.Close(), zipped.Close()))
	return out.Bytes()
}

func TestAMarketIsReplacedOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offer(w.bob, w.post(w.ann), 1)
	file := backup(t, w.dsn)

	other := newWorld(t)
	other.post(other.bob)
	before := everything(t, other.dsn)
	_, err := restore(t, other.dsn, file, postgres.RestoreOptions{Replace: true})
	if err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("into the database of a running market: %v", err)
	}
	other.store.Close()
	if _, err := restore(t, other.dsn, file, postgres.RestoreOptions{}); !errors.Is(err, postgres.ErrHoldsAMarket) {
		t.Errorf("into a database with a market: %v", err)
	}
	_, err = restore(t, other.dsn, file[:len(file)-20], postgres.RestoreOptions{Replace: true})
	if !errors.Is(err, postgres.ErrDamaged) {
		t.Errorf("half a backup: %v", err)
	}
	if after := everything(t, other.dsn); after != before {
		t.Errorf("refused, and yet the market is now:\n%s", after)
	}
	_, err = restore(t, other.dsn, file, postgres.RestoreOptions{Replace: true})
	must(t, err)
	if want, got := everything(t, w.dsn), everything(t, other.dsn); got != want {
		t.Errorf("restored:\n%s\nwant:\n%s", got, want)
	}
	if want, got := schema(t, w.dsn), schema(t, other.dsn); got != want {
		t.Errorf("the schema is:\n%s\nwant:\n%s", got, want)
	}
	must(t, postgres.Migrate(t.Context(), pool(t, other.dsn), slog.New(slog.DiscardHandler)))
	w.at(other.dsn).post(w.ann)
}

func TestTablesOfSomethingElseAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.post(w.ann)
	file := backup(t, w.dsn)
	dsn := pgtest.Empty(t)
	there := connect(t, dsn) // as somebody else's program
	_, err := there.Exec(t.Context(), "create table users (name text); insert into users values ('mine'); create table notes ()")
	must(t, err)
	for _, replace := range []bool{false, true} {
		_, err := restore(t, dsn, file, postgres.RestoreOptions{Replace: replace})
		if err == nil || !strings.Contains(err.Error(), "belong to something else") {
			t.Errorf("replacing %t: %v", replace, err)
		}
	}
	var name string
	must(t, there.QueryRow(t.Context(), "select name from users").Scan(&name))
	if _, err := postgres.Backup(t.Context(), dsn, io.Discard); !errors.Is(err, postgres.ErrNoMarket) {
		t.Errorf("backing it up: %v", err)
	}
	_, err = there.Exec(t.Context(), "drop table users")
	must(t, err)
	_, err = restore(t, dsn, file, postgres.RestoreOptions{})
	must(t, err)
	_, err = there.Exec(t.Context(), "select from notes")
	must(t, err)
}

func TestABackupOfAnOlderVersionIsMigrated(t *testing.T) {
	t.Parallel()
	newest, _ := postgres.Newest()
	for version := int64(1); version < newest; version++ {
		t.Run(fmt.Sprint("schema ", version), func(t *testing.T) {
			t.Parallel()
			old := pgtest.Empty(t)
			p := pool(t, old)
			must(t, postgres.MigrateTo(t.Context(), p, version, 6))
			_, err := p.Exec(t.Context(), `
insert into users (discord_id, username, display_name, created_at, updated_at) values ('1', 'ann', 'Ann', now(), now());
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, created_at, updated_at, expires_at)
values (1, 'Iron Ore', 3, 5, 'ann', 'Miner', now(), now(), now() + interval '1 year')`)
			must(t, err)
			dsn := pgtest.Empty(t)
			p.Close()
			_, err = restore(t, dsn, backup(t, old), postgres.RestoreOptions{})
			must(t, err)
			if want, got := schema(t, pgtest.New(t)), schema(t, dsn); got != want {
				t.Errorf("the schema is:\n%s\nwant:\n%s", got, want)
			}
			w := &world{t: t, clock: &clock{}}
			w.clock.micros.Store(time.Now().UnixMicro())
			there := w.at(dsn)
			ann := core.Actor{UserID: 1, Username: "ann"}
			if order := there.post(ann); order.ID != 2 {
				t.Errorf("the next request is %d", order.ID)
			}
			there.keepsItsPromises()
		})
	}
}

func TestABackupOfANewerVersionIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	market, _ := postgres.Newest()
	newer := repack(t, backup(t, w.dsn), func(name string, text []byte) (string, []byte) {
		return name, bytes.Replace(text, fmt.Appendf(nil, `"market": %d`, market), fmt.Appendf(nil, `"market": %d`, market+1), 1)
	})
	_, err := restore(t, pgtest.Empty(t), newer, postgres.RestoreOptions{})
	if err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("restored: %v", err)
	}
}

func TestABackupThatBreaksAPromiseIsNotPutInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.offer(w.bob, w.post(w.ann), 1)
	must(t, w.sql("delete from river_job"))
	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, backup(t, w.dsn), postgres.RestoreOptions{})
	if err == nil || !strings.Contains(err.Error(), "I7") {
		t.Errorf("restored: %v", err)
	}
	if _, err := postgres.Backup(t.Context(), dsn, io.Discard); !errors.Is(err, postgres.ErrNoMarket) {
		t.Errorf("there is a market now: %v", err)
	}
}

func TestADiskThatIsFullFailsTheBackup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.post(w.ann)
	_, err := postgres.Backup(t.Context(), w.dsn, fullDisk{})
	if !errors.Is(err, errFull) {
		t.Errorf("backed up: %v", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
