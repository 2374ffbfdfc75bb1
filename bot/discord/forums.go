package discord

import (
	"context"

	"github.com/bwmarrin/discordgo"
)

// CodeTagRequired is an error code of Discord's that the library does not name.
const CodeTagRequired = 40067

// Tag is a tag for posts of a forum.
type Tag struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ForumTags returns the tags of a forum.
func (c *Client) ForumTags(ctx context.Context, forumID string) ([]Tag, error) {
	var forum struct {
		Tags []Tag `json:"available_tags"`
	}
	err := c.getOnce(ctx, "/channels/{channel}", discordgo.EndpointChannel(forumID), &forum)
	return forum.Tags, err
}

const maxPostName = 100

// CreatePost makes a post of a forum. The post and its first message share an ID. Discord takes no nonce
// here: a repeat makes a second post, so look for the first one with FindPost.
func (c *Client) CreatePost(
	ctx context.Context, forumID, name string, tags []string, m Message,
) (postID string, err error) {
	var made struct {
		ID string `json:"id"`
	}
	err = c.do(ctx, request{
		method: "POST", route: "/channels/{channel}/threads", shard: shardOf(forumID),
		url:  discordgo.EndpointChannelThreads(forumID),
		body: map[string]any{"name": Clip(name, maxPostName), "applied_tags": tags, "message": m.send(0)},
	}, &made)
	if err == nil && made.ID == "" {
		err = errNoID
	}
	return made.ID, err
}

// FindPost returns the open post of a forum that has a component with a custom ID in its first message, or
// nothing.
func (c *Client) FindPost(
	ctx context.Context, guildID, forumID, name string, id CustomID,
) (postID string, err error) {
	var active struct {
		Threads []struct {
			ID       string `json:"id"`
			ParentID string `json:"parent_id"`
			Name     string `json:"name"`
		} `json:"threads"`
	}
	if err := c.getOnce(ctx, "/guilds/{guild}/threads/active", discordgo.EndpointGuildActiveThreads(guildID),
		&active); err != nil {
		return "", err
	}
	for _, t := range active.Threads {
		if t.ParentID != forumID || t.Name != Clip(name, maxPostName) {
			continue
		}
		var first sentMessage
		err := c.do(ctx, request{method: "GET", route: messagesRoute, shard: shardOf(t.ID),
			url: discordgo.EndpointChannelMessage(t.ID, t.ID)}, &first)
		if HasCode(err, discordgo.ErrCodeUnknownMessage) {
			continue
		}
		if err != nil {
			return "", err
		}
		if first.has(id) {
			return t.ID, nil
		}
	}
	return "", nil
}

// SetPost sets the tags of a post, and opens or closes it. A post that is closed is opened first: Discord
// changes no other.
func (c *Client) SetPost(ctx context.Context, postID string, tags []string, closed bool) error {
	set := func(body map[string]any) error {
		return c.do(ctx, request{
			method: "PATCH", route: "/channels/{channel}", shard: shardOf(postID),
			url: discordgo.EndpointChannel(postID), body: body,
		}, nil)
	}
	err := set(map[string]any{"applied_tags": tags, "archived": closed})
	if HasCode(err, discordgo.ErrCodePerformedOperationOnArchivedThread) {
		if err = set(map[string]any{"archived": false}); err == nil {
			err = set(map[string]any{"applied_tags": tags, "archived": closed})
		}
	}
	return err
}
