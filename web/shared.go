package web

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
)

// A cache in front of the program, such as Varnish, keeps responses that are the same for everybody until the program says
// what has changed (Purger). Such a response has two headers that are for these caches alone: how long it may be kept, and
// under which keys it is purged. Cache-Control, which is for browsers, stays as it is.
const (
	surrogateControl = "Surrogate-Control"
	surrogateKey     = "Surrogate-Key"
)

const (
	// sharedFor is how long a cache may keep a response, and revalidateFor for how long after that it may use it while it
	// asks again. Together they are the longest that a response can be wrong when no purge arrives.
	sharedFor     = 30 * time.Second
	revalidateFor = 30 * time.Second
)

// The keys under which responses are purged. Every response but an asset has keyAll.
const (
	keyAll    = "all"
	keyLists  = "lists"  // it shows a list of open orders, or counts them
	keyItems  = "items"  // it shows items of the catalogue
	keyTrades = "trades" // it shows what items were traded for
)

// orderKey is the key of what shows one order.
func orderKey(id core.OrderID) string { return "order-" + strconv.FormatInt(int64(id), 10) }

// changedKeys are the keys of the responses that a change makes stale.
func changedKeys(c core.Change) (keys []string) {
	if c.Resync {
		return []string{keyAll}
	}
	for _, id := range c.Orders {
		keys = append(keys, orderKey(id))
	}
	if len(c.Orders) > 0 || c.Lists || c.Items { // an order shows which item it names
		keys = append(keys, keyLists)
	}
	if c.Items {
		keys = append(keys, keyItems)
	}
	if len(c.Traded) > 0 || c.AnyTraded {
		keys = append(keys, keyTrades)
	}
	return keys
}

// sharing is how caches in front of the program may keep the response to one request.
type sharing struct {
	keys   string
	until  time.Time // from when on it is wrong without a change; zero for never
	always bool      // its address changes with its content
	off    bool      // it must not be kept after all
}

type sharingKey struct{}

// notShared keeps a response out of caches in front of the program: it shows less than it should.
func notShared(ctx context.Context) {
	if s, ok := ctx.Value(sharingKey{}).(*sharing); ok {
		s.off = true
	}
}

// sharedWhileOpen ends the time that a response about an order may be kept with the order, which expires without a change.
func sharedWhileOpen(ctx context.Context, o core.Order) {
	if s, ok := ctx.Value(sharingKey{}).(*sharing); ok && o.Status == core.Active {
		s.until = o.ExpiresAt
	}
}

// mark sets the headers for caches in front of the program on a response that may be kept.
func (s *sharing) mark(h http.Header, status int, now time.Time) {
	if s.off || status != http.StatusOK && status != http.StatusNotModified || len(h["Set-Cookie"]) > 0 {
		return
	}
	control := sharedControl
	switch {
	case s.always:
		control = sharedAlways
	case !s.until.IsZero() && s.until.Sub(now) < sharedFor+revalidateFor:
		left := int(s.until.Sub(now) / time.Second)
		if left <= 0 {
			return
		}
		control = []string{"max-age=" + strconv.Itoa(min(left, int(sharedFor/time.Second)))}
	}
	h[surrogateControl], h[surrogateKey] = control, []string{s.keys}
}

var (
	sharedControl = []string{"max-age=" + seconds(sharedFor) + ", stale-while-revalidate=" + seconds(revalidateFor)}
	sharedAlways  = []string{"max-age=86400"}
	listsKeys     = []string{keyAll + " " + keyLists} // of the cached routes
)

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

var (
	ofOneItem  = regexp.MustCompile(`^itemId=[1-9][0-9]{0,17}$`)
	boardQuery = regexp.MustCompile(`^((category|sort|view)=[^&]*(&|$))*$`)
	oneOrder   = regexp.MustCompile(`^(?:/api/orders|/requests)/([1-9][0-9]{0,17})(/card\.png)?$`)
	itemAPI    = regexp.MustCompile(`^/api/catalogue/[1-9][0-9]{0,17}(/prices|/odds)?$`)
	itemPages  = regexp.MustCompile(`^/items(/[1-9][0-9]{0,17}(/[^/]*)?)?$`)
	samePages  = regexp.MustCompile(`^/(mine|completed|offers|offers/received|inbox|trades|stock|wanted|moderation|(traders|lists)/[1-9][0-9]{0,17})$`)
)

// sharingOf returns how the response to a request may be kept, nil for not at all: when it depends on the person who asks, or
// when there are more of its kind than a cache should hold.
func (s *Server) sharingOf(r *http.Request) *sharing {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	if a := s.pages.assets[r.URL.Path]; a != nil {
		if a.keepForever {
			return &sharing{keys: "assets", always: true}
		}
		return &sharing{keys: keyAll}
	}
	if keys := s.sharedKeys(r); keys != nil {
		return &sharing{keys: strings.Join(append([]string{keyAll}, keys...), " ")}
	}
	return nil
}

// sharedKeys are the keys of a response besides keyAll, nil when it may not be kept.
func (s *Server) sharedKeys(r *http.Request) []string {
	path, query := r.URL.Path, r.URL.RawQuery
	if path == listsPath && (s.cached.lists[query] != nil || ofOneItem.MatchString(query)) {
		return []string{keyLists}
	}
	if path == "/" {
		return s.boardKeys(r)
	}
	picture := strings.HasSuffix(path, "/card.png") || path == siteCardPath
	if query != "" && !picture && query != "step=day" { // a picture's address has a version, for browsers
		return nil
	}
	if order := oneOrder.FindStringSubmatch(path); order != nil {
		if strings.HasPrefix(path, "/api/") && (order[2] != "" || s.hasSession(r)) {
			return nil
		}
		return []string{"order-" + order[1]}
	}
	switch {
	case path == countsPath:
		return []string{keyLists}
	case path == "/api/me" && !s.hasSession(r), path == siteCardPath, path == "/api/wanted", samePages.MatchString(path):
		return []string{} // nothing but a new program changes it, or time
	case itemAPI.MatchString(path), itemPages.MatchString(path):
		if keys := []string{keyItems}; strings.HasSuffix(path, "/prices") || strings.HasSuffix(path, "/odds") || picture {
			return append(keys, keyTrades, keyLists)
		}
		return []string{keyItems}
	}
	return nil
}

// boardKeys are the keys of the board's document.
func (s *Server) boardKeys(r *http.Request) []string {
	list, known := firstListOf(r, s.opts.Game, s.opts.Branding.ListFirst)
	asked := r.URL.Query()
	if !known || !boardQuery.MatchString(r.URL.RawQuery) ||
		asked.Has("category") && string(list.category) != asked.Get("category") || asked.Has("sort") && string(list.sort) != asked.Get("sort") {
		return nil
	}
	return []string{keyLists}
}

// hasSession reports whether a request names a session, so that its response may be for its user alone.
func (s *Server) hasSession(r *http.Request) bool {
	_, err := r.Cookie(s.session.Cookie.Name)
	return err == nil
}

// share marks responses for caches in front of the program, when there are any.
func (s *Server) share(next http.Handler) http.Handler {
	if !s.opts.SharedCaches {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		how := s.sharingOf(r)
		if how == nil {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&sharedWriter{ResponseWriter: w, how: how, now: s.now}, r.WithContext(context.WithValue(r.Context(), sharingKey{}, how)))
	})
}

// sharedWriter marks a response when its status is known.
type sharedWriter struct {
	http.ResponseWriter
	how    *sharing
	now    func() time.Time
	marked bool
}

func (w *sharedWriter) WriteHeader(status int) {
	if !w.marked && status >= http.StatusOK {
		w.marked = true
		w.how.mark(w.Header(), status, w.now())
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *sharedWriter) Write(body []byte) (int, error) {
	if !w.marked {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(body)
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *sharedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
