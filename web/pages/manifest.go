package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"tradepost/core"
	"tradepost/core/text"
)

// Addresses of icons. Browsers and phones ask for the first two by themselves.
const (
	iconPath         = "/favicon.ico"
	appleIconPath    = "/apple-touch-icon.png"
	smallIconPath    = "/icon-192.png"
	largeIconPath    = "/icon-512.png"
	maskableIconPath = "/icon-maskable.png"
)

// manifest is a web app manifest, with which a phone installs the page: https://www.w3.org/TR/appmanifest/.
type manifest struct {
	ID              string         `json:"id"`
	Name            string         `json:"name"`
	ShortName       string         `json:"short_name"`
	Description     string         `json:"description"`
	Language        string         `json:"lang"`
	Start           string         `json:"start_url"`
	Scope           string         `json:"scope"`
	Display         string         `json:"display"`
	BackgroundColor string         `json:"background_color"`
	ThemeColor      string         `json:"theme_color"`
	Icons           []manifestIcon `json:"icons"`
	Shortcuts       []shortcut     `json:"shortcuts"`
}

type manifestIcon struct {
	Address string `json:"src"`
	Sizes   string `json:"sizes"`
	Kind    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

type shortcut struct {
	Name    string `json:"name"`
	Address string `json:"url"`
}

// shortNameLetters is how long a name may be below an icon.
const shortNameLetters = 12

// addIcons adds the icons of the site to the assets, and their tags to the head of every page.
func (p *dashboard) addIcons(site string, branding Branding) {
	maker := newIconMaker(site, branding)
	tag := maker.tag(branding)
	drawn := func(path string, size int, on ground) {
		p.assets[path] = drawnOnce("image/png", tag, func() ([]byte, error) { return maker.icon(size, on) })
	}
	drawn(smallIconPath, iconSmall, ground{share: 1})
	drawn(largeIconPath, iconLarge, ground{share: 1})
	drawn(maskableIconPath, iconLarge, ground{paper: true, share: maskableShare})
	drawn(appleIconPath, iconApple, ground{paper: true, share: 0.76})
	p.assets[iconPath] = drawnOnce("image/x-icon", tag, maker.tabIcon)
	p.addToHead(fmt.Sprintf("    <link rel=\"apple-touch-icon\" href=\"%s?v=%s\" />\n", appleIconPath, tag))
}

// tag identifies the look of the icons.
func (m *iconMaker) tag(branding Branding) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", m.site, m.accent)
	if branding.Logo != nil {
		sum.Write(branding.Logo.data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// manifestPath is the address of the manifest in a language. A browser sends no cookies when it asks for a
// manifest, so the document names the one in its own language.
func manifestPath(language string) string { return "/manifest-" + language + ".webmanifest" }

// addManifest adds the manifest in a language to the assets, and returns its link for the head of a page.
func (p *dashboard) addManifest(language, site string, logo *Logo, on core.Features) string {
	t, work := text.For(language), "/?for=me"
	if on.Stock {
		work = "/selling"
	}
	m := manifest{
		ID: "/", Name: site, ShortName: shortName(site), Description: t.Page("site_description"),
		Language: language, Start: "/", Scope: "/", Display: "standalone",
		BackgroundColor: themes[0].background.String(), ThemeColor: themes[0].background.String(),
		Shortcuts: []shortcut{
			{t.Page("common_post_request"), "/?dialog=post"}, {t.Page("site_find_work"), work},
		},
	}
	if on.Handover {
		m.Shortcuts = append(m.Shortcuts, shortcut{t.Page("site_trades"), "/trades"})
	}
	if logo != nil && logo.picture == nil {
		m.Icons = append(m.Icons, manifestIcon{Address: logoPath, Sizes: "any", Kind: logo.kind})
	}
	square := func(size int) string { return fmt.Sprintf("%dx%[1]d", size) }
	m.Icons = append(m.Icons,
		manifestIcon{Address: smallIconPath, Sizes: square(iconSmall), Kind: "image/png"},
		manifestIcon{Address: largeIconPath, Sizes: square(iconLarge), Kind: "image/png"},
		manifestIcon{maskableIconPath, square(iconLarge), "image/png", "maskable"})
	a := newAsset("application/manifest+json", must(json.Marshal(m))) // a manifest always marshals
	p.assets[manifestPath(language)] = a
	return fmt.Sprintf("    <link rel=\"manifest\" href=\"%s\" />\n", manifestPath(language))
}

// shortName returns the words of a name that fit below an icon, and at least one.
func shortName(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return name
	}
	short := words[0]
	for _, word := range words[1:] {
		if len([]rune(short+" "+word)) > shortNameLetters {
			break
		}
		short += " " + word
	}
	return short
}
