package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"tradepost/core/game"
)

// Branding is how an operator customizes the page. Zero fields leave the built page unchanged.
type Branding struct {
	Accent    Colour // of buttons, links and selections; readable shades are derived from it
	Logo      *Logo
	Welcome   string // text above the board
	ListFirst bool   // the board is a list, not cards, until a user chooses
}

// Logo is a picture beside the name of the site.
type Logo struct {
	data    []byte
	kind    string      // its media type
	picture image.Image // nil for SVG
}

const (
	maxLogo       = 256 << 10
	maxLogoPixels = 2048 // a side
)

// ParseLogo reads an SVG, PNG or WebP picture of up to 256 KiB and 2048 pixels a side.
func ParseLogo(data []byte) (*Logo, error) {
	kind := http.DetectContentType(data)
	if kind != "image/png" && kind != "image/webp" {
		if !strings.Contains(string(data[:min(len(data), 1000)]), "<svg") {
			return nil, errors.New("it must be an SVG, PNG or WebP picture")
		}
		kind = "image/svg+xml"
	}
	if len(data) > maxLogo {
		return nil, fmt.Errorf("it has %d KiB, and may have %d", len(data)>>10, maxLogo>>10)
	}
	logo := &Logo{data: data, kind: kind}
	if kind == "image/svg+xml" {
		return logo, nil
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && max(size.Width, size.Height) > maxLogoPixels {
		return nil, fmt.Errorf("it has %d by %d pixels, and may have %d a side", size.Width, size.Height,
			maxLogoPixels)
	}
	if err == nil {
		logo.picture, _, err = image.Decode(bytes.NewReader(data))
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return logo, nil
}

// Colour is an sRGB colour: red, green and blue from 0 to 1.
type Colour [3]float64

var colourText = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// ParseColour reads a colour as #1f6f63.
func ParseColour(text string) (Colour, error) {
	if !colourText.MatchString(text) {
		return Colour{}, fmt.Errorf("%q is no colour: write it as #1f6f63", text)
	}
	var c Colour
	for i := range c {
		part, err := strconv.ParseUint(text[1+2*i:3+2*i], 16, 8)
		if err != nil {
			return Colour{}, fmt.Errorf("%q is no colour: %w", text, err)
		}
		c[i] = float64(part) / 255
	}
	return c, nil
}

// UnmarshalText is ParseColour, for settings.
func (c *Colour) UnmarshalText(text []byte) (err error) {
	*c, err = ParseColour(string(text))
	return err
}

// String writes the colour as #1f6f63.
func (c Colour) String() string {
	byteOf := func(part float64) int { return int(math.Round(255 * part)) }
	return fmt.Sprintf("#%02x%02x%02x", byteOf(c[0]), byteOf(c[1]), byteOf(c[2]))
}

// mixed returns the colour mixed with a share, from 0 to 1, of another.
func (c Colour) mixed(other Colour, share float64) Colour {
	for i := range c {
		c[i] += (other[i] - c[i]) * share
	}
	return c
}

// luminance and contrast are defined in WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
func (c Colour) luminance() float64 {
	linear := func(part float64) float64 {
		if part <= 0.04045 {
			return part / 12.92
		}
		return math.Pow((part+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

func contrast(a, b Colour) float64 {
	light, dark := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (light + 0.05) / (dark + 0.05)
}

// readable moves a colour towards another until its contrast on each ground is above WCAG AA.
func (c Colour) readable(towards Colour, grounds ...Colour) Colour {
	for share := 0.0; share <= 1; share += 0.02 {
		shade := c.mixed(towards, share)
		least := math.Inf(1)
		for _, ground := range grounds {
			least = min(least, contrast(shade, ground))
		}
		if least >= 4.7 {
			return shade
		}
	}
	return towards
}

var (
	black = Colour{}
	white = Colour{1, 1, 1}
)

// theme has the colours of dashboard/src/app/index.css that the accent is used on.
type theme struct {
	selector         string
	background, card Colour
	ink              Colour // text moves towards it to become readable
	soft             float64
}

var themes = []theme{
	{":root", must(ParseColour("#f6f1e6")), must(ParseColour("#fffcf5")), black, 0.85},
	{".dark", must(ParseColour("#0e1a1c")), must(ParseColour("#152527")), white, 0.8},
}

// primary returns the colour of buttons and links in a theme, and the soft ground's.
func (c Colour) primary(t theme) (primary, soft Colour) {
	soft = c.mixed(t.card, t.soft)
	return c.readable(t.ink, t.background, t.card, soft), soft
}

// Links returns the colours of links on light and on dark ground. Those of the page are returned for no
// accent.
func (c Colour) Links() (light, dark Colour) {
	if c == (Colour{}) {
		return must(ParseColour("#1f6f63")), must(ParseColour("#66c3af"))
	}
	light, _ = c.primary(themes[0])
	dark, _ = c.primary(themes[1])
	return light, dark
}

// style returns the style sheet that sets the accent in both themes.
func (c Colour) style() []byte {
	var sheet strings.Builder
	for _, t := range themes {
		primary, soft := c.primary(t)
		foreground := white
		if contrast(primary, white) < contrast(primary, black) {
			foreground = black
		}
		fmt.Fprintf(&sheet, "%s{--primary:%s;--primary-strong:%s;--primary-foreground:%s;"+
			"--ring:%s;--accent:%s;--accent-foreground:%s}\n",
			t.selector, primary, primary.mixed(t.ink, 0.2), foreground, primary, soft,
			primary.readable(t.ink, soft).mixed(t.ink, 0.15))
	}
	return []byte(sheet.String())
}

// Addresses of the assets that branding adds.
const (
	stylePath = "/look.css"
	logoPath  = "/logo"
)

// standardLogo is the address of the logo of a site that has none of its own.
const standardLogo = "/favicon.svg"

// applyBranding adds the style sheet and the logo to the assets, and their tags to the head of every page.
func (p *dashboard) applyBranding(branding Branding) {
	add := func(path, kind string, data []byte) (address string) {
		a := newAsset(kind, data)
		a.keepForever = true
		p.assets[path] = a
		return path + "?v=" + a.tag
	}
	var head strings.Builder
	if branding.Accent != (Colour{}) {
		fmt.Fprintf(&head, "    <link rel=\"stylesheet\" href=\"%s\" />\n",
			add(stylePath, "text/css; charset=utf-8", branding.Accent.style()))
	}
	if branding.Logo != nil {
		address := add(logoPath, branding.Logo.kind, branding.Logo.data)
		fmt.Fprintf(&head, "    <link rel=\"icon\" href=\"%s\" />\n"+
			"    <meta name=\"logo\" content=\"%s\" />\n", address, address)
		p.index = iconTag.ReplaceAllLiteral(p.index, nil)
		p.index = bytes.ReplaceAll(p.index, fmt.Appendf(nil, "src=%q", standardLogo),
			fmt.Appendf(nil, "src=%q", address))
	}
	if built := p.assets[standardLogo]; built != nil && branding.Accent != (Colour{}) {
		p.assets[standardLogo] = newAsset(built.kind, tinted(built.plain, branding.Accent))
	}
	if branding.ListFirst {
		head.WriteString("    <meta name=\"default-view\" content=\"list\" />\n")
	}
	p.addToHead(head.String())
}

// addGame adds the game to the head of every page. The page is built with the standard game.
func (p *dashboard) addGame(g game.Game) {
	if g.IsStandard() {
		return
	}
	game := must(json.Marshal(g)) // a Game always marshals
	p.addToHead(fmt.Sprintf("    <meta name=\"game\" content=\"%s\" />\n", html.EscapeString(string(game))))
}

func (p *dashboard) addToHead(tags string) { p.index = withHead(p.index, tags) }

// withHead returns a page with tags at the end of its head.
func withHead(page []byte, tags string) []byte {
	return bytes.Replace(page, []byte("</head>"), []byte(tags+"  </head>"), 1)
}

var iconTag = regexp.MustCompile(`(?is)<link\s+rel="icon"[^>]*>`)

// must returns v. It panics on an error, which only a mistake in this file causes.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
