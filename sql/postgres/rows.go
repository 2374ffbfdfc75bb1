package postgres

import (
	"time"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// The market has zero values where the tables have NULL.

func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func orZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func convert[From, To any](from []From, one func(From) To) []To {
	to := make([]To, len(from))
	for i := range from {
		to[i] = one(from[i])
	}
	return to
}

func offer(o db.Offer) core.Offer {
	return core.Offer{
		ID: o.ID, OrderID: o.OrderID, Seller: orZero(o.SellerID), SellerName: o.SellerName, SellerContact: o.SellerContact,
		Message: o.Message, Price: o.PricePerUnit, Quantity: o.QuantityOffered, CreatedAt: o.CreatedAt,
		GoodUntil: orZero(o.GoodUntil), LapsesAt: orZero(o.LapsesAt),
	}
}

func sentOffer(o db.SentOffer) core.SentOffer {
	return core.SentOffer{
		ID: o.ID, Seller: o.SellerID, OrderID: orZero(o.OrderID), ItemName: o.ItemName,
		SellerName: orZero(o.SellerName), Message: orZero(o.Message), Price: o.PricePerUnit,
		Quantity: o.QuantityOffered, Accepted: o.Accepted, State: o.State, BuyerContact: orZero(o.BuyerContact),
		CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt, GoodUntil: orZero(o.GoodUntil),
	}
}

func sale(s db.OrderUpdate) core.Sale {
	return core.Sale{
		ID: s.ID, OrderID: orZero(s.OrderID), ItemName: orZero(s.ItemName), Quantity: s.QuantitySold, Notes: orZero(s.Notes),
		UnitPrice: s.UnitPrice, UpdatedBy: orZero(s.UpdatedBy), Buyer: orZero(s.BuyerID), Seller: orZero(s.SellerID),
		Offer: orZero(s.OfferID), SellerName: orZero(s.SellerName), SellerContact: orZero(s.SellerContact),
		CreatedAt: s.CreatedAt,
	}
}

func user(u db.User) core.User {
	return core.User{
		ID: u.ID, DiscordID: u.DiscordID, Username: u.Username, DisplayName: u.DisplayName, Avatar: u.Avatar, Email: u.Email,
		Locale: u.Locale, CreatedAt: u.CreatedAt, BlockedAt: orZero(u.BlockedAt), BlockedFor: u.BlockedFor, SignedOutAt: orZero(u.SignedOutAt), LeavingAt: orZero(u.LeavingAt),
		InGameName: orZero(u.InGameName), ModeratorRole: u.ModeratorRole, ModeratorRoleAt: orZero(u.ModeratorRoleAt),
	}
}

func notice(n db.Notice) core.Notice {
	return core.Notice{
		ID: n.ID, User: n.UserID, Kind: n.Kind, OrderID: orZero(n.OrderID), OfferID: orZero(n.OfferID), Sale: orZero(n.SaleID),
		CausedBy: core.UserID(orZero(n.CausedBy)),
		ItemName: n.ItemName, Quantity: n.Quantity, Price: n.PricePerUnit, Name: n.Name, Contact: n.Contact,
		Message: n.Message, State: n.State, Reason: n.Reason, Watch: orZero(n.WatchID), HoldUntil: orZero(n.HoldUntil),
		CreatedAt: n.CreatedAt, SettledAt: orZero(n.SettledAt), ReadAt: orZero(n.ReadAt),
	}
}

func mailbox(m db.Mailbox, discordID, locale string) core.Mailbox {
	return core.Mailbox{
		User: m.UserID, DiscordID: discordID, Locale: locale, ChannelID: m.ChannelID,
		BusyUntil: orZero(m.BusyUntil), NotBefore: orZero(m.NotBefore), Closed: m.Closed, ClosedAt: orZero(m.ClosedAt),
		Settings: core.NoticeSettings{Muted: m.Muted, QuietFrom: m.QuietFrom, QuietTo: m.QuietTo, TimeZone: m.TimeZone},
	}
}

func delivery(d db.Delivery) core.Delivery {
	thread := ""
	if d.InThread {
		thread = d.ChannelID
	}
	return core.Delivery{
		ID: d.ID, Kind: d.Kind, ChannelID: d.ChannelID, Thread: thread, MessageID: d.MessageID, NoncePrefix: d.NoncePrefix,
		StartedAt: d.StartedAt, SentAt: orZero(d.SentAt),
	}
}
