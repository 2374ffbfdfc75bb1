package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"net/http"
	"sync"

	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

// SiteCardPath is the address of the picture of the site.
const SiteCardPath = "/card.png"

// siteCard is the picture that a chat shows for a link to the board. It is drawn once, for the first client
// that asks.
type siteCard struct {
	site, tagline string
	game          game.Game
	faces         *cardFaces
	in            text.Printer

	once sync.Once
	png  []byte
	err  error
}

// version changes with what the picture shows, so that a chat fetches a new one.
func (c *siteCard) version() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%v", c.in.Name, c.site, c.tagline, c.game.Coins))
	return hex.EncodeToString(sum[:4])
}

func (s *Site) serveSiteCard(w http.ResponseWriter, r *http.Request) {
	card := s.siteCard
	card.once.Do(func() { card.png, card.err = card.draw() })
	if card.err != nil {
		kernel.ProblemOf(r.Context(), card.err, s.Now()).Write(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	kernel.ServeTagged(w, r, `"`+card.version()+`"`, card.png)
}

func (c *siteCard) draw() ([]byte, error) {
	if err := c.faces.load(); err != nil {
		return nil, err
	}
	canvas := newCanvas(accent, c.in)
	const left, width = cardMargin + 4, cardWidth - 2*cardMargin
	y := 210
	for _, line := range canvas.wrap(c.faces.bold, 96, withGlyphs(c.faces.bold, c.site)) {
		canvas.text(c.faces.bold, 96, left, y, ink, line)
		y += 106
	}
	tagline := withGlyphs(c.faces.regular, c.tagline)
	canvas.text(c.faces.regular, 38, left, y-30, quiet, canvas.fit(c.faces.regular, 38, width, tagline))
	y = 470
	for _, line := range canvas.wrap(c.faces.medium, 34, c.in.Page("site_description")) {
		canvas.text(c.faces.medium, 34, left, y, ink, line)
		y += 46
	}
	canvas.fill(image.Rect(left, 540, left+width, 542), hairline)
	x := left
	for _, coin := range c.game.Coins {
		x = canvas.coin(c.faces, 40, x, 588, coins[coin.Style], coin.Letter) + 14
	}
	return canvas.encode()
}
