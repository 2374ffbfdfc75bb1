package channels

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"tradepost/core"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/notify"
)

// Board is a Discord channel that shows new orders, listings or both.
type Board struct {
	ChannelID string
	GuildID   string
	CreatedBy core.UserID // created it, and is notified when posting there fails
	Filter    BoardFilter
	Side      match.Side `json:",omitzero"`
	Forum     bool       // every order is a post of a forum, instead of a message
	Opened    int        // when it is saved: how many of the newest orders that are open already it shows
	Locale    string     // the Discord locale of the server
	Problem   string     // why nothing can be shown there at present; empty while all is well
	CreatedAt time.Time
}

// BoardFilter says which orders a board shows. A listing is shown as an order of its price without a level
// would be.
type BoardFilter struct {
	Categories []game.Category // empty for all
	MinPrice   core.Copper     // for one, at least
	LevelFrom  int             // of the level that an order demands; an order without a level counts as 1
	LevelTo    int             // zero for any
}

// MaxBoardOpened is how many orders that are open when a board is made it shows: more would fill the channel.
const MaxBoardOpened = 20

// Checked returns the filter with its levels in order, or Invalid.
func (f BoardFilter) Checked(g game.Game) (BoardFilter, error) {
	var c core.Checks
	var known []game.Category
	for _, category := range f.Categories {
		c.That(g.HasCategory(category), "category",
			core.NewText("category_not_listed", "count", len(g.Professions)))
		if !slices.Contains(known, category) {
			known = append(known, category)
		}
	}
	f.Categories, f.LevelFrom = known, max(f.LevelFrom, 1)
	c.That(f.LevelTo == 0 || f.LevelFrom <= f.LevelTo, "levelTo", core.NewText("board_levels_swapped"))
	return f, c.Err()
}

// BoardListingRest is how long after a board has shown a listing it shows that listing, or another of its
// seller's for the same item, in no new message.
const BoardListingRest = core.Day

// A board gathers one user's posts within BoardBatchWindow of a message of their own into shared messages,
// which show up to MaxBoardMessageOrders orders each.
const (
	BoardBatchWindow      = time.Minute
	MaxBoardMessageOrders = 9 // so many have a button each within Discord's limit of components
)

// BoardPost shows an order or a listing on a board, in a message of its own or in one that it shares with
// other orders of its buyer, or other listings of its seller.
type BoardPost struct {
	ID        int64
	ChannelID string
	OrderID   core.OrderID // leads nowhere once the order is deleted; zero for a listing
	Listing   core.StockID // leads nowhere once the stock is deleted; zero for an order
	ItemName  string
	MessageID string // empty until it was sent
	// MessageOf is the post for which the shared message was started; zero for a message of its own.
	MessageOf int64
	// NoncePrefix is the database's part of the nonce, as it was when the post was started.
	NoncePrefix string
	// ShownVersion and ShownOpen are of the order or the listing, as the message shows it.
	ShownVersion int
	ShownOpen    bool
	Finished     bool // nothing about the message will change any more
	// PingRole is the role that the message pings when it is sent; empty for none.
	PingRole string
	// Returned counts how often the order came back after it had ended. A post that was read before is not
	// finished.
	Returned  int
	StartedAt time.Time
	// Replaced is the earlier message that MessageID stands in for, until it is deleted; empty for none.
	Replaced string
}

// NewListing is a listing that is new on a board.
type NewListing struct {
	ID       core.StockID
	Seller   core.UserID
	ItemName string
}

// BoardListing is a listing as boards show it.
type BoardListing struct {
	match.Listing
	Open    bool // it is for sale still
	Version int  // another for everything else that is shown
}

// HeldEdits are messages that are not edited at present.
type HeldEdits struct {
	All      []string // in no case
	Counting []string // unless one shows a closed order as open, or an open one as closed
}

// RepostNonce is Nonce for the message that stands in for the present one.
func (p BoardPost) RepostNonce() string {
	return p.Nonce() + "-" + p.MessageID[max(0, len(p.MessageID)-4):]
}

// SharedCard is a message that shares an order in a channel. It is edited when the order changes.
type SharedCard struct {
	MessageID string
	ChannelID string
	OrderID   core.OrderID // leads nowhere once the order is deleted
	ItemName  string
	Locale    string // the Discord locale of the user who shared it
	// ShownVersion and ShownOpen are of the order, as the card shows it.
	ShownVersion int
	ShownOpen    bool
	SharedAt     time.Time
}

// SharedMessage reports whether what is new on a board is shown in a shared message. recent lists the posts
// of its buyer's orders there, or of its seller's listings, within BoardBatchWindow, in any order. It returns
// the MessageOf of the message to join, or zero for a new one.
func SharedMessage(recent []BoardPost) (messageOf int64, shared bool) {
	orders, live := 0, false
	for _, p := range recent {
		switch {
		case p.MessageOf == 0:
			shared = true
		case p.MessageOf >= messageOf:
			if p.MessageOf > messageOf {
				messageOf, orders, live = p.MessageOf, 0, false
			}
			orders++
			live = live || !p.Finished
		}
	}
	if !shared || !live || orders >= MaxBoardMessageOrders {
		messageOf = 0
	}
	return messageOf, shared
}

// Nonce names the message to Discord, so that a repeat makes no second one.
func (p BoardPost) Nonce() string {
	if p.NoncePrefix == "" { // started before there were prefixes
		return fmt.Sprintf("board-%d", p.ID)
	}
	return "b" + p.NoncePrefix + "-" + strconv.FormatInt(p.ID, 36)
}

// BoardsReturnFor is how long a server that the bot was removed from can restore its boards and pings.
const BoardsReturnFor = 30 * 24 * time.Hour

// EndedServer stores the boards and pings of a server that the bot was removed from. It contains no user's
// name or ID.
type EndedServer struct {
	GuildID string
	Boards  []Board
	Pings   *PingServer // nil where nothing was pinged
	EndedAt time.Time
}

// ReturnsUntil returns until when it can be had back.
func (s EndedServer) ReturnsUntil() time.Time { return s.EndedAt.Add(BoardsReturnFor) }

// Why a board ended.
var (
	boardChannelDeleted = core.NewText("board_ended_channel")
	boardServerLeft     = core.NewText("board_ended_server")
)

// ServerLeft reports whether a NoticeBoardEnded is about a server that the bot was removed from, and not
// about a channel.
func ServerLeft(n notify.Notice) bool { return n.Message == boardServerLeft.String() }
