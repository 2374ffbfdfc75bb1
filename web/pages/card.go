package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

// cards draws the pictures that a chat shows for a link to a request or an item, and caches the latest ones.
type cards struct {
	site  string
	game  game.Game
	faces *cardFaces
	in    text.Printer  // the language of pictures
	turn  chan struct{} // drawing takes both cores for 20 to 40 ms: one at a time

	mu    sync.Mutex
	drawn map[string][]byte
	age   []string // keys of drawn, oldest first
}

const maxCachedCards = 64

var errTooManyPictures = errors.New("one client has had its share of pictures drawn")

func newCards(site string, game game.Game, in text.Printer) *cards {
	return &cards{site: site, game: game, faces: newCardFaces(), in: in, turn: make(chan struct{}, 1),
		drawn: map[string][]byte{}}
}

// orderCard serves the picture of a request. A chat may show it a few minutes out of date.
func (s *Site) orderCard(w http.ResponseWriter, r *http.Request) {
	order, err := s.publicOrder(r)
	if err == nil {
		kernel.SharedWhileOpen(r.Context(), order)
		version := s.cards.orderVersion(order.Version)
		name, tag := fmt.Sprintf("%d v%s", order.ID, version), `"v`+version+`"`
		err = s.serveCard(w, r, name, tag, func() ([]byte, error) {
			return drawCard(order, s.cards.site, s.cards.game, s.cards.faces, s.cards.in)
		})
	}
	s.failCard(w, r, err)
}

// orderVersion changes with what the picture of a request shows: its market may be given another language.
func (c *cards) orderVersion(version int) string { return fmt.Sprintf("%d-%s", version, c.in.Name) }

// serveCard serves a picture, drawing it when it is not cached.
func (s *Site) serveCard(
	w http.ResponseWriter, r *http.Request, name, tag string, draw func() ([]byte, error),
) error {
	tooMany := func() bool { return s.pictures.Exceeds(r, kernel.LimitKeyOf(r.Context())) }
	picture, err := s.cards.picture(r.Context(), name, draw, tooMany)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=300")
	kernel.ServeTagged(w, r, tag, picture)
	return nil
}

// failCard answers a request for a picture that there is none for.
func (s *Site) failCard(w http.ResponseWriter, r *http.Request, err error) {
	if err == nil {
		return
	}
	if errors.Is(err, errTooManyPictures) {
		s.opts.Reject(w, r, kernel.Beyond(s.pictures.Limit))
		return
	}
	kernel.ProblemOf(r.Context(), err, s.Now()).Write(w, r)
}

// picture returns a picture by its name. It draws a picture that is not cached, unless tooMuch reports that
// the client is over its limit.
func (c *cards) picture(
	ctx context.Context, name string, draw func() ([]byte, error), tooMuch func() bool,
) ([]byte, error) {
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
	picture, err := draw()
	if err != nil {
		return nil, fmt.Errorf("draw card %s: %w", name, err)
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
