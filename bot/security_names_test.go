package bot

import (
	"strings"
	"testing"
)

func TestSecurityEventsNameCommandsAndButtons(t *testing.T) {
	t.Parallel()
	routes := New(nil, Options{}).kernel.routes
	for name := range securityEvents {
		command, isCommand := strings.CutPrefix(name, "/")
		_, known := routes.components[name]
		if isCommand {
			_, known = routes.commands[command]
		}
		if !known {
			t.Errorf("there is no %s", name)
		}
	}
}
