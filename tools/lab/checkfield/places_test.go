package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlacesApply checks that the text of each edit is there once, and that docs/adding-a-field.md names its file.
// `make check-field` makes the edits.
func TestPlacesApply(t *testing.T) {
	t.Parallel()
	files := map[string]string{migration: ""}
	guide, err := os.ReadFile("../../../docs/adding-a-field.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		for _, e := range p.edits {
			if _, known := files[e.file]; !known {
				data, err := os.ReadFile(filepath.Join("../../..", e.file))
				if err != nil {
					t.Fatal(err)
				}
				files[e.file] = string(data)
			}
			if n := strings.Count(files[e.file], e.old); n != 1 {
				t.Errorf("%s: %s has %q %d times", p.name, e.file, e.old, n)
			}
			files[e.file] = strings.Replace(files[e.file], e.old, e.new, 1)
			if e.file != migration && !strings.Contains(string(guide), "`"+e.file+"`") {
				t.Errorf("docs/adding-a-field.md does not name %s", e.file)
			}
		}
	}
	if n := len(byHand()); n > 6 {
		t.Errorf("%d hand-edited files, want at most 6", n)
	}
}

// TestKeysOfTextsAreGeneratedFirst checks that neither make generate nor the check of new fields runs a program that contains the bot
// before the keys of its texts are written.
func TestKeysOfTextsAreGeneratedFirst(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(makefile), "\ngenerate-go: dashboard")
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	first := ""
	for line := range strings.Lines(recipe) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "@"); ok {
			first = command
			break
		}
	}
	if first != keys {
		t.Errorf("make generate begins with %q, want %q", first, keys)
	}
	if generators[0] != keys {
		t.Errorf("the check of new fields begins with %q, want %q", generators[0], keys)
	}
}
