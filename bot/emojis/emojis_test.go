package emojis_test

import (
	"bytes"
	"image/png"
	"regexp"
	"testing"

	"tradepost/bot/emojis"
	"tradepost/core/game"
)

func TestEveryCoinAndIconHasAPicture(t *testing.T) {
	t.Parallel()
	g := game.Game{}
	for _, style := range game.CoinStyles {
		g.Coins = append(g.Coins, game.Coin{Style: style})
	}
	for _, icon := range game.Icons {
		g.Professions = append(g.Professions, game.Profession{Icon: icon})
	}
	pictures := emojis.For(g)
	if want := len(game.CoinStyles) + len(game.Icons); len(pictures) != want {
		t.Errorf("%d pictures of %d", len(pictures), want)
	}
	named := regexp.MustCompile(`^\w{2,32}$`)
	for name, data := range pictures {
		if !named.MatchString(name) {
			t.Errorf("Discord takes no emoji called %q", name)
		}
		if picture, err := png.Decode(bytes.NewReader(data)); err != nil || picture.Bounds().Dx() != 128 || len(data) > 256<<10 {
			t.Errorf("%s: %v, %d bytes", name, err, len(data))
		}
	}
}
