package people

import (
	"slices"
	"time"
)

const (
	// ModeratorRoleRetention is how long a moderator role counts after it was last seen. The bot learns of
	// roles only when users act.
	ModeratorRoleRetention = 30 * 24 * time.Hour
)

// Moderators lists the accounts and roles that may moderate. Its zero value has none.
type Moderators struct {
	Accounts []string // Discord ids
	Roles    []string // ids of Discord roles
}

// Includes reports whether an account is a moderator's, by its id or by a role that it has where it acts.
func (m Moderators) Includes(p Profile) bool {
	return p.DiscordID != "" && slices.Contains(m.Accounts, p.DiscordID) || m.role(p) != ""
}

// role returns the first role of the profile that makes a moderator, empty when none does.
func (m Moderators) role(p Profile) string {
	for _, role := range p.Roles {
		if role != "" && slices.Contains(m.Roles, role) {
			return role
		}
	}
	return ""
}
