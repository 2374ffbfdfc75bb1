package discord

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"
)

// MaxRoles limits the roles of a server, everyone's included.
const MaxRoles = 250

// CodeMaxRoles is an error code of Discord's that the library does not name.
const CodeMaxRoles = 30005

const maxRoleName = 100

// Role is a role of a server.
type Role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions string `json:"permissions"`
	Position    int    `json:"position"`
	Managed     bool   `json:"managed"` // it belongs to a bot or an integration
	Mentionable bool   `json:"mentionable"`
}

// above reports whether a role is above another one: of two with the same position the older one is.
func (r Role) above(other Role) bool {
	if r.Position != other.Position {
		return r.Position > other.Position
	}
	return number(r.ID) < number(other.ID)
}

// Harmless reports whether a role gives no permission and belongs to no integration.
func (r Role) Harmless() bool { return !r.Managed && bits(r.Permissions) == 0 }

// MadeSince reports whether a role was made after a time, as far as its clock and ours agree.
func (r Role) MadeSince(t time.Time) bool {
	return number(r.ID) >= number(snowflake(t.Add(-clockSkew)))
}

// ServerRoles has the roles of a server, and the bot's permissions for them.
type ServerRoles struct {
	Roles       []Role
	Manages     bool // the bot may make, give, take and delete those below its own
	MentionsAll bool // the bot may mention those that are not mentionable
	top         Role // the bot's highest
}

// powers are the permissions that a role must not give which the bot gives by itself.
const powers = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild |
	discordgo.PermissionManageRoles | discordgo.PermissionManageChannels |
	discordgo.PermissionManageMessages | discordgo.PermissionManageThreads |
	discordgo.PermissionManageWebhooks | discordgo.PermissionManageNicknames |
	discordgo.PermissionManageGuildExpressions |
	discordgo.PermissionManageEvents | discordgo.PermissionKickMembers | discordgo.PermissionBanMembers |
	discordgo.PermissionModerateMembers | discordgo.PermissionMentionEveryone |
	discordgo.PermissionViewAuditLogs

// Powerful reports whether a role lets its members manage the server or others, or belongs to an integration.
func (r Role) Powerful() bool { return r.Managed || bits(r.Permissions)&powers != 0 }

// Find returns a role by its ID.
func (s ServerRoles) Find(id string) (Role, bool) {
	i := slices.IndexFunc(s.Roles, func(r Role) bool { return r.ID == id })
	if i < 0 {
		return Role{}, false
	}
	return s.Roles[i], true
}

// Below reports whether a role is below the bot's highest, so that the bot can give it.
func (s ServerRoles) Below(r Role) bool { return s.top.ID != "" && s.top.above(r) }

// MayGive reports whether Discord lets a member with permissions and roles of their own give a role.
func (s ServerRoles) MayGive(permissions int64, own []string, r Role) bool {
	if HasPermissions(permissions, discordgo.PermissionAdministrator) {
		return true
	}
	return HasPermissions(permissions, discordgo.PermissionManageRoles) &&
		slices.ContainsFunc(s.Roles, func(other Role) bool {
			return slices.Contains(own, other.ID) && other.above(r)
		})
}

// ServerRoles asks for the roles of a server.
func (c *Client) ServerRoles(ctx context.Context, guildID string) (ServerRoles, error) {
	me, err := c.ownID(ctx)
	if err != nil {
		return ServerRoles{}, err
	}
	var found ServerRoles
	if err := c.getOnce(ctx, "/guilds/{guild}/roles", discordgo.EndpointGuildRoles(guildID),
		&found.Roles); err != nil {
		return ServerRoles{}, err
	}
	var member struct {
		Roles []string `json:"roles"`
	}
	if err := c.getOnce(ctx, "/guilds/{guild}/members/{user}", discordgo.EndpointGuildMember(guildID, me),
		&member); err != nil {
		return ServerRoles{}, err
	}
	var permissions int64
	for _, r := range found.Roles {
		own := slices.Contains(member.Roles, r.ID)
		if own || r.ID == guildID { // everyone's role has the server's ID
			permissions |= bits(r.Permissions)
		}
		if own && (found.top.ID == "" || r.above(found.top)) {
			found.top = r
		}
	}
	found.Manages = HasPermissions(permissions, discordgo.PermissionManageRoles)
	found.MentionsAll = HasPermissions(permissions, discordgo.PermissionMentionEveryone)
	return found, nil
}

// ownID returns the ID of the bot's account. It equals the application's ID, except for very old
// applications.
func (c *Client) ownID(ctx context.Context) (string, error) {
	c.mu.Lock()
	id := c.own
	c.mu.Unlock()
	if id != "" {
		return id, nil
	}
	var me struct {
		ID string `json:"id"`
	}
	if err := c.getOnce(ctx, "/users/@me", discordgo.EndpointUser("@me"), &me); err != nil {
		return "", err
	}
	c.mu.Lock()
	c.own = me.ID
	c.mu.Unlock()
	return me.ID, nil
}

// RolesOfChannels returns the IDs of the roles for which channels of a server have permissions of their own.
func (c *Client) RolesOfChannels(ctx context.Context, guildID string) (map[string]bool, error) {
	var channels []guildChannel
	if err := c.getOnce(ctx, "/guilds/{guild}/channels", discordgo.EndpointGuildChannels(guildID),
		&channels); err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, channel := range channels {
		for _, o := range channel.PermissionOverwrites {
			ids[o.ID] = true
		}
	}
	return ids, nil
}

// CreateRole makes a role that gives no permission, is not shown apart, and can be mentioned. Discord takes
// no nonce here: a repeat makes a second role, so look for the first one by its name and Role.MadeSince.
func (c *Client) CreateRole(ctx context.Context, guildID, name string) (roleID string, err error) {
	var made Role
	err = c.do(ctx, request{
		method: "POST", route: "/guilds/{guild}/roles", shard: shardOf(guildID),
		url: discordgo.EndpointGuildRoles(guildID),
		body: map[string]any{"name": Clip(name, maxRoleName), "permissions": "0", "hoist": false,
			"mentionable": true},
	}, &made)
	if err == nil && made.ID == "" {
		err = errNoID
	}
	return made.ID, err
}

// DeleteRole deletes a role. It returns no error if the role is gone.
func (c *Client) DeleteRole(ctx context.Context, guildID, roleID string) error {
	err := c.do(ctx, request{
		method: "DELETE", route: "/guilds/{guild}/roles/{role}", shard: shardOf(guildID),
		url: discordgo.EndpointGuildRole(guildID, roleID),
	}, nil)
	if HasCode(err, discordgo.ErrCodeUnknownRole) {
		return nil
	}
	return err
}

// SetRole gives a member of a server a role, or takes it. It makes no difference where that is so already.
// The server's audit log shows the reason; it may be empty.
func (c *Client) SetRole(
	ctx context.Context, guildID, userID, roleID string, has bool, reason string,
) error {
	method := "PUT"
	if !has {
		method = "DELETE"
	}
	return c.do(ctx, request{
		method: method, route: "/guilds/{guild}/members/{user}/roles/{role}", shard: shardOf(guildID),
		url: discordgo.EndpointGuildMemberRole(guildID, userID, roleID), reason: reason,
	}, nil)
}

// IsNoMember reports whether an error says that a user is not in a server.
func IsNoMember(err error) bool {
	return HasCode(err, discordgo.ErrCodeUnknownMember, discordgo.ErrCodeUnknownUser)
}

// DeleteMessage deletes a message of the bot. It returns no error if the message is gone.
func (c *Client) DeleteMessage(ctx context.Context, channelID, messageID string) error {
	err := c.do(ctx, request{
		method: "DELETE", route: messagesRoute, shard: shardOf(channelID),
		url: discordgo.EndpointChannelMessage(channelID, messageID),
	}, nil)
	if HasCode(err, discordgo.ErrCodeUnknownMessage, discordgo.ErrCodeUnknownChannel) {
		return nil
	}
	return err
}

func number(id string) uint64 {
	n, _ := strconv.ParseUint(id, 10, 64) // Discord sends numbers
	return n
}
