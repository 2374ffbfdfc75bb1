package pgconnect

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5/pgxpool"
)

// NotEncrypted is the warning about a database on another machine that is reached without TLS.
const NotEncrypted = "the connection to the database on another machine is not encrypted: " +
	"add ?sslmode=verify-full to its address, or ?sslmode=disable where the network is private"

// Encrypted reports whether what is sent to the server is safe from readers on the way: the server is on this
// machine, reached with TLS, or in a private network that the address calls safe by sslmode=disable.
func Encrypted(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return false, fmt.Errorf("connect: %w", err)
	}
	defer conn.Release()
	there, config := conn.Conn().PgConn().Conn(), conn.Conn().Config()
	_, encrypted := there.(*tls.Conn)
	disabled := config.TLSConfig == nil && len(config.Fallbacks) == 0
	return encrypted || staysPrivate(there.RemoteAddr(), disabled), nil
}

// staysPrivate reports whether bytes to an address are safe without TLS.
func staysPrivate(server net.Addr, disabled bool) bool {
	tcp, remote := server.(*net.TCPAddr)
	return !remote || tcp.IP.IsLoopback() || disabled && tcp.IP.IsPrivate()
}
