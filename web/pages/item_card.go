package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"net/http"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/items"
	"tradepost/core/text"
)

// itemCard serves the picture of an item, for link previews and for Discord: its facts, or what it was
// traded for in the last 90 days.
func (s *Site) itemCard(w http.ResponseWriter, r *http.Request) {
	item, err := s.itemOf(r)
	if err == nil {
		var prices items.Prices
		if prices, err = s.pricesOf(r.Context(), item); err == nil {
			version := itemVersion(s.cards.in, item, s.cards.site, prices.Young, prices.Windows,
				chartedDays(prices))
			err = s.serveCard(w, r, fmt.Sprintf("item %d %s", item.ID, version), `"`+version+`"`,
				func() ([]byte, error) {
					return drawItemCard(item, prices, s.Features.Prices, s.cards.site, s.cards.game,
						s.cards.faces, s.cards.in)
				})
		}
	}
	s.failCard(w, r, err)
}

// pricesOf returns the traded prices of an item by day, or nothing where prices are off.
func (s *Site) pricesOf(ctx context.Context, i items.Item) (items.Prices, error) {
	if !s.Features.Prices {
		return items.Prices{}, nil
	}
	prices, err := s.Market.Items.Prices(ctx, i.ID, true)
	if err != nil {
		return items.Prices{}, fmt.Errorf("prices for the picture of item %d: %w", i.ID, err)
	}
	return prices, nil
}

// itemVersion changes with what a picture of an item shows.
func itemVersion(in text.Printer, i items.Item, shown ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%v\n%v", in.Name, i.Name, i.Kind,
		itemFacts(in, i), shown))
	return hex.EncodeToString(sum[:4])
}

// chartedDay is a day of a chart: how far from its left it is, the price, and what its single trades paid.
type chartedDay struct {
	At      int
	Day     time.Time
	Price   *items.Price
	Singles []core.Copper
}

// chartedDays returns the days that have something to draw.
func chartedDays(prices items.Prices) []chartedDay {
	var days []chartedDay
	for at, d := range prices.Days {
		if d.Price != nil || len(d.Singles) > 0 {
			days = append(days, chartedDay{at, d.Day, d.Price, d.Singles})
		}
	}
	return days
}

func drawItemCard(
	i items.Item, prices items.Prices, priced bool, site string, game game.Game, faces *cardFaces,
	in text.Printer,
) ([]byte, error) {
	if err := faces.load(); err != nil {
		return nil, err
	}
	c := newCanvas(accent, in)
	const left, width = cardMargin + 4, cardWidth - 2*cardMargin
	kicker := in.Page("common_item")
	if i.Kind != "" && i.Kind != i.Name {
		kicker = withGlyphs(faces.medium, i.Kind)
	}
	c.text(faces.medium, 30, left, 106, quiet, c.fit(faces.medium, 30, width, kicker))
	name := c.drawable(faces.bold, i.Name)
	latest := prices.Windows[len(prices.Windows)-1].Price
	days := chartedDays(prices)
	if latest != nil && len(days) > 0 {
		c.text(faces.bold, 60, left, 178, ink, c.fit(faces.bold, 60, width, name))
		end := c.amount(faces, 46, left, 250, game.InCoins(latest.Median))
		worth := in.Page("picture_worth", "days", len(prices.Days), "low", c.money(game, latest.Low),
			"high", c.money(game, latest.High))
		c.text(faces.regular, 30, end+18, 250, quiet, c.fit(faces.regular, 30, left+width-end-18, worth))
		area := image.Rect(left, 282, left+width, 484)
		c.chart(area, days, len(prices.Days))
		c.text(faces.regular, 22, left, 516, quiet, dayOf(in, prices.Days[0].Day))
		today := dayOf(in, prices.Days[len(prices.Days)-1].Day)
		c.text(faces.regular, 22, left+width/2-120, 516, quiet, in.Page("picture_legend_singles"))
		c.text(faces.regular, 22, left+width-c.width(faces.regular, 22, today), 516, quiet, today)
	} else {
		title := c.wrap(faces.bold, 68, name)
		for line, text := range title {
			c.text(faces.bold, 68, left, 246-40*(len(title)-1)+78*line, ink, text)
		}
		facts := itemFacts(in, i)
		switch {
		case latest != nil: // of trades before the first day
			facts = append(facts, in.Page("picture_median", "price", c.money(game, latest.Median),
				"days", prices.Windows[len(prices.Windows)-1].Days))
		case priced:
			facts = append(facts, in.Page("picture_no_price"))
		}
		for line, fact := range facts {
			c.text(faces.regular, 34, left, 368+46*line, quiet,
				c.fit(faces.regular, 34, width, withGlyphs(faces.regular, fact)))
		}
	}
	c.fill(image.Rect(left, 532, left+width, 534), hairline)
	c.text(faces.bold, 28, left, 576, accent, c.fit(faces.bold, 28, width, site))
	return c.encode()
}

func dayOf(in text.Printer, day time.Time) string {
	return in.Page("picture_day", "day", day.Day(), "month", int(day.Month()))
}
