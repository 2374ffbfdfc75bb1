package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What most readers ask for are a few answers that are the same for everybody: the tops of the lists, and how many requests
// each category holds. They are read from the market once a change, compressed once, and kept.
//
// What is kept is never older than keptFor, whatever else happens. It also goes at once when this process hears of a
// change: of its own writes before they are acknowledged, of those of other replicas before any event stream tells of
// them. A page that has just written, perhaps to another replica, asks with "Cache-Control: no-cache", which leads
// past what is kept.
const keptFor = 200 * time.Millisecond

// edition is an answer as it is kept, plain and compressed.
type edition struct {
	epoch uint64    // of the market, when it was begun to be read
	asOf  time.Time // likewise

	kind        []string // its media type
	plain, gzip rendering
}

// rendering is one way to send an edition. Its headers are made once: each is a list that is given to every answer.
type rendering struct {
	body                        []byte
	tag, length, encoding, vary []string
}

func (e *edition) good(epoch uint64, life time.Duration) bool {
	return e != nil && e.epoch == epoch && time.Since(e.asOf) < life
}

// kept is one answer: the edition that is served, and the reading of the next one while it lasts.
type kept struct {
	read  func(context.Context) ([]byte, error)
	shelf *shelf
	tally *tally
	last  atomic.Pointer[edition]

	mu   sync.Mutex
	next *reading
}

type reading struct {
	epoch uint64
	begun time.Time
	done  chan struct{}
	edition
	err error
}

// now returns the edition to serve if it is at hand, and nil if not.
func (k *kept) now() *edition {
	if e := k.last.Load(); e.good(k.shelf.epoch.Load(), k.shelf.life) {
		return e
	}
	return nil
}

// edition returns the edition to serve, after reading a new one where there is none. Those who come together share one
// reading.
func (k *kept) edition(ctx context.Context) (*edition, error) {
	if e := k.now(); e != nil {
		return e, nil
	}
	r, mine := k.join()
	if mine {
		// Others may wait for it too, so it does not end with the one who began it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
		defer cancel()
		k.finish(ctx, r)
		return &r.edition, r.err
	}
	select {
	case <-r.done:
		return &r.edition, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join returns the reading under way, unless it may miss something that was acknowledged before it was asked for: then a
// new one, which is the caller's to do.
func (k *kept) join() (r *reading, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch := k.shelf.epoch.Load(); k.next == nil || k.next.epoch != epoch || time.Since(k.next.begun) > k.shelf.life/2 {
		k.next = &reading{epoch: epoch, begun: time.Now(), done: make(chan struct{}), err: errUnread}
		return k.next, true
	}
	return k.next, false
}

var errUnread = errors.New("the reading ended in a panic")

func (k *kept) finish(ctx context.Context, r *reading) {
	defer close(r.done)
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.next == r {
			k.next = nil
		}
	}()
	body, err := k.read(ctx)
	r.edition, r.err = edition{epoch: r.epoch, asOf: r.begun}, err
	if err != nil {
		return
	}
	if last := k.last.Load(); last != nil && bytes.Equal(last.plain.body, body) {
		r.kind, r.plain, r.gzip = last.kind, last.plain, last.gzip // nothing has changed
	} else {
		r.render(kindJSON, body)
	}
	k.last.Store(&r.edition)
}

var varyByEncoding = []string{"Accept-Encoding"}

func (e *edition) render(kind []string, body []byte) {
	e.kind = kind
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:8])
	var small bytes.Buffer
	zip := gzip.NewWriter(&small)
	_, _ = zip.Write(body) // into memory: neither can fail
	_ = zip.Close()
	e.plain = rendering{body: body, tag: []string{`"` + tag + `"`}, length: []string{strconv.Itoa(len(body))}, vary: varyByEncoding}
	e.gzip = rendering{
		body: small.Bytes(), tag: []string{`"` + tag + `-gz"`}, length: []string{strconv.Itoa(small.Len())},
		encoding: []string{"gzip"}, vary: varyByEncoding,
	}
}

var (
	kindJSON   = []string{"application/json"}
	kindHTML   = []string{"text/html; charset=utf-8"}
	revalidate = []string{"no-cache"} // may be stored, must be asked about
)

// answer sends the edition in the form that the reader takes, or Not Modified to one who has it.
func (e *edition) answer(w http.ResponseWriter, r *http.Request) (status, sent int) {
	form := &e.plain
	if accepted := r.Header["Accept-Encoding"]; len(accepted) > 0 && accepts(accepted[0], "gzip") {
		form = &e.gzip
	}
	h := w.Header()
	h["Cache-Control"], h["Etag"], h["Vary"] = revalidate, form.tag, form.vary
	if known := r.Header["If-None-Match"]; len(known) > 0 && strings.Contains(known[0], form.tag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return http.StatusNotModified, 0
	}
	h["Content-Type"], h["Content-Length"] = e.kind, form.length
	if form.encoding != nil {
		h["Content-Encoding"] = form.encoding
	}
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		return http.StatusOK, 0
	}
	sent, _ = w.Write(form.body) // a reader who has left needs no more
	return http.StatusOK, sent
}
