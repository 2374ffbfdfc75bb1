package core

import "time"

// Board is a Discord channel that shows new orders.
type Board struct {
	ChannelID string
	GuildID   string
	Maker     UserID   // who set it up, and is told when nothing can be shown there
	Category  Category // empty for all
	Locale    string   // the Discord locale of the server
	Trouble   string   // why nothing can be shown there at present; empty while all is well
	CreatedAt time.Time
}

// BoardPost is the message that shows an order on a board.
type BoardPost struct {
	ID        int64
	ChannelID string
	OrderID   OrderID // leads nowhere once the order is deleted
	ItemName  string
	MessageID string // empty until it was sent
	// ShownVersion and ShownOpen are of the order, as the message shows it.
	ShownVersion int
	ShownOpen    bool
	Finished     bool // nothing about the message will change any more
	StartedAt    time.Time
}
