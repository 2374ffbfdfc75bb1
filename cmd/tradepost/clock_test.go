package main_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

func TestWrongLocalClockUsesTheDatabasesTime(t *testing.T) {
	t.Parallel()
	h, dsn, page, metrics := newHost(t), pgtest.New(t), freeAddress(t), freeAddress(t)
	m := h.serve("--listen", page, "--metrics-listen", metrics, "--database-url", dsn, "--discord-token", h.discord.Token(), "--clock-offset=5m")
	h.discord.WaitForBot(t)
	db, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	ask := func(query string) (at time.Time) {
		t.Helper()
		if err := db.QueryRow(t.Context(), query).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	before := ask("select clock_timestamp()")
	h.discord.Player(t, "maple").Slash("market").Button("Settings").Press().Button("Send a test").Press()
	created := ask("select created_at from notices")
	after := ask("select clock_timestamp()")
	const most = time.Second // by which the clock may be wrong on a busy machine
	if created.Before(before.Add(-most)) || created.After(after.Add(most)) {
		t.Errorf("a notice was created at %s, the database's time was between %s and %s", created, before, after)
	}

	text := get(t, "http://"+metrics+"/metrics")
	offset := regexp.MustCompile(`(?m)^tradepost_clock_offset_seconds (\S+)$`).FindStringSubmatch(text)
	if offset == nil {
		t.Fatal("the metrics do not hold tradepost_clock_offset_seconds")
	}
	if seconds, err := strconv.ParseFloat(offset[1], 64); err != nil || seconds < -301 || seconds > -299 {
		t.Errorf("tradepost_clock_offset_seconds %s (%v), want -300", offset[1], err)
	}
	m.end(t)
	if log := m.log.String(); !strings.Contains(log, `"level":"WARN","msg":"clock: the host's clock differs from the database's`) {
		t.Errorf("the log says nothing of the clock:\n%s", log)
	}
}

func TestTheDoctorFindsAWrongClock(t *testing.T) {
	t.Parallel()
	h, dsn := newHost(t), pgtest.New(t)
	out, _ := h.run([]string{"doctor", "--listen", "127.0.0.1:1", "--database-url", dsn}, "")
	says(t, out, "✓ the clock")
	out, _ = h.run([]string{"doctor", "--listen", "127.0.0.1:1", "--database-url", dsn, "--clock-offset=-5m"}, "")
	says(t, out, "✗ the clock", "5m0s behind the database's")
}
