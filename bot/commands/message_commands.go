package commands

import "github.com/bwmarrin/discordgo"

// onMessage is a command in the menu of a message.
func onMessage(name string) *discordgo.ApplicationCommand {
	c := group(name)
	c.Type = discordgo.MessageApplicationCommand
	return c
}
