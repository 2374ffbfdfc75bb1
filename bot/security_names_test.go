package bot

import (
	"strings"
	"testing"

	"tradepost/bot/kernel"
)

func TestSecurityEventsNameCommandsAndButtons(t *testing.T) {
	t.Parallel()
	routes := New(nil, Options{}).kernel.Table
	for name := range kernel.SecurityEvents {
		command, isCommand := strings.CutPrefix(name, "/")
		_, known := routes.Components[name]
		if isCommand {
			_, known = routes.Commands[command]
		}
		if !known {
			t.Errorf("there is no %s", name)
		}
	}
}
