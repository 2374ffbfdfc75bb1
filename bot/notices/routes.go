package notices

import (
	"context"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/notify"
)

// Routes returns the package's handlers and drawers.
func (b Notices) Routes() kernel.Routes {
	return kernel.Routes{
		Components: map[string]kernel.Route{
			"inbox":        {Do: b.inbox, Redraws: true},
			"inbox-open":   {Do: b.inbox},
			"settings":     {Do: b.settingsButton, Moderates: true},
			"kinds":        {Do: b.kindsPicked, Redraws: true, Write: kernel.PerInteraction, Moderates: true},
			"play-hours":   {Do: b.playHoursButton},
			"hours-picked": {Do: b.playHoursPicked, Redraws: true, Write: kernel.PerDrawing},
			"hours-erased": {Do: b.playHoursErased, Redraws: true, Write: kernel.PerDrawing},
			"gather-offers": {
				Do: b.gatherOffers, Redraws: true, Write: kernel.PerInteraction, Moderates: true,
			},
			"quiet":   {Do: b.quietForm, Form: kernel.Always},
			"quieted": {Do: b.quiet, Redraws: true, Write: kernel.PerInteraction, Moderates: true},
			"test":    {Do: b.sendTest, Write: kernel.PerInteraction},
		},
		Views: map[byte]kernel.ViewDrawer{
			'd': func(ctx context.Context, in kernel.Input, id, _ int64, note discord.Markdown) (kernel.Reply,
				error) {
				d, err := b.Market.Channels.Delivery(ctx, in.Actor, core.DeliveryID(id))
				if err != nil {
					return kernel.Reply{}, err
				}
				return b.DeliveryMessage(in.Tr, d, note), nil
			},
		},
		Messages: map[notify.Kind]kernel.MessageDrawer{notify.NoticeDigest: b.digestDM},
		Answered: []func(context.Context,
			kernel.AnsweredCall){func(ctx context.Context, call kernel.AnsweredCall) {
			if call.In.Interaction.IsCommand() && call.In.Actor.UserID != 0 && call.Reply.Form == nil &&
				call.Name != "/notify" {
				b.remind(ctx, call.Log, call.In, call.In.Actor.UserID)
			}
		}},
	}
}
