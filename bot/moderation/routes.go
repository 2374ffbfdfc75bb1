package moderation

import (
	"context"

	"tradepost/bot/commands"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
)

// Routes returns the package's handlers and drawers.
func (b Moderation) Routes() kernel.Routes {
	vouching, reaching, listings := vouching{b.Kernel}, reaching{b.Kernel}, listingReports{b}
	return kernel.Routes{
		Commands: map[string]kernel.Route{
			"moderate reports":        {Do: b.reports, Moderates: true},
			"moderate remove":         {Do: listings.removeAny, Moderates: true},
			"moderate block":          {Do: b.ForOpenOrder(b.blockNamed), Moderates: true},
			"moderate rings":          {Do: b.rings, Moderates: true},
			"moderate reach":          {Do: reaching.reach, Moderates: true},
			"moderate vouch":          {Do: vouching.vouch, Moderates: true},
			"moderate unblock":        {Do: b.unblockNamed, Moderates: true},
			"moderate blocked":        {Do: b.blockedUsers, Moderates: true},
			"moderate log":            {Do: b.audit, Moderates: true},
			"moderate here":           {Do: b.moderateHere, Moderates: true},
			"moderate signed-in-only": {Do: b.signedInOnly, Moderates: true},
			"moderate programs":       {Do: b.programs, Moderates: true},
			commands.ReportThis:       {Do: b.reportOnMessage, Form: kernel.Always},
		},
		Components: map[string]kernel.Route{
			"report":          {Do: b.reportForm, Form: kernel.Always},
			"report-listing":  {Do: listings.reportPickedListing, Form: kernel.Always},
			"reported":        {Do: b.reportSubmitted},
			"reports":         {Do: b.reportsButton, Redraws: true, Moderates: true},
			"report-picked":   {Do: b.reportPicked, Redraws: true, Moderates: true},
			"dismiss":         {Do: b.dismissButton, Redraws: true, Moderates: true},
			"decide":          {Do: b.decideButton, Redraws: true, Form: decidesWithReason, Moderates: true},
			"decided":         {Do: b.decideSubmitted, Redraws: true, Moderates: true},
			"report-open":     {Do: b.openReported, Moderates: true},
			"stop-reports":    {Do: b.stopReports, Redraws: true, Moderates: true},
			"remove-order":    {Do: b.removeOrderForm, Form: kernel.Always, Moderates: true},
			"removed-order":   {Do: b.removeOrderSubmitted, Redraws: true, Moderates: true},
			"remove-listing":  {Do: listings.removeListingForm, Form: kernel.Always, Moderates: true},
			"removed-listing": {Do: listings.removeListingSubmitted, Redraws: true, Moderates: true},
			"remove-offer":    {Do: b.removeOfferForm, Form: kernel.Always, Moderates: true},
			"removed-offer":   {Do: b.removeOfferSubmitted, Redraws: true, Moderates: true},
			"block":           {Do: b.blockForm, Form: kernel.Always, Moderates: true},
			"blocked":         {Do: b.blockSubmitted, Redraws: true, Moderates: true},
			"count-again":     {Do: b.countAgainButton, Redraws: true, Moderates: true},
			"set-aside":       {Do: b.setAsideButton, Redraws: true, Moderates: true},
			"leave-ring":      {Do: b.leaveRingButton, Redraws: true, Moderates: true},
			"stop-reach":      {Do: reaching.stopReachButton, Redraws: true, Moderates: true},
			"allow-reach":     {Do: reaching.allowReachButton, Redraws: true, Moderates: true},
			"vouch":           {Do: vouching.vouchButton, Redraws: true, Moderates: true},
			"allow-names":     {Do: b.allowNamesButton, Redraws: true, Moderates: true},
			"audit":           {Do: b.auditButton, Redraws: true, Moderates: true},
			"undo":            {Do: b.undoButton, Redraws: true, Moderates: true},
		},
		Suggestions: map[string]kernel.Suggester{
			"moderate remove request": listings.suggestRemovable,
			"moderate block request":  b.SuggestAnyOrders,
			"moderate vouch request":  b.SuggestAnyOrders,
			"moderate unblock user":   b.suggestBlocked,
		},
		Views: map[byte]kernel.ViewDrawer{
			'q': func(ctx context.Context, in kernel.Input, before, _ int64,
				note discord.Markdown) (kernel.Reply, error) {
				return b.reportsBefore(ctx, in, core.ReportID(before), note)
			},
			'r': func(ctx context.Context, in kernel.Input, id, _ int64, note discord.Markdown) (kernel.Reply,
				error) {
				return b.showReport(ctx, in, core.ReportID(id), note)
			},
			candidatesView[0]: func(ctx context.Context, in kernel.Input, _, _ int64,
				note discord.Markdown) (kernel.Reply, error) {
				return vouching.candidates(ctx, in, note)
			},
			'c': func(ctx context.Context, in kernel.Input, messageOf, _ int64,
				_ discord.Markdown) (kernel.Reply, error) {
				// Its buttons are in a channel, but anyone can send what they would.
				if err := in.Actor.MustModerate(); err != nil {
					return kernel.Reply{}, err
				}
				return b.reportMessageOf(ctx, messageOf)
			},
		},
	}
}
