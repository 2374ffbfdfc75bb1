package channelsync

import (
	"time"

	"tradepost/bot/discord"
	"tradepost/core/channels"
)

const (
	// oldMessage is the age from which Discord limits edits of a message, as its error 30046 says.
	oldMessage = time.Hour
	// EditEvery is the minimum interval between edits of an old message where only a count changes. It is a
	// guess: Discord publishes no number.
	EditEvery = 3 * time.Minute
	// RepostAfter limits the time that a card of a board may be wrong before it is posted again in place of
	// an edit.
	RepostAfter = 10 * time.Minute
	// editErrorPause is the pause before the next edit of a message after an edit failed, as while Discord is
	// down.
	editErrorPause = 10 * time.Second
)

// editPace decides when a message may be edited. A wait that Discord asks for applies to that message alone.
// Edits of an old message that only change a count are gathered. An edit that changes a card from open to
// closed, or back, waits for Discord alone.
type editPace struct {
	every time.Duration // between two edits of an old message that only count
	holds map[string]editHold
}

// editHold is why a message is not edited at present.
type editHold struct {
	from    time.Time // a clock that was set back to before it ends the hold
	limited time.Time // until when Discord takes no edit
	gathers time.Time // until when edits that only count are gathered
	stays   bool      // it is not posted again, however long Discord asks to wait
}

func newEditPace(every time.Duration) *editPace {
	return &editPace{every: every, holds: map[string]editHold{}}
}

// edited notes that Discord took an edit.
func (p *editPace) edited(messageID string, now time.Time) {
	if now.Sub(discord.SentAt(messageID)) >= oldMessage {
		p.holds[messageID] = editHold{from: now, gathers: now.Add(p.every)}
	}
}

// failed decides about a message after an error. It returns how long its edits wait where Discord limits
// them; zero for another error.
func (p *editPace) failed(messageID string, err error, now time.Time) (wait time.Duration) {
	wait = discord.RetryAfter(err)
	if wait == 0 || discord.IsUnauthorized(err) {
		p.hold(messageID, editErrorPause, editErrorPause, now) // so that others have their turn
		return 0
	}
	if discord.IsOldEdit(err) {
		p.hold(messageID, wait, max(wait, p.every), now)
	} else {
		p.hold(messageID, wait, wait, now)
	}
	return wait
}

func (p *editPace) hold(messageID string, limited, gathers time.Duration, now time.Time) {
	limited = max(limited, p.wait(messageID, true, now))
	p.holds[messageID] = editHold{
		from: now, limited: now.Add(limited), gathers: now.Add(max(limited, gathers)),
		stays: p.holds[messageID].stays,
	}
}

// stays notes that a limited message is not posted again: it waits.
func (p *editPace) stays(messageID string) {
	if hold, is := p.holds[messageID]; is {
		hold.stays = true
		p.holds[messageID] = hold
	}
}

// wait returns how long an edit has to wait; zero for not at all.
func (p *editPace) wait(messageID string, turns bool, now time.Time) time.Duration {
	hold := p.holds[messageID]
	until := hold.gathers
	if turns {
		until = hold.limited
	}
	if now.Before(hold.from) {
		return 0
	}
	return max(until.Sub(now), 0)
}

// held returns the messages that are not edited now, and forgets the messages that are free again. A limited
// message with a long wait may be posted again when it turns.
func (p *editPace) held(now time.Time) channels.HeldEdits {
	held := channels.HeldEdits{}
	for id, hold := range p.holds {
		limit := p.wait(id, true, now)
		switch {
		case limit > 0 && (hold.stays || limit <= RepostAfter):
			held.All = append(held.All, id)
		case limit > 0 || p.wait(id, false, now) > 0:
			held.Counting = append(held.Counting, id)
		default:
			delete(p.holds, id)
		}
	}
	return held
}
