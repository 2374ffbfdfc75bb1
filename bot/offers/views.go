package offers

import (
	"fmt"
	"slices"

	"tradepost/core"
	"tradepost/core/trade"
)

func offersView(id core.OrderID, page int) string { return fmt.Sprintf("l%d.%d", id, page) }

// waitingView is the list of received offers after a place.
func waitingView(after trade.ReceivedPlace) string {
	return fmt.Sprintf("w%d.%d", after.Order, after.Offer)
}

// sentView is a part of one's own offers below an id.
func sentView(before core.OfferID, part trade.SentPart) string {
	return fmt.Sprintf("s%d.%d", before, slices.Index(sentParts, part))
}
