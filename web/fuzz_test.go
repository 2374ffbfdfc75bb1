package web

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/scs/v2/memstore"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/web/kernel"
)

// rules is a market that decides as the core does about one order and one offer, and keeps nothing.
type rules struct {
	kernel.Market
	accepted []string // the texts that were let through
}

func (r *rules) User(context.Context, core.UserID) (core.User, error) {
	return core.User{ID: 1, Username: "maple", DisplayName: "Maple"}, nil
}

func (r *rules) PostOrderAsking(_ context.Context, a core.Actor, d core.OrderDraft, _ core.StockID) (core.Order, error) {
	return r.keep(core.NewOrder(d, a.UserID, core.StandardGame(), coretest.Forms, coretest.Noon))
}

func (r *rules) EditOrder(_ context.Context, _ core.Actor, _ core.OrderID, e core.OrderEdit) (core.Order, error) {
	return r.keep(coretest.Order().Edit(e, core.StandardGame(), coretest.Forms, coretest.Noon))
}

func (r *rules) keep(o core.Order, err error) (core.Order, error) {
	r.accepted = append(r.accepted, o.ItemName, o.Description, o.BuyerContact, o.InGameName)
	return o, err
}

func (r *rules) SendOffer(_ context.Context, _ core.Actor, _ core.OrderID, d core.OfferDraft) (core.SendOfferResult, error) {
	o, err := coretest.Order().NewOffer(d, core.Actor{}, core.Seller{}, coretest.Forms, coretest.Noon)
	r.accepted = append(r.accepted, o.SellerName, o.SellerContact, o.Message)
	return core.SendOfferResult{Offer: o}, err
}

func (r *rules) AcceptOfferBy(_ context.Context, a core.Actor, _ core.OfferID, qty int, _ time.Time) (core.Acceptance, error) {
	return coretest.Order().Accept(coretest.Offer(), qty, a.UserID, coretest.Noon)
}

func (r *rules) LogSale(_ context.Context, a core.Actor, _ core.OrderID, d core.SaleDraft) (core.LogSaleResult, error) {
	o, sale, err := coretest.Order().Sell(d, a.UserID, coretest.Forms, coretest.Noon)
	r.accepted = append(r.accepted, sale.Notes)
	return core.LogSaleResult{Order: o, Sale: sale}, err
}

func (r *rules) ReportOrder(context.Context, core.Actor, core.OrderID, string) (core.ReportID, error) {
	return 1, nil
}

func (r *rules) Vouch(context.Context, core.Actor, core.UserID) error { return nil }

func (r *rules) BlockUser(context.Context, core.Actor, core.UserID, string) error { return nil }

func (r *rules) ReadNotices(context.Context, core.Actor, core.NoticeID) error { return nil }

func (r *rules) SetNoticeSettings(_ context.Context, _ core.Actor, s core.NoticeSettings) (core.NoticeSettings, error) {
	return s, s.Validate()
}

func (r *rules) NoticeSettings(context.Context, core.Actor) (core.NoticeSettings, string, error) {
	return core.NoticeSettings{}, "", nil
}

// writes are the calls that take a body.
var writes = []struct{ method, path, right string }{
	{http.MethodPost, "/api/orders", `{"itemName":"Iron Ore","quantity":500,"maxPricePerUnit":250,"buyerContact":"maple","levelRequirement":null,"ign":"Maple","category":"Miner","importance":"high"}`},
	{http.MethodPatch, "/api/orders/7", `{"version":1,"itemName":"Gold Ore","levelRequirement":null,"ign":null}`},
	{http.MethodPost, "/api/orders/7/offers", `{"sellerName":"Fern","sellerContact":"fern","message":"I have plenty","quantityOffered":20}`},
	{http.MethodPost, "/api/offers/70/accept", `{"quantity":5}`},
	{http.MethodPost, "/api/orders/7/sales", `{"quantitySold":5,"notes":"At the docks"}`},
	{http.MethodPost, "/api/orders/7/report", `{"reason":"No such item"}`},
	{http.MethodPost, "/api/moderation/rings", `{"users":["maple"],"reason":"A ring"}`},
	{http.MethodPost, "/api/moderation/vouches", `{"userId":3}`},
	{http.MethodPost, "/api/moderation/blocks", `{"userId":3,"reason":"Floods the board"}`},
	{http.MethodPost, "/api/me/notices/read", `{"upTo":31}`},
	{http.MethodPut, "/api/me/notices/settings", `{"kinds":{"order_filled":false},"quietFrom":"22:00","quietTo":"07:30","timeZone":"Europe/Berlin"}`},
}

// signedIn returns a server for the market and the cookie of a user.
func signedIn(tb testing.TB, m kernel.Market) (*Server, *http.Cookie) {
	tb.Helper()
	s, err := New(m, Options{
		PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0), Log: slog.New(slog.DiscardHandler),
		Limits: kernel.Limits{Requests: 1 << 40, Writes: 1 << 40, VisitorOffers: 1 << 40, VisitorNetwork: 1 << 40, VisitorsInAll: 1 << 40},
	})
	if err != nil {
		tb.Fatal(err)
	}
	cookie, err := s.SessionFor(context.Background(), 1)
	if err != nil {
		tb.Fatal(err)
	}
	return s, cookie
}

// FuzzBody sends any body to every write. It is taken, or refused with a problem of 4xx; never anything else.
func FuzzBody(f *testing.F) {
	for i, w := range writes {
		f.Add(uint8(i), []byte(w.right))
		for _, body := range []string{
			"", "{}", "[]", "null", `{"a":{"b":[1,2,{}]}}`, `{"quantity":1e3,"quantity":1.5,"quantitySold":"5"}`, `{"itemName":"\u0000\ud800","version":9e999}`,
			`{"quantity":999999999999999999999999999999,"version":-1}`, w.right + w.right, w.right[:len(w.right)/2], "\xff\xfe" + w.right, "\ufeff" + w.right,
			strings.ReplaceAll(w.right, `"`, `'`), strings.Repeat(`{"a":`, 2000), `{"__proto__":{},"":null,"kinds":{"x":1},"unreachable":{}}`,
		} {
			f.Add(uint8(i), []byte(body))
		}
	}
	market := &rules{}
	s, cookie := signedIn(f, market)
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		w := writes[int(which)%len(writes)]
		market.accepted = nil
		r := httptest.NewRequestWithContext(t.Context(), w.method, w.path, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.AddCookie(cookie)
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, r)
		switch answer := recorder.Result(); {
		case answer.StatusCode < 300:
			var fields map[string]any
			if err := json.Unmarshal(body, &fields); err != nil {
				t.Errorf("%s %s accepted a body that is not a JSON object: %q", w.method, w.path, body)
			}
			for _, text := range market.accepted {
				if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || strings.ContainsRune(text, utf8.RuneError) {
					t.Errorf("%s %s let %q through", w.method, w.path, text)
				}
			}
		case answer.StatusCode >= 400 && answer.StatusCode < 500:
			var p kernel.Problem
			if err := json.Unmarshal(recorder.Body.Bytes(), &p); err != nil || p.Status != answer.StatusCode || p.Detail == "" ||
				answer.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s %s refused %q with %s", w.method, w.path, body, recorder.Body)
			}
			if p.Status == http.StatusUnprocessableEntity && len(p.Errors) == 0 {
				t.Errorf("%s %s refused %q without naming a field: %s", w.method, w.path, body, recorder.Body)
			}
		default:
			t.Errorf("%s %s answered %q with %d %s", w.method, w.path, body, answer.StatusCode, recorder.Body)
		}
	})
}
