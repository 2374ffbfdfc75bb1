package hours

import "time"

// Preset names some hours that many people mean. The page has the same (weekHours.ts).
type Preset string

// The presets, in the user's time zone.
const (
	Mornings        Preset = "mornings"   // of weekdays
	Afternoons      Preset = "afternoons" // of weekdays
	Evenings        Preset = "evenings"   // of weekdays
	WeekendDays     Preset = "weekend_days"
	WeekendEvenings Preset = "weekend_evenings"
	Nights          Preset = "nights"
)

// Presets lists every preset.
var Presets = []Preset{Mornings, Afternoons, Evenings, WeekendDays, WeekendEvenings, Nights}

// span is some hours, from one to before another, of each of some days; Monday is 0.
type span struct{ first, last, from, to int }

// No hour from the first to the last is left out, so that who names two that touch has what is between.
var spans = map[Preset][]span{
	Mornings:        {{0, 4, 7, 12}},
	Afternoons:      {{0, 4, 12, 17}},
	Evenings:        {{0, 4, 17, 24}},
	WeekendDays:     {{5, 6, 9, 17}},
	WeekendEvenings: {{5, 6, 17, 24}},
	Nights:          {{0, 6, 0, 3}},
}

// Of returns the hours of a preset in UTC, for a time zone (an IANA name; empty for UTC) as it is now. Zones
// with half hours are rounded.
func (p Preset) Of(zone string, now time.Time) (w Week) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	_, offset := now.In(location).Zone()
	ahead := int(time.Duration(offset) * time.Second / time.Minute)
	ahead = (ahead + 30 + InWeek*60) / 60 % InWeek // whole hours, rounded
	for _, s := range spans[p] {
		for day := s.first; day <= s.last; day++ {
			for clock := s.from; clock < s.to; clock++ {
				h := (day*24 + clock - ahead + InWeek) % InWeek
				w[h/8] |= 1 << (h % 8)
			}
		}
	}
	return w
}

// In reports whether every hour of a week is in another.
func (w Week) In(other Week) bool { return w.Shared(other) == w }
