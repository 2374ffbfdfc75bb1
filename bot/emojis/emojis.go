// Package emojis has the pictures that the bot uploads as emojis of its application: coins and professions.
// They are drawn by `npm run emojis` in dashboard/e2e.
package emojis

import (
	"embed"
	"strings"

	"tradepost/core/game"
)

//go:embed *.png
var files embed.FS

// Coin is the name of the emoji of a coin.
func Coin(style game.CoinStyle) string { return string(style) }

// Profession is the name of the emoji of a profession with an icon.
func Profession(icon string) string { return strings.ReplaceAll(icon, "-", "_") }

// For returns the pictures of a game's coins and professions, as PNG, by the name of their emoji.
func For(game game.Game) map[string][]byte {
	pictures := map[string][]byte{}
	add := func(name string) {
		if data, err := files.ReadFile(name + ".png"); err == nil { // without a picture there is text
			pictures[name] = data
		}
	}
	for _, c := range game.Coins {
		add(Coin(c.Style))
	}
	for _, p := range game.Professions {
		add(Profession(p.Icon))
	}
	return pictures
}
