package feeds

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"tradepost/core"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

// EmbedPath is the address of the board for the frames of other sites. Items have addresses below it.
const EmbedPath = "/embed"

//go:embed embed.html
var embedHTML string

//go:embed embed.css
var embedCSS string

// embed writes feeds as documents without scripts that other sites show in a frame.
type embed struct {
	document *template.Template
	style    template.CSS
	policy   string // its Content-Security-Policy
}

// newEmbed returns the documents with links in the colours of a site, light and dark.
func newEmbed(light, dark string) embed {
	style := strings.NewReplacer("LIGHT", light, "DARK", dark).Replace(strings.TrimSpace(embedCSS))
	sum := sha256.Sum256([]byte(style))
	return embed{
		document: template.Must(template.New("embed").Parse(embedHTML)),
		style:    template.CSS(style), //nolint:gosec // no text of a user is in it
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'; frame-ancestors *",
	}
}

// allowFrames lets every site show a document in a frame, and nothing else in it.
func (e embed) allowFrames(h http.Header) {
	h["Content-Security-Policy"] = []string{e.policy}
	h["Cross-Origin-Resource-Policy"] = []string{"cross-origin"}
	h.Del("X-Frame-Options")
}

// looks are how a site wants an embedded list.
type looks struct {
	theme    string // light or dark; empty for that of the browser
	language string
}

func (f *Feeds) looks(r *http.Request) looks {
	query := r.URL.Query()
	wanted := looks{language: f.Languages.First()}
	if theme := query.Get("theme"); theme == "light" || theme == "dark" {
		wanted.theme = theme
	}
	if language := query.Get("lang"); f.Languages.Has(language) {
		wanted.language = language
	}
	return wanted
}

type embedView struct {
	Language, Theme, Title, Page, Count, Nothing string
	Style                                        template.CSS
	Rows                                         []embedRow
}

type embedRow struct{ URL, Item, Terms, Sum string }

func (f *Feeds) writeEmbed(body *bytes.Buffer, list feed) error {
	t := text.For(list.language)
	money := func(c core.Copper) string { return f.Game.Print(c, t.Count) }
	v := embedView{
		Language: t.Name, Theme: list.theme, Title: list.title, Page: list.page, Style: f.embed.style,
		Count: t.Page("orders_showing", "count", len(list.orders)), Nothing: t.Page("site_embed_nothing"),
	}
	if len(list.orders) == core.PageSize {
		v.Count = t.Page("orders_showing_at_least", "count", len(list.orders))
	}
	for _, o := range list.orders {
		maker := t.Category(string(o.Category))
		if o.LevelRequirement != nil {
			maker = fmt.Sprintf("%s %d+", maker, *o.LevelRequirement)
		}
		v.Rows = append(v.Rows, embedRow{
			URL: kernel.RequestURL(f.Kernel, o.ID), Item: o.ItemName, Sum: money(o.RemainingValue()),
			Terms: t.Page("site_embed_terms", "price", money(o.MaxPrice), "left", o.Remaining(),
				"quantity", o.Quantity, "category", maker),
		})
	}
	return f.embed.document.Execute(body, v)
}

// serveGone answers for an item that does not exist, so that a frame shows more than the browser's own error.
func (f *Feeds) serveGone(w http.ResponseWriter, r *http.Request) {
	wanted := f.looks(r)
	t := text.For(wanted.language)
	var body bytes.Buffer
	err := f.embed.document.Execute(&body, embedView{
		Language: t.Name, Theme: wanted.theme, Title: f.site, Page: f.Public.String(),
		Style: f.embed.style, Nothing: t.Page("site_embed_gone")})
	if err != nil {
		kernel.ProblemOf(r.Context(), fmt.Errorf("write an embedded list: %w", err), f.Now()).Write(w, r)
		return
	}
	f.embed.allowFrames(w.Header())
	w.Header()["Content-Type"], w.Header()["Cache-Control"] = kernel.ContentTypeHTML, []string{"no-store"}
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(body.Bytes()) // a client that has left needs no more
}
