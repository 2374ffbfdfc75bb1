package main

import (
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/alecthomas/kong"
)

func TestEverySecretSettingIsMarkedAsOne(t *testing.T) {
	var cli commands
	parser, err := kong.New(&cli)
	if err != nil {
		t.Fatal(err)
	}
	named, n := regexp.MustCompile(`TOKEN|SECRET|PASSWORD|KEY$|IDENTITY|^DATABASE_.*(URL|REPLICAS)|^DATABASE_URL`), 0
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			if len(flag.Envs) > 0 && named.MatchString(flag.Envs[0]) && flag.Tag.Type == "" { // a path is no secret
				n++
				if !flag.Tag.Has("secret") {
					t.Errorf("%s has no tag secret: serve would write its value to the log", flag.Envs[0])
				}
			}
		}
	}
	if n == 0 {
		t.Error("no setting is secret")
	}
}

func TestTheVersionIsTheReleasesOrTheCommits(t *testing.T) {
	for _, tt := range []struct{ released, built, want string }{
		{"v1.4.0", "v0.0.0-20261122-abcdef", "1.4.0"},
		{"", "v0.0.0-20261122-abcdef", "0.0.0-20261122-abcdef"},
		{"", "(devel)", "devel"},
		{"", "", "devel"},
	} {
		if got := versionOf(tt.released, &debug.BuildInfo{Main: debug.Module{Version: tt.built}}); got != tt.want {
			t.Errorf("released %q, built %q: %q, want %q", tt.released, tt.built, got, tt.want)
		}
	}
}
