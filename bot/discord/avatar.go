package discord

import "github.com/bwmarrin/discordgo"

// AvatarURL returns the address of an account's picture, or of Discord's default picture.
func AvatarURL(id, avatar string) string {
	u := discordgo.User{ID: id, Avatar: avatar, Discriminator: "0"}
	return u.AvatarURL("64")
}
