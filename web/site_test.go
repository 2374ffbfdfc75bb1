package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/people"
	"tradepost/sql/pgtest"
	"tradepost/sql/postgres"
	"tradepost/web"
	"tradepost/web/operating"
)

// site is the whole door: a market on a database of its own, a Discord to sign in at, and a server that is reached over
// HTTP.
type site struct {
	t       *testing.T
	url     string
	dsn     string // of the database
	discord *discordtest.Discord
	store   *postgres.Store
	market  *market.Market
	hub     *web.Hub
	clock   *clock
	server  *httptest.Server
	log     *log
}

// moderator is who keeps the market in order.
const moderator = "oldtamsin"

// clock is a manual clock.
type clock struct{ micros atomic.Int64 }

func (c *clock) now() time.Time          { return time.UnixMicro(c.micros.Load()).UTC() }
func (c *clock) forward(d time.Duration) { c.micros.Add(d.Microseconds()) }

// log keeps what was logged.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// page is a built dashboard, as small as one can be.
var page = fstest.MapFS{
	"index.html":            {Data: []byte("<!doctype html><html><head><title>Tradepost</title><meta name=\"description\" content=\"x\" /></head><body><div id=\"root\"></div></body></html>")},
	"theme.js":              {Data: []byte("document.documentElement.classList.add('dark')")},
	"assets/app-1a2b.js":    {Data: []byte("console.log('plain')")},
	"assets/app-1a2b.js.gz": {Data: []byte("gzipped")},
	"assets/app-1a2b.js.br": {Data: []byte("brotlied")},
	".gitkeep":              {},
}

func open(t *testing.T, change ...func(*web.Options)) *site {
	t.Helper()
	return openLimited(t, core.Quotas{}, change...)
}

// openLimited opens a site whose users have quotas.
func openLimited(t *testing.T, quotas core.Quotas, change ...func(*web.Options)) *site {
	t.Helper()
	s := &site{t: t, dsn: pgtest.New(t), hub: web.NewHub(), clock: &clock{}, log: &log{}}
	s.clock.micros.Store(coretest.Noon.UnixMicro())
	var err error
	s.store, err = postgres.Open(context.Background(), s.dsn, postgres.Options{MaxConns: 8, Now: s.clock.now, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(s.store.Close)

	s.server = httptest.NewUnstartedServer(nil)
	s.url = "http://" + s.server.Listener.Addr().String()
	s.discord = discordtest.New(t, discordtest.Options{
		RedirectURIs: []string{s.url + "/auth/discord/callback"}, Patience: coretest.Patience(20 * time.Second),
	})
	s.market = s.marketOn(s.store, quotas)
	opts := web.Options{
		Features:  core.EveryFeature(),
		Operators: []string{s.discord.Player(t, moderator).ID()},
		Examine: func(context.Context) operating.Machine {
			free := 60
			return operating.Machine{Version: "0.9.0", At: s.clock.now(), Figures: operating.MachineFigures{DiskFreePercent: &free},
				Checks: []operating.MachineCheck{{ID: "disk", What: "the disk", State: operating.Good, Says: "60 GiB are left"}}}
		},
		PublicURL: s.url, Sessions: s.store.Sessions(), Hub: s.hub, Cache: s.store.Feed().Cache(), Dist: page, Now: s.clock.now,
		Log:    slog.New(slog.NewTextHandler(s.log, nil)),
		Limits: web.Limits{Requests: 100_000, Writes: 100_000, SignIns: 100_000, VisitorOffers: 100_000, VisitorNetwork: 100_000, VisitorsInAll: 100_000, VisitorReports: 100_000, Share: -1, ConnectionsPerClient: -1},
		Discord: web.Discord{
			ClientID: s.discord.ClientID(), ClientSecret: s.discord.ClientSecret(), Client: s.discord.Client(),
			AuthURL: s.discord.OAuthEndpoint().AuthURL, TokenURL: s.discord.OAuthEndpoint().TokenURL, APIURL: s.discord.URL() + "/api/v10",
		},
	}
	for _, f := range change {
		f(&opts)
	}
	door, err := web.New(s.market, opts)
	must(t, err)
	s.server.Config = door.HTTP(context.Background())
	s.server.Listener = door.Listener(s.server.Listener)
	s.server.Start()
	t.Cleanup(func() {
		s.hub.Close()
		s.server.Close()
		if t.Failed() {
			t.Logf("the server's log:\n%s", s.log)
		}
	})
	return s
}

// marketOn returns a market on the store, or on a double of it, with everything else that the site has.
func (s *site) marketOn(store market.Store, quotas core.Quotas) *market.Market {
	return market.New(store, market.Options{
		Now: s.clock.now, Forms: coretest.Forms, Quotas: quotas, Features: core.EveryFeature(), WebhooksAnywhere: true,
		Moderators: people.Moderators{Accounts: []string{s.discord.Player(s.t, moderator).ID()}},
	})
}

// readsChanges has the site read the change feed until the test ends. It returns the first change.
func (s *site) readsChanges() core.Change {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended, first := make(chan struct{}), make(chan core.Change, 1)
	go func() {
		defer close(ended)
		s.store.Feed().Listen(ctx, func(c core.Change) {
			s.hub.Publish(c)
			select {
			case first <- c:
			default:
			}
		})
	}()
	s.t.Cleanup(func() { stop(); <-ended })
	return <-first
}

// browser is an HTTP client that keeps cookies and does not follow redirects.
type browser struct {
	s      *site
	name   string // the Discord username, empty for a visitor
	client *http.Client
	header http.Header
	User   people.User // who is signed in
}

// plain returns response bodies as sent, without decompressing them.
var plain = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}

func (s *site) visitor() *browser {
	jar, err := cookiejar.New(nil)
	must(s.t, err)
	return &browser{s: s, header: http.Header{}, client: &http.Client{
		Jar:           jar,
		Transport:     plain,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// signedIn signs a player in as people do: through Discord and back.
func (s *site) signedIn(name string) *browser {
	s.t.Helper()
	return s.visitor().signsIn(name)
}

// signsIn signs a player in in this browser.
func (b *browser) signsIn(name string) *browser {
	s := b.s
	s.t.Helper()
	b.name = name
	to := b.get("/auth/discord").wants(http.StatusFound).location()
	back := s.discord.Player(s.t, name).Authorize(to.String())
	b.get(back.RequestURI()).wants(http.StatusSeeOther)
	var me struct {
		User struct {
			ID                    core.UserID
			Username, DisplayName string
		}
	}
	b.get("/api/me").wants(http.StatusOK).into(&me)
	if me.User.Username != name {
		s.t.Fatalf("signed in as %q, want %q", me.User.Username, name)
	}
	b.User = people.User{ID: me.User.ID, Username: me.User.Username, DisplayName: me.User.DisplayName}
	return b
}

// run runs part of a test under a name of its own.
func (s *site) run(name string, part func(t *testing.T)) {
	whole := s.t
	whole.Run(name, func(t *testing.T) {
		s.t = t
		defer func() { s.t = whole }()
		part(t)
	})
}

// reply is an answer that was read to its end.
type reply struct {
	t      *testing.T
	asked  string
	status int
	header http.Header
	body   []byte
}

type object = map[string]any

func (b *browser) get(path string, headers ...string) *reply {
	b.s.t.Helper()
	return b.do(http.MethodGet, path, nil, headers...)
}

func (b *browser) post(path string, body any, headers ...string) *reply {
	b.s.t.Helper()
	return b.do(http.MethodPost, path, body, headers...)
}

func (b *browser) patch(path string, body any, headers ...string) *reply {
	b.s.t.Helper()
	return b.do(http.MethodPatch, path, body, headers...)
}

func (b *browser) put(path string, body any, headers ...string) *reply {
	b.s.t.Helper()
	return b.do(http.MethodPut, path, body, headers...)
}

func (b *browser) delete(path string, headers ...string) *reply {
	b.s.t.Helper()
	return b.do(http.MethodDelete, path, nil, headers...)
}

// do sends a request. A string body is sent unchanged, anything else as JSON; headers are
// alternating names and values.
func (b *browser) do(method, path string, body any, headers ...string) *reply {
	t := b.s.t
	t.Helper()
	var content io.Reader
	var sent []byte
	switch body := body.(type) {
	case nil:
	case string:
		content, sent = strings.NewReader(body), []byte(body)
	case io.Reader:
		content = body
	default:
		data, err := json.Marshal(body)
		must(t, err)
		content, sent = bytes.NewReader(data), data
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, b.s.url+path, content)
	must(t, err)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, b.header)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := b.client.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	must(t, err)
	r := &reply{t: t, asked: method + " " + path, status: response.StatusCode, header: response.Header, body: answer}
	r.keeps(method, path, sent)
	return r
}

func (r *reply) wants(status int) *reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s answered %d, want %d: %s", r.asked, r.status, status, r.body)
	}
	return r
}

func (r *reply) into(v any) {
	r.t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		r.t.Fatalf("%s answered no such JSON: %v: %s", r.asked, err, r.body)
	}
}

func (r *reply) json() object {
	r.t.Helper()
	var o object
	r.into(&o)
	return o
}

func (r *reply) location() *url.URL {
	r.t.Helper()
	to, err := url.Parse(r.header.Get("Location"))
	if err != nil || r.header.Get("Location") == "" {
		r.t.Fatalf("%s leads to %q", r.asked, r.header.Get("Location"))
	}
	return to
}

// problem is the body of an error response.
type problem struct {
	Type, Title, Detail, Code string
	Status                    int
	Errors                    map[string]string
	Current                   *struct {
		ID, Version, Quantity, Sold int
		ItemName, Status            string
	}
}

// refuses checks that a response is an error with the status and one message for each named field
// and no other.
func (r *reply) wantsProblem(status int, fields ...string) problem {
	r.t.Helper()
	var p problem
	r.wants(status).into(&p)
	if got := r.header.Get("Content-Type"); got != "application/problem+json" {
		r.t.Errorf("%s refused as %q", r.asked, got)
	}
	if p.Status != status || p.Detail == "" || p.Title != http.StatusText(status) {
		r.t.Errorf("%s refused with %+v", r.asked, p)
	}
	for _, field := range fields {
		if p.Errors[field] == "" {
			r.t.Errorf("%s refused without a word about %s: %s", r.asked, field, r.body)
		}
	}
	if len(p.Errors) != len(fields) {
		r.t.Errorf("%s refused %v, want fields %v", r.asked, p.Errors, fields)
	}
	return p
}

// order is what a page would post: 500 Iron Ore at 250.
// another is an order that equals no other: a buyer has each open once.
func another(change ...object) object {
	return order(append([]object{{"description": fmt.Sprintf("Lot %d", lots.Add(1))}}, change...)...)
}

var lots atomic.Int64

func order(change ...object) object {
	o := object{
		"itemName": "Iron Ore", "quantity": 500, "maxPricePerUnit": 250, "description": "Any grade", "buyerContact": "maple",
		"levelRequirement": nil, "ign": nil, "category": "Miner", "importance": "medium",
	}
	for _, c := range change {
		maps.Copy(o, c)
	}
	return o
}

// list is what a buyer would post of three requests.
func list(change ...object) object {
	l := object{"name": "Guild hall", "text": "50x Iron Ore 10s\n\nOak Log x20 @ 5s each\n3\tSilver Ring\t1g", "buyerContact": "maple"}
	for _, c := range change {
		maps.Copy(l, c)
	}
	return l
}

// offer is what a seller would send: 20 of it.
func offer(change ...object) object {
	o := object{"sellerName": "Fern", "sellerContact": "fern", "message": "I have plenty", "quantityOffered": 20}
	for _, c := range change {
		maps.Copy(o, c)
	}
	return o
}

// posts posts an order and returns its address.
func (b *browser) posts(change ...object) string {
	b.s.t.Helper()
	return b.post("/api/orders", another(change...)).wants(http.StatusCreated).at("/api/orders/", "id")
}

// offers sends an offer and returns its address.
func (b *browser) offers(on string, change ...object) string {
	b.s.t.Helper()
	r := b.post(on+"/offers", offer(change...)).wants(http.StatusCreated)
	return r.at("/api/offers/", "offer", "id")
}

// at returns the address of what was answered, from the id that is found along the path.
func (r *reply) at(prefix string, path ...string) string {
	r.t.Helper()
	var here any = r.json()
	for _, name := range path {
		here = here.(object)[name]
	}
	id, ok := here.(float64)
	if !ok || id <= 0 {
		r.t.Fatalf("%s answered no id: %s", r.asked, r.body)
	}
	return prefix + json.Number(jsonNumber(id)).String()
}

func jsonNumber(f float64) string {
	data, err := json.Marshal(f)
	if err != nil {
		panic(err) // no finite number fails
	}
	return string(data)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
