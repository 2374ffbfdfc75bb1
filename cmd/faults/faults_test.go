//go:build unix

package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestEveryNoticeSurvivesEveryFault plays the faults that do not take long, once. `make faults` plays all of them
// a hundred times and holds them to the times promised; here a busy machine may take longer.
func TestEveryNoticeSurvivesEveryFault(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "tradepost")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "tradepost/cmd/tradepost").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	ground, err := newGround(t.Context(), settings{program: program, rounds: 1, atOnce: 6})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ground.close)
	var quick []fault
	for _, f := range faults {
		if f.rare <= 4 {
			quick = append(quick, f)
		}
	}
	ground.playAll(t.Context(), quick, func(r result) {
		t.Log(r.progress())
		if r.err != nil || r.lost+r.doubled+r.failed > 0 {
			t.Errorf("%s: %d lost, %d doubled, %d requests failed", r.name, r.lost, r.doubled, r.failed)
		}
	})
}
