package people

import (
	"strconv"
	"strings"
	"time"

	"tradepost/core"
)

// Account is the part of a user's Discord account that may be shown. Its DiscordID is for Discord itself and
// for the two sides of a receipt: nothing else on the page has it. It is zero for visitors and users who
// have left.
type Account struct {
	DiscordID   string
	Username    string
	DisplayName string
	Avatar      string // Discord's name of the picture; empty for none
}

// Accounts are the accounts of users.
type Accounts map[core.UserID]Account

// Owns reports whether a typed contact is the account's own username.
func (a Account) Owns(contact string) bool {
	return a.DiscordID != "" && strings.EqualFold(strings.TrimPrefix(contact, "@"), a.Username)
}

// ProfileURL is the page of the account at Discord; empty when there is no account.
func (a Account) ProfileURL() string {
	if a.DiscordID == "" {
		return ""
	}
	return "https://discord.com/users/" + a.DiscordID
}

// discordEpoch is when Discord's ids begin: 2015, in milliseconds.
const discordEpoch = 1420070400000

// AccountMade returns when a Discord account was made, which its id tells; zero for no such id.
func AccountMade(discordID string) time.Time {
	n, err := strconv.ParseUint(discordID, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + discordEpoch).UTC()
}

// NewAccountFor is how long a Discord account counts as new.
const NewAccountFor = 7 * core.Day

// NewAccount reports whether a Discord account was new at a time. One without such an id is not.
func NewAccount(discordID string, at time.Time) bool {
	made := AccountMade(discordID)
	return !made.IsZero() && at.Sub(made) < NewAccountFor
}
