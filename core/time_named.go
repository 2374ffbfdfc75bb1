package core

import "time"

// TimeNamed reads the end of a day that a user names, in their time zone (an IANA name; empty for UTC): "today", "tomorrow", "weekend" (the
// coming Sunday), or a date such as 2026-11-30; "72h" and "week" are counted from now. It reports false for anything else.
func TimeNamed(name, zone string, now time.Time) (time.Time, bool) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	here := now.In(location)
	endOf := func(days int) time.Time {
		return time.Date(here.Year(), here.Month(), here.Day()+days, 23, 59, 0, 0, location).UTC()
	}
	switch name {
	case "today":
		return endOf(0), true
	case "tomorrow":
		return endOf(1), true
	case "weekend":
		return endOf((7 - int(here.Weekday())) % 7), true
	case "72h":
		return now.Add(AgreedWithin), true
	case "week":
		return now.Add(7 * day), true
	}
	date, err := time.ParseInLocation(time.DateOnly, name, location)
	if err != nil {
		return time.Time{}, false
	}
	return time.Date(date.Year(), date.Month(), date.Day(), 23, 59, 0, 0, location).UTC(), true
}
