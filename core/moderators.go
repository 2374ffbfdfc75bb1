package core

import "slices"

// Moderators says who keeps the market in order. Its zero value is nobody.
type Moderators struct {
	Accounts []string // Discord ids
	Roles    []string // ids of Discord roles
}

// Include tells whether an account is a moderator's, by its id or by a role that it has where it acts.
func (m Moderators) Include(p Profile) bool {
	return p.DiscordID != "" && slices.Contains(m.Accounts, p.DiscordID) ||
		slices.ContainsFunc(p.Roles, func(role string) bool { return role != "" && slices.Contains(m.Roles, role) })
}
