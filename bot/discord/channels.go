package discord

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"
)

// guildChannel has the fields that are decoded of a channel.
type guildChannel struct {
	Type                 discordgo.ChannelType `json:"type"`
	ParentID             string                `json:"parent_id"`
	PermissionOverwrites []struct {
		ID    string `json:"id"`
		Allow string `json:"allow"`
		Deny  string `json:"deny"`
	} `json:"permission_overwrites"`
}

// ReadByEveryone reports whether every member of a server can read a channel of it.
func (c *Client) ReadByEveryone(ctx context.Context, guildID, channelID string) (bool, error) {
	channel, err := channelOf(ctx, c, channelID)
	if err != nil {
		return false, err
	}
	switch channel.Type {
	case discordgo.ChannelTypeGuildPrivateThread:
		return false, nil
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread: // as its channel
		if channel, err = channelOf(ctx, c, channel.ParentID); err != nil {
			return false, err
		}
	}
	for _, o := range channel.PermissionOverwrites {
		if o.ID != guildID { // everyone's overwrite has the guild's ID
			continue
		}
		if bits(o.Allow)&discordgo.PermissionViewChannel != 0 {
			return true, nil
		}
		if bits(o.Deny)&discordgo.PermissionViewChannel != 0 {
			return false, nil
		}
	}
	var roles []struct {
		ID          string `json:"id"`
		Permissions string `json:"permissions"`
	}
	if err := c.getOnce(ctx, "/guilds/{guild}/roles", discordgo.EndpointGuildRoles(guildID),
		&roles); err != nil {
		return false, err
	}
	for _, r := range roles {
		if r.ID == guildID { // everyone's role has the server's ID
			return HasPermissions(bits(r.Permissions), discordgo.PermissionViewChannel), nil
		}
	}
	return false, nil
}

func channelOf(ctx context.Context, c *Client, id string) (found guildChannel, err error) {
	err = c.getOnce(ctx, "/channels/{channel}", discordgo.EndpointChannel(id), &found)
	return found, err
}

// IsThread reports whether a channel is a thread, or a post of a forum.
func (c *Client) IsThread(ctx context.Context, channelID string) (bool, error) {
	channel, err := channelOf(ctx, c, channelID)
	switch channel.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread,
		discordgo.ChannelTypeGuildPrivateThread:
		return true, err
	}
	return false, err
}

// MemberRoles returns the roles of a member of a server; none for a user who is no member of it, and where
// the bot is not in it.
func (c *Client) MemberRoles(ctx context.Context, guildID, userID string) ([]string, error) {
	var member struct {
		Roles []string `json:"roles"`
	}
	err := c.getOnce(ctx, "/guilds/{guild}/members/{user}", discordgo.EndpointGuildMember(guildID, userID),
		&member)
	if HasCode(err, discordgo.ErrCodeUnknownMember, discordgo.ErrCodeUnknownUser,
		discordgo.ErrCodeUnknownGuild, discordgo.ErrCodeMissingAccess) {
		return []string{}, nil
	}
	return member.Roles, err
}

// MemberOfAny reports whether a user is a member of one of some servers. It fails where Discord does not
// say so of one, as of a server that the bot is not in, unless the user is a member of another.
func (c *Client) MemberOfAny(ctx context.Context, guildIDs []string, userID string) (bool, error) {
	var failed error
	for _, id := range guildIDs {
		err := c.getOnce(ctx, "/guilds/{guild}/members/{user}",
			discordgo.EndpointGuildMember(id, userID), nil)
		if err == nil {
			return true, nil
		}
		if !HasCode(err, discordgo.ErrCodeUnknownMember, discordgo.ErrCodeUnknownUser) {
			failed = fmt.Errorf("member of server %s: %w", id, err)
		}
	}
	return false, failed
}

// serversAsked is in how many servers RolesInServers asks for a user.
const serversAsked = 10

// RolesInServers returns the roles that a user has in the servers of the bot: it asks in the first
// serversAsked of them.
func (c *Client) RolesInServers(ctx context.Context, userID string) ([]string, error) {
	var servers []struct {
		ID string `json:"id"`
	}
	if err := c.getOnce(ctx, "/users/@me/guilds", discordgo.EndpointUserGuilds("@me"), &servers); err != nil {
		return nil, err
	}
	roles := []string{}
	for _, s := range servers[:min(len(servers), serversAsked)] {
		own, err := c.MemberRoles(ctx, s.ID, userID)
		if err != nil {
			return nil, err
		}
		roles = append(roles, own...)
	}
	return roles, nil
}

// ServerName returns the name of a server.
func ServerName(ctx context.Context, c *Client, guildID string) (string, error) {
	var server struct {
		Name string `json:"name"`
	}
	err := c.getOnce(ctx, "/guilds/{guild}", discordgo.EndpointGuild(guildID), &server)
	return server.Name, err
}

// IsInServer reports whether the bot is in a server.
func (c *Client) IsInServer(ctx context.Context, guildID string) (bool, error) {
	err := c.getOnce(ctx, "/guilds/{guild}", discordgo.EndpointGuild(guildID), nil)
	if HasCode(err, discordgo.ErrCodeUnknownGuild, discordgo.ErrCodeMissingAccess) {
		return false, nil
	}
	return true, err
}

// setArchived opens or closes a thread.
func setArchived(ctx context.Context, c *Client, threadID string, archived bool) error {
	return c.do(ctx, request{
		method: "PATCH", route: "/channels/{channel}", shard: shardOf(threadID),
		url:  discordgo.EndpointChannel(threadID),
		body: map[string]bool{"archived": archived},
	}, nil)
}

// getOnce asks without repeating: a user waits for the answer.
func (c *Client) getOnce(ctx context.Context, route, url string, out any) error {
	return c.do(ctx, request{method: "GET", route: route, url: url}, out)
}

func bits(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // Discord sends numbers
	return n
}
