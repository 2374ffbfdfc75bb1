package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tradepost/cmd/tradepost/settings"
)

// notInContainers are the settings that mean nothing there, with the reason.
var notInContainers = map[string]string{
	"DATA_DIR":     "of the private PostgreSQL",
	"PG_BIN_DIR":   "of the private PostgreSQL",
	"BACKUP_EVERY": "given on the command line",
	"BACKUP_KEEP":  "given on the command line",
}

// What is set in .env reaches the containers: each knows every setting of the commands that are run in it.
func TestContainersGetEverySetting(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for service, commands := range map[string][]string{
		"tradepost": {"serve", "doctor", "migrate", "check", "forget", "import"},
		"backup":    {"write", "verify", "restore"},
	} {
		passed := environmentOf(t, string(text), service)
		asked := 0
		for _, command := range settings.CommandsOf(newParser(t.Context()).Model) {
			for _, flag := range command.Flags {
				if len(flag.Envs) == 0 || flag.Hidden || !slices.Contains(commands, command.Name) {
					continue
				}
				asked++
				name := flag.Envs[0]
				if notInContainers[name] == "" && !passed[name] && !passed[name+"_FILE"] && (service == "tradepost" || !ofServing[name]) {
					t.Errorf("the container %s does not get %s, which tradepost %s reads", service, name, command.Name)
				}
			}
		}
		if asked < 5 {
			t.Errorf("%s: %d settings are asked for", service, asked)
		}
	}
}

// ofServing are read by commands of the other container, too, and do nothing there.
var ofServing = map[string]bool{"DATABASE_POOLER_URL": true, "DATABASE_REPLICAS": true}

// environmentOf returns the names in the environment of a service.
func environmentOf(t *testing.T, compose, service string) map[string]bool {
	t.Helper()
	_, block, found := strings.Cut(compose, "\n  "+service+":\n")
	if !found {
		t.Fatalf("compose.yaml has no service %s", service)
	}
	if end := regexp.MustCompile(`(?m)^  \S`).FindStringIndex(block); end != nil {
		block = block[:end[0]]
	}
	_, block, found = strings.Cut(block, "    environment:\n")
	if !found {
		t.Fatalf("the service %s has no environment", service)
	}
	names := map[string]bool{}
	for line := range strings.Lines(block) {
		if name := regexp.MustCompile(`^      ([A-Z_]+):`).FindStringSubmatch(line); name != nil {
			names[name[1]] = true
		} else if !strings.HasPrefix(line, "      ") {
			break
		}
	}
	return names
}
