//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestConcurrentAcceptsMatchTheirAnswers plays a few rounds of 64 accepts at once through both adapters. `make races` plays
// 500.
func TestConcurrentAcceptsMatchTheirAnswers(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "tradepost")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../../..", "-o", program, "./cmd/tradepost").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	ground, err := newGround(t.Context(), settings{program: program, seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ground.close)
	var table bytes.Buffer
	if err := ground.playRaces(t.Context(), 4, &table); err != nil {
		t.Error(err)
	}
	t.Log(table.String())
}
