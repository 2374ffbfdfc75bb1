package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"tradepost/core/text"
	"tradepost/web"
)

// inBothLanguages has a page that is built in English and German, with a place for the first requests.
func inBothLanguages(o *web.Options) {
	built := maps.Clone(page)
	built["index.html"] = &fstest.MapFile{Data: []byte(`<!doctype html><html lang="en"><head><title>Tradepost</title>` +
		`<script type="module" src="/assets/en/app-1a2b.js"></script></head><body><!-- first look --><!-- /first look -->` +
		`<noscript id="last">Tradepost needs JavaScript to show more than these requests.</noscript></body></html>`)}
	for _, language := range []string{"en", "de"} {
		built["assets/"+language+"/app-1a2b.js"] = &fstest.MapFile{Data: []byte("console.log('" + language + "')")}
	}
	o.Dist = built
}

// chooses has a visitor choose a language on the page.
func (b *browser) chooses(language string) *browser {
	b.s.t.Helper()
	here, err := url.Parse(b.s.url)
	must(b.s.t, err)
	b.client.Jar.SetCookies(here, []*http.Cookie{{Name: "tradepost_language", Value: language, Path: "/"}})
	return b
}

// chosen is the language that the browser remembers; empty for none.
func (b *browser) chosen() string {
	b.s.t.Helper()
	here, err := url.Parse(b.s.url)
	must(b.s.t, err)
	for _, c := range b.client.Jar.Cookies(here) {
		if c.Name == "tradepost_language" {
			return c.Value
		}
	}
	return ""
}

// in checks that a document is in a language.
func (r *reply) in(language string) *reply {
	r.t.Helper()
	html := string(r.body)
	if !strings.Contains(html, `<html lang="`+language+`">`) || !strings.Contains(html, `"/assets/`+language+`/app-1a2b.js"`) {
		r.t.Errorf("%s is not in %s: %.300s", r.asked, language, html)
	}
	if got := r.header.Get("Content-Language"); got != language {
		r.t.Errorf("%s has the Content-Language %q, want %s", r.asked, got, language)
	}
	if vary := strings.Join(r.header.Values("Vary"), ", "); !strings.Contains(vary, "Accept-Language") || !strings.Contains(vary, "Cookie") {
		r.t.Errorf("%s varies by %q", r.asked, vary)
	}
	return r
}

func TestADocumentIsInTheLanguageThatWasChosenOrThatTheBrowserAccepts(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	order := strings.TrimPrefix(s.signedIn("maple").posts(), "/api/orders/")
	for _, tt := range []struct{ accepts, chosen, want string }{
		{"", "", "en"},
		{"de", "", "de"},
		{"de-AT,de;q=0.9,en;q=0.5", "", "de"},
		{"en-GB,en;q=0.9,de;q=0.8", "", "en"},
		{"fr,de;q=0.5", "", "de"},
		{"fr,it;q=0.5", "", "en"},
		{"not a header, de;q=x", "", "en"},
		{"de", "en", "en"}, // the choice beats the browser
		{"en", "de", "de"},
		{"de", "fr", "de"}, // a language that is not offered is no choice
	} {
		b := s.visitor()
		if tt.chosen != "" {
			b.chooses(tt.chosen)
		}
		for _, path := range []string{"/", "/?view=list", "/mine", "/requests/" + order, "/items"} {
			b.get(path, "Accept-Language", tt.accepts).wants(http.StatusOK).in(tt.want)
		}
		b.get("/requests/999", "Accept-Language", tt.accepts).wants(http.StatusNotFound).in(tt.want)
	}
	if html := string(s.visitor().get("/").body); !strings.Contains(html, `<meta name="languages" content="en,de" />`) {
		t.Errorf("the page does not name its languages: %s", html)
	}
	s.visitor().get("/assets/de/app-1a2b.js").wants(http.StatusOK)
}

func TestAGermanDocumentNamesProfessionsAndCoinsInGerman(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	order := strings.TrimPrefix(s.signedIn("maple").posts(), "/api/orders/")
	names := "<meta name=\"categories\" content=\"Sammler\nFischer\nKoch\n"
	for _, path := range []string{"/", "/?view=list", "/mine", "/requests/" + order, "/items"} {
		german := s.visitor().get(path, "Accept-Language", "de").in("de")
		if !strings.Contains(string(german.body), names) {
			t.Errorf("%s does not name them: %s", path, german.body)
		}
		if !strings.Contains(string(german.body), "<meta name=\"coins\" content=\"Platin\nGold\nSilber\nKupfer\" />") {
			t.Errorf("%s does not name the coins: %s", path, german.body)
		}
		english := s.visitor().get(path, "Accept-Language", "en").in("en")
		if strings.Contains(string(english.body), `name="categories"`) {
			t.Errorf("%s in English has other names than the game's", path)
		}
	}
}

func TestDocumentsOfTwoLanguagesDoNotMix(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	s.signedIn("maple").posts()
	for _, path := range []string{"/", "/?view=list", "/mine"} {
		b := s.visitor()
		english := b.get(path, "Accept-Language", "en").in("en").header.Get("ETag")
		german := b.get(path, "Accept-Language", "de").in("de").header.Get("ETag")
		b.get(path, "Accept-Language", "de", "If-None-Match", english).wants(http.StatusOK).in("de")
		b.get(path, "Accept-Language", "de", "If-None-Match", german).wants(http.StatusNotModified)
		b.get(path, "Accept-Language", "en").wants(http.StatusOK).in("en")
	}
}

func TestOnlyLanguagesThatAreOfferedAndBuiltAreShown(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*web.Options){
		"not offered": func(o *web.Options) { o.Languages = []string{"en"} },
		"not built":   func(o *web.Options) { delete(o.Dist.(fstest.MapFS), "assets/de/app-1a2b.js") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, inBothLanguages, change)
			r := s.visitor().chooses("de").get("/", "Accept-Language", "de").in("en")
			if !strings.Contains(string(r.body), `<meta name="languages" content="en" />`) {
				t.Errorf("the page names other languages: %s", r.body)
			}
		})
	}
	t.Run("German alone", func(t *testing.T) {
		t.Parallel()
		s := open(t, inBothLanguages, func(o *web.Options) { o.Languages = []string{"de"} })
		s.visitor().chooses("en").get("/", "Accept-Language", "en").in("de")
	})
}

// Crawlers ask for no language.
func TestLinkPreviewsAreInTheFirstLanguage(t *testing.T) {
	t.Parallel()
	pictures, tags := map[string]map[string]bool{}, map[string]map[string]bool{}
	for own, other := range map[string]string{"en": "de", "de": "en"} {
		s := open(t, inBothLanguages, func(o *web.Options) { o.Languages = []string{own, other} })
		request := strings.Replace(s.signedIn("maple").posts(), "/api/orders/", "/requests/", 1)
		title := fmt.Sprintf(`<meta property="og:title" content="%s" />`, text.For(own).Page("lib_page_title", "site", "Tradepost"))
		for _, accepts := range []string{"", "fr"} {
			if html := string(s.visitor().get("/", "Accept-Language", accepts).in(own).body); !strings.Contains(html, title) {
				t.Errorf("for %q the page is not in %s: %s", accepts, own, html)
			}
		}
		for name, path := range map[string]string{"site": "/card.png", "request": request + "/card.png"} {
			if pictures[name] == nil {
				pictures[name], tags[name] = map[string]bool{}, map[string]bool{}
			}
			r := s.visitor().get(path, "Accept-Language", "en").wants(http.StatusOK)
			pictures[name][string(r.body)] = true
			tags[name][r.header.Get("ETag")] = true // or a chat would go on showing the old one
		}
	}
	for name, drawn := range pictures {
		if len(drawn) != 2 {
			t.Errorf("the picture of a %s is the same in both languages", name)
		}
		if len(tags[name]) != 2 {
			t.Errorf("the picture of a %s has the same ETag in both languages", name)
		}
	}
}

func TestALanguageIsKeptWithTheAccount(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	maple := s.signedIn("maple")
	me := func(b *browser) any { return b.get("/api/me").wants(http.StatusOK).json()["user"].(object)["language"] }
	if got := me(maple); got != nil {
		t.Errorf("before a choice: %v", got)
	}
	for range 2 { // idempotent
		maple.put("/api/me/language", object{"language": "de"}, "Idempotency-Key", "choose").wants(http.StatusOK)
	}
	if me(maple) != "de" || maple.chosen() != "de" {
		t.Errorf("the account has %v and the browser %q", me(maple), maple.chosen())
	}
	maple.get("/", "Accept-Language", "en").in("de")
	export := maple.get("/api/me/data").wants(http.StatusOK).json()
	if got := export["user"].(object)["language"]; got != "de" {
		t.Errorf("the export has %v", got)
	}

	// The account's choice beats the visitor's.
	elsewhere := s.visitor().chooses("en").signsIn("maple")
	if elsewhere.chosen() != "de" {
		t.Errorf("after the sign-in the browser has %q", elsewhere.chosen())
	}
	elsewhere.get("/").in("de")

	// Another browser learns of a later choice with its next look at the account.
	elsewhere.put("/api/me/language", object{"language": "en"}).wants(http.StatusOK)
	me(maple)
	maple.get("/", "Accept-Language", "de").in("en")

	maple.put("/api/me/language", object{"language": ""}).wants(http.StatusOK)
	if me(maple) != nil || maple.chosen() != "" {
		t.Errorf("without a choice the account has %v and the browser %q", me(maple), maple.chosen())
	}
	maple.put("/api/me/language", object{"language": "fr"}).wantsProblem(http.StatusUnprocessableEntity, "language")
	s.visitor().put("/api/me/language", object{"language": "de"}).wantsProblem(http.StatusUnauthorized)

	// A visitor's choice is kept on sign-in.
	if rowan := s.visitor().chooses("de").signsIn("rowan.ashdown"); me(rowan) != "de" {
		t.Errorf("the visitor's choice became %v", me(rowan))
	}
}

func TestMessagesOfProblemsAreInTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	maple := s.signedIn("maple")
	const german, english = "Der Gegenstand fehlt", "Item name is required"
	for _, tt := range []struct{ page, accepts, content, field, path string }{
		{"", "", "en", english, "There is nothing here"},
		{"", "de", "de", german, "There is nothing here"}, // a program
		{"en", "de", "en", english, "There is nothing here"},
		{"de", "en", "de", german, "Hier ist nichts"},
		{"fr", "en", "en", english, "There is nothing here"},
	} {
		r := maple.post("/api/orders", object{"quantity": 5, "maxPricePerUnit": 5, "category": "Miner"}, "X-Tradepost-Language", tt.page,
			"Accept-Language", tt.accepts).wants(http.StatusUnprocessableEntity)
		if got := r.json()["errors"].(object)["itemName"]; got != tt.field {
			t.Errorf("for a page in %q the field has %q, want %q", tt.page, got, tt.field)
		}
		if got := r.header.Get("Content-Language"); got != tt.content {
			t.Errorf("for a page in %q the problem is in %q", tt.page, got)
		}
		if got := maple.get("/api/nothing", "X-Tradepost-Language", tt.page).json()["detail"]; got != tt.path {
			t.Errorf("for a page in %q a missing path is %q, want %q", tt.page, got, tt.path)
		}
	}
	// A page in a language that is not offered any more.
	only := open(t, inBothLanguages, func(o *web.Options) { o.Languages = []string{"en"} })
	if got := only.visitor().get("/api/nothing", "X-Tradepost-Language", "de").json()["detail"]; got != "There is nothing here" {
		t.Errorf("German is not offered: %q", got)
	}
}

// The page sends none of these; programs can have their messages in a language, too.
func TestMessagesAboutMalformedRequestsAreTranslated(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	maple := s.signedIn("maple")
	for _, tt := range []struct{ method, path, body, english, german string }{
		{"POST", "/api/orders", "", "The request needs a JSON body", "Es fehlt ein Inhalt als JSON"},
		{"POST", "/api/orders", "{", "The body ended too soon", "Der Inhalt kam nicht vollständig an"},
		{"POST", "/api/orders", "[]", "The body must be one JSON object", "Der Inhalt muss genau ein JSON-Objekt sein"},
		{"POST", "/api/orders", `{"quantity":"many"}`, "Quantity must be a whole number", "Menge: Hier muss eine ganze Zahl stehen"},
		{"POST", "/api/offers/answer", `{"answers":[7]}`, "The answers: The body must be one JSON object",
			"Antworten: Der Inhalt muss genau ein JSON-Objekt sein"},
		{"GET", "/api/orders?level=high", "", "Level must be a whole number", "Stufe: Hier muss eine ganze Zahl stehen"},
	} {
		for language, want := range map[string]string{"": tt.english, "de": tt.german} {
			if got := maple.do(tt.method, tt.path, tt.body, "Content-Type", "application/json", "X-Tradepost-Language", language).json()["detail"]; got != want {
				t.Errorf("%s %s %s in %q: %q, want %q", tt.method, tt.path, tt.body, language, got, want)
			}
		}
	}
}

// A repeat of a write is answered in the language of the page that repeats it.
func TestAStoredAnswerIsTranslatedWhenItIsSent(t *testing.T) {
	t.Parallel()
	s := open(t, inBothLanguages)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	rowan.offers(maple.posts())
	answers := object{"answers": []object{{"id": 999, "accept": 1}}}
	said := map[string]bool{}
	for _, language := range []string{"en", "de", "en"} {
		r := maple.post("/api/offers/answer", answers, "Idempotency-Key", "answer", "X-Tradepost-Language", language).wants(http.StatusOK)
		said[language+" "+r.json()["outcomes"].([]any)[0].(object)["problem"].(object)["detail"].(string)] = true
	}
	if len(said) != 2 || !said["en That offer is no longer here"] {
		t.Errorf("the answers are %v", said)
	}
}
