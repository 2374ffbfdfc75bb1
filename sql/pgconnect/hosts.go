package pgconnect

import (
	"context"
	"net"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// hosts is which of several servers a pool was connected to last. Connections try that one first: while the
// machine of another hangs, each new connection would wait for it otherwise.
type hosts struct {
	mu       sync.Mutex
	resolved map[string]string // names by their IP addresses
	last     string            // address of the last connection; empty for none
}

// rememberHost has the connections of a pool that names several servers begin with the last one that took
// one.
func rememberHost(config *pgxpool.Config) {
	if len(config.ConnConfig.Fallbacks) == 0 {
		return
	}
	h := &hosts{resolved: map[string]string{}}
	lookup, after := config.ConnConfig.LookupFunc, config.AfterConnect
	config.ConnConfig.LookupFunc = func(ctx context.Context, host string) ([]string, error) {
		found, err := lookup(ctx, host)
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, ip := range found {
			h.resolved[ip] = host
		}
		return found, err
	}
	config.BeforeConnect = func(_ context.Context, conn *pgx.ConnConfig) error {
		h.lastFirst(conn)
		return nil
	}
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		h.connected(conn.PgConn().Conn().RemoteAddr().String())
		return after(ctx, conn)
	}
}

func (h *hosts) connected(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ip, port, err := net.SplitHostPort(address); err == nil && h.resolved[ip] != "" {
		address = net.JoinHostPort(h.resolved[ip], port)
	}
	h.last = address
}

// lastFirst puts the server of the last connection before the others, which stay in their order.
func (h *hosts) lastFirst(config *pgx.ConnConfig) {
	h.mu.Lock()
	last := h.last
	h.mu.Unlock()
	all := []*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}
	all = append(all, config.Fallbacks...)
	slices.SortStableFunc(all, func(a, b *pgconn.FallbackConfig) int {
		return place(a, last) - place(b, last)
	})
	config.Host, config.Port, config.TLSConfig = all[0].Host, all[0].Port, all[0].TLSConfig
	config.Fallbacks = all[1:]
}

func place(server *pgconn.FallbackConfig, first string) int {
	if _, address := pgconn.NetworkAddress(server.Host, server.Port); address == first {
		return 0
	}
	return 1
}
