package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"tradepost/core"
	"tradepost/web/pages"
)

// A phone needs all of this to install the page (https://web.dev/articles/install-criteria).
type manifestRead struct {
	ID, Name, Description, Lang, Scope, Display string
	ShortName                                   string `json:"short_name"`
	Start                                       string `json:"start_url"`
	Background                                  string `json:"background_color"`
	Icons                                       []struct{ Src, Sizes, Type, Purpose string }
	Shortcuts                                   []struct{ Name, URL string }
}

var siteFiles = fstest.MapFS{
	"index.html":        {Data: []byte(`<html lang="en"><head><link rel="icon" href="/favicon.svg" /></head></html>`)},
	"favicon.svg":       {Data: []byte(`<svg><path fill="#1f6f63"/><path fill="#2f9282"/></svg>`)},
	"assets/en/main.js": {Data: []byte("1")},
	"assets/de/main.js": {Data: []byte("1")},
}

// squareLogo is a PNG of one colour, twice as wide as high.
func squareLogo(t *testing.T, width int, with color.Color) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, width/2))
	for x := range width {
		for y := range width / 2 {
			picture.Set(x, y, with)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func brandingOf(t *testing.T, accent string, logo []byte) (b pages.Branding) {
	t.Helper()
	var err error
	if accent != "" {
		if b.Accent, err = pages.ParseColour(accent); err != nil {
			t.Fatal(err)
		}
	}
	if logo != nil {
		if b.Logo, err = pages.ParseLogo(logo); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// icon returns an icon that the site serves.
func (d *door) icon(t *testing.T, path string) image.Image {
	t.Helper()
	w := d.get(path)
	body := w.Body.Bytes()
	if w.Code != http.StatusOK || strings.Contains(w.Header().Get("Cache-Control"), "immutable") || w.Header().Get("ETag") == "" {
		t.Fatalf("%s is answered %d with %v", path, w.Code, w.Header())
	}
	if strings.HasSuffix(path, ".ico") {
		body = body[22:]
	}
	picture, err := png.Decode(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return picture
}

var iconSizes = map[string]int{
	"/favicon.ico": 32, "/apple-touch-icon.png": 180, "/icon-192.png": 192, "/icon-512.png": 512, "/icon-maskable.png": 512,
}

func sameColour(a, b color.Color) bool {
	ar, ag, ab, aa := a.RGBA()
	br, bg, bb, ba := b.RGBA()
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) < 0x600 }
	return near(ar, br) && near(ag, bg) && near(ab, bb) && near(aa, ba)
}

func TestIconsAreMadeFromTheLogoAndTheAccent(t *testing.T) {
	t.Parallel()
	purple, red := color.RGBA{0x70, 0x20, 0x90, 0xff}, color.RGBA{0xe0, 0x10, 0x10, 0xff}
	for name, tt := range map[string]struct {
		accent string
		logo   []byte
		top    color.Color // a tenth below the picture's upper edge, in the middle
		middle color.Color
	}{
		"the standard logo in the accent": {"#702090", nil, nil, nil},
		"a picture":                       {"", squareLogo(t, 64, red), nil, red},
		"a letter for a logo in SVG":      {"#702090", []byte("<svg/>"), purple, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor(t, func(o *Options) { o.Dist, o.Branding = siteFiles, brandingOf(t, tt.accent, tt.logo) })
			for path, size := range iconSizes {
				picture := d.icon(t, path)
				if b := picture.Bounds(); b.Dx() != size || b.Dy() != size {
					t.Errorf("%s has %d by %d pixels, want %d", path, b.Dx(), b.Dy(), size)
				}
				if at := picture.At(size/2, size/2); tt.middle != nil && !sameColour(at, tt.middle) {
					t.Errorf("%s has %v in the middle, want %v", path, at, tt.middle)
				}
				if at := picture.At(size/2, size/10); tt.top != nil && !sameColour(at, tt.top) {
					t.Errorf("%s has %v at the top, want %v", path, at, tt.top)
				}
				if tt.logo == nil && !hasColour(picture, purple) {
					t.Errorf("%s has nothing in the accent", path)
				}
			}
			if corner := d.icon(t, "/icon-maskable.png").At(0, 0); !opaque(corner) {
				t.Error("a phone that cuts the icon to a shape would show what is behind it")
			}
			if page := d.document("/mine"); !strings.Contains(page, `<link rel="apple-touch-icon" href="/apple-touch-icon.png?v=`) {
				t.Error("the page does not link to the icon of phones")
			}
		})
	}
}

func opaque(c color.Color) bool {
	_, _, _, a := c.RGBA()
	return a == 0xffff
}

func hasColour(picture image.Image, want color.Color) bool {
	for x := range picture.Bounds().Dx() {
		for y := range picture.Bounds().Dy() {
			if sameColour(picture.At(x, y), want) {
				return true
			}
		}
	}
	return false
}

func TestTheStandardLogoHasTheAccent(t *testing.T) {
	t.Parallel()
	d := newDoor(t, func(o *Options) { o.Dist, o.Branding = siteFiles, brandingOf(t, "#702090", nil) })
	if logo := d.get("/favicon.svg").Body.String(); !strings.Contains(logo, "#702090") || strings.Contains(logo, "#1f6f63") {
		t.Errorf("the logo is %s", logo)
	}
	built, err := os.ReadFile("../dashboard/public/favicon.svg")
	if err != nil || !bytes.Contains(built, []byte("#1f6f63")) || !bytes.Contains(built, []byte("#2f9282")) {
		t.Errorf("the logo of the page has other colours than those that are replaced: %v", err)
	}
}

func TestALogoIsRefusedThatCannotBeShown(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"no picture": []byte("hello"), "a broken PNG": []byte("\x89PNG\x0D\x0A\x1A\x0A"), "too large": squareLogo(t, 2050, color.Black),
	} {
		if _, err := pages.ParseLogo(data); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestThePageCanBeInstalled(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]struct{ post, work, trades string }{
		"en": {"Post Request", "Find work", "Trades"}, "de": {"Gesuch einstellen", "Aufträge finden", "Geschäfte"},
	} {
		d := newDoor(t, func(o *Options) {
			o.Dist, o.Languages, o.Name = fs.FS(siteFiles), []string{"en", "de"}, "Harbour Market of Velia"
			o.Features = core.Features{Handover: true}
		})
		path := fmt.Sprintf("/manifest-%s.webmanifest", language)
		page := d.get("/mine", "Accept-Language", language).Body.String()
		if !strings.Contains(page, fmt.Sprintf(`<link rel="manifest" href=%q`, path)) {
			t.Errorf("the page in %s does not link to %s", language, path)
		}
		w := d.get(path)
		var m manifestRead
		if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || w.Header().Get("Content-Type") != "application/manifest+json" {
			t.Fatalf("%s is answered %d, %v: %v", path, w.Code, w.Header(), err)
		}
		if m.ID != "/" || m.Start != "/" || m.Scope != "/" || m.Display != "standalone" || m.Lang != language ||
			m.Name != "Harbour Market of Velia" || m.ShortName != "Harbour" || m.Background != "#f6f1e6" || m.Description == "" {
			t.Errorf("the manifest is %+v", m)
		}
		names := []string{}
		for _, s := range m.Shortcuts {
			names = append(names, s.Name)
			if got := d.get(s.URL); got.Code != http.StatusOK {
				t.Errorf("the shortcut %s leads to %s, which is answered %d", s.Name, s.URL, got.Code)
			}
		}
		if got := strings.Join(names, ", "); got != want.post+", "+want.work+", "+want.trades {
			t.Errorf("the shortcuts in %s are %s", language, got)
		}
		maskable := false
		for _, icon := range m.Icons {
			size := d.icon(t, icon.Src).Bounds().Dx()
			if icon.Sizes != fmt.Sprintf("%dx%d", size, size) {
				t.Errorf("%s has %d pixels, and is said to have %s", icon.Src, size, icon.Sizes)
			}
			maskable = maskable || icon.Purpose == "maskable"
		}
		if len(m.Icons) != 3 || !maskable {
			t.Errorf("the icons are %+v", m.Icons)
		}
	}
}
