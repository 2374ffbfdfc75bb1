package serving

import (
	"net/http"
	"strconv"
	"time"

	"tradepost/web/kernel"
)

// A cache in front of the program, such as Varnish, keeps responses that are the same for all clients until
// the program purges what has changed (Purger). Such a response has two headers that are for these caches
// alone: how long it may be kept, and under which keys it is purged. Cache-Control, which is for browsers,
// stays as it is.
const (
	surrogateControl = "Surrogate-Control"
	surrogateKey     = "Surrogate-Key"
)

const (
	// sharedFor is how long a cache may keep a response, and revalidateFor for how long after that it may
	// use it while it asks again. Together they are the longest that a response can be wrong when no purge
	// arrives.
	sharedFor     = 30 * time.Second
	revalidateFor = 30 * time.Second
)

// mark sets the headers for caches in front of the program on a response that may be kept.
func mark(s *kernel.Sharing, h http.Header, status int, now time.Time) {
	if s.Off || status != http.StatusOK && status != http.StatusNotModified || len(h["Set-Cookie"]) > 0 {
		return
	}
	control := sharedControl
	switch {
	case s.Always:
		control = sharedAlways
	case !s.Until.IsZero() && s.Until.Sub(now) < sharedFor+revalidateFor:
		left := int(s.Until.Sub(now) / time.Second)
		if left <= 0 {
			return
		}
		control = []string{"max-age=" + strconv.Itoa(min(left, int(sharedFor/time.Second)))}
	}
	h[surrogateControl], h[surrogateKey] = control, []string{s.Keys}
	kernel.HideLimits(h)
}

var (
	sharedControl = []string{"max-age=" + seconds(sharedFor) + ", stale-while-revalidate=" +
		seconds(revalidateFor)}
	sharedAlways = []string{"max-age=86400"}
	listsKeys    = []string{KeyAll + " " + KeyLists} // of the cached routes
)

func seconds(d time.Duration) string { return strconv.Itoa(int(d / time.Second)) }

// Share marks responses for caches in front of the program, when there are any. of returns how the response
// to a request may be kept, nil for not at all.
func (s *Front) Share(of func(*http.Request) *kernel.Sharing) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if !s.opts.SharedCaches {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			how := of(r)
			if how == nil {
				next.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(&sharedWriter{ResponseWriter: w, how: how, now: s.Now},
				r.WithContext(kernel.WithSharing(r.Context(), how)))
		})
	}
}

// sharedWriter marks a response when its status is known.
type sharedWriter struct {
	http.ResponseWriter
	how    *kernel.Sharing
	now    func() time.Time
	marked bool
}

func (w *sharedWriter) WriteHeader(status int) {
	if !w.marked && status >= http.StatusOK {
		w.marked = true
		mark(w.how, w.Header(), status, w.now())
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
