package discordtest

import "slices"

// role is a role of a guild besides everyone's.
type role struct {
	ID, Name    string
	Permissions uint64
	Mentionable bool
	Managed     bool
}

func (d *Discord) addRole(g *guild, name string, permissions uint64) *role {
	r := &role{ID: d.newID(), Name: name, Permissions: permissions}
	g.Roles = append(g.Roles, r)
	d.announce()
	return r
}

func (r *role) wire(position int) map[string]any {
	return map[string]any{
		"id": r.ID, "name": r.Name, "permissions": bits(r.Permissions), "position": position, "color": 0,
		"colors": map[string]any{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil},
		"hoist":  false, "managed": r.Managed, "mentionable": r.Mentionable, "icon": nil, "unicode_emoji": nil, "flags": 0,
	}
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
		Name        string `json:"name"`
		Permissions any    `json:"permissions"`
		Mentionable bool   `json:"mentionable"`
	}
	if apiErr := c.decode(&req); apiErr != nil {
		return nil, apiErr
	}
	if req.Name == "" {
		req.Name = "new role"
	}
	r := c.addRole(g, req.Name, 0)
	r.Mentionable = req.Mentionable
	return r.wire(len(g.Roles)), nil
}

// roleInPath is a role that the bot manages.
func (c *call) roleInPath() (*guild, *role, *Error) {
	g, apiErr := c.managesRoles()
	if apiErr != nil {
		return nil, nil, apiErr
	}
	i := slices.IndexFunc(g.Roles, func(r *role) bool { return r.ID == c.params["role_id"] })
	switch {
	case i < 0:
		return nil, nil, refuse(10011)
	case g.Roles[i].Managed:
		return nil, nil, refuse(50013)
	}
	return g, g.Roles[i], nil
}

func (c *call) deleteRole() (any, *Error) {
	g, r, apiErr := c.roleInPath()
	if apiErr != nil {
		return nil, apiErr
	}
	g.Roles = slices.DeleteFunc(g.Roles, func(other *role) bool { return other == r })
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
