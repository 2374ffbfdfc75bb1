package kernel

import (
	"context"
	"fmt"
	"strconv"

	"tradepost/core"
)

// PageSize is the number of rows on a page of a user's own lists.
const PageSize = core.PageSize

// CursorInput is the input of a list that is read page by page.
type CursorInput struct {
	Caller
	Cursor string `query:"cursor" doc:"nextCursor of the page before"`
}

// LimitOr returns the number of rows that was asked for, or otherwise for none.
func LimitOr(asked, otherwise int) (int, error) {
	if asked == 0 {
		return otherwise, nil
	}
	if asked < 0 || asked > PageSize {
		message := fmt.Sprintf("Limit must be between 1 and %d", PageSize)
		return 0, &core.Error{Kind: core.Invalid, Message: message,
			Fields: []core.FieldError{{Field: "limit", Message: message}}}
	}
	return asked, nil
}

// PlaceAfter reads the cursor of a list that is ordered by id, and WriteCursor writes it.
func PlaceAfter[T ~int64](cursor string) (T, error) {
	if cursor == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || id <= 0 {
		const message = "This place in the list is not known. Start again from the top."
		return 0, &core.Error{Kind: core.Invalid, Message: message,
			Fields: []core.FieldError{{Field: "cursor", Message: message}}}
	}
	return T(id), nil
}

// WriteCursor returns the cursor of the page after an id, nil for no id.
func WriteCursor[T ~int64](id T) *string {
	if id == 0 {
		return nil
	}
	word := strconv.FormatInt(int64(id), 10)
	return &word
}

// Listed answers a page of a list that is ordered by id.
func Listed[T any, ID ~int64, V any](
	ctx context.Context, k *Kernel, in *CursorInput,
	read func(context.Context, core.Actor, ID, int) ([]T, error), view func([]T, *string) V, idOf func(T) ID,
) (*Answer[V], error) {
	before, err := PlaceAfter[ID](in.Cursor)
	if err != nil {
		return nil, err
	}
	rows, err := read(ctx, in.By, before, PageSize+1)
	if err != nil {
		return nil, err
	}
	var next *string
	if len(rows) > PageSize {
		rows = rows[:PageSize]
		next = WriteCursor(idOf(rows[PageSize-1]))
	}
	return &Answer[V]{Body: view(rows, next)}, nil
}

// Numbers gives numbers from the query their type.
func Numbers[ID ~int64](from []int64) []ID {
	ids := make([]ID, len(from))
	for i, id := range from {
		ids[i] = ID(id)
	}
	return ids
}
