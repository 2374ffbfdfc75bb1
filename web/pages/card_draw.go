package pages

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// The size of a card, as link previews expect it.
const (
	cardWidth  = 1200
	cardHeight = 630
	cardMargin = 84
)

// The page's colours, in its light theme.
var (
	paper    = color.RGBA{0xf6, 0xf1, 0xe6, 0xff}
	leaf     = color.RGBA{0xff, 0xfc, 0xf5, 0xff}
	hairline = color.RGBA{0xde, 0xd3, 0xbf, 0xff}
	ink      = color.RGBA{0x1e, 0x2b, 0x2a, 0xff}
	quiet    = color.RGBA{0x56, 0x5e, 0x58, 0xff}
	trough   = color.RGBA{0xed, 0xe5, 0xd5, 0xff}
	accent   = color.RGBA{0x1f, 0x6f, 0x63, 0xff}

	good = color.RGBA{0x2f, 0x8a, 0x59, 0xff}
	fair = color.RGBA{0xb9, 0x85, 0x12, 0xff}
	poor = color.RGBA{0xc0, 0x4b, 0x38, 0xff}
)

// edges has the edge colour of a card by the request's importance.
var edges = map[game.Importance]color.RGBA{
	game.High: {0xd1, 0x89, 0x2b, 0xff}, game.Urgent: {0xd8, 0x53, 0x1d, 0xff},
}

// coinColors are the colours of a coin mark: its text, face and rim.
type coinColors struct{ text, face, rim color.RGBA }

var coins = map[game.CoinStyle]coinColors{
	"platinum": {color.RGBA{0x3c, 0x5c, 0x88, 0xff}, color.RGBA{0x8e, 0xa9, 0xcf, 0xff},
		color.RGBA{0x4c, 0x6c, 0x9a, 0xff}},
	"gold": {color.RGBA{0x76, 0x54, 0x00, 0xff}, color.RGBA{0xe5, 0xb3, 0x3c, 0xff},
		color.RGBA{0x96, 0x69, 0x0a, 0xff}},
	"silver": {color.RGBA{0x56, 0x5d, 0x63, 0xff}, color.RGBA{0xbc, 0xc3, 0xc9, 0xff},
		color.RGBA{0x6b, 0x73, 0x7a, 0xff}},
	"copper": {color.RGBA{0x93, 0x42, 0x1c, 0xff}, color.RGBA{0xd3, 0x81, 0x4f, 0xff},
		color.RGBA{0x8f, 0x44, 0x20, 0xff}},
}

// cardFaces are the typefaces of a card. The faces of x/image are not safe for concurrent use, so each
// drawing creates its own from the parsed fonts.
type cardFaces struct {
	once                  sync.Once
	bold, medium, regular *opentype.Font
	err                   error
}

func newCardFaces() *cardFaces { return &cardFaces{} }

func (f *cardFaces) load() error {
	f.once.Do(func() {
		for into, data := range map[**opentype.Font][]byte{&f.bold: gobold.TTF, &f.medium: gomedium.TTF,
			&f.regular: goregular.TTF} {
			parsed, err := opentype.Parse(data)
			if err != nil {
				f.err = fmt.Errorf("parse font: %w", err)
			}
			*into = parsed
		}
	})
	return f.err
}

// canvas is a card being drawn. err is the first error.
type canvas struct {
	*image.RGBA
	in  text.Printer
	err error
}

func drawCard(
	o trade.Order, site string, game game.Game, faces *cardFaces, in text.Printer,
) ([]byte, error) {
	if err := faces.load(); err != nil {
		return nil, err
	}
	edge, ok := edges[o.Importance]
	if !ok {
		edge = accent
	}
	c := newCanvas(edge, in)

	const left, width = cardMargin + 4, cardWidth - 2*cardMargin
	c.text(faces.medium, 30, left, 116, quiet, c.fit(faces.medium, 30, width, c.kicker(faces.medium, o)))

	title := c.wrap(faces.bold, 68, fmt.Sprintf("%s × %s", in.Number(o.Quantity),
		c.drawable(faces.bold, o.ItemName)))
	for i, line := range title {
		c.text(faces.bold, 68, left, 246-40*(len(title)-1)+78*i, ink, line)
	}
	end := c.amount(faces, 58, left, 378, game.InCoins(o.MaxPrice))
	c.text(faces.regular, 34, end+18, 378, quiet, in.Page("common_each"))

	c.bar(left, 436, width, 20, o)
	c.text(faces.medium, 32, left, 504, ink, c.leftOf(o))
	pays := in.Page("picture_pays", "total", c.money(game, o.RemainingValue()))
	if o.Status == trade.Active {
		c.text(faces.regular, 32, left+width-c.width(faces.regular, 32, pays), 504, quiet, pays)
	}
	c.fill(image.Rect(left, 532, left+width, 534), hairline)
	c.text(faces.bold, 28, left, 576, accent, c.fit(faces.bold, 28, width, site))
	return c.encode()
}

// newCanvas returns an empty card with its edge.
func newCanvas(edge color.RGBA, in text.Printer) *canvas {
	c := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight)), in: in}
	c.fill(c.Bounds(), paper)
	c.round(28, 28, cardWidth-56, cardHeight-56, 22, hairline)
	c.round(30, 30, cardWidth-60, cardHeight-60, 20, leaf)
	c.round(30, 30, 34, cardHeight-60, 20, edge)
	c.fill(image.Rect(46, 30, 64, cardHeight-30), leaf)
	return c
}

// encode returns the card as PNG, or what went wrong while it was drawn.
func (c *canvas) encode() ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, c); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return out.Bytes(), nil
}

// kicker is the line above the item: profession, level, urgency.
func (c *canvas) kicker(f *opentype.Font, o trade.Order) string {
	of := withGlyphs(f, c.in.Category(string(o.Category)))
	if o.LevelRequirement != nil {
		of = strings.TrimSpace(of + " " + strconv.Itoa(*o.LevelRequirement) + "+")
	}
	var parts []string
	if of != "" {
		parts = append(parts, of)
	}
	switch o.Importance {
	case game.Urgent:
		parts = append(parts, c.in.Page("picture_urgent"))
	case game.High:
		parts = append(parts, c.in.Page("picture_high"))
	case game.Low, game.Medium:
	}
	return strings.Join(parts, "  ·  ")
}

// drawable returns the part of an item's name that can be drawn.
func (c *canvas) drawable(f *opentype.Font, name string) string {
	if name = withGlyphs(f, name); name == "" {
		return c.in.Page("picture_items")
	}
	return name
}

// withGlyphs removes the characters that the typeface has no glyph for; they would be drawn as empty boxes.
func withGlyphs(f *opentype.Font, name string) string {
	var buffer sfnt.Buffer
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if glyph, err := f.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
			return -1
		}
		return r
	}, name)), " ")
}

func (c *canvas) leftOf(o trade.Order) string {
	if o.Status == trade.Fulfilled {
		return c.in.Page("picture_fulfilled", "sold", o.Sold, "quantity", o.Quantity)
	}
	return c.in.Page("common_left_of", "left", o.Remaining(), "quantity", o.Quantity)
}

// money writes an amount as people read it: "1,240p 500g".
func (c *canvas) money(g game.Game, amount core.Copper) string { return g.Print(amount, c.in.Count) }

// amount draws money with its coin marks and returns where it ends.
func (c *canvas) amount(faces *cardFaces, size float64, x, y int, amount []game.CoinCount) int {
	for i, counted := range amount {
		if i > 0 {
			x += 22
		}
		colors := coins[counted.Style]
		x = c.text(faces.bold, size, x, y, colors.text, c.in.Count(counted.Count)) + 10
		x = c.coin(faces, size, x, y, colors, counted.Letter)
	}
	return x
}

// coin draws the mark of a coin beside text of a size, and returns where it ends.
func (c *canvas) coin(faces *cardFaces, size float64, x, y int, colors coinColors, letter string) int {
	radius := int(size * 0.34)
	centre := y - radius
	c.round(x, centre-radius, 2*radius, 2*radius, radius, colors.rim)
	c.round(x+3, centre-radius+3, 2*radius-6, 2*radius-6, radius-3, colors.face)
	letter = strings.ToUpper(letter)
	mark := size * 0.44
	c.text(faces.bold, mark, x+radius-c.width(faces.bold, mark, letter)/2, centre+int(mark*0.36),
		colors.text, letter)
	return x + 2*radius
}

func (c *canvas) bar(x, y, width, height int, o trade.Order) {
	c.round(x, y, width, height, height/2, trough)
	fillColor := poor
	switch progress := o.Progress(); {
	case progress >= 70:
		fillColor = good
	case progress >= 40:
		fillColor = fair
	}
	if done := width * o.Progress() / 100; done > 0 {
		c.round(x, y, max(done, height), height, height/2, fillColor)
	}
}

func (c *canvas) fill(r image.Rectangle, with color.Color) {
	draw.Draw(c.RGBA, r, image.NewUniform(with), image.Point{}, draw.Over)
}

// round fills a rectangle with round corners.
func (c *canvas) round(x, y, width, height, radius int, with color.Color) {
	const k = 0.5523 // control point distance for a quarter circle
	w, h, r := float32(width), float32(height), float32(min(radius, width/2, height/2))
	bend := r * (1 - k)
	z := vector.NewRasterizer(width, height)
	z.MoveTo(r, 0)
	z.LineTo(w-r, 0)
	z.CubeTo(w-bend, 0, w, bend, w, r)
	z.LineTo(w, h-r)
	z.CubeTo(w, h-bend, w-bend, h, w-r, h)
	z.LineTo(r, h)
	z.CubeTo(bend, h, 0, h-bend, 0, h-r)
	z.LineTo(0, r)
	z.CubeTo(0, bend, bend, 0, r, 0)
	z.ClosePath()
	z.Draw(c.RGBA, image.Rect(x, y, x+width, y+height), image.NewUniform(with), image.Point{})
}

func (c *canvas) face(f *opentype.Font, size float64) font.Face {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("open font: %w", err)
	}
	return face
}

// text draws one line on its baseline and returns where it ends.
func (c *canvas) text(f *opentype.Font, size float64, x, y int, with color.Color, s string) int {
	face := c.face(f, size)
	if c.err != nil {
		return x
	}
	d := font.Drawer{Dst: c.RGBA, Src: image.NewUniform(with), Face: face, Dot: fixed.P(x, y)}
	d.DrawString(s)
	return d.Dot.X.Ceil()
}

func (c *canvas) width(f *opentype.Font, size float64, s string) int {
	face := c.face(f, size)
	if c.err != nil {
		return 0
	}
	return font.MeasureString(face, s).Ceil()
}

// fit truncates a line to the width.
func (c *canvas) fit(f *opentype.Font, size float64, width int, s string) string {
	if c.width(f, size, s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		if short := strings.TrimSpace(string(runes)) + "…"; c.width(f, size, short) <= width {
			return short
		}
	}
	return ""
}

// wrap breaks a text between words into at most two lines of the card; the last one is truncated.
func (c *canvas) wrap(f *opentype.Font, size float64, s string) []string {
	const width, most = cardWidth - 2*cardMargin, 2
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		longer := strings.TrimSpace(line + " " + word)
		if line == "" || len(lines) == most-1 || c.width(f, size, longer) <= width {
			line = longer
			continue
		}
		lines = append(lines, c.fit(f, size, width, line))
		line = word
	}
	return append(lines, c.fit(f, size, width, line))
}
