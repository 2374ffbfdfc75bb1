package kernel

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
	msg "tradepost/core/text"
)

// back shows a view again.
func (k *Kernel) back(ctx context.Context, in Input) (Reply, error) {
	return k.Redraw(ctx, in, in.ID.Word(0), "")
}

// A view names what a message shows, so that it can be drawn again from the database after something was
// done on it. It is a word in a custom_id: a letter, and numbers parted by dots.

// DeliveryView is the view of a direct message.
func DeliveryView(id core.DeliveryID) string { return fmt.Sprintf("d%d", id) }

// OrderView is the view of a request.
func OrderView(id core.OrderID) string { return fmt.Sprintf("o%d", id) }

// Redraw shows the current view under a note on what was done.
func (k *Kernel) Redraw(ctx context.Context, in Input, view string, note discord.Markdown) (Reply, error) {
	reply, err := k.draw(ctx, in, view, note)
	switch {
	case core.KindOf(err) == core.NotFound && note != "":
		reply, err = Private(note), nil // what it showed is gone, as the note says
	case err != nil && note != "":
		// The action succeeded although it cannot be drawn. The message stays: its buttons lead to the same
		// answer.
		k.Log.Warn("message not redrawn", "view", view, "error", err)
		return Private(note), nil
	}
	reply.Redraw = true
	return reply, err
}

func (k *Kernel) draw(ctx context.Context, in Input, view string, note discord.Markdown) (Reply, error) {
	kind, first, second := ParseView(view)
	if draw := k.Table.Views[kind]; draw != nil {
		return draw(ctx, in, first, second, note)
	}
	if note == "" {
		note = in.Tr.Text(msg.Outdated) // Discord takes no empty message
	}
	return Private(note), nil
}

// ParseView reads a view. An unknown one is 0.
func ParseView(view string) (kind byte, first, second int64) {
	if view == "" {
		return 0, 0, 0
	}
	a, b, _ := strings.Cut(view[1:], ".")
	first, err := strconv.ParseInt(a, 10, 64)
	if err != nil || first < 0 {
		return 0, 0, 0
	}
	if b != "" {
		if second, err = strconv.ParseInt(b, 10, 64); err != nil || second < 0 {
			return 0, 0, 0
		}
	}
	return view[0], first, second
}

// ErrorOn answers an error. When the state has changed, the message of the button is redrawn, so that it
// does not offer the same again.
func (k *Kernel) ErrorOn(ctx context.Context, in Input, view string, err error) (Reply, error) {
	switch core.KindOf(err) {
	case core.Conflict, core.NotFound, core.Invalid:
	case core.Unauthenticated, core.Forbidden, core.TooMany, core.Unavailable:
		return Reply{}, err
	default:
		return Reply{}, err
	}
	note := in.Tr.ErrorReply(err).Text
	if k.CommittedBefore(ctx, in, err) {
		note = in.Tr.Text(msg.SavedBefore)
	}
	drawn, drawErr := k.Redraw(ctx, in, view, note)
	if drawErr != nil {
		return Reply{}, err
	}
	return drawn, nil
}
