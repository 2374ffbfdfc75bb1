package webhook_test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/notify"
	"tradepost/core/webhook"
)

// The values come from the specification's own libraries.
func TestASignatureIsThatOfTheSpecification(t *testing.T) {
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	id, at, body := "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 5), []byte(`{"test": 2432232314}`)
	if got := webhook.Sign([][]byte{secret}, id, at, body); got != want {
		t.Errorf("signed %s, want %s", got, want)
	}
	if got := webhook.Sign([][]byte{{1}, secret}, id, at, body); !strings.HasPrefix(got, "v1,") || !strings.HasSuffix(got, " "+want) {
		t.Errorf("two secrets sign %s", got)
	}
	if shown := webhook.Shown(secret); shown != "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" {
		t.Errorf("the secret is shown as %s", shown)
	}
	if drawn, err := webhook.NewSecret(rand.Reader); err != nil || len(drawn) < 24 || len(drawn) > 64 {
		t.Errorf("a secret of %d bytes, %v", len(drawn), err)
	}
}

func TestWhichAddressesArePublic(t *testing.T) {
	for _, address := range []string{
		"127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0", "0.1.2.3", "100.64.0.1",
		"100.127.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1",
		"239.1.1.1", "240.0.0.1", "255.255.255.255", "192.88.99.1",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "ff02::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1",
		"::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
		"64:ff9b::127.0.0.1", "64:ff9b::10.1.2.3", "64:ff9b:1::8.8.8.8", "100::1", "5f00::1",
	} {
		if ip := netip.MustParseAddr(address); webhook.IsPublic(ip) {
			t.Errorf("%s counts as public", address)
		}
	}
	for _, address := range []string{"8.8.8.8", "93.184.216.34", "100.63.255.255", "172.32.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
		"2606:2800:220:1::1", "2a00:1450:4001::200e"} {
		if ip := netip.MustParseAddr(address); !webhook.IsPublic(ip) {
			t.Errorf("%s does not count as public", address)
		}
	}
	if webhook.IsPublic(netip.Addr{}) {
		t.Error("no address counts as public")
	}
}

func TestMakingAWebhook(t *testing.T) {
	by := core.Actor{UserID: 1, SignedInAt: coretest.Noon}
	offered := webhook.OwnTypes(core.EveryFeature())
	good := webhook.Draft{URL: " https://bot.example.org/trades?x=1 ", Types: []webhook.Type{"offer.received", "handover.settled", "offer.received"}}
	secret := []byte("secret")
	made, err := good.Make(by, 4, secret, offered, false, coretest.Noon)
	if err != nil || made.URL != "https://bot.example.org/trades?x=1" || made.Host() != "bot.example.org" || made.State != webhook.Asked || len(made.Types) != 2 {
		t.Errorf("made %+v, %v", made, err)
	}
	kept, err := json.Marshal(made)
	if err != nil || strings.Contains(string(kept), base64.StdEncoding.EncodeToString(secret)) {
		t.Errorf("the answer that is kept is %s, %v", kept, err)
	}
	blocked, old, moderator := by, by, by
	blocked.Blocked, old.SignedInAt, moderator.Moderator = true, coretest.Noon.Add(-time.Hour), true
	for what, tt := range map[string]struct {
		by     core.Actor
		others int
		change func(*webhook.Draft)
		want   core.ErrorKind
	}{
		"a visitor":            {core.Actor{}, 0, nil, core.Unauthenticated},
		"a blocked person":     {blocked, 0, nil, core.Forbidden},
		"an old sign-in":       {old, 0, nil, core.Forbidden},
		"no moderator":         {by, 0, func(d *webhook.Draft) { d.Market = true }, core.Forbidden},
		"a sixth":              {by, 5, nil, core.Conflict},
		"no type":              {by, 0, func(d *webhook.Draft) { d.Types = nil }, core.Invalid},
		"a type of moderators": {by, 0, func(d *webhook.Draft) { d.Types = []webhook.Type{"report.received"} }, core.Invalid},
		"a type of the market": {by, 0, func(d *webhook.Draft) { d.Types = []webhook.Type{"order.changed"} }, core.Invalid},
		"plain HTTP":           {by, 0, func(d *webhook.Draft) { d.URL = "http://bot.example.org/" }, core.Invalid},
		"another scheme":       {by, 0, func(d *webhook.Draft) { d.URL = "file:///etc/passwd" }, core.Invalid},
		"no host":              {by, 0, func(d *webhook.Draft) { d.URL = "https:///trades" }, core.Invalid},
		"a password":           {by, 0, func(d *webhook.Draft) { d.URL = "https://a:b@bot.example.org/" }, core.Invalid},
		"a fragment":           {by, 0, func(d *webhook.Draft) { d.URL = "https://bot.example.org/#a" }, core.Invalid},
		"a new line":           {by, 0, func(d *webhook.Draft) { d.URL = "https://bot.example.org/\r\nX: y" }, core.Invalid},
		"nothing":              {by, 0, func(d *webhook.Draft) { d.URL = "" }, core.Invalid},
		"too long":             {by, 0, func(d *webhook.Draft) { d.URL += strings.Repeat("a", 500) }, core.Invalid},
		"a private number":     {by, 0, func(d *webhook.Draft) { d.URL = "https://169.254.169.254/latest" }, core.Invalid},
		"a private IPv6":       {by, 0, func(d *webhook.Draft) { d.URL = "https://[::ffff:10.0.0.1]/" }, core.Invalid},
	} {
		draft := good
		if tt.change != nil {
			tt.change(&draft)
		}
		if _, err := draft.Make(tt.by, tt.others, secret, offered, false, coretest.Noon); core.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", what, err, tt.want)
		}
	}
	market := webhook.Draft{Market: true, URL: "http://127.0.0.1:8000/", Types: webhook.MarketTypes()}
	if _, err := market.Make(moderator, 0, secret, webhook.MarketTypes(), true, coretest.Noon); err != nil {
		t.Errorf("a moderator's, in tests: %v", err)
	}
}

func TestOnlyItsOwnerAndModeratorsManageAWebhook(t *testing.T) {
	own, market := webhook.Webhook{Owner: 1}, webhook.Webhook{Owner: 1, Market: true}
	mod := core.Actor{UserID: 2, Moderator: true}
	for _, tt := range []struct {
		of   webhook.Webhook
		by   core.Actor
		want core.ErrorKind
	}{
		{own, core.Actor{UserID: 1}, 0}, {own, core.Actor{UserID: 2}, core.NotFound}, {own, mod, core.NotFound}, {own, core.Actor{}, core.Unauthenticated},
		{market, mod, 0}, {market, core.Actor{UserID: 1}, core.Forbidden}, {market, core.Actor{}, core.Unauthenticated},
	} {
		if err := tt.of.MayManage(tt.by); core.KindOf(err) != tt.want {
			t.Errorf("%+v manages %+v: %v", tt.by, tt.of, err)
		}
	}
}

func TestTypesAreNamedAfterNotices(t *testing.T) {
	all := webhook.OwnTypes(core.EveryFeature())
	for _, want := range []webhook.Type{"offer.received", "offer.accepted", "offer.timed_out", "order.filled", "handover.settled", "ask.received", "order.removed"} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is missing in %v", want, all)
		}
	}
	for _, not := range []webhook.Type{"report.received", "look.alike", "token.made", "user.blocked", "webhook.off", "test"} {
		if slices.Contains(all, not) {
			t.Errorf("%s is among them", not)
		}
	}
	if few := webhook.OwnTypes(core.Features{}); slices.Contains(few, "handover.settled") || slices.Contains(few, "ask.received") {
		t.Errorf("without features there are %v", few)
	}
}

func TestABodyIsThin(t *testing.T) {
	n := notify.Notice{Kind: notify.NoticeOfferReceived, OrderID: 7, OfferID: 70, ItemName: "Iron Ore", Name: "Rowan", Contact: "rowan", Message: "Hi"}
	d := webhook.Delivery{Event: webhook.OfNotice(n, 141), CreatedAt: coretest.Noon}
	want := `{"type":"offer.received","timestamp":"` + coretest.Noon.Format(time.RFC3339Nano) + `","data":{"id":70,"orderId":7,"offerId":70,"version":141}}`
	if got := string(d.Body()); got != want || !json.Valid(d.Body()) || d.MessageID() != "msg_n141" {
		t.Errorf("the message %s is %s, want %s", d.MessageID(), d.Body(), want)
	}
	for _, private := range []string{"Iron", "owan", "Hi"} {
		if strings.Contains(string(d.Body()), private) {
			t.Errorf("%s is in %s", private, d.Body())
		}
	}
	settled := webhook.OfNotice(notify.Notice{Kind: notify.NoticeHandoverSettled, OrderID: 7, OfferID: 70, Sale: 12}, 9)
	if settled.Type != "handover.settled" || !strings.Contains(settled.Data, `"id":12,`) {
		t.Errorf("a handover is %+v", settled)
	}
}

// play sends one event to a receiver that answers as it is told to, until it is delivered, given up or the webhook is off. It
// returns when, counted from the event, each attempt was.
func play(w *webhook.Webhook, d *webhook.Delivery, share float64, answer func(time.Duration) webhook.Result) (at []time.Duration) {
	for now := d.CreatedAt; ; now = d.DueAt {
		at = append(at, now.Sub(d.CreatedAt))
		*w, *d = w.After(*d, answer(now.Sub(d.CreatedAt)), share, now)
		if d.DueAt.IsZero() || w.State == webhook.Off {
			return at
		}
	}
}

func TestAnEventIsTriedForThreeDaysWithGrowingPauses(t *testing.T) {
	for _, share := range []float64{0, 0.5, 1} {
		w, d := webhook.Webhook{State: webhook.On, Owner: 1}, webhook.Delivery{CreatedAt: coretest.Noon}
		at := play(&w, &d, share, func(time.Duration) webhook.Result { return webhook.Result{Status: 503} })
		if last := at[len(at)-1]; w.State != webhook.Off || w.Reason != webhook.Failed || last < webhook.RetryFor || last > webhook.RetryFor+8*time.Hour {
			t.Errorf("share %v: %+v after %v", share, w, last)
		}
		if len(at) < 15 || len(at) > 60 {
			t.Errorf("share %v: %d attempts at %v", share, len(at), at)
		}
		for i := 2; i < len(at); i++ {
			if pause, before := at[i]-at[i-1], at[i-1]-at[i-2]; pause < before || pause > 8*time.Hour || pause < 2*time.Second {
				t.Errorf("share %v: a pause of %v after one of %v", share, pause, before)
			}
		}
		if notices := w.OffNotice(webhook.On, coretest.Noon); len(notices) != 1 || notices[0].User != 1 || notices[0].Message != "failed" {
			t.Errorf("the notices are %+v", notices)
		}
		if again := w.OffNotice(webhook.Off, coretest.Noon); len(again) > 0 {
			t.Errorf("told twice: %+v", again)
		}
	}
}

func TestAReceiverThatIsBackGetsWhatItMissed(t *testing.T) {
	w, d := webhook.Webhook{State: webhook.On}, webhook.Delivery{CreatedAt: coretest.Noon}
	at := play(&w, &d, 1, func(since time.Duration) webhook.Result {
		if since > 71*time.Hour {
			return webhook.Result{Status: 204}
		}
		return webhook.Result{Failure: webhook.NoConnection}
	})
	if !d.Delivered() || w.State != webhook.On || !w.FailingSince.IsZero() || !w.NotBefore.IsZero() {
		t.Errorf("after %v it is %+v of %+v", at, d, w)
	}
}

// An event that its receiver cannot take does not keep it from the others.
func TestOneEventThatIsRefusedDoesNotEndAWebhookThatTakesOthers(t *testing.T) {
	w, d := webhook.Webhook{State: webhook.On}, webhook.Delivery{CreatedAt: coretest.Noon}
	for now := d.CreatedAt; ; now = d.DueAt {
		w, d = w.After(d, webhook.Result{Status: 500}, 0.5, now)
		if d.DueAt.IsZero() {
			break
		}
		if wait := w.NotBefore.Sub(now); wait > 5*time.Second {
			t.Fatalf("others wait for %v", wait)
		}
		w, _ = w.After(webhook.Delivery{CreatedAt: now}, webhook.Result{Status: 200}, 0, now.Add(time.Second))
	}
	if w.State != webhook.On || d.Delivered() {
		t.Errorf("%+v of %+v", d, w)
	}
}

func TestWhatAnAnswerDoes(t *testing.T) {
	now := coretest.Noon.Add(time.Minute)
	after := func(state webhook.State, event webhook.Type, r webhook.Result) (webhook.Webhook, webhook.Delivery) {
		return webhook.Webhook{State: state}.After(webhook.Delivery{Event: webhook.Event{Type: event}, CreatedAt: coretest.Noon}, r, 0, now)
	}
	if w, d := after(webhook.Asked, webhook.Ping, webhook.Result{Status: 204}); w.State != webhook.On || !d.Delivered() {
		t.Errorf("an answered ping: %+v, %+v", w, d)
	}
	for _, status := range []int{0, 199, 301, 302, 404, 500} {
		w, d := after(webhook.Asked, webhook.Ping, webhook.Result{Status: status})
		if w.State != webhook.Off || w.Reason != webhook.Unanswered || !d.DueAt.IsZero() || len(w.OffNotice(webhook.Asked, now)) > 0 {
			t.Errorf("a ping that is answered %d: %+v, %+v", status, w, d)
		}
	}
	if w, d := after(webhook.On, "offer.received", webhook.Result{Status: 410}); w.State != webhook.Off || w.Reason != webhook.Gone || !d.DueAt.IsZero() || len(w.OffNotice(webhook.On, now)) != 1 {
		t.Errorf("410: %+v, %+v", w, d)
	}
	if w, d := after(webhook.On, "offer.received", webhook.Result{Status: 307}); w.State != webhook.On || d.DueAt.IsZero() {
		t.Errorf("a redirect: %+v, %+v", w, d)
	}
	if w, d := after(webhook.On, "offer.received", webhook.Result{Status: 429, RetryAfter: time.Hour}); w.NotBefore != now.Add(time.Hour) || d.DueAt != now.Add(time.Hour) {
		t.Errorf("Retry-After: %+v, %+v", w, d)
	}
	if w, _ := after(webhook.On, "offer.received", webhook.Result{Status: 503, RetryAfter: 1000 * time.Hour}); w.NotBefore != now.Add(webhook.LongestWait) {
		t.Errorf("a long Retry-After: %+v", w)
	}
	if w := (webhook.Webhook{State: webhook.On}).Fallen(webhook.MaxWaiting + 1); w.State != webhook.Off || w.Reason != webhook.Behind {
		t.Errorf("too many wait: %+v", w)
	}
	if w := (webhook.Webhook{State: webhook.On}).Fallen(webhook.MaxWaiting); w.State != webhook.On {
		t.Errorf("many wait: %+v", w)
	}
}

func TestSwitchingOnAndReplacingTheSecret(t *testing.T) {
	off := webhook.Webhook{State: webhook.Off, Reason: webhook.Failed, FailingSince: coretest.Noon, Secret: []byte("old")}
	on, err := off.SwitchOn()
	if err != nil || on.State != webhook.Asked || on.Reason != "" || !on.FailingSince.IsZero() {
		t.Errorf("%+v, %v", on, err)
	}
	if _, err := on.SwitchOn(); core.KindOf(err) != core.Conflict {
		t.Errorf("switched on twice: %v", err)
	}
	w := on.ReplaceSecret([]byte("new"), coretest.Noon)
	for at, want := range map[time.Duration]int{0: 2, 24*time.Hour - 1: 2, 24 * time.Hour: 1} {
		if secrets := w.Secrets(coretest.Noon.Add(at)); len(secrets) != want || string(secrets[0]) != "new" {
			t.Errorf("after %v %q sign", at, secrets)
		}
	}
}
