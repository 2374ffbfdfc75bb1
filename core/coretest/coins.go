package coretest

import "tradepost/core"

// The coins of the game as it comes, each in copper.
const (
	Silver   core.Copper = 1000
	Gold                 = 1000 * Silver
	Platinum             = 1000 * Gold
)
