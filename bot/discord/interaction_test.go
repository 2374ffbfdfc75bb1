package discord_test

import (
	"testing"

	"tradepost/bot/discord"
)

func TestAnInteractionThatCannotBeAnsweredIsNotUnderstood(t *testing.T) {
	for name, tt := range map[string]struct {
		data string
		ok   bool
	}{
		"complete":               {`{"type":1,"id":"1","token":"t","application_id":"2"}`, true},
		"without an ID":          {`{"type":1,"token":"t","application_id":"2"}`, false},
		"without a token":        {`{"type":1,"id":"1","application_id":"2"}`, false},
		"without an application": {`{"type":1,"id":"1","token":"t"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := discord.ParseInteraction([]byte(tt.data)); (err == nil) != tt.ok {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
