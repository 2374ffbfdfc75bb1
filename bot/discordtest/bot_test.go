package discordtest_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// handler answers one interaction through an unmodified discordgo.
type handler func(s *discordgo.Session, i *discordgo.InteractionCreate)

// bot connects a small bot that knows a handful of commands and answers with what the test gives it.
func bot(t *testing.T, d *discordtest.Discord, handlers map[string]handler) *discordgo.Session {
	t.Helper()
	s := d.Session(t)
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		name := ""
		switch i.Type {
		case discordgo.InteractionApplicationCommand:
			name = "/" + i.ApplicationCommandData().Name
		case discordgo.InteractionApplicationCommandAutocomplete:
			name = "complete " + i.ApplicationCommandData().Name
		case discordgo.InteractionMessageComponent:
			name = i.MessageComponentData().CustomID
		case discordgo.InteractionModalSubmit:
			name = "modal"
		}
		if h := handlers[name]; h != nil {
			h(s, i)
		}
	})
	if _, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands()); err != nil {
		t.Fatalf("register commands: %v", err)
	}
	if err := s.Open(); err != nil {
		t.Fatalf("open the gateway: %v", err)
	}
	d.WaitForBot(t)
	return s
}

func commands() []*discordgo.ApplicationCommand {
	one, contexts := 1.0, []discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM}
	manage := int64(discordgo.PermissionManageGuild)
	return []*discordgo.ApplicationCommand{
		{Name: "request", Description: "Ask for items", Contexts: &contexts, Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionSubCommand, Name: "post", Description: "Post a request", Options: []*discordgo.ApplicationCommandOption{
				{Type: discordgo.ApplicationCommandOptionString, Name: "item", Description: "What you need", Required: true, Autocomplete: true, MaxLength: 100},
				{Type: discordgo.ApplicationCommandOptionInteger, Name: "quantity", Description: "How many", Required: true, MinValue: &one, MaxValue: 1_000_000},
				{Type: discordgo.ApplicationCommandOptionString, Name: "category", Description: "Which trade", Choices: []*discordgo.ApplicationCommandOptionChoice{
					{Name: "Miner", Value: "miner"}, {Name: "Chef", Value: "chef"}}},
			}},
			{Type: discordgo.ApplicationCommandOptionSubCommand, Name: "mine", Description: "Your requests"},
		}},
		{Name: "board", Description: "Show requests here", DefaultMemberPermissions: &manage, Contexts: &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild}},
	}
}

// say answers with a message.
func say(content string, flags discordgo.MessageFlags, rows ...discordgo.MessageComponent) handler {
	return func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: content, Flags: flags, Components: rows},
		})
	}
}

func row(parts ...discordgo.MessageComponent) discordgo.ActionsRow {
	return discordgo.ActionsRow{Components: parts}
}

func button(label, id string) discordgo.Button {
	return discordgo.Button{Label: label, CustomID: id, Style: discordgo.PrimaryButton}
}

// tolerant starts a stand-in that lets the test look at violations instead of failing.
func tolerant(t *testing.T) *discordtest.Discord {
	t.Helper()
	return discordtest.New(t, discordtest.Options{OnViolation: func(discordtest.Violation) {}})
}

func code(err error) int {
	var rest *discordgo.RESTError
	if !errors.As(err, &rest) || rest.Message == nil {
		return 0
	}
	return rest.Message.Code
}

func tree(t *testing.T, err error) map[string]any {
	t.Helper()
	var body map[string]any
	var e *discordgo.RESTError
	if errors.As(err, &e) {
		_ = json.Unmarshal(e.ResponseBody, &body)
	}
	errors, _ := body["errors"].(map[string]any)
	return errors
}
