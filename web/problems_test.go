package web_test

import (
	"net/http"
	"strings"
	"testing"

	"tradepost/core/text"
)

func TestTheTypeOfAProblemIsAPageThatOpens(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	problems := map[string]*reply{
		"item_name_required":   b.maple.post("/api/orders", order(object{"itemName": ""})),
		"duplicate":            b.maple.post("/api/orders", b.twice()),
		"sign_in_required":     b.visitor.get("/api/me/orders"),
		"request_not_found":    b.visitor.get("/api/orders/999999"),
		"not_found":            b.visitor.get("/api/nothing"),
		"not_json":             b.maple.post("/api/orders", `{"itemName":}`),
		"parameter_unknown":    b.visitor.get("/api/orders?nothing=1"),
		"limit_range":          b.visitor.get("/api/public/orders?limit=0"),
		"read_everything":      b.visitor.get("/api/public/changes?cursor=x"),
		"wrong_method":         b.maple.put("/api/orders", object{}),
		"fresh_sign_in_needed": nil, "quota": nil, "sign-in": nil, "offered": nil, "leaving": nil, "price_unusual": nil, "commit_unknown": nil,
	}
	for code, r := range problems {
		if r != nil {
			if p := r.json(); p["code"] != code || p["type"] != "/problems/"+code {
				t.Errorf("%s is answered %s, want the code %s", r.asked, r.body, code)
			}
		}
		for language, title := range map[string]string{"en": "What the market says", "de": "Was der Markt dazu sagt"} {
			page := b.visitor.get("/problems/"+code, "Accept-Language", language).wants(http.StatusOK)
			body := string(page.body)
			if !strings.Contains(body, title) || !strings.Contains(body, ">Problem: "+code+"<") || strings.ContainsAny(strings.SplitN(body, "<h1>", 2)[1], "{}") {
				t.Errorf("the page of %s in %s is %s", code, language, body)
			}
			if page.header.Get("Content-Language") != language || page.header.Get("ETag") == "" {
				t.Errorf("the page of %s has %v", code, page.header)
			}
		}
	}
	for code := range text.For("en").Errors {
		b.visitor.get("/problems/" + code).wants(http.StatusOK)
	}
	for _, unknown := range []string{"nothing", "field_name", "page_title", "%3Cscript%3E"} {
		b.visitor.get("/problems/" + unknown).wants(http.StatusNotFound)
	}
}

// twice returns the draft of a request that maple has open.
func (b *board) twice() object {
	draft := another()
	b.maple.post("/api/orders", draft).wants(http.StatusCreated)
	return draft
}

func TestAProblemIsInTheLanguageThatAProgramAsksFor(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	for accept, want := range map[string]string{
		"":                        "Limit must be between 1 and 60",
		"de":                      "Das Limit muss zwischen 1 und 60 liegen",
		"fr, de;q=0.5, en;q=0.1":  "Das Limit muss zwischen 1 und 60 liegen",
		"fr":                      "Limit must be between 1 and 60",
		"not a language, at all!": "Limit must be between 1 and 60",
	} {
		for _, path := range []string{"/api/orders?limit=0", "/api/public/orders?limit=0"} {
			r := b.visitor.get(path, "Accept-Language", accept)
			if p := r.wantsProblem(http.StatusUnprocessableEntity, "limit"); p.Detail != want || p.Errors["limit"] != want || p.Code != "limit_range" {
				t.Errorf("%s in %q is answered %+v", path, accept, p)
			}
		}
	}
	page := b.visitor.get("/api/orders?limit=0", "Accept-Language", "de", "X-Tradepost-Language", "en")
	if p := page.wantsProblem(http.StatusUnprocessableEntity, "limit"); p.Detail != "Limit must be between 1 and 60" {
		t.Errorf("the page's language is English, and it reads %q", p.Detail)
	}
}
