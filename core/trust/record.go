package trust

import (
	"slices"
	"time"

	"tradepost/core"
)

const (
	// PartnersOfCircle is how many established partners count who mostly trade among themselves.
	PartnersOfCircle = 3
	// NoShowFor is how long a handover that was settled against a trader counts.
	NoShowFor = 180 * core.Day
	// MaxRecords is how many records are read at once.
	MaxRecords = 60
)

// Record sums up the results of a trader's handovers: four facts, and no grade.
type Record struct {
	Trusted bool // others here know the trader
	// Partners counts the different established traders they met, PartnersOfCircle at most of one circle. A
	// trader who is not trusted has none: anyone can sell a piece for a copper to nine of them.
	Partners int
	Others   int           // different other partners they met
	Met      int           // handovers that were met
	Kept     int           // percent of partners they kept their word to, rounded down; NoShare: unknown
	MeetsIn  time.Duration // from the accept until both had met, as often less as more; zero for unknown
}

// NoShare is the share of a trader without a handover that was met or settled against them.
const NoShare = -1

// New reports whether there is too little to say about a trader.
func (r Record) New() bool { return !r.Trusted }

// Records are the records of traders.
type Records map[core.UserID]Record

// RecordOf returns the record that a trader's handovers make, in any order. Cancelled and unconfirmed
// handovers do not count. In the share a partner counts once, however often the two met: once for handovers
// that were met, once for handovers settled against the trader within NoShowFor.
func RecordOf(handovers []SettledHandover, now time.Time) Record {
	type partner struct{ user, former core.UserID } // former is a number of those who have left
	type known struct {
		established bool
		circle      core.UserID
	}
	var (
		r      Record
		met    = map[partner]known{}
		broken = map[partner]bool{}
		times  []time.Duration
	)
	for _, h := range handovers {
		with := partner{h.Partner, h.FormerPartner}
		r.Trusted = r.Trusted || h.Trusted
		switch {
		case h.Against:
			if now.Sub(h.SettledAt) < NoShowFor {
				broken[with] = true
			}
		case h.State == HandoverMet:
			r.Met++
			met[with] = known{h.PartnerEstablished, h.PartnerCircle}
			times = append(times, h.SettledAt.Sub(h.AcceptedAt))
		}
	}
	of := map[core.UserID]int{} // partners of each circle
	for _, partner := range met {
		ofFew := partner.circle == 0 || of[partner.circle] < PartnersOfCircle
		if r.Trusted && partner.established && ofFew {
			of[partner.circle]++
			r.Partners++
		} else {
			r.Others++
		}
	}
	r.Kept = NoShare
	if all := len(met) + len(broken); all > 0 {
		r.Kept = 100 * len(met) / all
	}
	if len(times) > 0 {
		slices.Sort(times)
		r.MeetsIn = times[(len(times)-1)/2]
	}
	return r
}

// recordsOf returns the record of each of some users.
func recordsOf(users []core.UserID, handovers []SettledHandover, now time.Time) Records {
	of := map[core.UserID][]SettledHandover{}
	for _, h := range handovers {
		of[h.Trader] = append(of[h.Trader], h)
	}
	records := Records{}
	for _, user := range users {
		records[user] = RecordOf(of[user], now)
	}
	return records
}
