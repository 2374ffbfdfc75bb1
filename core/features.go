package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Features selects the parts of the market that are on. A feature that is off leaves no trace in page, bot
// and API.
type Features struct {
	Items   bool // the catalogue: names, pages and completion of items
	Prices  bool // prices of items; only with Items
	Watches bool // searches that notify
	Stock   bool // the items that sellers have and can make; only with Items

	Lists    bool // several requests posted from one text, with a page of their own
	Handover bool // both sides' confirmation of a trade, its meeting time, and the expiry of offers
	Records  bool // a trader's handover results, shown beside their name; only with Handover
	Threads  bool // a private thread in Discord for each trade; only with Handover

	Listings bool // stock that is shown for sale, which buyers ask for; only with Stock

	Tokens   bool // with which programs act for a person
	Webhooks bool // addresses that events are sent to

	// Crossing has requests that take offers as they come trade with listings that sell without asking; only
	// with Listings and Records.
	Crossing bool

	Hours bool // when people play, and one time to meet that is proposed to both; only with Handover
}

// EveryFeature returns every feature there is.
func EveryFeature() Features {
	f := AllFeatures()
	f.Listings, f.Tokens, f.Webhooks, f.Crossing, f.Hours = true, true, true, true, true
	return f
}

// AllFeatures returns the features of the specification's market, which are the default of the program. The
// others are on where they are named.
func AllFeatures() Features {
	return Features{Items: true, Prices: true, Watches: true, Stock: true, Handover: true, Records: true,
		Lists: true, Threads: true}
}

// FeatureNames lists the names of the features, in the order in which the documentation has them.
var FeatureNames = []string{"items", "prices", "watches", "stock", "handover", "records", "lists", "threads",
	"listings", "tokens", "webhooks", "crossing", "hours"}

// ParseFeatures reads names of features; "none" is none, and "all" is AllFeatures, with others beside it.
func ParseFeatures(names []string) (Features, error) {
	if len(names) == 1 && names[0] == "none" {
		return Features{}, nil
	}
	for _, name := range names {
		if name != "all" && !slices.Contains(FeatureNames, name) {
			return Features{}, fmt.Errorf("%q is no feature: want all, none, or some of %s, "+
				"separated by commas", name, strings.Join(FeatureNames, ", "))
		}
	}
	if slices.Contains(names, "all") {
		names = append(AllFeatures().Names(), names...)
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	f := Features{Items: has("items"), Prices: has("prices"), Watches: has("watches"), Stock: has("stock"),
		Handover: has("handover"), Records: has("records"), Lists: has("lists"), Threads: has("threads"),
		Listings: has("listings"), Tokens: has("tokens"),
		Webhooks: has("webhooks"), Crossing: has("crossing"), Hours: has("hours")}
	if f.Prices && !f.Items {
		return Features{}, errors.New("prices are prices of items: want items, too")
	}
	if f.Stock && !f.Items {
		return Features{}, errors.New("stock is stock of items: want items, too")
	}
	if f.Listings && !f.Stock {
		return Features{}, errors.New("listings are stock that is shown: want stock, too")
	}
	if f.Crossing && !(f.Listings && f.Records) {
		return Features{}, errors.New("crossing is of listings and of offers that are accepted as they " +
			"come: want listings and records, too")
	}
	if f.Records && !f.Handover {
		return Features{}, errors.New("records are records of handovers: want handover, too")
	}
	if f.Threads && !f.Handover {
		return Features{}, errors.New("threads are those of handovers: want handover, too")
	}
	if f.Hours && !f.Handover {
		return Features{}, errors.New("hours are those in which two meet for a handover: want handover, too")
	}
	return f, nil
}

// Names lists the features that are on.
func (f Features) Names() []string {
	names := []string{}
	for i, on := range []bool{f.Items, f.Prices, f.Watches, f.Stock, f.Handover, f.Records, f.Lists,
		f.Threads, f.Listings, f.Tokens, f.Webhooks, f.Crossing, f.Hours} {
		if on {
			names = append(names, FeatureNames[i])
		}
	}
	return names
}

// Alerts reports whether users are alerted to requests.
func (f Features) Alerts() bool { return f.Watches || f.Stock }
