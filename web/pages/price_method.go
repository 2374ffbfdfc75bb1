package pages

import (
	"html"
	"net/http"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/text"
	"tradepost/web/kernel"
)

const priceMethodDocument = `<!doctype html>
<html lang="LANGUAGE">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>TITLE</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem 3rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
ul{margin:0;padding-left:1.25rem}
li+li{margin-top:.4rem}
code{overflow-wrap:anywhere}
</style>
<h1>TITLE</h1>
<p>INTRO</p>
CHAPTERS<ul>
<li>JSON: <a href="DATA"><code>DATA</code></a></li>
<li>CSV: <a href="DATA.csv"><code>DATA.csv</code></a></li>
</ul>
<p><a href="/items">HOME</a></p>
</html>
`

// priceMethodChapters are the texts of the page: of each chapter its title and its points.
var priceMethodChapters = [][]string{
	{"counts", "counts_settled", "counts_trust", "counts_young", "counts_quantity", "counts_once"},
	{"not", "not_undone", "not_logged", "not_aside"},
	{"needs", "needs_fills", "needs_private"},
	{"spans", "spans_day", "spans_once", "spans_when"},
	{"values", "values_median", "values_trim", "values_volume"},
	{"puppets", "puppets_new", "puppets_circle", "puppets_young"},
	{"data", "data_open", "data_ids"},
}

// priceMethodNumbers are the numbers in the texts.
var priceMethodNumbers = map[string][]any{
	"counts_settled":  {"hours", int(core.SettledAfter / time.Hour)},
	"counts_quantity": {"quantity", items.TheRule.Quantity},
	"counts_once":     {"trader", items.TheRule.OfTrader},
	"needs_fills": {"fills", items.TheRule.Fills, "pairs", items.TheRule.Pairs, "circles",
		items.TheRule.Circles},
	"spans_when": {"hours", int(core.SettledAfter / time.Hour)},
}

// priceMethod serves the page about how prices are computed. It takes its numbers from the rule's constants.
func (s *Site) priceMethod(w http.ResponseWriter, r *http.Request) {
	language := s.Languages.Of(r)
	t := text.For(language)
	said := func(key string) string {
		return html.EscapeString(t.Page("price_method_"+key, priceMethodNumbers[key]...))
	}
	var chapters strings.Builder
	for _, chapter := range priceMethodChapters {
		chapters.WriteString("<h2>" + said(chapter[0]) + "</h2>\n<ul>\n")
		for _, key := range chapter[1:] {
			chapters.WriteString("<li>" + said(key) + "</li>\n")
		}
		chapters.WriteString("</ul>\n")
	}
	body := strings.NewReplacer("LANGUAGE", language, "TITLE", said("title"), "INTRO", said("intro"),
		"CHAPTERS", chapters.String(), "DATA", html.EscapeString(s.Public.String()+kernel.PublicPrefix+
			"prices/history"), "HOME", html.EscapeString(s.opts.Name)).Replace(priceMethodDocument)
	kernel.NewCachedResponse(kernel.ContentTypeHTML, []byte(body)).ByLanguage(language).Serve(w, r)
}
