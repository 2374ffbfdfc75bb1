package core

import "strings"

// CanaryPrefix begins the Discord IDs of the accounts with which the program trades to check itself. IDs of
// real accounts are numbers.
const CanaryPrefix = "canary-"

// IsCanary reports whether a Discord ID is one of the canary's.
func IsCanary(discordID string) bool { return strings.HasPrefix(discordID, CanaryPrefix) }
