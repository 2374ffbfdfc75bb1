package pgconnect

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// StatementLimit is how long a statement of a lock session may take.
	StatementLimit = 2 * time.Second
	// silenceLimit is for how long a lock session may say nothing before the server ends it.
	silenceLimit = 9 * time.Second
)

// OpenLockSession opens a connection for advisory locks. They are released when this process stops: at once
// when it ends, and after nine seconds when it hangs or its machine or network is gone. The caller must send
// something more often than that.
func OpenLockSession(ctx context.Context, pool *pgxpool.Pool, name string) (*pgx.Conn, error) {
	config := pool.Config().ConnConfig
	config.RuntimeParams["application_name"] = name
	config.RuntimeParams["statement_timeout"] = Milliseconds(StatementLimit)
	// The server ends a silent session; this is for a process that hangs, where the network would notice
	// nothing.
	config.RuntimeParams["idle_session_timeout"] = Milliseconds(silenceLimit)
	// And no unread answer may keep the server from ending it.
	for name, value := range map[string]int{"tcp_keepalives_idle": 3, "tcp_keepalives_interval": 2,
		"tcp_keepalives_count": 3} {
		config.RuntimeParams[name] = strconv.Itoa(value)
	}
	ctx, cancel := context.WithTimeout(ctx, StatementLimit)
	defer cancel()
	return connect(ctx, config)
}

// OpenListener opens a connection for LISTEN. Each of its statements may take as long as limit.
func OpenListener(
	ctx context.Context, pool *pgxpool.Pool, name string, limit time.Duration,
) (*pgx.Conn, error) {
	config := pool.Config().ConnConfig
	config.RuntimeParams["application_name"] = name
	config.RuntimeParams["statement_timeout"] = Milliseconds(limit)
	return connect(ctx, config)
}

func connect(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// WaitForNotification returns nil after a while, or earlier when a notification has arrived, and an error
// as soon as the connection is cut.
func WaitForNotification(ctx context.Context, conn *pgx.Conn, longest time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	_, err := conn.WaitForNotification(waiting)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// Close closes a connection within a second, also when ctx has ended. A nil connection is ignored.
func Close(ctx context.Context, conn *pgx.Conn) {
	if conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // the server ends what we cannot
}
