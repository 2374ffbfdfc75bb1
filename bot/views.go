package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// A view names what a message shows, so that it can be drawn again from the database after something was done on it. It
// is a word in a custom_id: a letter, and numbers parted by dots.

func deliveryView(id core.DeliveryID) string { return fmt.Sprintf("d%d", id) }

func orderView(id core.OrderID) string { return fmt.Sprintf("o%d", id) }

func offersView(id core.OrderID, page int) string { return fmt.Sprintf("l%d.%d", id, page) }

// waitingView is the list of received offers after a place.
func waitingView(after core.ReceivedPlace) string {
	return fmt.Sprintf("w%d.%d", after.Order, after.Offer)
}

// sentView is a part of one's own offers below an id.
func sentView(before core.OfferID, part core.SentPart) string {
	return fmt.Sprintf("s%d.%d", before, slices.Index(sentParts, part))
}

// namesView is the list of names that wait for a moderator, after one.
func namesView(after core.ItemID) string { return fmt.Sprintf("n%d", after) }

func reportsView(before core.ReportID) string { return fmt.Sprintf("q%d", before) }

// channelView is a message in the report channel.
func channelView(messageOf int64) string { return fmt.Sprintf("c%d", messageOf) }

func reportView(id core.ReportID) string { return fmt.Sprintf("r%d", id) }

// redraw shows the current view under a note on what was done.
func (k *Kernel) redraw(ctx context.Context, in Input, view string, note discord.Markdown) (Reply, error) {
	reply, err := k.draw(ctx, in, view, note)
	switch {
	case core.KindOf(err) == core.NotFound && note != "":
		reply, err = private(note), nil // what it showed is gone, as the note says
	case err != nil && note != "":
		// What was done is true although it cannot be drawn. The message stays: its buttons lead to the same answer.
		k.log.Warn("message not redrawn", "view", view, "error", err)
		return private(note), nil
	}
	reply.redraw = true
	return reply, err
}

func (k *Kernel) draw(ctx context.Context, in Input, view string, note discord.Markdown) (Reply, error) {
	kind, first, second := parseView(view)
	if draw := k.routes.views[kind]; draw != nil {
		return draw(ctx, in, first, second, note)
	}
	if note == "" {
		note = in.tr.text(msg.Outdated) // Discord takes no empty message
	}
	return private(note), nil
}

// parseView reads a view. An unknown one is 0.
func parseView(view string) (kind byte, first, second int64) {
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

// errorOn answers an error. When the state has changed, the message of the button is redrawn, so that it does not offer the
// same again.
func (k *Kernel) errorOn(ctx context.Context, in Input, view string, err error) (Reply, error) {
	switch core.KindOf(err) {
	case core.Conflict, core.NotFound, core.Invalid:
	case core.Unauthenticated, core.Forbidden, core.TooMany, core.Unavailable:
		return Reply{}, err
	default:
		return Reply{}, err
	}
	note := in.tr.errorReply(err).text
	if k.committedBefore(ctx, in, err) {
		note = in.tr.text(msg.SavedBefore)
	}
	drawn, drawErr := k.redraw(ctx, in, view, note)
	if drawErr != nil {
		return Reply{}, err
	}
	return drawn, nil
}
