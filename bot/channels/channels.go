package channels

import "tradepost/bot/kernel"

// Channels shows requests in channels.
type Channels struct {
	*kernel.Kernel
	boards Boards
	wanted WantedChannels
	pings  PingRoles
}

// Store keeps what channels show.
type Store interface {
	Boards
	WantedChannels
	PingRoles
}

func New(k *kernel.Kernel, store Store) Channels {
	return Channels{k, store, store, store}
}
