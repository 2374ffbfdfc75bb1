package kernel

import (
	"context"
	"log/slog"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/core/text"
)

const deferredUpdate = discordgo.InteractionResponseDeferredMessageUpdate

// deferredResponse is an answer that was deferred.
type deferredResponse struct {
	k    *Kernel
	kind discordgo.InteractionResponseType
	// ours is false when the interaction was answered before: the event may have been delivered twice, or
	// to another program as well while one hands the gateway over.
	ours     bool
	public   bool   // everyone sees that an answer comes
	noticeID string // the follow-up about the unknown outcome; empty for none
}

// deferResponse sends Discord the deferral of an answer.
func (k *Kernel) deferResponse(ctx context.Context, log *slog.Logger, in Input, to Route) *deferredResponse {
	public := to.Public != nil && to.Public(in)
	body := discord.Defer(!public)
	if to.Redraws && in.Interaction.Message != nil {
		body = discord.DeferUpdate()
	}
	err := k.Discord.Respond(ctx, in.Interaction, body)
	repeated := discord.HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged)
	if err != nil && !repeated {
		log.Log(ctx, LevelOf(err), "deferral lost", "error", err)
	}
	return &deferredResponse{k: k, kind: body.Type, ours: !repeated, public: public}
}

// reportUnknown sends that it is not known yet whether the write has happened. It leaves a
// button's message unchanged: its buttons are safe to press again.
func (d *deferredResponse) reportUnknown(ctx context.Context, in Input) (err error) {
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	defer cancel()
	note := Private(in.Tr.Text(in.byKind(msg.UnknownAfterButton, msg.UnknownAfterCommand)))
	switch {
	case d.kind != deferredUpdate:
		return d.k.Discord.EditResponse(ctx, in.Interaction, note.Message())
	case d.ours:
		d.noticeID, err = d.k.Discord.FollowUp(ctx, in.Interaction, note.Message(), note.Flags())
	}
	return err
}

// complete sends the answer. Another replica may have deferred the same interaction and stopped since:
// complete then writes the answer into the same place a second time, but sends no second follow-up.
func (d *deferredResponse) complete(ctx context.Context, in Input, r Reply) error {
	ctx, cancel := context.WithTimeout(ctx, AnswerTime)
	defer cancel()
	switch {
	case d.kind != deferredUpdate && d.public && !r.Public && d.ours:
		// A public answer became an error, which concerns its user only.
		if err := d.k.Discord.DeleteResponse(ctx, in.Interaction); err != nil {
			return err
		}
		_, err := d.k.Discord.FollowUp(ctx, in.Interaction, r.Message(), r.Flags())
		return err
	case d.kind != deferredUpdate:
		return d.k.Discord.EditResponse(ctx, in.Interaction, r.Message())
	case !r.Redraw && d.noticeID != "":
		return d.k.Discord.EditFollowUp(ctx, in.Interaction, d.noticeID, r.Message())
	case !r.Redraw && !d.ours:
		return nil
	case !r.Redraw:
		_, err := d.k.Discord.FollowUp(ctx, in.Interaction, r.Message(), r.Flags())
		return err
	}
	err := d.k.Discord.EditResponse(ctx, in.Interaction, r.Message())
	if err == nil && d.noticeID != "" {
		err = d.k.Discord.EditFollowUp(ctx, in.Interaction, d.noticeID,
			Private(in.Tr.Text(msg.KnownNow)).Message())
	}
	return err
}

// byKind returns the message for a button, select or form, or the one for a command.
func (in Input) byKind(component, command msg.Key) msg.Key {
	if in.Interaction.IsCommand() || in.Interaction.Message == nil {
		return command
	}
	return component
}
