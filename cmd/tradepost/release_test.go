package main_test

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	if sums := run(filepath.Join(out, "release"), "cat", "SHA256SUMS"); strings.Count(sums, "\n") != 2 || !strings.Contains(sums, "tradepost_"+runtime.GOARCH+".deb") {
		t.Errorf("it has other files than an archive and a package:\n%s", sums)
	}
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
		"docs/troubleshooting.md", "core/game/game.json", "deploy/tradepost.service", "deploy/cache/tradepost.vcl", "deploy/ha/patroni.yml",
	} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", file, err)
		}
	}
	if compose, _ := os.ReadFile(filepath.Join(dir, "compose.yaml")); strings.Contains(string(compose), "build:") { // an empty one has no image, either
		t.Error("compose.yaml builds, and the archive has nothing to build from")
	}
	billOfMaterials(t, dir)
	pagesMaterials(t, dir)
	packageHolds(t, filepath.Join(out, "release", "tradepost_"+runtime.GOARCH+".deb"), run)
}

// packageHolds looks at the Debian package, without installing it: make install-test does.
func packageHolds(t *testing.T, path string, run func(dir, name string, args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Log("not looked at: the package, as dpkg-deb is missing")
		return
	}
	dir := t.TempDir()
	run(dir, "dpkg-deb", "--raw-extract", path, "root")
	if said := run(filepath.Join(dir, "root"), "usr/bin/tradepost", "--version"); said != "tradepost 9.8.7\n" {
		t.Errorf("its program's version is %q", said)
	}
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join(dir, "root", path))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	says(t, read("DEBIAN/control"), "Version: 9.8.7\n", "Architecture: "+runtime.GOARCH+"\n", "Depends: postgresql (>= 15)")
	for _, unit := range []string{"tradepost.service", "tradepost-backup.service", "tradepost-backup.timer"} {
		ours, err := os.ReadFile("../../deploy/" + unit)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(string(ours), "/usr/local/bin/", "/usr/bin/"); read("usr/lib/systemd/system/"+unit) != want {
			t.Errorf("%s is not that of deploy", unit)
		}
	}
	for _, script := range []string{"preinst", "postinst", "prerm", "postrm"} {
		run(dir, "sh", "-n", "root/DEBIAN/"+script)
	}
	for _, file := range []string{"usr/share/tradepost/CHANGELOG.md", "usr/share/tradepost/docs/host.md", "usr/share/tradepost/deploy/cache/tradepost.vcl", "usr/share/doc/tradepost/copyright"} {
		read(file)
	}
}

// pagesMaterials wants every package whose licence the page's bundle names in its bill of materials.
func pagesMaterials(t *testing.T, dir string) {
	t.Helper()
	type component struct {
		Group, Name, Version string
		Licenses             []any
		Components           []component
	}
	var bom struct{ Components []component }
	written, err := os.ReadFile(filepath.Join(dir, "sbom-page.cdx.json"))
	if err := errors.Join(err, json.Unmarshal(written, &bom)); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	var list func([]component)
	list = func(all []component) {
		for _, c := range all {
			name := strings.TrimPrefix(c.Group+"/"+c.Name, "/")
			if listed[name+" - "+c.Version] = true; len(c.Licenses) == 0 {
				t.Errorf("%s has no licence", name)
			}
			list(c.Components)
		}
	}
	list(bom.Components)
	bundled, err := os.ReadFile(filepath.Join(dir, "licences.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^## (\S+ - \S+) \(`).FindAllStringSubmatch(string(bundled), -1)
	if len(found) < 30 {
		t.Errorf("the page is made of %d packages", len(found))
	}
	for _, p := range found {
		if !listed[p[1]] {
			t.Errorf("it leaves out %s", p[1])
		}
	}
	for _, dev := range []string{"vitest", "jsdom"} {
		if strings.Contains(string(written), `"pkg:npm/`+strings.ReplaceAll(dev, "@", "%40")+"@") {
			t.Errorf("it lists %s, which only checks the page", dev)
		}
	}
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
			Evidence            struct{ Licenses []any }
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
	listed, unlicensed := []string{}, 0
	for _, c := range bom.Components {
		listed = append(listed, c.Name+" "+c.Version)
		if !strings.HasPrefix(c.Purl, "pkg:golang/"+c.Name+"@"+c.Version+"?") || c.Name != "std" && len(c.Hashes) != 1 {
			t.Errorf("it lists %+v", c)
		}
		if len(c.Evidence.Licenses) == 0 {
			unlicensed++ // a text that the tool does not know; LICENSES.txt has it
		}
	}
	if unlicensed > 3 {
		t.Errorf("%d modules have no licence", unlicensed)
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
