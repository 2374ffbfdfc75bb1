package items

import "context"

// Service finds items.
type Service struct{}

// Find returns an item.
func (s Service) Find(_ context.Context, i Item) Item { return i }

// Same is a rule.
func (i Item) Same(other Item) bool { return i == other }
