package pages

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/web/firstlook"
	"tradepost/web/kernel"
)

const (
	// maxLookAge is how old the requests in a document may be. The page asks for them again beside its
	// scripts, and shows those. So many changes and visitors cost one drawing a second.
	maxLookAge = time.Second

	viewCookie = "tradepost_view" // the view that a browser remembers, set by dashboard/src/lib/boardView.ts
)

// firstList is a list that the board may show first.
type firstList struct {
	category game.Category
	sort     match.Sort
	asList   bool // rows, one for each item
}

func (l firstList) address() string { return kernel.ListAddress(l.category, l.sort, l.asList) }

// frontPage is the board's document for one list. It has the first requests in it, as HTML.
type frontPage struct {
	firstList
	language      string
	before, after []byte // of the requests
	skeleton      *kernel.CachedResponse
	latest        atomic.Pointer[drawnPage]
	drawing       sync.Mutex
}

// drawnPage is a document and what it was drawn from.
type drawnPage struct {
	document, list, counts *kernel.CachedResponse
	minute, checked        time.Time
}

// lookMark is where index.html has what is shown without requests.
var lookMark = regexp.MustCompile(`(?s)<!-- first look -->.*<!-- /first look -->`)

// Scripts that index.html names for one view alone.
var (
	listModule  = regexp.MustCompile(`(?m)^\s*<link [^>]*data-for="list"[^>]*>\n?`)
	cardsModule = regexp.MustCompile(`(?m)^\s*<link [^>]*data-for="cards"[^>]*>\n?`)
)

func newFrontPage(list firstList, language string, document []byte) *frontPage {
	if list.asList {
		document = cardsModule.ReplaceAllLiteral(document, nil)
	} else {
		document = listModule.ReplaceAllLiteral(document, nil)
	}
	f := &frontPage{firstList: list, language: language,
		skeleton: kernel.NewCachedResponse(kernel.ContentTypeHTML, document).ByLanguage(language)}
	if at := lookMark.FindIndex(document); at != nil {
		f.before, f.after = document[:at[0]], document[at[1]:]
	}
	return f
}

// serveBoard answers with the document of the board: with the first requests when they can be read, or else
// without.
func (s *Site) serveBoard(w http.ResponseWriter, r *http.Request, f *frontPage) {
	if f.before == nil {
		f.skeleton.Serve(w, r)
		return
	}
	now := s.Now()
	latest := s.recent(f, now)
	switch {
	case latest != nil:
	case f.latest.Load() == nil:
		f.drawing.Lock()
		latest = s.redraw(r.Context(), f, now)
	case f.drawing.TryLock():
		latest = s.redraw(r.Context(), f, now)
	default:
		latest = f.latest.Load() // another request draws the next one
		kernel.NotShared(r.Context())
	}
	if latest.document == f.skeleton {
		kernel.NotShared(r.Context())
	}
	latest.document.Serve(w, r)
}

// recent returns the document if it was checked within maxLookAge. A cache in front of the program would
// keep it for longer, so there it must be what would be drawn now.
func (s *Site) recent(f *frontPage, now time.Time) *drawnPage {
	latest := f.latest.Load()
	if latest == nil || now.Sub(latest.checked).Abs() >= maxLookAge || s.opts.SharedCaches &&
		!s.isCurrent(f, latest, now) {
		return nil
	}
	return latest
}

// isCurrent reports whether the responses that a document was drawn from are still the right ones.
func (s *Site) isCurrent(f *frontPage, drawn *drawnPage, now time.Time) bool {
	list, counts, fresh := s.Lists.Fresh(kernel.ListQuery(f.category, f.sort, f.asList), now)
	return fresh && list == drawn.list && counts == drawn.counts
}

// redraw draws the document while drawing is locked, and unlocks it. After a failure the document is
// without requests, until the next attempt.
func (s *Site) redraw(ctx context.Context, f *frontPage, now time.Time) *drawnPage {
	defer f.drawing.Unlock()
	if latest := s.recent(f, now); latest != nil {
		return latest
	}
	next, err := s.drawBoard(ctx, f, f.latest.Load(), now)
	if err != nil {
		kernel.NoteFailure(ctx, err)
		next = &drawnPage{document: f.skeleton, checked: now}
	}
	f.latest.Store(next)
	return next
}

// drawBoard draws a document, unless it would be the latest one again.
func (s *Site) drawBoard(
	ctx context.Context, f *frontPage, latest *drawnPage, now time.Time,
) (*drawnPage, error) {
	list, counts, err := s.firstResponses(ctx, f.firstList)
	if err != nil {
		return nil, err
	}
	next := &drawnPage{list: list, counts: counts, minute: now.Truncate(time.Minute), checked: now}
	if latest != nil && latest.list == list && latest.counts == counts && latest.minute.Equal(next.minute) {
		next.document = latest.document
		return next, nil
	}
	view := ""
	if f.asList != s.opts.Branding.ListFirst {
		view = map[bool]string{false: "cards", true: "list"}[f.asList]
	}
	html, err := firstlook.Draw(firstlook.Board{
		Game: s.Game, Language: f.language, Welcome: s.opts.Branding.Welcome,
		Category: f.category, Sort: f.sort, List: f.asList,
		View: view,
		Page: list.Plain.Body, Counts: counts.Plain.Body, Now: now,
	})
	if err != nil {
		return nil, fmt.Errorf("draw the board: %w", err)
	}
	next.document = f.skeleton
	if len(html) > 0 {
		next.document = kernel.NewCachedResponse(kernel.ContentTypeHTML,
			bytes.Join([][]byte{f.before, html, f.after}, nil)).OnlyCompressed().ByLanguage(f.language)
	}
	return next, nil
}

// errSlowList passes: the page asks for the requests itself, and shows an error if they still can't be read.
var errSlowList = &core.Error{Kind: core.Unavailable, Message: "the first requests took too long"}

// firstResponses returns the responses that the page will ask for, from the cache.
func (s *Site) firstResponses(
	ctx context.Context, l firstList,
) (list, counts *kernel.CachedResponse, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.LookPatience)
	defer cancel()
	type answer struct {
		list, counts *kernel.CachedResponse
		err          error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if v := recover(); v != nil { // nothing else would: this is no request's own goroutine
				answers <- answer{err: fmt.Errorf("read the first requests: %v", v)}
			}
		}()
		a.list, a.counts, a.err = s.Lists.First(ctx, kernel.ListQuery(l.category, l.sort, l.asList), s.Now())
		answers <- a
	}()
	select {
	case a := <-answers:
		if a.err != nil && ctx.Err() != nil {
			a.err = errSlowList
		}
		return a.list, a.counts, a.err
	case <-ctx.Done():
		return nil, nil, errSlowList
	}
}
