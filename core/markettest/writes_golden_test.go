package markettest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/hours"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/core/webhook"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/sql/queue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const writesGolden = "testdata/writes.golden"

// TestEveryWriteIsStoredAsBefore runs each write with a key once, and compares everything that an older
// program, or a retry, reads of it with testdata/writes.golden: the names under which a write is stored, the
// digest of its operation and input, its kept answer, its notices, jobs, log entries and stored JSON. A
// difference breaks a program of another version that runs beside this one. The list of writes is read from
// the sources, so a new write fails here until it is run.
func TestEveryWriteIsStoredAsBefore(t *testing.T) {
	t.Parallel()
	g := newGolden(t)
	g.trade()
	g.handOver()
	g.undo()
	g.listAndTerms()
	g.searchAndStock()
	g.account()
	g.moderate()
	g.expire()
	g.allowNames()
	g.giveBell()
	g.asks()
	g.tokens()
	g.webhooks()
	g.crossings()
	g.meet()
	g.removeListings()
	for _, repeat := range g.repeats { // at last, so that what a repeat takes from a sequence moves no number
		repeat()
	}
	g.jobKinds()
	g.complete()

	got := g.out.String()
	if *update {
		must(t, os.MkdirAll(filepath.Dir(writesGolden), 0o755))
		must(t, os.WriteFile(writesGolden, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(writesGolden)
	must(t, err)
	if got == string(want) {
		return
	}
	is, was := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	write := ""
	for i := range max(len(is), len(was)) {
		a, b := lineOf(was, i), lineOf(is, i)
		if strings.HasPrefix(b, "== ") {
			write = b
		}
		if a != b {
			t.Fatalf("%s:%d differs, below %q:\n was %s\n is  %s", writesGolden, i+1, write, a, b)
		}
	}
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// golden runs writes and collects what they store.
type golden struct {
	*market.Market
	t     *testing.T
	ctx   context.Context
	store *postgres.Store
	pool  *pgxpool.Pool
	out   strings.Builder
	now   time.Time
	asked []core.Claim // of the write that runs

	ann, bob, cat, mod, other core.Actor
	writes                    int
	known                     map[string]bool // the rows that were printed or stored before
	operations, methods       map[string]bool // that ran
	kinds                     map[string]bool // of notices that were stored
	repeats                   []func()
}

// counted yields the same bytes in each run.
type counted struct{ next byte }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		c.next++
		p[i] = c.next
	}
	return len(p), nil
}

func newGolden(t *testing.T) *golden {
	t.Helper()
	dsn := pgtest.New(t)
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(store.Close)
	config, err := pgxpool.ParseConfig(dsn)
	must(t, err)
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	t.Cleanup(pool.Close)
	g := &golden{
		t: t, ctx: t.Context(), store: store, pool: pool, now: coretest.Noon, known: map[string]bool{},
		operations: map[string]bool{}, methods: map[string]bool{}, kinds: map[string]bool{},
	}
	g.Market = g.market(core.AllFeatures())
	g.ann, g.bob, g.cat = g.signUp("ann"), g.signUp("bob"), g.signUp("cat")
	g.mod, g.other = g.signUp("mod"), g.signUp("other")
	_, err = g.Items.Import(t.Context(), []items.Row{
		{Line: 1, Item: items.Item{Name: "Iron Ore", Kind: "Ore"}},
		{Line: 2, Item: items.Item{Name: "Oak Log", Kind: "Log"}},
	}, false)
	must(t, err)
	g.show("before")
	return g
}

func (g *golden) market(on core.Features) *market.Market {
	forms := core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}
	return market.New(claimed{g.store, g}, market.Options{
		Forms: forms, Now: func() time.Time { return g.now }, Features: on, Random: &counted{},
		Moderators: people.Moderators{Accounts: []string{"1mod", "1other"}},
	})
}

func (g *golden) signUp(name string) core.Actor {
	g.t.Helper()
	profile := people.Profile{DiscordID: "1" + name, Username: name, DisplayName: "Player " + name}
	user, err := g.People.SignIn(g.ctx, profile)
	must(g.t, err)
	return coretest.AlwaysFresh(user.Actor())
}

// claimed notes the claims of a store's writes, and which methods made them.
type claimed struct {
	market.Store
	g *golden
}

func (s claimed) Atomically(ctx context.Context, do func(market.Tx) error) error {
	return s.Store.Atomically(ctx, func(tx market.Tx) error { return do(claimedTx{tx, s.g}) })
}

type claimedTx struct {
	market.Tx
	g *golden
}

func (tx claimedTx) Claim(ctx context.Context, c core.Claim) (*core.Claim, error) {
	tx.g.asked = append(tx.g.asked, c)
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if _, method, ok := strings.Cut(frame.Function, ")."); ok && strings.HasPrefix(frame.Function,
			"tradepost/core") {
			name, _, _ := strings.Cut(method, ".")
			tx.g.methods[name] = true
		}
	}
	return tx.Tx.Claim(ctx, c)
}

// run runs a write with a key and prints what it has stored. It is repeated when all have run.
func run[T any](g *golden, actor core.Actor, write func(core.Actor) (T, error)) T {
	g.t.Helper()
	g.writes++
	repeated := false
	actor.Key, actor.OtherKey = fmt.Sprintf("the-key-of-the-golden-write-number-%d", g.writes),
		fmt.Sprintf("other-%d", g.writes)
	actor.Repeated, actor.ActsOn, g.asked = &repeated, "53", nil
	g.now = g.now.Add(time.Second)
	answer, err := write(actor)
	if err != nil {
		g.t.Fatalf("write %d: %v", g.writes, err)
	}
	if len(g.asked) == 0 || repeated {
		g.t.Fatalf("write %d claimed no new key", g.writes)
	}
	title := fmt.Sprintf("== %d: by %s", g.writes, orVisitor(actor))
	for _, claim := range g.asked {
		title += "\nasked " + string(claim.Asked)
		var asked []json.RawMessage
		must(g.t, json.Unmarshal(claim.Asked, &asked))
		var operation string
		must(g.t, json.Unmarshal(asked[0], &operation))
		g.operations[operation] = true
	}
	g.show(title)

	g.repeats = append(g.repeats, func() {
		g.t.Helper()
		if _, err := write(actor); err != nil || !repeated {
			g.t.Fatalf("%s\nis not repeated: %t, %v", title, repeated, err)
		}
		// a visitor who repeats an offer gets another one
		isLink := func(row string) bool { return strings.HasPrefix(row, "link ") }
		if rows := slices.DeleteFunc(g.news(), isLink); len(rows) > 0 {
			g.t.Errorf("%s\na repeat stores %q", title, rows)
		}
	})
	return answer
}

func orVisitor(a core.Actor) string {
	if !a.SignedIn() {
		return "a visitor"
	}
	return a.Username
}

// do is run for a write without an answer.
func do(g *golden, actor core.Actor, write func(core.Actor) error) {
	g.t.Helper()
	run(g, actor, func(a core.Actor) (struct{}, error) { return struct{}{}, write(a) })
}

// stored are the statements that read the rows of which older programs, retries or the log depend, as text.
var stored = []struct{ name, rows string }{
	{"claim", `select encode(name, 'hex') || ' digest ' || encode(digest, 'hex') || ' answer ' ||
		convert_from(answer, 'UTF8')
		from claims order by created_at, name`},
	{"notice", `select to_jsonb(n)::text from notices n order by id`},
	{"job", `select kind || ' ' || args::text || ' in ' || queue || ' priority ' || priority || ' attempts '
		|| max_attempts from river_job
		where kind = 'deliver_notice' order by id`},
	{"log", `select to_jsonb(e)::text from audit_entries e order by id`},
	{"link", `select to_jsonb(l)::text from offer_links l order by 1`},
}

// jsonTables are the tables that have a column with JSON and are not read otherwise. The column texts of saved
// searches is later than the golden file.
const jsonTables = `select distinct c.table_name from information_schema.columns c join
	information_schema.tables t using (table_schema, table_name)
	where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('json', 'jsonb')
	and c.column_name <> 'texts'
	and c.table_name not like 'river%' and c.table_name <> 'changes' order by 1`

// news returns the rows that were not there before, and remembers them.
func (g *golden) news() (rows []string) {
	g.t.Helper()
	for _, s := range stored {
		rows = append(rows, g.newRows(s.name, s.rows)...)
	}
	for _, table := range g.texts(jsonTables) {
		rows = append(rows, g.newRows(table, fmt.Sprintf("select to_jsonb(r)::text from %s r order by 1",
			table))...)
	}
	return rows
}

func (g *golden) newRows(name, query string) (rows []string) {
	g.t.Helper()
	for _, row := range g.texts(query) {
		row = name + " " + row
		if !g.known[row] {
			g.known[row] = true
			rows = append(rows, row)
		}
	}
	return rows
}

func (g *golden) texts(query string) (all []string) {
	g.t.Helper()
	rows, err := g.pool.Query(g.ctx, query)
	must(g.t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(g.t, rows.Scan(&text))
		all = append(all, text)
	}
	must(g.t, rows.Err())
	return all
}

// show prints the rows that are new.
func (g *golden) show(title string) {
	g.t.Helper()
	fmt.Fprintln(&g.out, title)
	for _, row := range g.news() {
		fmt.Fprintln(&g.out, row)
		var notice struct{ Kind string }
		if text, is := strings.CutPrefix(row, "notice "); is {
			must(g.t, json.Unmarshal([]byte(text), &notice))
			g.kinds[notice.Kind] = true
		}
	}
}

// periodic runs what a periodic job or the bot runs, which has no key, and prints what it has stored.
func (g *golden) periodic(name string, err error) {
	g.t.Helper()
	must(g.t, err)
	g.show("== " + name)
}

// hours returns a full hour after so many more.
func (g *golden) hours(more int) time.Time {
	return g.now.Add(time.Duration(more) * time.Hour).Truncate(time.Hour)
}

func (g *golden) draft(by core.Actor) trade.OrderDraft {
	return trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, BuyerContact: by.Username, InGameName: "Aria",
		Category:   "Miner",
		Importance: game.High, Description: fmt.Sprintf("Lot %d", g.writes), LevelRequirement: new(7),
	}
}

func (g *golden) post(by core.Actor, change ...func(*trade.OrderDraft)) trade.Order {
	g.t.Helper()
	draft := g.draft(by)
	for _, c := range change {
		c(&draft)
	}
	return run(g, by, func(a core.Actor) (trade.Order, error) { return g.Trade.PostOrder(g.ctx, a, draft) })
}

func (g *golden) offer(
	by core.Actor, on trade.Order, quantity int, changes ...func(*trade.OfferDraft),
) trade.Offer {
	g.t.Helper()
	draft := trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have it",
		Quantity: quantity, GoodUntil: g.now.Add(100 * time.Hour)}
	for _, change := range changes {
		change(&draft)
	}
	return run(g, by, func(a core.Actor) (trade.SendOfferResult, error) {
		return g.Trade.SendOffer(g.ctx, a, on.ID, draft)
	}).Offer
}

func (g *golden) accept(by core.Actor, offer trade.Offer, quantity int) trade.Acceptance {
	g.t.Helper()
	return run(g, by, func(a core.Actor) (trade.Acceptance, error) {
		return g.Trade.AcceptOffer(g.ctx, a, offer.ID, quantity)
	})
}

// trade posts, changes and ends requests and offers.
func (g *golden) trade() {
	order := g.post(g.ann)
	run(g, g.ann, func(a core.Actor) (trade.Order, error) {
		return g.Trade.EditOrder(g.ctx, a, order.ID, trade.OrderEdit{
			Version: order.Version, ItemName: new("Oak Log"), Quantity: new(12),
			MaxPrice: new(core.Copper(600)), Description: new("Dry"),
			BuyerContact: new("ann.b"), InGameName: new("Ari"), LevelRequirement: new(9),
			Category:   new(game.Category("Forager")),
			Importance: new(game.Urgent), SignedInOnly: new(true),
		})
	})
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.RenewOrder(g.ctx, a, order.ID) })
	g.accept(g.ann, g.offer(g.bob, order, 5), 3)
	declined := g.offer(g.cat, order, 2)
	g.periodic("a direct message is sent", g.Channels.DeliverNotice(g.ctx, openDMs{}, g.newest(g.ann)))
	do(g, g.ann, func(a core.Actor) error { return g.Trade.DeleteOffer(g.ctx, a, declined.ID) })
	do(g, g.ann, func(a core.Actor) error { return g.Trade.UndoOffer(g.ctx, a, declined.ID) })
	do(g, g.cat, func(a core.Actor) error { return g.Trade.DeleteOffer(g.ctx, a, declined.ID) })
	one, two := g.offer(g.bob, order, 2), g.offer(g.cat, order, 1)
	run(g, g.ann, func(a core.Actor) ([]trade.OfferOutcome, error) {
		return g.Trade.AnswerOffers(g.ctx, a, []trade.OfferAnswer{{Offer: one.ID, Accept: 1}})
	})
	by := g.hours(50)
	run(g, g.ann, func(a core.Actor) (trade.Acceptance, error) {
		return g.Trade.AcceptOfferBy(g.ctx, a, two.ID, 1, by)
	})
	run(g, g.ann, func(a core.Actor) (trade.LogSaleResult, error) {
		return g.Trade.LogSale(g.ctx, a, order.ID, trade.SaleDraft{Quantity: 1, Notes: "By hand"})
	})

	open := g.post(g.ann)
	visitor := core.Actor{Address: "::1"}
	var token trade.OfferToken
	run(g, visitor, func(a core.Actor) (trade.SendOfferResult, error) {
		sent, err := g.Trade.SendOffer(g.ctx, a, open.ID, trade.OfferDraft{SellerName: "Guest",
			SellerContact: "guest", Message: "Here", Quantity: 4})
		if token == "" {
			token = sent.Link
		}
		return sent, err
	})
	do(g, visitor, func(a core.Actor) error { return g.Trade.WithdrawLinked(g.ctx, a, token) })
	filled := g.post(g.ann)
	g.accept(g.ann, g.offer(g.bob, filled, 10), 10)
	do(g, g.ann, func(a core.Actor) error { return g.Trade.DeleteOrder(g.ctx, a, open.ID) })
}

// handOver has both sides of accepts say what happened.
func (g *golden) handOver() {
	order := g.post(g.ann)
	sale := func() core.SaleID { return g.accept(g.ann, g.offer(g.bob, order, 2), 2).Sale.ID }
	say := func(by core.Actor, word trade.Word, sales ...core.SaleID) {
		run(g, by, func(a core.Actor) ([]trade.Trade, error) {
			return g.Trade.SayHandovers(g.ctx, a, sales, word)
		})
	}
	met, disputed, cancelled, taken := sale(), sale(), sale(), sale()
	by := g.hours(30)
	run(g, g.ann, func(a core.Actor) (trade.Trade, error) {
		return g.Trade.AgreeHandover(g.ctx, a, met, by)
	})
	do(g, g.ann, func(a core.Actor) error {
		return g.Trade.SetMeetingPlace(g.ctx, a, g.bob.UserID, "At the old bridge")
	})
	g.now = g.now.Add(trade.AgreedWithin + time.Hour)
	for range 3 {
		_, err := g.Trade.ProcessHandovers(g.ctx, 100)
		g.periodic("handovers are processed", err)
	}
	run(g, g.bob, func(a core.Actor) ([]trade.Trade, error) {
		return g.Trade.PostponeHandovers(g.ctx, a, []core.SaleID{met})
	})
	say(g.ann, trade.SaidMet, met, disputed, taken)
	say(g.bob, trade.SaidMet, met)
	say(g.bob, trade.SaidNotMet, disputed, taken)
	say(g.bob, trade.SaidNotMet, cancelled)
	say(g.ann, trade.SaidNotMet, cancelled)
	run(g, g.bob, func(a core.Actor) ([]trade.Trade, error) {
		return g.Trade.TakeBackWords(g.ctx, a, []core.SaleID{taken})
	})
	run(g, g.mod, func(a core.Actor) (trade.Trade, error) {
		return g.Trade.LookAtDispute(g.ctx, a, disputed)
	})
	run(g, g.mod, func(a core.Actor) (trade.Trade, error) {
		return g.Trade.RuleDispute(g.ctx, a, disputed, trade.DisputeRuling{Met: true, Against: trust.SellerSide,
			Reason: "The picture shows it"})
	})
	_, err := g.Trade.ProcessHandovers(g.ctx, 100)
	g.periodic("handovers are processed", err)
}

// undo undoes within the minutes in which it is possible.
func (g *golden) undo() {
	order := g.post(g.ann)
	g.offer(g.cat, order, 3)
	done := g.accept(g.ann, g.offer(g.bob, order, 2), 2)
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.UndoSale(g.ctx, a, done.Sale.ID) })
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.CloseOrder(g.ctx, a, order.ID) })
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.UndoClose(g.ctx, a, order.ID) })
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.CloseOrder(g.ctx, a, order.ID) })
	g.now = g.now.Add(core.UndoWindow)
	_, err := g.Trade.NotifyClosings(g.ctx, 100)
	g.periodic("closings are notified", err)
}

// listAndTerms posts a list, offers on it, and has offers accepted automatically.
func (g *golden) listAndTerms() {
	list := run(g, g.ann, func(a core.Actor) (trade.PostedList, error) {
		return g.Trade.PostList(g.ctx, a, trade.ListDraft{
			Name: "Camp", Text: "10x Iron Ore 5s\n4x Oak Log 2s", Description: "For the camp",
			BuyerContact: "ann", InGameName: "Aria",
			Importance: game.Low,
		})
	})
	order := list.Orders[0]
	run(g, g.bob, func(a core.Actor) ([]trade.SendOfferResult, error) {
		return g.Trade.OfferOnList(g.ctx, a, list.ID, trade.ListOffer{
			SellerName: "Bob", Message: "All of it", Lines: []trade.ListOfferLine{{Order: order.ID,
				Quantity: 2}, {Order: list.Orders[1].ID, Quantity: 1}},
		})
	})
	standing := trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: 5, FromOthers: 3, Until: g.hours(48)}
	run(g, g.ann, func(a core.Actor) (trade.StandingAcceptance, error) {
		return g.Trade.SetStanding(g.ctx, a, order.ID, standing)
	})
	g.offer(g.cat, order, 2)
	do(g, g.ann, func(a core.Actor) error { return g.Trade.EndStanding(g.ctx, a, order.ID) })
	do(g, g.ann, func(a core.Actor) error {
		return g.Trade.SetLeastRecord(g.ctx, a, order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted, NewUpTo: 4})
	})
}

// searchAndStock saves searches, watches and stock, and has them alert.
func (g *golden) searchAndStock() {
	search := run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.AddSearch(g.ctx, a, match.SearchDraft{Name: "Ores", Text: "ore",
			Importance: []game.Importance{game.High}, MinPrice: 5, ForMe: true})
	})
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.EditSearch(g.ctx, a, search.ID, match.SearchDraft{Name: "Logs", Text: "log",
			Categories: []game.Category{"Forager"}, Level: 9, MaxPrice: 50})
	})
	do(g, g.bob, func(a core.Actor) error { return g.Match.DeleteSearch(g.ctx, a, match.BellOff, search.ID) })

	watch := run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.AddSearch(g.ctx, a, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{1}, MinPrice: 100})
	})
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.EditSearch(g.ctx, a, watch.ID, match.SearchDraft{
			Bell: match.BellOn,
			Name: "Ore", Kind: "Ore", Importance: []game.Importance{game.High}, Level: 500, MinPrice: 1,
			MaxPrice: 900, MinQuantity: 2, Way: match.WayDirect,
		})
	})
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.PauseBell(g.ctx, a, watch.ID, true)
	})
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.PauseBell(g.ctx, a, watch.ID, false)
	})
	stock := run(g, g.cat, func(a core.Actor) ([]match.Stock, error) {
		return g.Match.SaveStock(g.ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 50, Price: 400,
			Note: "Pure", Public: true}})
	})[0]
	run(g, g.cat, func(a core.Actor) (int, error) { return g.Match.ConfirmStock(g.ctx, a) })
	g.now = g.now.Add(time.Minute)
	draft := g.draft(g.ann)
	run(g, g.ann, func(a core.Actor) (trade.Order, error) {
		return g.Trade.PostOrderAsking(g.ctx, a, draft, stock.ID)
	})
	_, err := g.Match.AlertWatchers(g.ctx, 100)
	g.periodic("watchers are alerted", err)
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.SnoozeBell(g.ctx, a, watch.ID, match.SnoozeHour)
	})
	ofWatch, ofStock := g.alert(g.bob), g.alert(g.cat)
	do(g, g.bob, func(a core.Actor) error { return g.Match.MuteBuyer(g.ctx, a, ofWatch) })
	do(g, g.bob, func(a core.Actor) error { return g.Match.UnmuteBuyer(g.ctx, a, g.ann.UserID) })
	do(g, g.bob, func(a core.Actor) error { return g.Match.DeleteSearch(g.ctx, a, match.BellOn, watch.ID) })
	run(g, g.cat, func(a core.Actor) (match.Stock, error) {
		return g.Match.SnoozeStock(g.ctx, a, ofStock, match.SnoozeTomorrow)
	})
	run(g, g.cat, func(a core.Actor) (match.Stock, error) { return g.Match.StopStock(g.ctx, a, ofStock) })
	run(g, g.cat, func(a core.Actor) (match.Stock, error) {
		return g.Match.AlertStock(g.ctx, a, stock.ID, true)
	})
	g.now = g.now.Add(match.StockAskedAfter + time.Hour)
	_, _, err = g.Match.AskForStock(g.ctx, 100)
	g.periodic("sellers are asked about their stock", err)
	do(g, g.cat, func(a core.Actor) error { return g.Match.DeleteStock(g.ctx, a, stock.ID) })
}

// asks has a buyer ask for a listing; its seller says no, and yes to fewer.
func (g *golden) asks() {
	until := g.now.Add(core.Day)
	stock := run(g, g.cat, func(a core.Actor) ([]match.Stock, error) {
		return g.Match.SaveStock(g.ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 50, Price: 400,
			Public: true, Until: until}})
	})[0]
	for _, accept := range []int{0, 8} {
		ask := run(g, g.bob, func(a core.Actor) (trade.Order, error) {
			return g.Match.Ask(g.ctx, a, stock.ID, match.AskDraft{Quantity: 10})
		})
		run(g, g.cat, func(a core.Actor) (trade.Acceptance, error) {
			return g.Match.AnswerAsk(g.ctx, a, ask.ID, match.AskAnswer{Accept: accept, Message: "Here"})
		})
	}
}

// crossings has a request and a listing trade without asking, and the seller undo it.
func (g *golden) crossings() {
	g.Market = g.market(core.EveryFeature())
	run(g, g.cat, func(a core.Actor) ([]match.Stock, error) {
		return g.Match.SaveStock(g.ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 50, Price: 400, Public: true,
			SellsDaily: 6}})
	})
	order, until := g.post(g.bob), g.now.Add(core.Day)
	run(g, g.bob, func(a core.Actor) (trade.StandingAcceptance, error) {
		return g.Trade.SetStanding(g.ctx, a, order.ID, trade.StandingDraft{Sellers: trade.SellersAnybody, FromOthers: 10,
			Until: until})
	})
	trades, err := g.Trade.Handovers(g.ctx, g.bob, trade.Query{Limit: 1})
	must(g.t, err)
	run(g, g.cat, func(a core.Actor) (trade.Order, error) { return g.Trade.UndoSale(g.ctx, a, trades[0].Sale) })
	run(g, g.ann, func(a core.Actor) (trade.Order, error) {
		return g.Trade.PostOrderWith(g.ctx, a, trade.OrderDraft{ItemName: "Iron Ore", Quantity: 4, MaxPrice: 450,
			BuyerContact: "ann", Category: "Miner"},
			trade.PostTerms{Standing: &trade.StandingDraft{Sellers: trade.SellersAnybody}})
	})
	g.plan()
}

// plan has a buyer plan a list: some is agreed at once, some is asked for, and the rest is requested. The buyer
// undoes what was agreed.
func (g *golden) plan() {
	stock := run(g, g.cat, func(a core.Actor) ([]match.Stock, error) {
		return g.Match.SaveStock(g.ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 50, Price: 400, Public: true,
			SellsDaily: 6}, {ItemName: "Tin Ore", Quantity: 50, Price: 300, Public: true}})
	})
	draft := match.PlanDraft{ListDraft: trade.ListDraft{Name: "Guild hall", BuyerContact: "ann"}}
	for _, s := range stock {
		if s.Listed(g.now) {
			draft.Lines = append(draft.Lines, match.PlanDraftLine{ItemName: s.ItemName, Listing: s.ID, Quantity: 5, Price: s.Price})
		}
	}
	draft.Lines = append(draft.Lines, match.PlanDraftLine{ItemName: "Copper Ore", Quantity: 7, Price: 200})
	run(g, g.ann, func(a core.Actor) (match.PlanPosted, error) { return g.Match.PostPlan(g.ctx, a, draft) })
	trades, err := g.Trade.Handovers(g.ctx, g.ann, trade.Query{Limit: 1})
	must(g.t, err)
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.UndoSale(g.ctx, a, trades[0].Sale) })
}

// meet has two say when they play and when they meet.
func (g *golden) meet() {
	g.Market = g.market(core.EveryFeature())
	for _, who := range []core.Actor{g.bob, g.cat} {
		do(g, who, func(a core.Actor) error {
			return g.People.SavePlayHours(g.ctx, a, hours.Evenings.Of("", g.now).List())
		})
	}
	sale := g.accept(g.bob, g.offer(g.cat, g.post(g.bob), 2), 2).Sale.ID
	h, err := g.Trade.Handovers(g.ctx, g.bob, trade.Query{Limit: 1})
	must(g.t, err)
	at := h[0].Meets.At
	run(g, g.cat, func(a core.Actor) (trade.Trade, error) { return g.Trade.ProposeMeeting(g.ctx, a, sale, at) })
	run(g, g.cat, func(a core.Actor) (trade.Trade, error) {
		return g.Trade.ChooseMeeting(g.ctx, a, sale, at.Add(time.Hour))
	})
	run(g, g.bob, func(a core.Actor) (trade.Trade, error) {
		return g.Trade.AcceptMeeting(g.ctx, a, sale, at.Add(time.Hour))
	})
	g.now = at.Add(time.Hour - hours.RemindBefore)
	_, err = g.Trade.ProcessHandovers(g.ctx, 100)
	g.periodic("two are reminded of when they meet", err)
	do(g, g.bob, func(a core.Actor) error { return g.People.LearnPlayHours(g.ctx, a, true) })
	do(g, g.bob, func(a core.Actor) error { return g.People.ErasePlayHours(g.ctx, a) })
}

// giveBell has a saved search get a bell.
func (g *golden) giveBell() {
	search := run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) {
		return g.Match.AddSearch(g.ctx, a, match.SearchDraft{Name: "Bars", Text: "bar", Sort: match.HighestPay})
	})
	run(g, g.bob, func(a core.Actor) (match.SavedSearch, error) { return g.Match.GiveBell(g.ctx, a, search.ID) })
}

// alert returns the newest alert of a user.
func (g *golden) alert(of core.Actor) core.NoticeID {
	g.t.Helper()
	page, err := g.Notify.Notices(g.ctx, of, 0, 50)
	must(g.t, err)
	at := slices.IndexFunc(page.Notices, func(n notify.Notice) bool {
		return n.Kind == notify.NoticeRequestWatched
	})
	if at < 0 {
		g.t.Fatalf("%s has no alert", of.Username)
	}
	return page.Notices[at].ID
}

// account changes what users set about themselves.
func (g *golden) account() {
	run(g, g.bob, func(a core.Actor) (notify.Settings, error) {
		return g.Notify.SetSettings(g.ctx, a, notify.Settings{
			Muted: []notify.Kind{notify.NoticeOfferDeclined}, QuietFrom: 60, QuietTo: 120,
			TimeZone: "Europe/Berlin",
		})
	})
	do(g, g.bob, func(a core.Actor) error { return g.Notify.SendTest(g.ctx, a) })
	run(g, g.bob, func(a core.Actor) (string, error) { return g.Trade.SetInGameName(g.ctx, a, "Bobrik") })
	do(g, g.bob, func(a core.Actor) error {
		return g.People.SetSkills(g.ctx, a, []people.Skill{{Category: "Miner", Level: 40}})
	})
	blocked := g.offer(g.cat, g.post(g.ann), 1)
	do(g, g.ann, func(a core.Actor) error { return g.Trade.BlockSeller(g.ctx, a, blocked.ID) })
	do(g, g.ann, func(a core.Actor) error { return g.Trust.UnblockSeller(g.ctx, a, g.cat.UserID) })
	do(g, g.other, func(a core.Actor) error { return g.Notify.SendTest(g.ctx, a) })
	g.periodic("a direct message fails", g.Channels.DeliverNotice(g.ctx, closedDMs{}, g.newest(g.other)))
	do(g, g.bob, func(a core.Actor) error { return g.People.SetLanguage(g.ctx, a, "de") })
}

// closedDMs are the direct messages of a user who takes none.
type closedDMs struct{}

func (closedDMs) SendDM(context.Context, channels.Delivery) (notify.SentDM, error) {
	return notify.SentDM{}, &notify.Undeliverable{Reason: "Cannot send messages to this user", Closed: true}
}

// openDMs are the direct messages of a user who gets them.
type openDMs struct{}

func (openDMs) SendDM(context.Context, channels.Delivery) (notify.SentDM, error) {
	return notify.SentDM{ChannelID: "51", MessageID: "52"}, nil
}

func (g *golden) newest(of core.Actor) core.NoticeID {
	g.t.Helper()
	page, err := g.Notify.Notices(g.ctx, of, 0, 50)
	must(g.t, err)
	at := slices.IndexFunc(page.Notices, func(n notify.Notice) bool { return n.State == notify.NoticePending })
	if at < 0 {
		g.t.Fatalf("%s has no pending notice", of.Username)
	}
	return page.Notices[at].ID
}

// tokens makes and ends a token, and lets programs trade.
func (g *golden) tokens() {
	do(g, g.mod, func(a core.Actor) error { return g.Trade.SetProgramsTrade(g.ctx, a, true) })
	made := run(g, g.ann, func(a core.Actor) (token.Token, error) {
		made, _, err := g.MakeToken(g.ctx, a, token.Draft{Name: "Restock bot", Scopes: token.Scopes, Days: 30})
		return made, err
	})
	do(g, g.ann, func(a core.Actor) error { return g.EndToken(g.ctx, a, made.ID) })
}

// webhooks makes webhooks, has events settled, and ends one.
func (g *golden) webhooks() {
	making := func(by core.Actor, market bool) webhook.Webhook {
		draft := webhook.Draft{Market: market, URL: "https://bot.example.org/", Types: g.Webhooks.Types(market)}
		return run(g, by, func(a core.Actor) (webhook.Webhook, error) {
			made, _, err := g.Webhooks.Make(g.ctx, a, draft)
			return made, err
		})
	}
	own, market := making(g.ann, false), making(g.mod, true)
	batches, err := g.Webhooks.Claim(g.ctx, 10)
	must(g.t, err)
	for _, b := range batches { // the market's does not answer its ping
		r := webhook.Result{At: g.now, Status: 204}
		if b.Webhook.ID == market.ID {
			r.Status = 500
		}
		must(g.t, g.Webhooks.Settle(g.ctx, b, map[core.WebhookDeliveryID]webhook.Result{b.Deliveries[0].ID: r}))
	}
	run(g, g.ann, func(a core.Actor) (webhook.Webhook, error) {
		made, _, err := g.Webhooks.ReplaceSecret(g.ctx, a, own.ID)
		return made, err
	})
	do(g, g.mod, func(a core.Actor) error { return g.Webhooks.SwitchOn(g.ctx, a, market.ID) })
	do(g, g.ann, func(a core.Actor) error { return g.Webhooks.SendAgain(g.ctx, a, own.ID, batches[0].Deliveries[0].ID) })
	batches, err = g.Webhooks.Claim(g.ctx, 10)
	must(g.t, err)
	for _, b := range batches {
		must(g.t, g.Webhooks.Settle(g.ctx, b, map[core.WebhookDeliveryID]webhook.Result{b.Deliveries[0].ID: {At: g.now, Status: 410}}))
	}
	do(g, g.mod, func(a core.Actor) error { return g.Webhooks.End(g.ctx, a, market.ID) })
}

// moderate does what only moderators do, and what they are notified of.
func (g *golden) moderate() {
	must(g.t, g.store.SaveBoard(g.ctx, channels.Board{ChannelID: "71", GuildID: "7", CreatedBy: g.ann.UserID,
		CreatedAt: g.now}))
	must(g.t, g.store.SaveBoard(g.ctx, channels.Board{ChannelID: "81", GuildID: "8", CreatedBy: g.ann.UserID,
		CreatedAt: g.now}))
	must(g.t, g.store.SaveReportChannel(g.ctx, channels.ReportChannel{ChannelID: "9", GuildID: "7",
		CreatedAt: g.now}))
	g.periodic("a board ends", g.Channels.EndBoard(g.ctx, "7", "71"))
	must(g.t, g.store.SaveTraderRole(g.ctx, channels.TraderRole{GuildID: "8", RoleID: "88",
		ServerName: "Harbour", RoleName: "Trusted", NamedBy: g.ann.UserID}))
	step := channels.RoleStep{GuildID: "8", RoleID: "88", User: g.bob.UserID, Act: channels.GiveRole, Tells: true}
	g.periodic("a role is given", g.Channels.SettleRole(g.ctx, step, true))
	step.Act = channels.TakeRole
	g.periodic("a role is taken", g.Channels.SettleRole(g.ctx, step, true))
	g.periodic("a role has a problem", g.Channels.SetRoleProblem(g.ctx, "8", "88", channels.RoleAbove))
	g.periodic("a server ends", g.Channels.EndServer(g.ctx, "8"))

	report := func(order trade.Order) core.ReportID {
		return run(g, g.cat, func(a core.Actor) (core.ReportID, error) {
			return g.Moderation.ReportOrder(g.ctx, a, order.ID, "It is spam")
		})
	}
	ended := g.post(g.ann)
	decided, dismissed := report(ended), report(g.post(g.ann))
	reported := g.offer(g.bob, g.post(g.ann), 1)
	ofOffer := run(g, g.ann, func(a core.Actor) (core.ReportID, error) {
		return g.Moderation.ReportOffer(g.ctx, a, reported.ID, "It is a scam")
	})
	g.periodic("the report channel ends", g.Channels.EndReportChannel(g.ctx, "9", true))
	do(g, g.mod, func(a core.Actor) error {
		return g.Moderation.DecideReport(g.ctx, a, decided, moderation.DecideRemove, "Spam")
	})
	do(g, g.mod, func(a core.Actor) error {
		return g.Moderation.DecideReport(g.ctx, a, ofOffer, moderation.DecideDismiss, "")
	})
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.DismissReport(g.ctx, a, dismissed) })

	order := g.post(g.ann)
	offer := g.offer(g.bob, order, 2)
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.RemoveOffer(g.ctx, a, offer.ID, "A scam") })
	g.undoRemoval()
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.RemoveOrder(g.ctx, a, order.ID, "Spam") })
	g.undoRemoval()
	for range moderation.ManyRemovals - 1 {
		order := g.post(g.ann)
		do(g, g.mod, func(a core.Actor) error { return g.Moderation.RemoveOrder(g.ctx, a, order.ID, "Spam") })
	}
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.BlockUser(g.ctx, a, g.cat.UserID, "Scams") })
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.UnblockUser(g.ctx, a, g.cat.UserID) })
	do(g, g.mod, func(a core.Actor) error {
		return g.Trade.SetSignedInOnly(g.ctx, a, true, "Too many guests")
	})
	do(g, g.mod, func(a core.Actor) error { return g.Trust.Vouch(g.ctx, a, g.bob.UserID) })
	suspect := func(who core.Actor) core.ProposedRingID {
		ring, err := coretest.Propose(g.ctx, g.store.Atomically, g.store, who.UserID)
		must(g.t, err)
		return ring
	}
	honest := suspect(g.bob)
	do(g, g.mod, func(a core.Actor) error { return g.Trust.DismissRing(g.ctx, a, honest) })
	ring := suspect(g.cat)
	run(g, g.mod, func(a core.Actor) ([]people.User, error) { return g.Trust.SetAside(g.ctx, a, ring) })
	rings, err := g.Trust.Rings(g.ctx, g.mod)
	must(g.t, err)
	do(g, g.mod, func(a core.Actor) error { return g.Trust.CountAgain(g.ctx, a, rings[0].ID) })
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.StopReach(g.ctx, a, g.bob.UserID) })
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.AllowReach(g.ctx, a, g.bob.UserID) })

	g.periodic("traders are found", g.Trust.FindTraders(g.ctx))
	_, err = g.Trust.LearnTraders(g.ctx)
	must(g.t, err)
	g.post(g.cat, func(d *trade.OrderDraft) { d.InGameName = "B0b" })

	for _, name := range []string{"Silver Shield", "Moon Pearl"} {
		g.post(g.ann, func(d *trade.OrderDraft) { d.ItemName = name })
		for _, by := range []core.Actor{g.bob, g.cat, g.other} {
			g.post(by, func(d *trade.OrderDraft) { d.ItemName = name })
		}
	}
	waiting, err := g.Items.Provisional(g.ctx, g.mod, 0, 10)
	must(g.t, err)
	run(g, g.mod, func(a core.Actor) (items.Item, error) {
		return g.Moderation.DecideItem(g.ctx, a, waiting[0].Item.ID, moderation.MergeItem, 1)
	})
	g.undoRemoval()
}

// removeListings has listings reported and taken off sale, one by a decision on a report, and one of them shown
// again.
func (g *golden) removeListings() {
	until := g.now.Add(core.Day)
	for _, item := range []string{"Copper Ore", "Silver Ore"} {
		stock := run(g, g.ann, func(a core.Actor) ([]match.Stock, error) {
			return g.Match.SaveStock(g.ctx, a, []match.StockDraft{{ItemName: item, Quantity: 50, Price: 400,
				Note: "Docks", Public: true, Until: until}})
		})
		id := stock[slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == item })].ID
		report := run(g, g.cat, func(a core.Actor) (core.ReportID, error) {
			return g.Moderation.ReportListing(g.ctx, a, id, "It is spam")
		})
		if item == "Copper Ore" {
			do(g, g.mod, func(a core.Actor) error { return g.Moderation.RemoveListing(g.ctx, a, id, "Spam") })
			g.undoRemoval()
			continue
		}
		do(g, g.mod, func(a core.Actor) error {
			return g.Moderation.DecideReport(g.ctx, a, report, moderation.DecideRemove, "Spam")
		})
	}
}

// allowNames has names that look like an established trader's not marked, and one marked again.
func (g *golden) allowNames() {
	posing := g.post(g.cat, func(d *trade.OrderDraft) { d.InGameName = "B0b" })
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.AllowOrderNames(g.ctx, a, posing.ID) })
	g.undoRemoval()
	offered := g.offer(g.cat, g.post(g.ann), 1, func(d *trade.OfferDraft) { d.SellerName = "B0b" })
	do(g, g.mod, func(a core.Actor) error { return g.Moderation.AllowOfferNames(g.ctx, a, offered.ID) })
}

// undoRemoval undoes the latest entry of the log.
func (g *golden) undoRemoval() {
	g.t.Helper()
	entries, err := g.Moderation.AuditEntries(g.ctx, g.mod, 0, 1)
	must(g.t, err)
	do(g, g.mod, func(a core.Actor) error {
		_, err := g.Undo(g.ctx, a, core.UndoRemoval, int64(entries[0].ID))
		return err
	})
}

// expire has requests and offers end by themselves.
func (g *golden) expire() {
	order := g.post(g.ann)
	g.offer(g.bob, order, 1)
	g.now = g.now.Add(trade.UnansweredFor + time.Hour)
	_, err := g.Trade.ProcessHandovers(g.ctx, 100)
	g.periodic("offers time out", err)
	run(g, g.ann, func(a core.Actor) (trade.Order, error) { return g.Trade.RenewOrder(g.ctx, a, order.ID) })
	g.now = g.now.Add(trade.OrderLifetime - 24*time.Hour)
	_, _, err = g.Trade.ExpireOrders(g.ctx, 100)
	g.periodic("requests are about to expire", err)
	g.offer(g.bob, order, 1)
	g.now = g.now.Add(48 * time.Hour)
	_, _, err = g.Trade.ExpireOrders(g.ctx, 100)
	g.periodic("requests expire", err)
}

// jobKinds prints every kind of job with its arguments: a queue without work to do adds each periodic one.
func (g *golden) jobKinds() {
	declared := map[string]bool{}
	for _, file := range parsed(g.t, "../../sql/queue")["../../sql/queue"] {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name != "Kind" || f.Recv == nil {
				continue
			}
			kind, err := strconv.Unquote(f.Body.List[0].(*ast.ReturnStmt).Results[0].(*ast.BasicLit).Value)
			must(g.t, err)
			declared[kind] = true
		}
	}
	if len(declared) < 6 {
		g.t.Fatalf("the sources have only %d kinds of job", len(declared))
	}
	jobs, err := queue.New(g.store, queue.Options{
		Deliver: func(context.Context, core.NoticeID) error { return nil },
		Expire:  func(context.Context, int) (int, int, error) { return 0, 0, nil },
		Log:     slog.New(slog.DiscardHandler),
	})
	must(g.t, err)
	ctx := context.WithoutCancel(g.ctx)
	must(g.t, jobs.Start(ctx))
	defer func() { must(g.t, jobs.Stop(ctx)) }()
	const distinct = `select distinct on (kind) kind || ' ' || args::text || ' in ' || queue || ' attempts '
		|| max_attempts from river_job order by kind, id`
	var kinds []string
	for end := time.Now().Add(coretest.Patience(20 * time.Second)); len(kinds) < len(declared); {
		if time.Now().After(end) {
			g.t.Fatalf("jobs were added of the kinds %q only, the sources have %v", kinds, declared)
		}
		kinds = g.texts(distinct)
	}
	for _, kind := range kinds {
		name, _, _ := strings.Cut(kind, " ")
		if !declared[name] {
			g.t.Errorf("the kind of job %q is not found in the sources", name)
		}
		fmt.Fprintln(&g.out, "kind of job", kind)
	}
}

// complete fails the test for a write or a kind of notice that did not run.
func (g *golden) complete() {
	operations, methods := writesOf(g.t)
	if len(operations) < 50 || len(methods) < 50 {
		g.t.Fatalf("the sources have only %d operations and %d methods that write", len(operations),
			len(methods))
	}
	for operation := range operations {
		if !g.operations[operation] {
			g.t.Errorf("the operation %q is missing in the golden file", operation)
		}
	}
	for operation := range g.operations {
		if !operations[operation] {
			g.t.Errorf("the operation %q is not found in the sources", operation)
		}
	}
	for method := range methods {
		if !g.methods[method] {
			g.t.Errorf("the write %s is missing in the golden file", method)
		}
	}
	for _, kind := range notify.Kinds {
		if !g.kinds[string(kind)] {
			g.t.Errorf("a notice of the kind %s is missing in the golden file", kind)
		}
	}
}
