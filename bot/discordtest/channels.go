package discordtest

import "slices"

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
	if c == nil || c.dm() {
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
func (c *ServerChannel) Hide() *ServerChannel { return c.set(func(c *channel) { c.Hidden = true }) }

// Mute lets the bot read the channel and not write in it (50013).
func (c *ServerChannel) Mute() *ServerChannel { return c.set(func(c *channel) { c.Muted = true }) }

// Close takes the channel out of the sight of members; the bot still sees it.
func (c *ServerChannel) Close() *ServerChannel { return c.set(func(c *channel) { c.Private = true }) }

// Open lets the bot see the channel and write in it again.
func (c *ServerChannel) Open() *ServerChannel {
	return c.set(func(c *channel) { c.Hidden, c.Muted = false, false })
}

// Delete removes the channel with all that is in it (10003).
func (c *ServerChannel) Delete() {
	c.set(func(gone *channel) {
		w := &c.d.world
		w.Channels = slices.DeleteFunc(w.Channels, func(other *channel) bool { return other == gone })
		for _, m := range w.Messages {
			if m.ChannelID == gone.ID {
				m.Deleted = true
			}
		}
	})
}

// DeleteMessage removes a message as a moderator does.
func (d *Discord) DeleteMessage(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m := d.world.find(id); m != nil && !m.Deleted {
		d.remove(m)
	}
}
