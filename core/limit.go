package core

import (
	"cmp"
	"time"
)

// Limit is the declaration of a limit: how much of one thing one client may do within a time, or have at
// once. Core, the adapters, the settings and docs/limits.md read the declarations below.
type Limit struct {
	Name    string // names the counted acts; replicas that share a count know it by this name
	Of      string // who or what has a count of its own
	Quota          // unless Setting changes it; Per is zero for what there is at once
	Setting string // the operator's variable; empty for none
	// Follows says that the variable is the number of another limit, from which this one is computed.
	Follows bool
	Counted Counted

	Kind  ErrorKind     // of the error beyond it; TooMany when zero
	Code  string        // of the error
	Text  Text          // of the error, with examples of its arguments; empty where Beyond says what happens
	Retry time.Duration // when the client may ask again, where the time of the quota does not tell
	// Beyond says what happens instead of an error.
	Beyond string
}

// Counted says where a limit is counted.
type Counted string

// The places. A count in rows is exact, and read in the transaction of the write. Replicas exchange a told
// count once a second, and a shared one with each use.
const (
	InRows   Counted = "rows"
	Shared   Counted = "shared by all replicas"
	Told     Counted = "told to all replicas"
	InMemory Counted = "memory of each process"
)

// AllCounted lists every place.
var AllCounted = []Counted{InRows, Shared, Told, InMemory}

// CodeSignIn is the code of an Error that signing in solves.
const CodeSignIn = "sign-in"

// Texts of several limits.
var (
	textAtOnce   = NewText("limit_at_once")
	textVisitors = NewText("limit_visitor_offers")
)

// What a user may do. Quotas has what the operator sets of it.
var (
	LimitOpenRequests = Limit{Name: "open requests", Of: "user", Quota: Quota{Limit: 60},
		Setting: "OPEN_REQUESTS", Counted: InRows, Code: CodeQuota,
		Text:  NewText("quota_open_requests", "count", 60),
		Retry: time.Hour} // closing one resolves it, not time
	LimitRequests = Limit{Name: "new requests", Of: "user", Quota: Quota{20, time.Hour},
		Setting: "NEW_REQUESTS", Counted: InRows, Code: CodeQuota,
		Text: NewText("quota_post", "wait", WaitTime{})}
	LimitFirstDay = Limit{Name: "new requests on the first day of an account", Of: "user",
		Quota: Quota{5, Day}, Counted: InRows, Code: CodeQuota, Text: LimitRequests.Text}
	LimitOffers = Limit{Name: "offers", Of: "user", Quota: Quota{60, time.Hour},
		Setting: "OFFERS", Counted: InRows, Code: CodeQuota,
		Text: NewText("quota_offer", "wait", WaitTime{})}
	LimitOffersHere = Limit{Name: "offers on one request", Of: "user", Quota: Quota{5, Day},
		Setting: "OFFERS_PER_REQUEST", Counted: InRows, Code: CodeQuota,
		Text: NewText("quota_offer_here", "wait", WaitTime{})}
	LimitUndoneAccepts = Limit{Name: "undone acceptances of one offer", Of: "buyer",
		Quota: Quota{3, Day}, Counted: InRows, Code: CodeQuota,
		Text: NewText("quota_accept_again", "wait", WaitTime{})}
	LimitReports = Limit{Name: "reports", Of: "user", Quota: Quota{10, Day},
		Setting: "REPORTS", Counted: InRows, Code: CodeQuota,
		Text: NewText("quota_report", "wait", WaitTime{})}
	LimitOpenReports = Limit{Name: "reports that wait for a moderator", Of: "user",
		Quota: Quota{Limit: 20}, Counted: InRows, Retry: time.Hour,
		Text: NewText("report_pending")}
	LimitSearches = Limit{Name: "saved searches", Of: "user", Quota: Quota{Limit: MaxSearches},
		Counted: InRows, Kind: Conflict,
		Text: NewText("searches_full", "count", MaxSearches)}
	LimitWatches = Limit{Name: "watches", Of: "user", Quota: Quota{Limit: MaxWatches},
		Counted: InRows, Kind: Conflict,
		Text: NewText("watches_full", "count", MaxWatches)}
	LimitStock = Limit{Name: "items in stock", Of: "user", Quota: Quota{Limit: MaxStock},
		Counted: InRows, Kind: Conflict,
		Text: NewText("stock_full", "count", MaxStock)}
	LimitTokens = Limit{Name: "tokens of programs", Of: "user", Quota: Quota{Limit: MaxTokens},
		Counted: InRows, Kind: Conflict,
		Text: NewText("tokens_full", "count", MaxTokens)}
	LimitWebhooks = Limit{Name: "webhooks", Of: "user", Quota: Quota{Limit: MaxWebhooks},
		Counted: InRows, Kind: Conflict,
		Text: NewText("webhooks_full", "count", MaxWebhooks)}
)

// What visitors may do who are not signed in.
var (
	LimitVisitorsHere = Limit{Name: "open offers of visitors on one request", Of: "request",
		Quota: Quota{Limit: 100}, Counted: InRows, Retry: time.Hour,
		Text: NewText("request_guest_offers_full")}
	LimitVisitorOffers = Limit{Name: "offers of a visitor", Of: "client", Quota: Quota{20, 10 * time.Minute},
		Counted: Shared, Code: CodeSignIn, Text: textVisitors}
	LimitNetworkOffers = Limit{Name: "offers of a network", Of: "network (IPv6 /48, IPv4 /24)",
		Quota: Quota{60, 10 * time.Minute}, Setting: "VISITOR_LIMIT", Follows: true, Counted: Shared,
		Code: CodeSignIn, Text: textVisitors}
	LimitVisitors = Limit{Name: "offers of visitors", Of: "market", Quota: Quota{300, 10 * time.Minute},
		Setting: "VISITOR_LIMIT", Counted: Shared, Kind: Unauthenticated, Code: CodeSignIn,
		Text: NewText("limit_visitors")}
	LimitVisitorReports = Limit{Name: "reports of a visitor", Of: "client", Quota: Quota{5, 10 * time.Minute},
		Counted: Shared, Code: CodeSignIn,
		Text: NewText("limit_visitor_reports")}
)

// What is sent to a user. Beyond these limits nothing fails.
var (
	LimitDMPair = Limit{Name: "direct messages from one sender", Of: "reader and sender; visitors are one",
		Quota: Quota{4, time.Hour}, Setting: "DM_PAIR", Counted: InRows,
		Beyond: "they are sent as one digest"}
	LimitDMReader = Limit{Name: "direct messages", Of: "reader", Quota: Quota{20, time.Hour},
		Setting: "DM_READER", Counted: InRows, Beyond: "they are sent as one digest"}
	LimitDMAlerts = Limit{Name: "direct messages with alerts", Of: "reader", Quota: Quota{3, Day},
		Setting: "DM_ALERTS", Counted: InRows, Beyond: "they are held, and come together"}
	// LimitReach is of a new account. After a week it is five times as high, and for established traders
	// twenty. Alerts about one's requests count, one's offers and asks for listings, and warnings about names
	// that one typed.
	LimitReach = Limit{Name: "people messaged because of what one does", Of: "user",
		Quota: Quota{10, Day}, Setting: "DM_REACH", Counted: InRows, Beyond: "others see it in their inbox"}
	// LimitSharedReach is twice LimitReach, or a fiftieth of the people who traded within a week where that
	// is more. People reached by an account's own trust do not count, nor do people who offered since.
	LimitSharedReach = Limit{Name: "people messaged by alerts of accounts without trust", Of: "market",
		Quota: Quota{20, Day}, Setting: "DM_REACH", Follows: true, Counted: InRows,
		Beyond: "others see it in their inbox"}
	LimitTradeMessages = Limit{Name: "direct messages about one trade", Of: "side of the trade",
		Quota: Quota{Limit: 2}, Counted: InRows, Beyond: "they are in the inbox only"}
	LimitLookAlikes = Limit{Name: "notices of names like one's own", Of: "established trader",
		Quota: Quota{5, Day}, Counted: InRows, Beyond: "there is none"}
)

// What a client of the page may do. A client is an IPv4 address or an IPv6 network of 64 bits.
var (
	LimitCalls = Limit{Name: "requests", Of: "client", Quota: Quota{600, time.Minute},
		Setting: "REQUEST_LIMIT", Counted: Told, Text: textAtOnce}
	LimitWrites = Limit{Name: "writes", Of: "client", Quota: Quota{120, time.Minute},
		Setting: "WRITE_LIMIT", Counted: Told, Text: textAtOnce}
	LimitUserWrites = Limit{Name: "writes of a user", Of: "user", Quota: Quota{120, time.Minute},
		Setting: "WRITE_LIMIT", Counted: Told, Text: textAtOnce}
	LimitSignIns = Limit{Name: "sign-ins", Of: "client", Quota: Quota{30, time.Minute}, Counted: Shared,
		Text: textAtOnce}
	LimitPictures = Limit{Name: "pictures drawn", Of: "client", Quota: Quota{30, time.Minute},
		Counted: InMemory, Text: textAtOnce}
	LimitStreams = Limit{Name: "open event streams", Of: "client", Quota: Quota{Limit: 24},
		Counted: InMemory, Text: textAtOnce, Retry: time.Minute}
	LimitUserStreams = Limit{Name: "open event streams of a user", Of: "user", Quota: Quota{Limit: 24},
		Counted: InMemory, Text: textAtOnce, Retry: time.Minute}
	LimitShare = Limit{Name: "requests processed at once", Of: "client", Quota: Quota{Limit: 20},
		Setting: "IN_FLIGHT_PER_CLIENT", Counted: InMemory, Retry: time.Second,
		Text: NewText("limit_calls_at_once")}
	LimitInFlight = Limit{Name: "all requests processed at once", Of: "process", Quota: Quota{Limit: 512},
		Counted: InMemory, Kind: Unavailable, Retry: time.Second,
		Text: NewText("limit_busy")}
	LimitClientConnections = Limit{Name: "open connections", Of: "client", Quota: Quota{Limit: 100},
		Setting: "CONNECTIONS_PER_CLIENT", Counted: InMemory, Retry: 5 * time.Second,
		Text: NewText("limit_connections")}
	LimitConnections = Limit{Name: "all open connections", Of: "process", Quota: Quota{Limit: 10_000},
		Setting: "CONNECTION_LIMIT", Counted: InMemory, Kind: Unavailable, Retry: time.Second,
		Text: LimitInFlight.Text}
	LimitRejections = Limit{Name: "rejected requests", Of: "client", Quota: Quota{5, time.Minute},
		Counted: InMemory, Beyond: "the connection is closed with each"}
)

// Declared lists every limit, as docs/limits.md does.
func Declared() []Limit {
	return []Limit{
		LimitOpenRequests, LimitRequests, LimitFirstDay, LimitOffers, LimitOffersHere, LimitUndoneAccepts,
		LimitReports, LimitOpenReports, LimitSearches, LimitWatches, LimitStock, LimitTokens,
		LimitWebhooks,
		LimitVisitorsHere, LimitVisitorOffers, LimitNetworkOffers, LimitVisitors, LimitVisitorReports,
		LimitDMPair, LimitDMReader, LimitDMAlerts, LimitReach, LimitSharedReach,
		LimitTradeMessages, LimitLookAlikes,
		LimitCalls, LimitWrites, LimitUserWrites, LimitSignIns, LimitPictures, LimitStreams, LimitUserStreams,
		LimitShare, LimitInFlight, LimitClientConnections, LimitConnections, LimitRejections,
	}
}

// Check returns the error of a limit with this quota, given the times of the latest uses, newest first.
func (l Limit) Check(q Quota, latest []time.Time, now time.Time) error {
	if wait := q.Wait(latest, now); wait > 0 {
		return l.Over(wait, "wait", RoundUp(wait))
	}
	return nil
}

// Over returns the error of a client who is beyond the limit, with the places of its text; without any it has
// the examples. A wait of zero is the usual one.
func (l Limit) Over(wait time.Duration, args ...any) *Error {
	text := l.Text
	if len(args) > 0 {
		text.Args = args
	}
	err := NewError(cmp.Or(l.Kind, TooMany), text)
	err.Code = l.Code
	if err.Kind == TooMany || err.Kind == Unavailable {
		err.RetryAfter = cmp.Or(wait, l.Retry, l.Per)
	}
	return err
}

// LimitUse is how often a client has used a limit that all replicas share.
type LimitUse struct {
	Limit  string        // its name
	Client string        // who used it; stored as a hash
	Window time.Duration // within which uses count
	By     int           // how often; below zero to take uses back, zero to ask
}
