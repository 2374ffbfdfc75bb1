package people

import (
	"strings"

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
