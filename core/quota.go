package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// CodeQuota is the code of an Error that a quota causes.
const CodeQuota = "quota"

// Quota limits how often one user does one thing: Limit times within Per, whatever the adapter and the replica. Its zero
// value sets no limit.
type Quota struct {
	Limit int
	Per   time.Duration
}

// MaxQuota is the highest limit that a quota can have: a write reads as many times as its quotas have limits.
const MaxQuota = 1000

// ParseQuota parses "20/h", "5/day" or "1/min". "0" is no limit.
func ParseQuota(text string) (Quota, error) {
	if text = strings.TrimSpace(text); text == "0" {
		return Quota{}, nil
	}
	limit, unit, _ := strings.Cut(text, "/")
	per := map[string]time.Duration{"min": time.Minute, "h": time.Hour, "day": day}[unit]
	n, err := strconv.Atoi(limit)
	if err != nil || per == 0 || n < 1 || n > MaxQuota {
		return Quota{}, fmt.Errorf("%q is no quota: want a number from 1 to %d and a unit (min, h or day), such as 20/h or 5/day, or 0 for no limit", text, MaxQuota)
	}
	return Quota{Limit: n, Per: per}, nil
}

// UnmarshalText implements encoding.TextUnmarshaler; see ParseQuota.
func (q *Quota) UnmarshalText(text []byte) (err error) {
	*q, err = ParseQuota(string(text))
	return err
}

// wait returns how long until one more use is within the quota, given the times of the latest uses, newest first. It
// returns zero when it is now.
func (q Quota) wait(latest []time.Time, now time.Time) time.Duration {
	if q.Limit == 0 || len(latest) < q.Limit {
		return 0
	}
	return min(max(latest[q.Limit-1].Add(q.Per).Sub(now), 0), q.Per) // a use that seems to be ahead counts as one of now
}

// next returns the earliest time from at on when one more use is within the quota, or when there is a use anyway, given the times of the
// latest uses, newest first. They may be planned ones.
func (q Quota) next(latest []time.Time, at time.Time) time.Time {
	free := at
	if q.Limit > 0 && len(latest) >= q.Limit && latest[q.Limit-1].Add(q.Per).After(at) {
		free = latest[q.Limit-1].Add(q.Per)
	}
	for _, use := range latest {
		if !use.Before(at) && use.Before(free) {
			free = use
		}
	}
	return free
}

// Quotas limits what one user does. The zero value of each sets no limit.
type Quotas struct {
	OpenRequests     int   // open at the same time
	NewRequests      Quota // posted; FirstDayRequests on the account's first day
	Offers           Quota
	OffersPerRequest Quota
	Reports          Quota
	DMPair           Quota // direct messages that one person causes to one reader; visitors count as one person
	DMReader         Quota // direct messages to one reader
	Alerts           Quota // direct messages with alerts to one reader; what is beyond is held, and comes together
}

// FirstDayRequests is how many requests an account posts on its first day on this market.
const FirstDayRequests = 5

const day = 24 * time.Hour

// openRequestsRetry is the Retry-After of an error that closing a request resolves, not time.
const openRequestsRetry = time.Hour

// PostsToRead is how many of a buyer's latest posts decide whether they may post again.
func PostsToRead(q Quotas) int {
	if q.NewRequests.Limit == 0 {
		return 0
	}
	return max(q.NewRequests.Limit, FirstDayRequests)
}

// mayPost returns TooMany when the buyer has posted as much as the quotas allow.
func mayPost(q Quotas, b Buyer, now time.Time) error {
	if err := mayOpen(q, b); err != nil {
		return err
	}
	wait := q.NewRequests.wait(b.Posted, now)
	if ends := b.Since.Add(day); q.NewRequests.Limit > 0 && now.Before(ends) && len(b.Posted) >= FirstDayRequests {
		wait = max(wait, ends.Sub(now))
	}
	if wait > 0 {
		return overQuota(NewText("quota_post", "You can post again in %s.", RoundUp(wait)), wait)
	}
	return nil
}

// mayPostList returns TooMany when the buyer may not post a list of so many orders: it counts as one post, and each of its orders as an
// open one.
func mayPostList(q Quotas, b Buyer, orders int, now time.Time) error {
	if q.OpenRequests > 0 && b.Open+orders > q.OpenRequests {
		room := max(q.OpenRequests-b.Open, 0)
		return overQuota(NewText("quota_list", "You have %d open requests and may have %d, so this list may have %d lines.", b.Open, q.OpenRequests, room), openRequestsRetry)
	}
	return mayPost(q, b, now)
}

// mayOpen returns TooMany when the buyer has as many open requests as the quotas allow.
func mayOpen(q Quotas, b Buyer) error {
	if q.OpenRequests > 0 && b.Open >= q.OpenRequests {
		return overQuota(NewText("quota_open_requests", "You have %d open requests. Close one to post another.", b.Open), openRequestsRetry)
	}
	return nil
}

// mayOffer returns TooMany when the seller has sent as many offers as the quotas allow.
func mayOffer(q Quotas, s Seller, now time.Time) error {
	if wait := q.OffersPerRequest.wait(s.SentHere, now); wait > 0 {
		return overQuota(NewText("quota_offer_here", "You can offer on this request again in %s.", RoundUp(wait)), wait)
	}
	if wait := q.Offers.wait(s.Sent, now); wait > 0 {
		return overQuota(NewText("quota_offer", "You can send offers again in %s.", RoundUp(wait)), wait)
	}
	return nil
}

// mayReport returns TooMany when the reports of a user, newest first, are as many as the quotas allow.
func mayReport(q Quotas, latest []Report, now time.Time) error {
	times := make([]time.Time, len(latest))
	for i, r := range latest {
		times[i] = r.CreatedAt
	}
	if wait := q.Reports.wait(times, now); wait > 0 {
		return overQuota(NewText("quota_report", "You can report again in %s.", RoundUp(wait)), wait)
	}
	return nil
}

func overQuota(text Text, wait time.Duration) *Error {
	err := NewError(TooMany, text)
	err.Code, err.RetryAfter = CodeQuota, wait
	return err
}
