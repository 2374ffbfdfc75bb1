package discord

import "github.com/bwmarrin/discordgo"

// AvatarURL is the address of an account's picture: its own, or the one that Discord shows for accounts without one.
func AvatarURL(id, avatar string) string {
	u := discordgo.User{ID: id, Avatar: avatar, Discriminator: "0"}
	return u.AvatarURL("64")
}
