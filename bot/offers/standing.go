package offers

import (
	"context"
	"time"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// standingDays is for how long offers are accepted as they come when nothing is said.
const standingDays = 3

// setStanding has offers on a request accepted as they come, or ends that when nothing is to be taken.
func (b terms) setStanding(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	number := func(name string, usual int) int {
		if n, ok := kernel.ParseQuantity(in.Text(name)); ok {
			return n
		}
		return usual
	}
	fromPartners, fromOthers := number("take", 0), number("from-others", 0)
	if fromPartners == 0 && fromOthers == 0 {
		if err := b.Market.Trade.EndStanding(ctx, in.Actor, o.ID); err != nil {
			return kernel.Reply{}, err
		}
		return kernel.Private(in.Tr.Text(msg.StandingEnded, "item", o.ItemName)), nil
	}
	chosen := trade.Sellers(in.Text("sellers"))
	switch {
	case chosen == trade.SellersAnybody:
		fromPartners, fromOthers = 0, fromPartners+fromOthers
	case in.Text("from-others") == "" && chosen != trade.SellersMet:
		asked, err := b.Market.Trade.Terms(ctx, in.Actor, o.ID)
		if err != nil {
			return kernel.Reply{}, err
		}
		_, fromOthers = trade.UsualSellers(asked.Young, fromPartners)
	}
	set, err := b.Market.Trade.SetStanding(ctx, in.Actor, o.ID, trade.StandingDraft{
		Sellers: chosen, FromPartners: fromPartners, FromOthers: fromOthers,
		Until: b.Now().Add(time.Duration(number("days", standingDays)) * 24 * time.Hour),
	})
	if err != nil {
		return kernel.Reply{}, err
	}
	return kernel.Private(standingSet(in.Tr, o.ItemName, set)), nil
}

// standingSet lists the quantities that are accepted automatically, by kind of seller; it leaves out a zero
// quantity.
func standingSet(t kernel.Translator, item string, set trade.StandingAcceptance) discord.Markdown {
	these, until := sellersAsked(t, set.Sellers), kernel.Timestamp(set.Until)
	switch {
	case set.FromPartners == 0:
		return t.Text(msg.StandingSetAll, "item", item, "othersQuantity", set.FromOthers, "end", until)
	case set.FromOthers == 0:
		return t.Text(msg.StandingSetPartners, "item", item, "quantity", set.FromPartners, "sellers", these,
			"end", until)
	}
	return t.Text(msg.StandingSet, "item", item, "quantity", set.FromPartners, "sellers", these,
		"othersQuantity", set.FromOthers, "end", until)
}

// setLeastRecord sets what sellers on a request need, or that they need nothing.
func (b terms) setLeastRecord(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	var least trade.LeastRecord
	least.Sellers = trade.Sellers(in.Text("sellers"))
	least.NewUpTo, _ = kernel.ParseQuantity(in.Text("new-up-to"))
	if err := b.Market.Trade.SetLeastRecord(ctx, in.Actor, o.ID, least); err != nil {
		return kernel.Reply{}, err
	}
	if least == (trade.LeastRecord{}) {
		return kernel.Private(in.Tr.Text(msg.LeastRecordOff, "item", o.ItemName)), nil
	}
	asked, err := b.Market.Trade.Terms(ctx, in.Actor, o.ID) // where none were named: the usual sellers
	if err != nil {
		return kernel.Reply{}, err
	}
	least = asked.Least
	switch {
	case least.Sellers == trade.SellersAnybody:
		return kernel.Private(in.Tr.Text(msg.LeastRecordAnybody, "item", o.ItemName,
			"quantity", least.NewUpTo)), nil
	case least.NewUpTo == 0:
		return kernel.Private(in.Tr.Text(msg.LeastRecordOnly, "item", o.ItemName,
			"sellers", sellersAsked(in.Tr, least.Sellers))), nil
	}
	return kernel.Private(in.Tr.Text(msg.LeastRecordSet, "item", o.ItemName,
		"sellers", sellersAsked(in.Tr, least.Sellers),
		"quantity", least.NewUpTo)), nil
}

// sellersAsked names those that a buyer asks for.
func sellersAsked(t kernel.Translator, s trade.Sellers) discord.Markdown {
	if s == trade.SellersMet {
		return t.Text(msg.SellersMet)
	}
	return t.Text(msg.SellersTrusted)
}
