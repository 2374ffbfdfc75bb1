package settings

import (
	"testing"

	"github.com/alecthomas/kong"

	"tradepost/core"
)

// TestAProgramWithoutSettingsHasTheDeclaredLimits holds the defaults to the limits that docs/limits.md lists.
func TestAProgramWithoutSettingsHasTheDeclaredLimits(t *testing.T) {
	t.Parallel()
	var market struct {
		Serve Market `cmd:""`
	}
	parser, err := kong.New(&market, LimitDefaults())
	if err != nil {
		t.Fatal(err)
	}
	// The database's address is the only setting without a default.
	_, _ = parser.Parse([]string{"serve"})
	want := core.Quotas{
		OpenRequests: core.LimitOpenRequests.Limit, NewRequests: core.LimitRequests.Quota,
		Offers: core.LimitOffers.Quota, OffersPerRequest: core.LimitOffersHere.Quota, Reports: core.LimitReports.Quota,
		DMPair: core.LimitDMPair.Quota, DMReader: core.LimitDMReader.Quota, Alerts: core.LimitDMAlerts.Quota, Reach: core.LimitReach.Quota,
	}
	if got := market.Serve.Limits(); got != want {
		t.Errorf("the limits are %+v, declared are %+v", got, want)
	}
	first := map[string]core.Limit{}
	for _, l := range core.Declared() {
		if l.Setting == "" || l.Follows {
			continue
		}
		if other, twice := first[l.Setting]; twice && other.Quota != l.Quota {
			t.Errorf("%s is the number of %q and of %q, which differ", l.Setting, other.Name, l.Name)
		}
		first[l.Setting] = l
	}
}
