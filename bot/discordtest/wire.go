package discordtest

import (
	"encoding/json"
	"strconv"
	"time"
)

// The shapes in this file are Discord's own: what they marshal to is what goes over the wire.

// User is a Discord account as others see it.
type User struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	GlobalName    *string `json:"global_name"`
	Discriminator string  `json:"discriminator"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`
	PublicFlags   int     `json:"public_flags"`
	Flags         int     `json:"flags"`
	PrimaryGuild  *string `json:"primary_guild"` // always null here
}

func (u *user) wire() User {
	w := User{ID: u.ID, Username: u.Username, Discriminator: "0", Bot: u.Bot}
	if u.GlobalName != "" {
		w.GlobalName = &u.GlobalName
	}
	if u.Bot {
		w.Discriminator = "4821" // applications still carry one
	}
	return w
}

// self is the account as it sees itself; an address only where the scope grants it.
func (u *user) self(withEmail bool) map[string]any {
	w := u.wire()
	self := map[string]any{
		"id": w.ID, "username": w.Username, "global_name": w.GlobalName, "discriminator": w.Discriminator,
		"avatar": nil, "banner": nil, "accent_color": nil, "avatar_decoration_data": nil, "collectibles": nil,
		"primary_guild": nil,
		"public_flags":  0, "flags": 0, "mfa_enabled": false, "locale": u.Locale, "premium_type": 0,
	}
	if u.Bot {
		self["bot"] = true
		self["verified"] = true
		self["email"] = nil
	}
	if withEmail {
		self["verified"] = u.Verified
		self["email"] = nil
		if u.Email != "" {
			self["email"] = u.Email
		}
	}
	return self
}

// Member is a user in the guild.
type Member struct {
	User                       User     `json:"user"`
	Nick                       *string  `json:"nick"`
	Avatar                     *string  `json:"avatar"`
	Banner                     *string  `json:"banner"`
	Roles                      []string `json:"roles"`
	JoinedAt                   string   `json:"joined_at"`
	PremiumSince               *string  `json:"premium_since"`
	CommunicationDisabledUntil *string  `json:"communication_disabled_until"`
	Flags                      int      `json:"flags"`
	Pending                    bool     `json:"pending"`
	Mute                       bool     `json:"mute"`
	Deaf                       bool     `json:"deaf"`
	// Permissions is sent with interactions only.
	Permissions string `json:"permissions,omitempty"`
}

func (u *user) member(in *membership) Member {
	m := Member{User: u.wire(), Roles: append([]string{}, in.Roles...), JoinedAt: stamp(in.Joined)}
	if in.Nick != "" {
		m.Nick = &in.Nick
	}
	return m
}

func bits(p uint64) string { return strconv.FormatUint(p, 10) }

// wire is a channel as the REST interface shows it.
func (d *Discord) channelWire(c *channel) map[string]any {
	w := map[string]any{"id": c.ID, "flags": 0, "last_message_id": nil}
	if c.Last != "" {
		w["last_message_id"] = c.Last
	}
	if c.dm() {
		w["type"] = 1
		w["recipients"] = []User{d.world.userByID(c.Recipient).wire()}
		return w
	}
	w["type"], w["name"] = c.Type, c.Name
	if c.elsewhere() {
		return d.conversationWire(c, w)
	}
	w["guild_id"] = c.GuildID
	if c.Thread != nil {
		return d.threadWire(c, w)
	}
	w["topic"] = c.Topic
	w["parent_id"] = nil
	w["nsfw"] = false
	w["rate_limit_per_user"] = 0
	overwrites := []any{}
	for _, o := range c.Overwrites {
		overwrites = append(overwrites, map[string]any{"id": o.ID, "type": o.Type, "allow": bits(o.Allow),
			"deny": bits(o.Deny)})
	}
	w["permission_overwrites"] = overwrites
	if c.Type == forumChannel {
		c.forumWire(w)
	}
	for i, other := range d.world.Channels {
		if other == c {
			w["position"] = i
		}
	}
	return w
}

// Message is a message as Discord sends it.
type Message struct {
	ID              string            `json:"id"`
	ChannelID       string            `json:"channel_id"`
	Type            int               `json:"type"`
	Author          User              `json:"author"`
	Content         string            `json:"content"`
	Timestamp       string            `json:"timestamp"`
	EditedTimestamp *string           `json:"edited_timestamp"`
	Flags           int               `json:"flags"`
	Embeds          []Embed           `json:"embeds"`
	Components      []Component       `json:"components"`
	Attachments     []json.RawMessage `json:"attachments"`
	Mentions        []User            `json:"mentions"`
	MentionRoles    []string          `json:"mention_roles"`
	MentionEveryone bool              `json:"mention_everyone"`
	Pinned          bool              `json:"pinned"`
	TTS             bool              `json:"tts"`
	Nonce           any               `json:"nonce,omitempty"`
	WebhookID       string            `json:"webhook_id,omitempty"`
	ApplicationID   string            `json:"application_id,omitempty"`

	Interaction       *Metadata  `json:"interaction_metadata,omitempty"`
	Reference         *Reference `json:"message_reference,omitempty"`
	ReferencedMessage *Message   `json:"referenced_message,omitempty"`
}

// Metadata says which interaction a message answers.
type Metadata struct {
	ID                string            `json:"id"`
	Type              int               `json:"type"`
	User              User              `json:"user"`
	Owners            map[string]string `json:"authorizing_integration_owners"`
	OriginalID        string            `json:"original_response_message_id,omitempty"`
	InteractedMessage string            `json:"interacted_message_id,omitempty"`
	Trigger           *Metadata         `json:"triggering_interaction_metadata,omitempty"`
}

// Reference points at the message that another one replies to.
type Reference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id,omitempty"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
}

// Embed is a card in a message.
type Embed struct {
	Type        string       `json:"type,omitempty"`
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	URL         string       `json:"url,omitempty"`
	Color       *int         `json:"color,omitempty"`
	Timestamp   string       `json:"timestamp,omitempty"`
	Author      *EmbedAuthor `json:"author,omitempty"`
	Footer      *EmbedFooter `json:"footer,omitempty"`
	Image       *EmbedImage  `json:"image,omitempty"`
	Thumbnail   *EmbedImage  `json:"thumbnail,omitempty"`
	Fields      []EmbedField `json:"fields,omitempty"`
}

// EmbedAuthor is the line above the title.
type EmbedAuthor struct {
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedFooter is the small line below.
type EmbedFooter struct {
	Text    string `json:"text"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedImage is a picture by address.
type EmbedImage struct {
	URL string `json:"url"`
}

// EmbedField is a name and a value; inline ones are side by side.
type EmbedField struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Inline bool   `json:"inline"`
}

// message is a message as the stand-in keeps it.
type message struct {
	Message
	// Reader is the only person who sees an ephemeral message; empty for all others.
	Reader  string `json:"Reader,omitempty"`
	Deleted bool   `json:"Deleted,omitempty"`
	// Token is of the interaction that the message answers.
	Token    string `json:"Token,omitempty"`
	Used     string `json:"Used,omitempty"`     // the command that it answers, such as "/request post"
	Revision int    `json:"Revision,omitempty"` // counts the edits
	// Rang are the roles that it pinged when it was sent.
	Rang    []string `json:"Rang,omitempty"`
	Created time.Time
	in      *channel // the forum of a post that is being made; nil for every other message
}

// Message flags.
const (
	flagCrossposted           = 1 << 0
	flagSuppressEmbeds        = 1 << 2
	flagEphemeral             = 1 << 6
	flagLoading               = 1 << 7
	flagSuppressNotifications = 1 << 12
	flagComponentsV2          = 1 << 15
)

// Emoji is a picture on a button or in a list.
type Emoji struct {
	ID       *string `json:"id,omitempty"`
	Name     string  `json:"name,omitempty"`
	Animated bool    `json:"animated,omitempty"`
}
