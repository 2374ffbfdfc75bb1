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
	guide, err := os.ReadFile("../../docs/adding-a-field.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		for _, e := range p.edits {
			if _, known := files[e.file]; !known {
				data, err := os.ReadFile(filepath.Join("../..", e.file))
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
	if n := len(byHand()); n > 15 {
		t.Errorf("%d hand-edited files, want at most 15", n)
	}
}
