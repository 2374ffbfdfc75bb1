package core

import "time"

// LimitUse is how often a client has used a limit that all replicas share.
type LimitUse struct {
	Limit  string        // its name
	Client string        // who used it; stored as a hash
	Window time.Duration // within which uses count
	By     int           // how often; below zero to take uses back, zero to ask
}
