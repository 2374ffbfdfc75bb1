// Package version says which version the program has.
package version

import (
	"runtime/debug"
	"strings"
)

// released is the version of a release, such as v1.4.0. The linker sets it: -ldflags "-X
// tradepost/cmd/tradepost/version.released=v1.4.0".
var released string

// String is the version of this program: that of the release, otherwise what the build knows of its
// commit, or "devel".
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(released, info)
}

// of is the version of a program that was released as told, which may be empty, or else was built from a
// checkout.
func of(released string, info *debug.BuildInfo) string {
	if released != "" {
		return strings.TrimPrefix(released, "v")
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	return "devel"
}
