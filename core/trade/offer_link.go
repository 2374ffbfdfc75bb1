package trade

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"time"
)

// OfferToken is the secret of a visitor's private link to their offer. It is shown once, in the answer to
// the offer, and only its hash is stored: a reader of the database cannot follow a link.
type OfferToken string

// offerTokenBytes is how many random bytes an OfferToken has.
const offerTokenBytes = 32

// MaxOfferLinks is how many links one offer can have. A sender who repeats the offer because the answer was
// lost gets another one.
const MaxOfferLinks = 5

func newOfferToken(random io.Reader) (OfferToken, error) {
	secret := make([]byte, offerTokenBytes)
	if _, err := io.ReadFull(random, secret); err != nil {
		return "", fmt.Errorf("random bytes: %w", err)
	}
	return OfferToken(base64.RawURLEncoding.EncodeToString(secret)), nil
}

// OfferLinkKey is the storage key of a link: the SHA-256 of its token.
type OfferLinkKey [sha256.Size]byte

// Key returns the hash of the token.
func (t OfferToken) Key() OfferLinkKey { return sha256.Sum256([]byte(t)) }

// OfferLink holds the content behind a visitor's private link: their own offer, its receipts, and the order
// it is on. The link exists until its order is deleted or moves to the archive.
type OfferLink struct {
	Sent     SentOffer // Seller is zero; State is how the offer ended, or OfferOpen where that was not stored
	Left     int       // of the offer; 0 once it is gone
	Order    Order
	Receipts []Trade // newest first; including receipts of offers that this one has replaced
}

// at completes a stored link at a time. When the end of an offer was not stored, it follows from the order:
// the offer was accepted, or it lapsed with the order. A row in offers takes precedence over a stored
// earlier end: a declined offer may be open again.
func (l OfferLink) at(now time.Time) OfferLink {
	l.Sent.Accepted = 0
	for _, r := range l.Receipts {
		if r.Offer == l.Sent.ID {
			l.Sent.Accepted += r.Quantity
		}
	}
	open := l.Order.Open(now)
	switch {
	case l.Left > 0 && open:
		l.Sent.State = OfferOpen
	case l.Left > 0:
		l.Sent.State = OfferLapsed
	case l.Sent.State != OfferOpen:
	case l.Sent.Accepted >= l.Sent.Quantity:
		l.Sent.State = OfferAccepted
	case open:
		l.Sent.State = OfferDeclined
	default:
		l.Sent.State = OfferLapsed
	}
	if len(l.Receipts) > 0 {
		l.Sent.BuyerContact = l.Order.BuyerContact
	} else {
		l.Order = l.Order.ForEverybody(now)
	}
	return l
}

// Open reports whether the link still shows its order, and can withdraw the offer.
func (l OfferLink) Open() bool { return l.Sent.State == OfferOpen }
