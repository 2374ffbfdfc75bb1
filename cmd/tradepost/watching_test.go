package main_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

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

	there := map[string]bool{"up": true}
	for _, line := range strings.Split(text, "\n") {
		if name, found := strings.CutPrefix(line, "# TYPE "); found {
			there[strings.Fields(name)[0]] = true
		}
	}
	// What is counted when it happens for the first time: a limit that Discord set, a message, a delivery.
	for _, later := range []string{"discord_limited_total", "discord_messages_total", "notice_delivery_seconds", "canary_rounds_total"} {
		there[later] = true
	}
	name := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b|\bup\b`)
	words := map[string]bool{"histogram_quantile": true}
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
	failures := regexp.MustCompile(`alert: TradepostFails\s+expr: sum\(rate\(http_requests_total\{status=~"([^"]+)"`)
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
	for _, figure := range []string{`board_orders{category="Miner"} 0`, `database_connections{state="max"}`, `discord_gateway{state="ready"} 1`,
		`discord_interactions_total{name="/request browse"`, `http_requests_total{method="GET",route="/api/orders",status="200"} 1`} {
		if !strings.Contains(text, figure) {
			t.Errorf("the metrics do not contain %s", figure)
		}
	}
}
