// Package channelsync keeps messages in Discord channels in step with the market.
//
// A Loop lists the things of one kind that do not show what they should: cards of boards, posts of forums,
// shared cards, messages of the report channel, threads of trades. A pass asks each Thing what it should show
// (Desired), sends it (Send) or edits its message (Edit), and has it store what it shows (Shown) or that it
// has ended (End). Only a Thing with Repost may be posted again. A limit of Discord's pauses a message, or
// what is new in a channel; any other failure pauses a Channel, or with Everything all things of the loop.
package channelsync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
)

// Pace and size of the passes.
const (
	PassEvery     = 2 * time.Second
	PassBatch     = 20
	TroublePause  = 5 * time.Minute // between tries where nothing can be shown
	NonceLifetime = time.Minute     // for so long Discord surely knows the nonce of a message
)

// Sync runs loops. It remembers only when to leave a channel or a message alone. Only the program with the
// gateway has one.
type Sync struct {
	client    *discord.Client
	log       *slog.Logger
	now       func() time.Time
	edits     *editPace
	notBefore map[string]time.Time // by the name of a pause, of the machine's clock
	turns     map[string]int       // by loop: by how many channels its last edits were ahead of the first
}

// New returns a Sync. It allows one edit in editEvery for an old message where only a count changed.
func New(client *discord.Client, log *slog.Logger, now func() time.Time, editEvery time.Duration) *Sync {
	return &Sync{client: client, log: log, now: now, edits: newEditPace(editEvery),
		notBefore: map[string]time.Time{}, turns: map[string]int{}}
}

// Run makes passes of the loops in their order until ctx ends: every few seconds, and when wake has a signal.
func (s *Sync) Run(ctx context.Context, wake <-chan struct{}, loops ...Loop) {
	tick := time.NewTicker(PassEvery)
	defer tick.Stop()
	for {
		var err error
		for _, l := range loops {
			err = errors.Join(err, s.pass(ctx, l))
		}
		if err != nil && ctx.Err() == nil {
			level := slog.LevelError
			if core.KindOf(err) == core.Unavailable {
				level = slog.LevelWarn // it passes, as when the database is restarted
			}
			s.log.Log(ctx, level, "channels: sync failed", "error", err)
		}
		select {
		case <-tick.C:
		case <-wake:
		case <-ctx.Done():
			return
		}
	}
}

// Paused reports whether a pause goes on.
func (s *Sync) Paused(name string) bool { return time.Now().Before(s.notBefore[name]) }

// Pause begins a pause.
func (s *Sync) Pause(name string, wait time.Duration) { s.notBefore[name] = time.Now().Add(wait) }

// EditMessage edits a message, and reports whether it is gone: a user has deleted it, or the error is one of
// those that mean as much for it. An edit that Discord does not take is not repeated: the message stays as it
// is until what it shows changes again.
func (s *Sync) EditMessage(
	ctx context.Context, channelID, messageID string, body discord.Message, goneAfter func(error) bool,
) (gone bool, err error) {
	err = s.client.EditMessage(ctx, channelID, messageID, body)
	switch {
	case discord.IsInvalid(err):
		s.log.Error("edit rejected", "channel", channelID, "message", messageID, "error", err)
		return false, nil
	case discord.HasCode(err, discordgo.ErrCodeUnknownMessage), goneAfter != nil && goneAfter(err):
		return true, nil
	}
	return false, err
}

// ChannelGone reports whether an error says that the channel was deleted.
func ChannelGone(err error) bool { return discord.HasCode(err, discordgo.ErrCodeUnknownChannel) }

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
		sent, err := s.Sent(ctx, m)
		if err != nil {
			return "", err
		}
		if sent != "" {
			return sent, s.client.EditMessage(ctx, m.ChannelID, sent, body)
		}
	}
	return s.client.SendMessage(ctx, m.ChannelID, body, m.Nonce)
}

// Sent returns the message that an earlier attempt has sent, also without our learning of it; empty for none,
// and where the bot may not read the channel.
func (s *Sync) Sent(ctx context.Context, m Once) (messageID string, err error) {
	messageID, err = s.client.FindMessage(ctx, m.ChannelID, m.Press, m.Since)
	if discord.HasCode(err, discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeMissingAccess) {
		return "", nil
	}
	return messageID, err
}
