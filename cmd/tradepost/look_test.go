package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

func TestOperatorBrandsTheMarket(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	write := func(name, text string) string {
		path := filepath.Join(h.dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	address := freeAddress(t)
	m := h.serve("--only", "web", "--listen", address, "--database-url", pgtest.New(t),
		"--site-name", "Harbour & Sons", "--tagline", "Since yesterday", "--accent", "#8a2be2", "--welcome", "Be <kind>", "--default-view", "list",
		"--logo", write("logo.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`), "--items", write("items.txt", "Moon Pearl\n\n  Sun Pearl \n"))
	waitFor(t, "http://"+address+"/readyz")
	page := get(t, "http://"+address+"/")
	for _, part := range []string{
		`<meta name="application-name" content="Harbour &amp; Sons" />`, `<meta name="tagline" content="Since yesterday" />`,
		`<meta name="welcome" content="Be &lt;kind&gt;" />`, `<meta name="default-view" content="list" />`, `<link rel="stylesheet" href="/look.css?v=`, `<link rel="icon" href="/logo?v=`,
		// before the scripts run as well
		`<img src="/logo?v=`, `data-said="application-name">Harbour &amp; Sons</span>`, `>Since yesterday</span`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page does not contain %s", part)
		}
	}
	if strings.Contains(page, `name="game"`) {
		t.Error("the page gets the game that is built into it")
	}
	if style := get(t, "http://"+address+"/look.css"); !strings.Contains(style, "--primary:#") {
		t.Errorf("the style is %q", style)
	}
	if items := get(t, "http://"+address+"/api/items?q=pearl"); !strings.Contains(items, `"Moon Pearl","Sun Pearl","`) {
		t.Errorf("suggested are %s", items)
	}
	m.end(t)
}
