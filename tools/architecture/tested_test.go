package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryPackageIsTested compares the folders of Go files that Git knows with the packages that make test
// runs, over all modules.
func TestEveryPackageIsTested(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, file := range linesOf(t, root, "git", "ls-files", "-co", "--exclude-standard", "*.go") {
		folder := filepath.Dir(file)
		// tools/client has no code of its own: make verify generates and builds it.
		if !slices.Contains(strings.Split(folder, "/"), "testdata") && folder != "tools/client" {
			want = append(want, folder)
		}
	}
	want = unique(want)
	var got []string
	for _, folder := range linesOf(t, root, "scripts/test-go.sh", "list") {
		relative, err := filepath.Rel(root, folder)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, relative)
	}
	got = unique(got)
	if len(want) == 0 {
		t.Fatal("Git lists no Go file")
	}
	for _, folder := range want {
		if !slices.Contains(got, folder) {
			t.Errorf("make test leaves out %s", folder)
		}
	}
	for _, folder := range got {
		if !slices.Contains(want, folder) {
			t.Errorf("make test runs %s, where Git lists no Go file", folder)
		}
	}
}

func linesOf(t *testing.T, root, command string, args ...string) []string {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return strings.Fields(string(out))
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
