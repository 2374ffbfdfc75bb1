package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"tradepost/cmd/tradepost/settings"
)

// anyText are the settings of serve that every text is a value of.
var anyText = []string{"SITE_NAME", "TAGLINE", "WELCOME", "SUSPICIOUS_PHRASES", "PG_BIN_DIR"}

// Each setting is set wrong, one at a time. The doctor finds what stops the start, in the same words, and nothing else.
func TestTheDoctorKnowsEverySettingThatServeRefuses(t *testing.T) {
	for _, v := range os.Environ() { // t.Setenv brings back those that are unset here
		if name, _, _ := strings.Cut(v, "="); settings.ByVariable(modelOf(t))[strings.TrimSuffix(name, "_FILE")] != nil {
			t.Setenv(name, "")
			_ = os.Unsetenv(name)
		}
	}
	demo := t.TempDir()
	if err := os.WriteFile(filepath.Join(demo, settings.StandInState), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DISCORD_TOKEN", "token")
	t.Setenv("DISCORD_CLIENT_ID", "1284552260678844416")
	t.Setenv("DISCORD_CLIENT_SECRET", "secret")
	t.Setenv("DATABASE_URL", "postgres://127.0.0.1:1/market")
	if wrong := wrongOf(t, "serve"); len(wrong) > 0 {
		t.Fatalf("a good set-up is refused: %v", wrong)
	}
	values := map[string]string{
		"DISCORD_TOKEN": "Bot abc", "DISCORD_CLIENT_ID": "maple", "DISCORD_CLIENT_SECRET": "", "DISCORD_API_URL": "ftp://x", "DATABASE_URL": "nowhere",
		"DATABASE_OWNER_URL": "nowhere", "DATABASE_POOLER_URL": "nowhere", "DATABASE_REPLICAS": "nowhere", "IDENTITY_KEY": "short", "LISTEN": "nowhere",
		"METRICS_LISTEN": "nowhere", "PUBLIC_URL": "nowhere", "CACHE_PURGE_URL": "nowhere", "SECURITY_CONTACT": "nowhere", "ACCENT": "green",
		"FEATURES": "trades", "OPEN_REQUESTS": "1001", "DATA_DIR": demo,
	}
	for name, flag := range settings.ByVariable(modelOf(t)) {
		if !slices.ContainsFunc(flagsOf(t, "serve"), func(other string) bool { return other == name }) || slices.Contains(anyText, name) {
			continue
		}
		value, ok := values[name]
		if !ok {
			value = "nowhere/nothing" // no number, time, choice, id or file
		}
		if strings.HasPrefix(name, "KEEP_") {
			value = "1m" // a span of time, and too short
		}
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if name == "DATA_DIR" {
				t.Setenv("DATABASE_URL", "")
			}
			serve := wrongOf(t, "serve")
			t.Setenv(name, value) // reading has unset it
			doctor := wrongOf(t, "doctor")
			if !slices.ContainsFunc(serve, func(s settings.WrongSetting) bool { return s.Name == name }) {
				t.Fatalf("%s=%q is taken (%s): give a value that is wrong, or add it to anyText", name, value, flag.Help)
			}
			if !slices.Equal(serve, doctor) {
				t.Errorf("serve refuses %v, and the doctor finds %v", serve, doctor)
			}
		})
	}
}

func modelOf(t *testing.T) *kong.Application {
	t.Helper()
	return newParser(t.Context()).Model
}

// flagsOf returns the settings of a command, by their variables.
func flagsOf(t *testing.T, command string) (names []string) {
	t.Helper()
	for _, c := range settings.CommandsOf(modelOf(t)) {
		for _, flag := range c.Flags {
			if c.Name == command {
				names = append(names, flag.Envs...)
			}
		}
	}
	return names
}

// wrongOf returns what a command finds wrong with its settings.
func wrongOf(t *testing.T, command string) settings.WrongSettings {
	t.Helper()
	_, wrong, err := parse(t.Context(), []string{command})
	if err != nil {
		t.Fatal(err)
	}
	return wrong
}
