package pages

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"tradepost/web/kernel"
)

// Options are the settings of the pages.
type Options struct {
	Name     string // of the site
	Version  string // of the program, which the page's footer shows; may be empty
	Tagline  string // what it is powered by; may be empty
	Branding Branding

	SecurityContact string // whom to tell of a weakness, as RFC 9116 writes it; empty for nobody
	NoVisitorOffers bool   // visitors sign in before they offer
	SharedCaches    bool   // caches in front of the program are told what changes

	Dist     fs.FS // the built dashboard; nil shows a page that says how to build it
	Pictures int   // drawn for one client in a minute

	// Reject answers a request before any work is done for it.
	Reject func(http.ResponseWriter, *http.Request, *kernel.Problem)
}

// BoardLists are the cached responses that the board asks for first.
type BoardLists interface {
	// First returns the first page of the list that a query asks for, and the counts. It loads what is stale.
	First(ctx context.Context, query string, now time.Time) (list, counts *kernel.CachedResponse, err error)
	// Fresh returns what First does, and whether both are fresh. It loads nothing.
	Fresh(query string, now time.Time) (list, counts *kernel.CachedResponse, fresh bool)
}

// Site serves what people see: the dashboard's documents and files, and the pictures that a chat shows for a link.
type Site struct {
	*kernel.Kernel
	opts     Options
	pictures kernel.Limiter
	pages    *dashboard
	cards    *cards
	siteCard *siteCard
	Lists    BoardLists
}

// New returns the pages. lists may be set later, before the first request.
func New(k *kernel.Kernel, opts Options) (*Site, error) {
	s := &Site{
		Kernel: k, opts: opts, pictures: kernel.NewLimiter(opts.Pictures, time.Minute), cards: newCards(opts.Name, k.Game),
		siteCard: &siteCard{site: opts.Name, tagline: opts.Tagline, game: k.Game, faces: newCardFaces()},
	}
	var err error
	if s.pages, err = readPages(opts.Dist, s.frontMeta(), opts.Branding, k.Game); err != nil {
		return nil, fmt.Errorf("read the dashboard: %w", err)
	}
	return s, nil
}

// Routes adds the pages and pictures, and the files that crawlers and researchers ask for.
func (s *Site) Routes(r chi.Router) {
	r.Get(securityTextPath, s.securityText)
	r.Get(robotsPath, s.robots)
	r.Get(SiteCardPath, s.serveSiteCard)
	r.Get("/requests/{id}/card.png", s.orderCard)
	if s.Features.Items {
		r.Get("/items/{id}/card.png", s.itemCard)
	}
	r.Group(func(r chi.Router) {
		r.Use(middleware.Compress(5, "text/html"))
		r.Get("/requests/{id}", s.orderPage)
		r.Get("/", s.board)
		r.Get("/mine", s.page)
		r.Get("/completed", s.page)
		r.Get("/offers", s.page)
		r.Get("/offers/received", s.page)
		r.Get("/offer/{token}", s.offerPage)
		r.Get("/inbox", s.page)
		if s.Features.Records {
			r.Get("/traders/{id}", s.page)
		}
		if s.Features.Handover {
			r.Get("/trades", s.page)
			r.Get("/trades/with/{id}", s.page)
		}
		if s.Features.Lists {
			r.Get("/lists/{id}", s.page)
		}
		if s.Features.Stock {
			r.Get("/stock", s.page)
			r.Get("/wanted", s.page)
		}
		r.Get("/moderation", s.page)
		if s.Features.Items {
			r.Get("/items", s.itemsPage)
			r.Get("/items/{id}", s.itemPage)
			r.Get("/items/{id}/{name}", s.itemPage)
		}
	})
}
