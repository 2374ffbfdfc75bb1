package discord

import (
	"slices"

	"github.com/bwmarrin/discordgo"
)

// ReplaceButton returns the components of a message with a row of buttons in place of one button: below the
// others of its row. It returns false when the button is not there, or the message would have too many
// components.
func ReplaceButton(
	list []discordgo.MessageComponent, id CustomID, by discordgo.MessageComponent,
) ([]discordgo.MessageComponent, bool) {
	var all []discordgo.MessageComponent
	found := false
	for _, c := range list {
		switch c := c.(type) {
		case *discordgo.Container:
			inside, ok := ReplaceButton(c.Components, id, by)
			if ok {
				changed := *c
				changed.Components, found = inside, true
				all = append(all, changed)
				continue
			}
		case *discordgo.ActionsRow:
			others := slices.DeleteFunc(slices.Clone(c.Components), func(in discordgo.MessageComponent) bool {
				b, ok := in.(*discordgo.Button)
				return ok && b.CustomID == id.String()
			})
			if len(others) < len(c.Components) {
				found = true
				if len(others) > 0 {
					all = append(all, discordgo.ActionsRow{Components: others})
				}
				all = append(all, by)
				continue
			}
		}
		all = append(all, c)
	}
	return all, found && countComponents(all) <= maxComponents
}
