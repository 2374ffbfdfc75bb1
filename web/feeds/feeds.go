package feeds

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-chi/chi/v5"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/web/kernel"
)

// Feeds serves feeds. New makes one.
type Feeds struct {
	*kernel.Kernel
	site    string // its name
	embed   embed
	answers cache.Entries[string, *kernel.CachedResponse]
}

// maxAnswers limits the cached feeds, by address.
const maxAnswers = 200

// readTime is how long a read may take that others wait for, too.
const readTime = 15 * time.Second

// New returns the feeds of a site, whose links have a colour on light and one on dark ground.
func New(k *kernel.Kernel, site, light, dark string) *Feeds {
	return &Feeds{Kernel: k, site: site, embed: newEmbed(light, dark),
		answers: cache.Entries[string, *kernel.CachedResponse]{Most: maxAnswers}}
}

// feed is a list of open requests.
type feed struct {
	self, page string // addresses
	title      string
	orders     []trade.Order
	looks
}

// format writes a feed.
type format struct {
	name        string
	board, item string // addresses
	contentType []string
	write       func(*Feeds, *bytes.Buffer, feed) error
}

var formats = []format{
	{"atom", "/requests.atom", "/items/{id}.atom", []string{"application/atom+xml; charset=utf-8"},
		(*Feeds).writeAtom},
	{"csv", "/requests.csv", "/items/{id}.csv", kernel.ContentTypeCSV, (*Feeds).writeCSV},
	{"json", "/requests.json", "/items/{id}.json", kernel.ContentTypeJSON, (*Feeds).writeJSON},
	{"html", EmbedPath, EmbedPath + "/items/{id}", kernel.ContentTypeHTML, (*Feeds).writeEmbed},
}

// Routes adds the feeds: of the board, and of an item.
func (f *Feeds) Routes(r chi.Router) {
	for _, in := range formats {
		r.Get(in.board, f.serve(in, f.board))
		if f.Features.Items {
			r.Get(in.item, f.serve(in, f.item))
		}
	}
}

// Describe describes the feeds.
func (f *Feeds) Describe(a *kernel.API) {
	for _, in := range formats {
		contentType, _, _ := strings.Cut(in.contentType[0], ";")
		content := map[string]*huma.MediaType{contentType: {Schema: &huma.Schema{Type: huma.TypeString}}}
		if in.name == "json" {
			content[contentType].Schema = huma.SchemaFromType(a.Schemas(), viewType)
		}
		describe := func(path, id, summary string, parameters ...*huma.Param) {
			a.Describe(huma.Operation{
				Method: http.MethodGet, Path: path, OperationID: id, Summary: summary,
				Tags: []string{"feeds"},
				Description: "The open requests, the newest 60, without contacts and in-game names. Strong " +
					"ETag; fresh for five seconds. " + descriptions[in.name],
				Parameters: parameters,
				Responses: map[string]*huma.Response{
					"200": {Description: http.StatusText(http.StatusOK), Content: content},
					"304": {Description: "The ETag in If-None-Match is still current"},
				},
			})
		}
		text := &huma.Schema{Type: huma.TypeString}
		query := func(name, doc, example string) *huma.Param {
			return &huma.Param{Name: name, In: "query", Description: doc, Example: example, Schema: text}
		}
		describe(in.board, "feed-requests-"+in.name, "Follow the board as "+in.name,
			query("category", "A profession; may be repeated", "Fisher"),
			query("q", "A search, as on the page. It does not look into the names of buyers", "ore"),
			query("sort", "newest (the default), price, total or ending", "price"),
			query("importance", "low, medium, high or urgent; may be repeated", "urgent"),
			query("level", "Only requests that require no more", "120"),
			query("min", "Lowest unit price, in the words of the game's coins", "10s"),
			query("max", "Highest unit price, in the words of the game's coins", "2g"))
		if f.Features.Items {
			describe(in.item, "feed-item-"+in.name,
				"Follow the requests for an item as "+in.name, &huma.Param{Name: "id", In: "path",
					Required: true, Description: "The item", Example: 704,
					Schema: &huma.Schema{Type: huma.TypeInteger}})
		}
	}
}

var descriptions = map[string]string{
	"atom": "The id of an entry stays the same while the request changes.",
	"csv":  "A field that a spreadsheet would take for a formula begins with an apostrophe.",
	"json": "The requests are those of /api/public/orders.",
	"html": "A document without scripts, from 300 pixels wide, that other sites may show in a frame. With " +
		"theme=light or theme=dark it has one theme, with lang=de the texts of a language that is offered.",
}

// serve returns the handler of a feed in a format. Responses are cached by their addresses.
func (f *Feeds) serve(
	in format, read func(context.Context, *http.Request) (feed, time.Time, error),
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		kernel.OpenToScripts(w.Header())
		address := r.URL.Path + "?" + r.URL.RawQuery
		entry := f.answers.Of(address, func() *cache.Entry[*kernel.CachedResponse] {
			return cache.NewEntry[*kernel.CachedResponse](f.Cache, cache.Orders)
		})
		response, err := entry.Get(r.Context(), f.Now(), func(
			ctx context.Context,
		) (*kernel.CachedResponse, time.Time, error) {
			ctx, cancel := context.WithTimeout(ctx, readTime)
			defer cancel()
			list, until, err := read(ctx, r)
			if err != nil {
				return nil, time.Time{}, err
			}
			var body bytes.Buffer
			list.looks = f.looks(r)
			if err := in.write(f, &body, list); err != nil {
				return nil, time.Time{}, fmt.Errorf("write a feed: %w", err)
			}
			if latest, ok := entry.Latest(); ok && bytes.Equal(latest.Plain.Body, body.Bytes()) {
				return latest, until, nil
			}
			return kernel.NewPublicResponse(in.contentType, body.Bytes()), until, nil
		})
		if err != nil {
			problem := kernel.ProblemOf(r.Context(), err, f.Now())
			if in.name == "html" && problem.Status == http.StatusNotFound {
				f.serveGone(w, r)
				return
			}
			problem.Write(w, r)
			return
		}
		if in.name == "html" {
			f.embed.allowFrames(w.Header())
		}
		response.Serve(w, r)
	}
}

// board reads the list that a query of the page asks for.
func (f *Feeds) board(ctx context.Context, r *http.Request) (feed, time.Time, error) {
	query := r.URL.Query()
	filter, err := f.filter(query)
	if err != nil {
		return feed{}, time.Time{}, err
	}
	sort := match.Sort(query.Get("sort"))
	if !slices.Contains(match.Sorts, sort) {
		sort = match.Newest
	}
	page, err := f.Market.Match.BrowseOrders(ctx, match.OrderQuery{OrderFilter: filter, Sort: sort})
	if err != nil {
		return feed{}, time.Time{}, err
	}
	list := feed{title: f.site, orders: make([]trade.Order, 0, len(page.Orders))}
	if len(filter.Categories) > 0 {
		list.title += ": " + strings.Join(asTexts(filter.Categories), ", ")
	}
	list.self, list.page = f.addressed(query, r.URL.Path), f.addressed(query, "/")
	for _, o := range page.Orders {
		// The page finds requests by the names of buyers, too. A feed that did so would tell who a buyer is.
		if filter.Text == "" || match.FindsWithoutNames(filter.Text, page.Also, o.Order) {
			list.orders = append(list.orders, o.Order)
		}
	}
	return list, page.ValidUntil, nil
}

// addressed returns the address of a path with a query, without what only an embedded list is asked for.
func (f *Feeds) addressed(query url.Values, path string) string {
	query.Del("theme")
	query.Del("lang")
	if len(query) == 0 {
		return f.Public.String() + path
	}
	return f.Public.String() + path + "?" + query.Encode()
}

func asTexts(categories []game.Category) []string {
	texts := make([]string, len(categories))
	for i, c := range categories {
		texts[i] = string(c)
	}
	return texts
}

// filter reads a query as the page has it in its address. What is no value there is left out, as the page
// does.
func (f *Feeds) filter(query url.Values) (match.OrderFilter, error) {
	categories := []game.Category{}
	for _, c := range query["category"] {
		if f.Game.HasCategory(game.Category(c)) {
			categories = append(categories, game.Category(c))
		}
	}
	in := kernel.OrderFilter{Text: query.Get("q"), Item: query.Get("item"), Skills: query["skill"]}
	for _, i := range query["importance"] {
		if importance := game.Importance(i); importance.Valid() {
			in.Importance = append(in.Importance, importance)
		}
	}
	if level, err := strconv.Atoi(query.Get("level")); err == nil && 0 < level && level <= core.MaxLevel {
		in.Level = level
	}
	if id, err := strconv.ParseInt(query.Get("itemId"), 10, 64); err == nil && id > 0 && f.Features.Items {
		in.ItemID = core.ItemID(id)
	}
	in.MinPrice, in.MaxPrice = f.price(query.Get("min")), f.price(query.Get("max"))
	return in.Filter(categories)
}

func (f *Feeds) price(text string) core.Copper {
	price, err := f.Game.ParseCopper("price", text)
	if err != nil {
		return 0
	}
	return price
}

// item reads the requests for an item.
func (f *Feeds) item(ctx context.Context, r *http.Request) (feed, time.Time, error) {
	id, err := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	if err != nil {
		return feed{}, time.Time{}, kernel.NewProblem(http.StatusNotFound, kernel.MsgNotFound)
	}
	item, err := f.Market.Items.Item(ctx, core.ItemID(id))
	if err != nil {
		return feed{}, time.Time{}, err
	}
	page, err := f.Market.Match.BrowseOrders(ctx, match.OrderQuery{
		OrderFilter: match.OrderFilter{ItemID: item.ID}, Sort: match.Newest})
	if err != nil {
		return feed{}, time.Time{}, err
	}
	list := feed{title: item.Name, self: f.Public.String() + r.URL.Path,
		page: fmt.Sprintf("%s/items/%d", f.Public, item.ID), orders: make([]trade.Order, len(page.Orders))}
	for i, o := range page.Orders {
		list.orders[i] = o.Order
	}
	return list, page.ValidUntil, nil
}
