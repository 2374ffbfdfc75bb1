package bot

import (
	"context"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
)

const (
	passEvery     = 2 * time.Second
	passBatch     = 20
	troublePause  = 5 * time.Minute // between tries where nothing can be shown
	nonceLifetime = time.Minute     // for so long Discord surely knows the nonce of a message
)

// channelSync is shared by the loops that keep messages in channels in line with the market. It remembers only when to
// leave a channel or a message alone. Only the program with the gateway runs them.
type channelSync struct {
	kernel    *Kernel
	notBefore map[string]time.Time // by channel, of the machine's clock
	edits     *editPace
}

func newChannelSync(k *Kernel, editEvery time.Duration) *channelSync {
	return &channelSync{kernel: k, notBefore: map[string]time.Time{}, edits: newEditPace(editEvery)}
}

// wakeSync begins a pass over the channels now, because a board or an order has changed here.
func (k *Kernel) wakeSync() {
	select {
	case k.wake <- struct{}{}:
	default: // a pass is about to begin
	}
}

func (s *channelSync) paused(channel string) bool { return time.Now().Before(s.notBefore[channel]) }

func (s *channelSync) pause(channel string, wait time.Duration) {
	s.notBefore[channel] = time.Now().Add(wait)
}

// errEditWaits says that a message is left as it is for now. The wait is this message's alone.
var errEditWaits = errors.New("the edit waits")

// edit edits a message unless that has to wait, and reports whether a user has deleted it: that was on purpose, so it is not sent again.
// An edit that Discord does not take is not repeated: the message stays as it is until what it shows changes again.
func (s *channelSync) edit(ctx context.Context, channelID, messageID string, body discord.Message) (gone bool, err error) {
	if s.edits.wait(messageID, true, s.kernel.now()) > 0 {
		return false, errEditWaits
	}
	err = s.kernel.discord.EditMessage(ctx, channelID, messageID, body)
	switch {
	case err == nil:
		s.edits.edited(messageID, s.kernel.now())
	case discord.HasCode(err, discordgo.ErrCodeUnknownMessage):
		return true, nil
	case discord.IsInvalid(err):
		s.kernel.log.Error("boards: edit rejected", "channel", channelID, "message", messageID, "error", err)
		return false, nil
	}
	return false, err
}

// editFailed decides about a message that could not be edited. It returns an error that is about more than this message.
func (s *channelSync) editFailed(messageID string, err error) error {
	if errors.Is(err, errEditWaits) {
		return nil
	}
	if wait := s.edits.failed(messageID, err, s.kernel.now()); wait > 0 {
		s.kernel.log.Info("boards: edit waits", "message", messageID, "error", err, "wait", wait)
		return nil
	}
	return err
}
