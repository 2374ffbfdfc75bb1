package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/web"
)

// event is one server-sent event.
type event struct{ name, data, id string }

// ear is an open event stream.
type ear struct {
	t      *testing.T
	events chan event // closed when the stream ends
	header http.Header
	retry  chan string
	hangUp context.CancelFunc
}

// listens opens an event stream.
func (b *browser) listens(headers ...string) *ear {
	t := b.s.t
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.s.url+"/api/events", nil)
	must(t, err)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := b.client.Do(request)
	must(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the stream answered %d", response.StatusCode)
	}
	e := &ear{t: t, events: make(chan event, 256), header: response.Header, retry: make(chan string, 1), hangUp: cancel}
	go func() {
		defer close(e.events)
		defer response.Body.Close()
		var now event
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "event":
				now.name = value
			case "data":
				now.data = value
			case "id":
				now.id = value
			case "retry":
				e.retry <- value
			case "":
				if now.name != "" || lines.Text() != "" && value != "welcome" {
					e.events <- now
				}
				now = event{id: now.id}
			}
		}
	}()
	if wait := <-e.retry; wait != "2000" {
		t.Errorf("the stream asks browsers to reconnect after %s ms", wait)
	}
	return e
}

func (e *ear) next() event {
	e.t.Helper()
	select {
	case got, open := <-e.events:
		if !open {
			e.t.Fatal("the stream has ended")
		}
		return got
	case <-time.After(coretest.Patience(10 * time.Second)):
		e.t.Fatal("nothing was heard")
	}
	return event{}
}

func (e *ear) hears(name string, orders []int, mine bool) event {
	e.t.Helper()
	got := e.next()
	if name == "resync" {
		if got.name != "resync" || got.data != "{}" {
			e.t.Errorf("heard %+v, want a resync", got)
		}
		return got
	}
	var data struct {
		Orders []int
		Mine   bool
	}
	if err := json.Unmarshal([]byte(got.data), &data); err != nil || got.name != name || !slices.Equal(data.Orders, orders) || data.Mine != mine {
		e.t.Errorf("heard %+v, want %s of %v, mine %t", got, name, orders, mine)
	}
	return got
}

func (e *ear) ends() {
	e.t.Helper()
	select {
	case got, open := <-e.events:
		if open {
			e.t.Errorf("heard %+v, want the end", got)
		}
	case <-time.After(coretest.Patience(10 * time.Second)):
		e.t.Error("the stream does not end")
	}
}

func TestEveryOpenStreamReceivesAChange(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple, visitor := s.signedIn("maple"), s.visitor()
	mine, other := maple.listens(), visitor.listens()

	if h := other.header; h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" || h.Get("Content-Encoding") != "" {
		t.Errorf("the stream comes as %v", h)
	}
	s.hub.Publish(core.Change{Orders: []core.OrderID{7}, Users: []core.UserID{maple.User.ID}})
	mine.hears("change", []int{7}, true)
	other.hears("change", []int{7}, false)

	s.hub.Publish(core.Change{Users: []core.UserID{maple.User.ID}}) // an inbox: only that user receives it
	mine.hears("change", []int{}, true)
	s.hub.Publish(core.Change{Orders: []core.OrderID{9, 8, 9}})
	mine.hears("change", []int{8, 9}, false)
	other.hears("change", []int{8, 9}, false)

	s.hub.Publish(core.Change{Resync: true})
	mine.hears("resync", nil, false)
	other.hears("resync", nil, false)
}

func TestAChangeOnThePageReachesEveryStream(t *testing.T) {
	t.Parallel()
	s := open(t)
	if first := s.readsChanges(); !first.Resync {
		t.Errorf("the change feed begins with %+v", first)
	}
	maple := s.signedIn("maple")
	ear := s.visitor().listens()
	address := maple.posts()
	var id int
	must(t, json.Unmarshal([]byte(strings.TrimPrefix(address, "/api/orders/")), &id))
	ear.hears("change", []int{id}, false)
}

func TestAnEventSaysWhatEverybodyMaySeeOfAChange(t *testing.T) {
	t.Parallel()
	s := open(t)
	maple := s.signedIn("maple")
	var ids []core.OrderID
	for range 3 {
		var id core.OrderID
		must(t, json.Unmarshal([]byte(strings.TrimPrefix(maple.posts(), "/api/orders/")), &id))
		ids = append(ids, id)
	}
	_, err := s.market.Trade.CloseOrder(t.Context(), core.Actor{UserID: maple.User.ID}, ids[1])
	must(t, err)
	s.signedIn("rowan.ashdown").offers("/api/orders/" + fmt.Sprint(ids[0])) // only the buyer sees how many there are

	own, other := maple.listens(), s.visitor().listens()
	s.hub.Publish(core.Change{Orders: append(ids, 999), Users: []core.UserID{maple.User.ID}, Lists: true})
	heard := other.next().data
	var data struct {
		Orders  []core.OrderID
		Changed []json.RawMessage
		Gone    []core.OrderID
		Counts  json.RawMessage
	}
	must(t, json.Unmarshal([]byte(heard), &data))
	if want := []core.OrderID{ids[1], 999}; len(data.Changed) != 2 || !slices.Equal(data.Gone, want) {
		t.Fatalf("changed are %d requests and gone %v, want 2 and %v: %s", len(data.Changed), data.Gone, want, heard)
	}
	for i, id := range []core.OrderID{ids[0], ids[2]} {
		if alone := strings.TrimSpace(string(s.visitor().get("/api/orders/" + fmt.Sprint(id)).body)); string(data.Changed[i]) != alone {
			t.Errorf("an event says\n%s, a visitor who asks is told\n%s", data.Changed[i], alone)
		}
	}
	if counts := strings.TrimSpace(string(s.visitor().get("/api/orders/counts").body)); string(data.Counts) != counts {
		t.Errorf("an event counts %s, a visitor who asks is told %s", data.Counts, counts)
	}
	if mine := own.next().data; strings.Replace(mine, `"mine":true`, `"mine":false`, 1) != heard {
		t.Errorf("the buyer hears\n%s, everybody else\n%s", mine, heard)
	}

	s.hub.Publish(core.Change{Orders: ids[:1]})
	if heard := other.next().data; strings.Contains(heard, "counts") || !strings.Contains(heard, `"changed"`) {
		t.Errorf("of a change that no list shows was heard %s", heard)
	}
}

func TestAReconnectingClientReceivesResync(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := s.visitor().listens()
	s.hub.Publish(core.Change{Orders: []core.OrderID{1}})
	at := first.hears("change", []int{1}, false).id
	first.hangUp()

	nothingMissed := s.visitor().listens("Last-Event-ID", at)
	s.hub.Publish(core.Change{Orders: []core.OrderID{2}})
	nothingMissed.hears("change", []int{2}, false)

	s.visitor().listens("Last-Event-ID", at).hears("resync", nil, false)
	s.visitor().listens("Last-Event-ID", "another-process-1").hears("resync", nil, false)
}

func TestABurstOfChangesIsOneEventAndLosesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	ear := s.visitor().listens()
	const changes = 50
	for i := range changes {
		s.hub.Publish(core.Change{Orders: []core.OrderID{core.OrderID(i + 1)}})
	}
	seen := map[int]bool{}
	for len(seen) < changes {
		var data struct{ Orders []int }
		must(t, json.Unmarshal([]byte(ear.next().data), &data))
		for _, id := range data.Orders {
			seen[id] = true
		}
	}
}

func TestAReaderWhoDoesNotReadIsLetGo(t *testing.T) {
	t.Parallel()
	s := open(t)
	response, err := s.visitor().client.Get(s.url + "/api/events")
	must(t, err)
	defer response.Body.Close()
	// The client does not read: the socket buffer fills, then the queue.
	other := s.visitor().listens()
	for round := 0; s.hub.Subscribers() > 1; round++ {
		many := make([]core.OrderID, 5000)
		for i := range many {
			many[i] = core.OrderID(round*len(many) + i)
		}
		s.hub.Publish(core.Change{Orders: many})
		other.next()
	}
	_, err = io.Copy(io.Discard, response.Body)
	must(t, err) // what was sent is there, and then the end
}

func TestStreamsOfOneClientAreLimited(t *testing.T) {
	t.Parallel()
	s := open(t, limitedTo(web.Limits{Streams: 2}))
	first := s.visitor().listens()
	s.visitor().listens()
	r := s.visitor().get("/api/events")
	r.wantsProblem(http.StatusTooManyRequests)
	r.retryAfter(t)
	first.hangUp()
	for s.hub.Subscribers() == 2 {
		s.hub.Publish(core.Change{Orders: []core.OrderID{1}})
	}
	s.visitor().listens()
}

func TestStreamsOfOneUserAreLimitedWhateverTheirAddresses(t *testing.T) {
	t.Parallel()
	s := open(t, func(o *web.Options) {
		limitedTo(web.Limits{Streams: 2})(o)
		behindAProxy(o)
	})
	maple := s.signedIn("maple")
	maple.listens("X-Forwarded-For", "203.0.113.1")
	maple.listens("X-Forwarded-For", "203.0.113.2")
	maple.get("/api/events", "X-Forwarded-For", "203.0.113.3").wantsProblem(http.StatusTooManyRequests)
	s.signedIn("rowan.ashdown").listens("X-Forwarded-For", "203.0.113.3")
}

func TestWhileSubscribedCallsItsFunctions(t *testing.T) {
	t.Parallel()
	s := open(t)
	var begun, ended atomic.Int32
	s.hub.WhileSubscribed(func() func() {
		begun.Add(1)
		return func() { ended.Add(1) }
	})
	leave := func(e *ear, left int) {
		e.hangUp()
		for s.hub.Subscribers() > left { // it does not tell; this asks again
			time.Sleep(time.Millisecond)
		}
	}
	first, second := s.visitor().listens(), s.visitor().listens()
	leave(first, 1)
	if begun.Load() != 1 || ended.Load() != 0 {
		t.Errorf("while one of two still listens, watching began %d times and ended %d times", begun.Load(), ended.Load())
	}
	leave(second, 0)
	if ended.Load() != 1 {
		t.Errorf("no stream is open, and watching ended %d times", ended.Load())
	}
	leave(s.visitor().listens(), 0)
	if begun.Load() != 2 || ended.Load() != 2 {
		t.Errorf("for another reader watching began %d times and ended %d times", begun.Load(), ended.Load())
	}
}

func TestStreamsEndWhenTheServerStops(t *testing.T) {
	t.Parallel()
	s := open(t)
	ear := s.visitor().listens()
	ctx, cancel := context.WithTimeout(context.Background(), coretest.Patience(5*time.Second))
	defer cancel()
	must(t, s.server.Config.Shutdown(ctx))
	ear.ends()
}

func TestNoStreamBeginsOnceTheHubIsClosed(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.hub.Close()
	r := s.visitor().get("/api/events")
	r.wantsProblem(http.StatusServiceUnavailable)
	r.retryAfter(t)
	s.hub.Publish(core.Change{Orders: []core.OrderID{1}}) // and nothing breaks
}
