package core

// ClosingID numbers a closing.
type ClosingID int64

// DeliveryID numbers a direct message.
type DeliveryID int64

// ItemID numbers an item. It stays when the item is renamed.
type ItemID int64

// NoticeID numbers a notice.
type NoticeID int64

// OfferID numbers an offer.
type OfferID int64

// OrderID numbers an order.
type OrderID int64

// ListID numbers a posted list.
type ListID int64

// ProposedRingID numbers a ring that is proposed to moderators.
type ProposedRingID int64

// ReportID numbers a report.
type ReportID int64

// RingID numbers a ring.
type RingID int64

// SaleID numbers a sale.
type SaleID int64

// SearchID numbers a saved search among those with a bell, or among those without.
type SearchID int64

// SessionID names a session to its user. It is no secret and cannot be used to sign in.
type SessionID string

// StockID numbers an entry of a seller's stock.
type StockID int64

// TokenID numbers a personal token.
type TokenID int64

// WebhookID numbers a webhook.
type WebhookID int64

// WebhookDeliveryID numbers an event on its way to a webhook.
type WebhookDeliveryID int64

// UserID is the market's own number for a user. It says nothing about the Discord account and may be shown.
type UserID int64
