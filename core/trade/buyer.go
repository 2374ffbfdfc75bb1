package trade

import (
	"math"
	"time"

	"tradepost/core"
)

// Buyer holds the facts about a user who posts, edits or renews an order.
type Buyer struct {
	Blocked bool      // by a moderator
	Leaving time.Time // since when they are; zero when not
	Since   time.Time // when the account first came to this market
	Open    int       // their other open orders, counted up to Quotas.OpenRequests
	// when their latest orders were posted, newest first, deleted ones too; up to Quotas.PostsToRead
	Posted []time.Time
	// another of their open orders that equals this one in every posted field; zero for none
	Same core.OrderID
}

// mayHave returns Conflict when the buyer has an open order that equals o.
func (b Buyer) mayHave(o Order) error {
	if b.Same == 0 {
		return nil
	}
	err := core.NewError(core.Conflict, core.NewText("request_duplicate", "item", o.ItemName,
		"number", b.Same))
	err.Code, err.Order = CodeDuplicate, b.Same
	return err
}

// CodeDuplicate is the code of an Error about an order that its buyer has open already.
const CodeDuplicate = "duplicate"

// PostsToRead is how many of a buyer's latest posts decide whether they may post again.
func PostsToRead(q core.Quotas) int {
	if q.NewRequests.Limit == 0 {
		return 0
	}
	return max(q.NewRequests.Limit, core.LimitFirstDay.Limit)
}

// mayPost returns TooMany when the buyer has posted as much as the quotas allow.
func mayPost(q core.Quotas, b Buyer, now time.Time) error {
	if err := mayOpen(q, b); err != nil {
		return err
	}
	wait := q.NewRequests.Wait(b.Posted, now)
	if ends := b.Since.Add(core.LimitFirstDay.Per); q.NewRequests.Limit > 0 && now.Before(ends) &&
		len(b.Posted) >= core.LimitFirstDay.Limit {
		wait = max(wait, ends.Sub(now))
	}
	if wait > 0 {
		return core.LimitRequests.Over(wait, "wait", core.RoundUp(wait))
	}
	return nil
}

// mayPostList returns TooMany when the buyer may not post a list of so many orders. It counts as one post,
// has no more orders than they may open, and no more than they have posts left.
func mayPostList(q core.Quotas, b Buyer, orders int, now time.Time) error {
	if err := mayOpenList(q, b, orders); err != nil {
		return err
	}
	if err := mayPost(q, b, now); err != nil {
		return err
	}
	if left := b.postsLeft(q, now); orders > left {
		return saying(core.LimitRequests.Over(0),
			core.NewText("quota_list_posts", "left", left, "lines", left))
	}
	return nil
}

// PlanSize says how many requests a plan posts, how many sellers it asks or buys from, and how many of its
// asks wait for an answer.
type PlanSize struct{ Requests, Sellers, Waiting int }

// mayPostPlan returns TooMany when the buyer may not post a plan of this size, given when they posted their
// latest list. It counts as one post, and each request and each waiting ask of it as an open one. The first
// list within the time of the quota may be of any size; in others, and on the first day of an account, each
// seller and each request needs a post that is left.
func mayPostPlan(q core.Quotas, b Buyer, size PlanSize, latestList, now time.Time) error {
	if err := mayOpenList(q, b, size.Requests+size.Waiting); err != nil {
		return err
	}
	if err := mayPost(q, b, now); err != nil {
		return err
	}
	left := b.postsLeft(q, now)
	wait := max(latestList.Add(q.NewRequests.Per).Sub(now), b.Since.Add(core.LimitFirstDay.Per).Sub(now))
	if size.Requests+size.Sellers <= left || wait <= 0 {
		return nil
	}
	return saying(core.LimitRequests.Over(wait), core.NewText("quota_plan", "sellers", size.Sellers,
		"requests", size.Requests, "left", left, "wait", core.RoundUp(wait)))
}

// mayOpenList returns TooMany when the buyer may not have so many more requests open.
func mayOpenList(q core.Quotas, b Buyer, orders int) error {
	if q.OpenRequests > 0 && b.Open+orders > q.OpenRequests {
		return saying(core.LimitOpenRequests.Over(0), core.NewText("quota_list", "open", b.Open,
			"limit", q.OpenRequests, "lines", max(q.OpenRequests-b.Open, 0)))
	}
	return nil
}

func saying(err *core.Error, text core.Text) *core.Error {
	err.Text, err.Message = text, text.String()
	return err
}

// postsLeft is how many requests the buyer may post now, one at a time.
func (b Buyer) postsLeft(q core.Quotas, now time.Time) int {
	if q.NewRequests.Limit == 0 {
		return math.MaxInt
	}
	used := 0
	for _, at := range b.Posted {
		if at.Add(q.NewRequests.Per).After(now) {
			used++
		}
	}
	left := q.NewRequests.Limit - used
	if now.Before(b.Since.Add(core.LimitFirstDay.Per)) {
		left = min(left, core.LimitFirstDay.Limit-len(b.Posted))
	}
	return max(left, 0)
}

// mayOpen returns TooMany when the buyer has as many open requests as the quotas allow.
func mayOpen(q core.Quotas, b Buyer) error {
	if q.OpenRequests > 0 && b.Open >= q.OpenRequests {
		return core.LimitOpenRequests.Over(0, "count", b.Open)
	}
	return nil
}

// mayOffer returns TooMany when the seller has sent as many offers as the quotas allow.
func mayOffer(q core.Quotas, s Seller, now time.Time) error {
	if err := core.LimitOffersHere.Check(q.OffersPerRequest, s.SentHere, now); err != nil {
		return err
	}
	return core.LimitOffers.Check(q.Offers, s.Sent, now)
}
