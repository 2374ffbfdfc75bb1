package core

import "time"

// UserID is the market's own number for a user. It says nothing about the Discord account and may be shown.
type UserID int64

// User is a Discord account that has come through either door.
type User struct {
	ID          UserID
	DiscordID   string // the snowflake; identity, and shown to nobody but in the download of their own data
	Username    string // the Discord username; it can change hands, so it is a contact and no identity
	DisplayName string
	Email       string // empty when Discord gave none; shown to its owner only
	Locale      string // the Discord locale last seen, such as "en-US"; empty when unknown
	CreatedAt   time.Time
	BlockedAt   time.Time // when a moderator blocked them; zero for never
	BlockedFor  string    // why; empty when they are not blocked

	// Moderator is no property of the account: it tells whether the settings make a moderator of whoever came in, as far
	// as the door that they came through knows them.
	Moderator bool
}

// Blocked tells whether the user takes no part in the market.
func (u User) Blocked() bool { return !u.BlockedAt.IsZero() }

// Profile is what Discord says of an account when it signs in or acts. Email and Locale are empty where the door does
// not learn them; an empty one leaves what is known.
type Profile struct {
	DiscordID   string
	Username    string
	DisplayName string
	Email       string
	Locale      string
	Roles       []string // the ids of their roles where they act; none where the door does not learn them
}

// Actor returns the user as one who asks.
func (u User) Actor() Actor {
	return Actor{
		UserID: u.ID, Username: u.Username, DisplayName: u.DisplayName, Moderator: u.Moderator, Blocked: u.Blocked(),
	}
}

// Counts are the figures beside a user's tabs.
type Counts struct {
	Active    int // orders that are open and not expired
	Fulfilled int
	Expired   int
	Unread    int // notices
}
