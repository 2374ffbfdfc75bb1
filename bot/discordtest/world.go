package discordtest

import (
	"time"
)

// world is what Discord keeps: everything that Options.StatePath saves.
type world struct {
	App      application
	Users    []*user    // the bot first
	Guilds   []*guild   // the home first
	Channels []*channel // in the order they are shown
	Messages []*message // oldest first
	Commands []*Command
	Emojis   []*appEmoji // oldest first
	Grants   []*grant
	// Created has when new commands were created: Discord allows 200 a day.
	Created []time.Time
}

type application struct {
	ID, Name, Description string
	Token, Secret         string
	PublicKey             string
	RedirectURIs          []string
	Restricted            bool // only its owner may invite the bot
	InteractionsURL       string
	Revoked               bool // the token is refused
}

type user struct {
	ID, Username, GlobalName string
	Email                    string // empty: the account has none
	Verified                 bool
	Locale                   string
	Bot                      bool
	Colour                   string // of the round picture on the page

	membership                        // of the home guild
	In         map[string]*membership // of other guilds, by id
	DMsClosed  bool
	Installed  bool // has the application installed for themselves
}

// membership is a user in a guild.
type membership struct {
	Joined      time.Time
	Left        bool // no longer in the guild
	Nick        string
	Permissions uint64   // without those of its roles
	Roles       []string // by id
}

type channel struct {
	ID, Name, Topic string
	GuildID         string // empty for a conversation
	Type            int
	Recipient       string // the person of a DM with the bot; empty for all others
	// People are those of a direct message or group without the bot, and the members of a thread.
	People     []string
	Overwrites []overwrite
	Last       string  // id of the last message for everybody
	Thread     *thread // nil for every other channel
	Tags       []forumTag
	NeedsTag   bool // a post of the forum must have one
	// Read has the last message that each user has read, for the unread marks of the page.
	Read map[string]string
}

// dm reports whether it is a user's direct messages with the bot.
func (c *channel) dm() bool { return c.Recipient != "" }

// elsewhere reports whether it is a conversation without the bot.
func (c *channel) elsewhere() bool { return c.GuildID == "" && !c.dm() }

// The ids of the first inhabitants never change, so that a test can name them and a saved demo finds them
// again.
const (
	appID     = "1284550311417856000"
	guildID   = "1284551102903992320"
	botRoleID = "1284551102903992321" // the bot's own role in the home guild
)

func newWorld(o Options) world {
	return world{
		App: application{
			ID: appID, Name: "Tradepost", Description: "A market for the things you gather, craft and need.",
			Token:        "MTI4NDU1MDMxMTQxNzg1NjAwMA.G-stand.in-token-for-tests-and-the-demo",
			Secret:       "stand-in-secret-for-tests-and-the-demo",
			PublicKey:    "6f1c2b7d4ae0953c8b1f7e2d40a9c6153be8f7a20d14c9b65e3f8072d1a6bc94",
			RedirectURIs: append([]string{}, o.RedirectURIs...),
		},
		Users: []*user{
			{ID: appID, Username: "Tradepost", Bot: true, Verified: true, Locale: "en-US", Colour: "#3f7f6f",
				membership: membership{Permissions: permMember, Joined: day(2024, 9, 14)}},
			{ID: "214906133514231808", Username: "maple", GlobalName: "Maple", Email: "maple@example.com",
				Verified: true,
				Locale:   "en-US", Colour: "#c2552d",
				membership: membership{Permissions: permAll, Joined: day(2024, 9, 14)}},
			{ID: "301774590265327617", Username: "rowan.ashdown", GlobalName: "Rowan",
				Email: "rowan@example.com", Verified: true,
				Locale: "en-US", Colour: "#4a6fa5",
				membership: membership{Permissions: permMember, Joined: day(2024, 10, 2)}},
			{ID: "498220177361403905", Username: "juniper_fox", GlobalName: "Juniper",
				Email: "juniper@example.com", Verified: true,
				Locale: "en-GB", Colour: "#7b5ea7",
				membership: membership{Permissions: permMember, Joined: day(2025, 1, 19)}},
			{ID: "872031946600157194", Username: "oldtamsin", GlobalName: "Tamsin",
				Email: "tamsin@example.com", Verified: true,
				Locale: "en-US", Colour: "#a8782a",
				membership: membership{Permissions: permMember | permManageMessages,
					Joined: day(2025, 3, 8)}},
		},
		Guilds: []*guild{{ID: guildID, Name: "Harbourlight", OwnerID: "214906133514231808", Locale: "en-US"}},
		Channels: []*channel{
			{GuildID: guildID, ID: "1284552260678844416", Name: "trading-post",
				Topic: "Post what you need, offer what you have"},
			{GuildID: guildID, ID: "1284552319831801856", Name: "request-board",
				Topic: "New requests, as they come in"},
			{GuildID: guildID, ID: "1284552374680621056", Name: "tavern", Topic: "Everything else"},
		},
	}
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 18, 0, 0, 0, time.UTC) }

func (w *world) bot() *user { return w.Users[0] }

// user finds a user by id, username or display name.
func (w *world) user(who string) *user {
	for _, u := range w.Users {
		if u.ID == who || u.Username == who || (u.GlobalName != "" && u.GlobalName == who) {
			return u
		}
	}
	return nil
}

func (w *world) userByID(id string) *user {
	for _, u := range w.Users {
		if u.ID == id {
			return u
		}
	}
	return nil
}

// players are the people, without the bot.
func (w *world) players() []*user { return w.Users[1:] }

// channel finds a channel by id or, in the guild, by name.
func (w *world) channel(which string) *channel {
	for _, c := range w.Channels {
		if c.ID == which || c.Name == which && which != "" {
			return c
		}
	}
	return nil
}

// dm is the conversation of the bot with a user, nil when there is none yet.
func (w *world) dm(userID string) *channel {
	for _, c := range w.Channels {
		if c.Recipient == userID {
			return c
		}
	}
	return nil
}

// openDM gives the conversation of the bot with a user, the same one every time.
func (d *Discord) openDM(userID string) *channel {
	if c := d.world.dm(userID); c != nil {
		return c
	}
	c := &channel{ID: d.newID(), Type: dmChannel, Recipient: userID}
	d.world.Channels = append(d.world.Channels, c)
	d.announce()
	return c
}
