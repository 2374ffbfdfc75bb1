package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tradepost/sql/pgtest"
)

func TestItemsAreImportedFromAFile(t *testing.T) {
	t.Parallel()
	dsn, file := pgtest.New(t), filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(file, []byte("name,made_by\nIron Ore,Miner\nLantern,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ arguments, want string }{
		{"--dry-run", "would import 2 items: 2 new, 0 renamed, 0 changed, 0 back, 0 gone, 0 unchanged\n"},
		{"", "imported 2 items: 2 new, 0 renamed, 0 changed, 0 back, 0 gone, 0 unchanged\n"},
		{"", "imported 2 items: 0 new, 0 renamed, 0 changed, 0 back, 0 gone, 2 unchanged\n"},
	} {
		out, err := exec.Command(binary, strings.Fields("items import --database-url "+dsn+" "+step.arguments+" "+file)...).Output()
		if err != nil || string(out) != step.want {
			t.Errorf("it said %q, %v, want %q", out, err, step.want)
		}
	}
	if err := os.WriteFile(file, []byte("name,made_at_level\nIron Ore,high\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(binary, "items", "import", "--database-url", dsn, file).CombinedOutput()
	if err == nil || !strings.Contains(string(out), `line 2, column made_at_level: "high" is no level`) {
		t.Errorf("of a wrong file it said %q, %v", out, err)
	}
}

// A catalogue names the professions of the game that is played.
func TestItemsOfAnotherGameAreImported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	game, file, dsn := gameOfTheDocuments(t, dir), filepath.Join(dir, "items.csv"), pgtest.New(t)
	if err := os.WriteFile(file, []byte("name,made_by\nSea Pearl,Pearl Diver\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, out := attempt(t, dir, nil, "items", "import", "--game", file, "--database-url", dsn, file); status != 80 || !strings.Contains(out, "GAME: ") {
		t.Errorf("with a game that is none: status %d, %s", status, out)
	}
	if status, out := attempt(t, dir, nil, "items", "import", "--game", game, "--database-url", dsn, file); status != 0 || !strings.Contains(out, "imported 1 items") {
		t.Errorf("with the game: status %d, %s", status, out)
	}
}
