// Package firstlook draws the first requests of the board as HTML, as the dashboard will draw them a moment
// later: the first nine cards, or the first fifteen rows of the list. The document shows them until its
// scripts run. Of every other place it draws the heading and what to do there; see Frame.
//
// The markup and its classes match dashboard/src/features/orders. testdata has the HTML that both draw for
// the same requests, some made by hand and some made from the API's type (orders.gen.json): look_test.go
// compares the templates with it, and dashboard/src/test/firstLook.test.tsx the components, element by
// element.
package firstlook

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
)

// How many requests are drawn.
const (
	Cards = 9
	Rows  = 15
)

// Board is the data of the board that a document shows.
type Board struct {
	Game     game.Game
	Language string // as an IETF tag
	Welcome  string // the operator's text above the board
	Category game.Category
	Sort     match.Sort
	List     bool   // rows instead of cards
	View     string // as the address has it; empty for none
	Page     []byte // the response for the first page of the list
	Counts   []byte // the response for the counts of every category
	Now      time.Time
}

// Draw returns the board as HTML. It returns nothing for a board without requests, or with a request that is
// not open.
func Draw(b Board) ([]byte, error) {
	page, counts, err := b.read()
	if err != nil || len(page.Orders) == 0 || !page.isOpen() {
		return nil, err
	}
	words := wordsIn(b.Language)
	d := drawing{b, words}
	name := "cards"
	data := boardView{
		Welcome: b.Welcome, Heading: d.say("pages_all_requests"), Category: string(b.Category), View: b.View,
		List:    b.List,
		Showing: d.count("orders_showing", page.Total), Chips: d.chips(counts), Sorts: d.sorts(),
		ForMeAddress: "/?for=me", CardsAddress: d.address(b.Category, "cards"),
		ListAddress: d.address(b.Category, "list"),
	}
	if b.Category != "" {
		data.Heading = d.say("first_look_heading_of", "category", d.category(b.Category))
	}
	if b.List {
		name, data.Table = "rows", d.table(page.Orders)
	} else {
		data.Cards = d.cards(page.Orders)
	}
	var out bytes.Buffer
	if err := words.templates.ExecuteTemplate(&out, name, data); err != nil {
		return nil, fmt.Errorf("draw the first look: %w", err)
	}
	return append(sprite(out.Bytes()), out.Bytes()...), nil
}

// The parts of the responses that are drawn.
type (
	page struct {
		Orders []order `json:"orders"`
		Total  int     `json:"total"`
	}
	order struct {
		ID               int64           `json:"id"`
		UserID           int64           `json:"userId"`
		ItemName         string          `json:"itemName"`
		ItemID           int64           `json:"itemId"`
		Quantity         int             `json:"quantity"`
		Sold             int             `json:"sold"`
		Progress         int             `json:"progress"`
		MaxPricePerUnit  core.Copper     `json:"maxPricePerUnit"`
		TotalValue       core.Copper     `json:"totalValue,string"`
		Description      string          `json:"description"`
		BuyerContact     string          `json:"buyerContact"`
		IGN              string          `json:"ign"`
		LookAlike        *lookAlike      `json:"lookAlike"`
		LevelRequirement *int            `json:"levelRequirement"`
		Category         game.Category   `json:"category"`
		Importance       game.Importance `json:"importance"`
		SignedInOnly     bool            `json:"signedInOnly"`
		Status           trade.Status    `json:"status"`
		Expired          bool            `json:"expired"`
		Hidden           bool            `json:"hidden"`
		CreatedAt        time.Time       `json:"createdAt"`
		ExpiresAt        time.Time       `json:"expiresAt"`
		Group            *group          `json:"group"`

		texts map[string]string // by the name of their trade.Field
	}
	lookAlike struct {
		Contact bool `json:"contact"`
		Name    bool `json:"name"`
	}
	group struct {
		Requests int         `json:"requests"`
		Wanted   int         `json:"wanted"`
		Best     core.Copper `json:"best"`
	}
	counts struct {
		All        int                   `json:"all"`
		Categories map[game.Category]int `json:"categories"`
	}
)

// UnmarshalJSON reads all texts by their names, besides the fields that are drawn in places of their own.
func (o *order) UnmarshalJSON(data []byte) error {
	type plain order
	var values map[string]any
	if err := errors.Join(json.Unmarshal(data, (*plain)(o)), json.Unmarshal(data, &values)); err != nil {
		return err
	}
	o.texts = map[string]string{}
	for _, f := range trade.Fields {
		o.texts[f.Name], _ = values[f.Name].(string)
	}
	return nil
}

// isOpen reports whether every request takes offers. Others are drawn by the page alone.
func (p page) isOpen() bool {
	return !slices.ContainsFunc(p.Orders, func(o order) bool {
		return o.Status != trade.Active || o.Expired || o.Hidden
	})
}

func (b Board) read() (p page, c counts, err error) {
	if err = json.Unmarshal(b.Page, &p); err == nil {
		err = json.Unmarshal(b.Counts, &c)
	}
	if err != nil {
		return page{}, counts{}, fmt.Errorf("read what the first look shows: %w", err)
	}
	return p, c, nil
}

// boardView is the data of the templates.
type boardView struct {
	Welcome, Heading, Category, View string
	List                             bool
	Showing                          template.HTML
	Chips                            []chip
	Sorts                            []choice
	CardsAddress, ListAddress        string
	ForMeAddress                     string
	Cards                            []card
	Table                            table
}

type chip struct {
	Name, Icon, Address string
	Count               template.HTML
	Chosen, None        bool
}

type choice struct {
	Value, Label string
	Chosen       bool
}

// drawing draws one board.
type drawing struct {
	Board
	*words
}

func (d drawing) chips(c counts) []chip {
	chips := []chip{{Name: d.say("orders_all"), Icon: "layout-grid", Address: d.address("", d.View),
		Count:  d.number(c.All),
		Chosen: d.Category == ""}}
	for _, p := range d.Game.Professions {
		n := c.Categories[p.Name]
		chips = append(chips, chip{
			Name: d.category(p.Name), Icon: p.Icon, Address: d.address(p.Name, d.View),
			Count:  d.number(n),
			Chosen: p.Name == d.Category, None: n == 0 && p.Name != d.Category,
		})
	}
	return chips
}

// sorts returns the choices of the sort menu, as in dashboard/src/hooks/useBrowseFilter.ts.
func (d drawing) sorts() []choice {
	choices := make([]choice, len(match.Sorts))
	for i, s := range match.Sorts {
		choices[i] = choice{string(s), d.say("lib_sort_" + string(s)), s == d.Sort}
	}
	return choices
}

// address returns the address of the board in a category and a view, in the current sort.
func (d drawing) address(category game.Category, view string) string {
	query := url.Values{}
	if category != "" {
		query.Set("category", string(category))
	}
	if d.Sort != match.Newest {
		query.Set("sort", string(d.Sort))
	}
	if view != "" {
		query.Set("view", view)
	}
	if len(query) == 0 {
		return "/"
	}
	return "/?" + query.Encode()
}

// search is the address of a search in the list.
func (d drawing) search(text string) string {
	return "/?" + url.Values{"q": {text}, "view": {"list"}}.Encode()
}

func (d drawing) iconOf(c game.Category) string {
	for _, p := range d.Game.Professions {
		if p.Name == c {
			return p.Icon
		}
	}
	return "layout-grid"
}

//go:embed *.html
var files embed.FS

//go:embed icons.gen.json
var iconsJSON []byte

var (
	drawings  = must(readDrawings())
	functions = template.FuncMap{"icon": icon, "thin": thin, "button": button, "tag": tag, "mark": mark,
		"strong": strong, "bdi": bdi, "inline": inline, "counted": counted, "place": tab}
)

func readDrawings() (drawings map[string]string, err error) {
	err = json.Unmarshal(iconsJSON, &drawings)
	return drawings, err
}

// icon draws an icon by reference: each drawing is in the document once.
func icon(name, class string) template.HTML { return drawn(name, class, "2") }

// thin draws the icon of a profession.
func thin(name, class string) template.HTML { return drawn(name, class, "1.75") }

func drawn(name, class, stroke string) template.HTML {
	// #nosec G203 -- ours
	return template.HTML(`<svg aria-hidden="true" stroke-width="` + stroke + `" class="` + class +
		`"><use href="#icon-` + name + `"/></svg>`)
}

var iconUsed = regexp.MustCompile(`href="#icon-([a-z0-9-]+)"`)

// sprite returns the drawings of the icons that a document uses.
func sprite(html []byte) []byte {
	used := map[string]bool{}
	for _, match := range iconUsed.FindAllSubmatch(html, -1) {
		used[string(match[1])] = true
	}
	var out bytes.Buffer
	out.WriteString(`<svg aria-hidden="true" class="absolute size-0" focusable="false"><defs>`)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(&out, `<symbol id="icon-%s" viewBox="0 0 24 24" fill="none" stroke="currentColor" `+
			`stroke-linecap="round" stroke-linejoin="round">%s</symbol>`, name, drawings[name])
	}
	out.WriteString(`</defs></svg>`)
	return out.Bytes()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // a mistake in this package
	}
	return v
}

func itoa[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }
