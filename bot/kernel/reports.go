package kernel

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
)

// ReportOn is the subject of a report: an order, an offer on one of the actor's own, or a listing.
type ReportOn struct {
	Order   core.OrderID
	Offer   core.OfferID
	Listing core.StockID
}

// Press returns the custom ID of a component about the reported thing.
func (r ReportOn) Press(action string, more ...any) discord.CustomID {
	if r.Offer != 0 {
		return discord.NewCustomID(action, append([]any{"offer", r.Offer}, more...)...)
	}
	if r.Listing != 0 {
		return discord.NewCustomID(action, append([]any{"listing", r.Listing}, more...)...)
	}
	return discord.NewCustomID(action, append([]any{"order", r.Order}, more...)...)
}

// AskWhy asks for the reason of a report, a removal or a block. typed is the draft of an earlier answer, 0
// for none.
func (k *Kernel) AskWhy(
	ctx context.Context, in Input, to discord.CustomID, title, hint msg.Key, typed int64,
) (Reply, error) {
	reason := ""
	if typed > 0 {
		d, err := k.LoadDraft(ctx, in, typed)
		if err != nil {
			return Reply{}, err
		}
		reason = d.Options["reason"]
	}
	return Reply{Form: &discord.Modal{ID: to, Title: in.Tr.Plain(title), Fields: []discord.Field{{
		Name: "reason", Label: in.Tr.Plain(msg.FieldReason), Hint: in.Tr.Plain(hint), Value: reason,
		Long: true, MaxLength: core.MaxReason,
	}}}}, nil
}

// WhyAgain returns an invalid reason to the user who typed it.
func (k *Kernel) WhyAgain(
	ctx context.Context, in Input, reply Reply, err error, again func(typed int64) discord.CustomID,
) (Reply, error) {
	var failed *core.Error
	if !errors.As(err, &failed) || failed.Kind != core.Invalid || core.KeyReused(err) {
		return reply, err
	}
	typed, keepErr := k.Keep(ctx, in, Draft{Options: in.Fields})
	if keepErr != nil {
		return Reply{}, keepErr
	}
	reply = in.Tr.ErrorReply(err)
	reply.Rows = append(reply.Rows, Row(Button(again(typed), discordgo.PrimaryButton,
		in.Tr.Plain(msg.EditAgain))))
	return reply, nil
}
