package discord

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"
)

// Interaction is an action of a user: a command, a component, a modal or an option that autocompletes.
type Interaction struct {
	discordgo.Interaction
	Fields map[string]string     // of a submitted modal, by custom ID; a select has its first value
	Place  discordgo.ChannelType // the type of the channel
	// TargetIDs are the custom IDs on the message that a message command was used on.
	TargetIDs []string
}

// ParseInteraction decodes the data of INTERACTION_CREATE. It fails if the interaction can't be answered: the
// addresses of its answers are made from its ID, its token and its application's ID.
func ParseInteraction(data []byte) (*Interaction, error) {
	data, fields, err := cutModalFields(data)
	if err != nil {
		return nil, err
	}
	data, target, err := cutTarget(data)
	if err != nil {
		return nil, err
	}
	i := Interaction{Fields: fields, TargetIDs: target}
	if err := json.Unmarshal(data, &i.Interaction); err != nil {
		return nil, err
	}
	var place struct {
		Channel *struct {
			Type discordgo.ChannelType `json:"type"`
		} `json:"channel"`
	}
	if err := json.Unmarshal(data, &place); err == nil && place.Channel != nil {
		i.Place = place.Channel.Type
	}
	if i.ID == "" || i.Token == "" || i.AppID == "" {
		return nil, errors.New("id, token or application_id is missing")
	}
	return &i, nil
}

// Author is the user who did it, in a server or in a direct message. Its ID is empty when Discord did not
// say.
func (i *Interaction) Author() discordgo.User {
	switch {
	case i.Member != nil && i.Member.User != nil:
		return *i.Member.User
	case i.User != nil:
		return *i.User
	}
	return discordgo.User{}
}

// DisplayName is the author's name as others see it where it happened.
func (i *Interaction) DisplayName() string {
	nick := ""
	if i.Member != nil {
		nick = i.Member.Nick
	}
	a := i.Author()
	return cmp.Or(nick, a.GlobalName, a.Username)
}

// Roles are the IDs of the author's roles where it happened; none in a direct message.
func (i *Interaction) Roles() []string {
	if i.Member == nil {
		return nil
	}
	return i.Member.Roles
}

// Option is an option of a command.
type Option = discordgo.ApplicationCommandInteractionDataOption

// Command is the path of a slash command, such as "request post", and its options.
func (i *Interaction) Command() (path string, options []*Option) {
	data, ok := i.Data.(discordgo.ApplicationCommandInteractionData)
	if !ok {
		return "", nil
	}
	path, options = data.Name, data.Options
	for len(options) == 1 && (options[0].Type == discordgo.ApplicationCommandOptionSubCommand ||
		options[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup) {
		path += " " + options[0].Name
		options = options[0].Options
	}
	return path, options
}

// TargetUser is the person that a command in the menu of a person was used on. Its ID is empty for others.
func (i *Interaction) TargetUser() discordgo.User {
	data, ok := i.Data.(discordgo.ApplicationCommandInteractionData)
	if !ok || data.Resolved == nil || data.Resolved.Users[data.TargetID] == nil {
		return discordgo.User{}
	}
	return *data.Resolved.Users[data.TargetID]
}

// OptionText is the value of an option as the user typed it, for any type.
func OptionText(o *Option) string {
	switch v := o.Value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// CustomID identifies the component or modal; it is empty for a command.
func (i *Interaction) CustomID() string {
	switch data := i.Data.(type) {
	case discordgo.MessageComponentInteractionData:
		return data.CustomID
	case discordgo.ModalSubmitInteractionData:
		return data.CustomID
	}
	return ""
}

// Values returns the values chosen in a select.
func (i *Interaction) Values() []string {
	data, _ := i.Data.(discordgo.MessageComponentInteractionData)
	return data.Values
}

// GuildLanguage is the locale of the server; empty in a direct message.
func (i *Interaction) GuildLanguage() string {
	if i.GuildLocale == nil {
		return ""
	}
	return string(*i.GuildLocale)
}

// IsOnMessage reports whether it was done on a message: by a component, or in a modal that one opened.
func (i *Interaction) IsOnMessage() bool { return i.Message != nil && i.Message.ID != "" }

// OnDirectMessage reports whether it came from a message of the bot that both sides see, in direct messages.
func (i *Interaction) OnDirectMessage() bool {
	return i.GuildID == "" && i.IsOnMessage() && i.Message.Flags&discordgo.MessageFlagsEphemeral == 0
}

// IsCommand reports whether it is a slash command.
func (i *Interaction) IsCommand() bool { return i.Type == discordgo.InteractionApplicationCommand }

// InThread reports whether it was done in a thread, or in a post of a forum.
func (i *Interaction) InThread() bool {
	switch i.Place {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread,
		discordgo.ChannelTypeGuildPrivateThread:
		return true
	}
	return false
}

// BotMayPost reports whether the bot can keep a message up to date where it was done.
func (i *Interaction) BotMayPost() bool { return MayPost(i.AppPermissions, i.InThread()) }

// HasPermissions reports whether a set of permissions includes all of the wanted ones.
func HasPermissions(permissions, wanted int64) bool {
	return permissions&discordgo.PermissionAdministrator != 0 || permissions&wanted == wanted
}
