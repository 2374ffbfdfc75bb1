package main_test

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestTheReleaseRunsAsUnpacked(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("../../dashboard/dist/licences.md"); err != nil || runtime.GOOS != "linux" {
		t.Skip("the page is not built (make build), or this is not Linux")
	}
	system, out := runtime.GOOS+"/"+runtime.GOARCH, t.TempDir()
	// The page that is there is packed: a test does not build it.
	made := exec.CommandContext(t.Context(), "make", "-C", "../..", "-o", "dashboard/dist/index.html", "release", "SYSTEMS="+system, "VERSION=v9.8.7", "RELEASE="+filepath.Join(out, "release"))
	if log, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	archive := "tradepost-" + strings.ReplaceAll(system, "/", "-")
	run := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %v: %v\n%s", name, args, err, said)
		}
		return string(said)
	}
	run(filepath.Join(out, "release"), "sha256sum", "--check", "--strict", "SHA256SUMS")
	run(out, "tar", "-xzf", "release/"+archive+".tar.gz")
	dir := filepath.Join(out, archive)
	if said := run(dir, "./tradepost", "--version"); said != "tradepost 9.8.7\n" {
		t.Errorf("its version is %q", said)
	}
	if said := run(dir, "./tradepost", "configuration"); !strings.Contains(said, "PUBLIC_URL") {
		t.Errorf("it prints %q", said)
	}
	for _, file := range []string{
		"LICENSE", "LICENSES.txt", "licences.md", "README.md", "CHANGELOG.md", ".env.example", "compose.yaml", "docs/host.md",
		"docs/troubleshooting.md", "deploy/tradepost.service",
	} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", file, err)
		}
	}
	if compose, _ := os.ReadFile(filepath.Join(dir, "compose.yaml")); strings.Contains(string(compose), "build:") { // an empty one has no image, either
		t.Error("compose.yaml builds, and the archive has nothing to build from")
	}
	billOfMaterials(t, dir)
}

// billOfMaterials compares the list of what the program is built from with the program.
func billOfMaterials(t *testing.T, dir string) {
	t.Helper()
	written, err := os.ReadFile(filepath.Join(dir, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Component struct{ Name, Version string }
		}
		Components []struct {
			Name, Version, Purl string
			Hashes              []struct{ Content string }
		}
	}
	if err := json.Unmarshal(written, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BOMFormat != "CycloneDX" || bom.SpecVersion != "1.6" || bom.Metadata.Component.Name != "tradepost" || bom.Metadata.Component.Version != "v9.8.7" {
		t.Errorf("it is about %+v", bom.Metadata)
	}
	info, err := buildinfo.ReadFile(filepath.Join(dir, "tradepost"))
	if err != nil {
		t.Fatal(err)
	}
	listed := []string{}
	for _, c := range bom.Components {
		listed = append(listed, c.Name+" "+c.Version)
		if c.Purl != "pkg:golang/"+c.Name+"@"+c.Version || c.Name != "std" && len(c.Hashes) != 1 {
			t.Errorf("it lists %+v", c)
		}
	}
	if len(listed) != len(info.Deps)+1 || !slices.Contains(listed, "std "+info.GoVersion) {
		t.Errorf("it lists %d of %d modules and Go", len(listed), len(info.Deps))
	}
	for _, dep := range info.Deps {
		if !slices.Contains(listed, dep.Path+" "+dep.Version) {
			t.Errorf("it leaves out %s", dep.Path)
		}
	}
}
