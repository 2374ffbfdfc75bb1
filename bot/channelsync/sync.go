// Package channelsync keeps messages in Discord channels in step with the market.
package channelsync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
)

// Pace and size of the passes that update messages in channels.
const (
	PassEvery     = 2 * time.Second
	PassBatch     = 20
	TroublePause  = 5 * time.Minute // between tries where nothing can be shown
	NonceLifetime = time.Minute     // for so long Discord surely knows the nonce of a message
)

// Sync is shared by the loops that keep messages in channels in line with the market. It remembers only
// when to leave a channel or a message alone. Only the program with the gateway runs them.
type Sync struct {
	client    *discord.Client
	log       *slog.Logger
	now       func() time.Time
	notBefore map[string]time.Time // by channel, of the machine's clock
	Edits     *editPace
}

// New returns pauses for the loops of one program. It allows one edit in editEvery for an old message
// where only a count changed.
func New(client *discord.Client, log *slog.Logger, now func() time.Time, editEvery time.Duration) *Sync {
	return &Sync{client: client, log: log, now: now, notBefore: map[string]time.Time{},
		Edits: newEditPace(editEvery)}
}

// Paused reports whether a channel is left alone at present.
func (s *Sync) Paused(channel string) bool { return time.Now().Before(s.notBefore[channel]) }

// Pause leaves a channel alone for a while.
func (s *Sync) Pause(channel string, wait time.Duration) {
	s.notBefore[channel] = time.Now().Add(wait)
}

// ErrEditWaits is the error for a message that stays as it is for now. The wait applies to this message
// alone.
var ErrEditWaits = errors.New("the edit waits")

// Edit edits a message unless that has to wait, and reports whether a user has deleted it: that was on
// purpose, so it is not sent again. An edit that Discord does not take is not repeated: the message stays
// as it is until what it shows changes again.
func (s *Sync) Edit(
	ctx context.Context, channelID, messageID string, body discord.Message,
) (gone bool, err error) {
	if s.Edits.Wait(messageID, true, s.now()) > 0 {
		return false, ErrEditWaits
	}
	err = s.client.EditMessage(ctx, channelID, messageID, body)
	switch {
	case err == nil:
		s.Edits.edited(messageID, s.now())
	case discord.HasCode(err, discordgo.ErrCodeUnknownMessage):
		return true, nil
	case discord.IsInvalid(err):
		s.log.Error("boards: edit rejected", "channel", channelID, "message", messageID, "error", err)
		return false, nil
	}
	return false, err
}

// EditFailed decides about a message that could not be edited. It returns an error that is about more than
// this message.
func (s *Sync) EditFailed(messageID string, err error) error {
	if errors.Is(err, ErrEditWaits) {
		return nil
	}
	if wait := s.Edits.Failed(messageID, err, s.now()); wait > 0 {
		s.log.Info("boards: edit waits", "message", messageID, "error", err, "wait", wait)
		return nil
	}
	return err
}
