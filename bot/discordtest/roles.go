package discordtest

import (
	"encoding/json"
	"slices"
	"strings"
)

// role is a role of a guild besides everyone's.
type role struct {
	ID, Name    string
	Permissions uint64
	Mentionable bool
	Hoist       bool
	Managed     bool // it belongs to the bot: it was made by the invitation
}

// maxRoles is how many roles a guild has at most, everyone's included.
const maxRoles = 250

// addRole makes a role at the bottom of the list, above everyone's.
func (d *Discord) addRole(g *guild, r *role) *role {
	r.ID = d.newID()
	g.Roles = slices.Insert(g.Roles, 0, r)
	d.roleEvent("GUILD_ROLE_CREATE", g, r)
	d.announce()
	return r
}

func (d *Discord) removeRole(g *guild, r *role) {
	g.Roles = slices.DeleteFunc(g.Roles, func(other *role) bool { return other == r })
	for _, u := range d.world.Users {
		if m := d.world.member(u, g.ID); m != nil {
			m.Roles = slices.DeleteFunc(slices.Clone(m.Roles), func(id string) bool { return id == r.ID })
		}
	}
	for _, c := range d.world.Channels {
		c.clear(r.ID)
	}
	d.gateway.dispatch("GUILD_ROLE_DELETE", intentGuilds, map[string]any{"guild_id": g.ID, "role_id": r.ID})
	d.announce()
}

func (d *Discord) roleEvent(name string, g *guild, r *role) {
	d.gateway.dispatch(name, intentGuilds,
		map[string]any{"guild_id": g.ID, "role": r.wire(slices.Index(g.Roles, r) + 1)})
}

// role is one of the guild's by id, nil when there is none.
func (g *guild) role(id string) *role {
	for _, r := range g.Roles {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// setBot gives the bot's own role in a guild these permissions, and makes that role where it is missing.
func (d *Discord) setBot(g *guild, permissions uint64) {
	bot := d.world.bot()
	m := d.world.member(bot, g.ID)
	if m == nil {
		return
	}
	m.Permissions = permissions
	i := slices.IndexFunc(g.Roles, func(r *role) bool { return r.Managed })
	if i < 0 {
		r := &role{ID: botRoleID, Name: bot.Username, Managed: true}
		if g != d.world.home() {
			r.ID = d.newID()
		}
		g.Roles = slices.Insert(g.Roles, 0, r)
		i = 0
	}
	g.Roles[i].Permissions = permissions
	if !slices.Contains(m.Roles, g.Roles[i].ID) {
		m.Roles = append(m.Roles, g.Roles[i].ID)
	}
	d.announce()
}

// topOf is the place in the list of a guild's roles of the highest one that a user has, -1 for none.
func (w *world) topOf(u *user, g *guild) int {
	m, top := w.member(u, g.ID), -1
	for i, r := range g.Roles {
		if m != nil && slices.Contains(m.Roles, r.ID) {
			top = i
		}
	}
	return top
}

func (r *role) wire(position int) map[string]any {
	w := map[string]any{
		"id": r.ID, "name": r.Name, "permissions": bits(r.Permissions), "position": position, "color": 0,
		"colors": map[string]any{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil},
		"hoist":  r.Hoist, "managed": r.Managed, "mentionable": r.Mentionable, "icon": nil,
		"unicode_emoji": nil, "flags": 0,
	}
	if r.Managed {
		w["tags"] = map[string]any{"bot_id": appID}
	}
	return w
}

// rolesWire are everyone's role, which has the guild's id, and the others.
func (g *guild) rolesWire() []any {
	list := []any{(&role{ID: g.ID, Name: "@everyone", Permissions: permMember}).wire(0)}
	for i, r := range g.Roles {
		list = append(list, r.wire(i+1))
	}
	return list
}

// managesRoles is the guild of the path, if the bot may manage its roles.
func (c *call) managesRoles() (*guild, *Error) {
	g, apiErr := c.guild()
	if apiErr == nil && c.world.permissionsOf(c.world.bot(), g)&permManageRoles == 0 {
		apiErr = refuse(50013)
	}
	return g, apiErr
}

func (c *call) createRole() (any, *Error) {
	g, apiErr := c.managesRoles()
	if apiErr != nil {
		return nil, apiErr
	}
	var req struct {
		Name        string          `json:"name"`
		Permissions json.RawMessage `json:"permissions"` // a string or a number
		Mentionable bool            `json:"mentionable"`
		Hoist       bool            `json:"hoist"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	// as everyone's, when left out
	r := &role{Name: req.Name, Permissions: permMember, Mentionable: req.Mentionable, Hoist: req.Hoist}
	if req.Name == "" {
		r.Name = "new role"
	}
	if len(req.Permissions) > 0 && string(req.Permissions) != "null" {
		r.Permissions = number(strings.Trim(string(req.Permissions), `"`))
	}
	switch {
	case length(r.Name) > 100:
		return nil, badForm(Problem{[]string{"name"}, "BASE_TYPE_MAX_LENGTH",
			"Must be 100 or fewer in length."})
	case r.Permissions&^c.world.permissionsOf(c.world.bot(), g) != 0: // nobody gives what they do not have
		return nil, refuse(50013)
	case len(g.Roles)+1 >= maxRoles:
		return nil, refuse(30005)
	}
	return c.addRole(g, r).wire(1), nil
}

// roleInPath is a role that the bot manages: one below its own highest, which no integration manages.
func (c *call) roleInPath() (*guild, *role, *Error) {
	g, apiErr := c.managesRoles()
	if apiErr != nil {
		return nil, nil, apiErr
	}
	r := g.role(c.params["role_id"])
	switch {
	case r == nil:
		return nil, nil, refuse(10011)
	case r.Managed, slices.Index(g.Roles, r) >= c.world.topOf(c.world.bot(), g):
		return nil, nil, refuse(50013)
	}
	return g, r, nil
}

func (c *call) deleteRole() (any, *Error) {
	g, r, apiErr := c.roleInPath()
	if apiErr != nil {
		return nil, apiErr
	}
	c.removeRole(g, r)
	return nil, nil
}

func (c *call) giveRole() (any, *Error) {
	m, r, apiErr := c.memberAndRole()
	if apiErr == nil && !slices.Contains(m.Roles, r.ID) {
		m.Roles = append(m.Roles, r.ID)
	}
	return nil, apiErr
}

func (c *call) takeRole() (any, *Error) {
	m, r, apiErr := c.memberAndRole()
	if apiErr == nil {
		m.Roles = slices.DeleteFunc(slices.Clone(m.Roles), func(id string) bool { return id == r.ID })
	}
	return nil, apiErr
}

func (c *call) memberAndRole() (*membership, *role, *Error) {
	g, r, apiErr := c.roleInPath()
	if apiErr != nil {
		return nil, nil, apiErr
	}
	u := c.world.userByID(c.params["user_id"])
	if u == nil || c.world.member(u, g.ID) == nil {
		return nil, nil, refuse(10007)
	}
	return c.world.member(u, g.ID), r, nil
}

// Role is a role of a server, as its owner sees it.
type Role struct {
	ID, Name           string
	Permissions        uint64
	Mentionable, Hoist bool
	Members            []string // usernames, of those who have it
	Pings              int      // of messages that have pinged it
}

// Roles are the server's, the lowest first, without everyone's and the bot's own.
func (s *Server) Roles() (list []Role) {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	for _, r := range s.g.Roles {
		if r.Managed {
			continue
		}
		shown := Role{ID: r.ID, Name: r.Name, Permissions: r.Permissions, Mentionable: r.Mentionable,
			Hoist: r.Hoist}
		for _, u := range s.d.world.Users {
			if m := s.d.world.member(u, s.g.ID); m != nil && slices.Contains(m.Roles, r.ID) {
				shown.Members = append(shown.Members, u.Username)
			}
		}
		for _, m := range s.d.world.Messages {
			if slices.Contains(m.Rang, r.ID) {
				shown.Pings++
			}
		}
		list = append(list, shown)
	}
	return list
}

// AddRole makes a role and gives its id.
func (s *Server) AddRole(name string, permissions uint64) string {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	return s.d.addRole(s.g, &role{Name: name, Permissions: permissions}).ID
}

// RaiseRole puts a role at the top of the list, above the bot's.
func (s *Server) RaiseRole(id string) *Server {
	return s.onRole(id, func(r *role) {
		s.g.Roles = append(slices.DeleteFunc(s.g.Roles, func(other *role) bool { return other == r }), r)
	})
}

// LowerRole puts a role at the bottom of the list.
func (s *Server) LowerRole(id string) *Server {
	return s.onRole(id, func(r *role) {
		s.g.Roles = slices.Insert(slices.DeleteFunc(s.g.Roles,
			func(other *role) bool { return other == r }), 0, r)
	})
}

// SetMentionable says whether every member may ping a role.
func (s *Server) SetMentionable(id string, mentionable bool) *Server {
	return s.onRole(id, func(r *role) { r.Mentionable = mentionable })
}

// DeleteRole deletes a role by hand.
func (s *Server) DeleteRole(id string) *Server {
	return s.onRole(id, func(r *role) { s.d.removeRole(s.g, r) })
}

func (s *Server) onRole(id string, change func(*role)) *Server {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if r := s.g.role(id); r != nil {
		change(r)
		if s.g.role(id) != nil {
			s.d.roleEvent("GUILD_ROLE_UPDATE", s.g, r)
		}
	}
	s.d.announce()
	return s
}
