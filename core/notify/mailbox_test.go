package notify_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/notify"
)

func TestQuietHours(t *testing.T) {
	t.Parallel()
	night := notify.Settings{QuietFrom: 22 * 60, QuietTo: 7*60 + 30, TimeZone: "Europe/Berlin"}
	noon := notify.Settings{QuietFrom: 12 * 60, QuietTo: 13 * 60}
	for name, tt := range map[string]struct {
		settings notify.Settings
		now      string
		until    string // empty: not quiet
	}{
		"none are set":                                   {notify.Settings{}, "2026-01-10T03:00:00Z", ""},
		"none, written as an empty span":                 {notify.Settings{QuietFrom: 60, QuietTo: 60}, "2026-01-10T01:00:00Z", ""},
		"before they start":                              {noon, "2026-01-10T11:59:59Z", ""},
		"the minute they start":                          {noon, "2026-01-10T12:00:00Z", "2026-01-10T13:00:00Z"},
		"the last second":                                {noon, "2026-01-10T12:59:59Z", "2026-01-10T13:00:00Z"},
		"the minute they end":                            {noon, "2026-01-10T13:00:00Z", ""},
		"over midnight, in the evening":                  {night, "2026-01-10T21:30:00Z", "2026-01-11T06:30:00Z"},
		"over midnight, in the morning":                  {night, "2026-01-11T05:00:00Z", "2026-01-11T06:30:00Z"},
		"over midnight, by day":                          {night, "2026-01-11T12:00:00Z", ""},
		"in the reader's zone, not in ours":              {night, "2026-01-10T20:59:59Z", ""},
		"through the night in which clocks go forward":   {night, "2026-03-28T22:00:00Z", "2026-03-29T05:30:00Z"},
		"through the night in which clocks go backwards": {night, "2026-10-24T21:00:00Z", "2026-10-25T06:30:00Z"},
		"ending in the hour that is left out": {
			notify.Settings{QuietFrom: 60, QuietTo: 150, TimeZone: "Europe/Berlin"}, "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z",
		},
		"in a zone that is no more: taken as UTC": {
			notify.Settings{QuietFrom: 12 * 60, QuietTo: 13 * 60, TimeZone: "Atlantis/Poseidonis"}, "2026-01-10T12:30:00Z", "2026-01-10T13:00:00Z",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			until, quiet := tt.settings.Quiet(now)
			if got := until.Format(time.RFC3339); quiet != (tt.until != "") || quiet && got != tt.until {
				t.Errorf("quiet %v until %s, want until %q", quiet, got, tt.until)
			}
			if quiet && !until.After(now) {
				t.Error("the end is not ahead")
			}
		})
	}
}

func TestNoticeSettingsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		settings notify.Settings
		field    string // empty: they do
	}{
		"nothing set":                         {notify.Settings{}, ""},
		"every kind turned off":               {notify.Settings{Muted: notify.AllMutableKinds}, ""},
		"a night in Kathmandu":                {notify.Settings{QuietFrom: 1439, QuietTo: 0, TimeZone: "Asia/Kathmandu"}, ""},
		"a kind that does not exist":          {notify.Settings{Muted: []notify.Kind{"weather"}}, "muted"},
		"the news that messages fail":         {notify.Settings{Muted: []notify.Kind{notify.NoticeDMFailed}}, "muted"},
		"tests, which are asked for":          {notify.Settings{Muted: []notify.Kind{notify.NoticeTest}}, "muted"},
		"a start before midnight":             {notify.Settings{QuietFrom: -1}, "quietFrom"},
		"an end at 24:00":                     {notify.Settings{QuietTo: 1440}, "quietTo"},
		"a zone that does not exist":          {notify.Settings{TimeZone: "Mars/Olympus"}, "timeZone"},
		"the host's own zone":                 {notify.Settings{TimeZone: "Local"}, "timeZone"},
		"a path instead of a zone":            {notify.Settings{TimeZone: "../../etc/passwd"}, "timeZone"},
		"a zone with another's right to read": {notify.Settings{TimeZone: "Europe/Berlin\x00"}, "timeZone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.settings.Validate()
			if tt.field == "" {
				if err != nil {
					t.Errorf("returned %v", err)
				}
				return
			}
			if fields := coretest.FieldsOf(err); core.KindOf(err) != core.Invalid || len(fields) != 1 || fields[tt.field] == "" {
				t.Errorf("returned %v, want field %q", err, tt.field)
			}
		})
	}
}
