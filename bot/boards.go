package bot

import (
	"context"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// Boards keeps which channels show new requests, and what is shown there.
type Boards interface {
	SaveBoard(ctx context.Context, b core.Board) error
	RemoveBoard(ctx context.Context, channelID string) (was bool, err error)
	Boards(ctx context.Context) ([]core.Board, error)
	// SetBoardTrouble notes why nothing can be shown on a board, and tells whether that is news.
	SetBoardTrouble(ctx context.Context, channelID, trouble string) (news bool, err error)
	// OrdersForBoard returns orders that a board should show and does not, the oldest first.
	OrdersForBoard(ctx context.Context, channelID string, now time.Time, most int) ([]core.Order, error)
	// StaleBoardPosts returns posts that do not show their order as it is, those not sent yet among them.
	StaleBoardPosts(ctx context.Context, channelID string, now time.Time, most int) ([]core.BoardPost, error)
	StartBoardPost(ctx context.Context, channelID string, o core.Order, now time.Time) error
	SaveBoardPost(ctx context.Context, p core.BoardPost) error
	// Order returns an order whatever its state.
	Order(ctx context.Context, id core.OrderID) (core.Order, error)
	// Mailbox says how somebody is reached.
	Mailbox(ctx context.Context, user core.UserID) (core.Mailbox, error)
}

// Our own refusals; the catalogues know them like those of the core.
const (
	onlyInServer   = "A board belongs in a channel of a server. Send /board here there."
	onlyManagers   = "Only members who may manage this server can do that. Ask one of them."
	cannotPostHere = "I may not post in this channel. Allow me to view it, to send messages and to embed links, and try again."
	noBoardHere    = "There is no board in this channel. /board here sets one up."
)

// boardHere makes the channel show new requests.
func (b *Bot) boardHere(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	if !may(in.i.AppPermissions, viewChannel|sendMessages|embedLinks) {
		return Reply{}, &core.Error{Kind: core.Unavailable, Message: cannotPostHere}
	}
	board := core.Board{
		ChannelID: in.i.ChannelID, GuildID: in.i.GuildID, Maker: in.Actor.UserID, Category: core.Category(in.text("category")),
		Locale: in.i.GuildLocale, CreatedAt: b.now(),
	}
	if board.Category != "" && !board.Category.Valid() {
		return Reply{}, &core.Error{Kind: core.Invalid, Message: fmt.Sprintf("Choose one of the %d categories", len(core.Categories))}
	}
	if err := b.boards.SaveBoard(ctx, board); err != nil {
		return Reply{}, err
	}
	signal(b.boardsMoved)
	if board.Category == "" {
		return private(in.say.text(msgBoardAll)), nil
	}
	return private(in.say.text(msgBoardCategory, in.say.category(board.Category))), nil
}

// boardRemove makes the channel show no more new requests.
func (b *Bot) boardRemove(ctx context.Context, in Input) (Reply, error) {
	if err := mayManage(in); err != nil {
		return Reply{}, err
	}
	was, err := b.boards.RemoveBoard(ctx, in.i.ChannelID)
	if err != nil {
		return Reply{}, err
	}
	if !was {
		return Reply{}, &core.Error{Kind: core.Invalid, Message: noBoardHere}
	}
	return private(in.say.text(msgBoardRemoved)), nil
}

// mayManage refuses unless the person may manage the server. Discord hides the command from others, but a server's owner
// can show it to anybody.
func mayManage(in Input) error {
	if in.i.GuildID == "" || in.i.Member == nil {
		return &core.Error{Kind: core.Unavailable, Message: onlyInServer}
	}
	if !may(in.i.Member.Permissions, manageServer) {
		return &core.Error{Kind: core.Forbidden, Message: onlyManagers}
	}
	return nil
}

// boardCard shows an order to a channel. One that was deleted has left its name only.
func (b *Bot) boardCard(t tongue, p core.BoardPost, o *core.Order) message {
	if o == nil {
		return Reply{public: true, embeds: []*discordgo.MessageEmbed{{
			Title: string(escape(p.ItemName)), Color: colourDone, Description: string(t.text(msgBoardDeleted)),
		}}}.message()
	}
	return b.sharedCard(t, *o).message()
}
