//go:build unix

package pgtest_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

func TestAStandbyFollowsItsPrimary(t *testing.T) {
	t.Parallel()
	primary := pgtest.NewPrimary(t)
	dsn := primary.Empty()
	standby := primary.Standby()
	at := func(dsn string) *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(t.Context()) })
		return conn
	}
	writing, reading := at(dsn), at(standby.At(dsn))
	if _, err := writing.Exec(t.Context(), "create table told as select 7 as n"); err != nil {
		t.Fatal(err)
	}
	var n int
	for end := time.Now().Add(20 * time.Second); n != 7; time.Sleep(5 * time.Millisecond) { // no signal says that it has followed
		if err := reading.QueryRow(t.Context(), "select n from told").Scan(&n); err != nil && time.Now().After(end) {
			t.Fatal(err)
		}
	}
	if _, err := reading.Exec(t.Context(), "create table told_too ()"); err == nil {
		t.Error("a standby takes writes")
	}
}
