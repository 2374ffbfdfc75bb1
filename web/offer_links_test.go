package web_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tradepost/web"
)

// linked sends a visitor's offer and returns its address in the API, and the API's address of its private link.
func (b *browser) linked(address string, change ...object) (made, link string) {
	b.s.t.Helper()
	sent := b.post(address+"/offers", offer(change...)).wants(http.StatusCreated).json()
	return fmt.Sprintf("/api/offers/%v", sent["offer"].(object)["id"]), "/api/offer-links/" + tokenOf(b.s.t, sent)
}

// tokenOf returns the secret of the link in the answer to an offer.
func tokenOf(t *testing.T, sent object) string {
	t.Helper()
	link, _ := sent["link"].(string)
	to, err := url.Parse(link)
	must(t, err)
	token, found := strings.CutPrefix(to.Path, "/offer/")
	if !found || len(token) < 40 {
		t.Fatalf("the private link is %q", link)
	}
	return token
}

// follows returns what a private link shows.
func (b *browser) follows(link string) (state string, shown object) {
	b.s.t.Helper()
	shown = b.get(link).wants(http.StatusOK).json()
	return shown["offer"].(object)["state"].(string), shown
}

func TestAVisitorFollowsTheirOfferByAPrivateLink(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor, elsewhere := s.signedIn("maple"), s.visitor(), s.visitor()
	address := maple.posts(object{"quantity": 10, "ign": "Maple of the Mill"})
	made, link := visitor.linked(address, object{"quantityOffered": 8})

	state, shown := elsewhere.follows(link)
	own, order := shown["offer"].(object), shown["order"].(object)
	if state != "open" || own["quantityOffered"] != 8.0 || own["message"] != "I have plenty" || own["sellerName"] != "Fern" || own["buyerContact"] != nil {
		t.Errorf("an open offer shows %v", own)
	}
	if order["itemName"] != "Iron Ore" || order["buyerContact"] != "maple" || order["offerCount"] != nil || len(shown["receipts"].([]any)) != 0 {
		t.Errorf("its request is shown as %v", shown)
	}

	maple.post(made+"/accept", object{"quantity": 3}).wants(http.StatusOK)
	state, shown = elsewhere.follows(link)
	receipt := shown["receipts"].([]any)[0].(object)
	with := receipt["with"].(object)
	if own = shown["offer"].(object); state != "open" || own["quantityAccepted"] != 3.0 || own["quantityLeft"] != 5.0 {
		t.Errorf("a partly accepted offer shows %v", own)
	}
	if receipt["side"] != "seller" || receipt["total"] != "750" || receipt["ign"] != "Maple of the Mill" || with["contact"] != "maple" || with["verified"] != true || with["discordUrl"] != nil {
		t.Errorf("the receipt is %v", receipt)
	}

	maple.post(made+"/accept", object{"quantity": 5}).wants(http.StatusOK)
	if state, shown = elsewhere.follows(link); state != "accepted" || len(shown["receipts"].([]any)) != 2 || shown["order"] != nil {
		t.Errorf("an accepted offer shows %v", shown)
	}
	maple.post(address+"/sales", object{"quantitySold": 2}).wants(http.StatusOK) // the request is filled
	if state, shown = elsewhere.follows(link); state != "accepted" || len(shown["receipts"].([]any)) != 2 {
		t.Errorf("after the request was filled it shows %v", shown)
	}
	elsewhere.delete(link).wantsProblem(http.StatusConflict)
}

func TestAVisitorWithdrawsByThePrivateLink(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor, elsewhere := s.signedIn("maple"), s.visitor(), s.visitor()
	address := maple.posts()
	_, link := visitor.linked(address)
	_, other := visitor.linked(address) // another offer, with a link of its own

	const key = "a-key-of-a-phone-that-asks-once-more"
	elsewhere.delete(link, "Idempotency-Key", key).wants(http.StatusNoContent)
	elsewhere.delete(link, "Idempotency-Key", key).wants(http.StatusNoContent)
	elsewhere.delete(link).wantsProblem(http.StatusConflict)
	if state, shown := elsewhere.follows(link); state != "withdrawn" || shown["order"] != nil {
		t.Errorf("a withdrawn offer shows %v", shown)
	}
	if state, _ := elsewhere.follows(other); state != "open" {
		t.Errorf("the other offer is %s", state)
	}
	if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
		t.Errorf("the buyer reads %v", list)
	}
	notice := maple.get("/api/me/notices").json()["notices"].([]any)[0].(object)
	if notice["kind"] != "offer_withdrawn" || notice["counterpart"].(object)["name"] != "Fern" {
		t.Errorf("the buyer's notice is %v", notice)
	}
}

func TestAVisitorChangesTheirOfferByThePrivateLink(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts(object{"quantity": 100})
	_, link := visitor.linked(address, object{"quantityOffered": 40})
	token := strings.TrimPrefix(link, "/api/offer-links/")

	sent := visitor.post(address+"/offers", offer(object{"quantityOffered": 60, "replacesLink": token})).wants(http.StatusCreated).json()
	if sent["replaced"] != true || tokenOf(t, sent) == token {
		t.Errorf("the answer is %v", sent)
	}
	offers := maple.get(address + "/offers").wants(http.StatusOK).json()
	if list := offers["offers"].([]any); len(list) != 1 || list[0].(object)["quantityOffered"] != 60.0 {
		t.Errorf("the buyer has the offers %v", list)
	}
	// The link that they bookmarked leads to the changed offer, and changes it again; so does the new one.
	latest := "/api/offer-links/" + tokenOf(t, sent)
	for _, known := range []string{link, latest} {
		if state, shown := visitor.follows(known); state != "open" || shown["offer"].(object)["quantityOffered"] != 60.0 {
			t.Errorf("%s leads to %v", known, shown["offer"])
		}
	}
	first := offers["offers"].([]any)[0].(object)
	maple.post(fmt.Sprintf("/api/offers/%v/accept", first["id"]), object{"quantity": 10}).wants(http.StatusOK)
	again := visitor.post(address+"/offers", offer(object{"quantityOffered": 70, "replacesLink": token})).wants(http.StatusCreated).json()
	for _, known := range []string{link, latest, "/api/offer-links/" + tokenOf(t, again)} {
		state, shown := visitor.follows(known)
		receipts := shown["receipts"].([]any)
		if state != "open" || shown["offer"].(object)["quantityOffered"] != 70.0 || shown["offer"].(object)["quantityAccepted"] != 0.0 ||
			len(receipts) != 1 || receipts[0].(object)["quantity"] != 10.0 {
			t.Errorf("after an accept and another change %s leads to %v", known, shown)
		}
	}
	// Neither an offer that is over nor one on another request is replaced.
	visitor.delete(link).wants(http.StatusNoContent)
	if state, _ := visitor.follows(latest); state != "withdrawn" {
		t.Errorf("after it was withdrawn the offer is %s", state)
	}
	visitor.post(address+"/offers", offer(object{"replacesLink": token})).wantsProblem(http.StatusConflict)
	_, other := visitor.linked(address)
	elsewhere := maple.posts(object{"itemName": "Coal"})
	visitor.post(elsewhere+"/offers", offer(object{"replacesLink": strings.TrimPrefix(other, "/api/offer-links/")})).wantsProblem(http.StatusConflict)
	visitor.post(address+"/offers", offer(object{"replacesLink": "nonsense"})).wantsProblem(http.StatusConflict)
}

func TestAPrivateLinkSaysWhatBecameOfTheOffer(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	moderator := s.signedIn(moderator)
	for _, tt := range []struct {
		state string
		ends  func(address, offer string)
	}{
		{"declined", func(_, offer string) { maple.delete(offer).wants(http.StatusNoContent) }},
		{"removed", func(_, offer string) {
			moderator.post(offer+"/remove", object{"reason": "No such item"}).wants(http.StatusNoContent)
		}},
		{"lapsed", func(address, _ string) { maple.post(address+"/close", nil).wants(http.StatusOK) }},
		{"open", func(_, offer string) {
			maple.delete(offer).wants(http.StatusNoContent)
			maple.post(offer+"/undo", nil).wants(http.StatusNoContent)
		}},
		{"lapsed", func(address, offer string) {
			maple.delete(offer).wants(http.StatusNoContent)
			maple.post(offer+"/undo", nil).wants(http.StatusNoContent)
			maple.post(address+"/close", nil).wants(http.StatusOK)
		}},
	} {
		address := maple.posts()
		offer, link := visitor.linked(address)
		tt.ends(address, offer)
		state, shown := visitor.follows(link)
		if state != tt.state || (shown["order"] == nil) != (state != "open") {
			t.Errorf("an offer that was %s shows %v", tt.state, shown)
		}
	}
}

// An older program beside this one ends offers without a word in their links.
func TestAPrivateLinkMakesDoWithoutWhatAnOlderProgramDoesNotWrite(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	for _, tt := range []struct {
		state string
		ends  func(address, offer string)
	}{
		{"declined", func(_, offer string) { maple.delete(offer).wants(http.StatusNoContent) }},
		{"accepted", func(_, offer string) { maple.post(offer+"/accept", object{"quantity": 20}).wants(http.StatusOK) }},
		{"lapsed", func(address, _ string) { maple.post(address+"/close", nil).wants(http.StatusOK) }},
	} {
		address := maple.posts()
		offer, link := visitor.linked(address)
		tt.ends(address, offer)
		s.sql(`update offer_links set state = 'open'`)
		if state, shown := visitor.follows(link); state != tt.state {
			t.Errorf("an offer that was %s shows %v", tt.state, shown)
		}
	}
}

func TestAPrivateLinkEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()

	deleted := maple.posts()
	_, link := visitor.linked(deleted)
	maple.delete(deleted).wants(http.StatusNoContent)
	gone := visitor.get(link).wantsProblem(http.StatusNotFound)

	expired := maple.posts()
	_, link = visitor.linked(expired)
	s.clock.forward(366 * 24 * time.Hour)
	if state, shown := visitor.follows(link); state != "lapsed" || shown["order"] != nil {
		t.Errorf("on an expired request it shows %v", shown)
	}
	visitor.delete(link).wantsProblem(http.StatusConflict)

	maple = s.signedIn("maple")
	archived := maple.posts()
	offer, link := visitor.linked(archived)
	maple.post(offer+"/accept", object{"quantity": 20}).wants(http.StatusOK)
	maple.post(archived+"/close", nil).wants(http.StatusOK)
	visitor.get(link).wants(http.StatusOK)
	s.sql(`update orders set archived_at = now() where status = 'fulfilled'`)
	visitor.get(link).wantsProblem(http.StatusNotFound)

	for _, wrong := range []string{"x", "1", strings.Repeat("A", 43), "%00", strings.Repeat("x", 3000)} {
		p := visitor.get("/api/offer-links/" + wrong).wantsProblem(http.StatusNotFound)
		visitor.delete("/api/offer-links/" + wrong).wantsProblem(http.StatusNotFound)
		if p.Detail != gone.Detail {
			t.Errorf("a wrong link says %q, an ended one %q", p.Detail, gone.Detail)
		}
	}
}

func TestARepeatedOfferGetsALinkOfItsOwn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	links := map[string]bool{}
	for i := range 7 {
		sent := visitor.post(address+"/offers", offer(), "Idempotency-Key", "0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11").wants(http.StatusCreated).json()
		if i >= 5 { // there are enough
			if sent["link"] != nil {
				t.Errorf("repeat %d has the link %v", i, sent["link"])
			}
			continue
		}
		links[tokenOf(t, sent)] = true
	}
	if len(links) != 5 {
		t.Errorf("five repeats have %d links", len(links))
	}
	for token := range links {
		if state, _ := visitor.follows("/api/offer-links/" + token); state != "open" {
			t.Errorf("a link shows %s", state)
		}
	}
	if list := maple.get(address + "/offers").json(); list["total"] != 1.0 {
		t.Errorf("the buyer reads %v", list)
	}
	seller := s.signedIn("rowan.ashdown").post(address+"/offers", offer()).wants(http.StatusCreated).json()
	if link, given := seller["link"]; !given || link != nil {
		t.Errorf("a signed-in seller gets %v", seller)
	}
}

// Nobody who reads the database, the log or the metrics can follow a link, and no other site or cache learns of it.
func TestAPrivateLinkStaysPrivate(t *testing.T) {
	t.Parallel()
	metrics := prometheus.NewRegistry()
	s := open(t, func(o *web.Options) { o.Metrics = metrics })
	maple, visitor := s.signedIn("maple"), s.visitor()
	address := maple.posts()
	sent := visitor.post(address+"/offers", offer(), "Idempotency-Key", "0c9f1c2e-6c0b-4f0a-9a53-6a4b4f0e7d11").wants(http.StatusCreated).json()
	token := tokenOf(t, sent)
	made := fmt.Sprintf("/api/offers/%v", sent["offer"].(object)["id"])
	maple.post(made+"/accept", object{"quantity": 1}).wants(http.StatusOK)

	visits := map[string]*reply{
		"the page":    visitor.get("/offer/" + token).wants(http.StatusOK),
		"the offer":   visitor.get("/api/offer-links/" + token).wants(http.StatusOK),
		"a part":      visitor.get("/offer/" + token + "/x").wants(http.StatusNotFound),
		"a parameter": visitor.get("/api/offer-links/" + token + "?x=1").wants(http.StatusUnprocessableEntity),
		"a withdraw":  visitor.delete("/api/offer-links/"+token, "Idempotency-Key", "another-key-of-that-visitor-long-enough").wants(http.StatusNoContent),
		"no write":    visitor.post("/api/offer-links/"+token, nil).wants(http.StatusMethodNotAllowed),
		"a wrong one": visitor.get("/api/offer-links/x").wants(http.StatusNotFound),
	}
	for what, r := range visits {
		for name, value := range map[string]string{"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex"} {
			if got := r.header.Values(name); len(got) != 1 || got[0] != value {
				t.Errorf("%s answers %s %q", what, name, got)
			}
		}
		if strings.Contains(string(r.body), token) {
			t.Errorf("%s answers the token: %s", what, r.body)
		}
	}
	if r := visitor.get("/offers"); r.header.Get("Referrer-Policy") != "same-origin" || r.header.Get("X-Robots-Tag") != "" {
		t.Errorf("another page answers %v", r.header)
	}
	back := s.discord.Player(t, "juniper_fox").Authorize(visitor.begin("/offer/" + token).String())
	visitor.get(back.RequestURI()).leadsBack(t, s, "/")

	if text := s.log.String(); strings.Contains(text, token) || !strings.Contains(text, "route=/api/offer-links/{token}") || !strings.Contains(text, "route=/offer/{token}") {
		t.Errorf("logged is %s", text)
	}
	measured := httptest.NewRecorder()
	promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}).ServeHTTP(measured, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if text := measured.Body.String(); strings.Contains(text, token) || !strings.Contains(text, `route="/offer/{token}"`) {
		t.Errorf("measured is %s", text)
	}

	hash := sha256.Sum256([]byte(token))
	if found := s.rowsWith(token); len(found) != 0 {
		t.Errorf("the token is stored in %v", found)
	}
	if found := s.rowsWith(string(hash[:])); len(found) != 1 || found[0] != "offer_links" {
		t.Errorf("its hash is stored in %v", found)
	}
}

// sql runs a statement on the site's database.
func (s *site) sql(statement string) {
	s.t.Helper()
	conn, err := pgx.Connect(context.Background(), s.dsn)
	must(s.t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), statement)
	must(s.t, err)
}

// rowsWith lists the tables that have some bytes anywhere in a row, as text or as binary data.
func (s *site) rowsWith(secret string) (found []string) {
	s.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, s.dsn)
	must(s.t, err)
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`)
	must(s.t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(s.t, err)
	if len(tables) < 20 {
		s.t.Fatalf("only %d tables are searched", len(tables))
	}
	for _, table := range tables {
		var has bool
		query := fmt.Sprintf(`select exists (select from %s t where position($1::text in t::text) > 0 or position($2::text in t::text) > 0)`, pgx.Identifier{table}.Sanitize())
		must(s.t, conn.QueryRow(ctx, query, printable(secret), fmt.Sprintf("%x", secret)).Scan(&has))
		if has {
			found = append(found, table)
		}
	}
	return found
}

// printable returns a text that may be a parameter, and one that is in no row for bytes that may not.
func printable(text string) string {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return "\u2603 is in no row"
		}
	}
	return text
}
