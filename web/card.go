package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"tradepost/core"
)

// cards draws the picture that a chat shows for a link to a request, and caches the latest ones.
type cards struct {
	site  string
	game  core.Game
	faces *cardFaces
	turn  chan struct{} // drawing takes both cores for 20 to 40 ms: one at a time

	mu    sync.Mutex
	drawn map[string][]byte
	age   []string // keys of drawn, oldest first
}

const maxCachedCards = 64

var errTooManyPictures = errors.New("one client has had its share of pictures drawn")

func newCards(site string, game core.Game) *cards {
	return &cards{site: site, game: game, faces: newCardFaces(), turn: make(chan struct{}, 1), drawn: map[string][]byte{}}
}

// orderCard serves the picture of a request. A chat may show it a few minutes out of date.
func (s *Server) orderCard(w http.ResponseWriter, r *http.Request) {
	order, err := s.publicOrder(r)
	if err == nil {
		var picture []byte
		tooMany := func() bool { return s.pictures.exceeds(r, limitKeyOf(r.Context())) }
		if picture, err = s.cards.of(r.Context(), order, tooMany); err == nil {
			w.Header().Set("Content-Type", "image/png")
			w.Header().Set("Cache-Control", "public, max-age=300")
			serveTagged(w, r, versionTag(order.Version), picture)
			return
		}
	}
	if errors.Is(err, errTooManyPictures) {
		s.reject(w, r, tooMany(s.pictures.window))
		return
	}
	problemOf(r.Context(), err, s.now()).write(w, r)
}

// of returns the picture of an order. It draws one that is not cached, unless tooMuch reports that the client is over its
// limit.
func (c *cards) of(ctx context.Context, o core.Order, tooMuch func() bool) ([]byte, error) {
	name := fmt.Sprintf("%d v%d", o.ID, o.Version)
	if picture := c.find(name); picture != nil {
		return picture, nil
	}
	if tooMuch() {
		return nil, errTooManyPictures
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to draw: %w", ctx.Err())
	}
	if picture := c.find(name); picture != nil { // drawn while this waited
		return picture, nil
	}
	picture, err := drawCard(o, c.site, c.game, c.faces)
	if err != nil {
		return nil, fmt.Errorf("draw card of order %d: %w", o.ID, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drawn[name] == nil {
		c.drawn[name] = picture
		if c.age = append(c.age, name); len(c.age) > maxCachedCards {
			delete(c.drawn, c.age[0])
			c.age = c.age[1:]
		}
	}
	return picture, nil
}

func (c *cards) find(name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.drawn[name]
}
