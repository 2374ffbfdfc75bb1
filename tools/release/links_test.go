package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestALinkLeadsToAFileOfTheArchive(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "[a](docs/a.md#part) [site](https://trade.example/x) [code](core/x.go) ![shot](docs/no.png) `[no](link.md)`",
		"docs/a.md": "[up](../README.md) [here](#part) [out](../../away.md)\n```md\n[no](code.md)\n```\n",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dead, err := deadLinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"README.md links to core/x.go", "README.md links to docs/no.png", "docs/a.md links to ../../away.md"}
	if !slices.Equal(dead, want) {
		t.Errorf("links that lead nowhere are %q, want %q", dead, want)
	}
}
