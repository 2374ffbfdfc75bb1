package core

import (
	"time"
)

// Buyer is what the market knows of a user who posts, edits or renews an order.
type Buyer struct {
	Blocked bool        // by a moderator
	Leaving time.Time   // since when they are; zero when not
	Since   time.Time   // when the account first came to this market
	Open    int         // their other open orders, counted up to Quotas.OpenRequests
	Posted  []time.Time // when their latest orders were posted, newest first, deleted ones too; up to Quotas.PostsToRead
	Same    OrderID     // another of their open orders that equals this one in every posted field; zero for none
}

// mayHave returns Conflict when the buyer has an open order that equals o.
func (b Buyer) mayHave(o Order) error {
	if b.Same == 0 {
		return nil
	}
	err := NewError(Conflict, NewText("request_duplicate",
		"You already have this request open: %s (number %v). Change something, or use that one.", o.ItemName, b.Same))
	err.Code, err.Order = CodeDuplicate, b.Same
	return err
}

// CodeDuplicate is the code of an Error about an order that its buyer has open already.
const CodeDuplicate = "duplicate"
