package web

import (
	"fmt"
	"net/http"
	"sync"

	"tradepost/core"
)

// cards draws the picture that a chat shows for a link to a request, and keeps those that were drawn last.
type cards struct {
	site  string
	faces *cardFaces
	turn  chan struct{} // drawing is work: so many at once

	mu   sync.Mutex
	kept map[string][]byte
	age  []string // of kept, oldest first
}

const (
	cardsKept   = 64
	cardsAtOnce = 2
)

func newCards(site string) *cards {
	return &cards{site: site, faces: newCardFaces(), turn: make(chan struct{}, cardsAtOnce), kept: map[string][]byte{}}
}

// orderCard serves the picture of a request. It may be a little out of date in a chat, so it is kept for some minutes only.
func (s *Server) orderCard(w http.ResponseWriter, r *http.Request) {
	order, err := s.publicOrder(r)
	if err == nil {
		var picture []byte
		if picture, err = s.cards.of(r, order); err == nil {
			w.Header().Set("Content-Type", "image/png")
			w.Header().Set("Cache-Control", "public, max-age=300")
			serveTagged(w, r, versionTag(order.Version), picture)
			return
		}
	}
	problemOf(err, s.now()).write(w, r)
}

func (c *cards) of(r *http.Request, o core.Order) ([]byte, error) {
	name := fmt.Sprintf("%d v%d", o.ID, o.Version)
	c.mu.Lock()
	picture := c.kept[name]
	c.mu.Unlock()
	if picture != nil {
		return picture, nil
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-r.Context().Done():
		return nil, fmt.Errorf("wait to draw: %w", r.Context().Err())
	}
	picture, err := drawCard(o, c.site, c.faces)
	if err != nil {
		return nil, fmt.Errorf("draw card of order %d: %w", o.ID, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[name] == nil {
		c.kept[name] = picture
		if c.age = append(c.age, name); len(c.age) > cardsKept {
			delete(c.kept, c.age[0])
			c.age = c.age[1:]
		}
	}
	return picture, nil
}
