package channels

import "time"

// WantedChannel is a Discord channel that gets a report of unmet demand once a week.
type WantedChannel struct {
	ChannelID string
	GuildID   string
	Locale    string    // the Discord locale of the server
	DueAt     time.Time // when the next report is sent
	StartedAt time.Time // when it was first tried to send it; zero before
}

// wantedHour is when reports are sent on Mondays, in UTC.
const wantedHour = 9

// NextWanted returns when the first report after a time is sent.
func NextWanted(after time.Time) time.Time {
	after = after.UTC()
	days := (int(time.Monday) - int(after.Weekday()) + 7) % 7
	at := time.Date(after.Year(), after.Month(), after.Day()+days, wantedHour, 0, 0, 0, time.UTC)
	if !at.After(after) {
		at = at.AddDate(0, 0, 7)
	}
	return at
}
