package items

import (
	"math"

	"tradepost/core"
)

// weighedPrice is a price with its weight. Slices of them are sorted by price.
type weighedPrice struct {
	price  core.Copper
	weight int
}

func weightOf(prices []weighedPrice) (sum, squares int) {
	for _, p := range prices {
		sum += p.weight
		squares += p.weight * p.weight
	}
	return sum, squares
}

// quantile returns the lowest price up to which a share of the weight lies.
func quantile(prices []weighedPrice, share, of int) core.Copper {
	sum, _ := weightOf(prices)
	below := 0
	for _, p := range prices {
		if below += p.weight; below*of >= sum*share {
			return p.price
		}
	}
	return 0
}

// usualFills is how many fills of the usual weight are at or beyond each end of a range.
const usualFills = 2

// ends returns the lowest and the highest price with the weight of usualFills at it or beyond it. The usual
// weight is the mean of the weights, each weighed by itself, so that many fills of little weight do not lower
// it.
func ends(prices []weighedPrice) (lower, upper core.Copper) {
	sum, squares := weightOf(prices)
	above := sum
	for _, p := range prices {
		if lower == 0 && (sum-above+p.weight)*sum >= usualFills*squares {
			lower = p.price
		}
		if above*sum >= usualFills*squares {
			upper = p.price
		}
		above -= p.weight
	}
	return lower, upper
}

// medianOf returns the price in the middle of the weight, or the middle of the two beside it.
func medianOf(prices []weighedPrice) core.Copper {
	sum, _ := weightOf(prices)
	below := 0
	for i, p := range prices {
		if below += p.weight; 2*below == sum {
			return (p.price + prices[i+1].price) / 2
		} else if 2*below > sum {
			return p.price
		}
	}
	return 0
}

// medianInterval returns between which prices the true median lies, 90 times of 100 or more. They are order
// statistics: of n prices, as many as a fair coin thrown n times shows heads at least 95 times of 100 are
// on either side. Weighed prices say as much as (sum of weights)²/(sum of squares) equal ones. Both are
// zero below five.
func medianInterval(prices []weighedPrice) (from, to core.Copper) {
	sum, squares := weightOf(prices)
	if sum == 0 {
		return 0, 0
	}
	n := sum * sum / squares
	rank := intervalRank(n)
	if rank == 0 {
		return 0, 0
	}
	below := 0
	for _, p := range prices {
		// More than so many prices are on this side: with unequal weights that is the wider choice.
		if from == 0 && (below+p.weight)*n > (rank-1)*sum {
			from = p.price
		}
		if (sum-below)*n > (rank-1)*sum {
			to = p.price
		}
		below += p.weight
	}
	return from, to
}

// intervalRank returns the greatest rank of n prices below which the median lies at most 5 times of 100;
// zero when there is none.
func intervalRank(n int) int {
	if n > 1000 { // where 2^-n is too small, the normal distribution is near enough
		return int((float64(n) - 1.645*math.Sqrt(float64(n))) / 2)
	}
	exactly := math.Pow(0.5, float64(n)) // the chance of k heads
	upTo := exactly
	k := 0
	for ; upTo <= 0.05 && k < n; k++ {
		exactly *= float64(n-k) / float64(k+1)
		upTo += exactly
	}
	return k
}
