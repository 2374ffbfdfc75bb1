package discord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Message is the content of a message, drawn with components alone: Discord takes no other content beside
// them, and once a message has them it keeps that kind. It pings those that it names, when it is sent, and
// no others.
type Message struct {
	Components []discordgo.MessageComponent
	PingUsers  []string // IDs of users to ping with their mentions
	PingRoles  []string
}

// NewMessage returns a message within Discord's limits.
func NewMessage(text Markdown, cards []*Card, rows []discordgo.MessageComponent) Message {
	return Message{Components: layout(text, cards, rows)}
}

// newBody is the body of a request that makes a message.
type newBody struct {
	Components      []discordgo.MessageComponent      `json:"components"`
	Flags           discordgo.MessageFlags            `json:"flags"`
	AllowedMentions *discordgo.MessageAllowedMentions `json:"allowed_mentions"`
}

// editBody is the body of a request that replaces a message. One of an earlier version has content and
// embeds, which Discord wants taken away: embeds by an empty list, as null leaves them.
type editBody struct {
	newBody
	Content *string    `json:"content"`
	Embeds  []struct{} `json:"embeds"`
}

func (m Message) send(flags discordgo.MessageFlags) newBody {
	// The list of mentions is never nil: null means everyone.
	mentions := &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}, Users: m.PingUsers,
		Roles: m.PingRoles}
	return newBody{m.Components, flags | discordgo.MessageFlagsIsComponentsV2, mentions}
}

func (m Message) edit() editBody {
	m.PingUsers, m.PingRoles = nil, nil
	return editBody{newBody: m.send(0), Embeds: []struct{}{}}
}

// Response is the first answer to an interaction.
type Response struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// Answer returns the message as the first answer to an interaction.
func (m Message) Answer(flags discordgo.MessageFlags) Response {
	return Response{discordgo.InteractionResponseChannelMessageWithSource, m.send(flags)}
}

// Update returns the message as the first answer to an interaction, in place of the message that it was
// done on.
func (m Message) Update() Response {
	return Response{discordgo.InteractionResponseUpdateMessage, m.edit()}
}

// Defer returns the first answer that announces another. Ephemeral is the only flag that it takes.
func Defer(ephemeral bool) Response {
	r := Response{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource}
	if ephemeral {
		r.Data = map[string]discordgo.MessageFlags{"flags": discordgo.MessageFlagsEphemeral}
	}
	return r
}

// DeferUpdate announces an edit of the message that an interaction was done on.
func DeferUpdate() Response {
	return Response{Type: discordgo.InteractionResponseDeferredMessageUpdate}
}

var errNoID = errors.New("the answer has no id")

// OpenDM returns the DM channel with a user.
func (c *Client) OpenDM(ctx context.Context, userID string) (channelID string, err error) {
	var channel discordgo.Channel
	err = c.do(ctx, request{
		method: "POST", route: "/users/@me/channels", url: discordgo.EndpointUserChannels("@me"),
		body: map[string]string{"recipient_id": userID},
	}, &channel)
	if err == nil && channel.ID == "" {
		err = errNoID
	}
	return channel.ID, err
}

const messagesRoute = "/channels/{channel}/messages"

// SendMessage sends a message once: a repeat with the same nonce returns the first one.
func (c *Client) SendMessage(
	ctx context.Context, channelID string, m Message, nonce string,
) (messageID string, err error) {
	var sent sentMessage
	err = c.do(ctx, request{
		method: "POST", route: messagesRoute, shard: shardOf(channelID),
		url:  discordgo.EndpointChannelMessages(channelID),
		body: sendOnce{m.send(0), nonce, true},
	}, &sent)
	if err == nil && sent.ID == "" {
		err = errNoID
	}
	return sent.ID, err
}

// sentMessage has the fields that are decoded of a message: the library cannot decode every component.
type sentMessage struct {
	ID         string `json:"id"`
	Components any    `json:"components"`
}

// EditMessage replaces the content of a message. Discord refuses edits in an archived thread: it opens the
// thread first, and closes it again where the bot may.
func (c *Client) EditMessage(ctx context.Context, channelID, messageID string, m Message) error {
	err := c.editMessage(ctx, channelID, messageID, m)
	if !HasCode(err, discordgo.ErrCodePerformedOperationOnArchivedThread) {
		return err
	}
	if err := setArchived(ctx, c, channelID, false); err != nil {
		return err
	}
	err = c.editMessage(ctx, channelID, messageID, m)
	_ = setArchived(ctx, c, channelID, true) // another owner's thread stays open until Discord closes it
	return err
}

func (c *Client) editMessage(ctx context.Context, channelID, messageID string, m Message) error {
	return c.do(ctx, request{
		method: "PATCH", route: messagesRoute, shard: shardOf(channelID),
		url:  discordgo.EndpointChannelMessage(channelID, messageID),
		body: m.edit(),
	}, nil)
}

// FindMessage returns the ID of the message that has a component with a custom ID, or with a custom ID that
// continues it, or nothing. It reads the 100 messages after a time or, when that is zero, the last 100 of the
// channel.
func (c *Client) FindMessage(
	ctx context.Context, channelID string, id CustomID, since time.Time,
) (messageID string, err error) {
	query := "?limit=100"
	if !since.IsZero() {
		query += "&after=" + snowflake(since.Add(-clockSkew))
	}
	var recent []sentMessage
	err = c.do(ctx, request{
		method: "GET", route: messagesRoute, shard: shardOf(channelID),
		url: discordgo.EndpointChannelMessages(channelID) + query,
	}, &recent)
	if err != nil {
		return "", err
	}
	for _, m := range recent {
		if m.has(id) {
			return m.ID, nil
		}
	}
	return "", nil
}

// has reports whether a message has a component with a custom ID, or with the same custom ID and more
// arguments.
func (m sentMessage) has(id CustomID) bool {
	return slices.ContainsFunc(collectIDs(nil, m.Components, 0), func(found string) bool {
		return found == id.String() || strings.HasPrefix(found, id.String()+CustomIDSeparator)
	})
}

// clockSkew limits the assumed difference between our clock and Discord's.
const clockSkew = 5 * time.Minute

const epoch = 1420070400000 // of Discord's IDs: 2015, in milliseconds

// snowflake returns the lowest ID that was created at a time.
func snowflake(t time.Time) string {
	return strconv.FormatInt(max(t.UnixMilli()-epoch, 0)<<22, 10)
}

// SentAt returns when a message was sent, by its ID; 2015 for an invalid one.
func SentAt(messageID string) time.Time {
	id, _ := strconv.ParseInt(messageID, 10, 64)
	return time.UnixMilli(id>>22 + epoch)
}

// Respond gives the first answer to an interaction.
func (c *Client) Respond(ctx context.Context, i *Interaction, r Response) error {
	return c.respond(ctx, i, r)
}

// OpenModal answers an interaction with a modal.
func (c *Client) OpenModal(ctx context.Context, i *Interaction, m *Modal) error {
	return c.respond(ctx, i, m.response())
}

// Autocomplete answers with choices for the option that a user types. Those that Discord would not accept
// are left out.
func (c *Client) Autocomplete(
	ctx context.Context, i *Interaction, choices []*discordgo.ApplicationCommandOptionChoice,
) error {
	body := autocomplete{Type: discordgo.InteractionApplicationCommandAutocompleteResult}
	body.Data.Choices = fitChoices(choices)
	return c.respond(ctx, i, body)
}

func (c *Client) respond(ctx context.Context, i *Interaction, body any) error {
	tried := false
	err := Retry(ctx, func(ctx context.Context) error {
		err := c.do(ctx, request{method: "POST", url: discordgo.EndpointInteractionResponse(i.ID, i.Token),
			body: body}, nil)
		if tried && HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
			return nil // the earlier attempt succeeded and its answer was lost
		}
		tried = true
		return err
	})
	if err != nil {
		return fmt.Errorf("answer interaction %s: %w", i.ID, err)
	}
	return nil
}

// EditResponse replaces the first answer, or the message that the interaction was done on.
func (c *Client) EditResponse(ctx context.Context, i *Interaction, m Message) error {
	return c.onWebhook(ctx, i, "PATCH", discordgo.EndpointWebhookMessage(i.AppID, i.Token, "@original"),
		m.edit(), nil)
}

// ResponseID returns the ID of the message that is the first answer.
func (c *Client) ResponseID(ctx context.Context, i *Interaction) (messageID string, err error) {
	var sent sentMessage
	err = c.onWebhook(ctx, i, "GET", discordgo.EndpointWebhookMessage(i.AppID, i.Token, "@original"),
		nil, &sent)
	return sent.ID, err
}

// FollowUp sends another message below the first answer.
func (c *Client) FollowUp(
	ctx context.Context, i *Interaction, m Message, flags discordgo.MessageFlags,
) (messageID string, err error) {
	var sent sentMessage
	err = c.onWebhook(ctx, i, "POST", discordgo.EndpointWebhookToken(i.AppID, i.Token), m.send(flags), &sent)
	return sent.ID, err
}

// DeleteResponse takes the first answer away.
func (c *Client) DeleteResponse(ctx context.Context, i *Interaction) error {
	return c.onWebhook(ctx, i, "DELETE", discordgo.EndpointWebhookMessage(i.AppID, i.Token, "@original"),
		nil, nil)
}

// EditFollowUp replaces a message that FollowUp has sent.
func (c *Client) EditFollowUp(ctx context.Context, i *Interaction, messageID string, m Message) error {
	return c.onWebhook(ctx, i, "PATCH", discordgo.EndpointWebhookMessage(i.AppID, i.Token, messageID),
		m.edit(), nil)
}

func (c *Client) onWebhook(ctx context.Context, i *Interaction, method, url string, body, out any) error {
	err := Retry(ctx, func(ctx context.Context) error {
		return c.do(ctx, request{method: method, url: url, body: body}, out)
	})
	if err != nil {
		return fmt.Errorf("complete the answer to interaction %s: %w", i.ID, err)
	}
	return nil
}
