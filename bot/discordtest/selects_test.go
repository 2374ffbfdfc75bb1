package discordtest_test

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discordtest"
)

func TestAListSendsOnlyWhatChanges(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	list := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: "s", Options: []discordgo.SelectMenuOption{
		{Label: "One", Value: "1", Default: true}, {Label: "Two", Value: "2"}}}
	edit := false
	bot(t, d, map[string]handler{"/request": say("x", 0, row(list)), "s": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		kind := discordgo.InteractionResponseChannelMessageWithSource
		if edit {
			kind = discordgo.InteractionResponseUpdateMessage
		}
		_ = s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: kind, Data: &discordgo.InteractionResponseData{Content: "chosen", Components: []discordgo.MessageComponent{row(list)}}})
	}})
	shown := d.Player(t, "maple").Slash("request mine")
	again := func(what string) bool {
		said := fails(t, func(tb discordtest.TB) { shown.Now().List("").ChooseAs(d.Player(tb, "maple"), what) })
		return strings.Contains(said, "sends nothing")
	}
	if !again("One") {
		t.Error("the default was sent")
	}
	shown.List("").Choose("Two")
	if !again("Two") {
		t.Error("the same choice was sent twice")
	}
	d.Player(t, "rowan.ashdown")
	shown.List("").ChooseAs(d.Player(t, "rowan.ashdown"), "Two") // everyone has their own
	shown.List("").Choose("One")
	edit = true
	shown.List("").Choose("Two")
	shown.Now().List("").Choose("Two") // the edit began it over
}
