package main

import (
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// released is the version of a release, such as v1.4.0. The linker sets it: -ldflags "-X main.released=v1.4.0".
var released string

// version is the version of this program: that of the release, otherwise what the build knows of its commit, or "devel".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(released, info)
}

// versionOf is the version of a program that was released as told, which may be empty, or else was built from a checkout.
func versionOf(released string, info *debug.BuildInfo) string {
	if released != "" {
		return strings.TrimPrefix(released, "v")
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	return "devel"
}

// newBuildInfo returns the metric that tells which version runs. Its value is always 1.
func newBuildInfo() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "build_info", Help: "1, with the version of the program as a label.",
		ConstLabels: prometheus.Labels{"version": version()},
	}, func() float64 { return 1 })
}
