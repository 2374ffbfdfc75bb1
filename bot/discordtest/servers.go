package discordtest

import (
	"slices"
	"strconv"
)

// guild is a server.
type guild struct {
	ID, Name, OwnerID, Locale string
	Roles                     []*role                      // without everyone's
	Overrides                 map[string][]commandOverride // by the id of a command, or of the application
}

// home is the server with which the stand-in begins.
func (w *world) home() *guild { return w.Guilds[0] }

func (w *world) guild(id string) *guild {
	for _, g := range w.Guilds {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// member is a user in a guild, nil for one who is not there.
func (w *world) member(u *user, guildID string) *membership {
	m := u.In[guildID]
	if guildID == w.home().ID {
		m = &u.membership
	}
	if m == nil || m.Left {
		return nil
	}
	return m
}

func (w *world) botIn(guildID string) bool {
	return w.guild(guildID) != nil && w.member(w.bot(), guildID) != nil
}

func (w *world) botGuilds() int {
	n := 0
	for _, g := range w.Guilds {
		if w.botIn(g.ID) {
			n++
		}
	}
	return n
}

// shared reports whether a user has a server in common with the bot.
func (w *world) shared(u *user) bool {
	return slices.ContainsFunc(w.Guilds,
		func(g *guild) bool { return w.botIn(g.ID) && w.member(u, g.ID) != nil })
}

// Contexts of interactions.
const (
	contextGuild   = 0
	contextBotDM   = 1
	contextPrivate = 2
)

func (c *channel) context() int {
	switch {
	case c.GuildID != "":
		return contextGuild
	case c.dm():
		return contextBotDM
	}
	return contextPrivate
}

// owners are the installations for which a user can use the application in a channel: "0" for the server's,
// "1" for their own.
func (d *Discord) owners(u *user, c *channel) map[string]string {
	owners := map[string]string{}
	switch {
	case c.GuildID != "" && d.world.botIn(c.GuildID):
		owners["0"] = c.GuildID
	case c.dm() && d.world.shared(u):
		owners["0"] = "0"
	}
	if u.Installed {
		owners["1"] = u.ID
	}
	return owners
}

// Server is a server, as its owner sees it.
type Server struct {
	d *Discord
	g *guild
}

// HomeServer is the server with which the stand-in begins. The bot is in it.
func (d *Discord) HomeServer() *Server { return &Server{d, d.world.home()} }

// NewServer makes a server with a channel, owned by one player, who is its only member.
func (d *Discord) NewServer(name, channelName string, owner *Player) *Server {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := &guild{ID: d.newID(), Name: name, OwnerID: owner.u.ID, Locale: "en-US"}
	d.world.Guilds = append(d.world.Guilds, g)
	s := &Server{d, g}
	s.admit(owner.u, permMember)
	s.addChannel(channelName, textChannel)
	return s
}

// ID is the server's snowflake.
func (s *Server) ID() string { return s.g.ID }

// Admit lets players join.
func (s *Server) Admit(players ...*Player) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	for _, p := range players {
		s.admit(p.u, permMember)
	}
	return s
}

func (s *Server) admit(u *user, permissions uint64) {
	m := membership{Joined: s.d.now(), Permissions: permissions}
	if s.g == s.d.world.home() {
		u.membership = m
		return
	}
	if u.In == nil {
		u.In = map[string]*membership{}
	}
	u.In[s.g.ID] = &m
	s.d.announce()
}

// InviteBot adds the bot with the permissions that its invitation asks for, beside everyone's.
func (s *Server) InviteBot(permissions uint64) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.admit(s.d.world.bot(), permMember)
	s.d.setBot(s.g, permMember|permissions)
	s.d.gateway.dispatch("GUILD_CREATE", intentGuilds, s.d.guildEvent(s.g))
	return s
}

// SetLocale changes the language of the server.
func (s *Server) SetLocale(locale string) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.g.Locale = locale
	return s
}

// RemoveBot takes the bot out of the server, with what the server's integrations say of it.
func (s *Server) RemoveBot() *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if m := s.d.world.member(s.d.world.bot(), s.g.ID); m != nil {
		m.Left = true
	}
	s.g.Roles = slices.DeleteFunc(s.g.Roles, func(r *role) bool { return r.Managed })
	s.g.Overrides = nil
	s.d.world.Commands = slices.DeleteFunc(s.d.world.Commands,
		func(c *Command) bool { return c.GuildID == s.g.ID })
	s.d.gateway.dispatch("GUILD_DELETE", intentGuilds, map[string]any{"id": s.g.ID})
	s.d.announce()
	return s
}

// SetBotPermissions changes what the bot may do in the server.
func (s *Server) SetBotPermissions(permissions uint64) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.d.setBot(s.g, permissions)
	return s
}

// AddChannel makes a channel: a text channel, an announcement channel or a forum.
func (s *Server) AddChannel(name string, kind ChannelKind) *ServerChannel {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	return &ServerChannel{s.d, s.addChannel(name, int(kind))}
}

func (s *Server) addChannel(name string, kind int) *channel {
	c := &channel{ID: s.d.newID(), GuildID: s.g.ID, Name: name, Type: kind}
	s.d.world.Channels = append(s.d.world.Channels, c)
	s.d.announce()
	return c
}

// Restrict sets on the server's integrations page who may use a command: a role, a user or a channel, by
// id. An empty command is the whole application; AllChannels is the id for every channel.
func (s *Server) Restrict(command, who string, allow bool) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	target, kind := appID, overrideRole
	for _, c := range s.d.world.Commands {
		if c.Name == command {
			target = c.ID
		}
	}
	switch {
	case s.d.world.userByID(who) != nil:
		kind = overrideUser
	case s.d.world.channel(who) != nil, who == allChannels(s.g.ID):
		kind = overrideChannel
	}
	if s.g.Overrides == nil {
		s.g.Overrides = map[string][]commandOverride{}
	}
	s.g.Overrides[target] = append(s.g.Overrides[target], commandOverride{who, kind, allow})
	s.d.announce()
	return s
}

// AllChannels is the id by which Restrict means every channel.
func (s *Server) AllChannels() string { return allChannels(s.g.ID) }

func allChannels(guildID string) string { return formatID(number(guildID) - 1) }

func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64) // checked before
	return n
}

// SetPublic says whether everyone may invite the bot, or only its owner.
func (d *Discord) SetPublic(public bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.world.App.Restricted = !public
	d.announce()
}

// SetInteractionsURL fills in "Interactions Endpoint URL" in the portal.
func (d *Discord) SetInteractionsURL(address string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.world.App.InteractionsURL = address
	d.announce()
}

// Conversation makes a direct message or, with more than two players, a group without the bot, and gives
// its id for In. Who has the application for themselves can use it there.
func (d *Discord) Conversation(players ...*Player) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &channel{ID: d.newID(), Type: dmChannel}
	if len(players) > 2 {
		c.Type = groupChannel
	}
	for _, p := range players {
		c.People = append(c.People, p.u.ID)
	}
	d.world.Channels = append(d.world.Channels, c)
	d.announce()
	return c.ID
}

func (d *Discord) conversationWire(c *channel, w map[string]any) map[string]any {
	recipients := []User{}
	for _, id := range c.People {
		recipients = append(recipients, d.world.userByID(id).wire())
	}
	w["recipients"] = recipients
	delete(w, "name")
	if c.Type == groupChannel {
		w["name"], w["icon"], w["owner_id"] = nil, nil, c.People[0]
	}
	return w
}

// listed are the channels that a user sees in the list, threads below their channel.
func (d *Discord) listed(u *user) (list []*channel) {
	var add func(parent string)
	add = func(parent string) {
		for _, c := range d.world.Channels {
			below := ""
			if c.Thread != nil {
				below = c.Thread.Parent
			}
			if c.dm() || below != parent || c.archived() || d.world.permissionsIn(u, c)&permViewChannel == 0 {
				continue
			}
			list = append(list, c)
			if c.Thread == nil {
				add(c.ID)
			}
		}
	}
	add("")
	return list
}

// GiveBotRole gives the bot a role in the home server, by id.
func (d *Discord) GiveBotRole(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.world.bot().Roles = append(d.world.bot().Roles, id)
	d.announce()
}

// CommandsFor are the names of the slash commands that a player can pick where they are.
func (d *Discord) CommandsFor(p *Player) (names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.visible(p.u, p.where()) {
		names = append(names, c.Name)
	}
	return names
}
