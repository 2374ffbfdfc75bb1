package backup_test

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
	"tradepost/core/trade"
	"tradepost/sql/backup"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
	"tradepost/sql/schema"
)

// written returns a backup of the database.
func written(t *testing.T, dsn string) []byte {
	t.Helper()
	var file bytes.Buffer
	_, err := backup.Write(t.Context(), dsn, &file, nil)
	storetest.Must(t, err)
	return file.Bytes()
}

// pool connects to a database until the caller closes it, or the test ends.
func pool(t *testing.T, dsn string) *pgxpool.Pool {
	t.Helper()
	p, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{MaxConns: 1})
	storetest.Must(t, err)
	t.Cleanup(p.Close)
	return p
}

// restore puts a backup into the database.
func restore(t *testing.T, dsn string, file []byte, opts backup.RestoreOptions) (backup.Summary, error) {
	t.Helper()
	return backup.Restore(t.Context(), dsn, bytes.NewReader(file), opts)
}

func TestABackupIsRestoredAsItWas(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	order := w.Post(w.Ann, func(d *trade.OrderDraft) { d.Description = "tab\there, back\\slash, 'quote', \"ünïcödé\" 🗡" })
	offer := w.OfferOn(w.Bob, order, 4)
	w.OfferOn(core.Actor{Address: "192.0.2.1"}, order, 2)
	_, err := w.Trade.AcceptOffer(t.Context(), w.Ann, offer.ID, 3)
	storetest.Must(t, err)
	storetest.Must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, w.Post(w.Ann).ID)) // a number that must not be given again
	storetest.Must(t, w.SQL("insert into sessions (token, data, expiry) values ('t', 'd', now() + interval '1 day')"))
	storetest.Must(t, w.SQL("insert into tokens (hash, user_id, name, scopes, created_at, expires_at) values ('h', 1, 'n', '{}', now(), now() + interval '1 day')"))
	file := written(t, w.DSN)

	dsn := pgtest.Empty(t)
	summary, err := restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
	if summary.Rows["orders"] != 1 || summary.Rows["offers"] != 2 || summary.Rows["order_updates"] != 1 || summary.Made.IsZero() {
		t.Errorf("restored %+v", summary)
	}
	if want, got := storetest.Rows(t, w.DSN), storetest.Rows(t, dsn); got != want {
		t.Errorf("restored:\n%s\nwant:\n%s", got, want)
	}
	if want, got := storetest.Schema(t, w.DSN), storetest.Schema(t, dsn); got != want {
		t.Errorf("the restored schema is:\n%s\nwant:\n%s", got, want)
	}
	there := w.At(dsn)
	there.CheckInvariants()
	if n := there.Value("select count(*) from sessions"); n != 0 {
		t.Errorf("%d sessions were restored", n)
	}
	if n := there.Value("select count(*) from tokens"); n != 0 {
		t.Errorf("%d tokens were restored", n)
	}
	if next := there.Post(there.Ann); next.ID <= order.ID+1+1_000_000 {
		t.Errorf("the next request has number %d, the last was %d: want a million more", next.ID, order.ID+1)
	}
	there.OfferOn(there.Cat, there.Post(there.Bob), 1)
	if n := there.Value("select orders from items where key = 'iron ore'"); n != 3 {
		t.Errorf("%d requests for iron ore are counted, want 3: the triggers sleep", n)
	}
	there.CheckInvariants()
}

func TestABackupUnderLoadIsOfOneMoment(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var traders sync.WaitGroup
	wrote := make(chan struct{}, 10_000)
	for i := range 3 {
		buyer, seller := w.SignUp(fmt.Sprint("buyer", i)), w.SignUp(fmt.Sprint("seller", i))
		traders.Go(func() {
			for ctx.Err() == nil {
				order, err := w.Trade.PostOrder(ctx, buyer, trade.OrderDraft{
					ItemName: "Iron Ore", Quantity: 2, MaxPrice: 5, BuyerContact: "b", Category: "Miner",
				})
				if err != nil {
					continue
				}
				sent, err := w.Trade.SendOffer(ctx, seller, order.ID, trade.OfferDraft{SellerName: "s", SellerContact: "s", Message: "m", Quantity: 2})
				if err == nil {
					_, _ = w.Trade.AcceptOffer(ctx, buyer, sent.Offer.ID, 1)
					_, _ = w.Trade.LogSale(ctx, buyer, order.ID, trade.SaleDraft{Quantity: 1})
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
		summary, err := restore(t, dsn, written(t, w.DSN), backup.RestoreOptions{}) // which checks the invariants
		storetest.Must(t, err)
		if summary.Rows["orders"] <= orders {
			t.Errorf("%d requests after %d: nothing was written meanwhile", summary.Rows["orders"], orders)
		}
		orders = summary.Rows["orders"]
	}
	stop()
	traders.Wait()
	w.CheckInvariants()
}

func TestNoticePendingInABackupIsDeliveredOnceAfterRestore(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	// One was being sent when the backup was made, by a process that will never come back; one was waiting.
	w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	w.OfferOn(w.Ann, w.Post(w.Cat), 1)
	storetest.Must(t, w.SQL(`update river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = '{tradepost-1}' where id = (select min(id) from river_job)`))
	storetest.Must(t, w.SQL(`update mailboxes set busy_until = now() + interval '1 hour', busy_by = 'tradepost-1' where user_id = $1`, w.Ann.UserID))
	file := written(t, w.DSN)

	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
	there := w.At(dsn)
	sender := storetest.NewDMSender()
	there.StartQueue(sender)
	readers := map[core.UserID]int{}
	for range 2 {
		readers[sender.Next(t).To.User]++
	}
	there.Settled()
	if readers[w.Ann.UserID] != 1 || readers[w.Cat.UserID] != 1 || len(sender.Came) != 0 {
		t.Errorf("notified %v, and %d more", readers, len(sender.Came))
	}
	there.CheckInvariants()
}

func TestADamagedBackupChangesNothing(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	for range 50 {
		w.Post(w.Ann)
	}
	file := written(t, w.DSN)
	flipped := func(at int) []byte {
		f := bytes.Clone(file)
		f[at] ^= 0x10
		return f
	}
	repacked := func(change func(name string, text []byte) (string, []byte)) []byte { return repack(t, file, change) }
	dsn := pgtest.New(t)
	before := storetest.Rows(t, dsn)
	for name, tt := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":                          {nil, backup.ErrNotABackup},
		"a text":                           {[]byte("-- PostgreSQL database dump"), backup.ErrNotABackup},
		"another archive":                  {repacked(func(name string, text []byte) (string, []byte) { return "x" + name, text }), backup.ErrNotABackup},
		"cut off at the end":               {file[:len(file)-1], backup.ErrDamaged},
		"half of it":                       {file[:len(file)/2], backup.ErrDamaged},
		"a bit flipped in the first half":  {flipped(len(file) / 3), backup.ErrDamaged},
		"a bit flipped in the second half": {flipped(2 * len(file) / 3), backup.ErrDamaged},
		"a bit flipped in the checksum":    {flipped(len(file) - 6), backup.ErrDamaged},
		"more behind it":                   {append(bytes.Clone(file), "more"...), backup.ErrDamaged},
		"a file behind its sums": {repacked(func(name string, text []byte) (string, []byte) {
			if name == "sums.json" {
				return name + "\n" + name, text
			}
			return name, text
		}), backup.ErrDamaged},
		"another row in it": {repacked(func(name string, text []byte) (string, []byte) {
			return name, bytes.Replace(text, []byte("ann\tANN"), []byte("eve\tEVE"), 1)
		}), backup.ErrDamaged},
		"a row that is none": {repacked(func(name string, text []byte) (string, []byte) {
			if strings.HasPrefix(name, "orders.") {
				return name, append([]byte("what"), text...)
			}
			return name, text
		}), backup.ErrDamaged},
		"a table missing": {repacked(func(name string, text []byte) (string, []byte) {
			if strings.HasPrefix(name, "orders.") {
				return "", nil
			}
			return name, text
		}), backup.ErrDamaged},
		"another's columns": {repacked(func(name string, text []byte) (string, []byte) {
			return name, bytes.Replace(text, []byte(`"item_name"`), []byte(`"items_name"`), 1)
		}), backup.ErrDamaged},
	} {
		if _, err := restore(t, dsn, tt.file, backup.RestoreOptions{}); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		} else if strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: the message is %q", name, err)
		}
	}
	if after := storetest.Rows(t, dsn); after != before {
		t.Errorf("left behind:\n%s", after)
	}
	var stages int
	storetest.Must(t, storetest.Connect(t, dsn).QueryRow(t.Context(), "select count(*) from pg_namespace where nspname = 'tradepost_restoring'").Scan(&stages))
	if stages != 0 {
		t.Error("the stage was left behind")
	}
	_, err := restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
}

// repack changes the files of a backup. One without a name is left out, one with several is written under each.
func repack(t *testing.T, file []byte, change func(name string, text []byte) (string, []byte)) []byte {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(file))
	storetest.Must(t, err)
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	from, to := tar.NewReader(zip), tar.NewWriter(zipped)
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		storetest.Must(t, err)
		text, err := io.ReadAll(from)
		storetest.Must(t, err)
		if header.Name, text = change(header.Name, text); header.Name == "" {
			continue
		}
		header.Size = int64(len(text))
		for name := range strings.SplitSeq(header.Name, "\n") {
			header.Name = name
			storetest.Must(t, to.WriteHeader(header))
			_, err = to.Write(text)
			storetest.Must(t, err)
		}
	}
	storetest.Must(t, errors.Join(to.Close(), zipped.Close()))
	return out.Bytes()
}

func TestAMarketIsReplacedOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	file := written(t, w.DSN)

	other := storetest.New(t)
	other.Post(other.Bob)
	before := storetest.Rows(t, other.DSN)
	_, err := restore(t, other.DSN, file, backup.RestoreOptions{Replace: true})
	if err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("into the database of a running market: %v", err)
	}
	other.Store.Close()
	if _, err := restore(t, other.DSN, file, backup.RestoreOptions{}); !errors.Is(err, backup.ErrHoldsAMarket) {
		t.Errorf("into a database with a market: %v", err)
	}
	_, err = restore(t, other.DSN, file[:len(file)-20], backup.RestoreOptions{Replace: true})
	if !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("half a backup: %v", err)
	}
	if after := storetest.Rows(t, other.DSN); after != before {
		t.Errorf("it failed, and yet the market is now:\n%s", after)
	}
	_, err = restore(t, other.DSN, file, backup.RestoreOptions{Replace: true})
	storetest.Must(t, err)
	if want, got := storetest.Rows(t, w.DSN), storetest.Rows(t, other.DSN); got != want {
		t.Errorf("restored:\n%s\nwant:\n%s", got, want)
	}
	if want, got := storetest.Schema(t, w.DSN), storetest.Schema(t, other.DSN); got != want {
		t.Errorf("the schema is:\n%s\nwant:\n%s", got, want)
	}
	storetest.Must(t, schema.Migrate(t.Context(), pool(t, other.DSN), slog.New(slog.DiscardHandler)))
	w.At(other.DSN).Post(w.Ann)
}

func TestTablesOfSomethingElseAreLeftAlone(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Post(w.Ann)
	file := written(t, w.DSN)
	dsn := pgtest.Empty(t)
	there := storetest.Connect(t, dsn) // as another program
	_, err := there.Exec(t.Context(), "create table users (name text); insert into users values ('mine'); create table notes ()")
	storetest.Must(t, err)
	for _, replace := range []bool{false, true} {
		_, err := restore(t, dsn, file, backup.RestoreOptions{Replace: replace})
		if err == nil || !strings.Contains(err.Error(), "belong to something else") {
			t.Errorf("replacing %t: %v", replace, err)
		}
	}
	var name string
	storetest.Must(t, there.QueryRow(t.Context(), "select name from users").Scan(&name))
	if _, err := backup.Write(t.Context(), dsn, io.Discard, nil); !errors.Is(err, backup.ErrNoMarket) {
		t.Errorf("backing it up: %v", err)
	}
	_, err = there.Exec(t.Context(), "drop table users")
	storetest.Must(t, err)
	_, err = restore(t, dsn, file, backup.RestoreOptions{})
	storetest.Must(t, err)
	_, err = there.Exec(t.Context(), "select from notes")
	storetest.Must(t, err)
}

// TestABackupOfAnOlderVersionIsMigrated plays the oldest version, the newest four and each sixth between them: each is two markets
// made from nothing.
func TestABackupOfAnOlderVersionIsMigrated(t *testing.T) {
	t.Parallel()
	versions, err := schema.MarketVersions()
	storetest.Must(t, err)
	older := versions[:len(versions)-1]
	for i, version := range older {
		if i%6 != 0 && i < len(older)-4 {
			continue
		}
		t.Run(fmt.Sprint("schema ", version), func(t *testing.T) {
			t.Parallel()
			old := pgtest.Empty(t)
			p := pool(t, old)
			storetest.MigrateTo(t, p, schema.Versions{Market: version, Queue: 6})
			_, err := p.Exec(t.Context(), `
insert into users (discord_id, username, display_name, created_at, updated_at) values ('1', 'ann', 'Ann', now(), now());
insert into orders (user_id, item_name, quantity, max_price_per_unit, buyer_contact, category, created_at, updated_at, expires_at)
values (1, 'Iron Ore', 3, 5, 'ann', 'Miner', now(), now(), now() + interval '1 year')`)
			storetest.Must(t, err)
			dsn := pgtest.Empty(t)
			p.Close()
			_, err = restore(t, dsn, written(t, old), backup.RestoreOptions{})
			storetest.Must(t, err)
			if want, got := storetest.Schema(t, pgtest.New(t)), storetest.Schema(t, dsn); got != want {
				t.Errorf("the schema is:\n%s\nwant:\n%s", got, want)
			}
			w := &storetest.World{T: t, Clock: storetest.NewClock()}
			w.Clock.Forward(time.Since(w.Clock.Now()))
			there := w.At(dsn)
			ann := core.Actor{UserID: 1, Username: "ann"}
			if order := there.Post(ann); order.ID <= 1_000_001 {
				t.Errorf("the next request is %d", order.ID)
			}
			there.CheckInvariants()
		})
	}
}

func TestBackupOfANewerVersionReturnsAnError(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	newest, err := schema.Newest()
	storetest.Must(t, err)
	newer := repack(t, written(t, w.DSN), func(name string, text []byte) (string, []byte) {
		return name, bytes.Replace(text, fmt.Appendf(nil, `"market": %d`, newest.Market), fmt.Appendf(nil, `"market": %d`, newest.Market+1), 1)
	})
	_, err = restore(t, pgtest.Empty(t), newer, backup.RestoreOptions{})
	if err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("restored: %v", err)
	}
}

func TestBackupThatBreaksAnInvariantIsNotRestored(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.OfferOn(w.Bob, w.Post(w.Ann), 1)
	storetest.Must(t, w.SQL("delete from river_job"))
	dsn := pgtest.Empty(t)
	_, err := restore(t, dsn, written(t, w.DSN), backup.RestoreOptions{})
	if err == nil || !strings.Contains(err.Error(), "I7") {
		t.Errorf("restored: %v", err)
	}
	if _, err := backup.Write(t.Context(), dsn, io.Discard, nil); !errors.Is(err, backup.ErrNoMarket) {
		t.Errorf("there is a market now: %v", err)
	}
}

func TestADiskThatIsFullFailsTheBackup(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Post(w.Ann)
	_, err := backup.Write(t.Context(), w.DSN, fullDisk{}, nil)
	if !errors.Is(err, errFull) {
		t.Errorf("backed up: %v", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
