package channels

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// ListingsForBoard returns listings that a board should show and does not, those touched longest ago first.
func (s *Store) ListingsForBoard(
	ctx context.Context, channelID string, now time.Time, most int,
) ([]channels.NewListing, error) {
	return kernel.Read(ctx, s.DB, func(
		ctx context.Context, q *db.Queries,
	) ([]channels.NewListing, error) {
		rows, err := q.ListingsForBoard(ctx, db.ListingsForBoardParams{
			ChannelID: channelID, Now: now, TouchedAfter: now.Add(-match.StockLifetime),
			Rested: now.Add(-channels.BoardListingRest), Most: int32(most),
		})
		return kernel.Convert(rows, func(r db.ListingsForBoardRow) channels.NewListing {
			return channels.NewListing{ID: r.ID, Seller: r.UserID, ItemName: r.ItemName}
		}), err
	})
}

// StaleListingPosts returns posts on a board that do not show their listing as it is, in the order of
// StaleBoardPosts. Where listings are not offered, none is open.
func (s *Store) StaleListingPosts(
	ctx context.Context, channelID string, held channels.HeldEdits, offered bool, now time.Time, most int,
) ([]channels.BoardPost, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]channels.BoardPost, error) {
		rows, err := q.StaleListingPosts(ctx, db.StaleListingPostsParams{
			ChannelID: channelID, Now: now, TouchedAfter: now.Add(-match.StockLifetime), Offered: offered,
			Held: listed(held.All), Gathered: listed(held.Counting), Most: int32(most),
		})
		return kernel.Convert(rows, func(r db.StaleListingPostsRow) channels.BoardPost {
			return boardPost(r.BoardPost)
		}), err
	})
}

// StartListingPost stores that a listing is about to be shown on a board, as StartBoardPost.
func (s *Store) StartListingPost(
	ctx context.Context, channelID string, l channels.NewListing, alone bool, now time.Time,
) error {
	_, err := kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (struct{}, error) {
		recent, err := q.RecentBoardPosts(ctx, db.RecentBoardPostsParams{
			ChannelID: channelID, UserID: &l.Seller, Since: now.Add(-channels.BoardBatchWindow),
			Listings: true,
		})
		if err != nil {
			return struct{}{}, err
		}
		messageOf, shared := channels.SharedMessage(kernel.Convert(recent, boardPost))
		if alone {
			messageOf, shared = 0, false
		}
		if err := q.ForgetListingPost(ctx, channelID, int64(l.ID)); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, q.StartListingPost(ctx, db.StartListingPostParams{
			ChannelID: channelID, ListingID: int64(l.ID), ItemName: l.ItemName, StartedAt: now,
			UserID: &l.Seller, Shared: shared, MessageOf: messageOf,
		})
	})
	return err
}

// BoardListing returns a listing as boards show it, nil once its stock was deleted.
func (s *Store) BoardListing(
	ctx context.Context, id core.StockID, now time.Time,
) (*channels.BoardListing, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (*channels.BoardListing, error) {
		r, err := q.BoardListing(ctx, db.BoardListingParams{
			ID: id, Now: now, TouchedAfter: now.Add(-match.StockLifetime),
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return &channels.BoardListing{
			Listing: match.Listing{
				Stock: match.Stock{
					ID: r.Stock.ID, User: r.Stock.UserID, Category: r.Stock.Category,
					TouchedAt: r.Stock.TouchedAt,
					StockDraft: match.StockDraft{
						ItemName: r.Stock.ItemName, Quantity: r.Stock.Quantity, Price: r.Stock.Price,
						Note: r.Stock.Note, Public: r.Stock.Public, Until: kernel.OrZero(r.Stock.ShownUntil),
					},
				},
				Seller: people.Account{Username: r.Username}, Asked: r.Asked,
			},
			Open: r.Open, Version: r.Version,
		}, err
	})
}
