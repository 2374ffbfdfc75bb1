package web_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/token"
	"tradepost/core/webhook"
	"tradepost/web"
	"tradepost/web/hooks"
)

// message is a request that a receiver got.
type message struct {
	id, body, kind string
	header         http.Header
	data           object
}

// receiver is a program that gets webhooks.
type receiver struct {
	t      *testing.T
	url    string
	status atomic.Int64 // of its answers
	got    chan message
}

func (s *site) receiver() *receiver {
	r := &receiver{t: s.t, got: make(chan message, 100)}
	r.status.Store(http.StatusOK)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		m := message{id: request.Header.Get("webhook-id"), body: string(body), header: request.Header}
		var content struct {
			Type string
			Data object
		}
		_ = json.Unmarshal(body, &content)
		m.kind, m.data = content.Type, content.Data
		w.WriteHeader(int(r.status.Load()))
		fmt.Fprint(w, "<b>noted</b>\n")
		r.got <- m
	}))
	s.t.Cleanup(server.Close)
	r.url = server.URL + "/trades"
	return r
}

// gets returns the next message, of a type.
func (r *receiver) gets(kind string) message {
	r.t.Helper()
	select {
	case m := <-r.got:
		if m.kind != kind {
			r.t.Fatalf("got %s, want %s", m.body, kind)
		}
		return m
	case <-time.After(coretest.Patience(20 * time.Second)):
		r.t.Fatalf("got nothing, want %s", kind)
		return message{}
	}
}

// verify fails the test unless a message is signed with each secret, by an own reading of the specification.
func (m message) verify(t *testing.T, now time.Time, secrets ...string) {
	t.Helper()
	at := m.header.Get("webhook-timestamp")
	if at != fmt.Sprint(now.Unix()) {
		t.Errorf("the timestamp is %s, want %d", at, now.Unix())
	}
	signatures := strings.Fields(m.header.Get("webhook-signature"))
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		must(t, err)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(m.id + "." + at + "." + m.body))
		if !slices.Contains(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))) {
			t.Errorf("%s is not signed with %s", m.body, secret)
		}
	}
	if len(signatures) != len(secrets) {
		t.Errorf("the signatures are %v", signatures)
	}
}

// settling tells when results are stored.
type settling struct {
	*webhook.Service
	settled chan struct{}
}

func (m settling) Settle(ctx context.Context, b webhook.Batch, results map[core.WebhookDeliveryID]webhook.Result) error {
	err := m.Service.Settle(ctx, b, results)
	m.settled <- struct{}{}
	return err
}

// sends sends what is due until the test ends. What it returns waits until the results of a webhook are stored.
func (s *site) sends() (settled func()) {
	s.t.Helper()
	m := settling{s.market.Webhooks, make(chan struct{}, 100)}
	sender := hooks.New(m, hooks.NewClient(true, nil), s.url, s.clock.now, silence)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); sender.Run(ctx) }()
	s.t.Cleanup(func() { stop(); <-ended })
	return func() {
		s.t.Helper()
		select {
		case <-m.settled:
		case <-time.After(coretest.Patience(20 * time.Second)):
			s.t.Fatal("nothing is settled")
		}
	}
}

// hooks adds a webhook and returns its secret and its address.
func (b *browser) hooks(r *receiver, path string, types ...webhook.Type) (secret, address string) {
	b.s.t.Helper()
	made := b.post(path, object{"url": r.url, "types": types}).wants(http.StatusCreated).json()
	return made["secret"].(string), fmt.Sprint("/api/webhooks/", made["webhook"].(object)["id"])
}

const ownHooks, marketHooks = "/api/me/webhooks", "/api/moderation/webhooks"

func (b *browser) webhook(path string) object {
	b.s.t.Helper()
	list := b.get(path).wants(http.StatusOK).json()["webhooks"].([]any)
	if len(list) != 1 {
		b.s.t.Fatalf("the webhooks are %v", list)
	}
	return list[0].(object)
}

func (b *browser) deliveries(of string) []any {
	b.s.t.Helper()
	return b.get(of + "/deliveries").wants(http.StatusOK).json()["deliveries"].([]any)
}

func TestAWebhookGetsTheEventsOfItsOwner(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, rowan := s.signedIn("maple"), s.signedIn("rowan.ashdown")
	program, settled := s.receiver(), s.sends()
	secret, address := maple.hooks(program, ownHooks, "offer.received", "offer.withdrawn")
	if w := maple.webhook(ownHooks); w["state"] != "asked" || strings.Contains(fmt.Sprint(w), secret) {
		t.Errorf("at first it is %v", w)
	}
	ping := program.gets("ping")
	ping.verify(t, s.clock.now(), secret)
	settled()
	if w := maple.webhook(ownHooks); w["state"] != "on" {
		t.Errorf("after the ping it is %v", w)
	}

	order := maple.posts()
	sent := rowan.offers(order)
	got := program.gets("offer.received")
	got.verify(t, s.clock.now(), secret)
	if fmt.Sprintf("/api/orders/%v", got.data["orderId"]) != order || fmt.Sprintf("/api/offers/%v", got.data["id"]) != sent || got.data["version"] == nil {
		t.Errorf("got %s, want %s on %s", got.body, sent, order)
	}
	for _, private := range []string{"fern", "plenty", "rowan", "Rowan"} {
		if strings.Contains(got.body, private) {
			t.Errorf("%s is in %s", private, got.body)
		}
	}
	settled()
	list := maple.deliveries(address)
	last := list[0].(object)
	if len(list) != 2 || last["delivered"] != true || last["status"] != 200.0 || last["answer"] != "<b>noted</b>" || last["attempts"] != 1.0 ||
		last["messageId"] != got.id || last["dueAt"] != nil {
		t.Errorf("the deliveries are %v", list)
	}

	maple.post(fmt.Sprint(address, "/deliveries/", last["id"], "/again"), nil).wants(http.StatusNoContent)
	if again := program.gets("offer.received"); again.id != got.id || again.body != got.body {
		t.Errorf("sent again is %s %s, want %s %s", again.id, again.body, got.id, got.body)
	}
	settled()

	// Nothing of others, and only what was chosen.
	rowan.post(order+"/report", object{"reason": "No such item"})
	s.signedIn("juniper_fox").offers(rowan.posts())
	rowan.delete(sent).wants(http.StatusNoContent)
	program.gets("offer.withdrawn")

	// Others do not see it.
	for _, call := range []*reply{rowan.get(address + "/deliveries"), rowan.post(address+"/secret", nil), rowan.post(address+"/on", nil)} {
		call.wantsProblem(http.StatusNotFound)
	}
	rowan.delete(address).wants(http.StatusNoContent)
	s.visitor().get(ownHooks).wantsProblem(http.StatusUnauthorized)
	data := maple.signsIn("maple").get("/api/me/data").wants(http.StatusOK)
	if strings.Contains(string(data.body), secret) || len(data.json()["webhooks"].([]any)) != 1 {
		t.Errorf("the export is %s", data.body)
	}
	if log := s.log.String(); strings.Contains(log, secret) {
		t.Error("the log has the secret")
	}
	maple.delete(address).wants(http.StatusNoContent)
	if left := maple.get(ownHooks).json()["webhooks"].([]any); len(left) != 0 {
		t.Errorf("left are %v", left)
	}
}

func TestASecretIsShownOnceAndReplaced(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	program, settled := s.receiver(), s.sends()
	draft := object{"url": program.url, "types": []string{"offer.received"}}
	made := maple.post(ownHooks, draft, keyed(1)...).wants(http.StatusCreated).json()
	again := maple.post(ownHooks, draft, keyed(1)...).wants(http.StatusCreated).json()
	if made["secret"] == nil || again["secret"] != nil || again["webhook"].(object)["id"] != made["webhook"].(object)["id"] {
		t.Errorf("made %v, then %v", made, again)
	}
	program.gets("ping")
	settled()
	address := fmt.Sprint("/api/webhooks/", made["webhook"].(object)["id"])
	s.clock.forward(11 * time.Minute)
	if p := maple.post(address+"/secret", nil).wantsProblem(http.StatusForbidden); p.Code != core.CodeFreshSignInNeeded {
		t.Errorf("an old sign-in is answered %+v", p)
	}
	if p := maple.post(ownHooks, draft).wantsProblem(http.StatusForbidden); p.Code != core.CodeFreshSignInNeeded {
		t.Errorf("an old sign-in is answered %+v", p)
	}
	maple.signsIn("maple")
	other := maple.post(address+"/secret", nil).wants(http.StatusCreated).json()["secret"].(string)
	order := maple.posts()
	s.visitor().offers(order)
	program.gets("offer.received").verify(t, s.clock.now(), other, made["secret"].(string))
	settled()
	s.clock.forward(24 * time.Hour)
	s.visitor().offers(order)
	program.gets("offer.received").verify(t, s.clock.now(), other)
}

func TestAWebhookThatFailsForThreeDaysIsOffUntilItsOwnerSwitchesItOn(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	program, settled := s.receiver(), s.sends()
	_, address := maple.hooks(program, ownHooks, "offer.received")
	program.gets("ping")
	settled()
	program.status.Store(http.StatusServiceUnavailable)
	order := maple.posts()
	s.visitor().offers(order)
	id := program.gets("offer.received").id
	settled()
	began := s.clock.now()
	if d := maple.deliveries(address)[0].(object); d["delivered"] != false || d["dueAt"] == nil || d["status"] != 503.0 || maple.webhook(ownHooks)["failingSince"] == nil {
		t.Errorf("after a failure it is %v", d)
	}
	maple.post(address+"/on", nil).wantsProblem(http.StatusConflict)
	for maple.webhook(ownHooks)["state"] == "on" {
		if s.clock.now().Sub(began) > 4*core.Day {
			t.Fatal("it is on after four days")
		}
		s.clock.forward(8 * time.Hour)
		if m := program.gets("offer.received"); m.id != id {
			t.Fatalf("tried again with %s, want %s", m.id, id)
		}
		settled()
	}
	if after := s.clock.now().Sub(began); after < 3*core.Day {
		t.Errorf("it is off after %v", after)
	}
	if w := maple.webhook(ownHooks); w["reason"] != "failed" {
		t.Errorf("it is %v", w)
	}
	notices := maple.get("/api/me/notices").json()["notices"].([]any)
	if n := notices[0].(object); n["kind"] != "webhook_off" || n["message"] != "failed" || !strings.Contains(program.url, n["counterpart"].(object)["name"].(string)) {
		t.Errorf("the notice is %v", n)
	}
	deliver := s.startBot()
	deliver()
	sent := ""
	for _, dm := range s.discord.Player(t, "maple").DMs() {
		sent += fmt.Sprintf("%+v\n", dm)
	}
	if !strings.Contains(sent, "is off: nothing could be delivered to it for three days") {
		t.Errorf("the messages are %s", sent)
	}
	// What happens meanwhile is not sent.
	s.visitor().offers(order)
	listed := maple.deliveries(address)
	maple.post(fmt.Sprint(address, "/deliveries/", listed[0].(object)["id"], "/again"), nil).wantsProblem(http.StatusConflict)

	maple.post(address+"/on", nil).wants(http.StatusNoContent)
	program.gets("ping")
	settled()
	if w := maple.webhook(ownHooks); w["state"] != "off" || w["reason"] != "unanswered" {
		t.Errorf("after a ping that was refused it is %v", w)
	}
	program.status.Store(http.StatusNoContent)
	maple.post(address+"/on", nil).wants(http.StatusNoContent)
	program.gets("ping")
	settled()
	if w := maple.webhook(ownHooks); w["state"] != "on" || w["reason"] != nil {
		t.Errorf("after a ping it is %v", w)
	}
	program.status.Store(http.StatusGone)
	s.visitor().offers(order)
	program.gets("offer.received")
	settled()
	if w := maple.webhook(ownHooks); w["state"] != "off" || w["reason"] != "gone" {
		t.Errorf("after 410 it is %v", w)
	}
}

func TestModeratorsHaveWebhooksOfTheMarket(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, mod := s.signedIn("maple"), s.signedIn(moderator)
	program, settled := s.receiver(), s.sends()
	maple.post(marketHooks, object{"url": program.url, "types": []string{"order.changed"}}).wantsProblem(http.StatusForbidden)
	maple.get(marketHooks).wantsProblem(http.StatusForbidden)
	_, address := mod.hooks(program, marketHooks, "order.changed")
	program.gets("ping")
	settled()
	order := maple.posts()
	got := program.gets("order.changed")
	if fmt.Sprintf("/api/orders/%v", got.data["id"]) != order || len(got.data) != 2 {
		t.Errorf("got %s, want %s", got.body, order)
	}
	settled()
	s.visitor().offers(order) // is no public change
	maple.delete(order).wants(http.StatusNoContent)
	if gone := program.gets("order.changed"); gone.data["id"] != got.data["id"] || gone.id == got.id || gone.data["version"].(float64) <= got.data["version"].(float64) {
		t.Errorf("got %s %s after %s %s", gone.id, gone.body, got.id, got.body)
	}
	settled()
	maple.get(address + "/deliveries").wantsProblem(http.StatusForbidden)
	mod.delete(address).wants(http.StatusNoContent)
	log := string(mod.get("/api/moderation/audit").wants(http.StatusOK).body)
	for _, action := range []string{"webhook_made", "webhook_ended"} {
		if !strings.Contains(log, action) {
			t.Errorf("%s is missing in %s", action, log)
		}
	}
}

func TestWhatEndsAWebhook(t *testing.T) {
	t.Parallel()
	s := open(t)
	mod, program := s.signedIn(moderator), s.receiver()
	left := func() (n int) {
		t.Helper()
		must(t, s.store.Pool().QueryRow(t.Context(), "select (select count(*) from webhooks) + (select count(*) from webhook_deliveries)").Scan(&n))
		return n
	}
	for _, tt := range []struct {
		what, who string
		end       func(*browser)
	}{
		{"its owner", "juniper_fox", func(b *browser) {
			b.delete(fmt.Sprint("/api/webhooks/", b.webhook(ownHooks)["id"])).wants(http.StatusNoContent)
		}},
		{"a block", "maple", func(b *browser) {
			mod.post("/api/moderation/blocks", object{"userId": b.User.ID, "reason": "Floods"}).wants(http.StatusNoContent)
		}},
		{"leaving", "rowan.ashdown", func(b *browser) { b.delete("/api/me").wants(http.StatusNoContent) }},
		{"deletion", "juniper_fox", func(b *browser) { must(t, s.market.DeleteUser(t.Context(), b.User.ID)) }},
	} {
		b := s.signedIn(tt.who)
		b.hooks(program, ownHooks, "offer.received")
		if left() != 2 {
			t.Fatalf("before %s there are %d rows", tt.what, left())
		}
		tt.end(b)
		if n := left(); n != 0 {
			t.Errorf("%s leaves %d rows", tt.what, n)
		}
	}
	for range core.MaxWebhooks {
		mod.hooks(program, ownHooks, "offer.received")
	}
	mod.post(ownHooks, object{"url": program.url, "types": []string{"offer.received"}}).wantsProblem(http.StatusConflict)
}

func TestNoTokenManagesWebhooks(t *testing.T) {
	t.Parallel()
	s := open(t)
	mod := s.signedIn(moderator)
	secret, _ := mod.makes(token.Scopes...)
	program := s.program(secret)
	draft := object{"url": "http://127.0.0.1:9/", "types": []string{"offer.received"}}
	for _, call := range []*reply{
		program.get(ownHooks), program.get(marketHooks), program.post(ownHooks, draft, keyed(1)...), program.post(marketHooks, draft, keyed(2)...),
		program.get("/api/webhooks/1/deliveries"), program.post("/api/webhooks/1/secret", nil, keyed(3)...), program.post("/api/webhooks/1/on", nil, keyed(4)...),
		program.post("/api/webhooks/1/deliveries/1/again", nil, keyed(5)...), program.delete("/api/webhooks/1", keyed(6)...),
	} {
		call.wantsProblem(http.StatusForbidden)
	}
}

func TestWithoutTheFeatureThereAreNoWebhooks(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) { o.Features.Webhooks = false })
	maple := s.signedIn("maple")
	maple.get(ownHooks).wantsProblem(http.StatusNotFound)
	maple.post(ownHooks, object{}).wantsProblem(http.StatusMethodNotAllowed)
	document := string(s.visitor().get("/api/openapi.json").wants(http.StatusOK).body)
	for _, trace := range []string{"webhook", "Webhook"} {
		if at := strings.Index(document, trace); at >= 0 {
			t.Errorf("the description has %s", document[max(at-60, 0):at+60])
		}
	}
	if page := string(s.visitor().get("/api/docs").wants(http.StatusOK).body); strings.Contains(page, "ebhook") {
		t.Error("the page for programs has webhooks")
	}
	if _, has := maple.get("/api/me/data").wants(http.StatusOK).json()["webhooks"]; has {
		t.Error("the export has webhooks")
	}
}

// switched stores a state of the first webhook, which is rowan's.
func (b *board) switched(state string) *browser {
	b.t.Helper()
	_, err := b.store.Pool().Exec(b.t.Context(), "update webhooks set state = $1 where id = 1", state)
	must(b.t, err)
	return b.rowan
}
