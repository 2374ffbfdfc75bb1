package main

import "context"

// measureOwn measures the lists of a signed-in user.
func (b *bench) measureOwn(ctx context.Context) error {
	for _, list := range []struct{ name, path string }{
		{"own requests", "/api/me/orders"},
		{"own requests, fulfilled", "/api/me/orders?status=fulfilled"},
		{"own offers", "/api/me/offers"},
		{"own inbox", "/api/me/notices"},
		{"who am I, and my counts", "/api/me"},
	} {
		var asks []ask
		for _, cookie := range b.cookies {
			asks = append(asks, get(list.path, cookie))
		}
		if err := b.againstPostgres(ctx, contest{name: list.name, asks: asks}); err != nil {
			return err
		}
	}
	return nil
}
