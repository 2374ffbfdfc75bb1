package version

import (
	"runtime/debug"
	"testing"
	"time"
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

func TestPeopleReadANumberAndADay(t *testing.T) {
	const at = "2026-11-28T11:16:22Z"
	for _, tt := range []struct{ released, built, vcs, number, day string }{
		{"v1.4.0", "(devel)", at, "1.4.0", "2026-11-28"},
		{"v1.4.0", "(devel)", "", "1.4.0", "0001-01-01"},
		{"", "v1.4.0", at, "1.4.0", "2026-11-28"},
		{"", "v1.4.1-0.20261128111622-65e4ecdb1234", at, "1.4.0", "2026-11-28"},
		{"", "v1.4.1-0.20261128111622-65e4ecdb1234+dirty", "", "1.4.0", "2026-11-28"},
		{"", "v0.0.0-20261128111622-65e4ecdb1234", "", "", "2026-11-28"},
		{"", "(devel)", at, "", "2026-11-28"},
		{"", "", "", "", "0001-01-01"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.built}}
		if tt.vcs != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs.time", Value: tt.vcs}}
		}
		number, day := releaseOf(tt.released, info)
		if number != tt.number || day.Format(time.DateOnly) != tt.day {
			t.Errorf("%+v: %q of %s", tt, number, day.Format(time.DateOnly))
		}
	}
}
