package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/bot/discordtest"
	"tradepost/core/coretest"
	"tradepost/sql/pgtest"
)

// apart is a test for a goroutine of its own: what is fatal ends that goroutine.
type apart struct{ *testing.T }

func (a apart) Fatalf(format string, args ...any) {
	a.Helper()
	a.Errorf(format, args...)
	runtime.Goexit()
}

// Two pages and two bots on one database are replaced one after another, twice, while people trade on the page, through a
// load balancer, and in Discord.
func TestRollingReplacementIsInvisibleToClients(t *testing.T) {
	t.Parallel()
	s := newStreet(t, pgtest.New(t))
	s.hear()
	s.people()
	s.replaceAll(t)
	s.replaceAll(t)
	close(s.over)
	s.trading.Wait()
	if err := s.balancer.failures(); err != nil {
		t.Errorf("requests have failed:\n%v", err)
	}
	s.judge()
}

// street is a market of several programs, with people in it.
type street struct {
	t        *testing.T
	host     *host
	balancer *balancer
	replicas []*replica
	db       *pgxpool.Pool

	over    chan struct{} // closed when people shall come to an end
	trading sync.WaitGroup
	stream  *openStream

	reads, interactions atomic.Int64
	mu                  sync.Mutex
	posted              []post
	offered, accepted   []string // items
}

// post is a request that was acknowledged.
type post struct {
	id   int64 // 0 for one posted in Discord
	item string
	at   time.Time
}

func newStreet(t *testing.T, dsn string, args ...string) *street {
	s := &street{t: t, host: newHost(t), over: make(chan struct{})}
	first, second := freeAddress(t), freeAddress(t)
	s.balancer = newBalancer(t, first, second)
	s.host.discord.AllowRedirect(s.balancer.url + "/auth/discord/callback")
	common := []string{"--database-url", dsn, "--public-url", s.balancer.url, "--discord-token", s.host.discord.Token(),
		"--discord-client-id", s.host.discord.ClientID(), "--discord-client-secret", s.host.discord.ClientSecret(),
		"--request-limit", "1000000", "--write-limit", "1000000", "--log-level", "warn"}
	for _, address := range []string{first, "", second, ""} {
		r := &replica{host: s.host, address: address, metrics: freeAddress(t)}
		r.args = append(slices.Concat(common, args), "--metrics-listen", r.metrics)
		if address == "" {
			r.args = append(r.args, "--only", "bot")
		} else {
			r.args = append(r.args, "--only", "web", "--listen", address)
		}
		s.replicas = append(s.replicas, r)
		r.start()
		s.waitReady(r)
	}
	t.Cleanup(func() {
		for _, r := range s.replicas {
			r.stop(t)
		}
	})
	s.host.discord.WaitForBot(t)
	var err error
	if s.db, err = pgxpool.New(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.db.Close)
	return s
}

// hear waits until every program hears of changes, the bots as well: only then do they trust what they remember of the lists.
func (s *street) hear() {
	s.t.Helper()
	for end := time.Now().Add(coretest.Patience(10 * time.Second)); ; time.Sleep(10 * time.Millisecond) { // there is no event; poll
		var listening int
		err := s.db.QueryRow(s.t.Context(), `select count(*) from pg_stat_activity
where datname = current_database() and application_name = 'tradepost changes'`).Scan(&listening)
		if err == nil && listening == len(s.replicas) {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%d of %d programs hear of changes, %v", listening, len(s.replicas), err)
		}
	}
}

// waitReady waits until the balancer uses a page, and until a bot is connected or waits for its turn: what a host waits for
// before the next one is replaced.
func (s *street) waitReady(r *replica) {
	s.t.Helper()
	ready := func() bool { return r.gateway() != "" }
	for _, p := range s.balancer.pages {
		if p.address == r.address {
			ready = p.ready.Load
		}
	}
	for end := time.Now().Add(coretest.Patience(30 * time.Second)); !ready(); time.Sleep(10 * time.Millisecond) { // it does not tell; this asks again
		if time.Now().After(end) {
			s.t.Fatalf("a replica does not become ready: %v", r.args)
		}
	}
}

// replaceAll restarts each program.
func (s *street) replaceAll(t *testing.T) {
	for i, r := range s.replicas {
		took := r.stop(t)
		t.Logf("replica %d was gone after %s", i+1, took.Round(time.Millisecond))
		r.start()
		s.waitReady(r)
	}
}

// people begin to trade.
func (s *street) people() {
	d, t := s.host.discord, apart{s.t}
	s.stream = s.follow()
	for range 2 {
		s.goOn(func(int) { s.read() })
	}
	for _, couple := range [][2]string{{"alder", "birch"}, {"cedar", "dogwood"}} {
		buyer, seller := s.signIn(d.NewPlayer(t, couple[0])), s.signIn(d.NewPlayer(t, couple[1]))
		s.goOn(func(n int) { s.tradeOnThePage(buyer, seller, fmt.Sprintf("Ore Q%sQ%dQ", couple[0], n)) })
	}
	maple, rowan := d.Player(t, "maple"), d.Player(t, "rowan.ashdown")
	s.goOn(func(n int) { s.tradeInDiscord(maple, rowan, fmt.Sprintf("Hide Q%dQ", n)) })
	juniper := d.Player(t, "juniper_fox")
	s.goOn(func(int) {
		if text := juniper.Slash("request browse").Text(); text == "" {
			t.Errorf("/request browse is answered with nothing")
		}
		s.interactions.Add(1)
	})
}

// goOn does something again and again until it is over.
func (s *street) goOn(do func(n int)) {
	s.trading.Go(func() {
		for n := 1; ; n++ {
			select {
			case <-s.over:
				return
			case <-time.After(150 * time.Millisecond): // people take their time
				do(n)
			}
		}
	})
}

func (s *street) signIn(p *discordtest.Player) *http.Client {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: coretest.Patience(20 * time.Second), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	follow := func(address string) (to string) {
		resp, err := browser.Get(address)
		if err != nil {
			s.t.Fatal(err)
		}
		defer resp.Body.Close()
		if to = resp.Header.Get("Location"); to == "" {
			s.t.Fatalf("signing in, %s answers %s", address, resp.Status)
		}
		return to
	}
	follow(p.Authorize(follow(s.balancer.url + "/auth/discord?return=/")).String())
	return browser
}

// read looks at the board and at a request.
func (s *street) read() {
	paths := []string{"/", "/api/orders", "/api/orders/counts"}
	s.mu.Lock()
	for _, p := range slices.Backward(s.posted) {
		if p.id != 0 {
			paths = append(paths, fmt.Sprintf("/api/orders/%d", p.id), fmt.Sprintf("/requests/%d", p.id))
			break
		}
	}
	s.mu.Unlock()
	for _, path := range paths {
		resp, err := http.Get(s.balancer.url + path)
		if err != nil {
			s.t.Error(err)
			return
		}
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			s.t.Errorf("GET %s: %s, %v", path, resp.Status, err)
		}
		s.reads.Add(1)
	}
}

// write sends a write once.
func (s *street) write(browser *http.Client, path, key string, body, answer any) {
	t := apart{s.t}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("%v", err)
	}
	req, err := http.NewRequest(http.MethodPost, s.balancer.url+path, bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", strings.ReplaceAll(key, " ", "-"))
	resp, err := browser.Do(req)
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode < 300 {
		err = json.Unmarshal(said, answer)
	}
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("POST %s: %s, %v: %s", path, resp.Status, err, said)
	}
}

// tradeOnThePage posts a request, offers on it, and accepts a part of the offer with a double click.
func (s *street) tradeOnThePage(buyer, seller *http.Client, item string) {
	var order struct{ ID int64 }
	s.write(buyer, "/api/orders", "post "+item, map[string]any{
		"itemName": item, "quantity": 10, "maxPricePerUnit": 500, "description": "Any grade", "buyerContact": "me", "category": "Miner",
	}, &order)
	s.notePost(post{order.ID, item, time.Now()})
	var made struct{ Offer struct{ ID int64 } }
	s.write(seller, fmt.Sprintf("/api/orders/%d/offers", order.ID), "offer "+item, map[string]any{
		"sellerName": "Seller", "message": "I have two", "quantityOffered": 2,
	}, &made)
	s.note(&s.offered, item)
	var clicks sync.WaitGroup
	for range 2 {
		clicks.Go(func() {
			s.write(buyer, fmt.Sprintf("/api/offers/%d/accept", made.Offer.ID), "accept "+item, map[string]any{"quantity": 1}, &struct{}{})
		})
	}
	clicks.Wait()
	s.note(&s.accepted, item)
}

// tradeInDiscord does the same with commands and buttons.
func (s *street) tradeInDiscord(buyer, seller *discordtest.Player, item string) {
	preview := buyer.Slash("request post", discordtest.Str("item", item), discordtest.Int("quantity", 10), discordtest.Str("price", "500c"))
	preview.Button("Post").Press()
	s.notePost(post{0, item, time.Now()})
	seller.Slash("offer send", seller.Pick("offer send", "request", item), discordtest.Int("quantity", 2), discordtest.Str("message", "I have two"))
	s.note(&s.offered, item)
	buyer.Slash("offer accept", buyer.Pick("offer accept", "offer", item), discordtest.Int("quantity", 1))
	s.note(&s.accepted, item)
	s.interactions.Add(6)
}

func (s *street) notePost(p post) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posted = append(s.posted, p)
}

func (s *street) note(list *[]string, item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*list = append(*list, item)
}

// openStream is an open page's stream of events, taken up again whenever it ends.
type openStream struct {
	opened int // how often

	mu    sync.Mutex
	heard map[int64]bool // requests that it got events of
	all   time.Time      // when it last got an event to reload everything
}

// follow opens a page, which stays open until the test ends.
func (s *street) follow() *openStream {
	o := &openStream{heard: map[int64]bool{}}
	ctx, leave := context.WithCancel(s.t.Context())
	welcome := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() {
		last := ""
		for ctx.Err() == nil {
			if err := o.read(ctx, s.balancer.url, &last, sync.OnceFunc(func() {
				if o.opened++; o.opened == 1 {
					close(welcome)
				}
			})); err != nil && ctx.Err() == nil {
				s.t.Errorf("the stream of events: %v", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond): // browsers wait longer
			}
		}
	})
	s.t.Cleanup(func() {
		leave()
		reading.Wait()
		s.t.Logf("the stream of events was opened %d times", o.opened)
	})
	<-welcome
	return o
}

// read reads the stream until it ends.
func (o *openStream) read(ctx context.Context, url string, last *string, opened func()) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/events", nil)
	if err != nil {
		return err
	}
	if *last != "" {
		req.Header.Set("Last-Event-ID", *last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	resync := false
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if id, found := strings.CutPrefix(lines.Text(), "id: "); found {
			*last = id
			opened()
		}
		if event, found := strings.CutPrefix(lines.Text(), "event: "); found {
			resync = event == "resync"
		}
		if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
			if err := o.hear(data, resync); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

func (o *openStream) hear(data string, resync bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if resync {
		o.all = time.Now()
	}
	var change struct{ Orders []int64 }
	err := json.Unmarshal([]byte(data), &change)
	for _, id := range change.Orders {
		o.heard[id] = true
	}
	return err
}

// knows reports whether the page got an event of a request, or reloaded everything after it was
// posted.
func (o *openStream) knows(p post) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.heard[p.id] || o.all.After(p.at)
}

// judge compares what was acknowledged with the database and with what people have in Discord.
func (s *street) judge() {
	t := s.t
	t.Logf("%d requests read, %d posted, %d offers sent and %d accepted, %d interactions answered",
		s.reads.Load(), len(s.posted), len(s.offered), len(s.accepted), s.interactions.Load())
	if len(s.posted) < 20 || s.interactions.Load() < 50 {
		t.Error("that is too little to tell")
	}
	for pending := 1; pending > 0; time.Sleep(10 * time.Millisecond) { // the database does not tell; this asks it again
		if err := s.db.QueryRow(t.Context(), "select count(*) from notices where state = 'pending'").Scan(&pending); err != nil {
			t.Fatal(err)
		}
	}
	made := s.made()
	for _, p := range s.posted {
		if p.id = made[p.item].id; !s.stream.knows(p) {
			t.Errorf("the open page got no event of %q", p.item)
		}
	}
	if len(made) != len(s.posted) {
		t.Errorf("%d items are wanted, and %d were posted", len(made), len(s.posted))
	}
	for item, got := range made {
		want := counts{orders: 1}
		if slices.Contains(s.offered, item) {
			want.offers, want.received = 1, 1
		}
		if slices.Contains(s.accepted, item) {
			want.sales, want.accepted = 1, 1
		}
		if got.counts != want {
			t.Errorf("of %q there are %+v, want %+v", item, got.counts, want)
		}
	}
	s.judgeMessages()
}

// counts are what there is of an item.
type counts struct {
	orders, offers, sales int
	received, accepted    int // notices that were delivered
}

type wanted struct {
	id int64 // of one of the requests
	counts
}

func (s *street) made() map[string]wanted {
	rows, err := s.db.Query(s.t.Context(), `select item_name, max(id), count(*),
			sum((select count(*) from offers where order_id = o.id)), sum((select count(*) from order_updates where order_id = o.id)),
			sum((select count(*) from notices where order_id = o.id and state = 'delivered' and kind = 'offer_received')),
			sum((select count(*) from notices where order_id = o.id and state = 'delivered' and kind = 'offer_accepted'))
		from orders o group by item_name`)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	made := map[string]wanted{}
	for rows.Next() {
		var item string
		var w wanted
		if err := rows.Scan(&item, &w.id, &w.orders, &w.offers, &w.sales, &w.received, &w.accepted); err != nil {
			s.t.Fatal(err)
		}
		made[item] = w
	}
	if err := rows.Err(); err != nil {
		s.t.Fatal(err)
	}
	return made
}

// judgeMessages checks that people have in Discord what counts as delivered, and nothing besides.
func (s *street) judgeMessages() {
	rows, err := s.db.Query(s.t.Context(), "select distinct d.message_id from notices n join deliveries d on d.id = n.delivery_id")
	if err != nil {
		s.t.Fatal(err)
	}
	delivered, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		s.t.Fatal(err)
	}
	var there []string
	for _, p := range s.host.discord.People() {
		for _, m := range s.host.discord.DMs(p.ID) {
			there = append(there, m.ID)
		}
	}
	slices.Sort(delivered)
	slices.Sort(there)
	if !slices.Equal(delivered, there) {
		s.t.Errorf("people have the messages %v, and notices were delivered in %v", there, delivered)
	}
}
