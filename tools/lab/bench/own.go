package main

import (
	"context"
	"time"
)

// measureOwn measures the lists of a signed-in user.
func (b *bench) measureOwn(ctx context.Context) error {
	for _, list := range []struct {
		name, path string
		most       time.Duration
	}{
		{"own requests", "/api/me/orders", 0},
		{"own requests, fulfilled", "/api/me/orders?status=fulfilled", 0},
		{"own offers", "/api/me/offers", 350 * time.Microsecond},
		{"own inbox", "/api/me/notices", 0},
		{"who am I, and my counts", "/api/me", 430 * time.Microsecond},
	} {
		var asks []ask
		for _, cookie := range b.cookies {
			asks = append(asks, get(list.path, cookie))
		}
		if err := b.againstPostgres(ctx, contest{name: list.name, asks: asks, most: list.most}); err != nil {
			return err
		}
	}
	return nil
}
