package main

import "testing"

func TestTheHeapGrowsLessTheMoreIsAlive(t *testing.T) {
	t.Parallel()
	for alive, want := range map[uint64]int{0: 400, 5 << 20: 400, 20 << 20: 400, 40 << 20: 200, 80 << 20: 100, 160 << 20: 50, 1 << 30: 40} {
		if got := roomFor(alive); got != want {
			t.Errorf("with %d MiB alive it may grow by %d percent, want %d", alive>>20, got, want)
		}
	}
}
