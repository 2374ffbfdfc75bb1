package scheduletest

import (
	"context"
	"slices"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/core/webhook"
)

// write is a write of the core, as one of the users of a set-up makes it.
type write struct {
	name      string
	operation string   // as the core names it; empty for one without a key
	setups    []string // in which it can succeed
	by        func(*place) core.Actor
	do        func(context.Context, *market.Market, core.Actor, *place) (any, error)
}

// jobs are the writes that the program repeats forever. Each leaves out what is locked until the next time.
var jobs = []string{"requests expire", "closings end", "handovers are processed", "watchers are alerted"}

func (w write) isJob() bool { return slices.Contains(jobs, w.name) }

func ann(p *place) core.Actor   { return p.ann }
func bob(p *place) core.Actor   { return p.bob }
func cat(p *place) core.Actor   { return p.cat }
func mod(p *place) core.Actor   { return p.mod }
func guest(p *place) core.Actor { return p.guest }

// program is the actor of a periodic job.
func program(*place) core.Actor { return core.Actor{} }

type call = func(context.Context, *market.Market, core.Actor, *place) (any, error)

// of makes a call of a write with an answer.
func of[T any](do func(context.Context, *market.Market, core.Actor, *place) (T, error)) call {
	return func(ctx context.Context, m *market.Market, a core.Actor, p *place) (any, error) {
		return do(ctx, m, a, p)
	}
}

// none makes a call of a write without one.
func none(do func(context.Context, *market.Market, core.Actor, *place) error) call {
	return func(ctx context.Context, m *market.Market, a core.Actor, p *place) (any, error) {
		return nil, do(ctx, m, a, p)
	}
}

var (
	opened  = []string{"open", "agreed", "ending", "closed", "decided"}
	traded  = []string{"agreed", "sold", "due", "disputed", "closed"}
	matched = []string{"open", "agreed", "watched"}
	alerted = append(slices.Clone(matched), "posted")
	judged  = []string{"decided"}
	inLists = []string{"listed", "replanned"}
	inStock = []string{"stocked"}
)

func accepts(offer, quantity int) call {
	return of(func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Acceptance, error) {
		return m.Trade.AcceptOffer(ctx, a, p.offers[min(offer, len(p.offers)-1)].ID, quantity)
	})
}

func sends(quantity int) call {
	return of(func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.SendOfferResult, error) {
		sent, err := m.Trade.SendOffer(ctx, a, p.order.ID, p.offerOf(quantity))
		sent.Link = "" // a secret
		return sent, err
	})
}

func says(word trade.Word, sale int) call {
	return of(func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]trade.Trade, error) {
		return m.Trade.SayHandovers(ctx, a, []core.SaleID{p.sales[sale]}, word)
	})
}

func deletesOffer(offer int) call {
	return none(func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
		return m.Trade.DeleteOffer(ctx, a, p.offers[offer].ID)
	})
}

func edits(change func(*trade.OrderEdit)) call {
	return of(func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
		edit := trade.OrderEdit{Version: p.order.Version}
		change(&edit)
		return m.Trade.EditOrder(ctx, a, p.order.ID, edit)
	})
}

// tradeWrites are those about a request, its offers and its sales.
var tradeWrites = []write{
	{"accept of bob", "accept offer", append(slices.Clone(opened), "listed", "replanned"), ann, accepts(0, 5)},
	{"accept of cat", "accept offer", []string{"open", "agreed", "decided", "watched"}, ann, accepts(1, 4)},
	{"accept of guest", "accept offer", []string{"open", "agreed"}, ann, accepts(2, 3)},
	{"accept from stock", "accept offer", inStock, ann, accepts(0, 6)},
	{"accept from the same stock", "accept offer", inStock, bob, accepts(1, 6)},
	{"accept by a time", "accept offer", []string{"open", "agreed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Acceptance, error) {
			return m.Trade.AcceptOfferBy(ctx, a, p.offers[0].ID, 2, p.hours(50))
		})},
	{"log sale", "log sale", append(slices.Clone(opened), "hooked"), ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.LogSaleResult, error) {
			return m.Trade.LogSale(ctx, a, p.order.ID, trade.SaleDraft{Quantity: 5, Notes: "By hand"})
		})},
	{"close", "close order", append(slices.Clone(opened), "listed", "replanned", "shut"), ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.CloseOrder(ctx, a, p.order.ID)
		})},
	{"undo close", "undo close", []string{"closed", "shut"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.UndoClose(ctx, a, p.order.ID)
		})},
	{"renew", "renew order", opened, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.RenewOrder(ctx, a, p.order.ID)
		})},
	{"delete request", "delete order", append(slices.Clone(opened), "due", "listed", "replanned", "shut"), ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.DeleteOrder(ctx, a, p.order.ID)
		})},
	{"ask for less", "edit order", []string{"open", "agreed", "decided", "ending", "posted"}, ann,
		edits(func(e *trade.OrderEdit) { e.Quantity = new(5) })},
	{"ask for another item", "edit order", []string{"open", "agreed", "decided", "listed", "watched", "posted"}, ann,
		edits(func(e *trade.OrderEdit) { e.ItemName, e.MaxPrice = new("Oak Log"), new(core.Copper(600)) })},
	{"post the same", "post order", []string{"open", "agreed", "closed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.PostOrder(ctx, a, p.draft(a))
		})},
	{"post another", "post order", []string{"open"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			draft := p.draft(a)
			draft.Description = "Another lot"
			return m.Trade.PostOrderAsking(ctx, a, draft, p.stock)
		})},
	{"offer of bob", "send offer", append(slices.Clone(opened), "listed", "replanned"), bob, sends(4)},
	{"offer of cat", "send offer", append(slices.Clone(opened), "listed", "replanned"), cat, sends(2)},
	{"offer of guest", "send offer", []string{"open", "ending", "listed", "hooked"}, guest, sends(3)},
	{"guest offers more", "send offer", []string{"open"}, guest, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.SendOfferResult, error) {
			draft := p.offerOf(7)
			draft.ReplacesLink = p.link
			sent, err := m.Trade.SendOffer(ctx, a, p.order.ID, draft)
			sent.Link = "" // a secret
			return sent, err
		})},
	{"guest offers less", "send offer", []string{"open"}, guest, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.SendOfferResult, error) {
			draft := p.offerOf(1)
			draft.ReplacesLink = p.link
			sent, err := m.Trade.SendOffer(ctx, a, p.order.ID, draft)
			sent.Link = "" // a secret
			return sent, err
		})},
	{"decline bob", "delete offer", opened, ann, deletesOffer(0)},
	{"withdraw of bob", "delete offer", append(slices.Clone(opened), "listed", "replanned"), bob, deletesOffer(0)},
	{"withdraw of guest", "withdraw linked offer", []string{"open", "agreed"}, guest, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.WithdrawLinked(ctx, a, p.link)
		})},
	{"undo decline", "undo offer", []string{"agreed"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.UndoOffer(ctx, a, p.declined.ID)
		})},
	{"undo sale of bob", "undo sale", traded, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.UndoSale(ctx, a, p.sales[0])
		})},
	{"undo sale of cat", "undo sale", []string{"sold", "agreed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.UndoSale(ctx, a, p.sales[1])
		})},
	{"answer offers", "accept offer", []string{"open", "agreed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]string, error) {
			outcomes, err := m.Trade.AnswerOffers(ctx, a, []trade.OfferAnswer{{Offer: p.offers[1].ID, Accept: 4}})
			var texts []string
			for _, o := range outcomes {
				texts = append(texts, answerOf(o.Accepted, o.Err).text)
				if err == nil {
					err = o.Err
				}
			}
			return texts, err
		})},
	{"block bob", "block seller", []string{"open", "agreed"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.BlockSeller(ctx, a, p.offers[0].ID)
		})},
	{"unblock bob", "unblock seller", []string{"open"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trust.UnblockSeller(ctx, a, p.bob.UserID)
		})},
	{"set standing", "set standing acceptance", []string{"open", "listed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.StandingAcceptance, error) {
			return m.Trade.SetStanding(ctx, a, p.order.ID, trade.StandingDraft{Sellers: trade.SellersTrusted, FromPartners: 7, FromOthers: 5,
				Until: p.hours(48)})
		})},
	{"end standing", "end standing acceptance", inLists, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.EndStanding(ctx, a, p.order.ID)
		})},
	{"ask for a record", "set least record", []string{"open", "listed"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.SetLeastRecord(ctx, a, p.order.ID, trade.LeastRecord{Sellers: trade.SellersTrusted, NewUpTo: 4})
		})},
	{"post a list", "post list", inLists, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.PostedList, error) {
			return m.Trade.PostList(ctx, a, trade.ListDraft{Name: "Mine", Text: "3x Iron Ore 5s", Description: "For the mine",
				BuyerContact: "ann", InGameName: "Aria", Importance: "low"})
		})},
	{"offer on the list", "offer on list", inLists, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]trade.SendOfferResult, error) {
			return m.Trade.OfferOnList(ctx, a, p.list.ID, trade.ListOffer{SellerName: "Cat", Message: "All of it",
				Lines: []trade.ListOfferLine{{Order: p.list.Orders[0].ID, Quantity: 2},
					{Order: p.list.Orders[1].ID, Quantity: 1}}})
		})},
	{"requests expire", "", []string{"ending", "open"}, program, none(
		func(ctx context.Context, m *market.Market, _ core.Actor, _ *place) error {
			_, _, err := m.Trade.ExpireOrders(ctx, 100)
			return err
		})},
	{"closings end", "", []string{"closed", "shut"}, program, none(
		func(ctx context.Context, m *market.Market, _ core.Actor, _ *place) error {
			_, err := m.Trade.NotifyClosings(ctx, 100)
			return err
		})},
}

// handoverWrites are those about whether two sides met.
var handoverWrites = []write{
	{"agree on a time", "agree handover", []string{"agreed", "due"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.AgreeHandover(ctx, a, p.sales[0], p.hours(30))
		})},
	{"ann met bob", "say handovers", traded, ann, says(trade.SaidMet, 0)},
	{"ann did not meet bob", "say handovers", []string{"agreed", "due"}, ann, says(trade.SaidNotMet, 0)},
	{"bob met ann", "say handovers", traded, bob, says(trade.SaidMet, 0)},
	{"bob did not meet ann", "say handovers", traded, bob, says(trade.SaidNotMet, 0)},
	{"cat met ann", "say handovers", []string{"due", "disputed"}, cat, says(trade.SaidMet, 1)},
	{"bob takes it back", "take back words", []string{"disputed", "due"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]trade.Trade, error) {
			return m.Trade.TakeBackWords(ctx, a, []core.SaleID{p.sales[0]})
		})},
	{"ann takes it back", "take back words", []string{"disputed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]trade.Trade, error) {
			return m.Trade.TakeBackWords(ctx, a, []core.SaleID{p.sales[0]})
		})},
	{"bob asks for time", "postpone handovers", []string{"due"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]trade.Trade, error) {
			return m.Trade.PostponeHandovers(ctx, a, []core.SaleID{p.sales[0]})
		})},
	{"look at the dispute", "look at dispute", []string{"disputed"}, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.LookAtDispute(ctx, a, p.sales[0])
		})},
	{"rule on the dispute", "rule dispute", []string{"disputed"}, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.RuleDispute(ctx, a, p.sales[0], trade.DisputeRuling{Met: true, Against: trust.SellerSide,
				Reason: "The picture shows it"})
		})},
	{"the time works for ann", "accept meeting", []string{"agreed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.AcceptMeeting(ctx, a, p.sales[0], p.hours(20))
		})},
	{"bob chooses a time", "choose meeting", []string{"agreed", "sold"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.ChooseMeeting(ctx, a, p.sales[0], p.hours(21))
		})},
	{"ann wants another time", "propose meeting", []string{"agreed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Trade, error) {
			return m.Trade.ProposeMeeting(ctx, a, p.sales[0], p.hours(20))
		})},
	{"set a meeting place", "set meeting place", []string{"agreed"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trade.SetMeetingPlace(ctx, a, p.bob.UserID, "At the old bridge")
		})},
	{"handovers are processed", "", []string{"agreed", "due", "disputed"}, program, none(
		func(ctx context.Context, m *market.Market, _ core.Actor, _ *place) error {
			_, err := m.Trade.ProcessHandovers(ctx, 100)
			return err
		})},
}

func watches(do func(context.Context, *market.Market, core.Actor, *place) (match.SavedSearch, error)) call {
	return of(do)
}

// matchWrites are those about searches and stock.
var matchWrites = []write{
	{"add a search", "add search", matched, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (match.SavedSearch, error) {
			return m.Match.AddSearch(ctx, a, match.SearchDraft{Name: "Logs", Text: "log", MinPrice: 5})
		})},
	{"edit a search", "edit search", matched, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.SavedSearch, error) {
			return m.Match.EditSearch(ctx, a, p.search, match.SearchDraft{Name: "Logs", Text: "log", MaxPrice: 50})
		})},
	{"delete a search", "delete search", matched, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.DeleteSearch(ctx, a, match.BellOff, p.search)
		})},
	{"give a search a bell", "give bell", matched, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.SavedSearch, error) {
			return m.Match.GiveBell(ctx, a, p.search)
		})},
	{"add a watch", "add watch", matched, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (match.SavedSearch, error) {
			return m.Match.AddSearch(ctx, a, match.SearchDraft{Bell: match.BellOn, Items: []core.ItemID{2}})
		})},
	{"edit a watch", "edit watch", alerted, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.SavedSearch, error) {
			return m.Match.EditSearch(ctx, a, p.watch, match.SearchDraft{Bell: match.BellOn, Name: "Ore", Kind: "Ore",
				MinQuantity: 2, Way: match.WayDirect})
		})},
	{"pause a watch", "pause watch", alerted, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.SavedSearch, error) {
			return m.Match.PauseBell(ctx, a, p.watch, true)
		})},
	{"snooze a watch", "snooze watch", alerted, bob, watches(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.SavedSearch, error) {
			return m.Match.SnoozeBell(ctx, a, p.watch, match.SnoozeHour)
		})},
	{"delete a watch", "delete watch", alerted, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.DeleteSearch(ctx, a, match.BellOn, p.watch)
		})},
	{"mute a buyer", "mute buyer", matched, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.MuteBuyer(ctx, a, p.alert)
		})},
	{"unmute a buyer", "unmute buyer", matched, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.UnmuteBuyer(ctx, a, p.ann.UserID)
		})},
	{"save stock", "save stock", append(slices.Clone(matched), "stocked"), cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) ([]match.Stock, error) {
			return m.Match.SaveStock(ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 20, Price: 300}})
		})},
	{"ask for listing", "ask for listing", []string{"asked"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Match.Ask(ctx, a, p.stock, match.AskDraft{Quantity: 4})
		})},
	{"say yes to an ask", "answer ask", []string{"asked"}, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Acceptance, error) {
			return m.Match.AnswerAsk(ctx, a, p.ask, match.AskAnswer{Accept: 2})
		})},
	{"say no to an ask", "answer ask", []string{"asked"}, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Acceptance, error) {
			return m.Match.AnswerAsk(ctx, a, p.ask, match.AskAnswer{})
		})},
	{"save less stock", "save stock", append(slices.Clone(alerted), "stocked", "asked", "standing", "replanned"), cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) ([]match.Stock, error) {
			return m.Match.SaveStock(ctx, a, []match.StockDraft{{ItemName: "Iron Ore", Quantity: 2, Price: 400}})
		})},
	{"sell without asking", "save stock", []string{"standing", "crossed", "replanned"}, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]match.Stock, error) {
			return m.Match.SaveStock(ctx, a, []match.StockDraft{p.unasked(12, 450)})
		})},
	{"ann takes offers as they come", "set standing acceptance", []string{"standing", "crossed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.StandingAcceptance, error) {
			return p.takesOre(ctx, m, a, p.order, 6)
		})},
	{"bob pays more", "edit order", []string{"standing"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.EditOrder(ctx, a, p.second.ID, trade.OrderEdit{Version: p.second.Version, MaxPrice: new(core.Copper(700))})
		})},
	{"bob renews", "renew order", []string{"standing", "crossed", "removed"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.RenewOrder(ctx, a, p.second.ID)
		})},
	{"ann asks for the rest", "ask for listing", []string{"standing", "crossed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Match.Ask(ctx, a, p.stock, match.AskDraft{Quantity: 8, PriceSeen: p.asking})
		})},
	{"ann posts what buys at once", "post order", []string{"standing", "crossed", "removed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			d := p.draft(a)
			d.MaxPrice, d.Quantity = 700, 5
			return m.Trade.PostOrderWith(ctx, a, d, trade.PostTerms{Standing: &trade.StandingDraft{Sellers: trade.SellersAnybody}})
		})},
	{"restore the listing", "", []string{"removed"}, cat, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.RestoreStock(ctx, a, p.stock)
		})},
	{"ann posts a plan", "post plan", []string{"asked", "standing", "crossed"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.PlanPosted, error) {
			return m.Match.PostPlan(ctx, a, match.PlanDraft{ListDraft: trade.ListDraft{Name: "Mine", BuyerContact: "ann"},
				Lines: []match.PlanDraftLine{{ItemName: "Iron Ore", Listing: p.stock, Quantity: 4, Price: 900},
					{ItemName: "Tin Ore", Quantity: 3, Price: 300}}})
		})},
	{"ann replaces the list by a plan", "post plan", []string{"replanned"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.PlanPosted, error) {
			return m.Match.PostPlan(ctx, a, match.PlanDraft{ListDraft: trade.ListDraft{Name: "Camp", BuyerContact: "ann"},
				Replaces: p.list.ID,
				Lines: []match.PlanDraftLine{{ItemName: "Oak Log", Listing: p.gone, Quantity: 4, Price: 150},
					{ItemName: "Iron Ore", Listing: p.stock, Quantity: 6, Price: 5500},
					{ItemName: "Iron Ore", Quantity: 4, Price: 5000}}})
		})},
	{"mod asks for logs", "ask for listing", []string{"replanned"}, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Match.Ask(ctx, a, p.gone, match.AskDraft{Quantity: 4})
		})},
	{"mod plans for the ore", "post plan", []string{"replanned"}, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.PlanPosted, error) {
			return m.Match.PostPlan(ctx, a, match.PlanDraft{ListDraft: trade.ListDraft{Name: "Mine", BuyerContact: "mod"},
				Lines: []match.PlanDraftLine{{ItemName: "Iron Ore", Listing: p.stock, Quantity: 5, Price: 5500},
					{ItemName: "Oak Log", Listing: p.gone, Quantity: 1, Price: 150}}})
		})},
	{"bob sells no logs", "delete stock", []string{"replanned"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.DeleteStock(ctx, a, p.gone)
		})},
	{"bob undoes the crossing", "undo sale", []string{"crossed"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.UndoSale(ctx, a, p.sales[0])
		})},
	{"cat undoes the crossing", "undo sale", []string{"crossed"}, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (trade.Order, error) {
			return m.Trade.UndoSale(ctx, a, p.sales[0])
		})},
	{"confirm stock", "confirm stock", matched, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (int, error) {
			return m.Match.ConfirmStock(ctx, a)
		})},
	{"delete stock", "delete stock", append(slices.Clone(alerted), "stocked", "asked", "standing", "replanned"), cat, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.DeleteStock(ctx, a, p.stock)
		})},
	{"restore stock", "", matched, cat, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Match.RestoreStock(ctx, a, p.gone)
		})},
	{"alert of stock", "alert stock", alerted, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.Stock, error) {
			return m.Match.AlertStock(ctx, a, p.stock, false)
		})},
	{"snooze stock", "snooze stock", matched, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.Stock, error) {
			return m.Match.SnoozeStock(ctx, a, p.stockAlert, match.SnoozeTomorrow)
		})},
	{"stop stock", "stop stock", matched, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (match.Stock, error) {
			return m.Match.StopStock(ctx, a, p.stockAlert)
		})},
	{"watchers are alerted", "", alerted, program, none(
		func(ctx context.Context, m *market.Market, _ core.Actor, _ *place) error {
			_, err := m.Match.AlertWatchers(ctx, 100)
			return err
		})},
}

// accountWrites are those about a user.
var accountWrites = []write{
	{"bob sets notices", "notice settings", []string{"open", "due"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (notify.Settings, error) {
			return m.Notify.SetSettings(ctx, a, notify.Settings{Muted: []notify.Kind{notify.NoticeOfferDeclined},
				QuietFrom: 60, QuietTo: 120, TimeZone: "Europe/Berlin"})
		})},
	{"bob tries a notice", "test notice", []string{"open"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Notify.SendTest(ctx, a)
		})},
	{"bob reads notices", "", []string{"open", "agreed"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Notify.ReadNotices(ctx, a, firstNew-1)
		})},
	{"bob sets a name", "set in-game name", []string{"open", "agreed"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (string, error) {
			return m.Trade.SetInGameName(ctx, a, "Bobby")
		})},
	{"bob sets skills", "set skills", []string{"open"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.People.SetSkills(ctx, a, []people.Skill{{Category: "Miner", Level: 40}})
		})},
	{"bob says when he plays", "save play hours", []string{"open", "agreed"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.People.SavePlayHours(ctx, a, []int{19, 20})
		})},
	{"bob has his hours learned", "learn play hours", []string{"open", "agreed"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.People.LearnPlayHours(ctx, a, true)
		})},
	{"bob erases his hours", "erase play hours", []string{"agreed"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.People.ErasePlayHours(ctx, a)
		})},
	{"bob chooses a language", "set language", []string{"open"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.People.SetLanguage(ctx, a, "de")
		})},
	{"bob leaves", "", []string{"open", "agreed", "due", "listed", "shut"}, bob, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (people.User, error) {
			return m.Leave(ctx, a)
		})},
	{"ann leaves", "", []string{"open", "agreed", "closed", "shut"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) (people.User, error) {
			return m.Leave(ctx, a)
		})},
	{"bob stays", "", []string{"open"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.CancelLeaving(ctx, a)
		})},
	{"bob is deleted", "", []string{"open", "due", "shut"}, program, none(
		func(ctx context.Context, m *market.Market, _ core.Actor, p *place) error {
			return m.DeleteUser(ctx, p.bob.UserID)
		})},
}

// moderatorWrites are those of moderators, and reports to them.
var moderatorWrites = []write{
	{"report the request", "report order", []string{"open", "decided"}, cat, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (core.ReportID, error) {
			return m.Moderation.ReportOrder(ctx, a, p.order.ID, "It is spam")
		})},
	{"report the offer", "report offer", []string{"open", "decided"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (core.ReportID, error) {
			return m.Moderation.ReportOffer(ctx, a, p.offers[0].ID, "It is a scam")
		})},
	{"decide to remove", "decide report", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.DecideReport(ctx, a, p.reports[0], moderation.DecideRemove, "Spam")
		})},
	{"decide to dismiss", "decide report", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.DecideReport(ctx, a, p.reports[1], moderation.DecideDismiss, "")
		})},
	{"dismiss", "dismiss report", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.DismissReport(ctx, a, p.reports[0])
		})},
	{"remove the offer", "remove offer", []string{"open", "agreed", "decided"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.RemoveOffer(ctx, a, p.offers[0].ID, "A scam")
		})},
	{"remove the request", "remove order", []string{"open", "agreed", "closed", "decided", "shut"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.RemoveOrder(ctx, a, p.order.ID, "Spam")
		})},
	{"report the listing", "report listing", []string{"asked"}, ann, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (core.ReportID, error) {
			return m.Moderation.ReportListing(ctx, a, p.stock, "It is spam")
		})},
	{"take the listing off sale", "remove listing", []string{"asked", "standing", "crossed"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.RemoveListing(ctx, a, p.stock, "Spam")
		})},
	{"allow the buyer's name", "allow order names", []string{"named"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			if _, err := m.Trust.LearnTraders(ctx); err != nil {
				return err
			}
			return m.Moderation.AllowOrderNames(ctx, a, p.order.ID)
		})},
	{"allow the seller's name", "allow offer names", []string{"named"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			if _, err := m.Trust.LearnTraders(ctx); err != nil {
				return err
			}
			return m.Moderation.AllowOfferNames(ctx, a, p.offers[0].ID)
		})},
	{"undo the removal", "undo removal", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.UndoRemoval(ctx, a, p.removals[0])
		})},
	{"block user bob", "block user", []string{"open", "agreed", "listed"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.BlockUser(ctx, a, p.bob.UserID, "Scams")
		})},
	{"unblock user dan", "unblock user", []string{"open", "decided"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.UnblockUser(ctx, a, p.dan.UserID)
		})},
	{"no guests", "set signed-in only", []string{"open"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Trade.SetSignedInOnly(ctx, a, true, "Too many guests")
		})},
	{"programs may trade", "set programs trade", []string{"open"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Trade.SetProgramsTrade(ctx, a, true)
		})},
	{"bob makes a token", "make token", []string{"open", "agreed"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			_, _, err := m.MakeToken(ctx, a, token.Draft{Name: "Bot", Scopes: token.Scopes, Days: 30})
			return err
		})},
	{"bob ends a token", "end token", []string{"open"}, bob, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.EndToken(ctx, a, 1)
		})},
	{"ann makes a webhook", "make webhook", []string{"open", "hooked"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			_, _, err := m.Webhooks.Make(ctx, a,
				webhook.Draft{URL: "https://bot.example.org/", Types: m.Webhooks.Types(false)})
			return err
		})},
	{"ann replaces the secret of a webhook", "replace webhook secret", []string{"hooked"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			_, _, err := m.Webhooks.ReplaceSecret(ctx, a, 1)
			return err
		})},
	{"ann switches a webhook on", "switch webhook on", []string{"hooked"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Webhooks.SwitchOn(ctx, a, 2)
		})},
	{"ann has an event sent again", "send webhook again", []string{"hooked"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Webhooks.SendAgain(ctx, a, 1, p.ping[0])
		})},
	{"ann ends a webhook", "end webhook", []string{"hooked"}, ann, none(
		func(ctx context.Context, m *market.Market, a core.Actor, _ *place) error {
			return m.Webhooks.End(ctx, a, 1)
		})},
	{"vouch for bob", "vouch", []string{"open", "due"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trust.Vouch(ctx, a, p.bob.UserID)
		})},
	{"stop bob's reach", "stop reach", []string{"open", "decided"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.StopReach(ctx, a, p.bob.UserID)
		})},
	{"allow cat's reach", "allow reach", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Moderation.AllowReach(ctx, a, p.cat.UserID)
		})},
	{"set bob aside", "set aside", []string{"suspected"}, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) ([]people.User, error) {
			return m.Trust.SetAside(ctx, a, p.proposal)
		})},
	{"leave bob", "dismiss ring", []string{"suspected"}, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trust.DismissRing(ctx, a, p.proposal)
		})},
	{"count again", "count again", judged, mod, none(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) error {
			return m.Trust.CountAgain(ctx, a, p.ring)
		})},
	{"merge the item", "decide item", judged, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (string, error) {
			item, err := m.Moderation.DecideItem(ctx, a, p.item, moderation.MergeItem, 1)
			return item.Name, err
		})},
	{"confirm the item", "decide item", judged, mod, of(
		func(ctx context.Context, m *market.Market, a core.Actor, p *place) (string, error) {
			item, err := m.Moderation.DecideItem(ctx, a, p.item, moderation.ConfirmItem, 0)
			return item.Name, err
		})},
}

var allWrites = slices.Concat(tradeWrites, handoverWrites, matchWrites, accountWrites, moderatorWrites)

// writesIn returns the writes that a set-up has.
func writesIn(setup string) (some []write) {
	for _, w := range allWrites {
		if slices.Contains(w.setups, setup) {
			some = append(some, w)
		}
	}
	return some
}
