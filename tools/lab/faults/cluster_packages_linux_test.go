package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestMissingClusterPackagesAreInstalledOrReported shows what make cluster does before it starts anything.
func TestMissingClusterPackagesAreInstalledOrReported(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		root      bool
		lacks     []string // programs
		fails     error    // of the installation
		installed []string // packages
		ready     bool
		says      string
	}{
		"everything is there":               {root: true, ready: true},
		"root, without two":                 {root: true, lacks: []string{"haproxy", "etcd"}, installed: []string{"etcd-server", "haproxy"}, ready: true},
		"root, without a way to install":    {root: true, lacks: []string{"haproxy"}, fails: errors.New("no network"), says: "cannot be installed here: haproxy\nno network"},
		"somebody else, without one":        {lacks: []string{pgBin + "/postgres"}, says: "needs root, for network namespaces, and these packages: postgresql-15\n"},
		"somebody else, with all of them":   {says: "needs root"},
		"root, and apt installs none of it": {root: true, lacks: []string{"ip"}, installed: []string{}, says: "is not there: iproute2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			lacks := slices.Clone(tt.lacks)
			var out strings.Builder
			ready := machine{
				root:  tt.root,
				there: func(program string) bool { return !slices.Contains(lacks, program) },
				install: func(packages []string) error {
					asked = packages
					if tt.fails == nil && len(tt.installed) > 0 {
						lacks = nil
					}
					return tt.fails
				},
			}.ready(&out)
			if ready != tt.ready || !strings.Contains(out.String(), tt.says) || ready && out.Len() > 0 {
				t.Errorf("ready %v, says %q", ready, out.String())
			}
			if len(tt.installed) > 0 && !slices.Equal(asked, tt.installed) || !tt.root && asked != nil {
				t.Errorf("installed %v, want %v", asked, tt.installed)
			}
		})
	}
}
