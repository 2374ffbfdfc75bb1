package main_test

import (
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLicencesOfAllLinkedModulesCanBeShipped(t *testing.T) {
	t.Parallel()
	licences := filepath.Join(t.TempDir(), "licences")
	if out, err := exec.Command("go", "build", "-C", "../../tools/licences", "-o", licences, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(licences, binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range info.Deps {
		if !strings.Contains(string(out), "==== "+module.Path+" "+module.Version+": ") {
			t.Errorf("no licence of %s", module.Path)
		}
	}
	if len(info.Deps) == 0 || !strings.Contains(string(out), "==== Go ") {
		t.Errorf("%d modules, %d bytes", len(info.Deps), len(out))
	}
}
