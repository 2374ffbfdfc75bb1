package pages

import (
	"context"
	"io/fs"
	"net/http"
	"time"

	"tradepost/web/kernel"
)

// Options are the settings of the pages.
type Options struct {
	Name     string    // of the site
	Version  string    // of the program, as people say it: the page's footer shows it; may be empty
	Built    time.Time // the day of the version, beside it; may be zero
	Tagline  string    // what it is powered by; may be empty
	Branding Branding

	SecurityContact string // contact for vulnerability reports, as in RFC 9116; may be empty
	NoVisitorOffers bool   // visitors sign in before they offer
	SharedCaches    bool   // caches in front of the program receive purges

	// LookPatience is how long a document waits for its requests. Then it is sent without them.
	LookPatience time.Duration

	Dist     fs.FS // the built dashboard; nil shows build instructions
	Pictures int   // drawn for one client in a minute

	// Reject answers a request before any work is done for it.
	Reject func(http.ResponseWriter, *http.Request, *kernel.Problem)
}

// BoardLists are the cached responses that the board asks for first.
type BoardLists interface {
	// First returns the first page of the list that a query asks for, and the counts. It loads what is stale.
	First(ctx context.Context, query string, now time.Time) (list, counts *kernel.CachedResponse, err error)
	// Fresh returns the same responses as First, and whether both are fresh. It loads nothing.
	Fresh(query string, now time.Time) (list, counts *kernel.CachedResponse, fresh bool)
}

// Site serves what people see: the dashboard's documents and files, and the pictures that a chat shows for
// a link.
type Site struct {
	*kernel.Kernel
	opts     Options
	pictures kernel.Limiter
	pages    *dashboard
	cards    *cards
	siteCard *siteCard
	Lists    BoardLists
}
