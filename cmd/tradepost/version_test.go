package main_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

// A release and a build from a checkout say their version in the same places.
func TestTheVersionIsShownWhereOperatorsLook(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(binary, "--version").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	parts := regexp.MustCompile(`^tradepost (\S+)\n$`).FindStringSubmatch(string(out))
	if parts == nil {
		t.Fatalf("--version printed %q", out)
	}
	version := parts[1]
	h, page, metrics := newHost(t), freeAddress(t), freeAddress(t)
	m := h.serve("--only", "web", "--listen", page, "--metrics-listen", metrics, "--database-url", pgtest.New(t), "--site-name", "Harbour Market")
	waitFor(t, "http://"+page+"/readyz")
	for url, want := range map[string]string{
		"http://" + page + "/healthz":    `"version":"` + version + `"`,
		"http://" + metrics + "/metrics": `tradepost_build_info{version="` + version + `"} 1`,
	} {
		if body := get(t, url); !strings.Contains(body, want) {
			t.Errorf("%s does not have %s", url, want)
		}
	}
	first := get(t, "http://"+page+"/")
	if commit := regexp.MustCompile(`-\d{14}-([0-9a-f]{12})`).FindStringSubmatch(version); commit != nil {
		// People read the day; the commit is for operators.
		if !strings.Contains(first, `<meta name="built" content="20`) || strings.Contains(first, commit[1]) {
			t.Errorf("the page of %s does not have its day, or has its commit", version)
		}
	} else if version != "devel" && !strings.Contains(first, `<meta name="version" content="`) {
		t.Errorf("the page does not have the version %s", version)
	}
	m.end(t)
	log := m.log.String()
	says(t, log, `"msg":"tradepost: starting","version":"`+version+`"`, `"SITE_NAME":"Harbour Market"`, `"DATABASE_URL":"(secret)"`,
		`"msg":"tradepost: stopped","version":"`+version+`"`)
	for _, untold := range []string{"WELCOME", "SHUTDOWN_DELAY", "postgres:///", "host="} {
		if strings.Contains(log, untold) {
			t.Errorf("the log has %s:\n%s", untold, log)
		}
	}
}
