// Package channels shows requests in channels: boards, shared cards, roles to ping and unmet demand. It also
// gives servers' roles to established traders.
package channels

import "tradepost/bot/kernel"

// Channels shows requests in channels.
type Channels struct {
	*kernel.Kernel
	boards Boards
	wanted WantedChannels
	pings  PingRoles
	given  TraderRoles
}

// Store stores boards, shared cards and roles.
type Store interface {
	Boards
	WantedChannels
	PingRoles
	TraderRoles
}

// New returns the handlers of the package on a kernel and a store of boards, shared cards and roles.
func New(k *kernel.Kernel, store Store) Channels {
	return Channels{k, store, store, store, store}
}
