package offers

import (
	"fmt"
	"slices"

	"tradepost/core"
)

func offersView(id core.OrderID, page int) string { return fmt.Sprintf("l%d.%d", id, page) }

// waitingView is the list of received offers after a place.
func waitingView(after core.ReceivedPlace) string {
	return fmt.Sprintf("w%d.%d", after.Order, after.Offer)
}

// sentView is a part of one's own offers below an id.
func sentView(before core.OfferID, part core.SentPart) string {
	return fmt.Sprintf("s%d.%d", before, slices.Index(sentParts, part))
}
