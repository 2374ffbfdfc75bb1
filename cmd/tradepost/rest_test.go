package main_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/pgtest"
)

// A program without clients polls for changes every 15 seconds. One with an open page polls all
// the time, also for such as a process left that was killed before it could tell of them.
func TestOpenPageSeesChangesWithoutANotification(t *testing.T) {
	t.Parallel()
	h, dsn, page := newHost(t), pgtest.New(t), freeAddress(t)
	h.serve("--only", "web", "--listen", page, "--database-url", dsn)
	waitFor(t, "http://"+page+"/readyz")
	db, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	change := func() {
		if _, err := db.Exec(t.Context(), "insert into changes (orders, users, lists) values ('{41}', '{}', false)"); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := http.Get("http://" + page + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	soon := time.AfterFunc(5*time.Second, func() { _ = stream.Body.Close() })
	defer soon.Stop()
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.Contains(line, "welcome"), strings.HasPrefix(line, "event: resync"): // it began to listen only now
			change()
		case strings.Contains(line, `"orders":[41]`):
			return
		}
	}
	t.Error("5 seconds after a change the page has not heard of it")
}
