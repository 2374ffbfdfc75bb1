package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/web"
)

// ring is three people who trade in pairs, with everything said about each trade.
type ring struct {
	*site
	traders []*browser
	deals   int
}

func openRing(t *testing.T) *ring {
	t.Helper()
	r := &ring{site: open(t)}
	r.has("name,made_by,made_at_level\nIron Ore,Miner,20\nCopper Ore,Miner,10\n")
	for _, name := range []string{"maple", "rowan.ashdown", "juniper_fox"} {
		r.traders = append(r.traders, r.signedIn(name))
	}
	r.clock.forward(time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC).Sub(r.clock.now())) // a Monday
	return r
}

// trades has pairs trade some of an item at each price, and both sides say that they met.
func (r *ring) trades(item string, quantity int, prices ...int) {
	r.t.Helper()
	for _, price := range prices {
		buyer, seller := r.traders[r.deals%3], r.traders[(r.deals+1)%3]
		r.deals++
		on := buyer.posts(object{"itemName": item, "quantity": quantity, "maxPricePerUnit": price, "confirmPrice": true})
		made := seller.offers(on, object{"quantityOffered": quantity})
		sale := buyer.post(made+"/accept", object{"quantity": quantity}).wants(http.StatusOK).json()["sale"].(object)["id"]
		for _, side := range []*browser{buyer, seller} {
			side.post("/api/handovers/say", object{"sales": []any{sale}, "word": "met"}).wants(http.StatusOK)
		}
		r.clock.forward(time.Minute)
	}
}

// on moves the clock to ten o'clock of a day in May.
func (r *ring) on(day int) {
	r.clock.forward(time.Date(2026, 5, day, 10, 0, 0, 0, time.UTC).Sub(r.clock.now()))
	for i, trader := range r.traders {
		r.traders[i] = r.signedIn(trader.name) // the session has ended
	}
}

type historyAnswer struct {
	AsOf         time.Time
	From, Method string
	Young        bool
	Items        []struct {
		ItemID   int
		ItemName string
		Periods  []struct {
			Span, From, To                       string
			Median, LowerQuartile, UpperQuartile int
			Volume, Trades                       int
		}
	}
}

func (r *ring) history(query string) (h historyAnswer) {
	r.t.Helper()
	r.visitor().get("/api/public/prices/history" + query).wants(http.StatusOK).into(&h)
	return h
}

// periods returns the periods of the first item, as a line each.
func (h historyAnswer) periods() string {
	var lines []string
	for _, i := range h.Items {
		for _, p := range i.Periods {
			lines = append(lines, fmt.Sprint(i.ItemName, " ", p.Span, " ", p.From, " ", p.To, ": ", p.LowerQuartile, " ", p.Median, " ", p.UpperQuartile, ", ", p.Volume, " in ", p.Trades))
		}
	}
	return strings.Join(lines, "\n")
}

func TestPricesByDayElseByWeekElseNotAtAll(t *testing.T) {
	t.Parallel()
	r := openRing(t)
	r.trades("Iron Ore", 20, 100, 110, 120, 130, 140) // Monday by itself; each pair counts with its latest
	r.on(5)
	r.trades("Iron Ore", 3, 10, 20, 30)
	r.trades("Copper Ore", 1, 7, 7, 7, 7) // no price at all
	if h := r.history(""); len(h.Items) != 0 {
		t.Errorf("on Tuesday Monday is not certain, and there is %+v", h)
	}
	r.on(7)
	r.trades("iron ore", 3, 40, 50)
	const monday = "Iron Ore day 2026-05-04 2026-05-04: 130 130 130, 100 in 5"
	h := r.history("")
	if got := h.periods(); got != monday {
		t.Errorf("on Thursday there is\n%s", got)
	}
	if !h.AsOf.Equal(time.Date(2026, 5, 7, 0, 0, 0, 0, time.UTC)) || h.From != "2026-02-02" || !h.Young || h.Method != r.url+"/prices/method" {
		t.Errorf("the answer is as of %v from %s, young %t, by %s", h.AsOf, h.From, h.Young, h.Method)
	}
	r.on(10)
	if got := r.history("").periods(); got != monday {
		t.Errorf("before its week has ended there is\n%s", got)
	}
	r.on(13)
	r.trades("Iron Ore", 5, 1, 1, 1, 1) // too few, also for their week
	const week = monday + "\nIron Ore week 2026-05-04 2026-05-10: 40 40 40, 15 in 5"
	if got := r.history("").periods(); got != week {
		t.Errorf("after its week there is\n%s", got)
	}
	r.on(22)
	if got := r.history("").periods(); got != week {
		t.Errorf("four trades make\n%s", got)
	}

	// Some items alone, and the same as a table.
	if got := r.history("?ids=1,77").periods(); got != week {
		t.Errorf("of iron alone there is\n%s", got)
	}
	if got := r.history("?ids=2").periods(); got != "" {
		t.Errorf("of copper there is\n%s", got)
	}
	rows := r.visitor().get("/api/public/prices/history.csv?ids=1").rows()
	if len(rows) != 3 || strings.Join(rows[0], ",") != "itemId,itemName,span,from,to,median,lowerQuartile,upperQuartile,volume,trades" ||
		strings.Join(rows[2], ",") != "1,Iron Ore,week,2026-05-04,2026-05-10,40,40,40,15,5" {
		t.Errorf("the table is %q", rows)
	}
	if none := r.visitor().get("/api/public/prices/history.csv?ids=2").rows(); len(none) != 1 {
		t.Errorf("the table of copper is %q", none)
	}
	r.visitor().get("/api/public/prices/history?ids=x").wantsProblem(http.StatusUnprocessableEntity, "ids")
	r.visitor().get("/api/public/prices/history?day=1").wantsProblem(http.StatusUnprocessableEntity, "day")

	// It is for programs that poll.
	for path, content := range map[string]string{"/api/public/prices/history": "application/json", "/api/public/prices/history.csv": "text/csv; charset=utf-8; header=present"} {
		first := r.visitor().get(path).wants(http.StatusOK)
		if first.header.Get("Cache-Control") != "public, max-age=5" || first.header.Get("Access-Control-Allow-Origin") != "*" || first.header.Get("Content-Type") != content {
			t.Errorf("%s is kept as %v", path, first.header)
		}
		r.clock.forward(time.Hour)
		r.visitor().get(path, "If-None-Match", first.header.Get("ETag")).wants(http.StatusNotModified)
		if text := strings.ToLower(string(first.body)); strings.Contains(text, "maple") || strings.Contains(text, "rowan") || strings.Contains(text, "user") {
			t.Errorf("%s names somebody: %s", path, text)
		}
	}
}

// What moderators set aside, and what is undone, leaves the history within minutes.
func TestTradesThatCountNoLongerLeaveTheHistory(t *testing.T) {
	t.Parallel()
	r := openRing(t)
	r.trades("Iron Ore", 20, 100, 110, 120, 130, 140)
	r.on(7)
	if h := r.history(""); len(h.Items) != 1 {
		t.Fatalf("there is %+v", h)
	}
	_, err := r.store.Pool().Exec(t.Context(), "insert into set_aside (user_id, ring, at, reason) values ($1, 1, $2, 'a ring')", r.traders[0].User.ID, r.clock.now())
	must(t, err)
	r.clock.forward(3 * core.Day)
	if h := r.history(""); len(h.Items) != 0 {
		t.Errorf("with an account set aside there is %+v", h)
	}
}

func TestThePageSaysHowPricesAreComputed(t *testing.T) {
	t.Parallel()
	s := open(t)
	for language, wants := range map[string][]string{
		"en": {"<h1>How prices are computed</h1>", "5 trades between at least 3 different pairs", "24 hours after", "What puppets cannot do"},
		"de": {"<h1>Wie Preise berechnet werden</h1>", "5 Geschäfte zwischen mindestens 3 verschiedenen Paaren", "24 Stunden", "Was Strohmänner nicht können"},
	} {
		page := s.visitor().get("/prices/method", "Accept-Language", language).wants(http.StatusOK)
		for _, want := range append(wants, `href="`+s.url+`/api/public/prices/history"`, s.url+"/api/public/prices/history.csv") {
			if !strings.Contains(string(page.body), want) {
				t.Errorf("in %s it lacks %q: %s", language, want, page.body)
			}
		}
		if page.header.Get("Content-Language") != language || page.header.Get("ETag") == "" || strings.ContainsAny(strings.SplitN(string(page.body), "<h1>", 2)[1], "{}") {
			t.Errorf("in %s it has %v: %s", language, page.header, page.body)
		}
	}
	off := open(t, func(o *web.Options) { o.Features.Prices = false })
	for _, path := range []string{"/prices/method", "/api/public/prices/history", "/api/public/prices/history.csv"} {
		off.visitor().get(path).wants(http.StatusNotFound)
	}
}
