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
	turns     map[string]int       // by loop: by how many channels its last edits were ahead of the first
	Edits     *editPace
}

// New returns pauses for the loops of one program. It allows one edit in editEvery for an old message
// where only a count changed.
func New(client *discord.Client, log *slog.Logger, now func() time.Time, editEvery time.Duration) *Sync {
	return &Sync{client: client, log: log, now: now, notBefore: map[string]time.Time{},
		turns: map[string]int{}, Edits: newEditPace(editEvery)}
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

// EditMessage edits a message, and reports whether a user has deleted it. An edit that Discord does not take
// is not repeated: the message stays as it is until what it shows changes again.
func (s *Sync) EditMessage(
	ctx context.Context, channelID, messageID string, body discord.Message,
) (gone bool, err error) {
	err = s.client.EditMessage(ctx, channelID, messageID, body)
	if discord.IsInvalid(err) {
		s.log.Error("edit rejected", "channel", channelID, "message", messageID, "error", err)
		return false, nil
	}
	if discord.HasCode(err, discordgo.ErrCodeUnknownMessage) {
		return true, nil
	}
	return false, err
}

// Once describes a message that is sent once.
type Once struct {
	ChannelID string
	Nonce     string           // a repeat makes no second message while Discord knows it
	Press     discord.CustomID // of the message, and of no other in the channel
	StartedAt time.Time        // when an attempt was first made; zero for never
	Since     time.Time        // no earlier message has the press; zero to search the last messages
}

// SendOnce sends a message, or brings up to date the one that an earlier attempt has sent without our
// learning of it. Where the bot may not read the channel it sends the message.
func (s *Sync) SendOnce(
	ctx context.Context, m Once, body discord.Message,
) (messageID string, err error) {
	if !m.StartedAt.IsZero() && s.now().Sub(m.StartedAt) > NonceLifetime {
		sent, err := s.client.FindMessage(ctx, m.ChannelID, m.Press, m.Since)
		if err != nil && !discord.HasCode(err, discordgo.ErrCodeMissingPermissions,
			discordgo.ErrCodeMissingAccess) {
			return "", err
		}
		if sent != "" {
			return sent, s.client.EditMessage(ctx, m.ChannelID, sent, body)
		}
	}
	return s.client.SendMessage(ctx, m.ChannelID, body, m.Nonce)
}
