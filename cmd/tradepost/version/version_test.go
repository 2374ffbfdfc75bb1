package version

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionIsTheReleasesOrTheCommits(t *testing.T) {
	for _, tt := range []struct{ released, built, want string }{
		{"v1.4.0", "v0.0.0-20261122-abcdef", "1.4.0"},
		{"", "v0.0.0-20261122-abcdef", "0.0.0-20261122-abcdef"},
		{"", "(devel)", "devel"},
		{"", "", "devel"},
	} {
		if got := of(tt.released, &debug.BuildInfo{Main: debug.Module{Version: tt.built}}); got != tt.want {
			t.Errorf("released %q, built %q: %q, want %q", tt.released, tt.built, got, tt.want)
		}
	}
}
