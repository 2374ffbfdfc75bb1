package pages

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"tradepost/core/text"
	"tradepost/web/kernel"
)

const problemDocument = `<!doctype html>
<html lang="LANGUAGE">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>TITLE</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>TITLE</h1>
<p>ABOUT</p>
<h2>SAYS</h2>
<ul>
SENTENCES</ul>
<p>STABLE</p>
<p><a href="/">HOME</a></p>
</html>
`

// maxVariants limits the sentences of a problem that its page shows: a plural has several.
const maxVariants = 4

// problemPage serves the page that the type of a problem names. It needs nothing from the market.
func (s *Site) problemPage(w http.ResponseWriter, r *http.Request) {
	code, language := chi.URLParam(r, "code"), s.Languages.Of(r)
	t := text.For(language)
	said, known := problemTexts(t, code)
	if !known {
		s.NotFound(w, r)
		return
	}
	var sentences strings.Builder
	for _, sentence := range said {
		sentences.WriteString("<li>" + html.EscapeString(sentence) + "</li>\n")
	}
	body := strings.NewReplacer("LANGUAGE", language,
		"TITLE", html.EscapeString(t.Page("problem_page_title", "code", code)),
		"ABOUT", html.EscapeString(problemAbout(t, code)),
		"SAYS", html.EscapeString(t.Page("problem_page_says")), "SENTENCES", sentences.String(),
		"STABLE", html.EscapeString(t.Page("problem_page_stable", "code", code)),
		"HOME", html.EscapeString(s.opts.Name)).Replace(problemDocument)
	kernel.NewCachedResponse(kernel.ContentTypeHTML, []byte(body)).ByLanguage(language).Serve(w, r)
}

// problemTexts returns the sentences that a problem with a code has, with … for what differs from time to
// time. A code that programs rely on may have many; then it has its explanation alone.
func problemTexts(t text.Printer, code string) (sentences []string, known bool) {
	m, known := t.Errors[code]
	if !known && !strings.HasPrefix(code, "field_") && !strings.HasPrefix(code, "page_") {
		m, known = t.Language.Page["problem_"+code]
	}
	if !known {
		_, known = t.Language.Page[aboutKey(code)]
		return nil, known
	}
	for _, variant := range m.Variants() {
		sentence := places.ReplaceAllLiteralString(variant, "…")
		if !slices.Contains(sentences, sentence) && len(sentences) < maxVariants {
			sentences = append(sentences, sentence)
		}
	}
	return sentences, true
}

var places = regexp.MustCompile(`\{\w+\}`)

func aboutKey(code string) string { return "problem_about_" + strings.ReplaceAll(code, "-", "_") }

// problemAbout says what to do about a problem.
func problemAbout(t text.Printer, code string) string {
	if _, known := t.Language.Page[aboutKey(code)]; known {
		return t.Page(aboutKey(code))
	}
	return t.Page("problem_about_other")
}
