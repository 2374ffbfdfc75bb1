package bot

import (
	"slices"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
)

// serves reports whether the bot answers where an interaction was made: in the servers that it is limited to, and in direct
// messages.
func (b *Bot) serves(i *discord.Interaction) bool {
	return i.GuildID == "" || len(b.servers) == 0 || slices.Contains(b.servers, i.GuildID)
}

// elsewhere answers in a server that the bot does not serve.
func (b *Bot) elsewhere(in Input) Reply {
	reply := private(in.tr.text(msg.OtherServer, b.siteName))
	if link := webLink(b.publicURL, in.tr.plain(msg.OpenWeb)); len(link) > 0 {
		reply.rows = append(reply.rows, row(link...))
	}
	return reply
}
