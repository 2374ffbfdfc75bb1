package people

import (
	"time"

	"tradepost/core"
)

const (
	// MembershipFresh is how long an answer about a membership is used before Discord is asked again.
	MembershipFresh = core.Day
	// MembershipLife is how long the last answer is used while Discord gives none.
	MembershipLife = 7 * core.Day
	// MembershipPause is between two questions while Discord gives no answer.
	MembershipPause = time.Minute
)

// Membership says whether a Discord account is a member of one of the servers that the market is limited to.
type Membership struct {
	DiscordID  string
	Servers    string // their Discord ids in order, joined by commas
	Member     bool   // Discord's last answer
	AnsweredAt time.Time
	TriedAt    time.Time // when Discord was asked last, with or without an answer
}

// Due reports whether Discord is to be asked: once a day, and while it does not answer once a minute.
func (m Membership) Due(now time.Time) bool {
	return !lessAgo(m.AnsweredAt, MembershipFresh, now) && !lessAgo(m.TriedAt, MembershipPause, now)
}

// Known reports whether the last answer can still be used.
func (m Membership) Known(now time.Time) bool { return lessAgo(m.AnsweredAt, MembershipLife, now) }

// lessAgo reports whether a time is less than d ago. A time in the future is not: the clock was set back.
func lessAgo(at time.Time, d time.Duration, now time.Time) bool {
	return !at.IsZero() && !at.After(now) && now.Before(at.Add(d))
}
