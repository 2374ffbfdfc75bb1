package pages

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"
	_ "golang.org/x/image/webp" // decodes a logo
)

// Sizes of icons in pixels. Phones install a page with the first two, as
// https://web.dev/articles/add-manifest says; Apple's take 180, and browsers show 32 in a tab.
const (
	iconSmall, iconLarge = 192, 512
	iconApple, iconTab   = 180, 32
)

// A maskable icon is cut to a shape of the phone's choice, and only a circle of four fifths of its width is
// safe (https://www.w3.org/TR/appmanifest/#icon-masks). A square picture of this share is inside of it.
const maskableShare = 0.56

// iconMaker draws the icons of a site: its logo, else the standard one in the accent. A logo in SVG cannot
// be drawn here: its icons show the first letter of the site's name, and the manifest lists the logo too.
type iconMaker struct {
	site   string
	accent Colour
	faces  *cardFaces
	logo   image.Image // nil for none, or for one in SVG
	letter bool
}

func newIconMaker(site string, branding Branding) *iconMaker {
	m := &iconMaker{site: site, accent: standardAccent, faces: newCardFaces()}
	if branding.Accent != (Colour{}) {
		m.accent = branding.Accent
	}
	if branding.Logo != nil {
		m.logo = branding.Logo.picture
		m.letter = m.logo == nil
	}
	return m
}

// ground is the background of an icon.
type ground struct {
	paper bool    // else transparent
	share float64 // of the icon's width that the picture takes
}

// icon returns a square icon of a size as PNG.
func (m *iconMaker) icon(size int, on ground) ([]byte, error) {
	c := &canvas{RGBA: image.NewRGBA(image.Rect(0, 0, size, size))}
	side := int(float64(size) * on.share)
	inside := image.Rect(0, 0, side, side).Add(image.Pt((size-side)/2, (size-side)/2))
	switch {
	case m.letter:
		if err := m.faces.load(); err != nil {
			return nil, err
		}
		c.fill(c.Bounds(), m.accent.rgba())
		m.drawLetter(c)
	default:
		if on.paper {
			c.fill(c.Bounds(), paper)
		}
		m.drawPicture(c, inside)
	}
	return c.encode()
}

func (m *iconMaker) drawPicture(c *canvas, inside image.Rectangle) {
	if m.logo == nil {
		c.stall(inside, m.accent)
		return
	}
	b := m.logo.Bounds()
	width, height := inside.Dx(), inside.Dy()
	if b.Dx() > b.Dy() {
		height = max(1, width*b.Dy()/b.Dx())
	} else {
		width = max(1, height*b.Dx()/b.Dy())
	}
	at := inside.Min.Add(image.Pt((inside.Dx()-width)/2, (inside.Dy()-height)/2))
	to := image.Rectangle{at, at.Add(image.Pt(width, height))}
	draw.CatmullRom.Scale(c.RGBA, to, m.logo, b, draw.Over, nil)
}

// drawLetter draws the first letter of the site's name in the middle.
func (m *iconMaker) drawLetter(c *canvas) {
	letter := "T"
	for _, first := range strings.ToUpper(withGlyphs(m.faces.bold, m.site)) {
		letter = string(first)
		break
	}
	size := c.Bounds().Dx()
	height := 0.5 * float64(size)
	with := color.Color(color.White)
	if contrast(m.accent, white) < contrast(m.accent, black) {
		with = color.Black
	}
	// A capital letter is seven tenths as high as its face.
	c.text(m.faces.bold, height, (size-c.width(m.faces.bold, height, letter))/2, (size+int(0.7*height))/2,
		with, letter)
}

// tabIcon returns an ICO file with the icon of a tab, which since Windows Vista may hold a PNG.
func (m *iconMaker) tabIcon() ([]byte, error) {
	picture, err := m.icon(iconTab, ground{share: 1})
	if err != nil {
		return nil, err
	}
	const header = 6 + 16
	file := []byte{0, 0, 1, 0, 1, 0, iconTab, iconTab, 0, 0, 1, 0, 32, 0} // one picture with 32 bits a pixel
	file = binary.LittleEndian.AppendUint32(file, uint32(len(picture)))
	file = binary.LittleEndian.AppendUint32(file, header)
	return append(file, picture...), nil
}

// standardAccent is the accent of dashboard/src/app/index.css and of the standard logo.
var standardAccent = must(ParseColour("#1f6f63"))

// lighter is the second colour of the standard logo's awning.
func (c Colour) lighter() Colour { return c.mixed(white, 0.14) }

func (c Colour) rgba() color.RGBA {
	return color.RGBA{uint8(255*c[0] + .5), uint8(255*c[1] + .5), uint8(255*c[2] + .5), 0xff}
}

// tinted returns the standard logo in SVG with an accent.
func tinted(logo []byte, accent Colour) []byte {
	logo = bytes.ReplaceAll(logo, []byte("#2f9282"), []byte(accent.lighter().String()))
	return bytes.ReplaceAll(logo, []byte(standardAccent.String()), []byte(accent.String()))
}

// stall draws the standard logo, dashboard/public/favicon.svg, whose width is 32.
func (c *canvas) stall(inside image.Rectangle, accent Colour) {
	scale := float32(inside.Dx()) / 32
	shape := func(with color.Color, path func(z *vector.Rasterizer)) {
		z := vector.NewRasterizer(inside.Dx(), inside.Dy())
		path(z)
		z.ClosePath()
		z.Draw(c.RGBA, inside, image.NewUniform(with), image.Point{})
	}
	polygon := func(with color.Color, points ...[2]float32) {
		shape(with, func(z *vector.Rasterizer) {
			z.MoveTo(points[0][0]*scale, points[0][1]*scale)
			for _, p := range points[1:] {
				z.LineTo(p[0]*scale, p[1]*scale)
			}
		})
	}
	disc := func(with color.Color, x, y, r float32) {
		const k = 0.5523 // control point distance for a quarter circle
		shape(with, func(z *vector.Rasterizer) {
			x, y, r, b := x*scale, y*scale, r*scale, k*r*scale
			z.MoveTo(x+r, y)
			z.CubeTo(x+r, y+b, x+b, y+r, x, y+r)
			z.CubeTo(x-b, y+r, x-r, y+b, x-r, y)
			z.CubeTo(x-r, y-b, x-b, y-r, x, y-r)
			z.CubeTo(x+b, y-r, x+r, y-b, x+r, y)
		})
	}
	polygon(accent.rgba(), [2]float32{4, 12}, [2]float32{7, 4}, [2]float32{25, 4}, [2]float32{28, 12})
	for i, with := range []color.Color{accent.lighter().rgba(), cloth, accent.lighter().rgba(), cloth} {
		x := 4 + 6*float32(i)
		polygon(with, [2]float32{x, 12}, [2]float32{x + 6, 12}, [2]float32{x + 6, 14.5}, [2]float32{x, 14.5})
		disc(with, x+3, 14.5, 3)
	}
	polygon(wood, [2]float32{7, 19}, [2]float32{25, 19}, [2]float32{25, 28}, [2]float32{7, 28})
	disc(goldFace, 16, 23.5, 3.6)
	disc(goldRim, 16, 23.5, 2.55)
	disc(goldFace, 16, 23.5, 1.65)
}

// Colours of the standard logo that no accent changes.
var (
	cloth    = color.RGBA{0xf2, 0xe6, 0xcc, 0xff}
	wood     = color.RGBA{0x8a, 0x5a, 0x33, 0xff}
	goldFace = color.RGBA{0xe3, 0xb3, 0x41, 0xff}
	goldRim  = color.RGBA{0x8a, 0x5a, 0x0a, 0xff}
)

// drawnOnce returns an asset that is drawn for the first client that asks for it.
func drawnOnce(kind, tag string, drawing func() ([]byte, error)) *asset {
	return &asset{kind: kind, tag: tag, drawing: sync.OnceValues(drawing)}
}
