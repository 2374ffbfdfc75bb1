package discordtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Option is something filled in for a slash command.
type Option struct {
	Name  string
	value any // string, int64, float64, bool, or an id
	kind  OptionType
}

// Str fills a text option. For an option with choices it is a choice's name or its value.
func Str(name, value string) Option { return Option{name, value, OptionString} }

// Int fills a whole-number option.
func Int(name string, value int64) Option { return Option{name, value, OptionInteger} }

// Num fills a number option.
func Num(name string, value float64) Option { return Option{name, value, OptionNumber} }

// Bool fills a yes-or-no option.
func Bool(name string, value bool) Option { return Option{name, value, OptionBoolean} }

// UserOption fills a user option, by id or name.
func UserOption(name, who string) Option { return Option{name, who, OptionUser} }

// ChannelOption fills a channel option, by id or name.
func ChannelOption(name, which string) Option { return Option{name, which, OptionChannel} }

// RoleOption fills a role option, by id or name.
func RoleOption(name, which string) Option { return Option{name, which, OptionRole} }

// The checks in this file are the client's: it does not let a user send what the command does not take. A
// forged interaction skips them.

// commandFor finds the command that a user sees under a name in a channel, as the picker does.
func (d *Discord) commandFor(u *user, c *channel, name string) *Command {
	for _, cmd := range d.visible(u, c) {
		if cmd.Name == name {
			return cmd
		}
	}
	return nil
}

// visible are the slash commands that the picker offers a user in a channel.
func (d *Discord) visible(u *user, c *channel) []*Command {
	var list []*Command
	for _, cmd := range d.world.Commands {
		if cmd.Type == 1 && d.offers(cmd, u, c) {
			list = append(list, cmd)
		}
	}
	return list
}

func (d *Discord) offers(cmd *Command, u *user, c *channel) bool {
	if c.GuildID == "" && (cmd.GuildID != "" || cmd.DMPermission != nil && !*cmd.DMPermission) ||
		cmd.GuildID != "" && cmd.GuildID != c.GuildID {
		return false
	}
	if len(cmd.Contexts) > 0 && !slices.Contains(cmd.Contexts, c.context()) || c.elsewhere() &&
		len(cmd.Contexts) == 0 {
		return false
	}
	owners := d.owners(u, c)
	byGuild := owners["0"] != "" && (len(cmd.IntegrationTypes) == 0 ||
		slices.Contains(cmd.IntegrationTypes, 0))
	byUser := owners["1"] != "" && slices.Contains(cmd.IntegrationTypes, 1)
	if !byGuild && !byUser || c.GuildID != "" && d.world.permissionsIn(u, c)&permViewChannel == 0 {
		return false
	}
	return c.GuildID == "" || owners["0"] == "" || d.permits(cmd, u, c)
}

// leaf finds the subcommand that a path such as "request post" leads to, with its options.
func leafOf(cmd *Command, path []string) (options []CommandOption, wrap func([]any) []any, err error) {
	options, wrap = cmd.Options, func(in []any) []any { return in }
	for _, name := range path {
		i := slices.IndexFunc(options, func(o CommandOption) bool { return o.branches() && o.Name == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("/%s has no subcommand %q; it has %s", cmd.Name, name, names(options))
		}
		o, outer := options[i], wrap
		wrap = func(in []any) []any {
			return outer([]any{map[string]any{"type": o.Type, "name": o.Name, "options": in}})
		}
		options = o.Options
	}
	if len(options) > 0 && options[0].branches() {
		return nil, nil, fmt.Errorf("/%s needs a subcommand: %s",
			strings.Join(append([]string{cmd.Name}, path...), " "), names(options))
	}
	return options, wrap, nil
}

func names(options []CommandOption) string {
	all := make([]string, len(options))
	for i, o := range options {
		all[i] = o.Name
	}
	return strings.Join(all, ", ")
}

// target resolves the path of a command for a user.
func (d *Discord) target(
	u *user, c *channel, path string,
) (*Command, []CommandOption, func([]any) []any, error) {
	words := strings.Fields(strings.TrimPrefix(path, "/"))
	if len(words) == 0 {
		return nil, nil, nil, fmt.Errorf("no command named")
	}
	cmd := d.commandFor(u, c, words[0])
	if cmd == nil {
		var seen []string
		for _, other := range d.visible(u, c) {
			seen = append(seen, "/"+other.Name)
		}
		return nil, nil, nil, fmt.Errorf("%s sees no command /%s here; registered: %d, visible: %s",
			u.Username, words[0], len(d.world.Commands), strings.Join(seen, " "))
	}
	options, wrap, err := leafOf(cmd, words[1:])
	return cmd, options, wrap, err
}

// slash sends a slash command.
func (d *Discord) slash(u *user, c *channel, path string, given []Option, forged bool) (*interaction, error) {
	cmd, options, wrap, err := d.target(u, c, path)
	if err != nil {
		return nil, err
	}
	resolved := resolved{}
	sent := []any{}
	for _, o := range options {
		i := slices.IndexFunc(given, func(g Option) bool { return g.Name == o.Name })
		if i < 0 {
			if o.Required && !forged {
				return nil, fmt.Errorf("/%s needs the option %q", path, o.Name)
			}
			continue
		}
		value, err := d.fit(&o, given[i], resolved)
		if err != nil {
			if !forged {
				return nil, fmt.Errorf("/%s, option %q: %w", path, o.Name, err)
			}
			value = given[i].value
		}
		sent = append(sent, map[string]any{"name": o.Name, "type": o.Type, "value": value})
	}
	for _, g := range given {
		if slices.ContainsFunc(options, func(o CommandOption) bool { return o.Name == g.Name }) {
			continue
		}
		if !forged {
			return nil, fmt.Errorf("/%s has no option %q; it has %s", path, g.Name, names(options))
		}
		sent = append(sent, map[string]any{"name": g.Name, "type": g.kind, "value": g.value})
	}
	return d.begin(&interaction{kind: kindCommand, user: u, channel: c, what: "/" + path,
		data: commandData(cmd, wrap(sent), resolved)}), nil
}

func commandData(cmd *Command, options []any, r resolved) map[string]any {
	data := map[string]any{"id": cmd.ID, "name": cmd.Name, "type": cmd.Type}
	if len(options) > 0 {
		data["options"] = options
	}
	if cmd.GuildID != "" {
		data["guild_id"] = cmd.GuildID
	}
	if len(r) > 0 {
		data["resolved"] = r
	}
	return data
}

// resolved has the objects of IDs, by kind.
type resolved map[string]map[string]any

func (r resolved) put(kind, id string, v any) {
	if r[kind] == nil {
		r[kind] = map[string]any{}
	}
	r[kind][id] = v
}

func (d *Discord) resolveUser(r resolved, u *user) {
	r.put("users", u.ID, u.wire())
	if in := d.world.member(u, guildID); in != nil {
		m, _ := json.Marshal(u.member(in))
		var partial map[string]any
		_ = json.Unmarshal(m, &partial) // our own shape
		delete(partial, "user")
		delete(partial, "mute")
		delete(partial, "deaf")
		partial["permissions"] = bits(in.Permissions)
		r.put("members", u.ID, partial)
	}
}

// fit is the value that the client sends for what a user filled in.
func (d *Discord) fit(o *CommandOption, g Option, r resolved) (any, error) {
	if len(o.Choices) > 0 {
		for _, c := range o.Choices {
			if c.Name == fmt.Sprint(g.value) || fmt.Sprint(c.Value) == fmt.Sprint(g.value) {
				return c.Value, nil
			}
		}
		return nil, fmt.Errorf("%v is none of its choices", g.value)
	}
	switch o.Type {
	case OptionString:
		text, ok := g.value.(string)
		if !ok {
			break
		}
		low, high := 1, 6000
		if o.MinLength != nil {
			low = max(low, *o.MinLength)
		}
		if o.MaxLength != nil {
			high = *o.MaxLength
		}
		if n := utf16Length(text); n < low || n > high {
			return nil, fmt.Errorf("must be %d to %d characters long, not %d", low, high, n)
		}
		return text, nil
	case OptionInteger:
		n, ok := g.value.(int64)
		if !ok {
			break
		}
		return n, within(o, float64(n))
	case OptionNumber:
		switch n := g.value.(type) {
		case int64:
			return n, within(o, float64(n))
		case float64:
			return n, within(o, n)
		}
	case OptionBoolean:
		if b, ok := g.value.(bool); ok {
			return b, nil
		}
	case OptionUser, OptionMentionable:
		if u := d.world.user(fmt.Sprint(g.value)); u != nil {
			d.resolveUser(r, u)
			return u.ID, nil
		}
		return nil, fmt.Errorf("no user is called %v", g.value)
	case OptionRole:
		for _, in := range d.world.Guilds {
			for i, role := range in.Roles {
				if value := fmt.Sprint(g.value); role.ID == value || role.Name == value {
					r.put("roles", role.ID, role.wire(i+1))
					return role.ID, nil
				}
			}
		}
		return nil, fmt.Errorf("no role is called %v", g.value)
	case OptionChannel:
		if c := d.world.channel(fmt.Sprint(g.value)); c != nil && c.GuildID != "" {
			if len(o.ChannelTypes) > 0 && !slices.Contains(o.ChannelTypes, c.Type) {
				return nil, fmt.Errorf("takes channels of the kinds %v", o.ChannelTypes)
			}
			r.put("channels", c.ID, map[string]any{"id": c.ID, "name": c.Name, "type": c.Type,
				"parent_id": nil, "flags": 0,
				"permissions": bits(permMember)})
			return c.ID, nil
		}
		return nil, fmt.Errorf("no channel is called %v", g.value)
	}
	return nil, fmt.Errorf("cannot take %T", g.value)
}

func within(o *CommandOption, n float64) error {
	const exact = 1 << 53
	low, high := float64(-exact), float64(exact)
	if o.MinValue != nil {
		low = *o.MinValue
	}
	if o.MaxValue != nil {
		high = *o.MaxValue
	}
	if n < low || n > high {
		return fmt.Errorf("must be from %v to %v, not %v", low, high, n)
	}
	return nil
}

// autocomplete asks for the choices of an option while a user types. Other options are sent as far as they
// are filled in.
func (d *Discord) autocomplete(
	u *user, c *channel, path, focused, typed string, given []Option,
) (*interaction, error) {
	cmd, options, wrap, err := d.target(u, c, path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(options, func(o CommandOption) bool { return o.Name == focused })
	if i < 0 {
		return nil, fmt.Errorf("/%s has no option %q; it has %s", path, focused, names(options))
	}
	if !options[i].Autocomplete {
		return nil, fmt.Errorf("/%s does not complete the option %q", path, focused)
	}
	sent := []any{}
	for _, o := range options {
		if o.Name == focused {
			sent = append(sent, map[string]any{"name": o.Name, "type": o.Type, "value": typed,
				"focused": true})
			continue
		}
		for _, g := range given {
			if g.Name != o.Name {
				continue
			}
			value, err := d.fit(&o, g, resolved{})
			if err != nil {
				value = g.value // the client does not check what is still being typed
			}
			sent = append(sent, map[string]any{"name": o.Name, "type": o.Type, "value": value})
		}
	}
	return d.begin(&interaction{kind: kindAutocomplete, user: u, channel: c,
		what:   fmt.Sprintf("completing %q in /%s", focused, path),
		option: &options[i], data: commandData(cmd, wrap(sent), nil)}), nil
}

// sees says whether a message is on a user's screen.
func (d *Discord) sees(u *user, m *message) bool {
	c := d.world.channel(m.ChannelID)
	switch {
	case c == nil || m.Deleted:
		return false
	case m.Reader != "":
		return m.Reader == u.ID
	case c.dm():
		return c.Recipient == u.ID
	}
	return d.world.permissionsIn(u, c)&permViewChannel != 0
}

// press uses a component of a message: a button, or a list with the values picked from it.
func (d *Discord) press(
	u *user, m *message, customID string, values []string, forged bool,
) (*interaction, error) {
	if !d.sees(u, m) {
		return nil, fmt.Errorf("%s does not see message %s (any more)", u.Username, m.ID)
	}
	var found *Component
	walk(m.Components, nil, func(c *Component, _ []string) {
		if c.CustomID == customID {
			found = c
		}
	})
	if found == nil && forged {
		found = &Component{Type: ButtonKind, ID: 99, CustomID: customID}
		if values != nil {
			found.Type = StringSelect
		}
	}
	switch {
	case found == nil:
		return nil, fmt.Errorf("message %s has no component %q (any more)", m.ID, customID)
	case found.Disabled && !forged:
		return nil, fmt.Errorf("%s is disabled", found.describe())
	}
	data := map[string]any{"component_type": found.Type, "custom_id": customID, "id": found.ID}
	if found.Type.selects() {
		r := resolved{}
		picked, err := d.pick(found, values, r)
		if err != nil {
			if !forged {
				return nil, err
			}
			picked = values
		}
		if !forged && !d.selects.choose(u.ID, m, found, picked) {
			return nil, fmt.Errorf("%s shows that choice already: the client sends nothing", found.describe())
		}
		data["values"] = picked
		if found.Type != StringSelect {
			data["resolved"] = r
		}
	}
	return d.begin(&interaction{kind: kindComponent, user: u, channel: d.world.channel(m.ChannelID),
		what: found.describe(), source: m, data: data}), nil
}

func (c *Component) describe() string {
	switch {
	case c.Type == ButtonKind && c.Label != "":
		return fmt.Sprintf("button %q", c.Label)
	case c.Placeholder != "":
		return fmt.Sprintf("list %q", c.Placeholder)
	}
	return fmt.Sprintf("component %q", c.CustomID)
}

// pick turns what a user chose from a list (labels or values, names or ids) into the values that the client
// sends.
func (d *Discord) pick(c *Component, chosen []string, r resolved) ([]string, error) {
	values := []string{}
	for _, want := range chosen {
		switch c.Type {
		case StringSelect, RadioGroup, CheckboxGroup:
			i := slices.IndexFunc(c.Options,
				func(o SelectOption) bool { return o.Value == want || o.Label == want })
			if i < 0 {
				return nil, fmt.Errorf("%s has no %q", c.describe(), want)
			}
			values = append(values, c.Options[i].Value)
		case UserSelect, MentionableSelect:
			u := d.world.user(want)
			if u == nil {
				return nil, fmt.Errorf("no user is called %q", want)
			}
			d.resolveUser(r, u)
			values = append(values, u.ID)
		case ChannelSelect:
			ch := d.world.channel(want)
			if ch == nil || ch.GuildID == "" {
				return nil, fmt.Errorf("no channel is called %q", want)
			}
			r.put("channels", ch.ID, map[string]any{"id": ch.ID, "name": ch.Name, "type": ch.Type,
				"permissions": bits(permMember)})
			values = append(values, ch.ID)
		default:
			return nil, fmt.Errorf("%s: the stand-in has nothing to choose from here", c.describe())
		}
	}
	low, high := 1, 1
	if c.MinValues != nil {
		low = *c.MinValues
	}
	if c.MaxValues != nil {
		high = *c.MaxValues
	}
	if len(values) < low || len(values) > high {
		return nil, fmt.Errorf("%s takes %d to %d choices, not %d", c.describe(), low, high, len(values))
	}
	return values, nil
}

// messageCommand uses a command of a message's menu.
func (d *Discord) messageCommand(u *user, m *message, name string) (*interaction, error) {
	if !d.sees(u, m) {
		return nil, fmt.Errorf("%s does not see message %s (any more)", u.Username, m.ID)
	}
	c := d.world.channel(m.ChannelID)
	for _, cmd := range d.world.Commands {
		if cmd.Type != messageCommandType || cmd.Name != name || !d.offers(cmd, u, c) {
			continue
		}
		data := commandData(cmd, nil, resolved{"messages": {m.ID: m.Message}})
		data["target_id"] = m.ID
		return d.begin(&interaction{kind: kindCommand, user: u, channel: c, what: name, data: data}), nil
	}
	return nil, fmt.Errorf("%s sees no %q in the menu of a message here", u.Username, name)
}

// messageCommandType is the type of commands in the menu of a message.
const messageCommandType = 3

// userCommand uses a command of a person's menu.
func (d *Discord) userCommand(u, who *user, c *channel, name string) (*interaction, error) {
	for _, cmd := range d.world.Commands {
		if cmd.Type != userCommandType || cmd.Name != name || !d.offers(cmd, u, c) {
			continue
		}
		r := resolved{}
		d.resolveUser(r, who)
		data := commandData(cmd, nil, r)
		data["target_id"] = who.ID
		return d.begin(&interaction{kind: kindCommand, user: u, channel: c, what: name, data: data}), nil
	}
	return nil, fmt.Errorf("%s sees no %q in the menu of a person here", u.Username, name)
}

// userCommandType is the type of commands in the menu of a person.
const userCommandType = 2
