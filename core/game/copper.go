package game

import (
	"math/big"
	"strconv"
	"strings"

	"tradepost/core"
)

// CoinCount is how many of a coin an amount contains.
type CoinCount struct {
	Coin
	Count uint64
}

// TooMuchMessage says how much a price may be at most.
func (g Game) TooMuchMessage() core.Text {
	return core.NewText("max_price_over", "price", g.Format(core.MaxPrice))
}

// InCoins returns the coins of an amount, as Format prints them. A negative amount loses its sign.
func (g Game) InCoins(c core.Copper) []CoinCount {
	rest := uint64(c)
	if c < 0 {
		rest = -rest
	}
	coins := g.Coins
	all := make([]CoinCount, 0, len(coins))
	for _, coin := range coins {
		count := rest / uint64(coin.Worth)
		if rest %= uint64(coin.Worth); count > 0 {
			all = append(all, CoinCount{coin, count})
		}
	}
	if len(all) == 0 {
		all = append(all, CoinCount{Coin: coins[len(coins)-1]})
	}
	return all
}

// Format prints an amount by coins, largest first, and leaves out coins with a count of zero: "1p 500g 250s
// 100c"; zero is "0c". Users type amounts in the same form; see Print for amounts that are only displayed.
func (g Game) Format(c core.Copper) string {
	return g.Print(c, func(count uint64) string { return strconv.FormatUint(count, 10) })
}

// Print is Format with counts as a language writes them, such as with separators of thousands.
func (g Game) Print(c core.Copper, number func(uint64) string) string {
	var b strings.Builder
	if c < 0 {
		b.WriteByte('-')
	}
	for i, coin := range g.InCoins(c) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(number(coin.Count))
		b.WriteString(coin.Letter)
	}
	return b.String()
}

// ParseCopper reads an amount as people write it: numbers followed by the letter of a coin, in any order,
// each coin at most once, ASCII spaces and case ignored, nothing at all meaning 0. Counts of 1000 and more
// carry over. It returns Invalid on field for anything else, and for an amount over MaxPrice.
func (g Game) ParseCopper(field, text string) (core.Copper, error) {
	var (
		sum    core.Copper
		count  core.Copper
		digits bool
		seen   [MaxCoins]bool
		over   bool
	)
	malformed := func() error {
		return core.NewFieldError(field, core.NewText("price_format", "example", g.Example))
	}
	for _, r := range text {
		switch {
		case r == ' ', '\t' <= r && r <= '\r': // ASCII's
		case '0' <= r && r <= '9':
			digits = true
			if count = count*10 + core.Copper(r-'0'); count > core.MaxPrice {
				count, over = core.MaxPrice, true
			}
		default:
			i := g.coin(r)
			if i < 0 || !digits || seen[i] {
				return 0, malformed()
			}
			seen[i] = true
			if worth := g.Coins[i].Worth; count > (core.MaxPrice-sum)/worth {
				over = true
			} else {
				sum += count * worth
			}
			count, digits = 0, false
		}
	}
	if digits {
		return 0, malformed()
	}
	if over {
		return 0, core.NewFieldError(field, g.TooMuchMessage())
	}
	return sum, nil
}

// coin returns the coin with the letter.
func (g Game) coin(r rune) int {
	for i, coin := range g.Coins {
		// the other case of an ASCII letter
		if letter := rune(coin.Letter[0]); r == letter || r == letter^' ' {
			return i
		}
	}
	return -1
}

// PrintSum is Print for a sum of any size.
func (g Game) PrintSum(sum *big.Int, number func(uint64) string) string {
	if sum.IsInt64() {
		return g.Print(core.Copper(sum.Int64()), number)
	}
	// The largest coin's count alone may be longer than a Copper; the rest is shorter.
	largest := big.NewInt(int64(g.Coins[0].Worth))
	count, rest := new(big.Int).QuoRem(new(big.Int).Abs(sum), largest, new(big.Int))
	text := count.String()
	if count.IsUint64() {
		text = number(count.Uint64())
	}
	text += g.Coins[0].Letter
	if sum.Sign() < 0 {
		text = "-" + text
	}
	if rest.Sign() != 0 {
		text += " " + g.Print(core.Copper(rest.Int64()), number)
	}
	return text
}
