package serving

import (
	"html"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tradepost/core/text"
	"tradepost/web/kernel"
)

// rejectionLogInterval is how often a rejection is logged, with a count of the unlogged ones.
const rejectionLogInterval = time.Second

// Reject answers a request before any work is done for it, with a page to a browser that loads one and with a
// problem to every other client. Rejections are sampled in the log. The connection is closed after too many
// rejections of a client, and after a request with an unread body.
func (s *Front) Reject(w http.ResponseWriter, r *http.Request, p *kernel.Problem) {
	if rec := kernel.RecordOf(r.Context()); rec != nil {
		rec.Rejected = true
	}
	if s.rejections.Exceeds(r, kernel.LimitKeyOf(r.Context())) {
		w.Header().Set("Connection", "close")
	}
	if isUnread(r) {
		closeUnread(w)
	}
	if loadsPage(r) {
		writePage(p, s.Languages.Of(r), w, r)
		return
	}
	p.Write(w, r)
}

// loadsPage reports whether a browser asks for a page, and not a script for data.
func loadsPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		!strings.HasPrefix(r.URL.Path, "/api/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

const rejectionPage = `<!doctype html>
<html lang="LANGUAGE">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}</style>
<h1>TITLE</h1>
<p>SENTENCE</p>
<p><a href="">AGAIN</a></p>
</html>
`

// writePage answers a rejected request with a page that needs nothing from the market.
func writePage(p *kernel.Problem, language string, w http.ResponseWriter, r *http.Request) {
	t, p := text.For(language), p.In(language)
	title := t.Page("site_wait_title")
	if p.Status >= http.StatusInternalServerError {
		title = t.Page("site_busy_title")
	}
	page := strings.NewReplacer("LANGUAGE", language, "TITLE", title, "AGAIN", t.Page("parts_try_again"),
		"SENTENCE", html.EscapeString(p.Detail)).Replace(rejectionPage)
	h := w.Header()
	h.Set("Content-Language", language)
	for name, values := range p.Headers() {
		h[name] = values
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, page) // the status is sent; a client that has left needs no more
	}
}
