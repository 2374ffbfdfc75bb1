package history

// Stored is what the database and the stand-in Discord have after the writes.
type Stored struct {
	Orders   []OrderRow
	Offers   []OfferRow
	Sales    []SaleRow
	Notices  []NoticeRow
	Waiting  []WaitingRow
	Messages []Message

	Handovers []HandoverRow
}

// HandoverRow is a stored handover.
type HandoverRow struct {
	Sale                          int64
	Buyer, Seller                 string // usernames
	State                         string
	BuyerWord, SellerWord         string // empty for nothing yet
	BuyerMessages, SellerMessages int
	Reversed                      bool // its sale is
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
