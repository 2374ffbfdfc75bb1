package channels

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// Boards stores which channels show new requests, and their messages.
type Boards interface {
	SaveBoard(ctx context.Context, b channels.Board) error
	RemoveBoard(ctx context.Context, channelID string) (was bool, err error)
	Boards(ctx context.Context) ([]channels.Board, error)
	// EndedServer returns the boards and pings of a server that the bot was removed from after a time;
	// nothing where it had none.
	EndedServer(ctx context.Context, guildID string, since time.Time) (channels.EndedServer, error)
	ForgetEndedServer(ctx context.Context, guildID string) error
	// SetBoardTrouble stores why nothing can be shown on a board, and reports whether that is new.
	SetBoardTrouble(ctx context.Context, channelID, trouble string) (news bool, err error)
	// OrdersForBoard returns orders that a board should show and does not, the oldest first.
	OrdersForBoard(ctx context.Context, channelID string, now time.Time, most int) ([]trade.Order, error)
	// StaleBoardPosts returns posts that do not show the current state of their order: those not sent yet,
	// then those that show as open what is closed or the other way round, then the others. It leaves out
	// messages that are not edited now.
	StaleBoardPosts(ctx context.Context, channelID string, held channels.HeldEdits, now time.Time,
		most int) ([]channels.BoardPost, error)
	// ListingsForBoard, StaleListingPosts and StartListingPost do for listings what OrdersForBoard,
	// StaleBoardPosts and StartBoardPost do for orders. Where listings are not offered, none is open.
	ListingsForBoard(ctx context.Context, channelID string, now time.Time,
		most int) ([]channels.NewListing, error)
	StaleListingPosts(ctx context.Context, channelID string, held channels.HeldEdits, offered bool,
		now time.Time, most int) ([]channels.BoardPost, error)
	StartListingPost(ctx context.Context, channelID string, l channels.NewListing, alone bool,
		now time.Time) error
	// BoardListing returns a listing as boards show it, nil once its stock was deleted.
	BoardListing(ctx context.Context, id core.StockID, now time.Time) (*channels.BoardListing, error)
	// SharedBoardPosts returns the posts that one shared message shows, the oldest first.
	SharedBoardPosts(ctx context.Context, messageOf int64) ([]channels.BoardPost, error)
	// StartBoardPost stores that an order is about to be shown on a board, and in which message: alone, or
	// with others of its buyer.
	StartBoardPost(ctx context.Context, channelID string, o trade.Order, alone bool, now time.Time) error
	SaveBoardPost(ctx context.Context, p channels.BoardPost) error
	AddSharedCard(ctx context.Context, c channels.SharedCard) error
	// StaleSharedCards returns shared cards that do not show the current state of their order, in the order
	// of StaleBoardPosts, and the cards of orders that were closed before a time. It leaves out messages that
	// are not edited now.
	StaleSharedCards(ctx context.Context, held channels.HeldEdits, now, closedBefore time.Time,
		most int) ([]channels.SharedCard, error)
	SaveSharedCard(ctx context.Context, c channels.SharedCard) error
	RemoveSharedCard(ctx context.Context, messageID string) error
	// Order returns an order in any state.
	Order(ctx context.Context, id core.OrderID) (trade.Order, error)
	// Mailbox returns how a user is reached.
	Mailbox(ctx context.Context, user core.UserID) (notify.Mailbox, error)
}

// Errors of the bot's own.
var (
	onlyInServer = core.NewText("board_only_in_server")
	onlyManagers = core.NewText("board_only_managers")
	tagNeeded    = core.NewText("board_tag_needed")
	noBoardHere  = core.NewText("board_missing")
)

// boardHere makes the channel show new requests.
func (b Channels) boardHere(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	forum := in.Text("forum")
	if forum == "" && !in.Interaction.BotMayPost() { // in a forum it shows with the first post
		return kernel.Reply{}, core.NewError(core.Unavailable, kernel.CannotPostHere)
	}
	filter, err := b.boardFilterOf(in)
	if err != nil {
		return kernel.Reply{}, err
	}
	board := channels.Board{
		ChannelID: cmp.Or(forum, in.Interaction.ChannelID), GuildID: in.Interaction.GuildID,
		CreatedBy: in.Actor.UserID, Filter: filter, Forum: forum != "",
		Locale: in.Interaction.GuildLanguage(), CreatedAt: b.Now(), Opened: channels.MaxBoardOpened,
	}
	if in.Has("open") && !in.Yes("open") {
		board.Opened = 0
	}
	if side := match.Side(in.Text("shows")); b.Features.Listings && slices.Contains(match.Sides, side) {
		board.Side = side
	}
	if err := b.boards.SaveBoard(ctx, board); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	simple := forum == "" && filter.MinPrice == 0 && filter.LevelFrom <= 1 && filter.LevelTo == 0
	switch {
	case board.Side != match.WantedSide:
		return b.offerReturn(ctx, in, kernel.Private(in.Tr.Text(msg.BoardShows,
			"channel", kernel.MentionChannel(board.ChannelID), "filter", shownOn(in.Tr, board))))
	case simple && len(filter.Categories) == 0:
		return b.offerReturn(ctx, in, kernel.Private(in.Tr.Text(msg.BoardAll)))
	case simple && len(filter.Categories) == 1:
		return b.offerReturn(ctx, in, kernel.Private(in.Tr.Text(msg.BoardCategory,
			"category", in.Tr.Category(filter.Categories[0]))))
	}
	return b.offerReturn(ctx, in, kernel.Private(in.Tr.Text(msg.BoardFiltered,
		"channel", kernel.MentionChannel(board.ChannelID), "filter", shownOn(in.Tr, board))))
}

// boardFilterOf reads which requests a board is for.
func (b Channels) boardFilterOf(in kernel.Input) (channels.BoardFilter, error) {
	var f channels.BoardFilter
	for _, name := range []string{"category", "category-2", "category-3"} {
		if c := in.Text(name); c != "" {
			f.Categories = append(f.Categories, game.Category(c))
		}
	}
	if text := in.Text("min-price"); text != "" {
		price, err := b.Game.ParseCopper("minPrice", text)
		if err != nil {
			return f, err
		}
		f.MinPrice = price
	}
	if level := in.Level("level-from"); level != nil {
		f.LevelFrom = *level
	}
	if level := in.Level("level-to"); level != nil {
		f.LevelTo = *level
	}
	return f.Checked(b.Game)
}

// boardRemove makes the channel show no more new requests.
func (b Channels) boardRemove(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if err := mayManage(in); err != nil {
		return kernel.Reply{}, err
	}
	was, err := b.boards.RemoveBoard(ctx, cmp.Or(in.Text("forum"), in.Interaction.ChannelID))
	if err != nil {
		return kernel.Reply{}, err
	}
	if !was {
		return kernel.Reply{}, core.NewError(core.Invalid, noBoardHere)
	}
	if b.Features.Listings {
		return kernel.Private(in.Tr.Text(msg.BoardOver)), nil
	}
	return kernel.Private(in.Tr.Text(msg.BoardRemoved)), nil
}

// mayManage returns an error unless the user may manage the server. Discord hides the command from others,
// but a server's owner can show it to everyone.
func mayManage(in kernel.Input) error {
	if in.Interaction.GuildID == "" || in.Interaction.Member == nil {
		return core.NewError(core.Unavailable, onlyInServer)
	}
	if !discord.HasPermissions(in.Interaction.Member.Permissions, discordgo.PermissionManageGuild) {
		return core.NewError(core.Forbidden, onlyManagers)
	}
	return nil
}

// BoardCard shows an order to a channel, and names the roles that it pings when it is sent. One that was
// deleted has left its name only.
func (b Channels) BoardCard(
	t kernel.Translator, itemName string, o *trade.Order, poster people.Account, pings []string,
) discord.Message {
	reply := kernel.Reply{Public: true, Cards: []*discord.Card{kernel.DeletedCard(t,
		discord.Escape(itemName))}}
	if o != nil {
		reply = b.SharedCard(t, *o, poster)
	}
	return pinging(reply, pings)
}

// pinging returns the reply as a message that pings roles when it is sent, and names them as long as it is
// there.
func pinging(r kernel.Reply, roles []string) discord.Message {
	r.Text = kernel.Joined(pingLine(roles), r.Text)
	m := r.Message()
	m.PingRoles = roles
	return m
}

// groupedCards shows the orders of one buyer to a channel, and a menu to pick one of those that are open.
// An order is nil once it was deleted.
func (b Channels) groupedCards(
	t kernel.Translator, posts []channels.BoardPost, subjects []boardSubject, poster people.Account,
	pings []string,
) discord.Message {
	reply := kernel.Reply{Public: true}
	var options []discordgo.SelectMenuOption
	for i, s := range subjects {
		o := s.order
		if o == nil || o.Hidden {
			reply.Cards = append(reply.Cards, kernel.DeletedCard(t, discord.Escape(posts[i].ItemName)))
			continue
		}
		reply.Cards = append(reply.Cards, b.SmallCard(t, o.ForEverybody(b.Now()), poster))
		if o.Open(b.Now()) {
			options = append(options, discordgo.SelectMenuOption{
				Label: t.OrderLabel(*o), Value: fmt.Sprint(o.ID), Description: t.OrderHint(*o),
			})
		}
	}
	if len(options) > 0 {
		reply.Rows = append(reply.Rows, kernel.Choose(openGrouped(posts[0].MessageOf), t.Plain(msg.PickOrder),
			options))
	}
	return pinging(reply, pings)
}

// openGrouped opens the order that is picked from a shared message. No other message has it.
func openGrouped(messageOf int64) discord.CustomID { return discord.NewCustomID("open", messageOf) }
