package main_test

import (
	"debug/buildinfo"
	"os/exec"
	"strings"
	"testing"
)

func TestTheLicencesOfAllLinkedModulesCanBeShipped(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "run", "../licences", binary).Output()
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
