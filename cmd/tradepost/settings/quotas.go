package settings

import (
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"tradepost/core"
)

// LimitDefaults returns the usual limits by the variables that change them, as the settings write them.
func LimitDefaults() kong.Vars {
	defaults := kong.Vars{}
	for _, l := range core.Declared() {
		if l.Follows {
			continue
		}
		unit := map[time.Duration]string{time.Hour: "/h", core.Day: "/day"}[l.Per]
		defaults[l.Setting] = strconv.Itoa(l.Limit) + unit
	}
	return defaults
}

// quotas are the settings of core.Quotas.
type quotas struct {
	OpenRequests     int        `env:"OPEN_REQUESTS" default:"${OPEN_REQUESTS}" help:"Open requests that one user may have; 0 for no limit."`
	NewRequests      core.Quota `env:"NEW_REQUESTS" default:"${NEW_REQUESTS}" help:"Requests that one user may post, as 20/h or 5/day; 5 on the first day of an account. 0 for no limit."`
	Offers           core.Quota `env:"OFFERS" default:"${OFFERS}" help:"Offers that one user may send; 0 for no limit."`
	OffersPerRequest core.Quota `env:"OFFERS_PER_REQUEST" default:"${OFFERS_PER_REQUEST}" help:"Offers that one user may send on one request; 0 for no limit."`
	Reports          core.Quota `env:"REPORTS" default:"${REPORTS}" help:"Reports that one user may send; 0 for no limit."`
	DMPair           core.Quota `env:"DM_PAIR" default:"${DM_PAIR}" help:"Direct messages that one sender may cause to one reader; more are sent as one digest. 0 for no limit."`
	DMReader         core.Quota `env:"DM_READER" default:"${DM_READER}" help:"Direct messages to one reader from all senders; more are sent as one digest. 0 for no limit."`
	Alerts           core.Quota `env:"DM_ALERTS" default:"${DM_ALERTS}" help:"Direct messages about requests that one reader watches or has stock for; more are held and come together. 0 for no limit."`
	Reach            core.Quota `env:"DM_REACH" default:"${DM_REACH}" help:"People messaged in a day because of a new user's requests, offers and typed names; others see these in their inbox. Five times as many after a week, up to twenty times by trust. Alerts of all accounts together message twice as many beyond what they are trusted with. 0 for no limit."`
}

func (q quotas) Limits() core.Quotas {
	return core.Quotas{
		OpenRequests: q.OpenRequests, NewRequests: q.NewRequests, Offers: q.Offers,
		OffersPerRequest: q.OffersPerRequest,
		Reports:          q.Reports, DMPair: q.DMPair, DMReader: q.DMReader, Alerts: q.Alerts,
		Reach: q.Reach,
	}
}

// Wrong names quotas that cannot be counted.
func (q quotas) Wrong() (wrong WrongSettings) {
	if q.OpenRequests > core.MaxQuota {
		wrong.Add("OPEN_REQUESTS", "%d is too large: want a whole number of up to %d, or 0 for no limit",
			q.OpenRequests, core.MaxQuota)
	}
	return wrong
}
