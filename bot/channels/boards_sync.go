package channels

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// boardSync brings boards, shared cards, roles to ping and reports of unmet demand in line with the market.
type boardSync struct {
	Channels
	*channelsync.Sync
	roles map[string]channels.PingServer // that messages of boards may name, in the present pass
}

// Loops returns the loops of roles to ping, boards, roles of traders, shared cards and reports of unmet
// demand.
func Loops(k *kernel.Kernel, store Store, s *channelsync.Sync) []channelsync.Loop {
	b := boardSync{Channels: New(k, store), Sync: s}
	return []channelsync.Loop{
		{Name: "pings", Channels: b.pingServers},
		{Name: "boards", Channels: b.boardChannels},
		{Name: "roles of traders", Channels: b.traderRoles},
		{Name: "shared cards", Channels: channelsync.Everything(b.staleSharedCards)},
		{Name: "reports of unmet demand", Channels: b.dueWanted},
	}
}

func (k boardSync) boardChannels(ctx context.Context) ([]channelsync.Channel, error) {
	boards, err := k.boards.Boards(ctx)
	if err != nil {
		return nil, fmt.Errorf("list boards: %w", err)
	}
	if k.roles, err = k.pinged(ctx); err != nil {
		return nil, err
	}
	all := make([]channelsync.Channel, len(boards))
	for i, b := range boards {
		c := boardChannel{k, b}
		all[i] = channelsync.Channel{ID: b.ChannelID, Stale: c.stale, Refused: c.refused, Synced: c.synced}
	}
	return all, nil
}

// boardChannel keeps one board in step.
type boardChannel struct {
	boardSync
	board channels.Board
}

// stale starts the posts of new requests, and lists the messages that do not show theirs as they are.
func (k boardChannel) stale(
	ctx context.Context, held channels.HeldEdits,
) (things []channelsync.Thing, err error) {
	orders, err := k.boards.OrdersForBoard(ctx, k.board.ChannelID, k.Now(), channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("orders for board: %w", err)
	}
	for _, o := range orders {
		// Requests that were open before the board are listed in order: each in a message of its own, as in
		// a forum.
		alone := k.board.Forum || o.CreatedAt.Before(k.board.CreatedAt)
		if err := k.boards.StartBoardPost(ctx, k.board.ChannelID, o, alone, k.Now()); err != nil {
			return nil, fmt.Errorf("start post: %w", err)
		}
	}
	stale, err := k.boards.StaleBoardPosts(ctx, k.board.ChannelID, held, k.Now(), channelsync.PassBatch)
	if err != nil {
		return nil, fmt.Errorf("stale posts: %w", err)
	}
	listings, err := k.staleListings(ctx, held)
	if err != nil {
		return nil, err
	}
	stale = append(stale, listings...)
	drawn := map[int64]bool{}
	for _, p := range stale {
		if p.MessageOf != 0 && drawn[p.MessageOf] {
			continue
		}
		drawn[p.MessageOf] = true
		m := &boardMessage{boardChannel: k, first: p}
		thing := channelsync.Thing{Unsent: p.MessageID == "", Desired: m.desired,
			Send: m.send, Edit: m.edit, Repost: m.repost, Shown: m.shown, End: m.end}
		if k.board.Forum {
			thing.Send, thing.Edit, thing.Repost = m.sendPost, m.editPost, nil
		}
		things = append(things, thing)
	}
	return things, nil
}

// synced forgets the problem of a board that works again.
func (k boardChannel) synced(ctx context.Context) (err error) {
	if k.board.Problem != "" {
		_, err = k.boards.SetBoardTrouble(ctx, k.board.ChannelID, "")
	}
	return err
}

// boardMessage keeps a message of a board in step. It shows one post, or several that share it.
type boardMessage struct {
	boardChannel
	first     channels.BoardPost // the post for which the message was started, or its only one
	posts     []channels.BoardPost
	subjects  []boardSubject // of the posts
	messageID string         // empty before it was sent
	turned    bool           // it shows as open what is closed, or the other way round
}

func (m *boardMessage) desired(ctx context.Context) (_ *channelsync.Desired, err error) {
	listed := []channels.BoardPost{m.first}
	if m.first.MessageOf != 0 {
		if listed, err = m.boards.SharedBoardPosts(ctx, m.first.MessageOf); err != nil {
			return nil, fmt.Errorf("shared posts: %w", err)
		}
	}
	if len(listed) == 0 {
		return nil, nil // the board was removed meanwhile
	}
	m.first = listed[0]
	var owner core.UserID // of all orders, or listings
	turns := false
	for _, p := range listed {
		now, err := m.subjectNow(ctx, p)
		if err != nil {
			return nil, err
		}
		open := now.note(&p, m.Now())
		owner = cmp.Or(owner, now.owner())
		m.turned = m.turned || p.MessageID != "" && open != p.ShownOpen
		p.ShownOpen = open
		if p.MessageID == "" && !open {
			p.Finished = true // closed before it was shown
			if err := m.boards.SaveBoardPost(ctx, p); err != nil {
				return nil, fmt.Errorf("note post %d: %w", p.ID, err)
			}
			continue
		}
		turns = turns || m.turned || now.deleted()
		m.messageID = cmp.Or(m.messageID, p.MessageID)
		m.posts, m.subjects = append(m.posts, p), append(m.subjects, now)
	}
	if len(m.posts) == 0 {
		return nil, nil
	}
	t, poster, pings := m.Translator(m.board.Locale), m.Account(ctx, owner), m.pingsIn(ctx, m.posts...)
	d := &channelsync.Desired{MessageID: m.messageID, Turns: turns}
	switch alone := m.first.MessageOf == 0; {
	case m.first.Listing != 0 && alone:
		d.Body = m.ListingCard(t, m.posts[0].ItemName, m.subjects[0].listing, poster)
	case m.first.Listing != 0:
		d.Body = m.groupedListings(t, m.posts, m.subjects, poster)
	case alone:
		d.Body = m.BoardCard(t, m.posts[0].ItemName, m.subjects[0].order, poster, pings)
	default:
		d.Body = m.groupedCards(t, m.posts, m.subjects, poster, pings)
	}
	return d, nil
}

// send sends the message. No other message of the channel has its press.
func (m *boardMessage) send(ctx context.Context, body discord.Message) (messageID string, err error) {
	if m.first.MessageOf != 0 {
		for i := range m.posts { // an earlier attempt may have sent fewer: the next pass edits the message
			m.posts[i].ShownVersion = 0
		}
	}
	return m.SendOnce(ctx, channelsync.Once{
		ChannelID: m.board.ChannelID, Nonce: m.first.Nonce(), Press: m.press(), StartedAt: m.first.StartedAt,
	}, body)
}

// press returns the id of a button that only this message of the channel has.
func (m *boardMessage) press() discord.CustomID {
	switch {
	case m.first.Listing != 0:
		return askFor(m.first.Listing)
	case m.first.MessageOf != 0:
		return openGrouped(m.first.MessageOf)
	}
	return discord.NewCustomID("make-offer", m.first.OrderID)
}

func (m *boardMessage) edit(ctx context.Context, body discord.Message) (gone bool, err error) {
	if err := m.deleteReplaced(ctx); err != nil {
		return false, err
	}
	return m.EditMessage(ctx, m.board.ChannelID, m.messageID, body, nil)
}

// repost sends the message again, except in a thread. The old one is deleted afterwards.
func (m *boardMessage) repost(ctx context.Context, body discord.Message) (messageID string, err error) {
	thread, err := m.Discord.IsThread(ctx, m.board.ChannelID)
	if err != nil || thread {
		return "", err
	}
	if err := m.deleteReplaced(ctx); err != nil {
		return "", err
	}
	lead := m.posts[0]
	lead.MessageID, body.PingRoles = m.messageID, nil
	sent, err := m.Discord.SendMessage(ctx, m.board.ChannelID, body, lead.RepostNonce())
	if err != nil {
		return "", err
	}
	m.Log.Info("boards: posted again", "channel", m.board.ChannelID, "message", m.messageID, "as", sent)
	m.posts[0].Replaced = m.messageID
	m.WakeSync() // the next pass deletes the old one
	return sent, nil
}

// deleteReplaced deletes the message that a newer one stands in for.
func (m *boardMessage) deleteReplaced(ctx context.Context) error {
	for i, p := range m.posts {
		if p.Replaced == "" {
			continue
		}
		if err := m.Discord.DeleteMessage(ctx, m.board.ChannelID, p.Replaced); err != nil {
			return err
		}
		m.posts[i].Replaced = ""
	}
	return nil
}

func (m *boardMessage) shown(ctx context.Context, messageID string) error {
	for _, p := range m.posts {
		p.MessageID, p.Finished = messageID, p.Finished && p.Replaced == ""
		if err := m.boards.SaveBoardPost(ctx, p); err != nil {
			return fmt.Errorf("note post %d: %w", p.ID, err)
		}
	}
	return nil
}

// end stores that a user has deleted the message.
func (m *boardMessage) end(ctx context.Context, _ bool) error {
	for i := range m.posts {
		m.posts[i].Finished = true
	}
	return m.shown(ctx, m.messageID)
}

// orderNow returns an order as it is now, or nil for one that was deleted.
func (k boardSync) orderNow(ctx context.Context, id core.OrderID) (*trade.Order, error) {
	o, err := k.boards.Order(ctx, id)
	switch {
	case core.KindOf(err) == core.NotFound:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("order %d: %w", id, err)
	}
	return &o, nil
}

// refused decides when a board is tried again after a refusal. Its creator gets one message about what they
// can fix.
func (k boardChannel) refused(ctx context.Context, why error) (wait time.Duration, err error) {
	board := k.board
	problem := kernel.CannotPostHere
	switch {
	case channelsync.ChannelGone(why):
		k.Log.Info("boards: channel deleted, board removed", "channel", board.ChannelID)
		return channelsync.PassEvery, k.Market.Channels.EndBoard(ctx, board.GuildID, board.ChannelID)
	case discord.HasCode(why, discord.CodeTagRequired):
		problem = tagNeeded
	case !discord.HasCode(why, discordgo.ErrCodeMissingAccess, discordgo.ErrCodeMissingPermissions,
		discord.CodeThreadLocked):
		return channelsync.TroublePause, nil
	}
	if in, err := k.Discord.IsInServer(ctx, board.GuildID); err == nil && !in {
		return channelsync.PassEvery, k.serverLeft(ctx, board.GuildID)
	}
	news, err := k.boards.SetBoardTrouble(ctx, board.ChannelID, problem.String())
	if err != nil {
		return channelsync.TroublePause, fmt.Errorf("note trouble of board: %w", err)
	}
	if news {
		k.notifyOwner(ctx, board, "b-"+board.ChannelID, func(t kernel.Translator) discord.Markdown {
			return t.Text(msg.BoardTrouble, "channel", kernel.MentionChannel(board.ChannelID),
				"problem", t.Core(problem))
		})
	}
	return channelsync.TroublePause, nil
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
		body := kernel.Reply{Text: text(b.TranslatorFor(box))}.Message()
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
