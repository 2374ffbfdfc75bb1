package channelsync

import (
	"context"
	"fmt"
	"time"

	"tradepost/bot/discord"
	"tradepost/core/channels"
)

// Loop keeps the things of one kind in step with the market.
type Loop struct {
	Name     string // begins the names of pauses and the lines of the log
	Channels func(context.Context) ([]Channel, error)
}

// Channel is the part of a loop that a failure pauses: usually a channel of Discord's.
type Channel struct {
	ID string // no other channel of the loop has it
	// Stale starts what is new, and lists the things that do not show what they should. It leaves out
	// messages that are not edited now.
	Stale func(context.Context, channels.HeldEdits) ([]Thing, error)
	// Refused handles a refusal of Discord's and returns the pause of the channel; nil for TroublePause.
	Refused func(ctx context.Context, why error) (wait time.Duration, err error)
	// Synced is called after a pass in which nothing paused the channel; nil for nothing to do.
	Synced func(context.Context) error
}

// Everything returns the only channel of a loop: a failure pauses all its things.
func Everything(
	stale func(context.Context, channels.HeldEdits) ([]Thing, error),
) func(context.Context) ([]Channel, error) {
	return func(context.Context) ([]Channel, error) { return []Channel{{Stale: stale}}, nil }
}

// Thing is a message, or what is shown by one: a post of a forum, a thread with its receipt. Funcs that a
// kind does not need are nil.
type Thing struct {
	Unsent bool // its message was not sent when it was listed
	// Desired returns what the thing should show now; nil when nothing is left to do.
	Desired func(context.Context) (*Desired, error)
	// Send sends the thing once, even when an earlier attempt may have sent it and its answer was lost. It
	// returns no ID for a thing that cannot be shown and has ended.
	Send func(context.Context, discord.Message) (messageID string, err error)
	// Edit edits the message, and reports whether it is gone: a user deleted it on purpose, so it is not
	// sent again.
	Edit func(context.Context, discord.Message) (gone bool, err error)
	// Repost posts the message again in place of an edit. It is nil for a thing that may only be edited, and
	// returns no ID where that is so in this channel.
	Repost func(context.Context, discord.Message) (messageID string, err error)
	// Shown stores that a message shows the thing as it should.
	Shown func(ctx context.Context, messageID string) error
	// End ends a thing that is over, or whose message is gone.
	End func(ctx context.Context, gone bool) error
	// Leave is called last, where a thing stores itself how long it is left alone: zero after success. A
	// limit of Discord's pauses no other thing then.
	Leave func(ctx context.Context, wait time.Duration) error
}

// Desired is the content that a thing should show.
type Desired struct {
	MessageID string // of the message that is shown; empty before it was sent
	Body      discord.Message
	Over      bool // the thing ends once it shows this; one that was not sent ends at once
	// Turns says that the edit shows more than a count, such as that a request was closed: it waits for
	// Discord alone, and the thing is posted again where that takes long.
	Turns bool
}

// pass brings the things of a loop in step once. What is new in every channel comes before the edits in any,
// which end with their time: the next pass goes on with the channels behind.
func (s *Sync) pass(ctx context.Context, l Loop) error {
	all, err := l.Channels(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", l.Name, err)
	}
	held := s.edits.held(s.now())
	var read []Channel
	things := map[string][]Thing{}
	for _, c := range all {
		if s.Paused(l.pause(c)) {
			continue
		}
		if things[c.ID], err = c.Stale(ctx, held); err != nil {
			err = s.failed(ctx, l, c, Thing{}, err)
		} else {
			read = append(read, c)
			err = s.syncThings(ctx, l, c, things[c.ID], true)
		}
		if err != nil {
			return err
		}
	}
	began := time.Now()
	for range read {
		if time.Since(began) > PassEvery {
			break
		}
		c := read[s.turns[l.Name]%len(read)]
		s.turns[l.Name]++
		if err := s.syncThings(ctx, l, c, things[c.ID], false); err != nil {
			return err
		}
		if c.Synced != nil && !s.Paused(l.pause(c)) {
			if err := c.Synced(ctx); err != nil {
				return fmt.Errorf("%s: channel %s: %w", l.Name, c.ID, err)
			}
		}
	}
	return nil
}

// pause names the pause of a channel.
func (l Loop) pause(c Channel) string { return l.Name + " " + c.ID }

// sendPause names the pause of new messages in a channel.
func (l Loop) sendPause(c Channel) string { return l.Name + " new " + c.ID }

// syncThings brings things of a channel in step until something pauses them; the next pass goes on from
// there.
func (s *Sync) syncThings(ctx context.Context, l Loop, c Channel, things []Thing, unsent bool) error {
	for _, t := range things {
		if t.Unsent != unsent {
			continue
		}
		if s.Paused(l.pause(c)) || unsent && s.Paused(l.sendPause(c)) {
			return nil
		}
		wait, why := s.syncThing(ctx, t)
		if why != nil {
			wait = max(PassEvery, discord.RetryAfter(why))
		}
		var err error
		if t.Leave != nil {
			err = t.Leave(ctx, wait)
		}
		if why != nil && err == nil {
			err = s.failed(ctx, l, c, t, why)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// syncThing brings one thing in step. It returns how long its message waits for an edit.
func (s *Sync) syncThing(ctx context.Context, t Thing) (wait time.Duration, err error) {
	d, err := t.Desired(ctx)
	if err != nil || d == nil {
		return 0, err
	}
	id, gone := d.MessageID, false
	switch {
	case id != "":
		id, gone, wait, err = s.edit(ctx, t, d)
	case !d.Over:
		if id, err = t.Send(ctx, d.Body); id == "" {
			return 0, err
		}
	}
	switch {
	case err != nil || wait > 0:
		return wait, err
	case gone || d.Over:
		return 0, t.End(ctx, gone)
	}
	return 0, t.Shown(ctx, id)
}

// edit edits the message of a thing, unless that has to wait. A thing that turns and has to wait long is
// posted again where it may be. It returns the message that shows the thing.
func (s *Sync) edit(
	ctx context.Context, t Thing, d *Desired,
) (id string, gone bool, wait time.Duration, err error) {
	id, wait = d.MessageID, s.edits.wait(d.MessageID, d.Turns, s.now())
	again := t.Repost != nil
	switch {
	case wait == 0:
		if gone, err = t.Edit(ctx, d.Body); err == nil && !gone {
			s.edits.edited(id, s.now())
		}
	case again && d.Turns && wait > RepostAfter:
		sent, failed := t.Repost(ctx, d.Body)
		if sent != "" {
			return sent, false, 0, nil
		}
		again, err = failed != nil, failed
	}
	if err != nil {
		if wait = s.edits.failed(id, err, s.now()); wait > 0 {
			s.log.Info("edit waits", "message", id, "error", err, "wait", wait)
			err = nil
		}
	}
	if wait > 0 && !again {
		s.edits.stays(id)
	}
	return id, gone, wait, err
}

// failed pauses what a failure is about. It returns an error that ends the pass.
func (s *Sync) failed(ctx context.Context, l Loop, c Channel, t Thing, why error) (err error) {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	pause, limit := l.pause(c), discord.RetryAfter(why)
	wait := max(PassEvery, limit)
	limited := limit > 0 && !discord.IsUnauthorized(why)
	switch {
	case limited && t.Leave != nil:
		wait = 0
	case limited && t.Unsent:
		pause = l.sendPause(c)
	case discord.IsRefusal(why):
		wait = TroublePause
		if c.Refused != nil {
			wait, err = c.Refused(ctx, why)
		}
	}
	s.log.Warn(l.Name+": sync failed", "channel", c.ID, "error", why, "wait", wait)
	s.Pause(pause, wait)
	return err
}
