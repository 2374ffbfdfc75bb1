package history

// Stored is what the database and the stand-in Discord have after the writes.
type Stored struct {
	Orders   []OrderRow
	Offers   []OfferRow
	Sales    []SaleRow
	Notices  []NoticeRow
	Waiting  []WaitingRow
	Messages []Message

	// Lapsing says that a clock was wrong for longer than an offer stands unanswered: any may have lapsed,
	// and its buyer was told.
	Lapsing bool

	Handovers []HandoverRow
	Stock     []StockRow
	Standing  []StandingRow
	Lists     []ListRow
	Blocks    []BlockRow
	Items     []ItemRow
	Log       []LogRow
}

// StockRow is a seller's stored stock of an item.
type StockRow struct {
	Owner    string // username
	Item     string
	Quantity int
	Price    int64
}

// StandingRow is a standing acceptance that was not ended.
type StandingRow struct {
	Order        int64
	Limit        int // items taken in all from sellers without the partners that the buyer asks for
	Taken        int // items of the limit that were taken
	FromPartners int // items taken from other sellers
}

// ListRow is a posted list. Its lines are its orders.
type ListRow struct {
	ID    int64
	Owner string // username
	Name  string
	Lines int
}

// BlockRow is a block by a buyer, or by a moderator.
type BlockRow struct {
	By   string // username; empty for a moderator
	User string // username
}

// ItemRow is an item of the catalogue.
type ItemRow struct {
	Name  string
	State string
	Into  string // the item that it is merged into
}

// LogRow is an entry of the log of moderation.
type LogRow struct {
	Action       string
	Order, Offer int64
	User         string // the user that the action is about
	Item         string
}

// HandoverRow is a stored handover.
type HandoverRow struct {
	Sale                          int64
	Buyer, Seller                 string // usernames
	State                         string
	BuyerWord, SellerWord         string // empty for nothing yet
	BuyerMessages, SellerMessages int
	Reversed                      bool // its sale is
	Looked                        bool // a moderator looks at it, or has
}

// WaitingRow is an offer that lapsed with a closing that can still be undone: its notice waits.
type WaitingRow struct{ Offer int64 }

// OrderRow is a stored order.
type OrderRow struct {
	ID       int64
	Owner    string // username
	Item     string
	Quantity int
	Price    int64
	Sold     int
	Sales    int // the sum of its sales
	Closed   bool
	Expired  bool
}

// OfferRow is a stored offer with what is left of it.
type OfferRow struct {
	ID, Order int64
	Seller    string // username; empty for a visitor
	Mark      string
	Quantity  int
	Price     int64
}

// SaleRow is a stored sale. Mark is that of a logged sale, or of the offer that was accepted.
type SaleRow struct {
	ID, Order int64
	Seller    string // username of a verified seller
	Mark      string
	Quantity  int
	Price     int64
	Reversed  bool
}

// NoticeRow is a stored notice with the message that carries it.
type NoticeRow struct {
	ID, Order, Offer int64  // the order is zero once it is deleted
	Sale             int64  // whose handover it is about; zero for none
	Reader           string // username
	Kind             string
	State            string
	Reason           string
	Mark             string // the seller's name, of an offer_received
	MessageID        string // empty when it was not sent
	Digest           bool   // that message is a digest, which covers many
}

// Message is a direct message that the stand-in has.
type Message struct {
	ID     string
	Reader string // username
	Text   string
	// Known means that a delivery row names it.
	Known bool
}
