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
	examples := regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `([^`]+)` \\|").FindAllStringSubmatch(pageOfSettings(t), -1)
	if len(examples) < 40 {
		t.Errorf("only %d settings have an example", len(examples))
	}
	settingsAreTaken(t, examples)
}

// docs/compatibility.md: each setting of 0.9.0 keeps its name, and the values that were its examples are taken.
func TestEverySettingOfTheFirstReleaseIsTaken(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("settings_of_0.9.0.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := pageOfSettings(t)
	var examples [][]string
	for line := range strings.Lines(string(list)) {
		name, value, given := strings.Cut(strings.TrimSpace(line), "=")
		if !strings.Contains(page, "\n| `"+name+"` |") {
			t.Errorf("%s is a setting no more", name)
		}
		if given {
			examples = append(examples, []string{line, name, value})
		}
	}
	settingsAreTaken(t, examples)
}

func pageOfSettings(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// settingsAreTaken has doctor look at settings: lines, each with its name and value.
func settingsAreTaken(t *testing.T, lines [][]string) {
	t.Helper()
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
	for _, line := range lines {
		if !left[line[1]] {
			cmd.Env = append(cmd.Env, line[1]+"="+line[2])
		}
	}
	said, _ := cmd.CombinedOutput() // nothing runs there, so doctor has other complaints
	for _, wrong := range []string{"✗ settings", "no address to listen on", "no Discord id", "is no setting", "want "} {
		if strings.Contains(string(said), wrong) {
			t.Errorf("an example is refused:\n%s", said)
			break
		}
	}
}
