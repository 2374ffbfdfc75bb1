package pages

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/core/trade"
)

func TestACardShowsEachCoinInItsStyle(t *testing.T) {
	t.Parallel()
	for amount, looks := range map[core.Copper][]game.CoinStyle{
		250:                                 {"copper"},
		coretest.Silver:                     {"silver"},
		coretest.Platinum + 5*coretest.Gold: {"platinum", "gold"},
		core.MaxPrice:                       {"platinum", "gold", "silver", "copper"},
	} {
		card, err := drawCard(coretest.Order(func(o *trade.Order) { o.MaxPrice = amount }), "Tradepost", game.Standard(), newCardFaces(), text.For("en"))
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(card))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[color.Color]bool{}
		for y := range cardHeight {
			for x := range cardWidth {
				seen[color.RGBAModel.Convert(picture.At(x, y))] = true
			}
		}
		for look, coin := range coins {
			if slices.Contains(looks, look) != seen[coin.face] {
				t.Errorf("of %d a card shows %s: %v", amount, look, seen[coin.face])
			}
		}
	}
}

func TestPicturesAreDrawnOneAtATime(t *testing.T) {
	t.Parallel()
	c := newCards("Tradepost", game.Standard(), text.For("de"))
	draw := func() ([]byte, error) { return drawCard(coretest.Order(), c.site, c.game, c.faces, c.in) }
	c.turn <- struct{}{} // one is drawn
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // if there were a second turn, it would be taken in about half of them
		if _, err := c.picture(ctx, "a card", draw, func() bool { return false }); !errors.Is(err, context.Canceled) {
			t.Fatalf("another is drawn beside it: %v", err)
		}
	}
	<-c.turn
	if picture, err := c.picture(t.Context(), "a card", draw, func() bool { return false }); err != nil || len(picture) == 0 {
		t.Errorf("drawn: %d bytes, %v", len(picture), err)
	}
}
