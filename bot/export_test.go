package bot

// Answered lists what the bot answers, by the names that Hooks.Interaction gets: commands, buttons with lists and forms, and options
// that complete.
func (b *Bot) Answered() (names []string) {
	for path := range b.routes.commands {
		names = append(names, "/"+path)
	}
	for action := range b.routes.components {
		names = append(names, action)
	}
	for option := range b.routes.suggestions {
		names = append(names, "/"+option+" (completion)")
	}
	return names
}
