package commands

import (
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

// localise fills in the descriptions, and the names and descriptions in other languages.
func localise(game game.Game, tree []*discordgo.ApplicationCommand) []*discordgo.ApplicationCommand {
	for _, c := range tree {
		names, descriptions := translations(game, c.Name)
		if c.Type == discordgo.MessageApplicationCommand { // which has no description
			c.NameLocalizations = &names
			continue
		}
		c.Description, c.NameLocalizations, c.DescriptionLocalizations = description(game, c.Name), &names,
			&descriptions
		localiseOptions(game, c.Name, c.Options)
	}
	return tree
}

func localiseOptions(game game.Game, path string, options []*discordgo.ApplicationCommandOption) {
	for _, o := range options {
		own := path + " " + o.Name
		o.Description = description(game, own)
		o.NameLocalizations, o.DescriptionLocalizations = translations(game, own)
		localiseOptions(game, own, o.Options)
	}
}

func description(game game.Game, path string) string {
	english := msg.Languages[0]
	return withGameExamples(english, game, english.Commands[path].Description)
}

func translations(game game.Game, path string) (names, descriptions map[discordgo.Locale]string) {
	names = inOthers(func(l *msg.Language) string { return l.Commands[path].Name })
	descriptions = inOthers(func(l *msg.Language) string {
		return withGameExamples(l, game,
			l.Commands[path].Description)
	})
	return names, descriptions
}

// namedChoice is a value of an option that has a list of them.
type namedChoice = discordgo.ApplicationCommandOptionChoice

// fixedChoice returns a choice with its names from core/text.
func fixedChoice(value string) *namedChoice {
	return &namedChoice{
		Name: msg.Languages[0].Choices[value], Value: value,
		NameLocalizations: inOthers(func(l *msg.Language) string { return l.Choices[value] }),
	}
}

// inOthers is a text in every language but English, by Discord's names for it; nil when there is none.
func inOthers(text func(*msg.Language) string) map[discordgo.Locale]string {
	var in map[discordgo.Locale]string
	for _, l := range msg.Languages[1:] {
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
