package main_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tradepost/core/coretest"
	"tradepost/sql/pgtest"
)

// After a restart of a machine the market is often faster than its database.
func TestAMarketWaitsForItsDatabase(t *testing.T) {
	t.Parallel()
	config, err := pgconn.ParseConfig(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	page, address := freeAddress(t), freeAddress(t)
	m := newHost(t).serve("--only", "web", "--listen", page, "--database-url", urlAt(config, address))
	waitFor(t, "http://"+page+"/healthz")
	for path, says := range map[string]string{
		"/":           "The market is waiting for its database. Please try again in a moment.\n",
		"/readyz":     `{"status":"not ready","checks":{"database":"failed"}}`,
		"/api/orders": `"detail":"The market is waiting for its database. Please try again in a moment."`,
	} {
		resp, err := http.Get("http://" + page + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "5" || !strings.Contains(string(body), says) {
			t.Errorf("%s: %s, Retry-After %q\n%s", path, resp.Status, resp.Header.Get("Retry-After"), body)
		}
	}

	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	forward(t, l, config)
	waitFor(t, "http://"+page+"/readyz")
	waitFor(t, "http://"+page+"/api/orders")
	m.end(t)
	if log := m.log.String(); strings.Count(log, "it does not answer, waiting for it") != 1 || !strings.Contains(log, "it answers now") || strings.Contains(log, `"ERROR"`) {
		t.Errorf("logged\n%s", log)
	}
}

// A restart of the database passes: what fails meanwhile is a warning, for no one has to do anything.
func TestARestartOfTheDatabaseIsNoErrorInTheLog(t *testing.T) {
	t.Parallel()
	dsn := pgtest.New(t)
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	page, address, h := freeAddress(t), freeAddress(t), newHost(t)
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	forward(t, l, config)
	m := h.serve("--listen", page, "--database-url", urlAt(config, address), "--discord-token", h.discord.Token())
	waitFor(t, "http://"+page+"/readyz")
	h.discord.WaitForBot(t)

	_ = l.Close() // nothing new is let in, and what is there is cut
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	cut := func() {
		if _, err := conn.Exec(t.Context(), "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"); err != nil {
			t.Fatal(err)
		}
	}
	cut()
	away := func(path string) bool {
		resp, err := http.Get("http://" + page + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusServiceUnavailable
	}
	for deadline := time.Now().Add(coretest.Patience(10 * time.Second)); !away("/readyz"); {
		if time.Now().After(deadline) {
			t.Fatal("it does not notice that the database is away")
		}
		cut()
	}
	if !away("/api/orders/1") {
		t.Error("a request was answered while the database was away")
	}

	if l, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	forward(t, l, config)
	waitFor(t, "http://"+page+"/readyz")
	m.end(t)
	if log := m.log.String(); strings.Contains(log, `"ERROR"`) || !strings.Contains(log, `"WARN"`) || !strings.Contains(log, "tradepost: stopped") || strings.Contains(log, `"/readyz","status":200`) {
		t.Errorf("logged\n%s", log)
	}
}
