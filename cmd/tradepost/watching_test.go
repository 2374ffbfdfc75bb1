package main_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"tradepost/sql/invariants"
	"tradepost/sql/pgtest"
)

// The series of metrics that exist only once an event was counted.
var suffixes = regexp.MustCompile(`_(bucket|sum|count)$`)

func TestDashboardAndAlertsUseExistingMetrics(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	metrics, page := freeAddress(t), freeAddress(t)
	m := h.serve("--listen", page, "--metrics-listen", metrics, "--database-url", pgtest.New(t), "--discord-token", h.discord.Token())
	h.discord.WaitForBot(t)
	h.discord.Player(t, "maple").Slash("request browse")
	get(t, "http://"+page+"/api/orders")
	text := get(t, "http://"+metrics+"/metrics")
	m.end(t)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the market logged:\n%s", m.log)
		}
	})

	there := map[string]bool{"up": true}
	prefix := regexp.MustCompile(`^(go|process|tradepost)_`)
	for _, line := range strings.Split(text, "\n") {
		if name, found := strings.CutPrefix(line, "# TYPE "); found {
			there[strings.Fields(name)[0]] = true
			if !prefix.MatchString(name) {
				t.Errorf("the metric %s has no prefix", name)
			}
		}
	}
	// What is counted when it happens for the first time: a limit that Discord set, a message, a delivery.
	for _, later := range []string{"discord_limited_total", "discord_messages_total", "notice_delivery_seconds", "canary_rounds_total", "times_brought_back_total"} {
		there["tradepost_"+later] = true
	}
	name := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b|\bup\b`)
	words := map[string]bool{"histogram_quantile": true, "tradepost": true}
	for file, expr := range map[string]*regexp.Regexp{
		"../../docs/watching/grafana.json": regexp.MustCompile(`"expr": "(.*)",`),
		"../../docs/watching/alerts.yaml":  regexp.MustCompile(`expr: (.*)`),
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, found := range expr.FindAllStringSubmatch(string(data), -1) {
			for _, figure := range name.FindAllString(found[1], -1) {
				asked++
				if !words[figure] && !there[suffixes.ReplaceAllString(figure, "")] {
					t.Errorf("%s queries %s, which does not exist", file, figure)
				}
			}
		}
		if asked < 8 {
			t.Errorf("%s queries %d metrics", file, asked)
		}
	}
	failures := regexp.MustCompile(`alert: TradepostFails\s+expr: sum\(rate\(tradepost_http_requests_total\{job="tradepost",status=~"([^"]+)"`)
	rules, err := os.ReadFile("../../docs/watching/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	counted := failures.FindSubmatch(rules)
	if counted == nil {
		t.Fatal("no alert counts failures by status")
	}
	for status, want := range map[string]bool{"499": true, "500": true, "503": true, "429": false, "404": false, "200": false} {
		if regexp.MustCompile("^(?:"+string(counted[1])+")$").MatchString(status) != want {
			t.Errorf("the alert on failures counts %s: %t", status, !want)
		}
	}
	for invariant := range (invariants.Liveness{}).Broken() {
		if !strings.Contains(string(rules), `tradepost_liveness_violations{job="tradepost",invariant="`+invariant+`"}`) {
			t.Errorf("no alert rule knows %s", invariant)
		}
		if !strings.Contains(text, `tradepost_liveness_violations{invariant="`+invariant+`"} 0`) {
			t.Errorf("the metrics do not contain %s", invariant)
		}
	}
	for _, figure := range []string{`tradepost_board_orders{category="Miner"} 0`, `tradepost_database_connections{state="max"}`, `tradepost_discord_gateway{state="ready"} 1`,
		`tradepost_discord_interactions_total{name="/request browse"`, `tradepost_http_requests_total{method="GET",route="/api/orders",status="200"} 1`} {
		if !strings.Contains(text, figure) {
			t.Errorf("the metrics do not contain %s", figure)
		}
	}
}

// A Prometheus watches more than the market, and other programs count requests, too.
func TestAlertsReadOnlyTheJobOfTheMarket(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("../../docs/watching/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	selector := regexp.MustCompile(`\b(up|(?:tradepost|process|go)_[a-z_]+)(\{[^}]*\})?`)
	found := regexp.MustCompile(`(?m)expr: (.*)$`).FindAllStringSubmatch(string(rules), -1)
	if len(found) != strings.Count(string(rules), "- alert:") {
		t.Fatalf("%d expressions", len(found))
	}
	for _, expr := range found {
		for _, read := range selector.FindAllStringSubmatch(strings.ReplaceAll(expr[1], `"tradepost"`, `"-"`), -1) {
			if !strings.Contains(read[2], `job="-"`) {
				t.Errorf("%s is read of every job in %s", read[1], expr[1])
			}
		}
	}
}

func TestDashboardShowsWhatAnOperatorAsksFirst(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../docs/watching/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(data, &board); err != nil {
		t.Fatal(err)
	}
	const rowsInSight = 10
	first, taken, ids := "", map[[2]int]string{}, map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			if p.GridPos.Y < rowsInSight {
				first += target.Expr + "\n"
			}
			if strings.Contains(target.Expr, "process_") && !strings.Contains(target.Expr, "job") {
				t.Errorf("%s shows every process that Prometheus watches", p.Title)
			}
		}
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" {
					t.Fatalf("%s lies on %s", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
	for _, metric := range []string{"tradepost_backup_last_success_timestamp_seconds", "tradepost_canary_rounds_total", "tradepost_build_info",
		"tradepost_disk_free_bytes", "tradepost_clock_offset_seconds", "ALERTS{"} {
		if !strings.Contains(first, metric) {
			t.Errorf("the first rows of the dashboard do not show %s", metric)
		}
	}
}
