package people_test

import (
	"testing"
	"time"

	"tradepost/core/people"
)

func TestMembershipIsAskedOnceADayAndUsedForAWeek(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, tt := range map[string]struct {
		m          people.Membership
		due, known bool
	}{
		"never asked":                      {people.Membership{}, true, false},
		"answered just now":                {people.Membership{AnsweredAt: now, TriedAt: now}, false, true},
		"answered within the day":          {people.Membership{AnsweredAt: ago(24*time.Hour - 1), TriedAt: ago(24*time.Hour - 1)}, false, true},
		"answered a day ago":               {people.Membership{AnsweredAt: ago(24 * time.Hour), TriedAt: ago(24 * time.Hour)}, true, true},
		"a day ago, no answer since":       {people.Membership{AnsweredAt: ago(30 * time.Hour), TriedAt: ago(time.Second)}, false, true},
		"a week ago, no answer since":      {people.Membership{AnsweredAt: ago(7 * 24 * time.Hour), TriedAt: ago(time.Minute)}, true, false},
		"no answer yet, asked just now":    {people.Membership{TriedAt: ago(time.Second)}, false, false},
		"no answer yet, asked a while ago": {people.Membership{TriedAt: ago(time.Minute)}, true, false},
		"answered by a clock that was ahead": {
			people.Membership{AnsweredAt: now.Add(time.Hour), TriedAt: now.Add(time.Hour)}, true, false,
		},
	} {
		if due, known := tt.m.Due(now), tt.m.Known(now); due != tt.due || known != tt.known {
			t.Errorf("%s: due %t, known %t; want %t and %t", name, due, known, tt.due, tt.known)
		}
	}
}
