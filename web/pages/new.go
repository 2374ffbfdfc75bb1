package pages

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"tradepost/core"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

// New returns the pages. lists may be set later, before the first request.
func New(k *kernel.Kernel, opts Options) (*Site, error) {
	// A chat shows a picture to all of its readers, so it is in the language of the market.
	own := text.For(k.Languages.First())
	s := &Site{
		Kernel: k, opts: opts, pictures: kernel.NewLimiter(core.LimitPictures, opts.Pictures),
		cards: newCards(opts.Name, k.Game, own),
	}
	s.siteCard = &siteCard{
		site: opts.Name, tagline: s.siteMeta(own.Name).tagline, game: k.Game, faces: newCardFaces(), in: own,
	}
	var err error
	if s.pages, err = readPages(opts.Dist, k, s.frontMeta, opts.Name, opts.Branding); err != nil {
		return nil, fmt.Errorf("read the dashboard: %w", err)
	}
	return s, nil
}

// Routes adds the pages and pictures, and the files that crawlers and researchers ask for.
func (s *Site) Routes(r chi.Router) {
	r.Get(securityTextPath, s.securityText)
	r.Get(robotsPath, s.robots)
	r.Get(SiteCardPath, s.serveSiteCard)
	r.Get(kernel.ProblemsPath+"{code}", s.problemPage)
	if s.Features.Prices {
		r.Get(kernel.PriceMethodPath, s.priceMethod)
	}
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
		r.Get("/mine/offers", s.page)
		r.Get("/offer", s.page)
		r.Get("/offer/{token}", s.offerPage)
		r.Get("/selling/offers", s.page)
		r.Get("/selling/saved", s.page)
		for _, old := range []string{"/watches", "/searches", "/saved"} {
			r.Get(old, movedTo("/selling/saved"))
		}
		r.Get("/offers", movedTo("/selling/offers"))
		r.Get("/offers/received", movedTo("/mine/offers"))
		r.Get("/inbox", s.page)
		if s.Features.Records {
			r.Get("/traders/{id}", s.page)
		}
		if s.Features.Handover {
			r.Get("/trades", s.page)
			r.Get("/trades/{id}", s.page)
			r.Get("/trades/with/{id}", s.page)
		}
		if s.Features.Lists {
			r.Get("/lists/{id}", s.page)
		}
		if s.Features.Stock {
			r.Get("/selling", s.page)
			r.Get("/selling/stock", s.page)
			r.Get("/items/wanted", s.page)
			r.Get("/stock", movedTo("/selling/stock"))
			r.Get("/wanted", movedTo("/items/wanted"))
		}
		r.Get("/moderation", s.page)
		r.Get("/operation", s.page)
		if s.Features.Items {
			r.Get("/items", s.itemsPage)
			r.Get("/items/{id}", s.itemPage)
			r.Get("/items/{id}/{name}", s.itemPage)
		}
	})
}

// movedTo redirects an address of older programs, with its query: chats have links to it.
func movedTo(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		to := url.URL{Path: address, RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusMovedPermanently)
	}
}
