package bot

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
)

func onServer(m *discordgo.Member) *discord.Interaction {
	return &discord.Interaction{Interaction: discordgo.Interaction{GuildID: "1", Member: m}}
}

func TestOnlyManagersMaySetUpABoard(t *testing.T) {
	for permissions, want := range map[int64]bool{32: true, 8: true, 2147483648: false, 0: false} {
		in := Input{i: onServer(&discordgo.Member{Permissions: permissions})}
		if got := mayManage(in) == nil; got != want {
			t.Errorf("permissions %d may: %v", permissions, got)
		}
	}
	if mayManage(Input{i: &discord.Interaction{Interaction: discordgo.Interaction{User: &discordgo.User{}}}}) == nil {
		t.Error("a board in a direct message")
	}
}
