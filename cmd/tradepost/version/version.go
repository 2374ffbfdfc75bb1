// Package version returns the version of the program.
package version

import (
	"runtime/debug"
	"strings"
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
