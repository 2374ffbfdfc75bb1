package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/postgres"
)

// What is assumed of the honest market.
const (
	usualPrice = 1000 // coins of copper for one of each item that is attacked
	spread     = 0.1  // of honest prices, which are log-normal
	lowPrice   = 900  // at which honest requests find no seller, and few are bought
	grownDays  = 90   // over which a grown market made its trades
	youngDays  = 5
	oddsItem   = "Silver Ore" // of which the odds are attacked
	cheapItem  = "Clay"       // in which puppets trade with honest people
	moderator  = "1mod"
)

// begin is when the honest market begins. Discord's first accounts are older.
var begin = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// attacked names the items with attacked prices, by the number of their honest trades.
var attacked = map[int]string{0: "Gold Ore", 5: "Tin Ore", 10: "Iron Ore", 50: "Copper Ore", 400: "Coal"}

var forms = core.TextForms{NFC: norm.NFC.String, NFKD: norm.NFKD.String, Skeleton: confusable.Skeleton}

// plan describes the honest market.
type plan struct {
	young  bool
	honest int   // people
	fills  []int // honest trades of each item that is attacked
	seed   uint64
}

// attack says who attacks it.
type attack struct {
	puppets  int
	edges    int  // trades of puppets with honest people
	crossing bool // puppets list and cross in place of offering
	planning bool // and buy by plans
}

func (p plan) kind() string {
	if p.young {
		return "young"
	}
	return "grown"
}

// arena is a market in which puppets do all that they may.
type arena struct {
	plan
	attack
	random *rand.Rand
	store  *postgres.Store
	market *market.Market
	now    atomic.Int64 // microseconds since 1970

	mod      core.Actor
	people   []core.Actor // honest
	accounts []core.Actor // of puppets
	posted   int          // requests, by anybody
	days     int          // on which puppets have acted
	itemIDs  map[string]core.ItemID
}

func (a *arena) clock() time.Time { return time.UnixMicro(a.now.Load()).UTC() }

func (a *arena) forward(d time.Duration) { a.now.Add(d.Microseconds()) }

// usualLimits are the limits of a program without settings.
func usualLimits() core.Quotas {
	return core.Quotas{
		OpenRequests: core.LimitOpenRequests.Limit, NewRequests: core.LimitRequests.Quota,
		Offers: core.LimitOffers.Quota, OffersPerRequest: core.LimitOffersHere.Quota,
		Reports: core.LimitReports.Quota, DMPair: core.LimitDMPair.Quota, DMReader: core.LimitDMReader.Quota,
		Alerts: core.LimitDMAlerts.Quota, Reach: core.LimitReach.Quota,
	}
}

// open opens the market of a plan on an empty database, and has the honest people trade.
func open(ctx context.Context, dsn string, p plan) (*arena, error) {
	a := &arena{plan: p, itemIDs: map[string]core.ItemID{}}
	a.now.Store(begin.UnixMicro())
	if err := a.connect(ctx, dsn); err != nil {
		return nil, err
	}
	if err := a.settle(ctx); err != nil {
		a.store.Close()
		return nil, fmt.Errorf("the honest market: %w", err)
	}
	return a, nil
}

// again opens a copy of the market, which others attack.
func (a *arena) again(ctx context.Context, dsn string, by attack) (*arena, error) {
	copied := &arena{plan: a.plan, attack: by, mod: a.mod, people: a.people, posted: a.posted,
		itemIDs: map[string]core.ItemID{}}
	copied.now.Store(a.now.Load())
	return copied, copied.connect(ctx, dsn)
}

func (a *arena) connect(ctx context.Context, dsn string) (err error) {
	a.random = rand.New(rand.NewPCG(a.seed, 37))
	a.store, err = postgres.Open(ctx, dsn, postgres.Options{MaxConns: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	a.market = market.New(a.store, market.Options{
		Now: a.clock, Quotas: usualLimits(), Features: core.EveryFeature(), Forms: forms,
		Moderators: people.Moderators{Accounts: []string{moderator}},
		Random:     rand.NewChaCha8([32]byte{byte(a.seed)}),
	})
	return nil
}

// discordID is the id of a Discord account that was made at a time.
func discordID(made time.Time, n int) string {
	const epoch = 1420070400000 // Discord's, in milliseconds
	return fmt.Sprint((made.UnixMilli()-epoch)<<22 | int64(n))
}

func (a *arena) signUp(ctx context.Context, id, name string) (core.Actor, error) {
	user, err := a.market.People.SignIn(ctx, people.Profile{DiscordID: id, Username: name, DisplayName: name})
	if err != nil {
		return core.Actor{}, fmt.Errorf("%s signs in: %w", name, err)
	}
	return user.Actor(), nil
}

// settle brings in items, honest people and their trades.
func (a *arena) settle(ctx context.Context) (err error) {
	file := "name\n" + oddsItem + "\n" + cheapItem + "\n"
	for _, n := range a.fills {
		file += attacked[n] + "\n"
	}
	rows, err := items.ReadRows([]byte(file), forms)
	if err != nil {
		return err
	}
	if _, err := a.market.Items.Import(ctx, rows, false); err != nil {
		return err
	}
	if a.mod, err = a.signUp(ctx, moderator, "warden"); err != nil {
		return err
	}
	a.mod.Moderator = true
	a.people = append(a.people, a.mod) // who trades, too: trust begins there
	for n := range a.honest - 1 {
		p, err := a.signUp(ctx, discordID(begin.AddDate(-2, 0, n), n), fmt.Sprintf("trader_%d", n))
		if err != nil {
			return err
		}
		a.people = append(a.people, p)
		draft := match.SearchDraft{Bell: match.BellOn, Name: "All", Text: "ore"}
		if _, err := a.market.Match.AddSearch(ctx, p, draft); err != nil {
			return err
		}
	}
	days := grownDays
	if a.young {
		days = youngDays
	}
	if err := a.honestTrades(ctx, time.Duration(days)*core.Day); err != nil {
		return err
	}
	if err := a.learn(ctx); err != nil {
		return err
	}
	id, err := a.item(ctx, cheapItem)
	if err != nil {
		return err
	}
	if prices, err := a.market.Items.Prices(ctx, id, false); err != nil || prices.Young != a.young {
		return fmt.Errorf("a %s market is young: %t (%w)", a.kind(), prices.Young, err)
	}
	return nil
}

// honestTrade is a trade that is to be made.
type honestTrade struct {
	item  string
	price core.Copper
	sold  bool
}

// honestTrades has honest people trade over a time, and ask for what they get at no such price.
func (a *arena) honestTrades(ctx context.Context, over time.Duration) error {
	var trades []honestTrade
	add := func(item string, n int) {
		for range n {
			price := core.Copper(usualPrice * math.Exp(spread*a.random.NormFloat64()))
			trades = append(trades, honestTrade{item, price, true})
		}
	}
	for _, n := range a.fills {
		add(attacked[n], n)
	}
	few := 3 * a.honest / 4 // requests at each of two prices
	add(oddsItem, few)
	for range few {
		trades = append(trades, honestTrade{oddsItem, lowPrice, false})
	}
	a.random.Shuffle(len(trades), func(i, j int) { trades[i], trades[j] = trades[j], trades[i] })
	for n, t := range trades {
		if n%100 == 0 {
			if err := a.analyze(ctx); err != nil {
				return err
			}
		}
		buyer := a.people[n%len(a.people)]
		seller := a.people[(n+1+a.random.IntN(len(a.people)-1))%len(a.people)]
		if t.sold {
			if err := a.trades(ctx, buyer, seller, t.item, t.price, 10); err != nil {
				return err
			}
		} else if _, err := a.post(ctx, buyer, t.item, t.price, 10); err != nil {
			return err
		}
		a.forward(over / time.Duration(len(trades)))
	}
	return nil
}

// analyze does what PostgreSQL does by itself when it is not told to be fast: without statistics it chooses
// plans for empty tables.
func (a *arena) analyze(ctx context.Context) error {
	_, err := a.store.Pool().Exec(ctx, "vacuum analyze")
	return err
}

func (a *arena) post(ctx context.Context, by core.Actor, item string, price core.Copper, n int) (trade.Order, error) {
	a.posted++
	order, err := a.market.Trade.PostOrder(ctx, by, trade.OrderDraft{ItemName: item, Quantity: n, MaxPrice: price,
		BuyerContact: by.Username, Description: fmt.Sprint("No. ", a.posted)})
	if err != nil {
		return order, fmt.Errorf("%s asks for %s: %w", by.Username, item, err)
	}
	return order, nil
}

// trades has one buy of another, and both say that they met.
func (a *arena) trades(ctx context.Context, buyer, seller core.Actor, item string, price core.Copper, n int) error {
	order, err := a.post(ctx, buyer, item, price, n)
	if err != nil {
		return err
	}
	offer, err := a.market.Trade.SendOffer(ctx, seller, order.ID,
		trade.OfferDraft{SellerName: seller.Username, Message: "Here", Quantity: n})
	if err != nil {
		return errors.Join(fmt.Errorf("%s offers: %w", seller.Username, err), a.market.Trade.DeleteOrder(ctx, buyer, order.ID))
	}
	done, err := a.market.Trade.AcceptOffer(ctx, buyer, offer.Offer.ID, n)
	if err != nil {
		return fmt.Errorf("%s accepts: %w", buyer.Username, err)
	}
	for _, by := range []core.Actor{buyer, seller} {
		if _, err := a.market.Trade.SayHandovers(ctx, by, []core.SaleID{done.Sale.ID}, trade.SaidMet); err != nil {
			return fmt.Errorf("%s says that they met: %w", by.Username, err)
		}
	}
	return nil
}

// crosses has one buy of another by a request and a listing that both stand, and both say that they met. Its
// seller lists no more of it than that.
func (a *arena) crosses(ctx context.Context, buyer, seller core.Actor, item string, price core.Copper, n int) error {
	seller.PriceConfirmed = true
	if _, err := a.market.Match.SaveStock(ctx, seller, []match.StockDraft{{ItemName: item, Quantity: n, Price: price,
		Public: true, SellsDaily: core.MaxQuantity}}); err != nil {
		return fmt.Errorf("%s lists %s: %w", seller.Username, item, err)
	}
	order, err := a.post(ctx, buyer, item, price, n)
	if err != nil {
		return err
	}
	if _, err := a.market.Trade.SetStanding(ctx, buyer, order.ID, trade.StandingDraft{Sellers: trade.SellersAnybody,
		FromOthers: n, Until: a.clock().Add(core.Day)}); err != nil {
		return fmt.Errorf("%s takes offers as they come: %w", buyer.Username, err)
	}
	sales, _, err := a.store.Sales(ctx, order.ID, 10)
	if err != nil {
		return err
	}
	for _, s := range sales {
		by := []core.Actor{buyer, seller}
		if s.Seller != seller.UserID { // somebody else's listing of that price was first
			by = by[:1]
		}
		for _, p := range by {
			if _, err := a.market.Trade.SayHandovers(ctx, p, []core.SaleID{s.ID}, trade.SaidMet); err != nil {
				return fmt.Errorf("%s says that they met: %w", p.Username, err)
			}
		}
	}
	if len(sales) == 0 {
		return errors.Join(core.NewError(core.Conflict, core.NewText("offer_lapsed")),
			a.market.Trade.DeleteOrder(ctx, buyer, order.ID))
	}
	return nil
}

// buysByPlan has one buy of another's listing, which sells without asking, by a plan, and both say that they
// met. A plan counts as one post, whatever its size.
func (a *arena) buysByPlan(ctx context.Context, buyer, seller core.Actor, item string, price core.Copper, n int) error {
	seller.PriceConfirmed, buyer.PriceConfirmed = true, true
	stock, err := a.market.Match.SaveStock(ctx, seller, []match.StockDraft{{ItemName: item, Quantity: n, Price: price,
		Public: true, SellsDaily: core.MaxQuantity}})
	if err != nil {
		return fmt.Errorf("%s lists %s: %w", seller.Username, item, err)
	}
	at := slices.IndexFunc(stock, func(s match.Stock) bool { return s.ItemName == item })
	if at < 0 {
		return fmt.Errorf("%s has no %s: %+v", seller.Username, item, stock)
	}
	posted, err := a.market.Match.PostPlan(ctx, buyer, match.PlanDraft{
		ListDraft: trade.ListDraft{Name: "Plan", BuyerContact: buyer.Username, Category: "Miner"},
		Lines:     []match.PlanDraftLine{{ItemName: item, Listing: stock[at].ID, Quantity: n, Price: price}},
	})
	if err != nil {
		return fmt.Errorf("%s posts a plan: %w", buyer.Username, err)
	}
	var sale core.SaleID
	if err := a.store.Pool().QueryRow(ctx, `select coalesce(min(u.id), 0) from order_updates u
join orders o on o.id = u.order_id where o.list_id = $1`, posted.List).Scan(&sale); err != nil || sale == 0 {
		return errors.Join(core.NewError(core.Conflict, core.NewText("offer_lapsed")), err)
	}
	for _, p := range []core.Actor{buyer, seller} {
		if _, err := a.market.Trade.SayHandovers(ctx, p, []core.SaleID{sale}, trade.SaidMet); err != nil {
			return fmt.Errorf("%s says that they met: %w", p.Username, err)
		}
	}
	return nil
}

// learn runs the program's periodic work: it computes trust and plans alerts.
func (a *arena) learn(ctx context.Context) error {
	if err := a.market.Trust.FindTraders(ctx); err != nil {
		return err
	}
	a.market.Items.ForgetPrices()
	_, err := a.market.Match.AlertWatchers(ctx, 10_000)
	return err
}

// figures are the market's public figures that puppets attack.
type figures struct {
	prices   map[int]*items.Price // by honest trades; nil where there is none
	odds     int                  // percent, within two days at lowPrice; -1 for unknown
	partners int                  // established, the most that a puppet shows
	crossed  int                  // trades among puppets that were crossed
	names    int                  // of puppets, that others complete
	accepted bool                 // an offer of fifty from the best of them, by the usual terms
	messaged int                  // people on one day, by requests of puppets, at most
}

// look adds what anybody can read.
func (a *arena) look(ctx context.Context, f *figures) error {
	f.prices = map[int]*items.Price{}
	for _, n := range a.fills {
		id, err := a.item(ctx, attacked[n])
		if err != nil {
			return err
		}
		prices, err := a.market.Items.Prices(ctx, id, false)
		if err != nil {
			return err
		}
		f.prices[n] = prices.Windows[2].Price // of 90 days
	}
	id, err := a.item(ctx, oddsItem)
	if err != nil {
		return err
	}
	odds, err := a.market.Items.Odds(ctx, id)
	if err != nil {
		return err
	}
	f.odds = -1
	if step := odds.At(lowPrice); step != nil {
		f.odds = step.Percent[0]
	}
	return nil
}

func (a *arena) item(ctx context.Context, name string) (core.ItemID, error) {
	if id := a.itemIDs[name]; id != 0 {
		return id, nil
	}
	named, _, err := a.market.Items.NameItem(ctx, name)
	if err != nil {
		return 0, err
	}
	if named == nil {
		return 0, fmt.Errorf("there is no item %s", name)
	}
	a.itemIDs[name] = named.ID
	return named.ID, nil
}

// completed counts the names that begin with a text and are completed for others.
func (a *arena) completed(ctx context.Context, text string) (int, error) {
	found, err := a.market.Items.Complete(ctx, text)
	return len(slices.DeleteFunc(found, func(i items.Item) bool { return !strings.HasPrefix(i.Name, text) })), err
}
