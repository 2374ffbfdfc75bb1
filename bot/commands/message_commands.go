package commands

import "github.com/bwmarrin/discordgo"

// onMessage is a command in the menu of a message.
func onMessage(name string) *discordgo.ApplicationCommand {
	c := group(name)
	c.Type = discordgo.MessageApplicationCommand
	return c
}

// onPerson is a command in the menu of a person.
func onPerson(name string) *discordgo.ApplicationCommand {
	c := group(name)
	c.Type = discordgo.UserApplicationCommand
	return c
}

// Commands in the menu of a person. Their names are also their paths.
const (
	RecordOf    = "Record"
	OpenBetween = "What is open between us"
)
