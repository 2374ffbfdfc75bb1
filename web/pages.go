package web

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"tradepost/core"
)

// pages is the built dashboard: one page with many addresses, and its assets.
type pages struct {
	index  []byte // index.html, empty when there is none
	assets map[string]*asset
	fronts map[string]*edition // the index as the front page, by the address of the list that it shows first
}

func readPages(dist fs.FS, front meta, look Look) (*pages, error) {
	assets, err := readAssets(dist)
	if err != nil {
		return nil, err
	}
	p := &pages{assets: assets, fronts: map[string]*edition{}}
	if dist == nil {
		return p, nil
	}
	if p.index, err = fs.ReadFile(dist, "index.html"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read index.html: %w", err)
	}
	if len(p.index) == 0 {
		return p, nil
	}
	p.dress(look)
	p.tellGame(core.Played())
	for _, list := range firstLists() {
		front.ahead = []string{"/api/me"}
		if list != "" {
			front.ahead = append(front.ahead, list, countsPath)
		}
		p.fronts[list] = &edition{}
		p.fronts[list].render(kindHTML, front.into(p.index))
	}
	return p, nil
}

// firstLists are the addresses of the lists that a front page may show first, and none for a search, whose list only the
// page itself can name.
func firstLists() []string {
	lists := []string{""}
	for _, category := range append([]core.Category{""}, core.Categories...) {
		for _, sort := range core.Sorts {
			lists = append(lists, listAddress(category, sort))
		}
	}
	return lists
}

// listAddress spells the address of a list as the page asks for it: a browser takes what it has loaded ahead only for
// the very same address.
func listAddress(category core.Category, sort core.Sort) string {
	query := []string{}
	if category != "" {
		query = append(query, "category="+encoded(string(category)))
	}
	if sort != core.Newest {
		query = append(query, "sort="+string(sort))
	}
	if len(query) == 0 {
		return listsPath
	}
	return listsPath + "?" + strings.Join(query, "&")
}

// encoded spells a value within an address as a browser's encodeURIComponent does.
func encoded(value string) string {
	return asBrowsers.Replace(url.QueryEscape(value))
}

var asBrowsers = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// firstList returns the address of the list that a front page shows first.
func firstList(r *http.Request) string {
	query := r.URL.Query()
	for _, searched := range []string{"q", "importance", "level", "min", "max"} {
		if query.Get(searched) != "" {
			return ""
		}
	}
	// What makes no sense in an address is left out by the page too.
	category, sort := core.Category(query.Get("category")), core.Sort(query.Get("sort"))
	if !slices.Contains(core.Categories, category) {
		category = ""
	}
	if !slices.Contains(core.Sorts, sort) {
		sort = core.Newest
	}
	return listAddress(category, sort)
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The page is not built</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}</style>
<h1>The page is not built</h1>
<p>The server runs, but it was built without its page. Build it and start again:</p>
<pre>make run</pre>
<p>The HTTP interface works: it is described at <a href="/api/openapi.json">/api/openapi.json</a>.</p>
</html>
`

// board serves the dashboard as the board.
func (s *Server) board(w http.ResponseWriter, r *http.Request) { s.serveFront(w, r, firstList(r)) }

// page serves the dashboard at its other addresses.
func (s *Server) page(w http.ResponseWriter, r *http.Request) { s.serveFront(w, r, "") }

func (s *Server) serveFront(w http.ResponseWriter, r *http.Request, list string) {
	if front := s.pages.fronts[list]; front != nil {
		front.answer(w, r)
		return
	}
	s.servePage(w, r, http.StatusOK, s.frontMeta())
}

// orderPage serves the dashboard at the address of one request, with what a chat shows when the link is pasted there.
func (s *Server) orderPage(w http.ResponseWriter, r *http.Request) {
	order, err := s.publicOrder(r)
	switch {
	case core.KindOf(err) == core.NotFound:
		// Its buyer may see what others do not: the page asks again, as whoever is signed in.
		s.servePage(w, r, http.StatusNotFound, s.frontMeta())
	case err != nil:
		noteFailure(r.Context(), err)
		s.servePage(w, r, http.StatusOK, s.frontMeta())
	default:
		s.servePage(w, r, http.StatusOK, s.orderMeta(order))
	}
}

// publicOrder reads the order that an address names, as anybody may see it.
func (s *Server) publicOrder(r *http.Request) (core.Order, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return core.Order{}, &core.Error{Kind: core.NotFound, Message: msgNotFound}
	}
	order, err := s.market.Order(r.Context(), core.Actor{}, core.OrderID(id))
	return order.Order, err
}

// asset serves what the build made. At any other address there is the page, which says that nothing is there.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	if a := s.pages.assets[r.URL.Path]; a != nil {
		a.serve(w, r)
		return
	}
	s.notFound(w, r)
}

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	for _, machines := range []string{"/api/", "/auth/", "/assets/"} {
		if strings.HasPrefix(r.URL.Path, machines) {
			newProblem(http.StatusNotFound, msgNotFound).write(w, r)
			return
		}
	}
	s.servePage(w, r, http.StatusNotFound, s.frontMeta())
}

func (s *Server) wrongMethod(w http.ResponseWriter, r *http.Request) {
	routes := chi.RouteContext(r.Context()).Routes
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			w.Header().Add("Allow", method)
		}
	}
	newProblem(http.StatusMethodNotAllowed, msgWrongMethod).write(w, r)
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request, status int, m meta) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	if len(s.pages.index) == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(unbuiltPage))
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(m.into(s.pages.index)) // a reader who has left needs no more
}

// meta is what the head of a page says about it.
type meta struct {
	site, tagline, welcome      string
	title, description, address string
	image, imageAlt             string // empty for none

	// ahead is what the page will ask for as soon as it runs. The browser loads it beside the page's scripts, so that no
	// request waits for another.
	ahead []string
}

func (s *Server) frontMeta() meta {
	return meta{
		site: s.opts.Name, tagline: s.opts.Tagline, welcome: s.opts.Look.Welcome, title: s.opts.Name + ": requests for in-game items", address: s.public.String() + "/",
		description: "A community's market: post what you need, fill what others ask for, and be paid in coin.",
	}
}

func (s *Server) orderMeta(o core.Order) meta {
	address := fmt.Sprintf("%s/requests/%d", s.public, o.ID)
	m := meta{
		site: s.opts.Name, tagline: s.opts.Tagline, title: fmt.Sprintf("%d × %s", o.Quantity, o.ItemName), address: address,
		image: fmt.Sprintf("%s/card.png?v=%d", address, o.Version),
		ahead: []string{"/api/me", fmt.Sprintf("/api/orders/%d", o.ID)},
	}
	m.description = fmt.Sprintf("%s each, %d of %d left, pays %s in all", o.MaxPrice, o.Remaining(), o.Quantity, o.RemainingValue())
	if o.Status == core.Fulfilled {
		m.description = fmt.Sprintf("Fulfilled: %d of %d at %s each", o.Sold, o.Quantity, o.MaxPrice)
	}
	m.imageAlt = m.title + ". " + m.description
	return m
}

var (
	titleTag       = regexp.MustCompile(`(?is)<title>.*?</title>`)
	descriptionTag = regexp.MustCompile(`(?is)<meta\s+name="description"[^>]*>`)

	// saidTag is an element of the page that stands until its scripts run, and says what the site is called.
	saidTag = regexp.MustCompile(`(data-said="([a-z-]+)"\s*>)[^<]*`)
)

// into returns the page with its head filled in, and with what the site is called. Texts are escaped: people wrote them.
func (m meta) into(index []byte) []byte {
	var head strings.Builder
	fmt.Fprintf(&head, "<title>%s</title>\n", html.EscapeString(m.title))
	tag := func(attribute, name, content string) {
		fmt.Fprintf(&head, "    <meta %s=%q content=\"%s\" />\n", attribute, name, html.EscapeString(content))
	}
	tag("name", "description", m.description)
	tag("name", "application-name", m.site)
	tag("name", "tagline", m.tagline) // the page shows both in its header
	if m.welcome != "" {
		tag("name", "welcome", m.welcome)
	}
	tag("property", "og:type", "website")
	tag("property", "og:site_name", m.site)
	tag("property", "og:title", m.title)
	tag("property", "og:description", m.description)
	tag("property", "og:url", m.address)
	if m.image != "" {
		tag("property", "og:image", m.image)
		tag("property", "og:image:type", "image/png")
		tag("property", "og:image:width", strconv.Itoa(cardWidth))
		tag("property", "og:image:height", strconv.Itoa(cardHeight))
		tag("property", "og:image:alt", m.imageAlt)
		tag("name", "twitter:card", "summary_large_image")
		tag("name", "twitter:image", m.image)
	}
	tag("name", "twitter:title", m.title)
	tag("name", "twitter:description", m.description)
	for _, address := range m.ahead {
		// With "crossorigin" as the page's own fetch asks, or else the browser would load it twice.
		fmt.Fprintf(&head, "    <link rel=\"preload\" as=\"fetch\" href=\"%s\" crossorigin />\n", html.EscapeString(address))
	}

	said := map[string]string{"application-name": m.site, "tagline": m.tagline}
	index = saidTag.ReplaceAllFunc(index, func(element []byte) []byte {
		parts := saidTag.FindSubmatch(element)
		return append(bytes.Clone(parts[1]), html.EscapeString(said[string(parts[2])])...)
	})
	index = titleTag.ReplaceAllLiteral(index, nil)
	index = descriptionTag.ReplaceAllLiteral(index, nil)
	return bytes.Replace(index, []byte("</head>"), []byte("  "+head.String()+"  </head>"), 1)
}
