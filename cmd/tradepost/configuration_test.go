package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// An operator copies an example: each that can be used as it is must be a value that the program takes.
func TestTheExamplesOfThePageOfSettingsAreTaken(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{"logo.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>`, "items.txt": "Iron Ore\n"} {
		if err := os.WriteFile(dir+"/"+name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	game, err := os.ReadFile("../../core/game/game.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/game.json", game, 0o600); err != nil {
		t.Fatal(err)
	}
	// What is described and not given, and what another machine would be asked for.
	left := map[string]bool{"DISCORD_TOKEN": true, "DISCORD_CLIENT_SECRET": true, "BACKUP_RECIPIENT": true, "IDENTITY_KEY": true}
	cmd := exec.CommandContext(t.Context(), binary, "doctor")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	settings := 0
	for _, row := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `([^`]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		if settings++; !left[row[1]] {
			cmd.Env = append(cmd.Env, row[1]+"="+row[2])
		}
	}
	if settings < 40 {
		t.Errorf("only %d settings have an example", settings)
	}
	said, _ := cmd.CombinedOutput() // nothing runs there, so doctor has other complaints
	for _, wrong := range []string{"✗ settings", "no address to listen on", "no Discord id", "want "} {
		if strings.Contains(string(said), wrong) {
			t.Errorf("an example is refused:\n%s", said)
			break
		}
	}
}
