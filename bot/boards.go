package bot

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// Boards stores which channels show new requests, and their messages.
type Boards interface {
	SaveBoard(ctx context.Context, b core.Board) error
	RemoveBoard(ctx context.Context, channelID string) (was bool, err error)
	Boards(ctx context.Context) ([]core.Board, error)
	// EndedServer returns what a server had that the bot was removed from after a time; nothing where it had nothing.
	EndedServer(ctx context.Context, guildID string, since time.Time) (core.EndedServer, error)
	ForgetEndedServer(ctx context.Context, guildID string) error
	// SetBoardTrouble stores why nothing can be shown on a board, and reports whether that is new.
	SetBoardTrouble(ctx context.Context, channelID, trouble string) (news bool, err error)
	// OrdersForBoard returns orders that a board should show and does not, the oldest first.
	OrdersForBoard(ctx context.Context, channelID string, now time.Time, most int) ([]core.Order, error)
	// StaleBoardPosts returns posts that do not show the current state of their order: those not sent yet, then those that show as
	// open what is closed or the other way round, then the others. It leaves out messages that are not edited now.
	StaleBoardPosts(ctx context.Context, channelID string, held core.HeldEdits, now time.Time, most int) ([]core.BoardPost, error)
	// SharedBoardPosts returns the posts that one shared message shows, the oldest first.
	SharedBoardPosts(ctx context.Context, messageOf int64) ([]core.BoardPost, error)
	// StartBoardPost stores that an order is about to be shown on a board, and in which message: alone, or with others of its buyer.
	StartBoardPost(ctx context.Context, channelID string, o core.Order, alone bool, now time.Time) error
	SaveBoardPost(ctx context.Context, p core.BoardPost) error
	AddSharedCard(ctx context.Context, c core.SharedCard) error
	// StaleSharedCards returns shared cards that do not show the current state of their order, in the order of StaleBoardPosts, and
	// those of orders that were closed before a time. It leaves out messages that are not edited now.
	StaleSharedCards(ctx context.Context, held core.HeldEdits, now, closedBefore time.Time, most int) ([]core.SharedCard, error)
	SaveSharedCard(ctx context.Context, c core.SharedCard) error
	RemoveSharedCard(ctx context.Context, messageID string) error
	// Order returns an order in any state.
	Order(ctx context.Context, id core.OrderID) (core.Order, error)
	// Mailbox returns how a user is reached.
	Mailbox(ctx context.Context, user core.UserID) (core.Mailbox, error)
}

// Errors of the bot's own.
var (
	onlyInServer = core.NewText("board_only_in_server", "A board belongs in a channel of a server. Send /board here there.")
	onlyManagers = core.NewText("board_only_managers", "Only members who may manage this server can do that. Ask one of them.")
	tagNeeded    = core.NewText("board_tag_needed", "The forum wants a tag on every post. Name its tags like the professions, or \"Open\" and \"Closed\".")
	noBoardHere  = core.NewText("board_missing", "There is no board in this channel. /board here sets one up.")
)

// cannotPostHere says what the bot lacks in a channel.
var cannotPostHere = core.NewText("board_cannot_post", "I may not post in this channel. Allow me to view it, to send messages (in a thread: to send messages in threads), to embed links and to read the message history, and try again.")

// boardHere makes the channel show new requests.
func (b channelsBot) boardHere(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	forum := in.text("forum")
	if forum == "" && !in.i.BotMayPost() { // in a forum it shows with the first post
		return Reply{}, core.NewError(core.Unavailable, cannotPostHere)
	}
	filter, err := b.boardFilterOf(in)
	if err != nil {
		return Reply{}, err
	}
	board := core.Board{
		ChannelID: cmp.Or(forum, in.i.ChannelID), GuildID: in.i.GuildID, CreatedBy: in.Actor.UserID, Filter: filter, Forum: forum != "",
		Locale: in.i.GuildLanguage(), CreatedAt: b.now(), Opened: core.MaxBoardOpened,
	}
	if in.has("open") && !in.yes("open") {
		board.Opened = 0
	}
	if err := b.boards.SaveBoard(ctx, board); err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	simple := forum == "" && filter.MinPrice == 0 && filter.LevelFrom <= 1 && filter.LevelTo == 0
	switch {
	case simple && len(filter.Categories) == 0:
		return b.offerReturn(ctx, in, private(in.tr.text(msg.BoardAll)))
	case simple && len(filter.Categories) == 1:
		return b.offerReturn(ctx, in, private(in.tr.text(msg.BoardCategory, in.tr.category(filter.Categories[0]))))
	}
	return b.offerReturn(ctx, in, private(in.tr.text(msg.BoardFiltered, mentionChannel(board.ChannelID), boardFilter(in.tr, filter))))
}

// boardFilterOf reads which requests a board is for.
func (b channelsBot) boardFilterOf(in Input) (core.BoardFilter, error) {
	var f core.BoardFilter
	for _, name := range []string{"category", "category-2", "category-3"} {
		if c := in.text(name); c != "" {
			f.Categories = append(f.Categories, core.Category(c))
		}
	}
	if text := in.text("min-price"); text != "" {
		price, err := b.game.ParseCopper("minPrice", text)
		if err != nil {
			return f, err
		}
		f.MinPrice = price
	}
	if level := in.level("level-from"); level != nil {
		f.LevelFrom = *level
	}
	if level := in.level("level-to"); level != nil {
		f.LevelTo = *level
	}
	return f.Checked(b.game)
}

// boardRemove makes the channel show no more new requests.
func (b channelsBot) boardRemove(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	was, err := b.boards.RemoveBoard(ctx, cmp.Or(in.text("forum"), in.i.ChannelID))
	if err != nil {
		return Reply{}, err
	}
	if !was {
		return Reply{}, core.NewError(core.Invalid, noBoardHere)
	}
	return private(in.tr.text(msg.BoardRemoved)), nil
}

// mayManage returns an error unless the user may manage the server. Discord hides the command from others, but a server's
// owner can show it to everyone.
func mayManage(in Input) error {
	if in.i.GuildID == "" || in.i.Member == nil {
		return core.NewError(core.Unavailable, onlyInServer)
	}
	if !discord.HasPermissions(in.i.Member.Permissions, discordgo.PermissionManageGuild) {
		return core.NewError(core.Forbidden, onlyManagers)
	}
	return nil
}

// boardCard shows an order to a channel, and names the roles that it pings when it is sent. One that was deleted has left its name
// only.
func (b channelsBot) boardCard(t translator, p core.BoardPost, o *core.Order, poster core.Account, pings []string) discord.Message {
	reply := Reply{public: true, cards: []*discord.Card{deletedCard(t, discord.Escape(p.ItemName))}}
	if o != nil {
		reply = b.sharedCard(t, *o, poster)
	}
	return pinging(reply, pings)
}

// pinging returns the reply as a message that pings roles when it is sent, and names them as long as it is there.
func pinging(r Reply, roles []string) discord.Message {
	r.text = joined(pingLine(roles), r.text)
	m := r.message()
	m.PingRoles = roles
	return m
}

// groupedCards shows the orders of one buyer to a channel, and a menu to pick one of those that are open. An order is nil
// once it was deleted.
func (b channelsBot) groupedCards(t translator, posts []core.BoardPost, orders []*core.Order, poster core.Account, pings []string) discord.Message {
	reply := Reply{public: true}
	var options []discordgo.SelectMenuOption
	for i, o := range orders {
		if o == nil || o.Hidden {
			reply.cards = append(reply.cards, deletedCard(t, discord.Escape(posts[i].ItemName)))
			continue
		}
		reply.cards = append(reply.cards, b.smallCard(t, o.ForEverybody(b.now()), poster))
		if o.Open(b.now()) {
			options = append(options, discordgo.SelectMenuOption{
				Label: t.orderLabel(*o), Value: fmt.Sprint(o.ID), Description: t.orderHint(*o),
			})
		}
	}
	if len(options) > 0 {
		reply.rows = append(reply.rows, choose(openGrouped(posts[0].MessageOf), t.plain(msg.PickOrder), options))
	}
	return pinging(reply, pings)
}

// openGrouped opens the order that is picked from a shared message. No other message has it.
func openGrouped(messageOf int64) discord.CustomID { return discord.NewCustomID("open", messageOf) }

func deletedCard(t translator, title discord.Markdown) *discord.Card {
	return &discord.Card{
		Title: string(title), Color: colourDone, Description: string(t.text(msg.BoardDeleted)),
	}
}
