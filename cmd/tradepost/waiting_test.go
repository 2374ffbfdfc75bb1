package main_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

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
