package discordtest

import (
	"encoding/json"
	"slices"
)

// Permissions of which the stand-in speaks, as bits.
const (
	permAdministrator  = 1 << 3
	permManageChannels = 1 << 4
	permManageGuild    = 1 << 5
	permViewChannel    = 1 << 10
	permSend           = 1 << 11
	permManageMessages = 1 << 13
	permEmbed          = 1 << 14
	permHistory        = 1 << 16
	permMentionAll     = 1 << 17
	permManageRoles    = 1 << 28
	permCommands       = 1 << 31
	permManageThreads  = 1 << 34
	permPublicThreads  = 1 << 35
	permPrivateThreads = 1 << 36
	permSendInThreads  = 1 << 38
	permExternalApps   = 1 << 50

	// permMember is what everyone may do in a server that has just been made.
	permMember = permViewChannel | permSend | permEmbed | permHistory | permCommands | permPublicThreads | permPrivateThreads |
		permSendInThreads | permExternalApps
	permAll = 1<<53 - 1
)

// overwrite changes what a role or a member may do in one channel.
type overwrite struct {
	ID          string
	Type        int
	Allow, Deny uint64
}

const (
	roleOverwrite   = 0
	memberOverwrite = 1
)

// overwrite adds to what the channel says of a role or member; what is said last counts.
func (c *channel) overwrite(id string, kind int, allow, deny uint64) {
	i := slices.IndexFunc(c.Overwrites, func(o overwrite) bool { return o.ID == id })
	if i < 0 {
		i = len(c.Overwrites)
		c.Overwrites = append(c.Overwrites, overwrite{ID: id, Type: kind})
	}
	o := &c.Overwrites[i]
	o.Allow, o.Deny = o.Allow&^deny|allow, o.Deny&^allow|deny
}

func (c *channel) clear(id string) {
	c.Overwrites = slices.DeleteFunc(c.Overwrites, func(o overwrite) bool { return o.ID == id })
}

// permissionsOf is what a user may do in a guild, whatever the channel.
func (w *world) permissionsOf(u *user, g *guild) uint64 {
	m := w.member(u, g.ID)
	if m == nil {
		return 0
	}
	p := m.Permissions
	for _, r := range g.Roles {
		if slices.Contains(m.Roles, r.ID) {
			p |= r.Permissions
		}
	}
	if p&permAdministrator != 0 || g.OwnerID == u.ID {
		return p | permAll
	}
	return p
}

// permissionsIn is what a user may do in a channel: https://docs.discord.com/developers/topics/permissions
func (w *world) permissionsIn(u *user, c *channel) uint64 {
	if c.GuildID == "" {
		if c.dm() && (u.Bot || c.Recipient == u.ID) || slices.Contains(c.People, u.ID) {
			return permMember
		}
		return 0
	}
	g := w.guild(c.GuildID)
	p, m := w.permissionsOf(u, g), w.member(u, g.ID)
	if m == nil || p&permAdministrator != 0 {
		return p
	}
	in := c
	if c.Thread != nil { // a thread has its channel's
		in = w.channel(c.Thread.Parent)
	}
	var allow, deny uint64
	for _, o := range in.Overwrites {
		switch {
		case o.ID == g.ID:
			p = p&^o.Deny | o.Allow
		case o.Type == roleOverwrite && slices.Contains(m.Roles, o.ID):
			allow, deny = allow|o.Allow, deny|o.Deny
		}
	}
	p = p&^deny | allow
	for _, o := range in.Overwrites {
		if o.Type == memberOverwrite && o.ID == u.ID {
			p = p&^o.Deny | o.Allow
		}
	}
	switch {
	case p&permViewChannel == 0:
		return 0
	case c.Type == privateThread && p&permManageThreads == 0 && !slices.Contains(c.People, u.ID):
		return 0
	case c.Thread != nil && p&permSendInThreads == 0, c.Thread == nil && p&permSend == 0:
		p &^= permEmbed | permMentionAll
	}
	return p
}

// can reports whether the bot has all of the permissions in a channel.
func (d *Discord) can(c *channel, permissions uint64) bool {
	return d.world.permissionsIn(d.world.bot(), c)&permissions == permissions
}

// mayWriteInGuild says why the bot cannot write in a channel of a guild.
func (c *call) mayWriteInGuild(ch *channel) *Error {
	switch {
	case ch.Type == forumChannel:
		return refuse(50008)
	case ch.Thread == nil && !c.can(ch, permSend), ch.Thread != nil && !c.can(ch, permSendInThreads):
		return refuse(50013)
	case ch.Thread != nil && ch.Thread.Locked && !c.can(ch, permManageThreads):
		return refuse(160005)
	}
	return nil
}

// mayHold says why the bot cannot write this message in a channel.
func (c *call) mayHold(ch *channel, req *messageRequest) *Error {
	switch {
	case ch.GuildID == "":
		return nil
	case len(req.Embeds.Value) > 0 && !c.can(ch, permEmbed):
		return refuse(50013)
	case req.Reference != nil && req.Reference.Type == 0 && !c.can(ch, permHistory):
		return refuse(160002)
	}
	return nil
}

// commandOverride is what the settings of a guild's integrations say of a command.
type commandOverride struct {
	ID         string `json:"id"`
	Type       int    `json:"type"` // role, user or channel
	Permission bool   `json:"permission"`
}

const (
	overrideRole    = 1
	overrideUser    = 2
	overrideChannel = 3
)

// permits reports whether a guild lets a member use a command in a channel: what its integrations say of
// the command, then of the application, then the command's own default.
func (d *Discord) permits(cmd *Command, u *user, c *channel) bool {
	g, m := d.world.guild(c.GuildID), d.world.member(u, c.GuildID)
	all := d.world.permissionsIn(u, c)
	if all&permAdministrator != 0 {
		return true
	}
	lists := [][]commandOverride{g.Overrides[cmd.ID], g.Overrides[appID]}
	where := c.ID
	if c.Thread != nil {
		where = c.Thread.Parent
	}
	allowed, said := decided(lists, func(o commandOverride) bool {
		return o.Type == overrideChannel &&
			o.ID == where
	})
	if !said {
		allowed, said = decided(lists, func(o commandOverride) bool {
			return o.Type == overrideChannel &&
				o.ID == allChannels(g.ID)
		})
	}
	if said && !allowed {
		return false
	}
	for _, list := range lists {
		for _, fits := range []func(commandOverride) bool{
			func(o commandOverride) bool { return o.Type == overrideUser && o.ID == u.ID },
			func(o commandOverride) bool { return o.Type == overrideRole && slices.Contains(m.Roles, o.ID) },
			func(o commandOverride) bool { return o.Type == overrideRole && o.ID == g.ID },
		} {
			if allowed, said := decided([][]commandOverride{list}, fits); said {
				return allowed
			}
		}
	}
	if need := cmd.DefaultMemberPermissions; need != nil {
		want := number(*need)
		return want != 0 && all&want == want
	}
	return true
}

// decided gives what the first list with a fitting override says; one that allows is enough.
func decided(lists [][]commandOverride, fits func(commandOverride) bool) (allowed, said bool) {
	for _, list := range lists {
		for _, o := range list {
			if fits(o) {
				allowed, said = allowed || o.Permission, true
			}
		}
		if said {
			return allowed, true
		}
	}
	return false, false
}

func (c *call) overridesOfAll() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	list := []any{}
	for id, overrides := range c.world.guild(c.params["guild_id"]).Overrides {
		list = append(list, overridesWire(id, c.params["guild_id"], overrides))
	}
	return list, nil
}

func (c *call) overridesOfOne() (any, *Error) {
	if apiErr := c.application(); apiErr != nil {
		return nil, apiErr
	}
	overrides := c.world.guild(c.params["guild_id"]).Overrides[c.params["command_id"]]
	if overrides == nil {
		return nil, refuse(10066)
	}
	return overridesWire(c.params["command_id"], c.params["guild_id"], overrides), nil
}

func overridesWire(id, guildID string, overrides []commandOverride) map[string]any {
	data, _ := json.Marshal(overrides) // our own shape
	return map[string]any{"id": id, "application_id": appID, "guild_id": guildID,
		"permissions": json.RawMessage(data)}
}
