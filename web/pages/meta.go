package pages

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/core/trade"
	"tradepost/web/firstlook"
	"tradepost/web/kernel"
)

// meta is the metadata in the head of a page.
type meta struct {
	site, tagline, welcome      string
	version                     string // of the program
	built                       time.Time
	noVisitorOffers             bool
	language                    string
	browse                      bool   // the page is a request on the board
	side                        string // the address of the board's side, see firstlook; empty for requests
	name                        string // of the item that the page shows; empty on any other page
	features                    core.Features
	categories, coins           string // their names in the page's language; empty for the game's own
	title, description, address string
	image, imageAlt             string // empty for none
	noScripts                   string // for browsers that run no scripts
	feed                        string // the address of the page's feed; empty for none

	// ahead lists the addresses that the page asks for as soon as it runs. The browser loads it beside the
	// page's scripts, so that no request waits for another.
	ahead []string
}

// siteMeta is the metadata of every page: users navigate to other pages without loading them.
func (s *Site) siteMeta(language string) meta {
	t := text.For(language)
	m := meta{
		site: s.opts.Name, tagline: s.opts.Tagline, welcome: s.opts.Branding.Welcome, version: s.opts.Version,
		built:           s.opts.Built,
		noVisitorOffers: s.opts.NoVisitorOffers, features: s.Features, language: language,
		noScripts: t.Page("site_needs_scripts", "site", s.opts.Name),
	}
	if len(t.Categories) > 0 {
		m.categories = namesOf(s.Game.Categories(),
			func(c game.Category) string { return t.Category(string(c)) })
	}
	if len(t.Coins) > 0 {
		m.coins = namesOf(s.Game.Coins, func(c game.Coin) string { return t.Coin(c.Name) })
	}
	if m.tagline == text.For(kernel.English).Page("lib_tagline") { // the default, not the operator's own
		m.tagline = t.Page("lib_tagline")
	}
	return m
}

// namesOf returns the names of things of a game, in the game's order, one a line.
func namesOf[T any](things []T, name func(T) string) string {
	names := make([]string, len(things))
	for i, thing := range things {
		names[i] = name(thing)
	}
	return strings.Join(names, "\n")
}

func (s *Site) frontMeta(language string) meta {
	t, m := text.For(language), s.siteMeta(language)
	m.title, m.address = t.Page("lib_page_title", "site", s.opts.Name), s.Public.String()+"/"
	m.description = t.Page("site_description")
	m.image = fmt.Sprintf("%s%s?v=%s", s.Public, SiteCardPath, s.siteCard.version())
	m.imageAlt = m.title + ". " + m.description
	return m
}

func (s *Site) orderMeta(language string, o trade.Order) meta {
	t := text.For(language)
	money := func(c core.Copper) string { return s.Game.Print(c, t.Count) }
	address := fmt.Sprintf("%s/requests/%d", s.Public, o.ID)
	m := s.siteMeta(language)
	m.title, m.address = fmt.Sprintf("%s × %s", t.Number(o.Quantity), o.ItemName), address
	m.image = fmt.Sprintf("%s/card.png?v=%s", address, s.cards.orderVersion(o.Version))
	m.ahead, m.browse = []string{"/api/me", fmt.Sprintf("/api/orders/%d", o.ID)}, true
	if o.Status == trade.Fulfilled {
		m.description = t.Page("preview_fulfilled", "sold", o.Sold, "quantity", o.Quantity,
			"price", money(o.MaxPrice))
	} else {
		m.description = t.Page("preview_request", "price", money(o.MaxPrice), "left", o.Remaining(),
			"quantity", o.Quantity, "total", money(o.RemainingValue()))
	}
	m.imageAlt = m.title + ". " + m.description
	return m
}

var (
	titleTag       = regexp.MustCompile(`(?is)<title>.*?</title>`)
	descriptionTag = regexp.MustCompile(`(?is)<meta\s+name="description"[^>]*>`)

	// aheadTemplate begins the template with what the page loads first (dashboard/scripts/ahead.ts).
	aheadTemplate = []byte("<template id=\"ahead\">\n")

	// saidTag is an element with the name or tagline of the site, which shows until the scripts run.
	saidTag = regexp.MustCompile(`(data-said="([a-z-]+)"\s*>)[^<]*`)

	noScriptTag = regexp.MustCompile(`(<noscript[^>]*>)[^<]*`)
)

// into returns the page with its head filled in, and with what the site is called. Texts are
// escaped: they are user input.
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
	if m.version != "" {
		tag("name", "version", m.version)
	}
	if !m.built.IsZero() {
		tag("name", "built", m.built.Format(time.DateOnly))
	}
	if m.noVisitorOffers {
		tag("name", "visitor-offers", "off") // the page asks visitors to sign in instead of showing the form
	}
	if features := m.features.Names(); len(features) > 0 {
		tag("name", "features", strings.Join(features, " "))
	}
	if m.categories != "" {
		tag("name", "categories", m.categories)
	}
	if m.coins != "" {
		tag("name", "coins", m.coins)
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
	if m.feed != "" {
		fmt.Fprintf(&head, "    <link rel=\"alternate\" type=\"application/atom+xml\" title=\"%s\" "+
			"href=\"%s\" />\n", html.EscapeString(m.title), html.EscapeString(m.feed))
	}
	var ahead strings.Builder
	for _, address := range m.ahead {
		// With "crossorigin" as the page's own fetch asks, or else the browser would load it twice.
		fmt.Fprintf(&ahead, "    <link rel=\"preload\" as=\"fetch\" href=\"%s\" crossorigin />\n",
			html.EscapeString(address))
	}
	if bytes.Contains(index, aheadTemplate) { // what is in it is loaded after the first paint
		index = bytes.Replace(index, aheadTemplate, append(bytes.Clone(aheadTemplate), ahead.String()...), 1)
	} else {
		head.WriteString(ahead.String())
	}

	said := map[string]string{"application-name": m.site, "tagline": m.tagline}
	index = saidTag.ReplaceAllFunc(index, func(element []byte) []byte {
		parts := saidTag.FindSubmatch(element)
		return append(bytes.Clone(parts[1]), html.EscapeString(said[string(parts[2])])...)
	})
	index = noScriptTag.ReplaceAllFunc(index, func(element []byte) []byte {
		return append(bytes.Clone(noScriptTag.FindSubmatch(element)[1]), html.EscapeString(m.noScripts)...)
	})
	index = titleTag.ReplaceAllLiteral(index, nil)
	index = descriptionTag.ReplaceAllLiteral(index, nil)
	return bytes.Replace(index, []byte("</head>"), []byte("  "+head.String()+"  </head>"), 1)
}

// Placeholders in index.html for the links of the header and for the bar below it.
var (
	headerMark = regexp.MustCompile(`(?s)<!-- header -->.*<!-- /header -->`)
	belowMark  = regexp.MustCompile(`(?s)<!-- below -->.*<!-- /below -->`)
)

// framed returns the page with the places of the market in it, and with its heading.
func (m meta) framed(index []byte, frame firstlook.Frame) []byte {
	frame.Language, frame.Features, frame.VisitorsOffer = m.language, m.features, !m.noVisitorOffers
	drawn, err := frame.Draw()
	if err != nil {
		panic(err) // a mistake in the templates
	}
	index = headerMark.ReplaceAllLiteral(index, drawn.Header)
	if drawn.Page != nil {
		index = lookMark.ReplaceAllLiteral(index, drawn.Page)
	}
	return belowMark.ReplaceAllLiteral(index, drawn.Below)
}
