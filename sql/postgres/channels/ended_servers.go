package channels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/channels"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// EndBoard deletes a board, and returns it; nothing where there is none.
func (t *Tx) EndBoard(ctx context.Context, guildID, channelID string) ([]channels.Board, error) {
	rows, err := t.Q.LockBoards(ctx, guildID, channelID)
	if err != nil || len(rows) == 0 {
		return nil, kernel.Translate(err)
	}
	_, err = t.Q.RemoveBoard(ctx, channelID)
	return kernel.Convert(rows, Board), kernel.Translate(err)
}

// EndServer deletes the boards and pings of a server, keeps them without who made them, and returns the
// boards. The role for established traders ends, too.
func (t *Tx) EndServer(ctx context.Context, guildID string, now time.Time) ([]channels.Board, error) {
	rows, err := t.Q.LockBoards(ctx, guildID, "")
	if err != nil {
		return nil, kernel.Translate(err)
	}
	if err := t.Q.RemoveTraderRole(ctx, guildID); err != nil {
		return nil, kernel.Translate(err)
	}
	boards := kernel.Convert(rows, Board)
	kept := make([]channels.Board, len(boards))
	for i, b := range boards {
		b.CreatedBy, b.Problem = 0, ""
		kept[i] = b
	}
	pings, err := pingServers(ctx, t.Q)
	if err != nil {
		return nil, kernel.Translate(err)
	}
	var pinged *channels.PingServer
	for _, p := range pings {
		if p.GuildID == guildID && !p.Ended {
			pinged = &p
		}
	}
	if len(kept) == 0 && pinged == nil {
		return nil, kernel.Translate(t.Q.RemovePingServer(ctx, guildID))
	}
	asBoards, err := json.Marshal(kept)
	if err != nil {
		return nil, err
	}
	asPings, err := json.Marshal(pinged)
	if err != nil {
		return nil, err
	}
	if err := t.Q.KeepEndedServer(ctx, db.KeepEndedServerParams{
		GuildID: guildID, Boards: asBoards, Pings: asPings, EndedAt: now,
	}); err != nil {
		return nil, kernel.Translate(err)
	}
	if err := t.Q.RemoveBoardsOf(ctx, guildID); err != nil {
		return nil, kernel.Translate(err)
	}
	return boards, kernel.Translate(t.Q.RemovePingServer(ctx, guildID))
}

// EndedServer returns the former boards and pings of a server that the bot was removed from after a time;
// they are empty where it had none.
func (s *Store) EndedServer(
	ctx context.Context, guildID string, since time.Time,
) (channels.EndedServer, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (channels.EndedServer, error) {
		row, err := q.EndedServer(ctx, guildID)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !row.EndedAt.After(since) {
			return channels.EndedServer{}, nil
		}
		if err != nil {
			return channels.EndedServer{}, err
		}
		ended := channels.EndedServer{GuildID: row.GuildID, EndedAt: row.EndedAt}
		if err := errors.Join(
			json.Unmarshal(row.Boards, &ended.Boards), json.Unmarshal(row.Pings, &ended.Pings),
		); err != nil {
			return channels.EndedServer{}, fmt.Errorf("read what server %s had: %w", guildID, err)
		}
		return ended, nil
	})
}

// ForgetEndedServer deletes what a server had.
func (s *Store) ForgetEndedServer(ctx context.Context, guildID string) error {
	return kernel.Done(ctx, s.DB, func(ctx context.Context, q *db.Queries) error {
		return q.ForgetEndedServer(ctx, guildID)
	})
}
