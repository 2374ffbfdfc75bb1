package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tradepost/core"
)

// A view names what a message shows, so that it can be drawn again from the database after something was done on it. It
// is a word in a custom_id: a letter, and numbers parted by dots.

func deliveryView(id core.DeliveryID) string { return fmt.Sprintf("d%d", id) }

func orderView(id core.OrderID) string { return fmt.Sprintf("o%d", id) }

func offersView(id core.OrderID, page int) string { return fmt.Sprintf("l%d.%d", id, page) }

func sentView(before core.OfferID) string { return fmt.Sprintf("s%d", before) }

func reportsView(before core.ReportID) string { return fmt.Sprintf("q%d", before) }

func reportView(id core.ReportID) string { return fmt.Sprintf("r%d", id) }

// redraw shows the view as it is now, under a note on what was done.
func (b *Bot) redraw(ctx context.Context, in Input, view string, note safe) (Reply, error) {
	reply, err := b.draw(ctx, in, view, note)
	if core.KindOf(err) == core.NotFound && note != "" {
		reply, err = private(note), nil // what it showed is gone, as the note says
	}
	reply.redraw = true
	return reply, err
}

func (b *Bot) draw(ctx context.Context, in Input, view string, note safe) (Reply, error) {
	kind, first, second := parseView(view)
	switch kind {
	case 'd':
		d, err := b.market.Delivery(ctx, in.Actor, core.DeliveryID(first))
		if err != nil {
			return Reply{}, err
		}
		return b.deliveryMessage(in.say, d, note), nil
	case 'o':
		return b.showOrder(ctx, in, core.OrderID(first), note)
	case 'l':
		return b.offersOn(ctx, in, core.OrderID(first), int(second), note)
	case 'q':
		return b.reportsBefore(ctx, in, core.ReportID(first), note)
	case 'r':
		return b.showReport(ctx, in, core.ReportID(first), note)
	case 's':
		return b.sentOffers(ctx, in, core.OfferID(first), note)
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

// refusedOn answers a refusal. When the market has moved on, the message that was pressed on is drawn anew, so that it does not
// offer the same again.
func (b *Bot) refusedOn(ctx context.Context, in Input, view string, err error) (Reply, error) {
	switch core.KindOf(err) {
	case core.Conflict, core.NotFound, core.Invalid:
	default:
		return Reply{}, err
	}
	drawn, drawErr := b.redraw(ctx, in, view, in.say.refusal(err).text)
	if drawErr != nil {
		return Reply{}, err
	}
	return drawn, nil
}
