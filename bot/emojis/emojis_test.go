package emojis_test

import (
	"bytes"
	"image/png"
	"regexp"
	"testing"

	"tradepost/bot/emojis"
	"tradepost/core"
)

func TestEveryCoinAndIconHasAPicture(t *testing.T) {
	t.Parallel()
	game := core.Game{}
	for _, style := range core.CoinStyles {
		game.Coins = append(game.Coins, core.Coin{Style: style})
	}
	for _, icon := range core.Icons {
		game.Professions = append(game.Professions, core.Profession{Icon: icon})
	}
	pictures := emojis.For(game)
	if want := len(core.CoinStyles) + len(core.Icons); len(pictures) != want {
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
