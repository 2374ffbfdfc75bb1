package bot

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tradepost/core"
)

const (
	boardsEvery   = 2 * time.Second
	boardBatch    = 20
	boardTroubled = 5 * time.Minute // between tries where nothing can be shown
	boardNonce    = time.Minute     // for so long Discord surely knows the nonce of a message
)

// boardKeeper brings the boards in line with the market, again and again: it looks at what is and what should be, and
// remembers nothing but when to leave a channel alone. Only the holder of the gateway runs one.
type boardKeeper struct {
	*Bot
	notBefore map[string]time.Time // by channel, of the machine's clock
}

func (b *Bot) keepBoards(ctx context.Context) {
	k := boardKeeper{b, map[string]time.Time{}}
	tick := time.NewTicker(boardsEvery)
	defer tick.Stop()
	for {
		if err := k.all(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("boards not kept", "error", err)
		}
		select {
		case <-tick.C:
		case <-b.boardsMoved:
		case <-ctx.Done():
			return
		}
	}
}

func (k boardKeeper) all(ctx context.Context) error {
	boards, err := k.boards.Boards(ctx)
	if err != nil {
		return fmt.Errorf("list boards: %w", err)
	}
	for _, board := range boards {
		if time.Now().Before(k.notBefore[board.ChannelID]) {
			continue
		}
		if err := k.one(ctx, board); err != nil {
			if err := k.stumbled(ctx, board, err); err != nil {
				return err
			}
		} else if board.Trouble != "" {
			if _, err := k.boards.SetBoardTrouble(ctx, board.ChannelID, ""); err != nil {
				return fmt.Errorf("board %s: %w", board.ChannelID, err)
			}
		}
	}
	return nil
}

// one brings a board in line. It returns the first error; the next look goes on from there.
func (k boardKeeper) one(ctx context.Context, board core.Board) error {
	fresh, err := k.boards.OrdersForBoard(ctx, board.ChannelID, k.now(), boardBatch)
	if err != nil {
		return fmt.Errorf("orders for board: %w", err)
	}
	for _, o := range fresh {
		if err := k.boards.StartBoardPost(ctx, board.ChannelID, o, k.now()); err != nil {
			return fmt.Errorf("start post: %w", err)
		}
	}
	stale, err := k.boards.StaleBoardPosts(ctx, board.ChannelID, k.now(), boardBatch)
	if err != nil {
		return fmt.Errorf("stale posts: %w", err)
	}
	for _, p := range stale {
		if err := k.show(ctx, board, p); err != nil {
			return err
		}
	}
	return nil
}

// show sends or edits one message and notes what it shows.
func (k boardKeeper) show(ctx context.Context, board core.Board, p core.BoardPost) error {
	var order *core.Order
	o, err := k.boards.Order(ctx, p.OrderID)
	switch {
	case err == nil:
		order = &o
		p.ItemName, p.ShownVersion, p.ShownOpen, p.Finished = o.ItemName, o.Version, o.Open(k.now()), o.Status == core.Fulfilled
	case core.KindOf(err) == core.NotFound:
		p.ShownOpen, p.Finished = false, true
	default:
		return fmt.Errorf("order %d of board: %w", p.OrderID, err)
	}
	body := k.boardCard(tongueFor(board.Locale), p, order)
	switch {
	case p.MessageID != "":
		err = k.editMessage(ctx, p.ChannelID, p.MessageID, body)
		if isCode(err, codeUnknownMessage) {
			p.Finished, err = true, nil // somebody deleted it, and wants it gone
		}
	case !p.ShownOpen:
		p.Finished = true // closed before it was shown
	default:
		p.MessageID, err = k.post(ctx, p, body)
	}
	if err != nil {
		return err
	}
	if err := k.boards.SaveBoardPost(ctx, p); err != nil {
		return fmt.Errorf("note post %d: %w", p.ID, err)
	}
	return nil
}

// post sends a message once, even when an earlier attempt may have sent it without our learning of it.
func (k boardKeeper) post(ctx context.Context, p core.BoardPost, body message) (messageID string, err error) {
	if k.now().Sub(p.StartedAt) > boardNonce {
		sent, err := k.findMessage(ctx, p.ChannelID, on("make-offer", p.OrderID), time.Time{})
		if err != nil && !isCode(err, codeMissingPermissions, codeMissingAccess) {
			return "", err
		}
		if sent != "" {
			return sent, k.editMessage(ctx, p.ChannelID, sent, body)
		}
	}
	body.Nonce, body.EnforceNonce = fmt.Sprintf("board-%d", p.ID), true
	return k.sendMessage(ctx, p.ChannelID, body)
}

// stumbled decides when to look at a board again after something went wrong. Its maker is told once of what they can mend.
func (k boardKeeper) stumbled(ctx context.Context, board core.Board, why error) error {
	wait := boardsEvery
	var refused *restError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !errors.As(why, &refused):
	case isCode(why, codeUnknownChannel):
		k.log.Info("a board's channel is gone", "channel", board.ChannelID)
		if _, err := k.boards.RemoveBoard(ctx, board.ChannelID); err != nil {
			return fmt.Errorf("remove board: %w", err)
		}
		return nil
	case isCode(why, codeMissingAccess, codeMissingPermissions):
		wait = boardTroubled
		news, err := k.boards.SetBoardTrouble(ctx, board.ChannelID, cannotPostHere)
		if err != nil {
			return fmt.Errorf("note trouble of board: %w", err)
		}
		if news {
			k.complain(ctx, board)
		}
	case refused.Status == http.StatusTooManyRequests:
		wait = max(wait, refused.After)
	case refused.Status < 500:
		wait = boardTroubled
	}
	k.log.Warn("board not kept", "channel", board.ChannelID, "error", why, "wait", wait)
	k.notBefore[board.ChannelID] = time.Now().Add(wait)
	return nil
}

// complain tells the maker of a board that nothing can be shown on it. When they cannot be reached, the log knows.
func (k boardKeeper) complain(ctx context.Context, board core.Board) {
	box, err := k.boards.Mailbox(ctx, board.Maker)
	if err == nil {
		say := tongueFor(box.Locale)
		body := Reply{text: say.text(msgBoardTrouble, safe("<#"+board.ChannelID+">"), say.sentence(cannotPostHere))}.message()
		channel := box.ChannelID
		if channel == "" {
			channel, err = k.openDM(ctx, box.DiscordID)
		}
		if err == nil {
			body.Nonce, body.EnforceNonce = "b-"+board.ChannelID, true
			_, err = k.sendMessage(ctx, channel, body)
		}
	}
	if err != nil {
		k.log.Warn("a board's maker could not be told of its trouble", "channel", board.ChannelID, "error", err)
	}
}
