// Package version returns the version of the program.
package version

import (
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// released is the version of a release, such as v1.4.0. The linker sets it: -ldflags "-X
// tradepost/cmd/tradepost/version.released=v1.4.0".
var released string

// String returns the version of this program: the release's version, otherwise the version that the build
// recorded for its commit, or "devel".
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(released, info)
}

// Release returns this version as people say it: the number of the release that it is or follows, empty
// before the first one, and the day of its commit, zero where the build did not record it.
func Release() (number string, day time.Time) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return releaseOf(released, info)
}

// following is the version of a commit after a release, as Go writes it: 1.4.1-0.20261128111622-65e4ecdb1234,
// or 0.0.0-… before the first release.
var following = regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)-(?:0\.)?(\d{14})-[0-9a-f]{12}$`)

func releaseOf(released string, info *debug.BuildInfo) (number string, day time.Time) {
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			day, _ = time.Parse(time.RFC3339, s.Value)
		}
	}
	number, _, _ = strings.Cut(of(released, info), "+")
	if number == "devel" {
		return "", day
	}
	commit := following.FindStringSubmatch(number)
	if commit == nil {
		return number, day
	}
	if day.IsZero() {
		day, _ = time.Parse("20060102150405", commit[4])
	}
	patch, err := strconv.Atoi(commit[3])
	if err != nil || patch == 0 {
		return "", day
	}
	return commit[1] + "." + commit[2] + "." + strconv.Itoa(patch-1), day
}

// of returns the version of a program: the released version or, when that is empty, the checkout's.
func of(released string, info *debug.BuildInfo) string {
	if released != "" {
		return strings.TrimPrefix(released, "v")
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	return "devel"
}
