package discordtest_test

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

// What a bot may send follows the channel's overwrites: everyone's, then those of roles, then its own.
func TestSendingFollowsThePermissionsOfTheChannel(t *testing.T) {
	t.Parallel()
	const view, send, embed, history = discordgo.PermissionViewChannel, discordgo.PermissionSendMessages, discordgo.PermissionEmbedLinks, discordgo.PermissionReadMessageHistory
	text := &discordgo.MessageSend{Content: "x"}
	card := &discordgo.MessageSend{Embeds: []*discordgo.MessageEmbed{{Title: "x"}}}
	for name, tt := range map[string]struct {
		set  func(c *discordtest.ServerChannel, everyone, role string)
		send *discordgo.MessageSend
		want int
	}{
		"as invited":            {func(*discordtest.ServerChannel, string, string) {}, card, 0},
		"everyone may not view": {func(c *discordtest.ServerChannel, everyone, _ string) { c.DenyRole(everyone, view) }, text, 50001},
		"its role may again": {func(c *discordtest.ServerChannel, everyone, role string) {
			c.DenyRole(everyone, view).AllowRole(role, view)
		}, text, 0},
		"its role may not send":         {func(c *discordtest.ServerChannel, _, role string) { c.DenyRole(role, send) }, text, 50013},
		"it may although its role not":  {func(c *discordtest.ServerChannel, _, role string) { c.DenyRole(role, send).AllowBot(send) }, text, 0},
		"no embeds, and text":           {func(c *discordtest.ServerChannel, _, _ string) { c.DenyBot(embed) }, text, 0},
		"no embeds, and one":            {func(c *discordtest.ServerChannel, _, _ string) { c.DenyBot(embed) }, card, 50013},
		"who may not send embeds not":   {func(c *discordtest.ServerChannel, _, _ string) { c.DenyBot(send) }, card, 50013},
		"sending in threads is another": {func(c *discordtest.ServerChannel, _, _ string) { c.DenyBot(discordgo.PermissionSendMessagesInThreads) }, card, 0},
	} {
		d := discordtest.New(t)
		s, c := d.Session(t), d.Channel("tavern")
		role := d.HomeServer().AddRole("traders", 0)
		d.GiveBotRole(role)
		tt.set(c, d.HomeServer().ID(), role)
		if _, err := s.ChannelMessageSendComplex(c.ID(), tt.send); code(err) != tt.want || tt.want == 0 && err != nil {
			t.Errorf("%s: %v, want %d", name, err, tt.want)
		}
	}
	d := discordtest.New(t)
	s, c := d.Session(t), d.Channel("tavern")
	sent, err := s.ChannelMessageSend(c.ID(), "x")
	if err != nil {
		t.Fatal(err)
	}
	c.DenyBot(history)
	if list, err := s.ChannelMessages(c.ID(), 10, "", "", ""); err != nil || len(list) != 0 {
		t.Errorf("without the history there are %d messages, %v", len(list), err)
	}
	if _, err := s.ChannelMessage(c.ID(), sent.ID); code(err) != 50013 {
		t.Errorf("a message without the history: %v", err)
	}
	if _, err := s.ChannelMessageSendReply(c.ID(), "y", sent.Reference()); code(err) != 160002 {
		t.Errorf("a reply without the history: %v", err)
	}
	c.Close()
	if seen := d.Player(t, "rowan.ashdown").In("tavern").Messages(); len(seen) != 0 {
		t.Errorf("a member sees %d messages of a closed channel", len(seen))
	}
	if seen := d.Player(t, "maple").In("tavern").Messages(); len(seen) != 1 {
		t.Errorf("the owner sees %d", len(seen))
	}
}

// An error of a form says where in the body it is, as deep as that is.
func TestErrorsNameFieldsDeepInTheBody(t *testing.T) {
	t.Parallel()
	d := tolerant(t)
	s := d.Session(t)
	_, err := post(s, d.Channel("tavern").ID(), obj{"content": "x", "components": []any{
		rowOf(buttonObj(0), obj{"type": 2, "style": 1, "custom_id": "b1", "label": long(81)}),
		rowOf(obj{"type": 2, "style": 5, "label": "Web", "url": "http://localhost:8080/"}),
		rowOf(obj{"type": 3, "custom_id": "s", "options": []any{obj{"label": "A", "value": "1"}, obj{"label": "B", "value": "1"}}}),
	}})
	if code(err) != 50035 {
		t.Fatalf("the answer is %v", err)
	}
	got := strings.Join(paths(tree(t, err), ""), " ")
	if got != "components.0.components.1.label" {
		t.Errorf("what the description forbids is at %q", got)
	}
	_, err = post(s, d.Channel("tavern").ID(), obj{"content": "x", "components": []any{
		rowOf(obj{"type": 2, "style": 5, "label": "Web", "url": "http://localhost:8080/"}),
		rowOf(obj{"type": 3, "custom_id": "s", "options": []any{obj{"label": "A", "value": "1"}, obj{"label": "B", "value": "1"}}}),
	}})
	if got := strings.Join(paths(tree(t, err), ""), " "); got != "components.0.components.0.url components.1.components.0.options.1.value" {
		t.Errorf("what the documentation forbids is at %q", got)
	}
}
