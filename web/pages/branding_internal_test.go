package pages

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestAnyAccentCanBeReadInBothThemes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	colours := []Colour{{1, 1, 0}, {1, 1, 1}, {0, 0, 1}, {0, 0, 0.01}, {0.5, 0.5, 0.5}, {1, 0, 0}}
	for range 2000 {
		colours = append(colours, Colour{random.Float64(), random.Float64(), random.Float64()})
	}
	value := regexp.MustCompile(`--([a-z-]+):(#[0-9a-f]{6})`)
	for _, accent := range colours {
		sheets := strings.Split(strings.TrimSpace(string(accent.style())), "\n")
		if len(sheets) != len(themes) {
			t.Fatalf("the sheet is %q", sheets)
		}
		for i, sheet := range sheets {
			colour := map[string]Colour{}
			for _, found := range value.FindAllStringSubmatch(sheet, -1) {
				colour[found[1]] = must(ParseColour(found[2]))
			}
			for _, pair := range [][2]Colour{
				{colour["primary"], themes[i].background}, {colour["primary"], themes[i].card}, {colour["primary"], colour["accent"]},
				{colour["primary-foreground"], colour["primary"]}, {colour["primary-foreground"], colour["primary-strong"]},
				{colour["accent-foreground"], colour["accent"]},
			} {
				if got := contrast(pair[0], pair[1]); got < 4.5 {
					t.Fatalf("of the accent %s in %s: %s on %s has a contrast of %.2f", accent, themes[i].selector, pair[0], pair[1], got)
				}
			}
		}
	}
}

func TestInvalidColoursAndLogosAreRejected(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "green", "#fff", "#12345g", "#1234567", "url(x)", "#123456;}"} {
		if c, err := ParseColour(text); err == nil {
			t.Errorf("%q was taken for %s", text, c)
		}
	}
	for name, data := range map[string][]byte{
		"a page": []byte("<!doctype html><script>alert(1)</script>"), "nothing": nil, "a GIF": []byte("GIF89a"),
		"too large": []byte("<svg>" + strings.Repeat(" ", maxLogo) + "</svg>"),
	} {
		if _, err := ParseLogo(data); err == nil {
			t.Errorf("%s was taken for a logo", name)
		}
	}
	if logo, err := ParseLogo([]byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`)); err != nil || logo.kind != "image/svg+xml" {
		t.Errorf("a logo in SVG: %v, %v", logo, err)
	}
}
