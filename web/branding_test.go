package web

import (
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
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
	for kind, data := range map[string]string{"image/svg+xml": `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`, "image/png": "\x89PNG\x0D\x0A\x1A\x0A"} {
		if logo, err := ParseLogo([]byte(data)); err != nil || logo.kind != kind {
			t.Errorf("a logo of kind %s: %v, %v", kind, logo, err)
		}
	}
}

// Browsers and phones ask for these addresses by themselves, and they show the market's own logo where there is one.
func TestTheIconsOfBrowsersAndPhonesAreTheMarkets(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"index.html":  {Data: []byte(`<html><head><link rel="icon" href="/favicon.svg" /><link rel="apple-touch-icon" href="/apple-touch-icon.png" /></head></html>`)},
		"favicon.ico": {Data: []byte("standard")}, "apple-touch-icon.png": {Data: []byte("standard")},
	}
	const png = "\x89PNG\x0D\x0A\x1A\x0A"
	for name, tt := range map[string]struct{ logo, icon, touch string }{
		"no logo": {"", "standard", "standard"},
		"a PNG":   {png, png, png},
		"an SVG":  {"<svg/>", "<svg/>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var branding Branding
			if tt.logo != "" {
				var err error
				if branding.Logo, err = ParseLogo([]byte(tt.logo)); err != nil {
					t.Fatal(err)
				}
			}
			d := newDoor(t, func(o *Options) { o.Dist, o.Branding = files, branding })
			for path, want := range map[string]string{iconPath: tt.icon, touchIconPath: tt.touch} {
				w := d.get(path)
				if found := w.Code == http.StatusOK; found != (want != "") || found && w.Body.String() != want {
					t.Errorf("%s is answered %d: %q", path, w.Code, w.Body)
				}
				if strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
					t.Errorf("%s is kept for ever, and the logo may change", path)
				}
			}
			if linked := strings.Contains(d.document("/mine"), "apple-touch-icon"); linked != (tt.touch != "") {
				t.Errorf("the page links to the icon of phones: %t", linked)
			}
		})
	}
}

// The page is built with both, and shows them.
func TestThePageHasIcons(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{"favicon.ico": "image/x-icon", "apple-touch-icon.png": "image/png"} {
		data, err := os.ReadFile("../dashboard/public/" + name)
		if got := http.DetectContentType(data); err != nil || got != kind {
			t.Errorf("%s is %s: %v", name, got, err)
		}
	}
	index, err := os.ReadFile("../dashboard/index.html")
	if err != nil || !strings.Contains(string(index), `<link rel="apple-touch-icon" href="/apple-touch-icon.png"`) {
		t.Errorf("the page does not link to its icon: %v", err)
	}
}
