package core

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Copper is an amount of money in the smallest coin. Every price and sum in the market is Copper. Which coins there are
// above it is for the game to say.
type Copper int64

// MaxPrice is the most one item may cost, whatever the coins are: 999p 999g 999s 999c of the game as it comes. With
// MaxQuantity it keeps every sum inside an int64.
const MaxPrice Copper = 999_999_999_999

// Counted is how many of a coin an amount holds.
type Counted struct {
	Coin
	Count uint64
}

// String prints the amount by coins, largest first, leaving those out of which there is none: "1p 500g 250s 100c";
// nothing at all is "0c".
func (c Copper) String() string { return played.print(c) }

// Coins returns what the amount is made of, as String prints it. Of an amount below zero it is without the sign.
func (c Copper) Coins() []Counted { return played.count(c) }

// ParseCopper reads an amount as people write it: numbers followed by the letter of a coin, in any order, each coin at most
// once, spaces and case ignored, nothing at all meaning 0. Counts of 1000 and more carry over. It refuses anything else with
// Invalid on field, and an amount over MaxPrice likewise.
func ParseCopper(field, text string) (Copper, error) { return played.ParseCopper(field, text) }

// maxPriceMessage is what a person reads when a price is too high.
func maxPriceMessage() string { return played.tooMuchMessage() }

func (g Game) tooMuchMessage() string {
	return fmt.Sprintf("Max price must be %s or less", g.print(MaxPrice))
}

func (g Game) count(c Copper) []Counted {
	rest := uint64(c)
	if c < 0 {
		rest = -rest
	}
	coins := g.Coins
	all := make([]Counted, 0, len(coins))
	for _, coin := range coins {
		count := rest / uint64(coin.Worth)
		if rest %= uint64(coin.Worth); count > 0 {
			all = append(all, Counted{coin, count})
		}
	}
	if len(all) == 0 {
		all = append(all, Counted{Coin: coins[len(coins)-1]})
	}
	return all
}

func (g Game) print(c Copper) string {
	var b strings.Builder
	if c < 0 {
		b.WriteByte('-')
	}
	for i, coin := range g.count(c) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatUint(coin.Count, 10))
		b.WriteString(coin.Letter)
	}
	return b.String()
}

// ParseCopper is the function of that name by the coins of this game, whichever is played.
func (g Game) ParseCopper(field, text string) (Copper, error) {
	var (
		sum    Copper
		count  Copper
		digits bool
		seen   [MaxCoins]bool
		over   bool
	)
	malformed := func() error { return invalid(field, fmt.Sprintf("Invalid format. Use: %s", g.Example)) }
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
		case '0' <= r && r <= '9':
			digits = true
			if count = count*10 + Copper(r-'0'); count > MaxPrice {
				count, over = MaxPrice, true
			}
		default:
			i := g.coin(r)
			if i < 0 || !digits || seen[i] {
				return 0, malformed()
			}
			seen[i] = true
			if worth := g.Coins[i].Worth; count > (MaxPrice-sum)/worth {
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
		return 0, invalid(field, g.tooMuchMessage())
	}
	return sum, nil
}

// coin finds the one that a letter stands for.
func (g Game) coin(r rune) int {
	for i, coin := range g.Coins {
		if letter := rune(coin.Letter[0]); r == letter || r == letter^' ' { // the other case of an ASCII letter
			return i
		}
	}
	return -1
}
