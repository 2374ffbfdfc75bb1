package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBreakagesApply checks that the text of each edit is there once, and that the scene exists. `make breakages` builds the
// broken programs and plays the scenes.
func TestBreakagesApply(t *testing.T) {
	t.Parallel()
	scenes := ""
	files, err := filepath.Glob("../faults/fault_*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scenes += string(data)
	}
	for _, b := range slices.Concat(breakages, scheduled) {
		if b.scene != "" && strings.Count(scenes, `"`+b.scene) != 1 {
			t.Errorf("breakage %q: make faults does not play %q", b.name, b.scene)
		}
		for _, e := range b.edits {
			data, err := os.ReadFile(filepath.Join("../../..", e.file))
			if err != nil {
				t.Errorf("breakage %q: %v", b.name, err)
			}
			if n := strings.Count(string(data), e.old); n != 1 {
				t.Errorf("breakage %q no longer applies: %s has %q %d times", b.name, e.file, e.old, n)
			}
		}
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row              row
		caught, unbroken string
		well             bool
	}{
		"no control":      {row{caught: true}, "after 0s", "not played", true},
		"control passed":  {row{caught: true, played: true}, "after 0s", "passes", true},
		"control failed":  {row{caught: true, played: true, control: errors.New("pending")}, "after 0s", "FAILS", false},
		"interrupted":     {row{stopped: true}, "stopped", "not played", false},
		"not caught":      {row{played: true}, "NO", "passes", false},
		"no longer built": {row{err: errors.New("build")}, "not tried", "not played", false},
	} {
		if caught, unbroken := tt.row.verdicts(); caught != tt.caught || unbroken != tt.unbroken || tt.row.well() != tt.well {
			t.Errorf("%s: %q, %q, well %v", name, caught, unbroken, tt.row.well())
		}
	}
}

func TestAnInterruptedBreakageIsStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := &workshop{tree: filepath.Join(t.TempDir(), "tree"), passed: map[string]error{}}
	for _, control := range []bool{false, true} {
		if r := w.try(ctx, breakage{name: "none", scene: sceneCrash}, control); r.progress() != "none: stopped" {
			t.Errorf("with control %v: %s", control, r.progress())
		}
	}
}
