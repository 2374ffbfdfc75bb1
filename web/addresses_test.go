package web_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each address of the page's own table answers 200 where there is what it leads to, also when it is opened by itself.
func TestEveryAddressOfThePageAnswers(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../dashboard/src/app/App.tsx")
	must(t, err)
	_, table, _ := strings.Cut(string(source), "export const pages = {")
	table, _, _ = strings.Cut(table, "\n}")
	s := open(t)
	s.has("name,kind\nIron Ore,Ore\n")
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	_, link := visitor.linked(address)
	posted := maple.post("/api/lists", list(object{"text": "5x Coal 1s"})).wants(http.StatusCreated).json()
	leads := map[string]string{
		"/requests/": strings.TrimPrefix(address, "/api/orders/"), "/items/": "1", "/lists/": fmt.Sprint(posted["id"]), "/traders/": fmt.Sprint(maple.User.ID),
		"/trades/": "12", "/trades/with/": fmt.Sprint(maple.User.ID), "/offer/": strings.TrimPrefix(link, "/api/offer-links/"),
	}
	checked := 0
	for _, m := range regexp.MustCompile(`(?m)^  '(/[^']*)':`).FindAllStringSubmatch(table, -1) {
		path, part, _ := strings.Cut(m[1], ":")
		if part != "" {
			if leads[path] == "" {
				t.Errorf("say what %s leads to", m[1])
				continue
			}
			path += leads[path]
			if strings.HasSuffix(part, "/:name") {
				path += "/iron-ore"
			}
		}
		for _, reader := range []*browser{maple, visitor} {
			if r := reader.get(path).wants(http.StatusOK); !strings.Contains(string(r.body), `<div id="root">`) {
				t.Errorf("%s shows %s", path, r.body)
			}
		}
		checked++
	}
	if checked < 15 {
		t.Errorf("only %d addresses were read from the page", checked)
	}
}

// Addresses of older programs lead on, with their query.
func TestOldAddressesOfThePageLeadOn(t *testing.T) {
	t.Parallel()
	s := open(t)
	for from, to := range map[string]string{
		"/offers": "/selling/offers", "/offers?show=accepted&x=%26": "/selling/offers?show=accepted&x=%26", "/offers/received": "/mine/offers",
		"/stock?a=1": "/selling/stock?a=1", "/wanted": "/items/wanted",
		"/watches?a=1": "/selling/saved?a=1", "/searches": "/selling/saved", "/saved": "/selling/saved",
	} {
		r := s.visitor().get(from).wants(http.StatusMovedPermanently)
		if got := r.header.Get("Location"); got != to {
			t.Errorf("%s leads to %s, want %s", from, got, to)
		}
	}
}
