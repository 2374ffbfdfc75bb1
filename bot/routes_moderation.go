package bot

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/core"
)

// moderationBot has what moderators do, and reports.
type moderationBot struct {
	*Kernel
	posts ReportChannels
}

func newModerationBot(k *Kernel, posts ReportChannels) moderationBot { return moderationBot{k, posts} }

func (b moderationBot) moderationRoutes() routes {
	return routes{
		commands: map[string]route{
			"report":                  {do: b.reportRequest},
			"moderate reports":        {do: b.reports, moderates: true},
			"moderate remove":         {do: b.removeNamed, moderates: true},
			"moderate block":          {do: b.blockNamed, moderates: true},
			"moderate set-aside":      {do: b.setAside, moderates: true},
			"moderate rings":          {do: b.rings, moderates: true},
			"moderate vouch":          {do: b.vouchNamed, moderates: true},
			"moderate unblock":        {do: b.unblockNamed, moderates: true},
			"moderate blocked":        {do: b.blockedUsers, moderates: true},
			"moderate log":            {do: b.audit, moderates: true},
			"moderate here":           {do: b.moderateHere, moderates: true},
			"moderate signed-in-only": {do: b.signedInOnly, moderates: true},
			reportThis:                {do: b.reportOnMessage, form: always},
		},
		components: map[string]route{
			"report":        {do: b.reportForm, form: always},
			"reported":      {do: b.reportSubmitted},
			"reports":       {do: b.reportsButton, redraws: true, moderates: true},
			"report-picked": {do: b.reportPicked, redraws: true, moderates: true},
			"dismiss":       {do: b.dismissButton, redraws: true, moderates: true},
			"decide":        {do: b.decideButton, redraws: true, form: decidesWithReason, moderates: true},
			"decided":       {do: b.decideSubmitted, redraws: true, moderates: true},
			"report-open":   {do: b.openReported, moderates: true},
			"stop-reports":  {do: b.stopReports, redraws: true, moderates: true},
			"remove-order":  {do: b.removeOrderForm, form: always, moderates: true},
			"removed-order": {do: b.removeOrderSubmitted, redraws: true, moderates: true},
			"remove-offer":  {do: b.removeOfferForm, form: always, moderates: true},
			"removed-offer": {do: b.removeOfferSubmitted, redraws: true, moderates: true},
			"block":         {do: b.blockForm, form: always, moderates: true},
			"blocked":       {do: b.blockSubmitted, redraws: true, moderates: true},
			"count-again":   {do: b.countAgainButton, redraws: true, moderates: true},
			"vouch":         {do: b.vouchButton, redraws: true, moderates: true},
			"audit":         {do: b.auditButton, redraws: true, moderates: true},
			"undo":          {do: b.undoButton, redraws: true, moderates: true},
		},
		suggestions: map[string]suggester{
			"report request":          b.suggestAnyOrders,
			"moderate remove request": b.suggestAnyOrders,
			"moderate block request":  b.suggestAnyOrders,
			"moderate vouch request":  b.suggestAnyOrders,
			"moderate unblock user":   b.suggestBlocked,
		},
		views: map[byte]viewDrawer{
			'q': func(ctx context.Context, in Input, before, _ int64, note discord.Markdown) (Reply, error) {
				return b.reportsBefore(ctx, in, core.ReportID(before), note)
			},
			'r': func(ctx context.Context, in Input, id, _ int64, note discord.Markdown) (Reply, error) {
				return b.showReport(ctx, in, core.ReportID(id), note)
			},
			'c': func(ctx context.Context, in Input, messageOf, _ int64, _ discord.Markdown) (Reply, error) {
				// Its buttons are in a channel, but anyone can send what they would.
				if err := in.Actor.MustModerate(); err != nil {
					return Reply{}, err
				}
				return b.reportMessageOf(ctx, messageOf)
			},
		},
	}
}
