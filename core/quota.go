package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// CodeQuota is the code of an Error that a quota causes.
const CodeQuota = "quota"

// Quota limits how often one user does one thing: Limit times within Per, whatever the adapter and the
// replica. Its zero value sets no limit.
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
	per := map[string]time.Duration{"min": time.Minute, "h": time.Hour, "day": Day}[unit]
	n, err := strconv.Atoi(limit)
	if err != nil || per == 0 || n < 1 || n > MaxQuota {
		return Quota{}, fmt.Errorf("%q is no quota: want a number from 1 to %d and a unit (min, h or day), "+
			"such as 20/h or 5/day, or 0 for no limit", text, MaxQuota)
	}
	return Quota{Limit: n, Per: per}, nil
}

// UnmarshalText implements encoding.TextUnmarshaler; see ParseQuota.
func (q *Quota) UnmarshalText(text []byte) (err error) {
	*q, err = ParseQuota(string(text))
	return err
}

// Wait returns how long until one more use is within the quota, given the times of the latest uses, newest
// first. It returns zero when it is now.
func (q Quota) Wait(latest []time.Time, now time.Time) time.Duration {
	if q.Limit == 0 || len(latest) < q.Limit {
		return 0
	}
	// a use that seems to be ahead counts as one of now
	return min(max(latest[q.Limit-1].Add(q.Per).Sub(now), 0), q.Per)
}

// Next returns the earliest time from at on when one more use is within the quota, or when there is a use
// anyway, given the times of the latest uses, newest first. They may be planned ones.
func (q Quota) Next(latest []time.Time, at time.Time) time.Time {
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

// Quotas are the limits of one user that the operator sets. The zero value of each sets no limit.
type Quotas struct {
	OpenRequests     int   // LimitOpenRequests
	NewRequests      Quota // LimitRequests; with LimitFirstDay
	Offers           Quota // LimitOffers
	OffersPerRequest Quota // LimitOffersHere
	Reports          Quota // LimitReports
	DMPair           Quota // LimitDMPair
	DMReader         Quota // LimitDMReader
	Alerts           Quota // LimitDMAlerts
	Reach            Quota // LimitReach
}

// Day is the time in which quotas by day count.
const Day = 24 * time.Hour

// LateAfter is how long after its time something due may be done. Later breaks an invariant of liveness.
const LateAfter = 2 * time.Minute
