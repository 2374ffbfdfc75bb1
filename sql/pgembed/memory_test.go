//go:build unix

package pgembed

import "testing"

func TestSharedBuffersGrowWithTheMemory(t *testing.T) {
	t.Parallel()
	const gibibyte = 1 << 30
	for _, tt := range []struct{ memory, want uint64 }{
		{0, 64}, {gibibyte / 4, 64}, {gibibyte, 128}, {4 * gibibyte, 512}, {64 * gibibyte, 1024},
	} {
		if got := buffersOf(tt.memory) / mebibyte; got != tt.want {
			t.Errorf("of %d MiB it keeps %d, want %d", tt.memory/mebibyte, got, tt.want)
		}
	}
	if m := memory(); m < 16*mebibyte {
		t.Errorf("this machine has %d bytes of memory", m)
	}
}
