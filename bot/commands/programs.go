package commands

import "github.com/bwmarrin/discordgo"

// NoPrograms is the option of a request that takes no offers by programs.
func NoPrograms() *discordgo.ApplicationCommandOption { return Yes("no-programs") }

// withPrograms adds the commands and options about programs that act for people with a token.
func withPrograms(tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		for _, s := range c.Options {
			if c.Name == "request" && (s.Name == "post" || s.Name == "edit") {
				s.Options = append(s.Options, NoPrograms())
			}
		}
		if c.Name == "moderate" {
			c.Options = append(c.Options, sub("programs", Yes("on", Required)))
		}
	}
	return tree
}
