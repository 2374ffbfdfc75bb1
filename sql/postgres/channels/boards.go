package channels

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/match"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
	tradestore "tradepost/sql/postgres/trade"
)

// All of these may be repeated after a broken connection: a second time makes no difference.

// SaveBoard stores a board, in place of an earlier one in the same channel.
func (s *Store) SaveBoard(ctx context.Context, b channels.Board) error {
	first, more := game.Category(""), []string{}
	for i, c := range b.Filter.Categories {
		if i == 0 {
			first = c
		} else {
			more = append(more, string(c))
		}
	}
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveBoard(ctx, db.SaveBoardParams{
			ChannelID: b.ChannelID, GuildID: b.GuildID, UserID: b.CreatedBy, Category: first,
			MoreCategories: more, Locale: b.Locale,
			CreatedAt: b.CreatedAt, MinPrice: int64(b.Filter.MinPrice), LevelFrom: max(b.Filter.LevelFrom, 1),
			LevelTo: b.Filter.LevelTo,
			Forum:   b.Forum, Opened: b.Opened, Side: b.Side,
			TouchedAfter: b.CreatedAt.Add(-match.StockLifetime),
		})
	})
	return err
}

// RemoveBoard deletes a board and its posts. It reports whether there was one.
func (s *Store) RemoveBoard(ctx context.Context, channelID string) (bool, error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.RemoveBoard(ctx, channelID)
	})
	return n > 0, err
}

// Boards returns every board, the oldest first.
func (s *Store) Boards(ctx context.Context) ([]channels.Board, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.Board, error) {
		rows, err := q.Boards(ctx)
		return kernel.Convert(rows, Board), err
	})
}

// SetBoardTrouble stores why a board cannot be updated; an empty text clears it. It reports
// whether that is news.
func (s *Store) SetBoardTrouble(ctx context.Context, channelID, trouble string) (news bool, err error) {
	n, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (int64, error) {
		return q.SetBoardTrouble(ctx, trouble, channelID)
	})
	return n > 0, err
}

// OrdersForBoard returns orders that a board should show and does not, the oldest first.
func (s *Store) OrdersForBoard(
	ctx context.Context, channelID string, now time.Time, most int,
) ([]trade.Order, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.Order, error) {
		rows, err := q.OrdersForBoard(ctx, db.OrdersForBoardParams{
			ChannelID: channelID, Now: now, Most: int32(most),
		})
		return kernel.Convert(rows, func(r db.OrdersForBoardRow) trade.Order {
			return tradestore.Order(r.Order)
		}), err
	})
}

// StaleBoardPosts returns posts on a board that do not show their order as it is: unsent posts, then posts
// that show a closed order as open or an open one as closed, then the others, each the oldest first. It
// leaves out messages that are not edited now.
func (s *Store) StaleBoardPosts(
	ctx context.Context, channelID string, held channels.HeldEdits, now time.Time, most int,
) ([]channels.BoardPost, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.BoardPost, error) {
		rows, err := q.StaleBoardPosts(ctx, db.StaleBoardPostsParams{
			ChannelID: channelID, Now: now, Held: listed(held.All), Gathered: listed(held.Counting),
			Most: int32(most),
		})
		return kernel.Convert(rows, func(r db.StaleBoardPostsRow) channels.BoardPost {
			return boardPost(r.BoardPost)
		}), err
	})
}

// listed is never nil: PostgreSQL compares nothing with NULL.
func listed(ids []string) []string { return append([]string{}, ids...) }

// SharedBoardPosts returns the posts that one shared message shows, the oldest first.
func (s *Store) SharedBoardPosts(ctx context.Context, messageOf int64) ([]channels.BoardPost, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.BoardPost, error) {
		rows, err := q.SharedBoardPosts(ctx, messageOf)
		return kernel.Convert(rows, boardPost), err
	})
}

// StartBoardPost stores that an order is about to be shown on a board, and in which message: alone, or with
// others of its buyer.
func (s *Store) StartBoardPost(
	ctx context.Context, channelID string, o trade.Order, alone bool, now time.Time,
) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		recent, err := q.RecentBoardPosts(ctx, db.RecentBoardPostsParams{
			ChannelID: channelID, UserID: &o.Owner, Since: now.Add(-channels.BoardBatchWindow),
		})
		if err != nil {
			return struct{}{}, err
		}
		messageOf, shared := channels.SharedMessage(kernel.Convert(recent, boardPost))
		if alone {
			messageOf, shared = 0, false
		}
		return struct{}{}, q.StartBoardPost(ctx, db.StartBoardPostParams{
			ChannelID: channelID, OrderID: o.ID, ItemName: o.ItemName, StartedAt: now,
			UserID: &o.Owner, Shared: shared, MessageOf: messageOf, Fresh: now.Add(-channels.PingFresh),
		})
	})
	return err
}

// SaveBoardPost stores the state that a post shows. It does not finish a post when its order has come back
// since the post was read.
func (s *Store) SaveBoardPost(ctx context.Context, p channels.BoardPost) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		return struct{}{}, q.SaveBoardPost(ctx, db.SaveBoardPostParams{
			ID: p.ID, MessageID: p.MessageID, ShownVersion: p.ShownVersion, ShownOpen: p.ShownOpen,
			ItemName: p.ItemName, Returned: p.Returned, Replaced: p.Replaced,
			// Older programs leave alone what is finished.
			Finished: p.Finished || p.MessageOf != 0 || p.Listing != 0,
			Live:     p.MessageOf != 0 && p.Listing == 0 && !p.Finished,
			Listed:   p.Listing != 0 && !p.Finished,
		})
	})
	return err
}

// Board returns the board of a row.
func Board(b db.Board) channels.Board {
	filter := channels.BoardFilter{MinPrice: core.Copper(b.MinPrice), LevelFrom: b.LevelFrom,
		LevelTo: b.LevelTo}
	if b.Category != "" {
		filter.Categories = append(filter.Categories, b.Category)
	}
	for _, c := range b.MoreCategories {
		filter.Categories = append(filter.Categories, game.Category(c))
	}
	return channels.Board{
		ChannelID: b.ChannelID, GuildID: b.GuildID, CreatedBy: b.UserID, Filter: filter, Forum: b.Forum,
		Locale: b.Locale, Problem: b.Trouble, Side: b.Side,
		CreatedAt: b.CreatedAt,
	}
}

func boardPost(p db.BoardPost) channels.BoardPost {
	var messageOf int64
	if p.MessageOf != nil {
		messageOf = *p.MessageOf
	}
	var listing core.StockID
	if p.ListingID != nil {
		listing, p.OrderID = *p.ListingID, 0
	}
	return channels.BoardPost{
		ID: p.ID, ChannelID: p.ChannelID, OrderID: p.OrderID, Listing: listing,
		ItemName: p.ItemName, MessageID: p.MessageID,
		ShownVersion: p.ShownVersion, ShownOpen: p.ShownOpen, Finished: p.Finished && !p.Live && !p.Listed,
		Returned:  p.Returned,
		StartedAt: p.StartedAt, NoncePrefix: p.NoncePrefix, MessageOf: messageOf, PingRole: p.PingRole,
		Replaced: p.Replaced,
	}
}
