package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
)

const day = 24 * time.Hour

// days is a span of time that may be written in days, as 90d, beside what time.ParseDuration reads.
type days time.Duration

// UnmarshalText reads a span: 90d, 36h, 1d12h or 0. It refuses negative ones.
func (d *days) UnmarshalText(text []byte) error {
	word := strings.TrimSpace(string(text))
	bad := fmt.Errorf("%q is no span of time: want 90d, 36h, 1d12h, or 0 for ever", word)
	var span time.Duration
	if number, rest, found := strings.Cut(word, "d"); found {
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return bad
		}
		if span, word = time.Duration(n)*day, rest; word == "" {
			*d = days(span)
			return nil
		}
	}
	more, err := time.ParseDuration(word)
	if err != nil || more < 0 {
		return bad
	}
	*d = days(span + more)
	return nil
}

// retention limits the time that finished records are kept. See docs/retention.md.
type retention struct {
	KeepNotices    days `env:"KEEP_NOTICES" default:"180d" help:"How long notices are kept in the inbox. 0 keeps them for ever, here and below."`
	KeepDeliveries days `env:"KEEP_DELIVERIES" default:"180d" help:"How long direct messages are remembered, so that their buttons can redraw them."`
	KeepBoardPosts days `env:"KEEP_BOARD_POSTS" default:"90d" help:"How long messages on boards are remembered once their request or listing is over."`
	KeepClosed     days `env:"KEEP_CLOSED" default:"90d" help:"How long closed requests stay under Completed before they move to their owner's archive."`
	KeepArchived   days `env:"KEEP_ARCHIVED" default:"730d" help:"How long requests stay in the archive before they are deleted. Their sales are kept."`
	KeepExpired    days `env:"KEEP_EXPIRED" default:"365d" help:"How long expired requests that were not renewed are kept before they are deleted. Their sales are kept."`
	KeepVisitors   days `env:"KEEP_VISITORS" default:"180d" help:"How long names, contacts and messages are kept that visitors typed into offers. What they sold is kept without."`
	KeepReports    days `env:"KEEP_REPORTS" default:"365d" help:"How long reports are kept once a moderator has settled them. The log of moderation is kept."`
	KeepKeys       days `env:"KEEP_KEYS" default:"7d" help:"How long the key of a write is kept. A repeat within this time has no second effect; its answer is kept for an hour."`
}

// Wrong names the spans that are too short to be meant: a client may still repeat its write, a reader has
// not seen the notice.
func (r retention) Wrong() (wrong WrongSettings) {
	for _, span := range []struct {
		name  string
		keep  days
		least time.Duration
	}{
		{"KEEP_NOTICES", r.KeepNotices, day},
		{"KEEP_DELIVERIES", r.KeepDeliveries, day},
		{"KEEP_BOARD_POSTS", r.KeepBoardPosts, day},
		{"KEEP_CLOSED", r.KeepClosed, day},
		{"KEEP_ARCHIVED", r.KeepArchived, day},
		{"KEEP_EXPIRED", r.KeepExpired, day},
		{"KEEP_VISITORS", r.KeepVisitors, day},
		{"KEEP_REPORTS", r.KeepReports, day},
		{"KEEP_KEYS", r.KeepKeys, core.AnswerRetention},
	} {
		if keep := time.Duration(span.keep); keep != 0 && keep < span.least {
			wrong.Add(span.name, "%s is too short: want at least %s, or 0 to keep for ever", keep, span.least)
		}
	}
	return wrong
}

func (r retention) Policy() core.Retention {
	return core.Retention{
		Notices: time.Duration(r.KeepNotices), Deliveries: time.Duration(r.KeepDeliveries),
		BoardPosts: time.Duration(r.KeepBoardPosts),
		Closed:     time.Duration(r.KeepClosed), Archived: time.Duration(r.KeepArchived),
		Expired: time.Duration(r.KeepExpired),
		Keys:    time.Duration(r.KeepKeys), Visitors: time.Duration(r.KeepVisitors),
		Reports: time.Duration(r.KeepReports),
	}
}
