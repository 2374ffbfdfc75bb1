// Package bot answers.
package bot

import "tradepost/core"

// Bot answers players.
type Bot[T any] struct{ market *core.Market }

func (b *Bot[T]) One() core.Order { return b.market.Order() }
func (b *Bot[T]) Two() core.Offer { return b.market.Best() }
func (b *Bot[T]) Three()          {}
