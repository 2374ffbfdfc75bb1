package bot

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/core"
)

// tradesBot has what two people agreed: receipts, handovers, slips and threads.
type tradesBot struct{ *Kernel }

func newTradesBot(k *Kernel) tradesBot { return tradesBot{k} }

func (b tradesBot) tradesRoutes() routes {
	return routes{
		commands: map[string]route{
			"trade list": {do: b.listTrades},
			"trade with": {do: b.tradeWith},
			"trade name": {do: b.setInGameName},
		},
		components: map[string]route{
			"receipt-picked": {do: b.receiptPicked},
			"receipts":       {do: b.receiptsButton},
			"own-receipt":    {do: b.ownReceipt},
			"own-slip":       {do: b.ownSlip},
			"undo-sale":      {do: b.undoSaleButton, redraws: true},
			"undo-offer":     {do: b.undoOfferButton, redraws: true, write: perDrawing},
			"undo-close":     {do: b.undoCloseButton, redraws: true, write: perDrawing},
			"met":            {do: b.sayButton(core.SaidMet), redraws: true},
			"not-met":        {do: b.sayButton(core.SaidNotMet), redraws: true},
			"later":          {do: b.laterButton, redraws: true},
			"call-off":       {do: b.sayOfOne(core.SaidNotMet), redraws: true, write: perDrawing},
			"met-one":        {do: b.sayOfOne(core.SaidMet), redraws: true, write: perDrawing},
			"not-met-sure":   {do: b.sayAfterAsking(core.SaidNotMet), redraws: true, write: perDrawing},
			"met-sure":       {do: b.sayAfterAsking(core.SaidMet), redraws: true, write: perDrawing},
			"take-back":      {do: b.takeBackButton, redraws: true},
			"trades":         {do: b.tradesButton, redraws: true},
			"trade-picked":   {do: b.tradePicked, redraws: true},
			"meet-by":        {do: b.agreedByPicked, redraws: true, form: picksDate, write: perContent},
			"meet-on":        {do: b.agreedOnSubmitted, redraws: true},
			"slip":           {do: b.slipButton},
			"slip-picked":    {do: b.slipPicked, redraws: true},
			"slip-again":     {do: b.slipRefreshed, redraws: true},
			"slip-met":       {do: b.slipMet, redraws: true},
			"slip-place":     {do: b.slipPlaceForm, form: always},
			"slip-placed":    {do: b.slipPlaced, redraws: true},
			"slip-name":      {do: b.slipNameForm, form: always},
			"slip-named":     {do: b.slipNamed, redraws: true},
		},
		suggestions: map[string]suggester{
			"trade with user": b.suggestPartners,
		},
		views: map[byte]viewDrawer{
			'h': func(ctx context.Context, in Input, place, before int64, note discord.Markdown) (Reply, error) {
				return b.trades(ctx, in, place, core.SaleID(before), note)
			},
			't': func(ctx context.Context, in Input, partner, _ int64, note discord.Markdown) (Reply, error) {
				return b.slip(ctx, in, core.UserID(partner), note)
			},
		},
		messages: map[core.NoticeKind]messageDrawer{core.NoticeHandoverPrompt: b.handoverDM},
		notices: map[core.NoticeKind]noticeDrawer{
			core.NoticeOfferAccepted:     b.acceptedDM,
			core.NoticeStandingAccepted:  b.standingAcceptedDM,
			core.NoticeHandoverCancelled: b.handoverNotice,
			core.NoticeHandoverDisputed:  b.handoverNotice,
			core.NoticeHandoverSettled:   b.handoverNotice,
		},
	}
}
