package pages

import (
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/vector"

	"tradepost/core"
)

// point is a place on a canvas.
type point struct{ x, y float32 }

// chart draws prices: the median as a line, the range of ten to ninety percent as a band around it, and
// single trades as points. Where a day has no price there is a gap in the line. The page draws the same
// (dashboard/src/features/items/chart.ts).
func (c *canvas) chart(area image.Rectangle, days []chartedDay, of int) {
	c.fill(area, trough)
	low, high := chartRange(days)
	step := float32(area.Dx()-1) / float32(max(of-1, 1))
	place := func(at int, price core.Copper) point {
		share := float32(price-low) / float32(high-low)
		return point{float32(area.Min.X) + step*float32(at), float32(area.Max.Y) - share*float32(area.Dy())}
	}
	all := days
	days = slices.DeleteFunc(slices.Clone(days), func(d chartedDay) bool {
		return d.Price == nil
	})
	band := color.RGBA{accent.R / 6, accent.G / 6, accent.B / 6, 0xff / 6}
	for start := 0; start < len(days); {
		end := start + 1
		for end < len(days) && days[end].At == days[end-1].At+1 {
			end++
		}
		part := days[start:end]
		if len(part) == 1 { // one day is as wide as a day
			part = []chartedDay{part[0], part[0]}
		}
		line := make([]point, len(part))
		outline := make([]point, 2*len(part))
		for i, d := range part {
			line[i], outline[i], outline[2*len(part)-1-i] = place(d.At, d.Price.Median),
				place(d.At, d.Price.High), place(d.At, d.Price.Low)
		}
		if start+1 == end {
			last := len(part) - 1
			line[last].x += step
			outline[last].x, outline[last+1].x = outline[last].x+step, outline[last+1].x+step
		}
		c.shape(outline, band)
		for i := 1; i < len(line); i++ {
			c.stroke(line[i-1], line[i], 5, accent)
		}
		start = end
	}
	for _, d := range all {
		for _, paid := range d.Singles {
			if low <= paid && paid <= high {
				c.dot(place(d.At, paid), 5, accent)
			}
		}
	}
}

// chartRange returns the lowest and the highest price that a chart has room for. Beside a line, single trades
// that are further off than the band is wide are left out: one mistyped coin would flatten it.
func chartRange(days []chartedDay) (low, high core.Copper) {
	low, high = core.Copper(math.MaxInt64), core.Copper(0)
	for _, d := range days {
		if d.Price != nil {
			low, high = min(low, d.Price.Low), max(high, d.Price.High)
		}
	}
	least, most := core.Copper(0), core.Copper(math.MaxInt64)
	if high > 0 {
		off := max(high-low, high/10)
		least, most = low-off, high+off
	}
	for _, d := range days {
		for _, paid := range d.Singles {
			if least <= paid && paid <= most {
				low, high = min(low, paid), max(high, paid)
			}
		}
	}
	room := max((high-low)/10, 1)
	return max(low-room, 0), high + room
}

// dot fills a circle.
func (c *canvas) dot(at point, radius float32, with color.Color) {
	corners := make([]point, 24)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(corners)))
		corners[i] = point{at.x + radius*float32(cos), at.y + radius*float32(sin)}
	}
	c.shape(corners, with)
}

// shape fills a polygon.
func (c *canvas) shape(corners []point, with color.Color) {
	z := vector.NewRasterizer(c.Bounds().Dx(), c.Bounds().Dy())
	z.MoveTo(corners[0].x, corners[0].y)
	for _, p := range corners[1:] {
		z.LineTo(p.x, p.y)
	}
	z.ClosePath()
	z.Draw(c.RGBA, c.Bounds(), image.NewUniform(with), image.Point{})
}

// stroke draws a line of a width.
func (c *canvas) stroke(from, to point, width float32, with color.Color) {
	dx, dy := to.x-from.x, to.y-from.y
	length := float32(math.Hypot(float64(dx), float64(dy)))
	if length == 0 {
		return
	}
	// A little longer at both ends, so that the parts of a line meet.
	dx, dy = dx/length*width/2, dy/length*width/2
	from, to = point{from.x - dx/2, from.y - dy/2}, point{to.x + dx/2, to.y + dy/2}
	c.shape([]point{{from.x - dy, from.y + dx}, {to.x - dy, to.y + dx}, {to.x + dy, to.y - dx},
		{from.x + dy, from.y - dx}}, with)
}
