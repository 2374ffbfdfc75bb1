package bot

// Golden compares with a file under testdata.
var Golden = golden

// OpensForms lists the buttons and lists that open a form.
func (b *Bot) OpensForms() (actions []string) {
	for action, r := range b.kernel.Table.Components {
		if r.Form != nil {
			actions = append(actions, action)
		}
	}
	return actions
}

// Answered lists what the bot answers, by the names that Hooks.Interaction gets: commands, buttons with lists and forms, and options
// that complete.
func (b *Bot) Answered() (names []string) {
	for path := range b.kernel.Table.Commands {
		names = append(names, "/"+path)
	}
	for action := range b.kernel.Table.Components {
		names = append(names, action)
	}
	for option := range b.kernel.Table.Suggestions {
		names = append(names, "/"+option+" (completion)")
	}
	return names
}
