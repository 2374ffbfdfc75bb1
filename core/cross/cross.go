// Package cross decides which standing requests and listings trade. A request stands while its buyer takes
// offers as they come, and a listing while its seller sells without being asked.
package cross

import (
	"cmp"
	"time"

	"tradepost/core"
)

const (
	// MaxTrades is how many rows of the other side one row trades with at once.
	MaxTrades = 10
	// MaxUndone is how many such trades a user undoes in 24 hours before their rows cross no more.
	MaxUndone = 3
)

// Side is the side of a row that came later.
type Side bool

// The sides.
const (
	Request Side = false
	Listing Side = true
)

// Pair is a standing request and a standing listing of its item, with the facts that decide whether they
// trade.
type Pair struct {
	Request core.OrderID
	Buyer   core.UserID
	Needs   int         // how many the request still asks for
	Most    core.Copper // its price for one
	Posted  time.Time

	Listing       core.StockID
	Seller        core.UserID
	Left          int         // how many can be asked for
	Today         int         // how many are still sold unasked in these 24 hours
	Price         core.Copper // for one
	Listed        time.Time
	Name, Contact string // of the seller

	Chosen                 bool // the seller is one of those that the buyer has chosen
	FromChosen, FromOthers int  // how many the buyer still takes of these, and of all others
	UpTo                   int  // the most that the request takes of this seller at once

	Apart   bool // one has blocked the other, a moderator has blocked one, or one leaves
	Undone  bool // the two rows have crossed, and that was undone
	Offered bool // the seller has an open offer on the request, which waits for the buyer

	BuyerUndid, SellerUndid int // how many crossings each has undone in the last 24 hours
}

// Trade is an agreement of two rows.
type Trade struct {
	Pair
	Quantity int
	Unit     core.Copper // the price paid for one
	AsChosen bool        // it counts among what is taken of chosen sellers
}

// Decide returns the trades of the row that came later, which is in every pair, in their order: the best
// price for it first, then a row that fills it whole, then the oldest. Each is at the price of the row that
// was there before.
func Decide(later Side, pairs []Pair) (trades []Trade) {
	pairs = append([]Pair(nil), pairs...)
	for len(trades) < MaxTrades {
		best := -1
		for i, p := range pairs {
			if p.room() > 0 && (best < 0 || p.before(pairs[best], later)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		made := pairs[best].trade(later)
		trades = append(trades, made)
		for i := range pairs {
			pairs[i].after(made)
		}
		pairs[best].Apart = true // once at a time
	}
	return trades
}

// room is how many the two may trade.
func (p Pair) room() int {
	if p.Apart || p.Undone || p.Offered || p.Buyer == p.Seller || p.Price > p.Most ||
		p.BuyerUndid >= MaxUndone || p.SellerUndid >= MaxUndone {
		return 0
	}
	takes := p.FromOthers
	if p.Chosen {
		takes = max(takes, p.FromChosen)
	}
	return max(0, min(p.Needs, p.Left, p.Today, takes, p.UpTo))
}

// before reports whether the row that came later trades with p rather than with other.
func (p Pair) before(other Pair, later Side) bool {
	if later == Listing {
		return cmp.Or(
			cmp.Compare(other.Most, p.Most),
			cmp.Compare(other.whole(later), p.whole(later)),
			p.Posted.Compare(other.Posted), cmp.Compare(p.Request, other.Request)) < 0
	}
	return cmp.Or(
		cmp.Compare(p.Price, other.Price),
		cmp.Compare(other.whole(later), p.whole(later)),
		p.Listed.Compare(other.Listed), cmp.Compare(p.Listing, other.Listing)) < 0
}

// whole is 1 where nothing of the row that came later would be left, else 0.
func (p Pair) whole(later Side) int {
	all := p.Needs
	if later == Listing {
		all = min(p.Left, p.Today)
	}
	if p.room() == all {
		return 1
	}
	return 0
}

func (p Pair) trade(later Side) Trade {
	t := Trade{Pair: p, Quantity: p.room(), Unit: p.Price}
	if later == Listing {
		t.Unit = p.Most
	}
	t.AsChosen = p.Chosen && t.Quantity <= p.FromChosen
	return t
}

// after subtracts a trade from the row that it shares with the pair.
func (p *Pair) after(t Trade) {
	if p.Request == t.Request {
		p.Needs -= t.Quantity
		if t.AsChosen {
			p.FromChosen -= t.Quantity
		} else {
			p.FromOthers -= t.Quantity
		}
	}
	if p.Listing == t.Listing {
		p.Left -= t.Quantity
		p.Today -= t.Quantity
	}
}
