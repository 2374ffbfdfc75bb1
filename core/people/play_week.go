package people

import "tradepost/core/hours"

// PlayHours are when a user plays. Only they read them.
type PlayHours struct {
	Said    hours.Week // as the user has said
	Learns  *bool      // whether hours are learned from "We met"; nil until the user has answered that
	Learned hours.Week
	// Answered means that the user has saved something here, also that they say no hours.
	Answered bool
}

// Asks reports whether the user is asked when they could come, beside a trade without a time to meet: until
// they have answered once.
func (p PlayHours) Asks() bool { return !p.Answered }

// Week returns the hours in which the user plays.
func (p PlayHours) Week() hours.Week { return p.Said.With(p.Learned) }
