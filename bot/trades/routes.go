package trades

import (
	"context"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// Routes returns the package's handlers and drawers.
func (b Trades) Routes() kernel.Routes {
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			commands.OpenBetween: {Do: b.openBetween},
		},
		Components: map[string]kernel.Route{
			"receipt-picked": {Do: b.receiptPicked},
			"receipts":       {Do: b.receiptsButton},
			"own-receipt":    {Do: b.ownReceipt},
			"own-slip":       {Do: b.ownSlip},
			"undo-sale":      {Do: b.undo(core.UndoSale), Redraws: true},
			"undo-offer":     {Do: b.undo(core.UndoOffer), Redraws: true, Write: kernel.PerDrawing},
			"undo-close":     {Do: b.undo(core.UndoClose), Redraws: true, Write: kernel.PerDrawing},
			"met":            {Do: b.sayButton(trade.SaidMet), Redraws: true},
			"not-met":        {Do: b.sayButton(trade.SaidNotMet), Redraws: true},
			"later":          {Do: b.laterButton, Redraws: true},
			"call-off":       {Do: b.sayOfOne(trade.SaidNotMet), Redraws: true, Write: kernel.PerDrawing},
			"met-one":        {Do: b.sayOfOne(trade.SaidMet), Redraws: true, Write: kernel.PerDrawing},
			"not-met-sure": {Do: b.sayAfterAsking(trade.SaidNotMet), Redraws: true,
				Write: kernel.PerDrawing},
			"met-sure":     {Do: b.sayAfterAsking(trade.SaidMet), Redraws: true, Write: kernel.PerDrawing},
			"take-back":    {Do: b.takeBackButton, Redraws: true},
			"trades":       {Do: b.tradesButton, Redraws: true},
			"trade-picked": {Do: b.tradePicked, Redraws: true},
			"meet-by":      {Do: b.agreedByPicked, Redraws: true, Form: picksDate, Write: kernel.PerContent},
			"meet-on":      {Do: b.agreedOnSubmitted, Redraws: true},
			"meet-works":   {Do: meetings{b}.works, Redraws: true, Write: kernel.PerDrawing},
			"meet-other":   {Do: meetings{b}.other, Redraws: true, Write: kernel.PerDrawing},
			"meet-at":      {Do: meetings{b}.form, Form: kernel.Always},
			"meet-chosen":  {Do: meetings{b}.chosen, Redraws: true, Write: kernel.PerContent},
			"slip":         {Do: b.slipButton},
			"slip-picked":  {Do: b.slipPicked, Redraws: true},
			"slip-again":   {Do: b.slipRefreshed, Redraws: true},
			"slip-met":     {Do: b.slipMet, Redraws: true},
			"slip-place":   {Do: b.slipPlaceForm, Form: kernel.Always},
			"slip-placed":  {Do: b.slipPlaced, Redraws: true},
			"slip-name":    {Do: b.slipNameForm, Form: kernel.Always},
			"slip-named":   {Do: b.slipNamed, Redraws: true},
			"game-name":    {Do: b.nameForm, Form: kernel.Always},
			"game-named":   {Do: b.setInGameName, Write: kernel.PerContent},

			kernel.PanelTrades: {Do: b.listTrades},
		},
		Views: map[byte]kernel.ViewDrawer{
			'h': func(ctx context.Context, in kernel.Input, place, before int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.trades(ctx, in, place, core.SaleID(before), note)
			},
			't': func(ctx context.Context, in kernel.Input, partner, _ int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.slip(ctx, in, core.UserID(partner), note)
			},
		},
		Messages: map[notify.Kind]kernel.MessageDrawer{notify.NoticeHandoverPrompt: b.handoverDM},
		Notices: map[notify.Kind]kernel.NoticeDrawer{
			notify.NoticeOfferAccepted:     b.acceptedDM,
			notify.NoticeStandingAccepted:  b.standingAcceptedDM,
			notify.NoticeListingSold:       b.listingSoldDM,
			notify.NoticeAskAccepted:       b.askAcceptedDM,
			notify.NoticeHandoverCancelled: b.handoverNotice,
			notify.NoticeHandoverDisputed:  b.handoverNotice,
			notify.NoticeHandoverSettled:   b.handoverNotice,
			notify.NoticeMeetingTime:       b.meetingDM,
			notify.NoticeMeetingSoon:       b.meetingDM,
		},
	}
}
