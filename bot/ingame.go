package bot

import (
	"strings"

	"tradepost/core"
)

// What the game has people type, for descriptions and hints.

// inGame fills in what a description says of the game: {amount} to pay, a {coin}, and the {profession} by default.
func (l *language) inGame(text string) string {
	return strings.NewReplacer("{amount}", shortAmount(), "{coin}", oneCoin(), "{profession}", tongue{l}.category(core.DefaultCategory)).Replace(text)
}

// shortAmount is the beginning of the example, "1p 500g": a description has little room.
func shortAmount() string { return strings.Join(exampleCoins(), " ") }

// oneCoin is the end of that, "500g".
func oneCoin() string {
	coins := exampleCoins()
	return coins[len(coins)-1]
}

// fewCoins is a small round amount, "2g".
func fewCoins() string {
	coins := core.Played().Coins
	return "2" + coins[min(1, len(coins)-1)].Letter
}

func exampleCoins() []string {
	coins := strings.Fields(core.Played().Example)
	return coins[:min(2, len(coins))]
}
