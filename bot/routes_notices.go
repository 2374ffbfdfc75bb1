package bot

import (
	"context"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
)

// noticesBot shows and sends notices.
type noticesBot struct {
	*Kernel
	reminded *reminders
}

func newNoticesBot(k *Kernel) noticesBot { return noticesBot{k, &reminders{}} }

func (b noticesBot) noticesRoutes() routes {
	return routes{
		commands: map[string]route{
			"notify settings": {do: b.notifySettings, moderates: true},
			"notify quiet":    {do: b.quiet, moderates: true},
			"notify test":     {do: b.sendTest},
			"notify inbox":    {do: b.inbox},
		},
		components: map[string]route{
			"inbox":    {do: b.inbox, redraws: true},
			"settings": {do: b.settingsButton, moderates: true},
			"kinds":    {do: b.kindsPicked, redraws: true, write: perInteraction, moderates: true},
			"quiet":    {do: b.quietForm, form: always},
			"quieted":  {do: b.quiet, redraws: true, write: perInteraction, moderates: true},
			"test":     {do: b.sendTest, write: perInteraction},
		},
		suggestions: map[string]suggester{
			"notify quiet zone": suggestZones,
		},
		views: map[byte]viewDrawer{
			'd': func(ctx context.Context, in Input, id, _ int64, note discord.Markdown) (Reply, error) {
				d, err := b.market.Delivery(ctx, in.Actor, core.DeliveryID(id))
				if err != nil {
					return Reply{}, err
				}
				return b.deliveryMessage(in.tr, d, note), nil
			},
		},
		messages: map[core.NoticeKind]messageDrawer{core.NoticeDigest: b.digestDM},
		answered: []func(context.Context, answeredCall){func(ctx context.Context, call answeredCall) {
			if call.in.i.IsCommand() && call.user != 0 && call.reply.form == nil && !strings.HasPrefix(call.name, "/notify") {
				b.remind(ctx, call.log, call.in, call.user)
			}
		}},
	}
}
