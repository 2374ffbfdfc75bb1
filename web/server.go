package web

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
)

// Market is what the web needs of the core.
type Market interface {
	BrowseOrders(context.Context, core.OrderQuery) (core.OrderPage, error)
	CountOrders(context.Context, core.OrderFilter) (core.CategoryCounts, error)
	ItemNames(ctx context.Context, text string, limit int) ([]string, error)
	OwnOrders(context.Context, core.Actor, core.OrderQuery) (core.OrderPage, error)
	Order(context.Context, core.Actor, core.OrderID) (core.ListedOrder, error)
	PostOrder(context.Context, core.Actor, core.OrderDraft) (core.Order, error)
	EditOrder(context.Context, core.Actor, core.OrderID, core.OrderEdit) (core.Order, error)
	CloseOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	RenewOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	DeleteOrder(context.Context, core.Actor, core.OrderID) error

	Offers(context.Context, core.Actor, core.OrderID) (core.Order, []core.Offer, error)
	SendOffer(context.Context, core.Actor, core.OrderID, core.OfferDraft) (core.SentOfferAnswer, error)
	AcceptOffer(context.Context, core.Actor, core.OfferID, int) (core.Acceptance, error)
	DeleteOffer(context.Context, core.Actor, core.OfferID) error
	SentOffers(context.Context, core.Actor, core.OfferID, int) ([]core.SentOffer, error)

	Sales(context.Context, core.Actor, core.OrderID, int) (core.Order, []core.Sale, int, error)
	LogSale(context.Context, core.Actor, core.OrderID, core.SaleDraft) (core.LoggedSale, error)

	RemoveOrder(context.Context, core.Actor, core.OrderID, string) error
	RemoveOffer(context.Context, core.Actor, core.OfferID, string) error
	ReportOrder(context.Context, core.Actor, core.OrderID, string) (core.ReportID, error)
	ReportOffer(context.Context, core.Actor, core.OfferID, string) (core.ReportID, error)
	Reports(context.Context, core.Actor, core.ReportID, int) ([]core.Report, error)
	DismissReport(context.Context, core.Actor, core.ReportID) error
	AuditEntries(context.Context, core.Actor, core.AuditID, int) ([]core.AuditEntry, error)
	BlockUser(context.Context, core.Actor, core.UserID, string) error
	UnblockUser(context.Context, core.Actor, core.UserID) error
	BlockedUsers(context.Context, core.Actor, int) ([]core.User, error)
	BlockSeller(context.Context, core.Actor, core.OfferID) error
	UnblockSeller(context.Context, core.Actor, core.UserID) error
	BlockedSellers(context.Context, core.Actor) ([]core.BlockedSeller, error)

	SignIn(context.Context, core.Profile) (core.User, error)
	User(context.Context, core.UserID) (core.User, error)
	Counts(context.Context, core.Actor) (core.Counts, error)
	OwnData(context.Context, core.Actor) (core.OwnData, error)
	Leave(context.Context, core.Actor) error

	Notices(context.Context, core.Actor, core.NoticeID, int) (core.NoticePage, error)
	ReadNotices(context.Context, core.Actor, core.NoticeID) error
	NoticeSettings(context.Context, core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(context.Context, core.Actor, core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(context.Context, core.Actor) error
}

// Options are what a Server needs besides the market. PublicURL and Sessions are required.
type Options struct {
	// PublicURL is where people find the site, such as https://trade.example. The Host header of a request is never
	// believed.
	PublicURL string
	Name      string // of the site; "Tradepost" when empty
	Tagline   string // what it is powered by; may be empty
	Look      Look

	Discord  Discord
	Sessions scs.Store
	Hub      *Hub  // a new one when nil
	Dist     fs.FS // the built dashboard; nil shows a page that says how to build it

	// OnCommit has a function called with every change that this process commits, before the write is acknowledged. Without
	// it, no answer is kept in memory.
	OnCommit func(func(core.Change))

	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed; none when empty
	Limits         Limits         // zero fields take the defaults

	Ready   map[string]func(context.Context) error // what /readyz asks, by name
	Metrics prometheus.Registerer                  // where figures are registered; none are kept when nil
	Log     *slog.Logger                           // slog.Default() when nil
	Now     func() time.Time                       // time.Now when nil
}

// Server answers HTTP. It is safe for concurrent use.
type Server struct {
	market  Market
	opts    Options
	public  *url.URL
	log     *slog.Logger
	now     func() time.Time
	session *sessions
	discord *signIn
	hub     *Hub
	beat    time.Duration // between signs of life on event streams

	requests       limiter
	visitorOffers  limiter
	visitorReports limiter
	answering      atomic.Int32 // requests, at this moment

	shelf   *shelf
	pages   *pages
	cards   *cards
	metrics *metrics
	handler http.Handler
}

// New returns a server for the market.
func New(market Market, opts Options) (*Server, error) {
	public, err := url.Parse(opts.PublicURL)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" || public.User != nil ||
		(public.Path != "" && public.Path != "/") || public.RawQuery != "" || public.Fragment != "" {
		return nil, fmt.Errorf("public URL %q: want something like https://trade.example", opts.PublicURL)
	}
	public.Path = ""
	if opts.Sessions == nil {
		return nil, errors.New("web: a session store is needed")
	}
	opts = withDefaults(opts)
	s := &Server{
		market: market, opts: opts, public: public, log: opts.Log, now: opts.Now, hub: opts.Hub, beat: beatEvery,
		session:        newSessions(opts.Sessions, public.Scheme == "https", opts.Now),
		discord:        newSignIn(opts.Discord, public),
		cards:          newCards(opts.Name),
		requests:       limit(opts.Limits.Requests, time.Minute),
		visitorOffers:  limit(opts.Limits.VisitorOffers, visitorOfferWindow),
		visitorReports: limit(opts.Limits.VisitorReports, visitorReportWindow),
		metrics:        newMetrics(opts.Metrics, opts.Hub),
	}
	if s.pages, err = readPages(opts.Dist, s.frontMeta(), opts.Look); err != nil {
		return nil, fmt.Errorf("read the dashboard: %w", err)
	}
	routes, _ := s.routes()
	s.handler = s.short(routes)
	return s, nil
}

func withDefaults(o Options) Options {
	if o.Name == "" {
		o.Name = "Tradepost"
	}
	if o.Hub == nil {
		o.Hub = NewHub()
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// HTTP returns an http.Server for the handler, with limits on time and size set and open event streams ended at Shutdown.
// Its requests live in ctx.
func (s *Server) HTTP(ctx context.Context) *http.Server {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second, // event streams set their own
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // what clients do wrong below HTTP
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	server.RegisterOnShutdown(s.hub.Close)
	return server
}
