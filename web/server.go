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
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/prometheus/client_golang/prometheus"

	"tradepost/core"
	"tradepost/core/cache"
	"tradepost/core/security"
)

// Market is what the web needs of the core.
type Market interface {
	WasCommitted(context.Context, core.Actor) (bool, error)
	Recognize(core.User) core.User
	BrowseOrders(context.Context, core.OrderQuery) (core.OrderPage, error)
	CountOrders(context.Context, core.OrderFilter) (core.CategoryCounts, error)
	ItemNames(ctx context.Context, actor core.Actor, text string, limit int) ([]string, error)
	Catalogue(context.Context, core.CatalogueQuery) (core.CataloguePage, error)
	Item(context.Context, core.ItemID) (core.Item, error)
	AcceptOfferBy(ctx context.Context, actor core.Actor, id core.OfferID, qty int, by time.Time) (core.Acceptance, error)
	Handovers(ctx context.Context, actor core.Actor, q core.HandoverQuery) ([]core.Handover, error)
	SayHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID, word core.Word) ([]core.Handover, error)
	TakeBackWords(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	PostponeHandovers(ctx context.Context, actor core.Actor, sales []core.SaleID) ([]core.Handover, error)
	AgreeHandover(ctx context.Context, actor core.Actor, sale core.SaleID, by time.Time) (core.Handover, error)
	Slip(ctx context.Context, actor core.Actor, partner core.UserID) (core.Slip, error)
	SetMeetingPlace(ctx context.Context, actor core.Actor, partner core.UserID, place string) error
	SetInGameName(ctx context.Context, actor core.Actor, name string) (string, error)
	Disputes(ctx context.Context, actor core.Actor, before core.SaleID, limit int) ([]core.Dispute, error)
	LookAtDispute(ctx context.Context, actor core.Actor, id core.SaleID) (core.Handover, error)
	RuleDispute(ctx context.Context, actor core.Actor, id core.SaleID, ruling core.DisputeRuling) (core.Handover, error)
	CompleteItems(ctx context.Context, text string) ([]core.Item, error)
	NameItem(ctx context.Context, text string) (named, near *core.Item, err error)
	ProvisionalItems(ctx context.Context, actor core.Actor, after core.ItemID, limit int) ([]core.ProvisionalItem, error)
	DecideItem(ctx context.Context, actor core.Actor, id core.ItemID, decision core.ItemDecision, into core.ItemID) (core.Item, error)
	OpenOrders(context.Context, []core.OrderID) ([]core.Order, error)
	OwnOrders(context.Context, core.Actor, core.OrderQuery) (core.OrderPage, error)
	Order(context.Context, core.Actor, core.OrderID) (core.ListedOrder, error)
	PostOrder(context.Context, core.Actor, core.OrderDraft) (core.Order, error)
	PostOrderAsking(ctx context.Context, actor core.Actor, draft core.OrderDraft, ask core.StockID) (core.Order, error)
	PostList(context.Context, core.Actor, core.ListDraft) (core.PostedList, error)
	PreviewList(context.Context, core.Actor, core.ListDraft) (core.PostedList, error)
	ListFixes(ctx context.Context, actor core.Actor, text string) ([]core.ListFix, error)
	PostedList(context.Context, core.Actor, core.ListID) (core.PostedList, error)
	PostedLists(context.Context, core.Actor) ([]core.ListSummary, error)
	Records(context.Context, ...core.UserID) (core.Records, error)
	TraderPage(context.Context, core.UserID) (core.TraderPage, error)
	Terms(context.Context, core.Actor, core.OrderID) (core.Terms, error)
	SetStanding(context.Context, core.Actor, core.OrderID, core.StandingDraft) (core.StandingAcceptance, error)
	EndStanding(context.Context, core.Actor, core.OrderID) error
	SetLeastRecord(context.Context, core.Actor, core.OrderID, core.LeastRecord) error
	OfferOnList(context.Context, core.Actor, core.ListID, core.ListOffer) ([]core.SendOfferResult, error)
	EditOrder(context.Context, core.Actor, core.OrderID, core.OrderEdit) (core.Order, error)
	CloseOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	RenewOrder(context.Context, core.Actor, core.OrderID) (core.Order, error)
	DeleteOrder(context.Context, core.Actor, core.OrderID) error

	Offers(context.Context, core.Actor, core.OrderID) (core.Order, []core.Offer, error)
	SendOffer(context.Context, core.Actor, core.OrderID, core.OfferDraft) (core.SendOfferResult, error)
	AcceptOffer(context.Context, core.Actor, core.OfferID, int) (core.Acceptance, error)
	DeleteOffer(context.Context, core.Actor, core.OfferID) error
	SentOffers(context.Context, core.Actor, core.OfferID, int) ([]core.SentOffer, error)
	AnsweredOffers(context.Context, core.Actor, core.OrderID) (core.AnsweredOffers, error)
	SentOffersIn(context.Context, core.Actor, core.SentPart, core.OfferID, int) ([]core.SentOffer, core.SentCounts, error)
	ReceivedOffers(context.Context, core.Actor, core.ReceivedPlace, int) (core.ReceivedPage, error)
	AnswerOffers(context.Context, core.Actor, []core.OfferAnswer) ([]core.OfferOutcome, error)
	OpenOffers(context.Context, core.Actor) ([]core.SentOffer, error)
	OpenOfferOn(context.Context, core.Actor, core.OrderID) (*core.SentOffer, error)
	FollowOffer(context.Context, core.OfferToken) (core.OfferLink, error)
	WithdrawLinked(context.Context, core.Actor, core.OfferToken) error

	Skills(context.Context, core.Actor) ([]core.Skill, error)
	SetSkills(context.Context, core.Actor, []core.Skill) error
	Searches(context.Context, core.Actor) ([]core.SavedSearch, error)
	AddSearch(context.Context, core.Actor, core.SearchDraft) (core.SavedSearch, error)
	EditSearch(context.Context, core.Actor, core.SearchID, core.SearchDraft) (core.SavedSearch, error)
	DeleteSearch(context.Context, core.Actor, core.SearchID) error
	Watches(context.Context, core.Actor) ([]core.Watch, error)
	AddWatch(context.Context, core.Actor, core.WatchDraft) (core.Watch, error)
	EditWatch(context.Context, core.Actor, core.WatchID, core.WatchDraft) (core.Watch, error)
	PauseWatch(ctx context.Context, actor core.Actor, id core.WatchID, paused bool) (core.Watch, error)
	SnoozeWatch(context.Context, core.Actor, core.WatchID, core.Snooze) (core.Watch, error)
	DeleteWatch(context.Context, core.Actor, core.WatchID) error
	TryWatch(context.Context, core.Actor, core.WatchDraft) (core.TriedWatch, error)
	Audience(context.Context, core.Actor, core.OrderDraft) (int, error)
	MutedBuyers(context.Context, core.Actor) ([]core.MutedBuyer, error)
	MuteBuyer(context.Context, core.Actor, core.NoticeID) error
	UnmuteBuyer(context.Context, core.Actor, core.UserID) error

	Stock(context.Context, core.Actor) ([]core.Stock, error)
	ReadStock(ctx context.Context, text string) ([]core.StockLine, error)
	SaveStock(context.Context, core.Actor, []core.StockDraft) ([]core.Stock, error)
	DeleteStock(context.Context, core.Actor, core.StockID) error
	ConfirmStock(context.Context, core.Actor) (int, error)
	Wanted(context.Context) (core.Wanted, error)
	Fill(context.Context, core.Actor) ([]core.FillableOrder, error)
	SnoozeStock(context.Context, core.Actor, core.NoticeID, core.Snooze) (core.Stock, error)
	StopStock(context.Context, core.Actor, core.NoticeID) (core.Stock, error)
	AlertStock(context.Context, core.Actor, core.StockID, bool) (core.Stock, error)
	BrowseFillable(context.Context, core.Actor, core.OrderQuery) (core.OrderPage, error)
	StockOf(context.Context, core.Actor, core.ItemID) (core.ItemStock, error)
	StockFor(ctx context.Context, actor core.Actor, itemName string, price core.Copper) (core.StockSum, error)

	Receipts(context.Context, core.Actor, core.ReceiptQuery) ([]core.Receipt, error)
	Sales(context.Context, core.Actor, core.OrderID, int) (core.Order, []core.Sale, int, error)
	LogSale(context.Context, core.Actor, core.OrderID, core.SaleDraft) (core.LogSaleResult, error)
	UndoSale(context.Context, core.Actor, core.SaleID) (core.Order, error)
	UndoClose(context.Context, core.Actor, core.OrderID) (core.Order, error)
	UndoOffer(context.Context, core.Actor, core.OfferID) error

	RemoveOrder(context.Context, core.Actor, core.OrderID, string) error
	RemoveOffer(context.Context, core.Actor, core.OfferID, string) error
	ReportOrder(context.Context, core.Actor, core.OrderID, string) (core.ReportID, error)
	ReportOffer(context.Context, core.Actor, core.OfferID, string) (core.ReportID, error)
	Reports(context.Context, core.Actor, core.ReportID, int) ([]core.Report, error)
	DismissReport(context.Context, core.Actor, core.ReportID) error
	AuditEntries(context.Context, core.Actor, core.AuditID, int) ([]core.AuditEntry, error)
	UndoRemoval(context.Context, core.Actor, core.AuditID) error
	BlockUser(context.Context, core.Actor, core.UserID, string) error
	UnblockUser(context.Context, core.Actor, core.UserID) error
	Vouch(context.Context, core.Actor, core.UserID) error
	ItemPrices(context.Context, core.ItemID, bool) (core.ItemPrices, error)
	ItemOdds(context.Context, core.ItemID) (core.ItemOdds, error)
	Rings(context.Context, core.Actor) ([]core.Ring, error)
	SetAside(context.Context, core.Actor, []string, string) ([]core.User, error)
	CountAgain(context.Context, core.Actor, core.RingID) error
	MarketRules(context.Context) (core.MarketRules, error)
	SetSignedInOnly(ctx context.Context, actor core.Actor, on bool, reason string) error
	BlockedUsers(context.Context, core.Actor, int) ([]core.User, error)
	BlockSeller(context.Context, core.Actor, core.OfferID) error
	UnblockSeller(context.Context, core.Actor, core.UserID) error
	BlockedSellers(context.Context, core.Actor) ([]core.BlockedSeller, error)

	SignIn(context.Context, core.Profile) (core.User, error)
	User(context.Context, core.UserID) (core.User, error)
	Counts(context.Context, core.Actor) (core.Counts, error)
	ExportAccount(context.Context, core.Actor) (core.AccountExport, error)
	Leave(context.Context, core.Actor) (core.User, error)
	CancelLeaving(context.Context, core.Actor) error
	Sessions(context.Context, core.Actor) ([]core.Session, error)
	EndSession(context.Context, core.Actor, core.SessionID) error
	EndSessions(context.Context, core.Actor) error

	Notices(context.Context, core.Actor, core.NoticeID, int) (core.NoticePage, error)
	ReadNotices(context.Context, core.Actor, core.NoticeID) error
	NoticeSettings(context.Context, core.Actor) (core.NoticeSettings, string, error)
	SetNoticeSettings(context.Context, core.Actor, core.NoticeSettings) (core.NoticeSettings, error)
	SendTestNotice(context.Context, core.Actor) error
}

// Options are what a Server needs besides the market. PublicURL and Sessions are required.
type Options struct {
	// PublicURL is the public address of the site, such as https://trade.example. The Host header
	// of a request is never believed.
	PublicURL string
	Name      string // of the site; "Tradepost" when empty
	Version   string // of the program, which the page's footer and /healthz show; may be empty
	Tagline   string // what it is powered by; may be empty
	Branding  Branding
	Game      core.Game // core.StandardGame when it has no coins
	Features  core.Features

	// SecurityContact is whom to tell of a weakness, as RFC 9116 writes it; empty for nobody.
	SecurityContact string
	// SubdomainsToo tells browsers to use TLS for all subdomains of the site, too.
	SubdomainsToo bool

	Discord  Discord
	Sessions scs.Store
	Hub      *Hub  // a new one when nil
	Dist     fs.FS // the built dashboard; nil shows a page that says how to build it

	Cache *cache.Cache // the store's; a new one that is never fresh when nil

	// SharedCaches says that caches in front of the program are told what changes (Purger): responses that are the same for
	// everybody say how long these may keep them, and what changes them.
	SharedCaches bool

	TrustedProxies []netip.Prefix // reverse proxies whose X-Forwarded-For is believed; none when empty
	// NoVisitorOffers has visitors sign in before they offer.
	NoVisitorOffers bool

	Limits Limits // zero fields take the defaults

	SlowRequest time.Duration // how long a request takes that is logged as slow; 0 for none

	Ready map[string]func(context.Context) error // what /readyz asks, by name; an answer counts for a second
	// Latest has what is read next include everything that was committed until now, also by another replica. It is called for a request
	// that bypasses the cache; may be nil.
	Latest func(context.Context)

	Stopping func() bool // reports whether the program was asked to stop; never when nil

	Security *security.Log // nil for none

	Shared SharedLimits // counts for all replicas; nil for limits of this one alone

	Metrics prometheus.Registerer // nil for no metrics
	Log     *slog.Logger          // slog.Default() when nil
	Now     func() time.Time      // time.Now when nil
}

// Server answers HTTP. It is safe for concurrent use.
type Server struct {
	market    Market
	opts      Options
	public    *url.URL
	log       *slog.Logger
	slow      time.Duration
	now       func() time.Time
	session   *sessions
	discord   *signIn
	hub       *Hub
	heartbeat time.Duration // interval on event streams

	sessionCheck time.Duration // interval on event streams

	exchange *exchange // nil without other replicas

	requests       limiter
	visitorOffers  limiter
	visitorReports limiter

	visitorNetworks limiter
	visitorsInAll   limiter

	clients    *clients
	pictures   limiter
	rejections limiter      // a client beyond it loses its connection
	inFlight   atomic.Int32 // requests at this moment

	connections  *connections
	bodies       *bodies
	readiness    *readiness
	latest       func(context.Context)
	rejectionLog sampler

	cached   *cachedRoutes
	pages    *pages
	cards    *cards
	siteCard *siteCard
	metrics  *metrics
	handler  http.Handler
}

// New returns a server for the market.
func New(market Market, opts Options) (*Server, error) {
	public, err := parsePublicURL(opts.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("public URL: %w", err)
	}
	if opts.Sessions == nil {
		return nil, errors.New("web: a session store is needed")
	}
	opts = withDefaults(opts)
	s := &Server{
		market: market, opts: opts, public: public, log: opts.Log, slow: opts.SlowRequest, now: opts.Now, hub: opts.Hub, heartbeat: heartbeatInterval, sessionCheck: sessionCheck,
		session:       newSessions(opts.Sessions, public.Scheme == "https", opts.Now),
		discord:       newSignIn(opts.Discord, public),
		cards:         newCards(opts.Name, opts.Game),
		siteCard:      &siteCard{site: opts.Name, tagline: opts.Tagline, game: opts.Game, faces: newCardFaces()},
		exchange:      newExchange(opts),
		visitorOffers: newLimiter(opts.Limits.VisitorOffers, visitorOfferWindow).exactly("offers of a visitor", opts),

		visitorNetworks: newLimiter(opts.Limits.VisitorNetwork, visitorOfferWindow).exactly("offers of a network", opts),
		visitorsInAll:   newLimiter(opts.Limits.VisitorsInAll, visitorOfferWindow).exactly("offers of visitors", opts),

		clients:        &clients{trusted: opts.TrustedProxies, log: opts.Log},
		visitorReports: newLimiter(opts.Limits.VisitorReports, visitorReportWindow).exactly("reports of a visitor", opts),
		pictures:       newLimiter(opts.Limits.Pictures, time.Minute),
		rejections:     newLimiter(rejectionsBeforeClose, time.Minute),
		bodies:         newBodies(opts.Limits),
		readiness:      &readiness{checks: opts.Ready, stopping: opts.Stopping, now: opts.Now},
		latest:         opts.Latest,
		rejectionLog:   sampler{every: rejectionLogInterval},
	}
	s.requests = s.exchange.limiter("requests", opts.Limits.Requests, time.Minute)
	s.metrics = newMetrics(opts.Metrics, opts.Hub, func() (int, int) { return s.connections.counts() })
	s.connections = newConnections(opts, s.metrics)
	if s.pages, err = readPages(opts.Dist, s.frontMeta(), opts.Branding, opts.Game); err != nil {
		return nil, fmt.Errorf("read the dashboard: %w", err)
	}
	routes, _ := s.routes()
	if market != nil {
		s.hub.describeWith(s.describeChange)
	}
	s.handler = s.onConnection(s.fastPath(routes))
	return s, nil
}

// CheckPublicURL returns an error when an address cannot be the one of a site, or would send who is signed in over the network
// in the clear.
func CheckPublicURL(address string) error {
	public, err := parsePublicURL(address)
	if err == nil && public.Scheme == "http" && !IsThisMachine(public.Hostname()) {
		return fmt.Errorf("%q sends sessions over the network unencrypted: put a reverse proxy with TLS in front (docs/operations.md has one in "+
			"three lines) and set https://%s. http:// is for this machine only: localhost or 127.0.0.1", address, public.Host)
	}
	return err
}

// IsThisMachine reports whether a host is a name or an address of the machine that asks.
func IsThisMachine(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.Unmap().IsLoopback()
}

func parsePublicURL(address string) (*url.URL, error) {
	public, err := url.Parse(address)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" || public.User != nil ||
		(public.Path != "" && public.Path != "/") || public.RawQuery != "" || public.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a site: want something like https://trade.example", address)
	}
	public.Path = ""
	return public, nil
}

func withDefaults(o Options) Options {
	if o.Name == "" {
		o.Name = "Tradepost"
	}
	if len(o.Game.Coins) == 0 {
		o.Game = core.StandardGame()
	}
	if o.Hub == nil {
		o.Hub = NewHub()
	}
	if o.Cache == nil {
		o.Cache = cache.New(nil)
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Stopping == nil {
		o.Stopping = func() bool { return false }
	}
	o.Limits = o.Limits.withDefaults()
	return o
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// HTTP returns an http.Server for the handler, with limits on time and size set and open event streams ended at Shutdown.
// Its requests live in ctx. It is to serve on a listener that Listener has returned.
func (s *Server) HTTP(ctx context.Context) *http.Server {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second, // event streams set their own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // what clients do wrong below HTTP
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		ConnState:         s.connections.state,
	}
	server.RegisterOnShutdown(s.hub.Close)
	server.RegisterOnShutdown(s.bodies.stop)
	return server
}
