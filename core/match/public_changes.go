package match

import (
	"context"
	"fmt"

	"tradepost/core"
)

// MaxPublicChanges limits the public changes of one answer.
const MaxPublicChanges = 500

// PublicChanges returns what changed of the market after a place, of that which everybody may see. The empty
// cursor returns the present place and no changes. It fails with CodeReadEverything where changes after the
// place may have been removed, and with Invalid.
func (m *searchActs) PublicChanges(ctx context.Context, cursor string, limit int) (core.PublicPage, error) {
	var c core.Checks
	c.That(1 <= limit && limit <= MaxPublicChanges, "limit",
		core.NewText("limit_range", "most", MaxPublicChanges))
	if err := c.Err(); err != nil {
		return core.PublicPage{}, err
	}
	after, err := core.ParsePublicPlace(cursor)
	if err != nil {
		return core.PublicPage{}, err
	}
	page, err := m.store.PublicChanges(ctx, after, limit)
	if err != nil {
		return core.PublicPage{}, fmt.Errorf("public changes: %w", err)
	}
	if page.Missed {
		return core.PublicPage{}, core.ReadEverything()
	}
	return page, nil
}
