package scheduletest

import (
	"context"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/hours"
	"tradepost/core/items"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/trade"
	"tradepost/core/webhook"
)

// setups bring an empty database to where the writes of a scenario start.
var setups = map[string]func(*place){
	"open":      (*place).open,
	"agreed":    (*place).agreed,
	"sold":      (*place).sold,
	"due":       (*place).due,
	"suspected": (*place).suspected,
	"disputed":  (*place).disputed,
	"closed":    (*place).closed,
	"shut":      (*place).shut,
	"listed":    (*place).listed,
	"decided":   (*place).decided,
	"ending":    (*place).ending,
	"watched":   (*place).watched,
	"posted":    (*place).posted,
	"named":     (*place).named,
	"stocked":   (*place).stocked,
	"asked":     (*place).asked,
	"replanned": (*place).replanned,
	"hooked":    (*place).hooked,
	"standing":  (*place).standing,
	"crossed":   (*place).crossed,
	"removed":   (*place).removed,
}

func (p *place) draft(by core.Actor) trade.OrderDraft {
	return trade.OrderDraft{
		ItemName: "Iron Ore", Quantity: 10, MaxPrice: 500, BuyerContact: by.Username, InGameName: "Aria",
		Category: "Miner", Importance: game.High, Description: "Any grade", LevelRequirement: new(7),
	}
}

func (p *place) offerOf(quantity int) trade.OfferDraft {
	return trade.OfferDraft{SellerName: "Fern", SellerContact: "fern", Message: "I have it", Quantity: quantity,
		GoodUntil: p.h.clock.Now().Add(100 * time.Hour).Truncate(time.Hour)}
}

func (p *place) hours(more int) time.Time {
	return p.h.clock.Now().Add(time.Duration(more) * time.Hour).Truncate(time.Hour)
}

func (p *place) users() {
	p.ann, p.bob, p.cat, p.mod = p.signUp("ann"), p.signUp("bob"), p.signUp("cat"), p.signUp("mod")
	p.dan = p.signUp("dan")
	must(p.h.t, p.Moderation.BlockUser(p.ctx, p.mod, p.dan.UserID, "Scams"))
	p.guest = core.Actor{Address: "192.0.2.1"}
	_, err := p.Items.Import(p.ctx, []items.Row{
		{Line: 1, Item: items.Item{Name: "Iron Ore", Kind: "Ore"}},
		{Line: 2, Item: items.Item{Name: "Oak Log", Kind: "Log"}},
	}, false)
	must(p.h.t, err)
}

func (p *place) send(by core.Actor, quantity int) {
	p.h.t.Helper()
	sent, err := p.Trade.SendOffer(p.ctx, by, p.order.ID, p.offerOf(quantity))
	must(p.h.t, err)
	p.offers = append(p.offers, sent.Offer)
	if sent.Link != "" {
		p.link = sent.Link
	}
}

// readers are users, one with a watch and a saved search, and one with stock.
func (p *place) readers() {
	t := p.h.t
	p.users()
	_, err := p.Trade.SetInGameName(p.ctx, p.bob, "Bobrik")
	must(t, err)
	watch, err := p.Match.AddSearch(p.ctx, p.bob, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{1}, MinPrice: 100})
	must(t, err)
	search, err := p.Match.AddSearch(p.ctx, p.bob, match.SearchDraft{Name: "Ores", Text: "ore", MinPrice: 5})
	must(t, err)
	p.watch, p.search = watch.ID, search.ID
	stock, err := p.Match.SaveStock(p.ctx, p.cat, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 8, Price: 400,
		Note: "Pure", Public: true}, {ItemName: "Oak Log", Quantity: 5, Price: 100}})
	must(t, err)
	for _, s := range stock {
		if s.ItemName == "Iron Ore" {
			p.stock = s.ID
		} else {
			p.gone = s.ID
		}
	}
	_, err = p.Match.AlertStock(p.ctx, p.cat, p.stock, true)
	must(t, err)
	must(t, p.Match.DeleteStock(p.ctx, p.cat, p.gone))
	p.h.clock.Forward(time.Minute)
}

// open is a request with three offers. Its watcher and its seller with stock were alerted.
func (p *place) open() {
	t := p.h.t
	p.readers()
	var err error
	p.order, err = p.Trade.PostOrder(p.ctx, p.ann, p.draft(p.ann))
	must(t, err)
	_, err = p.Match.AlertWatchers(p.ctx, 100)
	must(t, err)
	p.alert, p.stockAlert = p.alerted(p.bob), p.alerted(p.cat)
	p.send(p.bob, 6)
	p.send(p.cat, 6)
	p.send(p.guest, 3)
	must(t, p.Match.MuteBuyer(p.ctx, p.bob, p.alert))
}

// asked adds to open stock that is shown for sale, some of which a buyer has asked for.
func (p *place) asked() {
	p.open()
	order, err := p.Match.Ask(p.ctx, p.bob, p.stock, match.AskDraft{Quantity: 3})
	must(p.h.t, err)
	p.ask = order.ID
}

// standing is two requests of two buyers, one of which takes offers as they come, and a listing that sells
// without asking for more than they pay.
func (p *place) standing() {
	p.readers()
	t := p.h.t
	var err error
	p.order, err = p.Trade.PostOrder(p.ctx, p.ann, p.draft(p.ann))
	must(t, err)
	p.second, err = p.Trade.PostOrder(p.ctx, p.bob, p.draft(p.bob))
	must(t, err)
	_, err = p.takesOre(p.ctx, p.Market, p.bob, p.second, 8)
	must(t, err)
	p.sells(8, 600)
}

// crossed adds to standing that the listing has sold to the request that takes offers as they come.
func (p *place) crossed() {
	p.standing()
	p.sells(8, 500)
	trades, err := p.Trade.Handovers(p.ctx, p.bob, trade.Query{Limit: 1})
	must(p.h.t, err)
	p.sales = append(p.sales, trades[0].Sale)
	p.send(p.guest, 3)
}

// removed adds to standing that the listing, which costs what the request pays, was removed.
func (p *place) removed() {
	p.standing()
	must(p.h.t, p.Match.DeleteStock(p.ctx, p.cat, p.stock))
	_, err := p.takesOre(p.ctx, p.Market, p.ann, p.order, 6)
	must(p.h.t, err)
	for _, o := range []trade.Order{p.order, p.second} {
		by := p.ann
		if o.ID == p.second.ID {
			by = p.bob
		}
		_, err := p.Trade.EditOrder(p.ctx, by, o.ID, trade.OrderEdit{Version: o.Version, MaxPrice: new(core.Copper(650))})
		must(p.h.t, err)
	}
}

func (p *place) sells(quantity int, price core.Copper) {
	p.h.t.Helper()
	p.asking = price
	_, err := p.Match.SaveStock(p.ctx, p.cat, []match.StockDraft{p.unasked(quantity, price)})
	must(p.h.t, err)
}

func (p *place) unasked(quantity int, price core.Copper) match.StockDraft {
	return match.StockDraft{ItemName: "Iron Ore", Quantity: quantity, Price: price, Public: true, SellsDaily: 10}
}

func (p *place) takesOre(
	ctx context.Context, m *market.Market, by core.Actor, o trade.Order, quantity int,
) (trade.StandingAcceptance, error) {
	return m.Trade.SetStanding(ctx, by, o.ID, trade.StandingDraft{Sellers: trade.SellersAnybody, FromOthers: quantity,
		Until: p.hours(48)})
}

func (p *place) alerted(of core.Actor) core.NoticeID {
	p.h.t.Helper()
	page, err := p.Notify.Notices(p.ctx, of, 0, 50)
	must(p.h.t, err)
	at := slices.IndexFunc(page.Notices, func(n notify.Notice) bool { return n.Kind == notify.NoticeRequestWatched })
	if at < 0 {
		return 0
	}
	return page.Notices[at].ID
}

// watched is a request of which a watcher and a seller with stock were alerted. They watch another item, too.
func (p *place) watched() {
	p.open()
	must(p.h.t, p.Match.RestoreStock(p.ctx, p.cat, p.gone))
	must(p.h.t, p.Match.UnmuteBuyer(p.ctx, p.bob, p.ann.UserID))
	_, err := p.Match.AddSearch(p.ctx, p.bob, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{2}})
	must(p.h.t, err)
	p.h.clock.Forward(time.Hour)
}

// posted is a request that asks for another item since a watcher was alerted to it. Other watchers, and a seller
// with stock, are about to be alerted.
func (p *place) posted() {
	p.readers()
	t := p.h.t
	for _, item := range []core.ItemID{1, 2} {
		_, err := p.Match.AddSearch(p.ctx, p.mod, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{item}})
		must(t, err)
	}
	draft := p.draft(p.ann)
	draft.ItemName = "Oak Log"
	var err error
	p.order, err = p.Trade.PostOrder(p.ctx, p.ann, draft)
	must(t, err)
	_, err = p.Match.AlertWatchers(p.ctx, 100)
	must(t, err)
	p.h.clock.Forward(time.Minute)
	p.order, err = p.Trade.EditOrder(p.ctx, p.ann, p.order.ID, trade.OrderEdit{Version: p.order.Version, ItemName: new("Iron Ore")})
	must(t, err)
}

// stocked is two requests of two buyers for an item that a seller has in stock and has offered on both: more than
// there is.
func (p *place) stocked() {
	p.readers()
	for _, buyer := range []core.Actor{p.ann, p.bob} {
		order, err := p.Trade.PostOrder(p.ctx, buyer, p.draft(buyer))
		must(p.h.t, err)
		p.order = order
		p.send(p.cat, 6)
	}
}

// hooked is a request whose buyer has a webhook that is on, and one that did not answer its ping.
func (p *place) hooked() {
	p.open()
	for _, status := range []int{204, 500} {
		_, _, err := p.Webhooks.Make(p.ctx, p.ann, webhook.Draft{URL: "https://bot.example.org/", Types: p.Webhooks.Types(false)})
		must(p.h.t, err)
		batches, err := p.Webhooks.Claim(p.ctx, 1)
		must(p.h.t, err)
		of := batches[0]
		must(p.h.t, p.Webhooks.Settle(p.ctx, of, map[core.WebhookDeliveryID]webhook.Result{of.Deliveries[0].ID: {At: p.Now(), Status: status}}))
		p.ping = append(p.ping, of.Deliveries[0].ID)
	}
}

// agreed is a request with two sales that can be undone, an offer that was declined, and others.
func (p *place) agreed() {
	p.open()
	p.accept(0, 3)
	p.accept(1, 2)
	for _, who := range []core.Actor{p.ann, p.bob} {
		must(p.h.t, p.People.SavePlayHours(p.ctx, who, hours.Evenings.Of("", p.hours(0)).With(hours.WeekendEvenings.Of("", p.hours(0))).List()))
	}
	_, err := p.Trade.ChooseMeeting(p.ctx, p.bob, p.sales[0], p.hours(20))
	must(p.h.t, err)
	p.declined = p.offers[1]
	must(p.h.t, p.Trade.DeleteOffer(p.ctx, p.ann, p.declined.ID))
}

func (p *place) accept(offer, quantity int) {
	p.h.t.Helper()
	done, err := p.Trade.AcceptOffer(p.ctx, p.ann, p.offers[offer].ID, quantity)
	must(p.h.t, err)
	p.sales = append(p.sales, done.Sale.ID)
}

// sold is a request with two sales that can be undone, whose offers are as the accepts left them.
func (p *place) sold() {
	p.open()
	p.accept(0, 3)
	p.accept(1, 2)
}

// due is a request with sales whose handovers are due: their sides were asked.
func (p *place) due() {
	p.agreed()
	p.h.clock.Forward(trade.AgreedWithin + time.Hour)
	for range 2 {
		_, err := p.Trade.ProcessHandovers(p.ctx, 100)
		must(p.h.t, err)
	}
}

// disputed is a request with a sale that its sides dispute, and one that a side says took place.
func (p *place) disputed() {
	p.due()
	p.say(p.ann, trade.SaidMet, p.sales...)
	p.say(p.bob, trade.SaidNotMet, p.sales[0])
}

func (p *place) say(by core.Actor, word trade.Word, sales ...core.SaleID) {
	p.h.t.Helper()
	_, err := p.Trade.SayHandovers(p.ctx, by, sales, word)
	must(p.h.t, err)
}

// closed is a request that was closed with offers on it, which can be undone.
func (p *place) closed() {
	p.agreed()
	_, err := p.Trade.CloseOrder(p.ctx, p.ann, p.order.ID)
	must(p.h.t, err)
}

// shut is a request that was closed so long ago that it cannot be undone.
func (p *place) shut() {
	p.closed()
	p.h.clock.Forward(core.UndoWindow)
}

// listed is a list of two requests with an offer. One accepts offers as they come.
func (p *place) listed() {
	t := p.h.t
	p.users()
	var err error
	p.list, err = p.Trade.PostList(p.ctx, p.ann, trade.ListDraft{
		Name: "Camp", Text: "10x Iron Ore 5s\n4x Oak Log 2s", Description: "For the camp", BuyerContact: "ann",
		InGameName: "Aria", Importance: game.Low,
	})
	must(t, err)
	p.order = p.list.Orders[0]
	p.send(p.bob, 4)
	_, err = p.Trade.SetStanding(p.ctx, p.ann, p.order.ID, trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: 8, FromOthers: 6, Until: p.hours(48)})
	must(t, err)
}

// replanned is a list of two requests, one with an offer, and listings of the same items: one that sells without
// asking, and one whose seller is asked.
func (p *place) replanned() {
	p.listed()
	of := func(by core.Actor, d match.StockDraft) core.StockID {
		stock, err := p.Match.SaveStock(p.ctx, by, []match.StockDraft{d})
		must(p.h.t, err)
		return stock[0].ID
	}
	p.stock = of(p.cat, p.unasked(8, 5500)) // more than the request pays
	p.gone = of(p.bob, match.StockDraft{ItemName: "Oak Log", Quantity: 6, Price: 150, Public: true})
}

// decided is a request with offers, one of which a moderator removed. Both were reported.
func (p *place) decided() {
	t := p.h.t
	p.open()
	report, err := p.Moderation.ReportOrder(p.ctx, p.cat, p.order.ID, "It is spam")
	must(t, err)
	p.reports = append(p.reports, report)
	report, err = p.Moderation.ReportOffer(p.ctx, p.ann, p.offers[0].ID, "It is a scam")
	must(t, err)
	p.reports = append(p.reports, report)
	must(t, p.Moderation.RemoveOffer(p.ctx, p.mod, p.offers[1].ID, "A scam"))
	p.removals = append(p.removals, p.removal())
	for _, by := range []core.Actor{p.ann, p.bob, p.cat, p.mod} {
		draft := p.draft(by)
		draft.ItemName, draft.Quantity = "Silver Shield", 1
		_, err := p.Trade.PostOrder(p.ctx, by, draft)
		must(t, err)
	}
	waiting, err := p.Items.Provisional(p.ctx, p.mod, 0, 10)
	must(t, err)
	if len(waiting) > 0 {
		p.item = waiting[0].Item.ID
	}
	must(t, p.Moderation.StopReach(p.ctx, p.mod, p.cat.UserID))
	_, err = p.Trust.SetAside(p.ctx, p.mod, p.propose(p.cat))
	must(t, err)
	rings, err := p.Trust.Rings(p.ctx, p.mod)
	must(t, err)
	p.ring = rings[0].ID
}

// suspected is a proposed ring of Bob.
func (p *place) suspected() {
	p.due()
	p.proposal = p.propose(p.bob)
}

func (p *place) propose(users ...core.Actor) core.ProposedRingID {
	var ids []core.UserID
	for _, user := range users {
		ids = append(ids, user.UserID)
	}
	id, err := coretest.Propose(p.ctx, p.h.store.Atomically, p.h.store, ids...)
	must(p.h.t, err)
	return id
}

// named is a request with offers whose names look like those of established traders.
func (p *place) named() {
	aria, fern := p.signUp("aria"), p.signUp("fern")
	p.open()
	must(p.h.t, p.Trust.Vouch(p.ctx, p.mod, aria.UserID))
	must(p.h.t, p.Trust.Vouch(p.ctx, p.mod, fern.UserID))
	must(p.h.t, p.Trust.FindTraders(p.ctx))
}

func (p *place) removal() core.AuditID {
	p.h.t.Helper()
	entries, err := p.Moderation.AuditEntries(p.ctx, p.mod, 0, 1)
	must(p.h.t, err)
	return entries[0].ID
}

// ending is a request that has just expired with offers on it.
func (p *place) ending() {
	p.open()
	p.h.clock.Forward(trade.OrderLifetime - time.Hour)
	draft := p.offerOf(5)
	sent, err := p.Trade.SendOffer(p.ctx, p.bob, p.order.ID, draft)
	must(p.h.t, err)
	p.offers = append(p.offers, sent.Offer)
	p.h.clock.Forward(2 * time.Hour)
}
