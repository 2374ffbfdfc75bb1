package main

import (
	"strings"
	"testing"
)

func TestWrappingDoesNotChangeTheUnwrappedLines(t *testing.T) {
	t.Parallel()
	words := strings.Repeat("word ", 30) // 150 columns
	for name, tt := range map[string]struct {
		source string
		want   int
	}{
		"a signature":  {"package p\n\nfunc f(\n\ta int,\n\tb int,\n) error {\n\treturn nil\n}\n", 5},
		"a call":       {"package p\n\nvar x = f(\n\t1,\n\t2)\n", 3},
		"an operator":  {"package p\n\nvar x = a &&\n\tb\n", 3},
		"a group":      {"package p\n\nconst (\n\ta = 1\n\tb = 2\n)\n", 6},
		"a function":   {"package p\n\nvar x = f(func() {\n\tg()\n})\n", 5},
		"a literal":    {"package p\n\nvar x = []int{\n\t1,\n\t2,\n}\n", 6},
		"a string":     {"package p\n\nvar x = `a\nb`\n", 4},
		"a comment":    {"package p\n\n// " + words + "\nvar x int\n", 5},
		"wrapped":      {"package p\n\n// " + words[:75] + "\n// " + words[75:] + "\nvar x int\n", 5},
		"short lines":  {"package p\n\n// one\n// two\n// three\nvar x int\n", 4},
		"a list":       {"package p\n\n// one\n//   - two\n//   - three\nvar x int\n", 6},
		"a line aside": {"package p\n\nvar x int // said aside\n", 3},
		"a directive":  {"package p\n\n//go:embed x\nvar x string\n", 4},
	} {
		if got := unwrappedLines([]byte(tt.source)); got != tt.want {
			t.Errorf("%s: %d lines, want %d:\n%s", name, got, tt.want, tt.source)
		}
	}
}
