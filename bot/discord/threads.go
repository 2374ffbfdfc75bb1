package discord

import (
	"context"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"
)

// archivedAfter is after how many minutes without a message Discord archives a thread by itself: a week is
// the most.
const archivedAfter = 7 * 24 * 60

// CreatePrivateThread makes a private thread in a channel, to which only moderators can add people. Discord
// takes no nonce here: a repeat makes a second one, so look for the first one with FindPrivateThread.
func (c *Client) CreatePrivateThread(
	ctx context.Context, channelID, name string,
) (threadID string, err error) {
	var made struct {
		ID string `json:"id"`
	}
	err = c.do(ctx, request{
		method: "POST", route: "/channels/{channel}/threads", shard: shardOf(channelID),
		url: discordgo.EndpointChannelThreads(channelID),
		body: map[string]any{
			"name": Clip(name, maxPostName), "type": discordgo.ChannelTypeGuildPrivateThread,
			"invitable":             false,
			"auto_archive_duration": archivedAfter,
		},
	}, &made)
	if err == nil && made.ID == "" {
		err = errNoID
	}
	return made.ID, err
}

// FindPrivateThread returns the private thread of a name that the bot has made in a channel since a time,
// or nothing.
func (c *Client) FindPrivateThread(
	ctx context.Context, guildID, channelID, name string, since time.Time,
) (threadID string, err error) {
	var active struct {
		Threads []struct {
			ID       string                `json:"id"`
			ParentID string                `json:"parent_id"`
			Name     string                `json:"name"`
			Type     discordgo.ChannelType `json:"type"`
			Made     struct {
				At time.Time `json:"create_timestamp"`
			} `json:"thread_metadata"`
		} `json:"threads"`
	}
	if err := c.getOnce(ctx, "/guilds/{guild}/threads/active", discordgo.EndpointGuildActiveThreads(guildID),
		&active); err != nil {
		return "", err
	}
	for _, t := range active.Threads {
		if t.ParentID == channelID && t.Name == Clip(name, maxPostName) &&
			t.Type == discordgo.ChannelTypeGuildPrivateThread &&
			t.Made.At.After(since.Add(-clockSkew)) {
			return t.ID, nil
		}
	}
	return "", nil
}

// TakesPrivateThreads reports whether a channel is of the kind that has private threads.
func (c *Client) TakesPrivateThreads(ctx context.Context, channelID string) (bool, error) {
	channel, err := channelOf(ctx, c, channelID)
	return channel.Type == discordgo.ChannelTypeGuildText, err
}

// AddToThread adds a member of the server to a thread. It changes nothing for a member who is already there.
func (c *Client) AddToThread(ctx context.Context, threadID, userID string) error {
	return c.do(ctx, request{
		method: "PUT", route: "/channels/{channel}/thread-members/{user}", shard: shardOf(threadID),
		url: discordgo.EndpointThreadMember(threadID, userID),
	}, nil)
}

// IsInThread reports whether a user is in a thread.
func (c *Client) IsInThread(ctx context.Context, threadID, userID string) (bool, error) {
	err := c.getOnce(ctx, "/channels/{channel}/thread-members/{user}",
		discordgo.EndpointThreadMember(threadID, userID), nil)
	if HasCode(err, discordgo.ErrCodeUnknownMember, discordgo.ErrCodeUnknownUser) {
		return false, nil
	}
	return err == nil, err
}

// IsMember reports whether a user is a member of a server.
func (c *Client) IsMember(ctx context.Context, guildID, userID string) (bool, error) {
	err := c.getOnce(ctx, "/guilds/{guild}/members/{user}",
		discordgo.EndpointGuildMember(guildID, userID), nil)
	if HasCode(err, discordgo.ErrCodeUnknownMember, discordgo.ErrCodeUnknownUser,
		discordgo.ErrCodeUnknownGuild, discordgo.ErrCodeMissingAccess) {
		return false, nil
	}
	return err == nil, err
}

// ArchiveThread archives a thread.
func (c *Client) ArchiveThread(ctx context.Context, threadID string) error {
	return setArchived(ctx, c, threadID, true)
}

// IsRefusal reports whether Discord has decided against a request, so that trying it again would not help.
func IsRefusal(err error) bool {
	var failed *discordgo.RESTError
	return errors.As(err, &failed) && failed.Message != nil && failed.Response.StatusCode < 500 &&
		RetryAfter(err) == 0
}

// IsInvalid reports whether Discord does not take what was sent, by any bot at any time.
func IsInvalid(err error) bool {
	var failed *discordgo.RESTError
	return errors.As(err, &failed) && failed.Message != nil &&
		failed.Message.Code == discordgo.ErrCodeInvalidFormBody
}
