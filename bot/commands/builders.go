package commands

import (
	"cmp"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tradepost/core/game"
	msg "tradepost/core/text"
)

// Builders, so that the tree in commands.go reads as one.

// group is a command with subcommands, available in every context.
func group(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommand {
	return &discordgo.ApplicationCommand{
		Name: name, Options: options,
		Contexts: &[]discordgo.InteractionContextType{
			discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM,
			discordgo.InteractionContextPrivateChannel,
		},
		IntegrationTypes: &[]discordgo.ApplicationIntegrationType{
			discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall,
		},
	}
}

// alone is a command without subcommands.
func alone(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommand {
	return group(name, options...)
}

// managed limits a command to servers, and there to members who may manage them.
func managed(c *discordgo.ApplicationCommand) *discordgo.ApplicationCommand {
	c.DefaultMemberPermissions = new(int64(discordgo.PermissionManageGuild))
	c.Contexts = &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild}
	c.IntegrationTypes = &[]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall}
	return c
}

// staff hides a command from members who do not moderate the server. The server's owner can show it to other
// members on the integrations page. The market itself decides who moderates.
func staff(c *discordgo.ApplicationCommand) *discordgo.ApplicationCommand {
	c.DefaultMemberPermissions = new(int64(discordgo.PermissionManageMessages))
	return c
}

func sub(name string, options ...*discordgo.ApplicationCommandOption) *discordgo.ApplicationCommandOption {
	return &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionSubCommand, Name: name, Options: options,
	}
}

// optionChange changes an option that is being built.
type optionChange func(*discordgo.ApplicationCommandOption)

// Text returns an option that takes text. A limit of 0 is none.
func Text(name string, limit int, changes ...optionChange) *discordgo.ApplicationCommandOption {
	return built(&discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: name, MaxLength: limit,
	}, changes)
}

// Number returns an option that takes a whole number.
func Number(name string, least, most int, changes ...optionChange) *discordgo.ApplicationCommandOption {
	return built(&discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionInteger, Name: name,
		MinValue: new(float64(least)), MaxValue: float64(most),
	}, changes)
}

func forum(name string) *discordgo.ApplicationCommandOption {
	return &discordgo.ApplicationCommandOption{
		Type: discordgo.ApplicationCommandOptionChannel, Name: name,
		ChannelTypes: []discordgo.ChannelType{discordgo.ChannelTypeGuildForum},
	}
}

func role(name string) *discordgo.ApplicationCommandOption {
	return &discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionRole, Name: name}
}

// Yes returns an option that is switched on or off.
func Yes(name string, changes ...optionChange) *discordgo.ApplicationCommandOption {
	return built(&discordgo.ApplicationCommandOption{Type: discordgo.ApplicationCommandOptionBoolean,
		Name: name}, changes)
}

func built(
	o *discordgo.ApplicationCommandOption, changes []optionChange,
) *discordgo.ApplicationCommandOption {
	for _, change := range changes {
		change(o)
	}
	return o
}

// Required makes an option required.
func Required(o *discordgo.ApplicationCommandOption) { o.Required = true }

// Suggested options complete while a user types.
func Suggested(o *discordgo.ApplicationCommandOption) { o.Autocomplete = true }

// Of limits an option to a list of choices.
func Of(choices []*namedChoice) optionChange {
	return func(o *discordgo.ApplicationCommandOption) { o.Choices = slices.Clone(choices) }
}

// localiser fills in texts in the languages that a market offers.
type localiser struct {
	game      game.Game
	languages msg.Offered
}

// commands fills in the descriptions of commands, and their names and descriptions in other languages.
func (l localiser) commands(tree []*discordgo.ApplicationCommand) {
	for _, c := range tree {
		c.NameLocalizations = new(l.names(c.Name))
		if InMenu(c) { // which has no description
			continue
		}
		description, descriptions := l.described(c.Name)
		c.Description, c.DescriptionLocalizations = description, &descriptions
		l.options(c.Name, c.Options)
	}
}

// InMenu reports whether a command is in the menu of a message or a person: it has a name only.
func InMenu(c *discordgo.ApplicationCommand) bool {
	return c.Type == discordgo.MessageApplicationCommand || c.Type == discordgo.UserApplicationCommand
}

func (l localiser) options(path string, options []*discordgo.ApplicationCommandOption) {
	for _, o := range options {
		own := path + " " + o.Name
		o.NameLocalizations = l.names(own)
		o.Description, o.DescriptionLocalizations = l.described(own)
		for _, c := range o.Choices {
			c.Name, c.NameLocalizations = l.choice(c)
		}
		l.options(own, o.Options)
	}
}

// names returns the names of a command in the languages that have another one than English. The first
// language is also for clients in English.
func (l localiser) names(path string) map[discordgo.Locale]string {
	in := inOthers(l.languages, func(l *msg.Language) string { return l.Commands[path].Name })
	if own := l.languages[0].Commands[path].Name; own != "" {
		if in == nil {
			in = map[discordgo.Locale]string{}
		}
		for _, locale := range append([]string{"en-US", "en-GB"}, l.languages[0].Locales...) {
			in[discordgo.Locale(locale)] = own
		}
	}
	return in
}

func (l localiser) described(path string) (string, map[discordgo.Locale]string) {
	text := func(in *msg.Language) string {
		return withGameExamples(in, l.game, in.Commands[path].Description)
	}
	return text(l.languages[0]), inOthers(l.languages, text)
}

// choice returns the names of a choice, whose name is the key of its text until now.
func (l localiser) choice(c *namedChoice) (string, map[discordgo.Locale]string) {
	text := func(in *msg.Language) string { return in.Choices[c.Name] }
	category, ok := c.Value.(game.Category)
	if ok {
		text = func(in *msg.Language) string { return in.Categories[string(category)] }
	}
	return cmp.Or(text(l.languages[0]), string(category)), inOthers(l.languages, text)
}

// namedChoice is a value of an option that has a list of them.
type namedChoice = discordgo.ApplicationCommandOptionChoice

// fixedChoice returns a choice with the key of its text in core/text.
func fixedChoice(value string) *namedChoice { return &namedChoice{Name: value, Value: value} }

// inOthers returns a text in every language but the first, by Discord's names for it; nil when there is none.
func inOthers(languages msg.Offered, text func(*msg.Language) string) map[discordgo.Locale]string {
	var in map[discordgo.Locale]string
	for _, l := range languages[1:] {
		if own := text(l); own != "" {
			if in == nil {
				in = map[discordgo.Locale]string{}
			}
			for _, locale := range l.Locales {
				in[discordgo.Locale(locale)] = own
			}
		}
	}
	return in
}
