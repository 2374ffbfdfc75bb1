package web

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"tradepost/web/pages"
)

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
			var branding pages.Branding
			if tt.logo != "" {
				var err error
				if branding.Logo, err = pages.ParseLogo([]byte(tt.logo)); err != nil {
					t.Fatal(err)
				}
			}
			d := newDoor(t, func(o *Options) { o.Dist, o.Branding = files, branding })
			for path, want := range map[string]string{"/favicon.ico": tt.icon, "/apple-touch-icon.png": tt.touch} {
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
