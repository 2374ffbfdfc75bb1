// Package channels shows requests in channels: boards, shared cards, roles to ping and unmet demand.
package channels

import "tradepost/bot/kernel"

// Channels shows requests in channels.
type Channels struct {
	*kernel.Kernel
	boards Boards
	wanted WantedChannels
	pings  PingRoles
}

// Store stores boards, shared cards and ping roles.
type Store interface {
	Boards
	WantedChannels
	PingRoles
}

// New returns the handlers of the package on a kernel and a store of boards, shared cards and ping roles.
func New(k *kernel.Kernel, store Store) Channels {
	return Channels{k, store, store, store}
}
