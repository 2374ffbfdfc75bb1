package commands

import (
	"cmp"
	"strings"

	"tradepost/core/game"
	msg "tradepost/core/text"
)

// Example inputs of the game, for descriptions and hints.

// withGameExamples fills in what a description says of the game: {amount} to pay, a {coin}, and the
// {profession} by default.
func withGameExamples(l *msg.Language, game game.Game, description string) string {
	profession := cmp.Or(l.Categories[string(game.Default)], string(game.Default))
	return strings.NewReplacer("{amount}", shortAmount(game), "{coin}", oneCoin(game), "{profession}",
		profession).Replace(description)
}

// shortAmount is the beginning of the example, "1p 500g": a description has little room.
func shortAmount(game game.Game) string { return strings.Join(exampleCoins(game), " ") }

// oneCoin is the end of that, "500g".
func oneCoin(game game.Game) string {
	coins := exampleCoins(game)
	return coins[len(coins)-1]
}

// FewCoins is a small round amount, "2g".
func FewCoins(game game.Game) string {
	coins := game.Coins
	return "2" + coins[min(1, len(coins)-1)].Letter
}

func exampleCoins(game game.Game) []string {
	coins := strings.Fields(game.Example)
	return coins[:min(2, len(coins))]
}
