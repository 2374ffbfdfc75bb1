package main_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core/coretest"
	"tradepost/sql/pgtest"
)

// The canary trades through the public address, and nothing of it is seen or left.
func TestTheCanaryTradesWhereOthersDoNotSeeIt(t *testing.T) {
	t.Parallel()
	h, dsn, page, metrics := newHost(t), pgtest.New(t), freeAddress(t), freeAddress(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	m := h.serve("--listen", page, "--metrics-listen", metrics, "--database-url", dsn, "--discord-token", h.discord.Token(), "--canary", "--canary-every", "200ms", "--request-limit", "100000", "--write-limit", "100000")
	waitFor(t, "http://"+metrics+"/metrics")
	rounds := func(outcome string) string {
		return regexp.MustCompile(fmt.Sprintf(`tradepost_canary_rounds_total\{outcome="%s"\} (\d+)`, outcome)).FindString(get(t, "http://"+metrics+"/metrics"))
	}
	hidden := 0
	for deadline := time.Now().Add(coretest.Patience(30 * time.Second)); !strings.HasSuffix(rounds("ok"), " 3"); {
		if strings.Contains(rounds("ok"), "} 4") || strings.Contains(rounds("ok"), "} 5") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s, %s", rounds("ok"), rounds("failed"))
		}
		for path, want := range map[string]string{"/api/orders": `"total":0`, "/api/orders?q=canary": `"total":0`, "/api/orders/counts": `"all":0`, "/api/items?q=canary": `[]`} {
			if answer := get(t, "http://"+page+path); !strings.Contains(answer, want) {
				t.Fatalf("%s shows the canary: %s", path, answer)
			}
		}
		var id int64
		if err := conn.QueryRow(t.Context(), "select id from orders limit 1").Scan(&id); err == nil {
			resp, err := http.Get(fmt.Sprintf("http://%s/api/orders/%d", page, id))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if hidden++; resp.StatusCode != http.StatusNotFound {
				t.Errorf("others see the canary's request: %s", resp.Status)
			}
		}
	}
	if text := get(t, "http://"+metrics+"/metrics"); !strings.Contains(text, `tradepost_board_orders{category="Miner"} 0`) || rounds("failed") != `tradepost_canary_rounds_total{outcome="failed"} 0` {
		t.Errorf("%s\n%s", rounds("failed"), text)
	}
	m.end(t)
	for _, table := range []string{"orders", "offers", "sent_offers", "order_updates", "notices", "deliveries", "closings", "ended_offers", "reports", "deleted_orders"} {
		var left int
		if err := conn.QueryRow(t.Context(), "select count(*) from "+table).Scan(&left); err != nil || left > 0 {
			t.Errorf("%d rows are left in %s, %v", left, table, err)
		}
	}
	if out, said, err := tradepost(t, nil, "check", "--database-url", dsn); err != nil {
		t.Errorf("check: %v, %s%s", err, out, said)
	}
	if log := m.log.String(); strings.Contains(log, "canary: the trade failed") || strings.Contains(log, `"ERROR"`) {
		t.Errorf("logged\n%s", log)
	}
}
