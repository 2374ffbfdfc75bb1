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
	"tradepost/core/market"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/web/kernel"
)

// rulesStore is a store for the core's own rules about one order and one offer. Every write begins with the
// same two, and nothing is kept of it but the texts.
type rulesStore struct {
	market.Store
	accepted []string // the texts that were let through
}

func (r *rulesStore) User(context.Context, core.UserID) (people.User, error) {
	return people.User{ID: 1, DiscordID: theModerator, Username: "maple", DisplayName: "Maple"}, nil
}

func (r *rulesStore) Order(context.Context, core.OrderID) (trade.Order, error) {
	return coretest.Order(), nil
}

func (r *rulesStore) ReadNotices(context.Context, core.UserID, core.NoticeID, time.Time) error {
	return nil
}

func (r *rulesStore) Mailbox(context.Context, core.UserID) (notify.Mailbox, error) {
	return notify.Mailbox{}, nil
}

func (r *rulesStore) Atomically(_ context.Context, do func(market.Tx) error) error {
	tx := &rulesTx{order: coretest.Order(), offer: coretest.Offer()}
	if err := do(tx); err != nil {
		return err
	}
	r.accepted = append(r.accepted, tx.notes,
		tx.order.ItemName, tx.order.Description, tx.order.BuyerContact, tx.order.InGameName,
		tx.offer.SellerName, tx.offer.SellerContact, tx.offer.Message)
	return nil
}

// theModerator is the Discord account of the user who writes: every body is looked at.
const theModerator = "1"

// rulesTx has one order, of user 1, and one offer on it.
type rulesTx struct {
	market.Tx
	order trade.Order
	offer trade.Offer
	notes string // of a sale
}

func (t *rulesTx) OpenMailbox(context.Context, core.UserID) error { return nil }

func (t *rulesTx) LockOrder(context.Context, core.OrderID) (trade.Order, error) { return t.order, nil }

func (t *rulesTx) CountPost(context.Context, core.UserID, time.Time) error { return nil }

func (t *rulesTx) LockBuyer(
	context.Context, trade.Order, core.Quotas, time.Time,
) (trade.Buyer, error) {
	return trade.Buyer{}, nil
}

func (t *rulesTx) AddOrder(ctx context.Context, o trade.Order) (core.OrderID, error) {
	return o.ID, t.SaveOrder(ctx, o)
}

func (t *rulesTx) SaveOrder(_ context.Context, o trade.Order) error {
	t.order = o
	return nil
}

func (t *rulesTx) AddClosing(context.Context, trade.Order, time.Time) error { return nil }

func (t *rulesTx) LockOffer(context.Context, core.OfferID) (trade.Order, trade.Offer, error) {
	return t.order, t.offer, nil
}

func (t *rulesTx) StopReach(context.Context, core.UserID, time.Time) error { return nil }

func (t *rulesTx) UndoneAccepts(core.OfferID) []time.Time { return nil }

func (t *rulesTx) LockVisitors(context.Context, core.OrderID) (trade.Seller, error) {
	return trade.Seller{}, nil
}

func (t *rulesTx) AddOffer(ctx context.Context, o trade.Offer, _ string) (core.OfferID, error) {
	return o.ID, t.SaveOffer(ctx, o)
}

func (t *rulesTx) SaveOffer(_ context.Context, o trade.Offer) error {
	t.offer = o
	return nil
}

func (t *rulesTx) AddOfferLink(context.Context, trade.OfferLinkKey, trade.Offer) error { return nil }

func (t *rulesTx) LinkedOffer(context.Context, trade.OfferLinkKey) (core.OfferID, error) {
	return 0, &core.Error{Kind: core.NotFound, Message: "Offer not found"}
}

func (t *rulesTx) KeepEndedOffer(
	context.Context, core.OfferID, trade.OfferState, core.UserID, time.Time,
) error {
	return nil
}

func (t *rulesTx) EndOffer(context.Context, core.OfferID, trade.OfferState, time.Time) error {
	return nil
}

func (t *rulesTx) EndOffersBy(
	context.Context, core.UserID, core.UserID, trade.OfferState, time.Time,
) ([]trade.OpenOffer, error) {
	return nil, nil
}

func (t *rulesTx) AddSale(_ context.Context, s trade.Sale) (core.SaleID, error) {
	t.notes = s.Notes
	return s.ID, nil
}

func (t *rulesTx) RedrawOffers(context.Context, notify.RedrawnOffers) error { return nil }

func (t *rulesTx) AddNotices(context.Context, []notify.Notice) error { return nil }

func (t *rulesTx) SaveNoticeSettings(context.Context, core.UserID, notify.Settings) error {
	return nil
}

func (t *rulesTx) LockUser(_ context.Context, id core.UserID) (people.User, error) {
	return people.User{ID: id}, nil
}

func (t *rulesTx) AddTraders(
	_ context.Context, _ trust.TraderOrigin, established ...trust.NewTrader,
) (int, error) {
	return len(established), nil
}

func (t *rulesTx) SaveBlock(context.Context, people.User, time.Time) error { return nil }

func (t *rulesTx) AddAuditEntry(context.Context, core.AuditEntry) error { return nil }

func (t *rulesTx) ActOnReports(
	context.Context, moderation.ReportTarget, core.UserID, time.Time,
) error {
	return nil
}

func (t *rulesTx) IsReported(context.Context, moderation.Report) (bool, error) {
	return false, nil
}

func (t *rulesTx) AddReport(context.Context, moderation.Report) (core.ReportID, error) { return 1, nil }

func (t *rulesTx) ModeratorsToTell(
	context.Context, people.Moderators, []core.UserID, time.Time,
) ([]core.UserID, error) {
	return nil, nil
}

// byVisitors are the writes that a user may not make about their own request.
var byVisitors = map[string]bool{"/api/orders/7/offers": true, "/api/orders/7/report": true}

// writes are the calls that take a body.
var writes = []struct{ method, path, right string }{
	{http.MethodPost, "/api/orders", `{"itemName":"Iron Ore","quantity":500,"maxPricePerUnit":250,"buyerContact":"maple","levelRequirement":null,"ign":"Maple","category":"Miner","importance":"high"}`},
	{http.MethodPatch, "/api/orders/7", `{"version":1,"itemName":"Gold Ore","levelRequirement":null,"ign":null}`},
	{http.MethodPost, "/api/orders/7/offers", `{"sellerName":"Fern","sellerContact":"fern","message":"I have plenty","quantityOffered":20}`},
	{http.MethodPost, "/api/offers/70/accept", `{"quantity":5}`},
	{http.MethodPost, "/api/orders/7/sales", `{"quantitySold":5,"notes":"At the docks"}`},
	{http.MethodPost, "/api/orders/7/report", `{"reason":"No such item"}`},
	{http.MethodPost, "/api/moderation/rings", `{"proposal":7}`},
	{http.MethodPost, "/api/moderation/vouches", `{"userId":3}`},
	{http.MethodPost, "/api/moderation/reach", `{"userId":3}`},
	{http.MethodPost, "/api/moderation/blocks", `{"userId":3,"reason":"Floods the board"}`},
	{http.MethodPost, "/api/me/notices/read", `{"upTo":31}`},
	{http.MethodPut, "/api/me/notices/settings", `{"kinds":{"order_filled":false},"quietFrom":"22:00","quietTo":"07:30","timeZone":"Europe/Berlin"}`},
}

// signedIn returns a server for a market on the store and the cookie of a user.
func signedIn(tb testing.TB, store market.Store, features core.Features) (*Server, *http.Cookie) {
	tb.Helper()
	m := market.New(store, market.Options{
		Now: func() time.Time { return coretest.Noon }, Forms: coretest.Forms,
		Moderators: people.Moderators{Accounts: []string{theModerator}},
	})
	s, err := New(m, Options{
		Features: features, PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0), Log: slog.New(slog.DiscardHandler),
		Limits: kernel.Limits{
			Requests: 1 << 40, Writes: 1 << 40,
			VisitorOffers: 1 << 40, VisitorNetwork: 1 << 40, VisitorsInAll: 1 << 40, VisitorReports: 1 << 40,
		},
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
	store := &rulesStore{}
	s, cookie := signedIn(f, store, core.Features{})
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		w := writes[int(which)%len(writes)]
		store.accepted = nil
		r := httptest.NewRequestWithContext(t.Context(), w.method, w.path, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if !byVisitors[w.path] {
			r.AddCookie(cookie)
		}
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, r)
		switch answer := recorder.Result(); {
		case answer.StatusCode < 300:
			var fields map[string]any
			if err := json.Unmarshal(body, &fields); err != nil {
				t.Errorf("%s %s accepted a body that is not a JSON object: %q", w.method, w.path, body)
			}
			for _, text := range store.accepted {
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
