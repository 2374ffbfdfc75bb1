package discordtest

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Command is a command that the bot has registered.
type Command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Version                  string            `json:"version"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Options                  []CommandOption   `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	DMPermission             *bool             `json:"dm_permission,omitempty"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types,omitempty"`
	NSFW                     bool              `json:"nsfw"`
}

// OptionType is the kind of an option, by Discord's numbers.
type OptionType int

// The kinds of options.
const (
	OptionSubcommand  OptionType = 1
	OptionGroup       OptionType = 2
	OptionString      OptionType = 3
	OptionInteger     OptionType = 4
	OptionBoolean     OptionType = 5
	OptionUser        OptionType = 6
	OptionChannel     OptionType = 7
	OptionRole        OptionType = 8
	OptionMentionable OptionType = 9
	OptionNumber      OptionType = 10
	OptionAttachment  OptionType = 11
)

// CommandOption is a subcommand, a group of them, or something to fill in.
type CommandOption struct {
	Type                     OptionType        `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Options                  []CommandOption   `json:"options,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	MinValue                 *float64          `json:"min_value,omitempty"`
	MaxValue                 *float64          `json:"max_value,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
}

// Choice is one of the values that an option proposes. Value is a string or a json.Number.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             any               `json:"value"`
}

// UnmarshalJSON keeps numbers exact.
func (c *Choice) UnmarshalJSON(data []byte) error {
	type plain Choice
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode((*plain)(c))
}

func (o *CommandOption) branches() bool { return o.Type == OptionSubcommand || o.Type == OptionGroup }

// commandRequest is a command on its way in.
type commandRequest struct {
	Command
	DefaultMemberPermissions json.RawMessage `json:"default_member_permissions"`
}

// Commands are the commands that are registered, global ones and the guild's.
func (d *Discord) Commands() []Command {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]Command, len(d.world.Commands))
	for i, c := range d.world.Commands {
		list[i] = *c
	}
	return list
}

// application checks that the path names the bot's own application, and a guild it is in.
func (c *call) application() *Error {
	if c.params["application_id"] != c.world.App.ID {
		return refuse(20012)
	}
	if id, ok := c.params["guild_id"]; ok && !c.world.botIn(id) {
		return refuse(50001)
	}
	return nil
}

func (c *call) listCommands() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	return c.inScope(), nil
}

func (c *call) inScope() []*Command {
	list := []*Command{}
	for _, cmd := range c.world.Commands {
		if cmd.GuildID == c.params["guild_id"] {
			list = append(list, cmd)
		}
	}
	return list
}

func (c *call) getCommand() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	for _, cmd := range c.inScope() {
		if cmd.ID == c.params["command_id"] {
			return cmd, nil
		}
	}
	return nil, refuse(10063)
}

func (c *call) deleteCommand() (any, *Error) {
	if _, apiErr := c.getCommand(); apiErr != nil {
		return nil, apiErr
	}
	c.world.Commands = slices.DeleteFunc(c.world.Commands,
		func(cmd *Command) bool { return cmd.ID == c.params["command_id"] })
	return nil, nil
}

// overwriteCommands replaces all commands of a scope. One that was there by the same name and kind keeps
// its id.
func (c *call) overwriteCommands() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	var requests []commandRequest
	if apiErr := c.decode(&requests); apiErr != nil {
		return nil, apiErr
	}
	var p problems
	names, slash := map[int]localNames{}, 0
	for i := range requests {
		cmd := requests[i].settle(c.params["guild_id"])
		p.checkCommand([]string{itoa(i)}, cmd)
		if names[cmd.Type] == nil {
			names[cmd.Type] = localNames{}
		}
		for _, where := range names[cmd.Type].add(cmd.Name, cmd.NameLocalizations) {
			p.add(at([]string{itoa(i)}, where...), "APPLICATION_COMMANDS_DUPLICATE_NAME",
				"Application command names must be unique")
		}
		if cmd.Type == 1 {
			slash++
		}
	}
	if len(p.list) > 0 {
		return nil, badForm(p.list...)
	}
	if slash > maxCommands {
		return nil, refuse(30032)
	}
	fresh := []*Command{}
	before := c.inScope()
	var created []time.Time
	for i := range requests {
		cmd := requests[i].settle(c.params["guild_id"])
		if c.keep(cmd, before) {
			created = append(created, c.now())
		}
		fresh = append(fresh, cmd)
	}
	if apiErr := c.mayCreate(len(created)); apiErr != nil {
		return nil, apiErr
	}
	c.world.Created = append(c.world.Created, created...)
	c.world.Commands = slices.DeleteFunc(c.world.Commands,
		func(cmd *Command) bool { return cmd.GuildID == c.params["guild_id"] })
	c.world.Commands = append(c.world.Commands, fresh...)
	return fresh, nil
}

// createCommand adds one command, or replaces the one by that name.
func (c *call) createCommand() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	var req commandRequest
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	cmd := req.settle(c.params["guild_id"])
	var p problems
	p.checkCommand(nil, cmd)
	names := localNames{}
	for _, other := range c.inScope() {
		if other.Type == cmd.Type && other.Name != cmd.Name {
			names.add(other.Name, other.NameLocalizations)
		}
	}
	for _, where := range names.add(cmd.Name, cmd.NameLocalizations) {
		p.add(where, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
	}
	if len(p.list) > 0 {
		return nil, badForm(p.list...)
	}
	isNew := c.keep(cmd, c.inScope())
	if isNew {
		if apiErr := c.mayCreate(1); apiErr != nil {
			return nil, apiErr
		}
		c.world.Created = append(c.world.Created, c.now())
		c.status = 201
	}
	c.world.Commands = slices.DeleteFunc(c.world.Commands,
		func(old *Command) bool { return old.ID == cmd.ID })
	c.world.Commands = append(c.world.Commands, cmd)
	return cmd, nil
}

func (c *call) mayCreate(n int) *Error {
	c.world.Created = slices.DeleteFunc(c.world.Created,
		func(at time.Time) bool { return c.now().Sub(at) > 24*time.Hour })
	if len(c.world.Created)+n > maxCreatesADay {
		return refuse(30034)
	}
	return nil
}

// settle gives a command its defaults.
func (r *commandRequest) settle(guildID string) *Command {
	cmd := r.Command
	cmd.ApplicationID, cmd.GuildID = appID, guildID
	if cmd.Type == 0 {
		cmd.Type = 1
	}
	if text := strings.Trim(string(r.DefaultMemberPermissions), `"`); text != "" && text != "null" {
		cmd.DefaultMemberPermissions = &text
	}
	if guildID == "" && len(cmd.IntegrationTypes) == 0 {
		cmd.IntegrationTypes = []int{0}
	}
	return &cmd
}

// keep gives a command the id of the one it replaces, and the version too when nothing has changed. It
// reports whether the command is new.
func (c *call) keep(cmd *Command, before []*Command) bool {
	for _, old := range before {
		if old.Name != cmd.Name || old.Type != cmd.Type {
			continue
		}
		cmd.ID, cmd.Version = old.ID, old.Version
		was, _ := json.Marshal(old)
		is, _ := json.Marshal(cmd)
		if !bytes.Equal(was, is) {
			cmd.Version = c.newID()
		}
		return false
	}
	cmd.ID = c.newID()
	cmd.Version = c.newID()
	return true
}

var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

func (p *problems) checkName(path []string, name string) {
	if !commandName.MatchString(name) || name != strings.ToLower(name) {
		p.add(at(path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
	}
}

func (p *problems) checkLocales(path []string, texts map[string]string, names bool) {
	for locale, text := range texts {
		if !slices.Contains(locales, locale) {
			p.add(at(path, locale), "BASE_TYPE_CHOICES",
				"Value must be one of the locales that Discord knows.")
		}
		if names {
			here := problems{}
			here.checkName(nil, text)
			for range here.list {
				p.add(at(path, locale), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
			}
		}
	}
}

// localNames are the names of commands or options beside each other, as the readers of each language see
// them.
type localNames map[string]bool

// add adds the names of one, and returns where one is that another has already in the same language.
func (n localNames) add(name string, others map[string]string) (taken [][]string) {
	if n["="+name] {
		taken = append(taken, []string{"name"})
	}
	n["="+name] = true
	for _, locale := range locales {
		local, has := others[locale]
		if !has {
			local = name
		}
		if n[locale+"="+local] && len(taken) == 0 {
			taken = append(taken, []string{"name_localizations", locale})
		}
		n[locale+"="+local] = true
	}
	return taken
}

// checkCommand checks a command against documented rules that the OpenAPI description lacks.
func (p *problems) checkCommand(path []string, cmd *Command) {
	if cmd.Type == 1 {
		p.checkName(path, cmd.Name)
		if cmd.Description == "" {
			p.add(at(path, "description"), "BASE_TYPE_REQUIRED", "This field is required")
		}
	} else {
		if cmd.Description != "" {
			p.add(at(path, "description"), "APPLICATION_COMMAND_INVALID_DESCRIPTION",
				"Context menu commands cannot have description")
		}
		if len(cmd.Options) > 0 {
			p.add(at(path, "options"), "APPLICATION_COMMAND_INVALID_OPTIONS",
				"Context menu commands cannot have options")
		}
	}
	if cmd.GuildID != "" {
		if len(cmd.Contexts) > 0 {
			p.add(at(path, "contexts"), "APPLICATION_COMMAND_CONTEXTS_GLOBAL_ONLY",
				"Contexts are for global commands only")
		}
		if len(cmd.IntegrationTypes) > 0 {
			p.add(at(path, "integration_types"), "APPLICATION_COMMAND_INTEGRATION_TYPES_GLOBAL_ONLY",
				"Integration types are for global commands only")
		}
	}
	if slices.Contains(cmd.Contexts, 2) && !slices.Contains(cmd.IntegrationTypes, 1) {
		p.add(at(path, "contexts"), "APPLICATION_COMMAND_CONTEXT_NEEDS_USER_INSTALL",
			"Private channels need the user installation type")
	}
	p.checkLocales(at(path, "name_localizations"), cmd.NameLocalizations, cmd.Type == 1)
	p.checkLocales(at(path, "description_localizations"), cmd.DescriptionLocalizations, false)
	p.checkOptions(at(path, "options"), cmd.Options, 0)
	size := longest(cmd.Name, cmd.NameLocalizations) + longest(cmd.Description,
		cmd.DescriptionLocalizations) + optionSize(cmd.Options)
	if size > maxCommandSize {
		p.add(path, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandSize)
	}
}

func (p *problems) checkOptions(path []string, list []CommandOption, depth int) {
	names, optional, branching := localNames{}, false, 0
	for i := range list {
		o, here := &list[i], at(path, itoa(i))
		p.checkName(here, o.Name)
		for _, where := range names.add(o.Name, o.NameLocalizations) {
			p.add(at(here, where...), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
				"Option name already exists")
		}
		p.checkLocales(at(here, "name_localizations"), o.NameLocalizations, true)
		p.checkLocales(at(here, "description_localizations"), o.DescriptionLocalizations, false)
		if o.branches() {
			branching++
			if o.Type == OptionGroup && depth > 0 || depth > 1 {
				p.add(at(here, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
					"Sub-command option type is not allowed here")
			}
			p.checkOptions(at(here, "options"), o.Options, depth+1)
			continue
		}
		if o.Required && optional {
			p.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
				"Required options must be placed before non-required options")
		}
		optional = optional || !o.Required
		if o.Autocomplete && len(o.Choices) > 0 {
			p.add(at(here, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_CHOICES",
				"Autocomplete cannot be used with choices")
		}
		p.checkChoices(at(here, "choices"), o)
	}
	if branching > 0 && branching < len(list) {
		p.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
			"Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
}

func (p *problems) checkChoices(path []string, o *CommandOption) {
	names := map[string]bool{}
	for i, c := range o.Choices {
		if names[c.Name] {
			p.add(at(path, itoa(i), "name"), "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
				"Option choice name already exists")
		}
		names[c.Name] = true
		if text, ok := c.Value.(string); ok {
			p.longest(at(path, itoa(i), "value"), text, 100)
		}
	}
}

// longest counts the longest of a text and its translations, as Discord does for the size of a command.
func longest(text string, others map[string]string) int {
	n := length(text)
	for _, other := range others {
		n = max(n, length(other))
	}
	return n
}

func optionSize(list []CommandOption) int {
	n := 0
	for _, o := range list {
		n += longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations) +
			optionSize(o.Options)
		for _, c := range o.Choices {
			n += longest(c.Name, c.NameLocalizations)
			if text, ok := c.Value.(string); ok {
				n += length(text)
			}
		}
	}
	return n
}

// locales are the languages of Discord's client.
var locales = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko")
