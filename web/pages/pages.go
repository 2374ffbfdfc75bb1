package pages

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/firstlook"
	"tradepost/web/kernel"
)

// dashboard is the built dashboard: one page with many addresses, and its assets.
type dashboard struct {
	index     []byte // index.html in English, empty when there is none
	assets    map[string]*asset
	languages kernel.Languages      // that it is built in
	documents map[string]*documents // by language; empty without an index
}

// documents are the index in one language.
type documents struct {
	language string
	index    []byte                                   // with the frame of any page but those on the board
	browse   []byte                                   // with the frame of a request
	places   map[string][]byte                        // with the headings of pages, by address
	front    func(path string) *kernel.CachedResponse // at any address but the board's
	boards   map[firstList]func() *frontPage          // as the board, made when it is first asked for
}

func readPages(
	dist fs.FS, k *kernel.Kernel, front func(language string) meta, site string, branding Branding,
) (*dashboard, error) {
	assets, err := readAssets(dist)
	if err != nil {
		return nil, err
	}
	p := &dashboard{assets: assets, documents: map[string]*documents{}}
	if dist == nil {
		return p, nil
	}
	if p.index, err = fs.ReadFile(dist, "index.html"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read index.html: %w", err)
	}
	if len(p.index) == 0 {
		return p, nil
	}
	p.languages = builtLanguages(dist, k.Languages)
	p.applyBranding(branding)
	p.addIcons(site, branding)
	p.addGame(k.Game)
	p.addToHead(fmt.Sprintf("    <meta name=\"languages\" content=\"%s\" />\n",
		strings.Join(p.languages.Names(), ",")))
	for _, language := range p.languages.Names() {
		index := withHead(p.index, p.addManifest(language, site, branding.Logo, k.Features))
		p.documents[language] = newDocuments(language, index, front(language), k.Game)
	}
	return p, nil
}

// scriptsIn is where the built scripts of a language are.
func scriptsIn(language string) string { return "assets/" + language }

// builtLanguages returns the offered languages that the page is built in. index.html is in English.
func builtLanguages(dist fs.FS, offered kernel.Languages) kernel.Languages {
	return kernel.NewLanguages(slices.DeleteFunc(slices.Clone(offered.Names()), func(language string) bool {
		folder, err := fs.Stat(dist, scriptsIn(language))
		return language != kernel.English && (err != nil || !folder.IsDir())
	}))
}

func newDocuments(language string, index []byte, front meta, game game.Game) *documents {
	index = inLanguage(language, index)
	d := &documents{
		language: language,
		boards:   map[firstList]func() *frontPage{},
		places:   map[string][]byte{},
		index:    front.framed(index, firstlook.Frame{}),
		browse:   front.framed(index, firstlook.Frame{Browse: true}),
	}
	board := front.framed(index, firstlook.Frame{Browse: true, Board: true})
	front.ahead = []string{"/api/me"}
	respond := func(index []byte) func() *kernel.CachedResponse {
		return sync.OnceValue(func() *kernel.CachedResponse {
			return kernel.NewCachedResponse(kernel.ContentTypeHTML,
				listModule.ReplaceAllLiteral(front.into(index), nil)).ByLanguage(language)
		})
	}
	other, places := respond(d.index), map[string]func() *kernel.CachedResponse{}
	for _, address := range firstlook.Places(front.features) {
		d.places[address] = front.framed(index, firstlook.Frame{Address: address})
		places[address] = respond(d.places[address])
	}
	d.front = func(path string) *kernel.CachedResponse {
		if place := places[path]; place != nil {
			return place()
		}
		return other()
	}
	for _, list := range firstLists(game) {
		d.boards[list] = sync.OnceValue(func() *frontPage {
			front := front
			front.ahead = []string{"/api/me", list.address(), kernel.CountsPath}
			front.feed = feedAddress(kernel.ListQuery(list.category, list.sort, false))
			return newFrontPage(list, language, front.into(board))
		})
	}
	return d
}

// inLanguage returns the index with the scripts of a language, which have the same names as those in English.
func inLanguage(language string, index []byte) []byte {
	index = bytes.ReplaceAll(index, []byte("/"+scriptsIn(kernel.English)+"/"),
		[]byte("/"+scriptsIn(language)+"/"))
	return bytes.Replace(index, []byte(`<html lang="en"`), fmt.Appendf(nil, "<html lang=%q", language), 1)
}

// firstLists returns the lists that a board may show first. Lists of searches are not among them: only the
// page itself can name their addresses.
func firstLists(g game.Game) []firstList {
	lists := []firstList{}
	for _, category := range append([]game.Category{""}, g.Categories()...) {
		for _, sort := range match.Sorts {
			lists = append(lists, firstList{category, sort, false}, firstList{category, sort, true})
		}
	}
	return lists
}

// firstListOf returns the list that a board shows first, and no list for a search.
func firstListOf(r *http.Request, g game.Game, listFirst bool) (list firstList, known bool) {
	query := r.URL.Query()
	for _, name := range pageFilters {
		if query.Get(name) != "" {
			return firstList{}, false
		}
	}
	if len(query["category"]) > 1 || query.Get("for") != "" { // only the page knows the levels that count
		return firstList{}, false
	}
	// The page leaves out invalid parameters of an address too.
	category, sort := game.Category(query.Get("category")), match.Sort(query.Get("sort"))
	if !g.HasCategory(category) {
		category = ""
	}
	if !slices.Contains(match.Sorts, sort) {
		sort = match.Newest
	}
	return firstList{category, sort, showsList(r, query.Get("view"), listFirst)}, true
}

// ShowsAskedList reports whether the board shows first what its address asks for.
func (s *Site) ShowsAskedList(r *http.Request) bool {
	list, known := firstListOf(r, s.Game, s.opts.Branding.ListFirst)
	asked := r.URL.Query()
	return known && s.sideOf(r) == "" &&
		(!asked.Has("category") || string(list.category) == asked.Get("category")) &&
		(!asked.Has("sort") || string(list.sort) == asked.Get("sort"))
}

// showsList reports whether the board is a list: as its address says, else as the browser remembers, else
// as the operator wishes.
func showsList(r *http.Request, view string, listFirst bool) bool {
	if view == "list" || view == "cards" {
		return view == "list"
	}
	if kept, err := r.Cookie(viewCookie); err == nil && (kept.Value == "list" || kept.Value == "cards") {
		return kept.Value == "list"
	}
	return listFirst
}

// pageFilters are the filters in an address of the page, besides the category. The page names them as the
// API does, and calls the prices min and max.
var pageFilters = func() (names []string) {
	for field := range reflect.TypeFor[kernel.OrderFilter]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("query"), ",")
		names = append(names, strings.TrimSuffix(name, "Price"))
	}
	return names
}()

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The page is not built</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}</style>
<h1>The page is not built</h1>
<p>The server runs, but it was built without its page. Build it and start again:</p>
<pre>make run</pre>
<p>The HTTP interface works: it is described at <a href="/api/docs">/api/docs</a>.</p>
</html>
`

// sideOf returns the address of the board's side that a request asks for; empty for requests. Their document
// says that what is for sale is being loaded: it would show requests that are none of it otherwise.
func (s *Site) sideOf(r *http.Request) string {
	if r.URL.RawQuery == "" || !s.Features.Listings {
		return ""
	}
	switch r.URL.Query().Get("side") {
	case "sale":
		return firstlook.SalePage
	case "both":
		return firstlook.BothPage
	}
	return ""
}

// board serves the dashboard as the board.
func (s *Site) board(w http.ResponseWriter, r *http.Request) {
	list, known := firstListOf(r, s.Game, s.opts.Branding.ListFirst)
	in := s.documentsFor(r)
	if in == nil || !known || s.sideOf(r) != "" || in.boards[list] == nil {
		s.servePage(w, r, http.StatusOK, func(language string) meta {
			m := s.frontMeta(language)
			m.ahead, m.feed = []string{"/api/me"}, feedAddress(feedQuery(r.URL.Query()))
			m.side = s.sideOf(r)
			return m
		})
		return
	}
	front := in.boards[list]()
	switch {
	case list.asList && r.URL.Query().Get("request") != "":
		front.skeleton.Serve(w, r) // a request is open beside the list, which is narrower then
	default:
		s.serveBoard(w, r, front)
	}
}

// feedAddress is the path of the board's feed with a query.
func feedAddress(query string) string {
	if query == "" {
		return "/requests.atom"
	}
	return "/requests.atom?" + query
}

// feedQuery returns the part of the board's query that its feed has, too.
func feedQuery(query url.Values) string {
	of := url.Values{}
	for _, name := range append([]string{"category", "sort"}, pageFilters...) {
		if len(query[name]) > 0 {
			of[name] = query[name]
		}
	}
	return of.Encode()
}

// page serves the dashboard at its other addresses.
func (s *Site) page(w http.ResponseWriter, r *http.Request) {
	if in := s.documentsFor(r); in != nil {
		in.front(r.URL.Path).Serve(w, r)
		return
	}
	s.servePage(w, r, http.StatusOK, s.frontMeta)
}

// documentsFor returns the documents in the language of a request, nil where the page is not built.
func (s *Site) documentsFor(r *http.Request) *documents {
	if len(s.pages.documents) == 0 {
		return nil
	}
	return s.pages.documents[s.pages.languages.Of(r)]
}

// orderPage serves the dashboard at the address of one request, with what a chat shows when the link is
// pasted there.
func (s *Site) orderPage(w http.ResponseWriter, r *http.Request) {
	order, err := s.publicOrder(r)
	switch {
	case core.KindOf(err) == core.NotFound:
		// The buyer may see it: the page asks again with its session.
		s.servePage(w, r, http.StatusNotFound, s.frontMeta)
	case err != nil:
		kernel.NoteFailure(r.Context(), err)
		kernel.NotShared(r.Context())
		s.servePage(w, r, http.StatusOK, s.frontMeta)
	default:
		kernel.SharedWhileOpen(r.Context(), order)
		s.servePage(w, r, http.StatusOK,
			func(language string) meta { return s.orderMeta(language, order) })
	}
}

// publicOrder reads the order that an address names, as a visitor may see it.
func (s *Site) publicOrder(r *http.Request) (trade.Order, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return trade.Order{}, &core.Error{Kind: core.NotFound, Message: kernel.MsgNotFound}
	}
	order, err := s.Market.Trade.Order(r.Context(), core.Actor{}, core.OrderID(id))
	return order.Order, err
}

// ServeAssets returns a middleware that serves the built files from memory and without limits, once
// readBody has read the body.
func (s *Site) ServeAssets(readBody func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	served := readBody(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		s.pages.assets[r.URL.Path].serve(w, r)
	}))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.pages.assets[r.URL.Path] != nil {
				served.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// Asset reports whether a path is a file of the page, and whether its name changes with its content.
func (s *Site) Asset(path string) (found, keepForever bool) {
	a := s.pages.assets[path]
	return a != nil, a != nil && a.keepForever
}

// fileName is the path of a file: its last part has an ending, or one of its parts begins with a dot.
var fileName = regexp.MustCompile(`(?i)/\.[^/]|[^/]\.[a-z][a-z0-9]*$`)

// NotFound answers the page, which shows that nothing was found, and shortly where a program asks or a file
// is missing.
func (s *Site) NotFound(w http.ResponseWriter, r *http.Request) {
	if fileName.MatchString(r.URL.Path) {
		kernel.NewProblem(http.StatusNotFound, kernel.MsgNotFound).Write(w, r)
		return
	}
	for _, machines := range []string{"/api/", "/auth/", "/assets/"} {
		if strings.HasPrefix(r.URL.Path, machines) {
			kernel.NewProblem(http.StatusNotFound, kernel.MsgNotFound).Write(w, r)
			return
		}
	}
	s.servePage(w, r, http.StatusNotFound, s.frontMeta)
}

// servePage answers with the dashboard, with metadata in the language of the request.
func (s *Site) servePage(w http.ResponseWriter, r *http.Request, status int, m func(language string) meta) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	if !kernel.IsPrivateLink(r.URL.Path) { // these are in no cache at all
		h.Set("Cache-Control", "no-cache")
	}
	in := s.documentsFor(r)
	if in == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(unbuiltPage))
		return
	}
	h.Set("Content-Language", in.language)
	h.Set("Vary", kernel.VaryByLanguage)
	w.WriteHeader(status)
	// a client that has left needs no more
	head, index := m(in.language), in.index
	switch place := in.places[cmp.Or(head.side, r.URL.Path)]; {
	case place != nil:
		index = place
	case head.name != "":
		index = bytes.Replace(in.places[firstlook.ItemPage], []byte(firstlook.NameMark),
			[]byte(html.EscapeString(head.name)), 1)
	case head.browse:
		index = in.browse
	}
	_, _ = w.Write(listModule.ReplaceAllLiteral(head.into(index), nil))
}

// offerPage serves the dashboard at a private link. The page itself is the same for every token.
func (s *Site) offerPage(w http.ResponseWriter, r *http.Request) {
	s.servePage(w, r, http.StatusOK, s.frontMeta)
}
