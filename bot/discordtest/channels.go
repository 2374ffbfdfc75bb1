package discordtest

// ServerChannel is a channel of the server, as its owner sees it.
type ServerChannel struct {
	d *Discord
	c *channel
}

// Channel gives a channel of the server by name or id, nil when there is none.
func (d *Discord) Channel(which string) *ServerChannel {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.world.channel(which)
	if c == nil || c.GuildID == "" {
		return nil
	}
	return &ServerChannel{d, c}
}

// ID is the channel's snowflake.
func (c *ServerChannel) ID() string { return c.c.ID }

func (c *ServerChannel) set(change func(*channel)) *ServerChannel {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	change(c.c)
	c.d.announce()
	return c
}

// Hide takes the channel out of the bot's sight (50001).
func (c *ServerChannel) Hide() *ServerChannel { return c.DenyBot(permViewChannel) }

// Mute lets the bot read the channel and not write in it (50013).
func (c *ServerChannel) Mute() *ServerChannel { return c.DenyBot(permSend | permSendInThreads) }

// Close takes the channel out of the sight of members; the bot still sees it.
func (c *ServerChannel) Close() *ServerChannel {
	return c.set(func(ch *channel) {
		ch.overwrite(ch.GuildID, roleOverwrite, 0, permViewChannel)
		ch.overwrite(appID, memberOverwrite, permViewChannel, 0)
	})
}

// Open lets the bot see the channel and write in it again.
func (c *ServerChannel) Open() *ServerChannel {
	return c.set(func(c *channel) { c.clear(appID) })
}

// DenyBot takes permissions from the bot in the channel, by an overwrite of its own.
func (c *ServerChannel) DenyBot(permissions uint64) *ServerChannel {
	return c.set(func(c *channel) { c.overwrite(appID, memberOverwrite, 0, permissions) })
}

// AllowBot gives the bot permissions in the channel, whatever its roles say.
func (c *ServerChannel) AllowBot(permissions uint64) *ServerChannel {
	return c.set(func(c *channel) { c.overwrite(appID, memberOverwrite, permissions, 0) })
}

// Show lets a player see the channel that is closed to others.
func (c *ServerChannel) Show(p *Player) *ServerChannel {
	return c.set(func(c *channel) { c.overwrite(p.u.ID, memberOverwrite, permViewChannel|permSend, 0) })
}

// DenyRole takes permissions from a role, by id. The server's own id is everyone's.
func (c *ServerChannel) DenyRole(id string, permissions uint64) *ServerChannel {
	return c.set(func(c *channel) { c.overwrite(id, roleOverwrite, 0, permissions) })
}

// AllowRole gives a role permissions in the channel.
func (c *ServerChannel) AllowRole(id string, permissions uint64) *ServerChannel {
	return c.set(func(c *channel) { c.overwrite(id, roleOverwrite, permissions, 0) })
}

// Delete removes the channel with all that is in it (10003).
func (c *ServerChannel) Delete() {
	c.set(c.d.drop)
}

// DeleteMessage removes a message as a moderator does.
func (d *Discord) DeleteMessage(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m := d.world.find(id); m != nil && !m.Deleted {
		d.remove(m)
	}
}
