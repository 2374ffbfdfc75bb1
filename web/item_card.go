package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"net/http"
	"strings"

	"tradepost/core"
)

// itemCard serves the picture of an item, for link previews and for Discord.
func (s *Server) itemCard(w http.ResponseWriter, r *http.Request) {
	item, err := s.itemOf(r)
	if err == nil {
		version := itemVersion(item, s.cards.site)
		err = s.serveCard(w, r, fmt.Sprintf("item %d %s", item.ID, version), `"`+version+`"`, func() ([]byte, error) {
			return drawItemCard(item, s.cards.site, s.cards.faces)
		})
	}
	s.failCard(w, r, err)
}

// itemVersion changes with what the picture of an item shows.
func itemVersion(i core.Item, site string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%v", site, i.Name, i.Kind, itemFacts(i)))
	return hex.EncodeToString(sum[:4])
}

func drawItemCard(i core.Item, site string, faces *cardFaces) ([]byte, error) {
	if err := faces.load(); err != nil {
		return nil, err
	}
	c := newCanvas(accent)
	const left, width = cardMargin + 4, cardWidth - 2*cardMargin
	kicker := "Item"
	if i.Kind != "" && i.Kind != i.Name {
		kicker = withGlyphs(faces.medium, i.Kind)
	}
	c.text(faces.medium, 30, left, 116, quiet, c.fit(faces.medium, 30, width, kicker))
	title := c.wrap(faces.bold, 68, 2, drawable(faces.bold, i.Name))
	for line, text := range title {
		c.text(faces.bold, 68, left, 246-40*(len(title)-1)+78*line, ink, text)
	}
	y := 378
	for _, fact := range itemFacts(i) {
		c.text(faces.regular, 34, left, y, quiet, c.fit(faces.regular, 34, width, withGlyphs(faces.regular, strings.TrimSpace(fact))))
		y += 50
	}
	c.fill(image.Rect(left, 532, left+width, 534), hairline)
	c.text(faces.bold, 28, left, 576, accent, c.fit(faces.bold, 28, width, site))
	return c.encode()
}
