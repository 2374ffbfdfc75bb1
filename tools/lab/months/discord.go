package months

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
)

// discord takes messages, as far as delivery sees Discord: it forgets nonces, limits requests, is down for a
// while, and loses answers. It keeps its own time.
type discord struct {
	w        *world
	messages []*posted
	nonces   map[string]*posted
	open     map[core.UserID]bool // conversations that were opened
	closed   map[core.UserID]bool // readers that take no messages
	failing  core.UserID          // whose messages fail; zero for nobody's
	down     bool
	limited  time.Time // the end of a limit for all requests
	requests int
}

// posted is a message that a reader has.
type posted struct {
	number   string
	delivery core.DeliveryID
	at       time.Time
	forgets  time.Time // when its nonce is forgotten
	notices  map[core.NoticeID]bool
}

// nonceForgotten is when Discord forgets a nonce: it says "some minutes".
const nonceForgotten = time.Minute

const requestLimit = 10 * time.Second

var errAnswer = errors.New("no answer from Discord")

// sender sends the messages of one process. It decides as bot/notices does.
type sender struct {
	*discord
	process *process
}

// SendDM implements channels.DMSender.
func (s sender) SendDM(ctx context.Context, d channels.Delivery) (notify.SentDM, error) {
	channel := fmt.Sprintf("channel of %d", d.To.User)
	if d.ChannelID == "" && d.To.ChannelID == "" {
		if err := s.request(ctx, d.To.User, func() error {
			if !s.open[d.To.User] && s.w.chance(0.02) {
				return &channels.RetryLater{After: openPause}
			}
			s.open[d.To.User] = true
			return nil
		}); err != nil {
			return notify.SentDM{}, err
		}
	}
	if d.FindOnly {
		found, err := s.find(ctx, d)
		return notify.SentDM{ChannelID: channel, MessageID: found}, err
	}
	if d.MessageID != "" {
		err := s.request(ctx, d.To.User, func() error { return s.edit(d) })
		return notify.SentDM{ChannelID: channel, MessageID: d.MessageID}, err
	}
	if d.Uncertain {
		found, err := s.find(ctx, d)
		if err != nil || found != "" {
			return notify.SentDM{ChannelID: channel, MessageID: found}, err
		}
	}
	var sent string
	err := s.request(ctx, d.To.User, func() (err error) {
		sent, err = s.post(d)
		return err
	})
	return notify.SentDM{ChannelID: channel, MessageID: sent}, err
}

// openPause is how long no conversation is opened after Discord said that they were opened too fast.
const openPause = 10 * time.Minute

// request does something at Discord after a while, if it arrives, and says what is known of it after a while.
func (s sender) request(ctx context.Context, reader core.UserID, do func() error) error {
	s.requests++
	w := s.w
	if wait := time.Until(s.limited); wait > 0 {
		return &channels.RetryLater{After: wait}
	}
	there, back := w.between(20*time.Millisecond, 300*time.Millisecond), w.between(20*time.Millisecond, 300*time.Millisecond)
	killed, lost, refused, limit := w.chance(0.002), w.chance(0.003), w.chance(0.003), w.chance(0.003)
	if w.calm() {
		killed, lost, refused, limit = false, false, false, false
	}
	arrives, hang := w.chance(0.5), w.chance(0.3)
	after := w.between(time.Second, 40*time.Second)
	if killed {
		w.killAfter(s.process, w.between(0, there+back))
	}
	if err := pause(ctx, there); err != nil {
		if arrives {
			_ = do()
		}
		return err
	}
	var err error
	down := s.down || s.failing == reader
	switch {
	case limit:
		return errors.Join(pause(ctx, back), &channels.RetryLater{After: after})
	case refused || down && !arrives:
		err = errAnswer
	case down || lost:
		_ = do()
		err = errAnswer
	default:
		err = do()
	}
	if errors.Is(err, errAnswer) {
		w.unknown[reader] = time.Now()
		if hang {
			back = requestLimit
		}
	}
	if gone := pause(ctx, back); gone != nil {
		return gone
	}
	return err
}

func pause(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// post makes a message, or finds the one with its nonce.
func (d *discord) post(of channels.Delivery) (string, error) {
	if d.closed[of.To.User] {
		return "", &notify.Undeliverable{Reason: "closed", Closed: true}
	}
	if known := d.nonces[of.Nonce()]; known != nil && time.Now().Before(known.forgets) {
		return known.number, nil
	}
	p := &posted{number: fmt.Sprint(len(d.messages) + 1), delivery: of.ID, at: time.Now(),
		forgets: time.Now().Add(nonceForgotten + d.w.between(0, 2*time.Minute)), notices: map[core.NoticeID]bool{}}
	d.messages, d.nonces[of.Nonce()] = append(d.messages, p), p
	for _, n := range of.Notices {
		p.notices[n.ID] = true
		d.w.said(n, p)
	}
	return p.number, nil
}

func (d *discord) edit(of channels.Delivery) error {
	if d.closed[of.To.User] {
		return &notify.Undeliverable{Reason: "closed", Closed: true}
	}
	for _, p := range d.messages {
		if p.number == of.MessageID {
			for _, n := range of.Notices {
				if !p.notices[n.ID] {
					p.notices[n.ID] = true
					d.w.said(n, p)
				}
			}
		}
	}
	return nil
}

// find looks for a message as bot/notices does: since its first attempt, and among the latest of its channel.
func (s sender) find(ctx context.Context, of channels.Delivery) (found string, err error) {
	err = s.request(ctx, of.To.User, func() error {
		for _, p := range s.messages {
			if p.delivery == of.ID {
				found = p.number
			}
		}
		return nil
	})
	return found, err
}
