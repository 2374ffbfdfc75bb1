package postgres_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/market"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
	"tradepost/sql/pgconnect"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

// replica is a store and a market whose host's clock is wrong.
func (w *world) replica(wrongBy time.Duration) (*postgres.Store, *market.Market) {
	w.T.Helper()
	clock := pgconnect.NewClock(pgconnect.Host{Wall: func() time.Time { return time.Now().Add(wrongBy) }})
	must(w.T, clock.Measure(w.T.Context(), w.Store.Pool()))
	store := w.Another(postgres.Options{Now: clock.Now})
	return store, market.New(store, market.Options{Now: clock.Now})
}

func TestReplicasWithClocksFiveMinutesApartSettleEveryNotice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ahead, fast := w.replica(150 * time.Second)
	behind, slow := w.replica(-150 * time.Second)
	ctx := context.WithoutCancel(t.Context())
	start := func(store *postgres.Store, market *market.Market, sender channels.DMSender) *queue.Queue {
		jobs := storetest.NewQueue(t, store, queue.Options{
			Deliver: func(ctx context.Context, id core.NoticeID) error {
				return market.Channels.DeliverNotice(ctx, sender, id)
			},
			Expire: market.Trade.ExpireOrders,
		})
		must(t, jobs.Start(ctx))
		return jobs
	}
	trade := func(buyer string, by, at *market.Market) {
		t.Helper()
		ann := w.SignUp(buyer)
		order, err := by.Trade.PostOrder(t.Context(), ann, trade.OrderDraft{
			ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, Description: "Any grade", BuyerContact: "ann", Category: "Miner", Importance: game.Medium,
		})
		must(t, err)
		sent, err := at.Trade.SendOffer(t.Context(), w.Bob, order.ID, trade.OfferDraft{SellerName: "Bob", SellerContact: "bob", Message: "I have it", Quantity: 2})
		must(t, err)
		_, err = by.Trade.AcceptOffer(t.Context(), ann, sent.Offer.ID, 1)
		must(t, err)
	}

	// A retry of the replica that is ahead comes when it is due.
	letters := storetest.NewDMSender()
	tried := map[core.DeliveryID]bool{}
	letters.Answer = func(d channels.Delivery) error {
		if again := tried[d.ID]; again {
			return nil
		}
		tried[d.ID] = true
		return errors.New("nothing came back")
	}
	jobs := start(ahead, fast, letters)
	trade("dan", fast, slow)
	trade("eve", slow, fast)
	w.Settled()

	// What the one has tried in vain, the other may send when it is due.
	letters.Mu.Lock()
	letters.Answer = func(channels.Delivery) error { return errors.New("nothing came back") }
	letters.Mu.Unlock()
	for len(letters.Came) > 0 {
		<-letters.Came
	}
	trade("fay", slow, fast)
	letters.Next(t)
	letters.Next(t)
	must(t, jobs.Stop(ctx))
	jobs = start(behind, slow, storetest.NewDMSender())
	trade("gus", fast, slow)
	w.Settled()
	must(t, jobs.Stop(ctx))
	w.CheckInvariants()
}

// databaseClock is how SQL reads the server's clock.
var databaseClock = regexp.MustCompile(`(?i)\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(\s*\)|\b(current_timestamp|current_date|current_time|localtimestamp|localtime)\b|'(now|today|tomorrow|yesterday)'`)

// Rules and statements take their time as a parameter: then it can be driven, and all replicas share one.
func TestStatementsTakeTheirTimeAsAParameter(t *testing.T) {
	t.Parallel()
	allowed := map[string]string{
		"../pgconnect/clock.go":          "select clock_timestamp()",    // this is what the clock is set by
		"../backup/backup.go":            "select now(), count(*)",      // when the snapshot was taken
		"../backup/last.go":              "clock_timestamp() - made_at", // made_at is of the same clock
		"../waits/waits.go":              "clock_timestamp() + $",       // times that River writes by it; others by an offset from it
		"../waits/bring_back.go":         "select clock_timestamp()",    // what that offset is from
		"../migrations/00001_market.sql": "default now()",
	}
	checked := 0
	for _, pattern := range []string{"../*/*.go", "../postgres/*/*.go", "../queries/*.sql", "../migrations/*.sql"} {
		files, err := filepath.Glob(pattern)
		must(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../pgembed/") || strings.HasPrefix(file, "../pgtest/") {
				continue
			}
			text, err := os.ReadFile(file)
			must(t, err)
			for number, line := range strings.Split(string(text), "\n") {
				checked++
				code, _, _ := strings.Cut(line, "//")
				code, _, _ = strings.Cut(code, "-- ")
				code = goMethod.ReplaceAllString(code, "")
				if !databaseClock.MatchString(code) || allowed[file] != "" && strings.Contains(line, allowed[file]) {
					continue
				}
				t.Errorf("%s:%d reads the server's clock: %s", file, number+1, strings.TrimSpace(line))
			}
		}
	}
	if checked < 1000 {
		t.Errorf("only %d lines were checked", checked)
	}
}

// goMethod is a call or a method of Go's that SQL's pattern would match.
var goMethod = regexp.MustCompile(`((\.|\) )[nN]ow\(\)|^\s*Now\(\) time\.Time)`)
