package pgconnect_test

import (
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/sql/pgconnect"
	"tradepost/sql/pgtest"
)

func TestOfSeveralServersTheOneThatAnsweredLastIsTriedFirst(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	var tried atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			tried.Add(1)
			defer conn.Close() // it says nothing, as a machine that hangs
		}
	}()
	real, err := pgconn.ParseConfig(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	dsn := fmt.Sprintf("host=127.0.0.1,%s port=%d,%d user=%s dbname=%s sslmode=disable connect_timeout=1",
		real.Host, listener.Addr().(*net.TCPAddr).Port, real.Port, real.User, real.Database)
	pool, err := pgconnect.Open(t.Context(), dsn, pgconnect.Options{MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if n := tried.Load(); n != 1 {
		t.Errorf("the server that hangs was tried %d times for the first connection", n)
	}
	for range 4 {
		conn, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
	}
	if n := tried.Load(); n != 1 {
		t.Errorf("the server that hangs was tried %d times for four connections, want once", n)
	}
}
