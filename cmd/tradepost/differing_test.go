package main

import (
	"regexp"
	"testing"
)

func TestEverySecretSettingIsMarkedAsOne(t *testing.T) {
	parser := newParser(t.Context())
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
