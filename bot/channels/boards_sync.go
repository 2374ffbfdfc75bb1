package channels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// boardSync brings the boards in line with the market in every pass: it compares what is shown with what
// should be.
type boardSync struct {
	Channels
	*channelsync.Sync
	turn  *int                           // by how many boards the last edits were ahead of the first board
	roles map[string]channels.PingServer // that messages of boards may name, in the present pass
}

// NewBoardSync returns the loops of boards, shared cards, roles to ping and unmet demand.
func NewBoardSync(k *kernel.Kernel, store Store, s *channelsync.Sync) boardSync {
	return boardSync{Channels: New(k, store), Sync: s, turn: new(int)}
}

// KeepBoards brings the boards in line. New posts of every board come before the edits of any, which end
// with their turn: the next pass goes on with the boards behind, after what is new.
func (k boardSync) KeepBoards(ctx context.Context) error {
	boards, err := k.boards.Boards(ctx)
	if err != nil {
		return fmt.Errorf("list boards: %w", err)
	}
	if k.roles, err = k.pinged(ctx); err != nil {
		return err
	}
	held := k.Edits.Held(k.Now())
	edits, read := make([][]channels.BoardPost, len(boards)), make([]bool, len(boards))
	for i, board := range boards {
		if k.Paused(board.ChannelID) {
			continue
		}
		if edits[i], err = k.showNew(ctx, board, held); err == nil {
			read[i] = true
		} else if err := k.handleError(ctx, board, err); err != nil {
			return err
		}
	}
	began := time.Now()
	for range boards {
		if time.Since(began) > channelsync.PassEvery {
			break
		}
		i := *k.turn % len(boards)
		*k.turn = i + 1
		if !read[i] {
			continue
		}
		if err := k.showChanges(ctx, boards[i], edits[i]); err != nil {
			return err
		}
	}
	return nil
}

// newPostsPause is the key of channelSync.notBefore for new messages in a channel. No channel is called
// like that.
func newPostsPause(channel string) string { return "new " + channel }

// showNew sends new requests to a board. It returns the posts with messages to edit.
func (k boardSync) showNew(
	ctx context.Context, board channels.Board, held channels.HeldEdits,
) (edits []channels.BoardPost, err error) {
	fresh, err := k.boards.OrdersForBoard(ctx, board.ChannelID, k.Now(), channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("orders for board: %w", err)
	}
	for _, o := range fresh {
		// Requests that were open before the board are listed in order: each in a message of its own, as in
		// a forum.
		alone := board.Forum || o.CreatedAt.Before(board.CreatedAt)
		if err := k.boards.StartBoardPost(ctx, board.ChannelID, o, alone, k.Now()); err != nil {
			return nil, fmt.Errorf("start post: %w", err)
		}
	}
	stale, err := k.boards.StaleBoardPosts(ctx, board.ChannelID, held, k.Now(), channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("stale posts: %w", err)
	}
	sent := slices.IndexFunc(stale, func(p channels.BoardPost) bool { return p.MessageID != "" })
	if sent < 0 {
		sent = len(stale)
	}
	if sent > 0 && !k.Paused(newPostsPause(board.ChannelID)) {
		err = k.showPosts(ctx, board, stale[:sent])
		if wait := discord.RetryAfter(err); wait > 0 && !discord.IsUnauthorized(err) {
			k.Log.Warn("boards: new posts wait", "channel", board.ChannelID, "error", err, "wait", wait)
			k.Pause(newPostsPause(board.ChannelID), wait)
			err = nil
		}
	}
	return stale[sent:], err
}

// showChanges edits messages of a board.
func (k boardSync) showChanges(ctx context.Context, board channels.Board, edits []channels.BoardPost) error {
	if err := k.showPosts(ctx, board, edits); err != nil {
		return k.handleError(ctx, board, err)
	}
	if board.Problem == "" {
		return nil
	}
	if _, err := k.boards.SetBoardTrouble(ctx, board.ChannelID, ""); err != nil {
		return fmt.Errorf("board %s: %w", board.ChannelID, err)
	}
	return nil
}

// showPosts brings posts of a board in line. It returns the first error; the next pass goes on from there.
func (k boardSync) showPosts(
	ctx context.Context, board channels.Board, posts []channels.BoardPost,
) (err error) {
	drawn := map[int64]bool{}
	for _, p := range posts {
		switch {
		case board.Forum:
			err = k.showPost(ctx, board, p)
		case p.MessageOf == 0:
			err = k.show(ctx, board, p)
		case !drawn[p.MessageOf]:
			drawn[p.MessageOf] = true
			err = k.showGrouped(ctx, board, p.MessageOf)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// show sends or edits one message and stores the state that it shows.
func (k boardSync) show(ctx context.Context, board channels.Board, p channels.BoardPost) error {
	shown := p.ShownOpen
	order, err := k.update(ctx, &p)
	if err != nil {
		return err
	}
	if err := k.deleteReplaced(ctx, &p); err != nil {
		return k.EditFailed(p.MessageID, err)
	}
	var poster people.Account
	if order != nil {
		poster = k.Account(ctx, order.Owner)
	}
	body := k.BoardCard(k.Translator(board.Locale), p, order, poster, k.pingsIn(ctx, p))
	switch {
	case p.MessageID != "":
		var gone bool
		gone, err = k.redraw(ctx, &p, shown != p.ShownOpen, body)
		p.Finished = p.Finished || gone
	case !p.ShownOpen:
		p.Finished = true // closed before it was shown
	default:
		if p.MessageID, err = k.post(ctx, p, discord.NewCustomID("make-offer", p.OrderID), body); err != nil {
			return err
		}
	}
	if err != nil {
		return k.EditFailed(p.MessageID, err)
	}
	return k.save(ctx, p)
}

// redraw edits a message of a board, and reports whether a user has deleted it. A message that turns and
// has to wait long for its edit is sent again; the old one is deleted afterwards.
func (k boardSync) redraw(
	ctx context.Context, p *channels.BoardPost, turns bool, body discord.Message,
) (gone bool, err error) {
	gone, err = k.Edit(ctx, p.ChannelID, p.MessageID, body)
	if !errors.Is(err, channelsync.ErrEditWaits) || !turns ||
		k.Edits.Wait(p.MessageID, true, k.Now()) <= channelsync.RepostAfter {
		return gone, err
	}
	thread, err := k.Discord.IsThread(ctx, p.ChannelID)
	if err != nil {
		return false, err
	}
	if thread {
		k.Edits.Stays(p.MessageID)
		return false, channelsync.ErrEditWaits
	}
	body.PingRoles = nil
	sent, err := k.Discord.SendMessage(ctx, p.ChannelID, body, p.RepostNonce())
	if err != nil {
		return false, err
	}
	k.Log.Info("boards: posted again", "channel", p.ChannelID, "message", p.MessageID, "as", sent)
	p.Replaced, p.MessageID = p.MessageID, sent
	k.WakeSync() // the next pass deletes the old one
	return false, nil
}

// deleteReplaced deletes the message that a newer one of the post stands in for.
func (k boardSync) deleteReplaced(ctx context.Context, p *channels.BoardPost) error {
	if p.Replaced == "" {
		return nil
	}
	if err := k.Discord.DeleteMessage(ctx, p.ChannelID, p.Replaced); err != nil {
		return err
	}
	p.Replaced = ""
	return nil
}

// update sets what a post shows to what its order is now. It returns nil for an order that was deleted.
func (k boardSync) update(ctx context.Context, p *channels.BoardPost) (*trade.Order, error) {
	o, err := k.boards.Order(ctx, p.OrderID)
	switch {
	case err == nil:
		p.ItemName, p.ShownVersion, p.ShownOpen, p.Finished = o.ItemName, o.Version, o.Open(k.Now()),
			o.Status == trade.Fulfilled
		return &o, nil
	case core.KindOf(err) == core.NotFound:
		p.ShownOpen, p.Finished = false, true
		return nil, nil
	}
	return nil, fmt.Errorf("order %d of board: %w", p.OrderID, err)
}

func (k boardSync) save(ctx context.Context, p channels.BoardPost) error {
	p.Finished = p.Finished && p.Replaced == ""
	if err := k.boards.SaveBoardPost(ctx, p); err != nil {
		return fmt.Errorf("note post %d: %w", p.ID, err)
	}
	return nil
}

// showGrouped sends or edits a message that several posts share, and stores the state that it shows of each.
func (k boardSync) showGrouped(ctx context.Context, board channels.Board, messageOf int64) error {
	all, err := k.boards.SharedBoardPosts(ctx, messageOf)
	if err != nil {
		return fmt.Errorf("shared posts: %w", err)
	}
	var (
		posts     []channels.BoardPost
		orders    []*trade.Order
		messageID string
		turns     bool
	)
	for _, p := range all {
		shown := p.ShownOpen
		order, err := k.update(ctx, &p)
		if err != nil {
			return err
		}
		turns = turns || p.MessageID != "" && shown != p.ShownOpen
		if err := k.deleteReplaced(ctx, &p); err != nil {
			return k.EditFailed(p.MessageID, err)
		}
		if p.MessageID == "" && !p.ShownOpen {
			p.Finished = true // closed before it was shown
			if err := k.save(ctx, p); err != nil {
				return err
			}
			continue
		}
		messageID = cmp.Or(messageID, p.MessageID)
		posts, orders = append(posts, p), append(orders, order)
	}
	if len(posts) == 0 {
		return nil
	}
	body := k.groupedCards(k.Translator(board.Locale), posts, orders, k.posterOf(ctx, orders),
		k.pingsIn(ctx, posts...))
	first, gone, lead := messageID == "", false, posts[0]
	if first {
		if messageID, err = k.post(ctx, all[0], openGrouped(messageOf), body); err != nil {
			return err
		}
	} else {
		lead.MessageID = messageID
		if gone, err = k.redraw(ctx, &lead, turns, body); err != nil {
			return k.EditFailed(messageID, err)
		}
		messageID, posts[0].Replaced = lead.MessageID, lead.Replaced
	}
	for _, p := range posts {
		p.MessageID, p.Finished = messageID, p.Finished || gone
		if first {
			// an earlier attempt may have sent fewer cards: the next pass edits the message
			p.ShownVersion = 0
		}
		if err := k.save(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// posterOf returns the account that posted the orders of one message: they have the same buyer.
func (k boardSync) posterOf(ctx context.Context, orders []*trade.Order) people.Account {
	for _, o := range orders {
		if o != nil {
			return k.Account(ctx, o.Owner)
		}
	}
	return people.Account{}
}

// post sends a message once, even when an earlier attempt may have sent it without our learning of it. No
// other message of the channel has the press.
func (k boardSync) post(
	ctx context.Context, p channels.BoardPost, by discord.CustomID, body discord.Message,
) (messageID string, err error) {
	if k.Now().Sub(p.StartedAt) > channelsync.NonceLifetime {
		sent, err := k.Discord.FindMessage(ctx, p.ChannelID, by, time.Time{})
		if err != nil && !discord.HasCode(err, discordgo.ErrCodeMissingPermissions,
			discordgo.ErrCodeMissingAccess) {
			return "", err
		}
		if sent != "" {
			return sent, k.Discord.EditMessage(ctx, p.ChannelID, sent, body)
		}
	}
	return k.Discord.SendMessage(ctx, p.ChannelID, body, p.Nonce())
}

// handleError decides when a board is tried again after an error. Its creator gets one message about what
// they can fix.
func (k boardSync) handleError(ctx context.Context, board channels.Board, why error) error {
	wait := channelsync.PassEvery
	var failed *discordgo.RESTError
	limit := discord.RetryAfter(why)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limit > 0:
		wait = max(wait, limit)
	case !errors.As(why, &failed):
	case discord.HasCode(why, discordgo.ErrCodeUnknownChannel):
		k.Log.Info("boards: channel deleted, board removed", "channel", board.ChannelID)
		return k.Market.Channels.EndBoard(ctx, board.GuildID, board.ChannelID)
	case discord.HasCode(why, discordgo.ErrCodeMissingAccess, discordgo.ErrCodeMissingPermissions,
		discord.CodeThreadLocked, discord.CodeTagRequired):
		wait = channelsync.TroublePause
		problem := kernel.CannotPostHere
		if discord.HasCode(why, discord.CodeTagRequired) {
			problem = tagNeeded
		}
		if in, err := k.Discord.IsInServer(ctx, board.GuildID); err == nil && !in {
			return k.serverLeft(ctx, board.GuildID)
		}
		news, err := k.boards.SetBoardTrouble(ctx, board.ChannelID, problem.English)
		if err != nil {
			return fmt.Errorf("note trouble of board: %w", err)
		}
		if news {
			k.notifyOwner(ctx, board, "b-"+board.ChannelID, func(t kernel.Translator) discord.Markdown {
				return t.Text(msg.BoardTrouble, kernel.MentionChannel(board.ChannelID), t.Core(problem))
			})
		}
	case failed.Response.StatusCode < 500:
		wait = channelsync.TroublePause
	}
	k.Log.Warn("boards: sync failed", "channel", board.ChannelID, "error", why, "wait", wait)
	k.Pause(board.ChannelID, wait)
	return nil
}

// serverLeft ends what there is in a server that the bot is no longer in.
func (k boardSync) serverLeft(ctx context.Context, guildID string) error {
	k.Log.Info("boards: no longer in the server, its boards and pings removed", "server", guildID)
	return k.Market.Channels.EndServer(ctx, guildID)
}

// notifyOwner sends the creator of a board a message. A failure is logged.
func (b Channels) notifyOwner(
	ctx context.Context, board channels.Board, nonce string, text func(kernel.Translator) discord.Markdown,
) {
	box, err := b.boards.Mailbox(ctx, board.CreatedBy)
	if err == nil {
		body := kernel.Reply{Text: text(b.Translator(box.Locale))}.Message()
		channel := box.ChannelID
		if channel == "" {
			channel, err = b.Discord.OpenDM(ctx, box.DiscordID)
		}
		if err == nil {
			_, err = b.Discord.SendMessage(ctx, channel, body, nonce)
		}
	}
	if err != nil {
		b.Log.Warn("boards: creator not notified", "channel", board.ChannelID, "error", err)
	}
}
