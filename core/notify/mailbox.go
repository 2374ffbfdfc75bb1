package notify

import (
	"slices"
	"time"
	_ "time/tzdata"

	"tradepost/core"
)

// Mailbox is how one user is reached by direct message.
type Mailbox struct {
	User      core.UserID
	DiscordID string
	Language  string // that they have chosen, which may be offered no longer; empty for none
	Locale    string // the Discord locale last seen; empty when unknown
	ChannelID string // the DM channel; empty until the first message
	// a message is on its way; its sender is given up when nothing was heard of it until then
	BusyUntil time.Time
	NotBefore time.Time // nothing is sent before: the result of the last attempt is not known
	// LimitedUntil is the end of Discord's last Retry-After. The job of the notice waits for it.
	LimitedUntil time.Time
	Closed       string // why direct messages do not arrive, in Discord's terms; empty while they do
	ClosedAt     time.Time
	Settings     Settings
}

// EndsUnsent returns the end state of a notice that must not be sent, and NoticePending for one that must. A
// test is always sent: a user who asks for one has just changed something.
func (b Mailbox) EndsUnsent(n Notice, now time.Time) (State, string) {
	switch {
	case n.Kind == NoticeDMFailed:
		return NoticeDelivered, InboxOnly
	case now.Sub(n.CreatedAt) > n.Kind.Lifetime():
		return NoticeExpired, "It could not be delivered in time"
	case slices.Contains(b.Settings.Muted, n.Kind):
		return NoticeRefused, NoticeMuted
	case b.Closed != "" && !n.Kind.SentWhileClosed():
		return NoticeRefused, b.Closed
	}
	return NoticePending, ""
}

// Lifetime is how long a notice of the kind is tried before it is given up: a reminder is of no use once two
// should have met.
func (k Kind) Lifetime() time.Duration {
	if k == NoticeMeetingSoon {
		return MeetingSoonLifetime
	}
	return NoticeLifetime
}

// NoticeMuted is the reason of a notice that ends because its reader has turned its kind off.
const NoticeMuted = "You turned these off"

// The reasons of delivered notices that have no message of their own.
const (
	InboxOnly = "inbox"
	// BeyondReach is the reason of a notice that the reach of the user who caused it does not cover. The next
	// message of its kind to the same reader counts alerts and offers, within BeyondReachWithin.
	BeyondReach = "reach"
)

// BeyondReachWithin limits the age of notices that a message counts.
const BeyondReachWithin = core.Day

// Beyond reports whether the notice only adds to a message about others.
func (n Notice) Beyond() bool { return n.Reason == BeyondReach }

// SentWhileClosed reports whether a notice of the kind is tried although messages to its reader do not
// arrive.
func (k Kind) SentWhileClosed() bool { return k == NoticeTest }

// BusyPoll is how often is asked whether a mailbox is still busy: it is most likely free long before its
// lease ends.
const BusyPoll = time.Second

// Wait is how long a notice has to wait before it may be sent.
func (b Mailbox) Wait(n Notice, now time.Time) time.Duration {
	wait, _ := b.waits(n, now)
	return wait
}

func (b Mailbox) waits(n Notice, now time.Time) (time.Duration, Cause) {
	if held, why := b.held(n, now); held > 0 {
		return held, why
	}
	return b.busy(now)
}

// heldFor is how long the settings of its reader and its own hold keep a notice.
func (b Mailbox) heldFor(n Notice, now time.Time) time.Duration {
	wait, _ := b.held(n, now)
	return wait
}

func (b Mailbox) held(n Notice, now time.Time) (time.Duration, Cause) {
	if until, quiet := b.Settings.Quiet(now); quiet && n.Kind != NoticeTest {
		return until.Sub(now), ForQuietHours
	}
	if ahead := upTo(LongestHold, n.HoldUntil, now); ahead > 0 {
		return ahead, ForHold
	}
	return 0, ForNothing
}

// upTo returns how far ahead of now a time lies; zero for one that lies further ahead than it may.
func upTo(longest time.Duration, at, now time.Time) time.Duration {
	if ahead := at.Sub(now); 0 < ahead && ahead <= longest {
		return ahead
	}
	return 0
}

// OwedSince returns since when a notice could have been sent: since the latest of its creation, its hold, its
// reader's last quiet hours and Discord's last Retry-After. It returns false while one of them lasts.
func (b Mailbox) OwedSince(n Notice, now time.Time) (since time.Time, owed bool) {
	if b.heldFor(n, now) > 0 || upTo(MaxRetryAfter, b.LimitedUntil, now) > 0 {
		return time.Time{}, false
	}
	since = n.CreatedAt
	for _, end := range []time.Time{n.HoldUntil, b.LimitedUntil, b.Settings.quietEnded(now)} {
		if end.After(since) && !end.After(now) {
			since = end
		}
	}
	return since, true
}

// Limited returns the mailbox after Discord asked for a pause. A shorter one takes nothing back from a longer
// one: the job of another notice waits for that.
func (b Mailbox) Limited(pause time.Duration, now time.Time) Mailbox {
	b.LimitedUntil = now.Add(max(pause, upTo(MaxRetryAfter, b.LimitedUntil, now)))
	return b
}

// LongestWait is how far ahead the job of a pending notice may be scheduled.
func (b Mailbox) LongestWait(n Notice, now time.Time) time.Duration {
	return MaxSpread + max(b.heldFor(n, now), upTo(LongestHold, n.HoldUntil, now),
		upTo(MaxRetryAfter, b.LimitedUntil, now), MaxRetryWait)
}

// BusyFor is how long nothing is done in the mailbox. A time further ahead than either may be was written
// by a clock that was ahead, and is passed over.
func (b Mailbox) BusyFor(now time.Time) time.Duration {
	wait, _ := b.busy(now)
	return wait
}

func (b Mailbox) busy(now time.Time) (time.Duration, Cause) {
	if left := upTo(DeliveryLease, b.BusyUntil, now); left > 0 {
		return min(left, BusyPoll), ForMessage
	}
	if wait := upTo(MaxRetryWait, b.NotBefore, now); wait > 0 {
		return wait, ForRetry
	}
	return 0, ForNothing
}

// Settings are a user's preferences for direct messages. The zero value allows all. The web
// inbox shows every notice whatever they say.
type Settings struct {
	Muted     []Kind // kinds that are not sent
	QuietFrom int    // minutes after midnight; equal to QuietTo for no quiet hours
	QuietTo   int
	TimeZone  string // an IANA name such as "Europe/Berlin"; empty for UTC
	// GatherOffers has the offers after the third in an hour come together, in one message an hour.
	GatherOffers bool `json:",omitzero"`
}

// Validate returns Invalid with every invalid field.
func (s Settings) Validate() error {
	var c core.Checks
	for _, kind := range s.Muted {
		c.That(slices.Contains(AllMutableKinds, kind), "muted",
			core.NewText("notice_kind_unmutable", "kind", kind))
	}
	c.That(0 <= s.QuietFrom && s.QuietFrom < minutesADay, "quietFrom", core.NewText("quiet_hours_start"))
	c.That(0 <= s.QuietTo && s.QuietTo < minutesADay, "quietTo", core.NewText("quiet_hours_end"))
	_, err := time.LoadLocation(s.TimeZone)
	c.That(err == nil && s.TimeZone != "Local", "timeZone", core.NewText("time_zone_unknown"))
	return c.Err()
}

const minutesADay = 24 * 60

// Quiet reports whether now lies in the quiet hours, and when they end.
func (s Settings) Quiet(now time.Time) (until time.Time, quiet bool) {
	if s.QuietFrom == s.QuietTo {
		return time.Time{}, false
	}
	here := now.In(s.zone())
	minute := here.Hour()*60 + here.Minute()
	within := s.QuietFrom <= minute && minute < s.QuietTo
	if s.QuietFrom > s.QuietTo { // over midnight
		within = minute >= s.QuietFrom || minute < s.QuietTo
	}
	if !within {
		return time.Time{}, false
	}
	end := s.endOn(here)
	if !end.After(now) {
		end = end.AddDate(0, 0, 1)
	}
	return end.UTC(), true
}

// endOn returns when the quiet hours of a day end.
func (s Settings) endOn(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), s.QuietTo/60, s.QuietTo%60, 0, 0, day.Location())
}

// quietEnded returns when the last quiet hours before now ended; zero without quiet hours.
func (s Settings) quietEnded(now time.Time) (end time.Time) {
	if s.QuietFrom == s.QuietTo {
		return time.Time{}
	}
	here := now.In(s.zone())
	if end = s.endOn(here); end.After(now) {
		end = s.endOn(here.AddDate(0, 0, -1))
	}
	return end
}

func (s Settings) zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}
