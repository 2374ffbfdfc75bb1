package match

import (
	"context"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/match"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// ItemNames returns names of items that contain the words of text, the most ordered first: names that two
// buyers request now, and names that the user has requested.
func (s *Store) ItemNames(
	ctx context.Context, user core.UserID, text string, limit int, now time.Time,
) ([]string, error) {
	patterns, words := []string{}, match.OrderFilter{Text: text}.Words()
	for _, word := range words {
		patterns = append(patterns, contains(word))
	}
	prefix := likeEscaper.Replace(strings.Join(words, " ")) + "%"
	return kernel.ReadPublic(ctx, s.DB, func(ctx context.Context, q kernel.Source) ([]string, error) {
		return q.ItemNames(ctx, db.ItemNamesParams{
			Prefix: prefix, Patterns: patterns, AskedBy: user, Now: now, Most: int32(limit),
		})
	})
}

// contains is the LIKE pattern for text that contains the word as written.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
