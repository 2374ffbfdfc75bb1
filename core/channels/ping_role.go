package channels

import (
	"slices"
	"time"

	"tradepost/core/game"
	"tradepost/core/match"
)

// PingServer is a Discord server in which new orders on boards ping a role of their profession. Members
// take and drop the roles by the buttons of a message.
type PingServer struct {
	GuildID   string
	Locale    string // the Discord locale of the server
	CreatedAt time.Time
	Pause     time.Duration // between two pings of a role
	Message   PingMessage
	Problem   string // why roles cannot be given or pinged at present; empty while all is well
	Ended     bool   // the roles are being deleted
	Roles     []PingRole
}

// PingMessage is the message with the buttons that add and remove members' roles.
type PingMessage struct {
	ChannelID string
	MessageID string    // empty until it was sent
	StartedAt time.Time // when it was first tried to send it; zero before
	Shown     string    // its content: the professions
	Gone      bool      // it was deleted by hand: it is not sent again
}

// PingRole is the role that new orders of a profession ping.
type PingRole struct {
	Category  game.Category
	RoleID    string    // empty until there is one
	Made      bool      // by the bot, which deletes it in the end; otherwise it was there before
	Gone      bool      // it was deleted by hand: no other is made
	StartedAt time.Time // when it was first tried to make it
}

const (
	// PingPause is how long a role is not pinged again after a ping, unless a server has another pause.
	PingPause = 10 * time.Minute
	// MaxPingPause is the longest pause between two pings of a role.
	MaxPingPause = 24 * time.Hour
	// PingFresh is the highest age of an order that pings: an order that was posted while the bot was away
	// for longer does not.
	PingFresh = time.Hour
)

// PingedCategories returns the professions that boards of a server name, in the order of the game. A board
// of every profession names none.
func PingedCategories(g game.Game, boards []Board, guildID string) []game.Category {
	var named []game.Category
	for _, c := range g.Categories() {
		if slices.ContainsFunc(boards, func(b Board) bool {
			return b.GuildID == guildID && b.Side != match.SaleSide &&
				slices.Contains(b.Filter.Categories, c)
		}) {
			named = append(named, c)
		}
	}
	return named
}

// Role returns the role of a profession, nil when there is none that works.
func (s PingServer) Role(c game.Category) *PingRole {
	for i, r := range s.Roles {
		if r.Category == c && r.RoleID != "" && !r.Gone {
			return &s.Roles[i]
		}
	}
	return nil
}

// Lacks returns the professions for which a role is still to be made.
func (s PingServer) Lacks(categories []game.Category) []game.Category {
	return slices.DeleteFunc(slices.Clone(categories), func(c game.Category) bool {
		return slices.ContainsFunc(s.Roles,
			func(r PingRole) bool { return r.Category == c && (r.RoleID != "" || r.Gone) })
	})
}

// Works returns the professions that have a role.
func (s PingServer) Works(categories []game.Category) []game.Category {
	return slices.DeleteFunc(slices.Clone(categories), func(c game.Category) bool { return s.Role(c) == nil })
}
