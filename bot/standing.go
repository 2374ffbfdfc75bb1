package bot

import (
	"context"
	"strconv"
	"time"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

func idText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }

// standingDays is for how long offers are accepted as they come when nothing is said.
const standingDays = 3

// setStanding has offers on a request accepted as they come, or ends that when nothing is to be taken.
func (b offersBot) setStanding(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	number := func(name string, usual int) int {
		if n, ok := parseQuantity(in.text(name)); ok {
			return n
		}
		return usual
	}
	fromPartners, fromOthers := number("take", 0), number("from-others", 0)
	if fromPartners == 0 && fromOthers == 0 {
		if err := b.market.EndStanding(ctx, in.Actor, order.ID); err != nil {
			return Reply{}, err
		}
		return private(in.tr.text(msg.StandingEnded, order.ItemName)), nil
	}
	set, err := b.market.SetStanding(ctx, in.Actor, order.ID, core.StandingDraft{
		Partners: number("partners", core.RecordPartners), FromPartners: fromPartners, FromOthers: fromOthers,
		Until: b.now().Add(time.Duration(number("days", standingDays)) * 24 * time.Hour),
	})
	if err != nil {
		return Reply{}, err
	}
	return private(standingSet(in.tr, order.ItemName, set)), nil
}

// standingSet says from whom how much is accepted automatically; nothing of those from whom it is none.
func standingSet(t translator, item string, set core.StandingAcceptance) discord.Markdown {
	partners, until := t.text(msg.RecordPartners, set.Partners), timestamp(set.Until)
	switch {
	case set.FromPartners == 0:
		return t.text(msg.StandingSetAll, item, set.FromOthers, until)
	case set.FromOthers == 0:
		return t.text(msg.StandingSetPartners, item, set.FromPartners, partners, until)
	}
	return t.text(msg.StandingSet, item, set.FromPartners, partners, set.FromOthers, until)
}

// setLeastRecord sets what sellers on a request need, or that they need nothing.
func (b offersBot) setLeastRecord(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.ownOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	var least core.LeastRecord
	least.Partners, _ = parseQuantity(in.text("partners"))
	if least.Partners > 0 {
		least.NewUpTo, _ = parseQuantity(in.text("new-up-to"))
	}
	if err := b.market.SetLeastRecord(ctx, in.Actor, order.ID, least); err != nil {
		return Reply{}, err
	}
	if least.Partners == 0 {
		return private(in.tr.text(msg.LeastRecordOff, order.ItemName)), nil
	}
	if least.NewUpTo == 0 {
		return private(in.tr.text(msg.LeastRecordOnly, order.ItemName, in.tr.text(msg.RecordPartners, least.Partners))), nil
	}
	return private(in.tr.text(msg.LeastRecordSet, order.ItemName, in.tr.text(msg.RecordPartners, least.Partners), least.NewUpTo)), nil
}
