package channelsync

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
)

// sentAt returns the ID of a message that was sent at a time.
func sentAt(t time.Time) string { return strconv.FormatInt((t.UnixMilli()-1420070400000)<<22, 10) }

func limitedFor(wait time.Duration, scope string) error {
	return &discordgo.RateLimitError{RateLimit: &discordgo.RateLimit{TooManyRequests: &discordgo.TooManyRequests{
		Message: "rate limited, scope " + scope, RetryAfter: wait,
	}}}
}

func TestEditsOfOldMessagesAreGathered(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	young, old := sentAt(now.Add(-59*time.Minute)), sentAt(now.Add(-time.Hour))
	p := newEditPace(3 * time.Minute)
	p.edited(young, now)
	p.edited(old, now)
	if wait := p.wait(young, false, now); wait != 0 {
		t.Errorf("a young message waits %s", wait)
	}
	if wait := p.wait(old, false, now.Add(time.Minute)); wait != 2*time.Minute {
		t.Errorf("an edit that counts waits %s", wait)
	}
	if wait := p.wait(old, true, now.Add(time.Minute)); wait != 0 {
		t.Errorf("an edit that closes waits %s", wait)
	}
	if held := p.held(now.Add(time.Minute)); !slices.Equal(held.Counting, []string{old}) || len(held.All) != 0 {
		t.Errorf("held: %+v", held)
	}
	if held := p.held(now.Add(3 * time.Minute)); len(held.Counting)+len(held.All)+len(p.holds) != 0 {
		t.Errorf("held in the end: %+v", held)
	}
}

func TestALimitIsOfOneMessage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := newEditPace(3 * time.Minute)
	if wait := p.failed("1", limitedFor(time.Minute, "old edits"), now); wait != time.Minute {
		t.Errorf("it waits %s", wait)
	}
	if wait := p.wait("2", false, now); wait != 0 {
		t.Errorf("another message waits %s", wait)
	}
	if turns, counts := p.wait("1", true, now), p.wait("1", false, now); turns != time.Minute || counts != 3*time.Minute {
		t.Errorf("an edit that closes waits %s, one that counts %s", turns, counts)
	}
	if held := p.held(now); !slices.Equal(held.All, []string{"1"}) {
		t.Errorf("held: %+v", held)
	}
	if wait := p.wait("1", true, now.Add(-time.Second)); wait != 0 {
		t.Errorf("with a clock that was set back it waits %s", wait)
	}
	p.failed("3", limitedFor(RepostAfter+time.Second, "user"), now)
	if held := p.held(now); !slices.Equal(held.Counting, []string{"3"}) {
		t.Errorf("a message that may be posted again is held: %+v", held)
	}
	p.failed("3", limitedFor(time.Second, "user"), now)
	if wait := p.wait("3", true, now); wait != RepostAfter+time.Second {
		t.Errorf("a shorter limit leaves %s", wait)
	}
	p.stays("3")
	if held := p.held(now); !slices.Contains(held.All, "3") {
		t.Errorf("one that may not is held: %+v", held)
	}
	if wait := p.failed("4", errors.New("EOF"), now); wait != 0 || p.wait("4", true, now) != editErrorPause {
		t.Errorf("after another error: %s, %s", wait, p.wait("4", true, now))
	}
}
