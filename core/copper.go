package core

import (
	"strconv"
	"strings"
	"unicode"
)

// Copper is an amount of money in the smallest coin. Every price and sum in the market is Copper.
type Copper int64

// The coins, each in copper.
const (
	Silver   Copper = 1000
	Gold            = 1000 * Silver
	Platinum        = 1000 * Gold

	// MaxPrice is the most one item may cost: 999p 999g 999s 999c. With MaxQuantity it keeps every sum inside an int64.
	MaxPrice = 1000*Platinum - 1
)

// CoinFormatMessage is what a person reads when an amount cannot be understood.
const CoinFormatMessage = "Invalid format. Use: 1p 500g 250s 100c"

const maxPriceMessage = "Max price must be 999p 999g 999s 999c or less"

var tiers = [...]struct {
	letter byte
	worth  Copper
}{{'p', Platinum}, {'g', Gold}, {'s', Silver}, {'c', 1}}

// String prints the amount by tiers, largest first, leaving zero tiers out: "1p 500g 250s 100c"; nothing at all is "0c".
func (c Copper) String() string {
	if c == 0 {
		return "0c"
	}
	var b strings.Builder
	rest := uint64(c)
	if c < 0 {
		b.WriteByte('-')
		rest = -rest
	}
	first := true
	for _, tier := range tiers {
		count := rest / uint64(tier.worth)
		if rest %= uint64(tier.worth); count == 0 {
			continue
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(strconv.FormatUint(count, 10))
		b.WriteByte(tier.letter)
	}
	return b.String()
}

// ParseCopper reads an amount as people write it: numbers followed by p, g, s or c, in any order, each tier at most once,
// spaces and case ignored, nothing at all meaning 0. Counts of 1000 and more carry over. It refuses anything else with
// Invalid on field, and an amount over MaxPrice likewise.
func ParseCopper(field, text string) (Copper, error) {
	var (
		sum    Copper
		count  Copper
		digits bool
		seen   [len(tiers)]bool
		over   bool
	)
	malformed := invalid(field, CoinFormatMessage)
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
		case '0' <= r && r <= '9':
			digits = true
			if count = count*10 + Copper(r-'0'); count > MaxPrice {
				count, over = MaxPrice, true
			}
		default:
			i := tierOf(r)
			if i < 0 || !digits || seen[i] {
				return 0, malformed
			}
			seen[i] = true
			if worth := tiers[i].worth; count > (MaxPrice-sum)/worth {
				over = true
			} else {
				sum += count * worth
			}
			count, digits = 0, false
		}
	}
	if digits {
		return 0, malformed
	}
	if over {
		return 0, invalid(field, maxPriceMessage)
	}
	return sum, nil
}

func tierOf(r rune) int {
	for i, tier := range tiers {
		if r == rune(tier.letter) || r == rune(tier.letter)-'a'+'A' {
			return i
		}
	}
	return -1
}
