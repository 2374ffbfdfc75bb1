package people

import (
	"time"

	"tradepost/core"
)

// User is a Discord account that has come through either door.
type User struct {
	ID          core.UserID
	DiscordID   string // the snowflake; identifies the user, and is shown only in their account export
	Username    string // the Discord username; it can change hands, so it is a contact and no identity
	DisplayName string
	Avatar      string // Discord's name of the picture; empty for none
	Email       string // empty when Discord gave none; shown to its owner only
	Locale      string // the Discord locale last seen, such as "en-US"; empty when unknown
	Language    string // that they have chosen, as an IETF tag; empty for none
	InGameName  string // for traders who meet them in the game; empty for none
	CreatedAt   time.Time
	BlockedAt   time.Time // when a moderator blocked them; zero for never
	BlockedFor  string    // why; empty when they are not blocked

	// since when a moderator has their acts send no messages to others; zero while they do
	ReachStoppedAt time.Time

	LeavingAt time.Time // when they asked for the deletion of their account; zero for never
	// when they last signed out everywhere: sessions from before are over; zero for never
	SignedOutAt time.Time

	// ModeratorRole is the Discord role that made them a moderator when they last used the bot in
	// a server; empty for none. It selects who is notified and grants no rights.
	ModeratorRole   string
	ModeratorRoleAt time.Time // when that was, to the day; zero for never

	// Moderator is no property of the account: it reports whether the settings make the user a moderator,
	// as far as the adapter knows their roles.
	Moderator bool
}

// Blocked reports whether the user is banned from the market.
func (u User) Blocked() bool { return !u.BlockedAt.IsZero() }

// Profile is the data that Discord provides about an account when it signs in or acts. Email and Locale are
// empty where the adapter does not learn them; an empty one leaves the stored value.
type Profile struct {
	DiscordID   string
	Username    string
	DisplayName string
	Email       string
	Locale      string
	Avatar      string   // Discord's name of the picture; empty for none
	Roles       []string // the ids of their roles where they act; nil where the adapter does not learn them

	ModeratorRole string // the role among Roles that makes a moderator; Market.SignIn sets it
}

// Actor returns the user as one who asks.
func (u User) Actor() core.Actor {
	return core.Actor{
		UserID: u.ID, Username: u.Username, DisplayName: u.DisplayName, Moderator: u.Moderator,
		Blocked: u.Blocked(), LeavingAt: u.LeavingAt,
		Canary: core.IsCanary(u.DiscordID),
	}
}
