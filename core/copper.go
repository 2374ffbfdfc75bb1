package core

// Copper is an amount of money in the smallest coin. Every price and sum in the market is Copper. Which
// coins there are above it is for the game to say.
type Copper int64

// MaxPrice is the most one item may cost, whatever the coins are: 999p 999g 999s 999c of the game as it
// comes. With MaxQuantity it keeps every sum inside an int64.
const MaxPrice Copper = 999_999_999_999
