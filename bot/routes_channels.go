package bot

import (
	"context"
)

// channelsBot shows requests in channels.
type channelsBot struct {
	*Kernel
	boards Boards
	wanted WantedChannels
	pings  PingRoles
}

// channelStore keeps what channels show.
type channelStore interface {
	Boards
	WantedChannels
	PingRoles
}

func newChannelsBot(k *Kernel, store channelStore) channelsBot {
	return channelsBot{k, store, store, store}
}

func (b channelsBot) channelsRoutes() routes {
	return routes{
		commands: map[string]route{
			"board here":   {do: b.boardHere},
			"board list":   {do: b.boardList},
			"board remove": {do: b.boardRemove},
			"board pings":  {do: b.boardPings},
			"notify pings": {do: b.pingChoices},
			"board wanted": {do: b.boardWanted},
		},
		components: map[string]route{
			"return-boards": {do: b.returnBoards, redraws: true, write: perInteraction},
			"ping":          {do: b.pingPressed},
			"ping-take":     {do: b.pingTaken, redraws: true},
			"ping-drop":     {do: b.pingDropped, redraws: true},
		},
		suggestions: map[string]suggester{
			"board here category-2": b.suggestCategories,
			"board here category-3": b.suggestCategories,
		},
		answered: []func(context.Context, answeredCall){func(ctx context.Context, call answeredCall) {
			if call.reply.shares != nil {
				b.followCard(ctx, call.log, call.in, *call.reply.shares)
			}
		}},
	}
}
