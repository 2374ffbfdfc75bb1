package channels

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
)

func onServer(m *discordgo.Member) *discord.Interaction {
	return &discord.Interaction{Interaction: discordgo.Interaction{GuildID: "1", Member: m}}
}

func TestOnlyManagersMaySetUpABoard(t *testing.T) {
	for permissions, want := range map[int64]bool{32: true, 8: true, 2147483648: false, 0: false} {
		in := kernel.Input{Interaction: onServer(&discordgo.Member{Permissions: permissions})}
		if got := mayManage(in) == nil; got != want {
			t.Errorf("permissions %d may: %v", permissions, got)
		}
	}
	if mayManage(kernel.Input{Interaction: &discord.Interaction{Interaction: discordgo.Interaction{User: &discordgo.User{}}}}) == nil {
		t.Error("a board in a direct message")
	}
}
