package kernel

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"tradepost/core/text"
)

const (
	// LanguageHeader names the language of the page in its requests. The messages of problems follow it.
	LanguageHeader = "X-Tradepost-Language"

	// LanguageCookie has the language that a visitor chose, or a signed-in user's account. The page sets it
	// too.
	LanguageCookie = "tradepost_language"

	// English is the language of programs that ask for none.
	English = "en"

	languageCookieLife = 365 * 24 * 60 * 60 // seconds
)

// Languages are the languages that are offered, as IETF tags.
type Languages struct {
	names   []string // the first is the market's own
	matcher language.Matcher
}

// NewLanguages returns the offered languages, which must be valid tags; English alone when there are none.
func NewLanguages(names []string) Languages {
	if len(names) == 0 {
		names = []string{English}
	}
	tags := make([]language.Tag, len(names))
	for i, name := range names {
		tags[i] = language.MustParse(name)
	}
	return Languages{slices.Clone(names), language.NewMatcher(tags)}
}

// Names returns the languages. They are not to be changed.
func (l Languages) Names() []string { return l.names }

// First returns the market's own language: for browsers that want none that is offered, for link previews,
// whose crawlers ask for no language, and for pictures.
func (l Languages) First() string {
	if len(l.names) == 0 {
		return English
	}
	return l.names[0]
}

// Has reports whether a language is offered.
func (l Languages) Has(name string) bool { return slices.Contains(l.names, name) }

// Of returns the language of the document that answers a request: the one that was chosen in this browser,
// else the best of those that it accepts, else the first.
func (l Languages) Of(r *http.Request) string {
	if chosen := l.Chosen(r); chosen != "" {
		return chosen
	}
	accepted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil || len(accepted) == 0 || len(l.names) < 2 {
		return l.First()
	}
	_, best, sure := l.matcher.Match(accepted...)
	if sure == language.No {
		best = 0
	}
	return l.names[best]
}

// Chosen returns the language that was chosen in a browser, empty for none.
func (l Languages) Chosen(r *http.Request) string {
	if kept, err := r.Cookie(LanguageCookie); err == nil && l.Has(kept.Value) {
		return kept.Value
	}
	return ""
}

// acceptedBy returns the language that a program asks for, as browsers do with other documents; empty where
// it asks for none that is offered.
func (k *Kernel) acceptedBy(r *http.Request) string {
	wanted := r.Header.Get("Accept-Language")
	if wanted == "" || !strings.HasPrefix(r.URL.Path, "/api/") {
		return ""
	}
	accepted, _, err := language.ParseAcceptLanguage(wanted)
	if err != nil || len(accepted) == 0 || len(k.Languages.names) < 2 {
		return ""
	}
	_, best, sure := k.Languages.matcher.Match(accepted...)
	if sure == language.No {
		return ""
	}
	return k.Languages.names[best]
}

type languagesKey struct{}

// requestLanguages are the language of the page that asks, and the one that was chosen in its browser; empty
// for none.
type requestLanguages struct{ page, chosen string }

// NoteLanguage notes in which language the page that asks is, and which one was chosen in the browser.
func (k *Kernel) NoteLanguage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l := requestLanguages{page: r.Header.Get(LanguageHeader)}
		if !IsPublic(r.URL.Path) {
			l.chosen = k.Languages.Chosen(r)
		}
		if !k.Languages.Has(l.page) {
			l.page = k.acceptedBy(r)
		}
		if l != (requestLanguages{}) {
			r = r.WithContext(context.WithValue(r.Context(), languagesKey{}, l))
		}
		next.ServeHTTP(w, r)
	})
}

// pageLanguage returns the language in which a request wants messages.
func pageLanguage(ctx context.Context) string {
	l, _ := ctx.Value(languagesKey{}).(requestLanguages)
	return cmp.Or(l.page, English)
}

// PagePrinter returns the printer for the language in which a request wants messages.
func PagePrinter(ctx context.Context) text.Printer { return text.For(pageLanguage(ctx)) }

// ChosenLanguage returns the language that was chosen in the browser; empty for none.
func ChosenLanguage(ctx context.Context) string {
	l, _ := ctx.Value(languagesKey{}).(requestLanguages)
	return l.chosen
}

// LanguageCookieFor returns the Set-Cookie header by which a browser remembers a language; an empty one is
// forgotten.
func (k *Kernel) LanguageCookieFor(name string) string {
	c := &http.Cookie{Name: LanguageCookie, Value: name, Path: "/", MaxAge: languageCookieLife,
		SameSite: http.SameSiteLaxMode, Secure: k.Public.Scheme == "https"}
	if name == "" {
		c.MaxAge = -1
	}
	return c.String()
}
